//! A simulation that is stored and continued gives the same bits as one that is not.

mod common;

use common::advance;
use std::ops::ControlFlow;
use visco::mesh::{Assets, Made};
use visco::scene::Method;
use visco::{Changes, Checkpoint, CheckpointError, Scene, Simulation};

/// A polymer with a nozzle that opens and closes, friction and an obstacle.
const POURED: &str = r#"
name = "poured"
spacing = 0.01
time = { fps = 60, frames = 20, steps_per_frame = 2 }
material = [{ name = "slime", viscosity = 20, relaxation_time = 0.1 }, { name = "honey", viscosity = 10 }]
[[fluid]]
material = "slime"
shape = { box = { min = [-0.04, 0.05, -0.04], max = [0.04, 0.11, 0.04] } }
jitter = 0.1
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
friction = 0.3
[[boundary]]
shape = { sphere = { center = [0, 0, 0], radius = 0.04 } }
[[emitter]]
material = "honey"
nozzle = { disc = { radius = 0.02 } }
position = [0, 0.2, 0]
direction = [0, -1, 0]
speed = 0.5
active = [[0.0, 0.07], [0.12, 0.5]]
"#;

/// A periodic layer between plates, one of which oscillates in intervals; time by CFL.
const SHEARED: &str = r#"
name = "sheared"
spacing = 0.01
gravity = [0, 0, 0]
time = { fps = 50, frames = 20, cfl = 0.2 }
periodic = { axes = ["x", "z"], min = [0, 0, 0], max = [0.08, 1, 0.06] }
material = [{ name = "slime", viscosity = 20, relaxation_time = 0.1, solvent_viscosity = 2 }]
fluid = [{ material = "slime", shape = { box = { min = [0, 0, 0], max = [0.08, 0.06, 0.06] } }, packing = "relaxed" }]
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
friction = "no_slip"
[[boundary]]
shape = { plane = { point = [0, 0.06, 0], normal = [0, -1, 0] } }
friction = "no_slip"
velocity = [0.2, 0, 0]
frequency = 3
active = [[0.0, 0.11], [0.2, 9.0]]
"#;

/// A bar with surface tension that is stretched between grips, and let go on one side.
const STRETCHED: &str = r#"
name = "stretched"
spacing = 0.005
gravity = [0, -1, 0]
time = { fps = 100, frames = 20, steps_per_frame = 1 }
material = [{ name = "gum", viscosity = 5, relaxation_time = 0.05, surface_tension = 0.05 }]
fluid = [{ material = "gum", shape = { box = { min = [0, 0, 0], max = [0.08, 0.025, 0.025] } } }]
[[grip]]
shape = { box = { min = [-0.001, -0.001, -0.001], max = [0.012, 0.03, 0.03] } }
velocity = [-0.05, 0, 0]
hold = "along"
[[grip]]
shape = { box = { min = [0.068, -0.001, -0.001], max = [0.09, 0.03, 0.03] } }
velocity = [0.05, 0, 0]
release = 0.05
"#;

/// A box that tips, a star nozzle that turns, a material that melts.
const MOVED: &str = r#"
name = "moved"
spacing = 0.01
time = { fps = 60, frames = 20, steps_per_frame = 2 }
[[material]]
name = "cream"
viscosity = 50
relaxation_time = 0.1
keys = [{ time = 0.05, viscosity = 50 }, { time = 0.15, viscosity = 5 }]
[[fluid]]
material = "cream"
shape = { box = { min = [-0.04, -0.04, -0.04], max = [0.04, 0.02, 0.04] } }
[[boundary]]
shape = { box = { min = [-0.05, -0.05, -0.05], max = [0.05, 0.15, 0.05] } }
side = "inside"
motion = { keys = [{ time = 0.02 }, { time = 0.2, rotate = { axis = [0, 0, 1], degrees = 60 } }] }
[[emitter]]
material = "cream"
nozzle = { star = { points = 5, outer_radius = 0.025, inner_radius = 0.012 } }
position = [0, 0.09, 0]
direction = [0, -1, 0]
speed = 0.4
motion = { angular_velocity = [0, 3, 0] }
"#;

/// A bowl that tips and a hand of a file that stirs.
const STIRRED: &str = r#"
name = "stirred"
spacing = 0.01
time = { fps = 60, frames = 20, steps_per_frame = 2 }
material = [{ name = "batter", viscosity = 2 }]
[[fluid]]
material = "batter"
shape = { cylinder = { start = [0, -0.02, 0], end = [0, 0.03, 0], radius = 0.05 } }
[[boundary]]
shape = { mesh = { made = "bowl", size = 0.24, center = [0, 0, 0] } }
motion = { keys = [{ time = 0.02 }, { time = 0.2, rotate = { axis = [0, 0, 1], degrees = 60 } }] }
[[boundary]]
shape = { mesh = { path = "models/hand.stl", size = 0.1, center = [0, 0.13, 0] } }
rotate = { axis = [1, 0, 0], degrees = 180 }
motion = { keys = [{ time = 0 }, { time = 0.15, translate = [0, -0.06, 0] }] }
"#;

/// Slime that hits a free block and drags it along the floor, with a ball on top.
const PUSHED: &str = r#"
name = "pushed"
spacing = 0.01
time = { fps = 60, frames = 20, steps_per_frame = 2 }
material = [{ name = "slime", viscosity = 5, relaxation_time = 0.1, connections = { correction = 0.004 } }]
[[fluid]]
material = "slime"
velocity = [1, 0, 0]
shape = { box = { min = [-0.08, 0, -0.03], max = [-0.01, 0.06, 0.03] } }
[[body]]
shape = { box = { min = [0, 0, -0.03], max = [0.05, 0.05, 0.03] } }
density = 700
angular_velocity = [0, 1, 0]
[[body]]
shape = { sphere = { center = [-0.05, 0.085, 0], radius = 0.025 } }
density = 400
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
friction = 0.3
"#;

fn names() -> impl Iterator<Item = &'static str> {
    Method::ALL.into_iter().map(Method::name)
}

fn build(method: &str, scene: &str) -> Simulation {
    build_with(method, scene, Made::Hand)
}

/// With what the files of the scene hold.
fn build_with(method: &str, scene: &str, content: Made) -> Simulation {
    let text = format!("method = \"{method}\"\n{scene}");
    let mut scene = Scene::from_toml(&text).unwrap_or_else(|e| panic!("{e}"));
    let mut assets = Assets::new();
    for file in scene.mesh_files() {
        assets.insert(file.path.as_str(), (*content.mesh("")).clone());
    }
    Simulation::with_assets(&scene, &assets).unwrap_or_else(|e| panic!("{e}"))
}

fn stored(run: &Simulation) -> Vec<u8> {
    let mut bytes = Vec::new();
    run.checkpoint().write(&mut bytes).unwrap();
    bytes
}

fn restore(run: &mut Simulation, bytes: &[u8], changes: Changes) -> Result<(), CheckpointError> {
    run.restore(&Checkpoint::read(bytes)?, changes)
}

/// Compares ten frames, with a new simulation from a checkpoint after every second of them.
fn continues(method: &str, scene: &str) {
    let mut whole = build(method, scene);
    let mut parts = build(method, scene);
    for k in 0..10 {
        if k % 2 == 0 {
            let bytes = stored(&parts);
            parts = build(method, scene);
            restore(&mut parts, &bytes, Changes::Refused).unwrap();
            assert_eq!(stored(&parts), bytes, "{method}, frame {k}");
        }
        let (a, b) = (advance(&mut whole, 1), advance(&mut parts, 1));
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(&b) {
            // All columns but the four that are seconds of the clock.
            assert_eq!(a.row()[..18], b.row()[..18], "{method}, frame {k}");
        }
        assert_eq!(whole.frame().hash(), parts.frame().hash(), "{method}, frame {k}");
        assert_eq!(whole.stresses(), parts.stresses());
        assert_eq!(whole.pressures(), parts.pressures());
        for (a, b) in whole.world().boundary.walls.iter().zip(&parts.world().boundary.walls) {
            assert_eq!((a.velocity, a.motion), (b.velocity, b.motion));
        }
        for (a, b) in whole.world().bodies.iter().zip(&parts.world().bodies) {
            assert_eq!(format!("{:?}", a.pose), format!("{:?}", b.pose), "{method}, frame {k}");
        }
    }
}

#[test]
fn pouring_continues() {
    names().for_each(|method| continues(method, POURED));
}

#[test]
fn shearing_continues() {
    names().for_each(|method| continues(method, SHEARED));
}

#[test]
fn stretching_continues() {
    names().for_each(|method| continues(method, STRETCHED));
}

#[test]
fn walls_and_nozzles_that_move_and_materials_that_change() {
    names().for_each(|method| continues(method, MOVED));
}

#[test]
fn meshes_that_move_continue() {
    names().for_each(|method| continues(method, STIRRED));
}

#[test]
fn bodies_that_fluid_pushes_continue() {
    names().for_each(|method| continues(method, PUSHED));
}

#[test]
fn a_mesh_file_counts_by_its_content() {
    let mut run = build("coupled", STIRRED);
    advance(&mut run, 1);
    let bytes = stored(&run);
    let elsewhere = STIRRED.replace("models/hand.stl", "other/paddle.obj");
    assert!(restore(&mut build("coupled", &elsewhere), &bytes, Changes::Refused).is_ok());
    // The scene's model in its place, with the same content.
    let model =
        format!("model = \"hand.ply\"\n{}", STIRRED.replace("models/hand.stl\"", "hand.obj\", model = true"));
    let told = restore(&mut build("coupled", &model), &bytes, Changes::Refused).unwrap_err().to_string();
    assert_eq!(told, "is of another scene: boundary[1].shape.mesh.model was absent, is now true");

    let mut other = build_with("coupled", &elsewhere, Made::Torus);
    let told = restore(&mut other, &bytes, Changes::Refused).unwrap_err().to_string();
    let start = "is of another scene: boundary[1].shape.mesh.path was { checksum = ";
    assert!(told.starts_with(start), "{told}");
    for name in ["hand.stl", "paddle.obj"] {
        assert!(told.contains(&format!("file = {name:?}")), "{told}");
    }
    assert!(restore(&mut other, &bytes, Changes::Allowed).is_ok());
}

#[test]
fn multipliers_of_a_rigid_material_continue() {
    let scene = POURED.replace("viscosity = 10 ", "viscosity = inf ");
    assert_ne!(scene, POURED);
    continues("dcpbd", &scene);
    continues("dcpbd", &format!("solver = {{ velocity_solver = \"chebyshev\" }}\n{POURED}"));
}

#[test]
fn a_frame_under_way_continues() {
    for method in names() {
        let mut whole = build(method, POURED);
        advance(&mut whole, 3);
        let mut parts = whole.clone();
        assert!(!parts.advance_frame(|_| ControlFlow::Break(())).unwrap(), "the frame has more steps");
        let bytes = stored(&parts);
        let mut parts = build(method, POURED);
        restore(&mut parts, &bytes, Changes::Refused).unwrap();
        assert_eq!(advance(&mut parts, 1).len() + 1, advance(&mut whole, 1).len());
        assert_eq!(whole.frame().hash(), parts.frame().hash());
    }
}

#[test]
fn another_scene_is_refused_unless_changes_are_allowed() {
    let mut run = build("coupled", POURED);
    advance(&mut run, 2);
    let bytes = stored(&run);
    let into = |scene: &str, changes| restore(&mut build("coupled", scene), &bytes, changes);

    let more_frames = POURED.replace("frames = 20", "frames = 99").replace("\"poured\"", "\"other\"");
    assert!(into(&more_frames, Changes::Refused).is_ok());

    let thinner = POURED.replace("viscosity = 20", "viscosity = 2").replace("fps = 60, ", "fps = 60.0, ");
    let refused = into(&thinner, Changes::Refused).unwrap_err().to_string();
    assert_eq!(refused, "is of another scene: material[0].viscosity was 20, is now 2");
    assert!(into(&thinner, Changes::Allowed).is_ok());

    let faster = POURED.replace("fps = 60", "fps = 30");
    let refused = into(&faster, Changes::Allowed).unwrap_err().to_string();
    assert_eq!(refused, "is of another scene: time.fps was 60, is now 30");
    let mut other = build("dcpbd", POURED);
    let before = other.frame().hash();
    let refused = restore(&mut other, &bytes, Changes::Allowed).unwrap_err().to_string();
    assert!(refused.contains("method was \"coupled\", is now \"dcpbd\""), "{refused}");
    assert_eq!(other.frame().hash(), before, "a refusal changes nothing");

    // What is not in the scene any more cannot be held or poured.
    let dry = POURED.split("[[emitter]]").next().unwrap();
    let refused = into(dry, Changes::Allowed).unwrap_err().to_string();
    assert!(refused.starts_with("is damaged: ") && refused.contains("nozzle"), "{refused}");
}

#[test]
fn what_is_no_whole_checkpoint_is_told() {
    let mut run = build("coupled", POURED);
    advance(&mut run, 1);
    let bytes = stored(&run);
    let told = |bytes: &[u8]| Checkpoint::read(bytes).unwrap_err().to_string();
    assert_eq!(told(b""), "is not a checkpoint of visco");
    assert_eq!(told(b"ply\nformat binary_little_endian 1.0\n"), "is not a checkpoint of visco");
    for length in [12, 19, 30, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(told(&bytes[..length]), "is cut off: its end is missing", "{length} bytes");
    }
    let mut newer = bytes.clone();
    newer[8] = 200;
    assert_eq!(told(&newer), "has format 200; this version of visco reads format 4");
    for at in [25, bytes.len() - 9] {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        assert!(told(&flipped).starts_with("is damaged: "), "byte {at}");
    }
    assert!(told(&[&bytes[..], b"x"].concat()).starts_with("is damaged: "));
}
