"""Brings a run into Blender with `blender/import_visco.py` and looks at what came.

Usage: blender --background --factory-startup --python-exit-code 1 --python check.py -- SCRIPT RUN
SCRIPT is the importer, RUN the folder of a run of `pour.toml` after `visco mesh`.
"""

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

SCRIPT, RUN = map(Path, sys.argv[sys.argv.index("--") + 1 :])
spec = importlib.util.spec_from_file_location("import_visco", SCRIPT)
visco = importlib.util.module_from_spec(spec)
spec.loader.exec_module(visco)
INDEX = json.loads((RUN / "mesh/index.json").read_text())


def refused(folder, *words):
    """The importer says what is wrong with a folder."""
    try:
        visco.load(folder)
    except visco.Trouble as error:
        assert all(word in str(error) for word in words), error
        return
    raise AssertionError(f"{folder} was taken")


def heights(thing):
    """Lowest and highest corner of an object."""
    z = [vertex.co.z for vertex in thing.data.vertices]
    return min(z), max(z)


def empty():
    """An empty file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)


# The surface of every frame, corner by corner.
empty()
visco.register()
assert bpy.ops.import_scene.visco(directory=str(RUN)) == {"FINISHED"}
scene = bpy.context.scene
fluid, walls = scene.objects["fluid"], scene.objects["walls"]
assert [frame["vertices"] > 0 for frame in INDEX["frames"]] == [False] + 6 * [True], INDEX["frames"]
for frame in reversed(INDEX["frames"]):
    scene.frame_set(frame["number"])
    mesh = fluid.data
    assert (len(mesh.vertices), len(mesh.polygons)) == (frame["vertices"], frame["triangles"]), frame
    columns, _ = visco.read_ply(RUN / "mesh" / frame["file"])
    for vertex, x, y, z in zip(mesh.vertices, columns["x"], columns["y"], columns["z"]):
        assert vertex.co == Vector((x, -z, y)), (frame, vertex.index)
    assert not mesh.validate(verbose=True), frame
    time = frame["number"] * scene.render.fps_base / scene.render.fps
    assert abs(time - frame["time"]) < 1e-6, frame
print("ok: the corners, triangles and times of every frame")

# Materials, smooth normals, velocities.
scene.frame_set(6)
mesh = fluid.data
assert [slot.name for slot in mesh.materials] == ["honey", "cream"]
of = {polygon.material_index: polygon for polygon in mesh.polygons}
left, right = (sum((mesh.vertices[k].co for k in of[m].vertices), Vector()) / 3 for m in (0, 1))
assert left.x < 0.06 < right.x, (left, right)
mesh.calc_normals_split()
columns, triangles = visco.read_ply(RUN / "mesh" / INDEX["frames"][6]["file"])
for loop, k in zip(mesh.loops, triangles):
    normal = Vector((columns["nx"][k], -columns["nz"][k], columns["ny"][k]))
    assert loop.normal.dot(normal) > 0.999, loop.index
falls = min(value.vector.z for value in mesh.attributes["velocity"].data)
assert -3.0 < falls < -0.6, falls
honey, cream = mesh.materials
transmission = [m.node_tree.nodes["Principled BSDF"].inputs["Transmission"].default_value for m in (honey, cream)]
assert transmission == [1.0, 0.0], transmission
absorption = honey.node_tree.nodes["Volume Absorption"].inputs
per_metre = [absorption["Density"].default_value * (1.0 - c) for c in absorption["Color"].default_value[:3]]
assert all(abs(a - b) < 1e-3 * b for a, b in zip(per_metre, INDEX["materials"][0]["absorption"])), per_metre
print("ok: materials, normals and velocities")

# Camera, frame range, what moves and what stands.
assert (scene.frame_start, scene.frame_end, scene.render.fps, scene.render.fps_base) == (0, 6, 24, 1.0)
x, y, z = INDEX["camera"]["target"]
seen = world_to_camera_view(scene, scene.camera, Vector((x, -z, y)))
assert abs(seen.x - 0.5) < 1e-4 and abs(seen.y - 0.5) < 1e-4 and seen.z > 0, seen
for frame in (0, 6):
    scene.frame_set(frame)
    low, high = heights(walls)
    rise = 0.24 * frame / 24
    assert abs(low - 0.1 - rise) < 1e-5 and abs(high - 0.2 - rise) < 1e-5, (frame, low, high)
assert heights(scene.objects["ground"]) == (0.0, 0.0)
print("ok: camera, frame range, walls and ground")

# A file that is saved goes on playing when it is opened again.
scene.frame_set(2)
bpy.ops.wm.save_as_mainfile(filepath=str(RUN / "saved.blend"))
empty()
bpy.ops.wm.open_mainfile(filepath=str(RUN / "saved.blend"))
scene = bpy.context.scene
for number in (2, 5, 0):
    scene.frame_set(number)
    assert len(scene.objects["fluid"].data.vertices) == INDEX["frames"][number]["vertices"], number
print("ok: saved and opened again")

# A picture: honey lets light through and keeps its blue, cream is bright and has no colour.
scene.frame_set(6)
scene.render.resolution_x, scene.render.resolution_y, scene.cycles.samples = 160, 90, 16
scene.render.filepath = str(RUN / "blender.png")
visco.render(scene)
picture = bpy.data.images.load(scene.render.filepath)
pixels = list(zip(*[iter(picture.pixels[:])] * 4))


def around(x, y, z):
    """Mean colour about a point of the scene."""
    at = world_to_camera_view(scene, scene.camera, Vector((x, -z, y)))
    i, j = int(at.x * 160), int(at.y * 90)
    near = [pixels[160 * (j + dj) + i + di] for dj in range(-2, 3) for di in range(-1, 2)]
    return [sum(pixel[c] for pixel in near) / len(near) for c in range(3)]


r, g, b = around(0.0, 0.1, 0.0)
assert r > 1.5 * b and r > 0.15, (r, g, b)
r, g, b = around(0.12, 0.1, 0.0)
assert r > 0.35 and abs(r - b) < 0.25 * r, (r, g, b)
print("ok: a picture by Cycles")

# Trouble is told.
refused(RUN / "nowhere", "visco mesh")
damaged = RUN.with_name("damaged")
shutil.rmtree(damaged, ignore_errors=True)
shutil.copytree(RUN / "mesh", damaged)
last = damaged / INDEX["frames"][0]["file"]
last.write_bytes((RUN / "mesh" / INDEX["frames"][6]["file"]).read_bytes()[:-7])
try:
    visco.fill(bpy.data.meshes.new("damaged"), last)
    raise AssertionError("a file that is cut short was taken")
except visco.Trouble as error:
    assert "cut short" in str(error), error
(damaged / "index.json").write_text("{ not JSON")
refused(damaged, "index.json", "damaged")
(damaged / "index.json").write_text(json.dumps(INDEX | {"version": 99}))
refused(damaged, "index.json", "version")
visco.unregister()
print("ok: what cannot be read is named")
print(f"all of it with Blender {bpy.app.version_string}")
