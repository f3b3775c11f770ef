//! Whole scenes through the reader: what is refused and in which words, overrides, round trips.

mod bad_input;
mod bodies;
mod changes;
mod methods;
mod mutations;
mod notes;
mod replaced;

use super::{Method, Override, Scene, SceneError, Solver};
use crate::methods::dcpbd;

/// A scene with a part of every kind.
const SCENE: &str = r#"name = "test"
spacing = 0.1

[time]
frames = 10
steps_per_frame = 4

[solver]
tolerance = 1e-3

[[material]]
name = "honey"
viscosity = 10

[[material]]
name = "jelly"
shear_modulus = 1e4
relaxation_time = 2

[[fluid]]
material = "honey"
shape = { box = { min = [0, 0, 0], max = [1, 1, 1] } }
rotate = { axis = [0, 1, 0], degrees = 30 }

[[emitter]]
material = "jelly"
nozzle = { disc = { radius = 0.2 } }
position = [0, 3, 0]
direction = [0, -1, 0]
speed = 0.5
active = [[0, 1], [2, 3]]

[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
side = "outside"
friction = 0.5

[camera]
position = [0, 1, 5]
target = [0, 0, 0]

[variant.small]
spacing = 0.2
time.frames = 5
"#;

fn overrides(texts: &[&str]) -> Vec<Override> {
    let parse = |text: &&str| Override::parse(text).expect("an override");
    texts.iter().map(parse).collect()
}

fn read_with(text: &str, sets: &[&str]) -> Result<Scene, SceneError> {
    Scene::from_toml_with(text, &overrides(sets))
}

/// The error of a scene that must not pass.
fn error_of(text: &str, sets: &[&str]) -> SceneError {
    match read_with(text, sets) {
        Ok(_) => panic!("passed the check, with {sets:?}:\n{text}"),
        Err(error) => error,
    }
}

#[test]
fn a_scene_with_every_part_passes_and_round_trips() {
    let scene = Scene::from_toml(SCENE).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scene.time.fps, 30.0, "defaults are filled in");
    assert_eq!(scene.material[0].viscosity, Some(10.0), "an integer is a number");
    let text = scene.to_toml();
    assert_eq!(Scene::from_toml(&text).as_ref(), Ok(&scene), "{text}");
    assert!(text.contains("tolerance = 0.001\n"), "floats are short:\n{text}");
    assert!(text.contains("seed = 1\n"), "defaults are written:\n{text}");
    assert_eq!(scene.check(), Ok(()));
}

#[test]
fn a_rigid_material_survives_the_round_trip() {
    let scene = read_with(SCENE, &["material.honey.viscosity=inf"]).expect("valid");
    assert_eq!(scene.material[0].viscosity, Some(f64::INFINITY));
    assert_eq!(Scene::from_toml(&scene.to_toml()), Ok(scene));
}

#[test]
fn a_scene_changed_by_code_is_checked() {
    let mut scene = Scene::from_toml(SCENE).expect("valid");
    scene.method = Method::Dcpbd;
    let with = |params: dcpbd::Params| Solver::Dcpbd(params);
    scene.solver = with(dcpbd::Params { tolerance: 5.0, ..Default::default() });
    scene.fluid[0].velocity[1] = f64::NAN;
    let error = scene.check().expect_err("two problems");
    let fields: Vec<&str> = error.problems.iter().map(|p| p.field.as_str()).collect();
    assert_eq!(fields, ["solver.tolerance", "fluid[0].velocity[1]"]);
    // The smallest values that are allowed are not exact in f32.
    scene = Scene { method: Method::Dcpbd, ..Scene::from_toml(SCENE).expect("valid") };
    scene.solver = with(dcpbd::Params { tolerance: 1e-12, chebyshev_radius: 0.99999, ..Default::default() });
    assert_eq!(scene.check(), Ok(()));
}
