//! The method `mps`: water at rest, and viscous flows with an analytic solution.

mod common;

use common::{advance, mean, simulation};
use visco::glam::Vec3;

#[test]
fn a_column_has_the_pressure_of_its_depth() {
    let mut run = simulation(
        r#"
name = "column"
method = "mps"
spacing = 0.01
time = { fps = 50, frames = 20, steps_per_frame = 10 }
material = [{ name = "oil", viscosity = 1 }]
fluid = [{ material = "oil", shape = { box = { min = [0, 0, 0], max = [0.08, 0.16, 0.08] } } }]
[[boundary]]
shape = { box = { min = [0, 0, 0], max = [0.08, 1, 0.08] } }
side = "inside"
friction = "slip"
"#,
    );
    let start = 0.08;
    let reports = advance(&mut run, 15);
    assert!(reports.iter().all(|r| r.density_error_mean < 0.01), "density");
    let (pressures, particles) = (run.pressures().expect("mps has one"), &run.world().particles);
    let bottom = 0.16 - 0.005;
    let worst = particles
        .positions
        .iter()
        .zip(pressures)
        .map(|(x, p)| (f64::from(*p) - 9810.0 * f64::from(bottom - x.y)).abs())
        .fold(0.0, f64::max);
    assert!(worst < 0.05 * 9810.0 * 0.16, "off by {worst} Pa at most");
    let frame = run.frame();
    let height = mean(&frame, |i| frame.positions[i].y);
    assert!((height - start).abs() < 0.001, "the centre moved from {start} to {height}");
}

/// A layer between two plates, without end along x and z.
fn slab(gravity: [f64; 3], top: f64) -> String {
    format!(
        r#"
name = "slab"
method = "mps"
spacing = 0.01
gravity = {gravity:?}
time = {{ fps = 100, frames = 100, steps_per_frame = 2 }}
periodic = {{ axes = ["x", "z"], min = [0, 0, 0], max = [0.06, 1, 0.06] }}
material = [{{ name = "oil", viscosity = 50 }}]
fluid = [{{ material = "oil", shape = {{ box = {{ min = [0, 0, 0], max = [0.06, 0.1, 0.06] }} }} }}]
solver = {{ viscous_share = 1 }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0.1, 0], normal = [0, -1, 0] }} }}
velocity = [{top}, 0, 0]
"#
    )
}

/// Largest error of u_x against a profile, relative to `scale`.
fn profile_error(scene: &str, frames: u32, expected: impl Fn(f32) -> f32, scale: f32) -> f32 {
    let mut run = simulation(scene);
    advance(&mut run, frames);
    let frame = run.frame();
    let error = |i: usize| (frame.velocities[i].x - expected(frame.positions[i].y)).abs();
    (0..frame.len()).map(error).fold(0.0, f32::max) / scale
}

#[test]
fn couette_and_poiseuille_flow_have_their_profiles() {
    // ν/h² = 5/s: steady after a second.
    let couette = profile_error(&slab([0.0; 3], 0.1), 60, |y| y, 0.1);
    assert!(couette < 0.02, "Couette: {couette}");
    let (force, h, eta) = (1.0, 0.1, 50.0);
    let u = |y: f32| 1000.0 * force * y * (h - y) / (2.0 * eta);
    let poiseuille = profile_error(&slab([1.0, 0.0, 0.0], 0.0), 60, u, u(0.5 * h));
    assert!(poiseuille < 0.04, "Poiseuille: {poiseuille}");
}

#[test]
fn a_falling_block_keeps_its_shape_and_its_momentum_is_its_weight() {
    let mut run = simulation(
        r#"
name = "fall"
method = "mps"
spacing = 0.01
time = { fps = 100, frames = 20, steps_per_frame = 5 }
material = [{ name = "gum", viscosity = 5, relaxation_time = 0.1, surface_tension = 0.05 }]
fluid = [{ material = "gum", shape = { box = { min = [0, 0, 0], max = [0.08, 0.06, 0.05] } }, velocity = [0.2, 0, 0], jitter = 0.1 }]
"#,
    );
    let reports = advance(&mut run, 20);
    let mass = 1000.0 * 0.08 * 0.06 * 0.05;
    let p = Vec3::from_array(reports.last().expect("steps").momentum.map(|p| p as f32)) / mass as f32;
    let expected = Vec3::new(0.2, -9.81 * 0.2, 0.0);
    assert!((p - expected).length() < 0.02 * expected.length(), "{p}, not {expected}");
    let frame = run.frame();
    let middle = frame.positions.iter().sum::<Vec3>() / frame.len() as f32;
    let extent = frame.positions.iter().map(|x| (*x - middle).abs()).fold(Vec3::ZERO, Vec3::max);
    assert!(extent.abs_diff_eq(Vec3::new(0.035, 0.025, 0.02), 0.006), "{extent}");
}
