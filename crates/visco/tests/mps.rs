//! The method `mps`: water at rest, viscous flows with an analytic solution, and fluid that is pulled.

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

/// Table 2 and 3 at four times the spacing, pulled until some time after the rupture.
#[test]
fn a_pulled_cube_is_ruptured_and_shrinks() {
    let d = 0.0093 / 8.0;
    let (bottom, top) = (3.0 * d, 11.0 * d);
    let plate = |half: f64, low: f64| {
        let shape = format!(
            "box = {{ min = [{}, {low}, {}], max = [{half}, {}, {half}] }}",
            -half,
            -half,
            low + 3.0 * d
        );
        format!("{{ material = \"gum\", shape = {{ {shape} }} }}")
    };
    let mut run = simulation(&format!(
        r#"
name = "pull"
method = "mps"
spacing = {d}
time = {{ fps = 50, frames = 60, steps_per_frame = 10 }}
material = [{{ name = "gum", preset = "guar-gum", surface_tension = 0.06 }}]
fluid = [
    {{ material = "gum", shape = {{ box = {{ min = [-0.00465, {bottom}, -0.00465], max = [0.00465, {top}, 0.00465] }} }} }},
    {}, {},
]
[[grip]]
shape = {{ box = {{ min = [-1, -1, -1], max = [1, {bottom}, 1] }} }}
[[grip]]
shape = {{ box = {{ min = [-1, {top}, -1], max = [1, 1, 1] }} }}
velocity = [0, 0.018, 0]
"#,
        plate(5.0 * d, top),
        plate(8.0 * d, 0.0),
    ));
    let highest = |run: &visco::Simulation| {
        let p = &run.world().particles;
        let free = (0..p.len()).filter(|&i| p.motions[i] == visco::particles::Motion::Free);
        free.map(|i| p.positions[i].y).fold(0.0, f32::max)
    };
    while run.rupture().is_none() && run.time() < 1.1 {
        advance(&mut run, 1);
    }
    let rupture = run.rupture().expect("the cube is ruptured");
    let stretched = 18.0 * rupture;
    assert!((1.0..15.0).contains(&stretched), "stretched by {stretched} mm");
    let before = highest(&run);
    advance(&mut run, 10);
    let after = highest(&run);
    assert!(after < before, "the end that hangs on falls back: {before}, {after}");
}
