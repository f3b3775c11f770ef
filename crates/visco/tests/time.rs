//! The time step is what the scene says.

mod common;

use common::{advance, simulation};
use visco::StepReport;

/// The steps of two frames of a falling drop.
fn steps(time: &str) -> Vec<StepReport> {
    let mut run = simulation(&format!(
        r#"
name = "drop"
spacing = 0.01
[time]
fps = 20
frames = 3
{time}
[[material]]
name = "honey"
viscosity = 10
[[fluid]]
material = "honey"
shape = {{ sphere = {{ center = [0, 1, 0], radius = 0.03 }} }}
"#
    ));
    let reports = advance(&mut run, 2);
    assert!((run.time() - 0.1).abs() < 1e-12, "two frames are a tenth of a second: {}", run.time());
    reports
}

#[test]
fn steps_per_frame_are_equal_and_counted() {
    let reports = steps("steps_per_frame = 5");
    assert_eq!(reports.len(), 10);
    assert!(reports.iter().all(|r| (r.dt - 0.01).abs() < 1e-12));
}

#[test]
fn dt_is_shortened_until_it_fills_the_frame() {
    let reports = steps("dt = 0.015");
    assert_eq!(reports.len(), 8);
    assert!(reports.iter().all(|r| (r.dt - 0.0125).abs() < 1e-12));
}

#[test]
fn cfl_follows_the_fastest_particle() {
    let reports = steps("cfl = 0.4");
    // The drop speeds up to 1 m/s: steps get shorter, and none moves it by more than 0.4 spacings.
    for r in &reports {
        assert!(r.max_speed * r.dt < 0.4 * 0.01 * 1.02, "step {}: {} m/s, {} s", r.step, r.max_speed, r.dt);
    }
    assert!(reports.last().unwrap().dt < 0.5 * reports[0].dt);
    assert!(reports.len() < 40, "{} steps", reports.len());
}

#[test]
fn a_step_that_would_jump_over_layers_is_divided() {
    let mut run = simulation(
        r#"
name = "shot"
spacing = 0.01
[time]
fps = 10
frames = 2
steps_per_frame = 1
[[material]]
name = "honey"
viscosity = 10
[[fluid]]
material = "honey"
shape = { sphere = { center = [0, 1, 0], radius = 0.03 } }
velocity = [3, 0, 0]
"#,
    );
    let reports = advance(&mut run, 1);
    assert!(reports.len() >= 10, "{} steps", reports.len());
    assert!(reports.iter().all(|r| r.max_speed * r.dt <= 3.0 * 0.01 * 1.01));
}

#[test]
fn a_step_in_which_a_wall_would_jump_over_layers_is_divided() {
    let motions = [
        ("{ velocity = [3, 0, 0] }", 10),
        // Its farthest corner is 0.17 m from its centre.
        ("{ angular_velocity = [0, 20, 0] }", 11),
        ("{ keys = [{ time = 0 }, { time = 0.05 }, { time = 0.06, translate = [0, 0.1, 0] }] }", 20),
        ("{ velocity = [0.1, 0, 0] }", 1),
    ];
    for (motion, expected) in motions {
        let mut run = simulation(&format!(
            r#"
name = "paddle"
spacing = 0.01
gravity = [0, 0, 0]
[time]
fps = 10
frames = 2
steps_per_frame = 1
[[material]]
name = "honey"
viscosity = 10
[[fluid]]
material = "honey"
shape = {{ sphere = {{ center = [0, 1, 0], radius = 0.03 }} }}
[[boundary]]
shape = {{ box = {{ min = [0.5, 0, 0], max = [0.6, 0.1, 0.3] }} }}
motion = {motion}
"#
        ));
        let steps = advance(&mut run, 1).len();
        assert!((expected..3 * expected).contains(&steps), "{motion}: {steps} steps");
    }
}
