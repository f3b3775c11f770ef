//! The method `mps`: water at rest, and viscous flows with an analytic solution.

mod common;

use common::water::Slab;
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

#[test]
fn couette_and_poiseuille_flow_have_their_profiles() {
    // ν/h² = 5/s: steady after a second.
    let slab = Slab { method: "mps", viscosity: 50.0, steps: 2, settings: "viscous_share = 1" };
    let (couette, poiseuille) = (slab.couette_error(60), slab.poiseuille_error(60));
    assert!(couette < 0.02, "Couette: {couette}");
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

#[test]
fn surface_tension_draws_a_cube_of_water_together_and_throws_nothing_away() {
    let mut run = simulation(
        r#"
name = "drop"
method = "mps"
spacing = 0.0005
gravity = [0, 0, 0]
time = { fps = 500, frames = 6, dt = 0.0005 }
material = [{ name = "water", preset = "water", surface_tension = 0.0727 }]
fluid = [{ material = "water", shape = { box = { min = [0, 0, 0], max = [0.005, 0.006, 0.005] } } }]
"#,
    );
    let largest = |run: &visco::Simulation| {
        let centre = Vec3::new(0.0025, 0.003, 0.0025);
        run.world().particles.positions.iter().map(|x| x.distance(centre)).fold(0.0, f32::max)
    };
    let start = largest(&run);
    let reports = advance(&mut run, 5);
    // Corners are drawn in, and there is not more motion than the surface can give.
    let surface = 0.0727 * 2.0 * (25.0 + 30.0 + 30.0) * 1e-6;
    let most = reports.iter().map(|r| r.kinetic_energy).fold(0.0, f64::max);
    assert!(most < 0.5 * surface, "{most} J of {surface}");
    assert!(largest(&run) < start, "{} m", largest(&run));
}
