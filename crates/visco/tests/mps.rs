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

/// What comes of the paper's cube, of seven particles a side.
struct Pulled {
    /// Way of the plate when sides meet, and when the cube parts, in mm.
    sides_meet: f64,
    parted: f64,
    /// Time until the lower piece is as high as the cube was, in ms.
    shrinking: f64,
    /// Particles in the narrowest section, over those at the start, when the plate has been drawn 4 mm.
    middle: f64,
    /// Least number of particles in a section before it parts, over that at the start.
    thinnest: f64,
}

fn pull(share: f64, frames: u32) -> Pulled {
    let d = 0.0093 / 7.0;
    let (bottom, top, half) = (2.0 * d, 9.0 * d, 3.5 * d);
    let plate = |half: f64, low: f64| {
        format!(
            "{{ material = \"gum\", shape = {{ box = {{ min = [-{half}, {low}, -{half}], max = [{half}, {}, {half}] }} }} }}",
            low + 2.0 * d
        )
    };
    let mut run = simulation(&format!(
        r#"
name = "pull"
method = "mps"
spacing = {d}
time = {{ fps = 50, frames = {frames}, steps_per_frame = 8 }}
material = [{{ name = "gum", preset = "guar-gum", surface_tension = 0.06 }}]
solver = {{ elastic_share = {share}, tension = true }}
fluid = [
    {{ material = "gum", packing = "relaxed", shape = {{ box = {{ min = [-{half}, {bottom}, -{half}], max = [{half}, {top}, {half}] }} }} }},
    {}, {},
]
[[grip]]
shape = {{ box = {{ min = [-1, -1, -1], max = [1, {bottom}, 1] }} }}
[[grip]]
shape = {{ box = {{ min = [-1, {top}, -1], max = [1, 1, 1] }} }}
velocity = [0, 0.018, 0]
"#,
        plate(4.5 * d, top),
        plate(5.5 * d, 0.0),
    ));
    let (d, top) = (d as f32, top as f32);
    let heights = |run: &visco::Simulation| {
        let mut heights: Vec<f32> = run.world().particles.positions.iter().map(|x| x.y).collect();
        heights.sort_by(f32::total_cmp);
        heights
    };
    let narrowest = |heights: &[f32], plate: f32| {
        let section =
            |at: f32| heights.iter().map(|y| (1.0 - (y - at).abs() / (2.0 * d)).max(0.0)).sum::<f32>();
        let sections = ((plate - 6.0 * d) / (0.5 * d)) as usize;
        (0..=sections).map(|k| section(4.0 * d + 0.5 * d * k as f32)).fold(f32::INFINITY, f32::min)
    };
    let at_start = narrowest(&heights(&run), top);
    let mut found = Pulled {
        sides_meet: f64::NAN,
        parted: f64::NAN,
        shrinking: f64::NAN,
        middle: f64::NAN,
        thinnest: f64::INFINITY,
    };
    for _ in 1..frames {
        advance(&mut run, 1);
        let (time, heights) = (run.time(), heights(&run));
        let gap = heights.windows(2).find(|y| y[1] - y[0] > 2.1 * d);
        match gap {
            None => {
                let share = f64::from(narrowest(&heights, top + 0.018 * time as f32) / at_start);
                found.thinnest = found.thinnest.min(share);
                if found.middle.is_nan() && 18.0 * time >= 4.0 {
                    found.middle = share;
                }
            }
            Some(_) if found.parted.is_nan() => found.parted = 18.0 * time,
            Some(gap) if gap[0] <= top - 0.5 * d => {
                found.shrinking = 1e3 * (time - found.parted / 18.0);
                break;
            }
            Some(_) => {}
        }
    }
    found.sides_meet = run.rupture().map_or(f64::NAN, |t| 18.0 * t);
    found
}

#[test]
fn a_pulled_cube_gets_a_neck_parts_and_shrinks() {
    let Pulled { sides_meet, parted, shrinking, middle, thinnest } = pull(0.05, 100);
    // A bar that keeps its volume would have 0.70 of its section; that of the cube, held at its ends, has a neck.
    assert!((0.5..0.65).contains(&middle), "{middle} of the section at 4 mm");
    assert!(thinnest < 0.1, "{thinnest} of the section before it parts");
    assert!((9.0..17.0).contains(&parted), "parts after {parted} mm");
    assert!(
        sides_meet > 0.5 * parted && sides_meet <= parted,
        "sides meet after {sides_meet} mm of {parted}"
    );
    // The paper's is 500 ms.
    assert!((250.0..1000.0).contains(&shrinking), "shrinks within {shrinking} ms");
}

#[test]
fn the_more_elastic_the_fluid_the_earlier_it_parts_and_shrinks() {
    let (little, much) = (pull(0.03, 100), pull(0.07, 100));
    assert!(much.parted < little.parted, "{} and {} mm", much.parted, little.parted);
    assert!(much.shrinking < 0.9 * little.shrinking, "{} and {} ms", much.shrinking, little.shrinking);
}
