//! A soft body that hits something within one long step is not turned inside out.

mod common;

use common::{advance, simulation};
use visco::glam::Vec3;

/// A plate of 12 × 3 × 12 particles that falls on an edge of thick cream at two spacings a step.
const SCENE: &str = r#"
name = "impact"
method = "coupled"
spacing = 0.01
time = { fps = 50, frames = 100, steps_per_frame = 1 }
material = [{ name = "cream", viscosity = 2000, density = 500 }]
[[fluid]]
material = "cream"
shape = { box = { min = [-0.02, 0, -0.06], max = [0.02, 0.06, 0.06] } }
[[body]]
kind = "soft"
shape = { box = { min = [-0.06, 0.07, -0.06], max = [0.06, 0.1, 0.06] } }
velocity = [0, -1, 0]
density = 400
youngs_modulus = 2e5
iterations = 60
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
"#;

#[test]
fn a_plate_that_hits_cream_in_a_long_step_keeps_its_corners() {
    let mut run = simulation(SCENE);
    let body = |run: &visco::Simulation| -> Vec<Vec3> {
        let frame = run.frame();
        (0..frame.len()).filter(|&i| frame.materials[i] == 1).map(|i| frame.positions[i]).collect()
    };
    let start = body(&run);
    advance(&mut run, 25);
    let end = body(&run);
    let at = |x: Vec3| start.iter().position(|y| y.distance(x) < 1e-3);
    let (mut corners, mut inverted) = (0, 0);
    for (i, x) in start.iter().enumerate() {
        let next = Vec3::AXES.map(|axis| at(*x + 0.01 * axis));
        let [Some(a), Some(b), Some(c)] = next else { continue };
        let [a, b, c] = [a, b, c].map(|k| end[k] - end[i]);
        corners += 1;
        inverted += u32::from(a.cross(b).dot(c) < 0.0);
    }
    assert_eq!((corners, inverted), (11 * 2 * 11, 0), "corners, and those inside out");
}
