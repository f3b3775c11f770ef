"""Brings a run of visco into Blender: its surface for every frame, materials, walls, camera and frame range.

First make the surfaces with `visco mesh OUT`. Then either

- install this file as an add-on (Edit > Preferences > Add-ons > Install) and use File > Import > visco run, or
- from a terminal: blender --python import_visco.py -- OUT [--save FILE.blend] [--render PICTURE.png [--frame N]]
  (with --background in front of --python for no window).

Surfaces are read when their frame is shown, so that a long run fits into memory. A .blend file keeps the one it shows;
with the add-on installed it goes on playing when opened again, as long as the folder of the run is where it was.
Needs Blender 3.4 or newer, and nothing else.
"""

import json
import math
import struct
import sys
from array import array
from pathlib import Path

import bpy
from bpy.app.handlers import persistent
from mathutils import Vector

bl_info = {
    "name": "visco run",
    "description": "Import the surfaces that `visco mesh` made",
    "author": "the visco developers",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > visco run",
    "category": "Import-Export",
}

FORMAT, VERSION = "visco surfaces", 1
"""What `index.json` must say of itself."""
CODES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d"}
MESHES, SHOWN = "visco_meshes", "visco_shown"
"""Custom properties of an object: its files by frame, as JSON, and the one it shows."""


class Trouble(Exception):
    """What the user should read."""


# Files


def read_index(folder):
    """What `visco mesh` says of the surfaces in a run's folder, and where they are."""
    folder = Path(folder)
    place = next((p for p in [folder / "mesh", folder] if (p / "index.json").is_file()), None)
    if place is None:
        raise Trouble(f"{folder} has no surfaces; make them with `visco mesh {folder}`")
    try:
        index = json.loads((place / "index.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise Trouble(f"{place / 'index.json'} is damaged: {error}") from error
    if not isinstance(index, dict) or (index.get("format"), index.get("version")) != (FORMAT, VERSION):
        raise Trouble(f"{place / 'index.json'} is not of this version of visco")
    if not index["frames"]:
        raise Trouble(f"{place} holds no surfaces yet")
    others = [frame["file"] for frame in index["frames"] if not frame["file"].endswith(".ply")]
    if others:
        raise Trouble(f"{place / others[0]}: only PLY is read here; make it with `visco mesh {folder} --format ply`")
    return index, place


def read_ply(path):
    """The corners of a binary PLY as columns by name, and its triangles as a flat list."""
    data = Path(path).read_bytes()
    header, mark, body = data.partition(b"end_header\n")
    lines = [line.split() for line in header.decode("ascii", "replace").splitlines()]
    if not mark or lines[:1] != [["ply"]] or ["format", "binary_little_endian", "1.0"] not in lines:
        raise Trouble(f"{path} is not a surface of visco")
    counts = {line[1]: int(line[2]) for line in lines if line[0] == "element"}
    fields = [line[1:] for line in lines if line[0] == "property" and line[1] != "list"]
    corner = struct.Struct("<" + "".join(CODES[kind] for kind, _ in fields))
    face = struct.Struct("<B3I")
    middle = corner.size * counts["vertex"]
    end = middle + face.size * counts["face"]
    if len(body) < end:
        raise Trouble(f"{path} is cut short")
    columns = list(zip(*corner.iter_unpack(body[:middle]))) or [()] * len(fields)
    triangles = [k for row in face.iter_unpack(body[middle:end]) for k in row[1:]]
    return {name: column for (_, name), column in zip(fields, columns)}, triangles


# Meshes


def upright(columns, names):
    """Vectors of visco, with y up, as Blender's, with z up: flat."""
    x, y, z = (columns[name] for name in names)
    return [value for a, b, c in zip(x, y, z) for value in (a, -c, b)]


def fill(mesh, path):
    """Gives a mesh the content of a file."""
    columns, triangles = read_ply(path)
    count, faces = len(columns["x"]), len(triangles) // 3
    mesh.clear_geometry()
    mesh.vertices.add(count)
    mesh.loops.add(3 * faces)
    mesh.polygons.add(faces)
    mesh.vertices.foreach_set("co", upright(columns, ("x", "y", "z")))
    mesh.loops.foreach_set("vertex_index", triangles)
    mesh.polygons.foreach_set("loop_start", range(0, 3 * faces, 3))
    mesh.polygons.foreach_set("loop_total", [3] * faces)
    mesh.polygons.foreach_set("use_smooth", [True] * faces)
    if "material" in columns:
        of = columns["material"]
        mesh.polygons.foreach_set("material_index", [of[k] for k in triangles[::3]])
    mesh.update(calc_edges=True)
    if count == 0:
        return
    normals = upright(columns, ("nx", "ny", "nz"))
    if hasattr(mesh, "use_auto_smooth"):
        mesh.use_auto_smooth = True
    mesh.normals_split_custom_set_from_vertices(list(zip(*[iter(normals)] * 3)))
    if "vx" in columns:
        attribute = mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
        attribute.data.foreach_set("vector", upright(columns, ("vx", "vy", "vz")))
    if "red" in columns:
        attribute = mesh.attributes.new("color", "BYTE_COLOR", "POINT")
        rgb = zip(columns["red"], columns["green"], columns["blue"])
        colors = array("f", (channel for r, g, b in rgb for channel in (r / 255, g / 255, b / 255, 1.0)))
        attribute.data.foreach_set("color_srgb" if hasattr(attribute.data[0], "color_srgb") else "color", colors)
    known = {"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz", "material", "red", "green", "blue"}
    for name in columns.keys() - known:
        mesh.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", columns[name])


def show(thing, frame):
    """Gives an object the mesh of a frame: of the last one that is there, and none before the first."""
    meshes = json.loads(thing[MESHES])
    name = next((name for number, name in reversed(meshes) if number <= frame), "")
    if name == thing.get(SHOWN):
        return
    if name:
        fill(thing.data, name)
    else:
        thing.data.clear_geometry()
    thing[SHOWN] = name


@persistent
def on_frame(scene, _=None):
    """Shows the frame that Blender has come to."""
    for thing in scene.objects:
        if MESHES in thing:
            try:
                show(thing, scene.frame_current)
            except (OSError, Trouble) as error:
                print(f"visco: {error}", file=sys.stderr)


def played(name, meshes, collection):
    """An object that has one mesh after another: pairs of frame and file."""
    thing = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    thing[MESHES] = json.dumps([(number, str(path)) for number, path in meshes])
    collection.objects.link(thing)
    return thing


# Looks


def put(node, value, *names):
    """Sets the input of a node that has one of these names: they change from version to version."""
    for name in names:
        if name in node.inputs:
            node.inputs[name].default_value = value
            return


def blank(name):
    """A new material, its tree of nodes, and the node that shades."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes = material.node_tree.nodes
    return material, material.node_tree, next(node for node in nodes if node.type == "BSDF_PRINCIPLED")


def fluid_material(look):
    """A look of visco as nodes: what is clear absorbs, and scatters, inside."""
    material, tree, shader = blank(look["name"])
    color = (*look["color"], 1.0)
    root = math.sqrt(look["reflectance"])
    put(shader, (1.0 + root) / (1.0 - root), "IOR")
    put(shader, look["roughness"], "Roughness")
    material.diffuse_color = color
    if look["opaque"]:
        put(shader, color, "Base Color")
        put(shader, 0.15, "Subsurface", "Subsurface Weight")
        put(shader, (0.004, 0.003, 0.002), "Subsurface Radius")
        put(shader, color, "Subsurface Color")
        return material
    put(shader, (1.0, 1.0, 1.0, 1.0), "Base Color")
    put(shader, 1.0, "Transmission", "Transmission Weight")
    inside = tree.nodes.new("ShaderNodeVolumeAbsorption")
    strongest = max(look["absorption"])
    if strongest > 0.0:
        inside.inputs["Density"].default_value = strongest
        inside.inputs["Color"].default_value = (*(1.0 - a / strongest for a in look["absorption"]), 1.0)
    else:
        inside.inputs["Density"].default_value = 0.0
    if look["scatter"] > 0.0:
        scatter, both = tree.nodes.new("ShaderNodeVolumeScatter"), tree.nodes.new("ShaderNodeAddShader")
        scatter.inputs["Density"].default_value = look["scatter"]
        scatter.inputs["Color"].default_value = color
        tree.links.new(inside.outputs[0], both.inputs[0])
        tree.links.new(scatter.outputs[0], both.inputs[1])
        inside = both
    out = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    tree.links.new(inside.outputs[0], out.inputs["Volume"])
    return material


def wall_material():
    """Walls have the colours of their corners."""
    material, tree, shader = blank("walls")
    color = tree.nodes.new("ShaderNodeVertexColor")
    color.layer_name = "color"
    tree.links.new(color.outputs["Color"], shader.inputs["Base Color"])
    put(shader, 0.6, "Roughness")
    return material


# The scene


def place_camera(camera, collection):
    """The camera of the pictures of `visco render`."""
    eye, target = (Vector((x, -z, y)) for x, y, z in (camera["eye"], camera["target"]))
    data = bpy.data.cameras.new("visco camera")
    data.sensor_fit, data.angle = "VERTICAL", math.radians(camera["fov"])
    distance = (target - eye).length
    data.clip_start, data.clip_end = 0.01 * distance, 1000.0 * distance
    thing = bpy.data.objects.new("visco camera", data)
    thing.location = eye
    thing.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
    collection.objects.link(thing)
    bpy.context.scene.camera = thing
    return distance


def place_ground(height, size, collection):
    """A plane where the scene has one."""
    mesh = bpy.data.meshes.new("ground")
    corners = [(-size, -size, height), (size, -size, height), (size, size, height), (-size, size, height)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    material, _, shader = blank("ground")
    put(shader, (0.6, 0.6, 0.6, 1.0), "Base Color")
    put(shader, 0.8, "Roughness")
    mesh.materials.append(material)
    collection.objects.link(bpy.data.objects.new("ground", mesh))


def place_light(collection):
    """A sun, and a sky that fills the shadows, where the file has no light yet."""
    scene = bpy.context.scene
    if any(thing.type == "LIGHT" for thing in scene.objects):
        return
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy, sun.angle = 3.0, math.radians(4.0)
    thing = bpy.data.objects.new("sun", sun)
    thing.rotation_euler = (math.radians(40.0), math.radians(15.0), math.radians(-30.0))
    collection.objects.link(thing)
    world = scene.world = scene.world or bpy.data.worlds.new("sky")
    world.use_nodes = True
    sky = world.node_tree.nodes.get("Background")
    if sky:
        sky.inputs["Color"].default_value = (0.75, 0.82, 0.9, 1.0)
        sky.inputs["Strength"].default_value = 0.7


def load(folder):
    """Imports the run of a folder into the open file and returns the object of its fluid."""
    index, place = read_index(folder)
    place = place.resolve()
    scene = bpy.context.scene
    collection = bpy.data.collections.new(f"visco {index['scene']}")
    scene.collection.children.link(collection)

    fluid = played("fluid", [(f["number"], place / f["file"]) for f in index["frames"]], collection)
    for look in index["materials"]:
        fluid.data.materials.append(fluid_material(look))
    if index["solids"]:
        walls = played("walls", [(s["number"], place / s["file"]) for s in index["solids"]], collection)
        walls.data.materials.append(wall_material())
    distance = place_camera(index["camera"], collection)
    if index.get("ground") is not None:
        place_ground(index["ground"], 20.0 * distance, collection)
    place_light(collection)

    numbers = [frame["number"] for frame in index["frames"]]
    scene.frame_start, scene.frame_end = numbers[0], numbers[-1]
    fps = max(1, round(index["fps"]))
    scene.render.fps, scene.render.fps_base = fps, fps / index["fps"]
    scene.frame_step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    scene.unit_settings.system = "METRIC"
    scene.render.engine = "CYCLES"
    listen()
    scene.frame_set(numbers[0])
    on_frame(scene)
    return fluid


def listen():
    """From now on objects follow the frame."""
    handlers = bpy.app.handlers.frame_change_pre
    for old in [handler for handler in handlers if handler.__name__ == on_frame.__name__]:
        handlers.remove(old)
    handlers.append(on_frame)


# The add-on


class VISCO_OT_import(bpy.types.Operator):
    """Import the surfaces of a visco run"""

    bl_idname = "import_scene.visco"
    bl_label = "Import visco run"
    bl_options = {"UNDO"}

    directory: bpy.props.StringProperty(subtype="DIR_PATH")

    def execute(self, _context):
        """Imports the chosen folder."""
        try:
            load(self.directory)
        except (OSError, Trouble) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def invoke(self, context, _event):
        """Asks for a folder."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}


def menu(self, _context):
    """The entry in File > Import."""
    self.layout.operator(VISCO_OT_import.bl_idname, text="visco run")


def register():
    """Called when the add-on is switched on."""
    bpy.utils.register_class(VISCO_OT_import)
    bpy.types.TOPBAR_MT_file_import.append(menu)
    listen()


def unregister():
    """Called when the add-on is switched off."""
    bpy.app.handlers.frame_change_pre.remove(on_frame)
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    bpy.utils.unregister_class(VISCO_OT_import)


# From a terminal


def main(words):
    """Imports the run of a folder into an empty file, and saves or renders it."""
    import argparse

    parser = argparse.ArgumentParser("blender --python import_visco.py --", description=__doc__.splitlines()[0])
    parser.add_argument("run", help="the folder of a run, after `visco mesh`")
    parser.add_argument("--save", type=Path, metavar="FILE.blend", help="save the file there")
    parser.add_argument("--render", type=Path, metavar="PICTURE.png", help="render a frame there")
    parser.add_argument("--frame", type=int, help="the frame to render and to show; the last one by default")
    parser.add_argument("--samples", type=int, default=64, help="samples a pixel of the render")
    parser.add_argument("--size", default="1280x720", help="width and height of the render")
    args = parser.parse_args(words)
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    try:
        load(args.run)
    except (OSError, Trouble) as error:
        sys.exit(f"error: {error}")
    scene = bpy.context.scene
    scene.frame_set(scene.frame_end if args.frame is None else args.frame)
    scene.cycles.samples = args.samples
    scene.render.resolution_x, scene.render.resolution_y = map(int, args.size.split("x"))
    if args.save:
        bpy.ops.wm.save_as_mainfile(filepath=str(args.save.resolve()))
    if args.render:
        scene.render.filepath = str(args.render.resolve())
        render(scene)


def render(scene):
    """Renders the frame; without the denoiser where Blender was built without one, as Debian's is."""
    try:
        bpy.ops.render.render(write_still=True)
    except RuntimeError as error:
        if "Denois" not in str(error):
            raise
        scene.cycles.use_denoising = False
        bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    if "--" in sys.argv:
        main(sys.argv[sys.argv.index("--") + 1 :])
    else:
        register()
