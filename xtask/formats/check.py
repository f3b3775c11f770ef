"""Opens frames that visco wrote with the software of their formats, and gives visco files of other programs.

Usage: check.py VISCO FOLDER
VISCO is the built program, FOLDER is written to. USD files are read and validated by OpenUSD, VTP files are read and
written by VTK, positions of BGEO files are read and written by splashsurf. For the attributes of BGEO there is no
package to install: `bgeo` below is a reader of its own, of what partio reads and writes (magic, counts, definitions of
attributes, points, all big-endian). Every value is compared with the PLY frame, bit for bit. Surfaces are in
`surfaces.py`.
"""

import gzip
import os
import shutil
import struct
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
from pxr import Sdf, Usd, UsdGeom, UsdValidation
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLPolyDataWriter

import surfaces

HERE = Path(__file__).parent
NUMBERS = {"float": "<f4", "uint": "<u4", "uchar": "u1"}
TENSOR = ["qxx", "qyy", "qzz", "qxy", "qxz", "qyz"]
FRAMES = 5


def visco(*arguments, code=0):
    """Runs the program and returns what it said."""
    done = subprocess.run([VISCO, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, f"visco {arguments} ended with {done.returncode}: {done.stderr}"
    return done.stdout + done.stderr


def ply(path):
    """A PLY frame as a dictionary of arrays."""
    data = path.read_bytes()
    header, _ = data.split(b"end_header\n", 1)
    lines = [line.split() for line in header.decode().splitlines()]
    kinds = [(line[2], NUMBERS[line[1]]) for line in lines if line[0] == "property"]
    count = next(int(line[2]) for line in lines if line[:2] == ["element", "vertex"])
    rows = np.frombuffer(data, np.dtype(kinds), count, len(header) + len("end_header\n"))
    said = {line[1]: float(line[2]) for line in lines if line[0] == "comment" and len(line) == 3}

    def together(names):
        return np.stack([rows[name] for name in names], axis=-1)

    frame = {name: rows[name] for name in ["id", "material", "density"]}
    frame["position"], frame["velocity"] = together("xyz"), together(["vx", "vy", "vz"])
    if "qxx" in rows.dtype.names:
        frame["conformation"] = together(TENSOR)
    frame |= {"time": said["time"], "number": int(said["frame"]), "spacing": np.float32(said["spacing"])}
    return frame


def bgeo(path):
    """A classic BGEO file: positions, attributes of points and of the whole."""
    data = path.read_bytes()
    at = 0

    def take(form):
        nonlocal at
        values = struct.unpack_from(">" + form, data, at)
        at += struct.calcsize(">" + form)
        return values

    def definitions(count):
        found = []
        for _ in range(count):
            (length,) = take("H")
            (name,) = take(f"{length}s")
            size, kind = take("HI")
            take(f"{size}I")
            # 0 is float, 1 is int, 5 is a vector of floats.
            found.append((name.decode(), size, {0: ">f4", 1: ">i4", 5: ">f4"}[kind]))
        return found

    def rows(kinds, count):
        nonlocal at
        kind = np.dtype([(name, form, (size,)) for name, size, form in kinds])
        values = np.frombuffer(data, kind, count, at)
        at += kind.itemsize * count
        return values

    magic, mark, number = take("4scI")
    assert (magic, mark, number) == (b"Bgeo", b"V", 5)
    count, *none, of_points, of_vertices, of_primitives, of_all = take("8I")
    assert none == [0, 0, 0] and of_vertices == of_primitives == 0
    points = rows([("P", 4, ">f4"), *definitions(of_points)], count)
    whole = rows(definitions(of_all), 1)[0]
    assert data[at:] == b"\x00\xff", "the end mark"
    return points, whole


def vtp(path):
    """A VTP file, read by VTK."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def same(found, expected, what):
    found, expected = np.asarray(found), np.asarray(expected)
    if found.size == 0 and expected.size == 0:
        return
    assert found.shape == expected.shape, f"{what}: {found.shape} instead of {expected.shape}"
    if expected.dtype.kind == "f":
        found, expected = (np.ascontiguousarray(a.astype("<f4")).view("<u4") for a in (found, expected))
    assert (found == expected).all(), f"{what} differs"


def check_vtp(path, frame):
    data = vtp(path)
    points, values = data.GetPoints(), data.GetPointData()
    count = len(frame["id"])
    assert data.GetNumberOfPoints() == count and data.GetNumberOfVerts() == count
    same(vtk_to_numpy(points.GetData()) if count else [], frame["position"], f"{path}: positions")
    for name in ["velocity", "id", "material", "density"]:
        same(vtk_to_numpy(values.GetArray(name)), frame[name], f"{path}: {name}")
    tensor = values.GetArray("conformation")
    assert (tensor is not None) == ("conformation" in frame)
    if tensor is not None:
        names = [tensor.GetComponentName(i) for i in range(6)]
        assert names == ["xx", "yy", "zz", "xy", "yz", "xz"], names
        same(vtk_to_numpy(tensor)[:, [0, 1, 2, 3, 5, 4]], frame["conformation"], f"{path}: conformation")
    of_all = data.GetFieldData()
    assert of_all.GetArray("TimeValue").GetValue(0) == frame["time"]
    assert of_all.GetArray("frame").GetValue(0) == frame["number"]


def check_bgeo(path, frame):
    points, whole = bgeo(path)
    same(points["P"], np.c_[frame["position"], np.ones(len(points), "f4")], f"{path}: P")
    same(points["v"], frame["velocity"], f"{path}: v")
    same(points["id"][:, 0].astype("u4"), frame["id"], f"{path}: id")
    for name in ["material", "density"]:
        same(points[name][:, 0], frame[name], f"{path}: {name}")
    same(points["pscale"][:, 0], np.full(len(points), frame["spacing"] / 2, "f4"), f"{path}: pscale")
    assert ("qxx" in points.dtype.names) == ("conformation" in frame)
    for i, name in enumerate(TENSOR if "conformation" in frame else []):
        same(points[name][:, 0], frame["conformation"][:, i], f"{path}: {name}")
    # Through splashsurf, which goes on with positions alone.
    splashsurf = Path(sys.executable).with_name("pysplashsurf")
    command = [splashsurf, "convert", "--quiet", "--particles", path, "-o", "splashsurf.bgeo", "--overwrite"]
    subprocess.run(command, check=True)
    visco("convert", "splashsurf.bgeo", "splashsurf.ply", "--quiet")
    same(ply(Path("splashsurf.ply"))["position"], frame["position"], f"{path}: through splashsurf")
    assert whole["frame"][0] == frame["number"] and whole["time"][0] == np.float32(frame["time"])


def check_usd(stage, frame, what):
    """The particles of a stage at the time code of a frame."""
    code = frame["number"]
    points = UsdGeom.Points(stage.GetDefaultPrim())
    assert points and stage.GetDefaultPrim().GetTypeName() == "Points", what
    same(points.GetPointsAttr().Get(code), frame["position"], f"{what}: points")
    same(points.GetVelocitiesAttr().Get(code), frame["velocity"], f"{what}: velocities")
    same(points.GetIdsAttr().Get(code), frame["id"], f"{what}: ids")
    same(points.GetWidthsAttr().Get(code), np.full(len(frame["id"]), frame["spacing"]), f"{what}: widths")
    assert points.GetWidthsInterpolation() == "vertex"
    primvars = UsdGeom.PrimvarsAPI(points)
    for name in ["density", "material"]:
        primvar = primvars.GetPrimvar(name)
        assert primvar.GetInterpolation() == "vertex" and primvar.HasValue(), f"{what}: {name}"
        same(primvar.ComputeFlattened(code) or [], frame[name], f"{what}: {name}")
    for name, part in [("diagonal", slice(0, 3)), ("offdiagonal", slice(3, 6))]:
        primvar = primvars.GetPrimvar(f"conformation_{name}")
        assert bool(primvar) == ("conformation" in frame), what
        if primvar:
            same(primvar.Get(code), frame["conformation"][:, part], f"{what}: {name}")
    extent = points.GetExtentAttr().Get(code)
    expected = UsdGeom.Boundable.ComputeExtentFromPlugins(points, Usd.TimeCode(code))
    if len(frame["id"]):
        assert np.allclose(extent, expected, rtol=0, atol=1e-7), f"{what}: extent {extent}, expected {expected}"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Y"


def validate(stage):
    """What OpenUSD's validators find wrong."""
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    errors = UsdValidation.ValidationContext(validators).Validate(stage)
    return [f"{error.GetName()}: {error.GetMessage()}" for error in errors]


def check_stage(path, frames, fps):
    """The stage that plays all frames."""
    stage = Usd.Stage.Open(str(path))
    codes = [frame["number"] for frame in frames]
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (codes[0], codes[-1])
    assert stage.GetTimeCodesPerSecond() == fps
    points = UsdGeom.Points(stage.GetDefaultPrim())
    assert points.GetPointsAttr().GetTimeSamples() == codes, points.GetPointsAttr().GetTimeSamples()
    for frame in frames:
        check_usd(stage, frame, f"{path} at {frame['number']}")
    assert validate(stage) == [], validate(stage)


def check_frames(folder, frames, fps):
    """A folder with all formats against the frames that it should hold."""
    for frame in frames:
        stem = folder / f"particles_{frame['number']:06}"
        check_vtp(stem.with_suffix(".vtp"), frame)
        check_bgeo(stem.with_suffix(".bgeo"), frame)
        stage = Usd.Stage.Open(str(stem.with_suffix(".usdc")))
        check_usd(stage, frame, str(stem))
        assert validate(stage) == [], validate(stage)
        # Every field of every spec can be decoded.
        assert Sdf.Layer.FindOrOpen(str(stem.with_suffix(".usdc"))).ExportToString()
    check_stage(folder / "particles.usda", frames, fps)
    listed = [line for line in (folder / "frames.pvd").read_text().splitlines() if "<DataSet" in line]
    assert len(listed) == len(frames)
    particles = ", ".join(str(len(frame["id"])) for frame in frames)
    print(f"ok: {folder}: frames of {particles} particles as VTP, BGEO and USD, as in PLY")


def runs():
    """A run in all formats: one that begins without particles, and one without conformations."""
    visco("run", HERE / "pour.toml", "-o", "pour", "--format", "ply,vtp,bgeo,usd", "--quiet")
    frames = [ply(Path(f"pour/frames/particles_{n:06}.ply")) for n in range(FRAMES)]
    assert len(frames[0]["id"]) == 0 and len(frames[-1]["id"]) > 100 and "conformation" in frames[-1]
    assert len(set(frames[-1]["material"])) == 2
    check_frames(Path("pour/frames"), frames, 25)

    # The same through convert, from PLY and then from BGEO.
    shutil.copytree("pour", "copied")
    for name in Path("copied/frames").iterdir():
        if name.suffix != ".ply":
            name.unlink()
    visco("convert", "copied", "converted", "--format", "vtp,bgeo,usd")
    check_frames(Path("converted/frames"), frames, 25)
    plain = dict(frames[-1])
    del plain["conformation"]
    write_ply(Path("plain/particles_000004.ply"), plain)
    visco("convert", "plain", "plain", "--format", "vtp,bgeo,usd")
    check_frames(Path("plain"), [plain], 25)

    # With a gap the stage plays what is there.
    Path("copied/frames/particles_000002.ply").unlink()
    visco("convert", "copied", "gap", "--format", "usd", code=1)
    said = visco("convert", "copied", "gap", "--format", "usd", "--skip-bad")
    assert "000002" in said, said
    check_stage(Path("gap/frames/particles.usda"), frames[:2] + frames[3:], 25)
    print("ok: convert gives the same, and leaves out a missing frame")
    return frames[-1]


def write_ply(path, frame):
    """A PLY frame as visco writes it."""
    path.parent.mkdir(exist_ok=True)
    kinds = [(name, "<f4") for name in ["x", "y", "z", "vx", "vy", "vz"]]
    kinds += [("id", "<u4"), ("material", "u1"), ("density", "<f4")]
    rows = np.zeros(len(frame["id"]), np.dtype(kinds))
    for i in range(3):
        rows["xyz"[i]] = frame["position"][:, i]
        rows["v" + "xyz"[i]] = frame["velocity"][:, i]
    for name in ["id", "material", "density"]:
        rows[name] = frame[name]
    names = {"<f4": "float", "<u4": "uint", "u1": "uchar"}
    header = ["ply", "format binary_little_endian 1.0", f"comment time {frame['time']}"]
    header += [f"comment frame {frame['number']}", f"comment spacing {frame['spacing']}"]
    header += [f"element vertex {len(rows)}"] + [f"property {names[kind]} {name}" for name, kind in kinds]
    path.write_bytes("\n".join([*header, "end_header\n"]).encode() + rows.tobytes())


def foreign(frame):
    """Files that VTK wrote, in every way it can, and a compressed BGEO file."""
    count = len(frame["id"])
    ways = 0
    for double in [False, True]:
        data = vtkPolyData()
        points = vtkPoints()
        points.SetData(numpy_to_vtk(frame["position"].astype("f8" if double else "f4"), deep=True))
        data.SetPoints(points)
        velocity = numpy_to_vtk(frame["velocity"].astype("f8" if double else "f4"), deep=True)
        velocity.SetName("Velocity")
        # Read back in the order of the ids.
        ids = numpy_to_vtk(np.arange(count)[::-1].astype("i8" if double else "i4"), deep=True)
        ids.SetName("ids")
        data.GetPointData().AddArray(velocity)
        data.GetPointData().AddArray(ids)
        for mode in ["Ascii", "Binary", "Appended"]:
            for compressor in ["None", "ZLib", "LZ4"]:
                for header in ["UInt32", "UInt64"]:
                    for big in [False, True]:
                        for encoded in [False, True] if mode == "Appended" else [False]:
                            writer = vtkXMLPolyDataWriter()
                            writer.SetInputData(data)
                            writer.SetFileName("foreign.vtp")
                            getattr(writer, f"SetDataModeTo{mode}")()
                            getattr(writer, f"SetCompressorTypeTo{compressor}")()
                            getattr(writer, f"SetHeaderTypeTo{header}")()
                            (writer.SetByteOrderToBigEndian if big else writer.SetByteOrderToLittleEndian)()
                            writer.SetEncodeAppendedData(encoded)
                            writer.SetBlockSize(1024)
                            assert writer.Write() == 1
                            visco("convert", "foreign.vtp", "foreign.ply", "--quiet")
                            found = ply(Path("foreign.ply"))
                            way = f"double {double}, {mode}, {compressor}, {header}, big {big}, base64 {encoded}"
                            same(found["position"], frame["position"][::-1], way)
                            same(found["velocity"], frame["velocity"][::-1], way)
                            same(found["id"], np.arange(count), way)
                            ways += 1
    print(f"ok: VTP as VTK writes it, in {ways} ways")

    # What visco wrote, read and written again by VTK, with all that VTK adds.
    for mode in ["Ascii", "Binary", "Appended"]:
        writer = vtkXMLPolyDataWriter()
        writer.SetInputData(vtp(Path(f"pour/frames/particles_{FRAMES - 1:06}.vtp")))
        writer.SetFileName("through.vtp")
        getattr(writer, f"SetDataModeTo{mode}")()
        assert writer.Write() == 1
        visco("convert", "through.vtp", "through.ply", "--quiet")
        whole(ply(Path("through.ply")), frame, f"through VTK, {mode}")
    print("ok: VTP through VTK and back")

    plain = Path(f"pour/frames/particles_{FRAMES - 1:06}.bgeo").read_bytes()
    Path("cloud.bgeo.gz").write_bytes(gzip.compress(plain))
    visco("convert", "cloud.bgeo.gz", "cloud.ply", "--quiet")
    found = ply(Path("cloud.ply"))
    assert found["time"] == np.float32(frame["time"])
    whole(found | {"time": frame["time"]}, frame, "gzip")
    print("ok: BGEO compressed by gzip")


def large():
    """Many particles, with numbers that are hard to pack."""
    random = np.random.default_rng(1)
    count = 100_000
    frame = {
        "position": random.normal(size=(count, 3)).astype("f4"),
        "velocity": random.normal(size=(count, 3)).astype("f4"),
        "id": np.unique(random.integers(0, 1 << 32, 2 * count, dtype="u4"))[:count],
        "material": random.integers(0, 256, count, dtype="u1"),
        "density": random.normal(1000, 10, count).astype("f4"),
    }
    frame |= {"time": 0.28, "number": 7, "spacing": np.float32(0.01)}
    # Steps of every size: in one byte, in two, in four, in eight.
    frame["id"][-50:] = 0xFFFFFFFF - np.arange(50)[::-1]
    frame["id"][:50] = np.arange(50)
    write_ply(Path("large/particles_000007.ply"), frame)
    visco("convert", "large", "large", "--format", "vtp,bgeo,usd")
    check_frames(Path("large"), [frame], 25)
    for name in ["vtp", "bgeo"]:
        visco("convert", f"large/particles_000007.{name}", "large.ply", "--quiet")
        found = ply(Path("large.ply"))
        whole(found | {"time": frame["time"]}, frame, f"large, from {name}")


def whole(found, expected, what):
    """All of a frame."""
    assert found.keys() == expected.keys(), what
    for name in expected:
        same(found[name], expected[name], f"{what}: {name}")


def validators_can_find():
    """That nothing was found wrong means something only if something can be."""
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.Points.Define(stage, "/particles")
    assert validate(stage), "the validators find nothing wrong with a stage without units and default prim"


if __name__ == "__main__":
    VISCO = str(Path(sys.argv[1]).resolve())
    HERE = HERE.resolve()
    folder = Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.chdir(folder)
    packages = {"OpenUSD": "usd-core", "VTK": "vtk", "splashsurf": "pysplashsurf", "trimesh": "trimesh"}
    packages |= {"numpy": "numpy"}
    print(", ".join(f"{name} {version(package)}" for name, package in packages.items()))
    validators_can_find()
    foreign(runs())
    surfaces.check(surfaces.Tools(visco, vtp, same, validate), HERE / "pour.toml", FRAMES)
    large()
