//! The method `coupled`: volume, Trouton's ratio, rest, contact, momentum.

mod common;

use common::{advance, simulation};
use visco::glam::{DVec3, Vec3};
use visco::methods::FluidMethod;
use visco::methods::coupled::{Coupled, Params};
use visco::particles::Motion;
use visco::random::Random;
use visco::world::World;
use visco::{Scene, Simulation, StepReport};

/// A scene of one viscous material; `rest` adds fluids, walls and grips.
fn scene(spacing: f64, viscosity: f64, steps_per_second: u32, rest: &str) -> String {
    format!(
        r#"
name = "test"
method = "coupled"
spacing = {spacing}
[time]
fps = {steps_per_second}
frames = 100000
steps_per_frame = 1
[[material]]
name = "syrup"
viscosity = {viscosity}
{rest}
"#
    )
}

const FLOOR: &str = "[[boundary]]\nshape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }\n";

/// A box of fluid, packed without a preferred direction.
fn fluid(min: [f64; 3], max: [f64; 3], more: &str) -> String {
    format!(
        "[[fluid]]\nmaterial = \"syrup\"\nshape = {{ box = {{ min = {min:?}, max = {max:?} }} }}\npacking = \"relaxed\"\n{more}\n"
    )
}

/// A bar of 8 × 24 × 8 particles whose ends are held along its axis and stretched at a rate of 0.5/s.
fn bar(solver: &str) -> Simulation {
    let d = 0.025;
    let (half, length) = (4.0 * d, 24.0 * d);
    let grip = |from: f64, to: f64| {
        format!(
            "[[grip]]\nshape = {{ box = {{ min = [-1, {from}, -1], max = [1, {to}, 1] }} }}\nhold = \"along\"\n\
             axis = [0, 1, 0]\nstretch = {{ rate = 0.5, about = [0, 0, 0] }}\n"
        )
    };
    let (top, inner) = (0.5 * length, 0.5 * length - 2.6 * d);
    let body = fluid([-half, -top, -half], [half, top, half], "");
    let rest = format!("{solver}\n{body}{}{}", grip(-1.0, -inner), grip(inner, 1.0));
    simulation(&format!("gravity = [0, 0, 0]\n{}", scene(d, 5000.0, 120, &rest)))
}

/// Area of the cross-section from the second moments of the middle part, times the length: the volume of a bar.
fn section(run: &Simulation, reach: f32) -> f64 {
    let positions = &run.world().particles.positions;
    let middle: Vec<&Vec3> = positions.iter().filter(|x| x.y.abs() < reach).collect();
    let n = middle.len() as f64;
    let moment = |f: fn(&Vec3) -> f32| {
        let mean = middle.iter().map(|x| f64::from(f(x))).sum::<f64>() / n;
        middle.iter().map(|x| (f64::from(f(x)) - mean).powi(2)).sum::<f64>() / n
    };
    12.0 * (moment(|x| x.x) * moment(|x| x.z)).sqrt()
}

/// Volume relative to the start and force over η ε̇ A, of a bar that is pulled to twice its length.
fn pulled(solver: &str) -> (f64, f64) {
    let mut run = bar(solver);
    let (rate, reach) = (0.5, 0.2);
    let before = section(&run, reach);
    advance(&mut run, (2.0_f64.ln() / rate * 120.0).round() as u32);
    let stretch = (rate * run.time()).exp();
    let volume = section(&run, reach * stretch as f32) * stretch / before;
    let stresses = run.stresses();
    let pressures = run.pressures().expect("coupled has a pressure");
    let positions = &run.world().particles.positions;
    let inside: Vec<usize> = (0..positions.len()).filter(|&i| positions[i].y.abs() < 0.3).collect();
    let axial: f64 = inside.iter().map(|&i| f64::from(stresses[i].yy - pressures[i])).sum();
    (volume, axial / inside.len() as f64 / (5000.0 * rate))
}

#[test]
fn a_bar_pulled_to_twice_its_length_keeps_its_volume_and_resists_as_trouton_says() {
    let (volume, trouton) = pulled("");
    assert!((volume - 1.0).abs() < 0.02, "volume {volume}");
    assert!((trouton / 3.0 - 1.0).abs() < 0.05, "force {trouton} η ε̇ A");
}

#[test]
fn without_control_of_unseen_motion_the_pulled_bar_fails() {
    let (volume, trouton) = pulled("[solver]\ncontrol = false\nmax_velocity_iterations = 500\n");
    assert!((volume - 1.0).abs() > 0.02 || (trouton / 3.0 - 1.0).abs() > 0.05, "{volume}, {trouton}");
}

#[test]
fn a_stiff_block_lies_still() {
    let body = fluid([0.0, 0.0, 0.0], [0.25, 0.25, 0.25], "");
    let mut run = simulation(&scene(0.025, 1e6, 120, &(body + FLOOR)));
    let reports = advance(&mut run, 120);
    let fastest = reports.iter().map(|r| r.max_speed).fold(0.0, f64::max);
    // Its own creep, ρ g H²/(8 η), is a tenth of this.
    assert!(fastest < 1e-3, "{fastest} m/s");
    let last = &reports[60..];
    let iterations = last.iter().map(|r| r.velocity_iterations).sum::<u32>() as f64 / last.len() as f64;
    // Contacts that chatter would cost several solves a step.
    assert!(iterations < 12.0, "{iterations} iterations a step at rest");
}

#[test]
fn pressure_grows_with_depth() {
    let body = fluid([0.0, 0.0, 0.0], [0.2, 0.3, 0.2], "");
    let walls = "[[boundary]]\nshape = { box = { min = [0, 0, 0], max = [0.2, 1, 0.2] } }\nside = \"inside\"\n\
                 friction = \"slip\"\n";
    let mut run = simulation(&scene(0.02, 100.0, 100, &(body + walls)));
    advance(&mut run, 60);
    let p = &run.world().particles;
    let pressures = run.pressures().expect("coupled has a pressure");
    // The slope of the best line through pressure over height; single particles scatter around it.
    let n = p.len() as f64;
    let (heights, pressures): (Vec<f64>, Vec<f64>) =
        p.positions.iter().zip(pressures).map(|(x, p)| (f64::from(x.y), f64::from(*p))).unzip();
    let mean = |v: &[f64]| v.iter().sum::<f64>() / n;
    let (y, q) = (mean(&heights), mean(&pressures));
    let product = |a: &[f64], a0: f64, b: &[f64], b0: f64| {
        a.iter().zip(b).map(|(a, b)| (a - a0) * (b - b0)).sum::<f64>()
    };
    let slope = product(&heights, y, &pressures, q) / product(&heights, y, &heights, y);
    assert!((slope / (-1000.0 * 9.81) - 1.0).abs() < 0.05, "dp/dy = {slope} Pa/m");
    assert!((q / (1000.0 * 9.81 * 0.15) - 1.0).abs() < 0.05, "mean pressure {q} Pa");
}

#[test]
fn two_bodies_come_close_before_they_push() {
    let d = 0.025;
    let low = fluid([0.0, 0.0, 0.0], [8.0 * d, 5.0 * d, 8.0 * d], "");
    let high = fluid([1.5 * d, 8.0 * d, 1.5 * d], [6.5 * d, 13.0 * d, 6.5 * d], "");
    let mut run = simulation(&scene(d, 1e4, 120, &(low + &high + FLOOR)));
    let lower = 8 * 5 * 8;
    advance(&mut run, 40);
    let frame = run.frame();
    let gap = |i: usize| {
        let x = frame.positions[i];
        frame.positions[..lower].iter().map(|y| x.distance(*y)).fold(f32::MAX, f32::min)
    };
    let nearest = (lower..frame.len()).map(gap).fold(f32::MAX, f32::min);
    assert!(nearest < 1.1 * d as f32, "{} spacings apart", nearest / d as f32);
    let speed = (lower..frame.len()).map(|i| f64::from(-frame.velocities[i].y)).sum::<f64>()
        / (frame.len() - lower) as f64;
    assert!(speed < 0.1, "the upper body still falls with {speed} m/s");
}

fn momenta(run: &Simulation) -> (DVec3, DVec3) {
    let p = &run.world().particles;
    (0..p.len()).fold((DVec3::ZERO, DVec3::ZERO), |(linear, angular), i| {
        let (x, u) = (p.positions[i].as_dvec3(), p.velocities[i].as_dvec3());
        (linear + u, angular + x.cross(u))
    })
}

#[test]
fn a_spinning_block_keeps_its_momenta() {
    let spin = "angular_velocity = [0, 6.283185, 0]\nvelocity = [0.3, 0.2, -0.1]";
    let d = 0.025;
    let body = fluid([-5.0 * d, -3.0 * d, -4.0 * d], [5.0 * d, 3.0 * d, 4.0 * d], spin);
    let mut run = simulation(&format!("gravity = [0, 0, 0]\n{}", scene(d, 1e4, 120, &body)));
    let (linear, angular) = momenta(&run);
    advance(&mut run, 120);
    let (linear_end, angular_end) = momenta(&run);
    let change = (linear_end - linear).length() / linear.length();
    assert!(change < 1e-6, "linear momentum changes by {change:e}");
    // Above 1 by what the density pass moves outwards without changing velocities.
    let kept = angular_end.y / angular.y;
    assert!((0.999..1.003).contains(&kept), "L/L₀ = {kept}");
}

/// Spray is full of single particles and loose pairs, whose equations say little of each other.
#[test]
fn dense_spray_neither_explodes_nor_takes_long() {
    let d = 0.025;
    let body = fluid([0.0, 0.0, 0.0], [10.0 * d, 8.0 * d, 10.0 * d], "");
    let text = scene(d, 100.0, 120, &(body + FLOOR));
    let mut world = World::new(&Scene::from_toml(&text).unwrap()).unwrap();
    let calm = world.particles.len();
    let mut random = Random::new(7);
    for _ in 0..calm / 4 {
        let [x, y, z] = random.triple();
        let [u, v, w] = random.triple();
        let place = Vec3::new(0.25 * x, 0.22 + 0.2 * y, 0.25 * z);
        let velocity = Vec3::new(2.0 * u - 1.0, -3.0 * v, 2.0 * w - 1.0);
        world.particles.push(place, velocity, 0, Motion::Free);
    }
    let mut method = Coupled::new(&world, Params::default());
    let energy = |r: &StepReport| r.kinetic_energy + r.potential_energy;
    let (mut iterations, mut before) = (vec![], f64::INFINITY);
    for step in 0..60 {
        let report = method.step(&mut world, 1.0 / 120.0);
        assert!(report.max_speed < 8.0, "step {step}: {} m/s", report.max_speed);
        assert!(energy(&report) < before * 1.001, "step {step}: energy {before} to {}", energy(&report));
        before = energy(&report);
        iterations.push(report.velocity_iterations);
    }
    let mean = f64::from(iterations.iter().sum::<u32>()) / iterations.len() as f64;
    assert!(mean < 25.0, "{mean} iterations a step: {iterations:?}");
}

/// An elastic cube that lands on a smooth floor jumps off again, and then nothing but gravity acts on it: fluid does not
/// stick to a wall along which it slides.
#[test]
fn an_elastic_cube_leaves_a_smooth_floor() {
    let mut run = simulation(
        r#"
name = "bounce"
method = "coupled"
spacing = 0.05
gravity = [0, -9.81, 0]
time = { fps = 1000, frames = 101, steps_per_frame = 1 }
material = [{ name = "rubber", density = 1000, viscosity = 15000, relaxation_time = 0.015 }]
boundary = [{ shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }, friction = "slip" }]
[[fluid]]
material = "rubber"
velocity = [0, -3, 0]
shape = { box = { min = [-0.2, 0.01, -0.2], max = [0.2, 0.41, 0.2] } }
"#,
    );
    let mut rising: Vec<f64> = vec![];
    for _ in 1..=60 {
        advance(&mut run, 1);
        rising.push(momenta(&run).0.y / run.world().particles.len() as f64);
    }
    let fastest = (0..rising.len()).max_by(|&a, &b| rising[a].total_cmp(&rising[b])).unwrap();
    assert!(rising[fastest] > 0.3, "it rises with {} m/s", rising[fastest]);
    // Until the last contact has opened it may be slowed a little.
    let flight = &rising[fastest + 5..fastest + 25];
    let acceleration = (flight[19] - flight[0]) / 0.019;
    assert!((acceleration / -9.81 - 1.0).abs() < 0.01, "{acceleration} m/s² in flight");
}
