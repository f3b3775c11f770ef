"""Opens surfaces that visco wrote: PLY and OBJ with VTK and trimesh, VTP with VTK, USD with OpenUSD.

The PLY surface, read here by hand, is what all others are compared with, bit for bit.
"""

from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np
import trimesh
from pxr import Sdf, Usd, UsdGeom
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOGeometry import vtkOBJReader
from vtkmodules.vtkIOPLY import vtkPLYReader

FPS = 25


class Tools(NamedTuple):
    """What this check shares with that of frames."""

    visco: Callable
    vtp: Callable
    same: Callable
    validate: Callable


def ply(path):
    """A PLY surface as a dictionary of arrays."""
    data = path.read_bytes()
    header, body = data.split(b"end_header\n", 1)
    lines = [line.split() for line in header.decode().splitlines()]
    counts = {line[1]: int(line[2]) for line in lines if line[0] == "element"}
    kinds = {"float": "<f4", "uchar": "u1"}
    kind = np.dtype([(line[2], kinds[line[1]]) for line in lines if line[0] == "property" and line[1] != "list"])
    rows = np.frombuffer(body, kind, counts["vertex"])
    faces = np.dtype([("count", "u1"), ("corners", "<u4", 3)])
    triangles = np.frombuffer(body, faces, counts["face"], rows.nbytes)
    assert len(body) == rows.nbytes + triangles.nbytes and (triangles["count"] == 3).all()
    said = {line[1]: float(line[2]) for line in lines if line[0] == "comment" and len(line) == 3}

    def together(names):
        return np.stack([rows[name] for name in names], axis=-1)

    vectors = {"position": "x y z", "normal": "nx ny nz", "velocity": "vx vy vz"}
    surface = {name: together(columns.split()) for name, columns in vectors.items()}
    surface |= {name: rows[name] for name in ["material", "density", "stretch"]}
    return surface | {"triangles": triangles["corners"], "time": said["time"], "number": int(said["frame"])}


def polygons(data):
    """The triangles of VTK's data."""
    if data.GetNumberOfPolys() == 0:
        return np.zeros((0, 3), "i8")
    assert data.GetPolys().IsHomogeneous() == 3
    return vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)


def check_vtk(tools, path, surface):
    """PLY, OBJ and VTP by VTK."""
    if path.suffix == ".vtp":
        data = tools.vtp(path)
    else:
        reader = vtkPLYReader() if path.suffix == ".ply" else vtkOBJReader()
        reader.SetFileName(str(path))
        reader.Update()
        data = reader.GetOutput()
    assert data.GetNumberOfPoints() == len(surface["position"]), path
    tools.same(polygons(data), surface["triangles"], f"{path}: triangles")
    if data.GetNumberOfPoints() == 0:
        return
    tools.same(vtk_to_numpy(data.GetPoints().GetData()), surface["position"], f"{path}: positions")
    if path.suffix != ".ply":
        tools.same(vtk_to_numpy(data.GetPointData().GetNormals()), surface["normal"], f"{path}: normals")
    if path.suffix == ".vtp":
        for name in ["velocity", "material", "density", "stretch"]:
            tools.same(vtk_to_numpy(data.GetPointData().GetArray(name)), surface[name], f"{path}: {name}")
        assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == surface["time"]
        assert data.GetFieldData().GetArray("frame").GetValue(0) == surface["number"]


def check_trimesh(tools, path, surface):
    """PLY and OBJ by trimesh, which also tells whether they are closed and turned outward."""
    if len(surface["position"]) == 0:
        return
    mesh = trimesh.load(path, process=False, maintain_order=True)
    tools.same(mesh.faces, surface["triangles"], f"{path}: triangles")
    tools.same(mesh.vertices, surface["position"], f"{path}: positions")
    tools.same(mesh.vertex_normals, surface["normal"], f"{path}: normals")
    assert mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0, path


def check_usd(tools, stage, surface, what):
    """The surface of a stage at the time code of a frame."""
    code = surface["number"]
    mesh = UsdGeom.Mesh(stage.GetDefaultPrim())
    assert mesh and stage.GetDefaultPrim().GetTypeName() == "Mesh", what
    tools.same(mesh.GetPointsAttr().Get(code), surface["position"], f"{what}: points")
    tools.same(mesh.GetNormalsAttr().Get(code), surface["normal"], f"{what}: normals")
    tools.same(mesh.GetVelocitiesAttr().Get(code), surface["velocity"], f"{what}: velocities")
    counts = np.asarray(mesh.GetFaceVertexCountsAttr().Get(code))
    assert len(counts) == len(surface["triangles"]) and (counts == 3).all(), what
    corners = np.asarray(mesh.GetFaceVertexIndicesAttr().Get(code)).reshape(-1, 3)
    tools.same(corners, surface["triangles"], f"{what}: triangles")
    assert mesh.GetNormalsInterpolation() == "vertex" and mesh.GetSubdivisionSchemeAttr().Get() == "none"
    primvars = UsdGeom.PrimvarsAPI(mesh)
    for name in ["material", "density", "stretch"]:
        primvar = primvars.GetPrimvar(name)
        assert primvar.GetInterpolation() == "vertex", f"{what}: {name}"
        tools.same(primvar.ComputeFlattened(code) or [], surface[name], f"{what}: {name}")
    if len(counts):
        expected = UsdGeom.Boundable.ComputeExtentFromPlugins(mesh, Usd.TimeCode(code))
        assert np.allclose(mesh.GetExtentAttr().Get(code), expected, rtol=0, atol=1e-7), f"{what}: extent"
        assert UsdGeom.Mesh.ValidateTopology(
            mesh.GetFaceVertexIndicesAttr().Get(code), mesh.GetFaceVertexCountsAttr().Get(code), len(surface["position"])
        )[0], what
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Y"


def check(tools, scene, frames):
    """The surfaces of a run in all formats: the first has no particles."""
    tools.visco("run", scene, "-o", "meshed", "--quiet")
    tools.visco("mesh", "meshed", "--format", "ply,obj,vtp,usd", "--quiet")
    folder = Path("meshed/mesh")
    surfaces = [ply(folder / f"surface_{n:06}.ply") for n in range(frames)]
    assert len(surfaces[0]["position"]) == 0 and len(surfaces[-1]["position"]) > 100
    assert set(surfaces[-1]["material"]) == {0, 1}
    for surface in surfaces:
        stem = folder / f"surface_{surface['number']:06}"
        for suffix in [".ply", ".obj", ".vtp"]:
            check_vtk(tools, stem.with_suffix(suffix), surface)
        for suffix in [".ply", ".obj"]:
            check_trimesh(tools, stem.with_suffix(suffix), surface)
        layer = stem.with_suffix(".usdc")
        check_usd(tools, Usd.Stage.Open(str(layer)), surface, str(stem))
        assert tools.validate(Usd.Stage.Open(str(layer))) == [], tools.validate(Usd.Stage.Open(str(layer)))
        assert Sdf.Layer.FindOrOpen(str(layer)).ExportToString()

    stage = Usd.Stage.Open(str(folder / "surface.usda"))
    codes = [surface["number"] for surface in surfaces]
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (codes[0], codes[-1])
    assert stage.GetTimeCodesPerSecond() == FPS
    mesh = UsdGeom.Mesh(stage.GetDefaultPrim())
    assert mesh.GetPointsAttr().GetTimeSamples() == codes
    assert mesh.GetFaceVertexIndicesAttr().GetTimeSamples() == codes
    for surface in surfaces:
        check_usd(tools, stage, surface, f"surface.usda at {surface['number']}")
    assert tools.validate(stage) == [], tools.validate(stage)
    listed = [line for line in (folder / "surfaces.pvd").read_text().splitlines() if "<DataSet" in line]
    assert len(listed) == len(surfaces)
    triangles = ", ".join(str(len(surface["triangles"])) for surface in surfaces)
    print(f"ok: surfaces of {triangles} triangles as PLY, OBJ, VTP and USD")
