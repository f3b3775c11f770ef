//! What goes wrong is found and named.

mod common;

use common::try_advance;
use visco::{Scene, Simulation, StepError};

fn scene(solver: &str, rest: &str) -> Scene {
    let text = format!(
        r#"
name = "trouble"
spacing = 0.1
[time]
fps = 30
frames = 200
steps_per_frame = 1
[solver]
{solver}
[[material]]
name = "water"
viscosity = 0.001
[[fluid]]
material = "water"
shape = {{ box = {{ min = [0, 0.5, 0], max = [0.8, 1.3, 0.8] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
{rest}
"#
    );
    Scene::from_toml(&text).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_runaway_particle_stops_the_run_and_is_named() {
    // The density constraint as an equality is known to blow up at a free surface.
    let mut run = Simulation::new(&scene("density = \"equality\"\nposition_iterations = 40", "")).unwrap();
    let error = try_advance(&mut run, 199).expect_err("an unstable method");
    let text = error.to_string();
    match error {
        StepError::Runaway { step, id, position, speed, explained, .. } => {
            assert!(step > 0 && id < 512 && position.iter().all(|x| x.is_finite()));
            assert!(speed > 10.0 * explained);
            assert!(
                text.contains(&format!("particle {id}")) && text.contains(&format!("step {step}")),
                "{text}"
            );
        }
        StepError::NonFinite { step, id, .. } => {
            assert!(
                text.contains(&format!("particle {id}")) && text.contains(&format!("step {step}")),
                "{text}"
            );
        }
    }
}

fn problems(rest: &str) -> String {
    Simulation::new(&scene("", rest)).map(|_| ()).expect_err("volumes overlap").to_string()
}

#[test]
fn overlapping_volumes_are_refused() {
    let text = problems(
        r#"[[fluid]]
material = "water"
shape = { sphere = { center = [0.8, 1.0, 0.4], radius = 0.3 } }"#,
    );
    assert!(text.contains("fluid[1].shape") && text.contains("overlaps fluid[0]"), "{text}");
}

#[test]
fn fluid_inside_a_wall_is_refused() {
    let text = problems(
        r#"[[boundary]]
shape = { box = { min = [0.5, 0, 0.5], max = [1, 1, 1] } }"#,
    );
    assert!(text.contains("fluid[0].shape") && text.contains("boundary[1]"), "{text}");
    let text = problems(
        r#"[[boundary]]
side = "inside"
shape = { sphere = { center = [0.4, 0.9, 0.4], radius = 0.5 } }"#,
    );
    assert!(text.contains("fluid[0].shape") && text.contains("boundary[1]"), "{text}");
}

#[test]
fn a_nozzle_inside_a_wall_is_refused() {
    let text = problems(
        r#"[[emitter]]
material = "water"
nozzle = { disc = { radius = 0.1 } }
position = [0, -1, 0]
direction = [0, -1, 0]
speed = 1"#,
    );
    assert!(text.contains("emitter[0].position") && text.contains("boundary[0]"), "{text}");
}

#[test]
fn volumes_that_touch_are_fine() {
    let rest = r#"[[fluid]]
material = "water"
shape = { box = { min = [0.8, 0.5, 0], max = [1.2, 1.3, 0.8] } }
[[boundary]]
side = "inside"
shape = { box = { min = [0, 0, 0], max = [1.2, 2, 0.8] } }"#;
    assert_eq!(Simulation::new(&scene("", rest)).unwrap().particle_count(), 512 + 256);
}
