//! Surface tension in N/m: drops have the pressure that Laplace says, keep their momentum and get round.

mod common;

use common::{advance, simulation};
use std::f64::consts::PI;
use visco::Simulation;
use visco::glam::{DVec3, Vec3};

/// A drop of one material in a scene without gravity, spacing 1 mm.
fn drop(tension: f64, viscosity: f64, shape: &str) -> Simulation {
    simulation(&format!(
        r#"
name = "drop"
method = "coupled"
spacing = 0.001
gravity = [0, 0, 0]
time = {{ fps = 100, frames = 1000, dt = 0.01 }}
material = [{{ name = "m", viscosity = {viscosity}, surface_tension = {tension} }}]
fluid = [{{ material = "m", shape = {{ {shape} }} }}]
"#
    ))
}

fn sphere(radius: f64) -> String {
    format!("sphere = {{ center = [0.0002, 0.0003, 0.0001], radius = {radius} }}")
}

/// Radius of a ball of as much fluid, in m.
fn radius(run: &Simulation) -> f64 {
    (3.0 * run.particle_count() as f64 * 1e-9 / (4.0 * PI)).cbrt()
}

fn centre(run: &Simulation) -> Vec3 {
    let p = &run.world().particles.positions;
    p.iter().sum::<Vec3>() / p.len() as f32
}

/// Mean pressure in the inner half of a drop, in units of 2σ/R.
fn laplace(run: &Simulation, tension: f64) -> f64 {
    let (r, centre) = (radius(run), centre(run));
    let pressures = run.pressures().expect("coupled has a pressure");
    let p = run.world().particles.positions.iter().zip(pressures);
    let inner: Vec<f64> =
        p.filter(|(x, _)| f64::from(x.distance(centre)) < 0.5 * r).map(|(_, p)| f64::from(*p)).collect();
    inner.iter().sum::<f64>() / inner.len() as f64 / (2.0 * tension / r)
}

#[test]
fn a_drop_has_the_pressure_of_laplace() {
    for (size, tension) in [(6.0, 0.07), (6.0, 0.02), (10.0, 0.07), (10.0, 0.02)] {
        let mut run = drop(tension, 0.5, &sphere(size * 1e-3));
        advance(&mut run, 20);
        let mut sum = 0.0;
        for _ in 0..10 {
            advance(&mut run, 1);
            sum += laplace(&run, tension);
        }
        let ratio = sum / 10.0;
        assert!((ratio - 1.0).abs() < 0.1, "R = {size} d, σ = {tension}: {ratio}");
    }
}

#[test]
fn a_cube_gets_round_and_keeps_its_momentum() {
    let mut run = drop(0.07, 0.1, "box = { min = [0, 0, 0], max = [0.01, 0.01, 0.01] }");
    let reports = advance(&mut run, 40);
    let mass = run.particle_count() as f64 * 1e-6;
    // As a speed of the whole: a thousandth of the capillary speed √(σ/ρR).
    for r in &reports {
        let speed = DVec3::from_array(r.momentum).length() / mass;
        assert!(speed < 1e-4, "step {}: {speed} m/s", r.step);
        let spin = DVec3::from_array(r.angular_momentum).length() / (mass * 0.006);
        assert!(spin < 1e-4, "step {}: {spin} m/s", r.step);
    }
    let (r, centre) = (radius(&run), centre(&run));
    let distances = run.world().particles.positions.iter().map(|x| f64::from(x.distance(centre)));
    let farthest = distances.fold(0.0, f64::max);
    // The corners of the cube were at 1.33 R from the outermost particle's centre.
    assert!((farthest + 0.5e-3) / r < 1.15, "{}", farthest / r);
    // What is left is slow beside the capillary speed, 0.1 m/s.
    let last = reports.last().expect("steps");
    let rms = (2.0 * last.kinetic_energy / mass).sqrt();
    assert!(rms < 0.01, "at rest: {rms} m/s");
}

#[test]
fn half_a_drop_stands_on_a_wall_at_a_right_angle() {
    // Surface tension knows no surface at the wall: a half ball stays one, and has the pressure of the whole.
    let mut run = simulation(
        r#"
name = "half"
method = "coupled"
spacing = 0.001
gravity = [0, 0, 0]
time = { fps = 100, frames = 1000, dt = 0.01 }
material = [{ name = "m", viscosity = 0.5, surface_tension = 0.07 }]
boundary = [{ shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }, friction = "slip" }]
fluid = [{ material = "m", shape = { cylinder = { start = [0, 0, 0], end = [0, 0.004, 0], radius = 0.007 } } }]
"#,
    );
    advance(&mut run, 60);
    let p = &run.world().particles.positions;
    // Of a half ball the mean height is 3/8 of the radius, and the mean square of the distance from its axis 2/5.
    let r = (3.0 * p.len() as f64 * 1e-9 / (2.0 * PI)).cbrt();
    let height = p.iter().map(|x| f64::from(x.y)).sum::<f64>() / p.len() as f64;
    let square = p.iter().map(|x| f64::from(x.x * x.x + x.z * x.z)).sum::<f64>() / p.len() as f64;
    let width = (2.5 * square).sqrt();
    assert!((height / (0.375 * r) - 1.0).abs() < 0.1, "height {}", height / (0.375 * r));
    assert!((width / r - 1.0).abs() < 0.1, "width {}", width / r);
}
