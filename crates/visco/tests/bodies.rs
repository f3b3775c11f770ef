//! Bodies: rigid, soft and kinematic, alone, on walls and in fluid.

mod common;

use common::bodies::{body, mean};
use common::{advance, simulation};
use visco::glam::DVec3;
use visco::{Frame, Simulation};

const METHODS: [&str; 3] = ["coupled", "dcpbd", "velocity_correction"];

/// A scene of the method with 1 cm particles and 100 steps a second; `extra` are its bodies, fluids and walls.
fn scene(method: &str, gravity: f64, extra: &str) -> Simulation {
    simulation(&format!(
        r#"
name = "bodies"
method = "{method}"
spacing = 0.01
gravity = [0, {gravity}, 0]
time = {{ fps = 100, frames = 10000, steps_per_frame = 1 }}
material = [{{ name = "syrup", viscosity = 5, density = 1000 }}]
{extra}
"#
    ))
}

const FLOOR: &str = r#"
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
"#;

/// Largest change of a distance between two particles of a body, in spacings of 1 cm.
fn distortion(a: &Frame, b: &Frame, of: &[usize]) -> f32 {
    let mut worst = 0.0_f32;
    for (k, &i) in of.iter().enumerate() {
        for &j in &of[k + 1..] {
            let change = a.positions[i].distance(a.positions[j]) - b.positions[i].distance(b.positions[j]);
            worst = worst.max(change.abs());
        }
    }
    worst / 0.01
}

#[test]
fn a_free_rigid_body_keeps_its_momenta_and_its_shape() {
    for method in METHODS {
        let text = r#"
[[body]]
shape = { box = { min = [-0.06, -0.04, -0.02], max = [0.06, 0.04, 0.02] } }
velocity = [0.3, -0.2, 0.1]
angular_velocity = [5, 0.5, 3]
"#;
        let mut run = scene(method, 0.0, text);
        let start = run.frame();
        let all = body(&start, 0);
        let reports = advance(&mut run, 200);
        let (first, last) = (reports[0], reports[199]);
        let p0 = DVec3::from(first.momentum);
        // What the scene gives: m v.
        let given = DVec3::new(0.3, -0.2, 0.1) * (all.len() as f64 * 1e-3);
        assert!((p0 - given).length() < 1e-6 * given.length(), "{method}: {p0} of {given}");
        let drift = (DVec3::from(last.momentum) - p0).length() / p0.length();
        let about = |f: &Frame| {
            let (c, v) = (mean(&f.positions, &all), mean(&f.velocities, &all));
            let l = |&i: &usize| (f.positions[i].as_dvec3() - c).cross(f.velocities[i].as_dvec3() - v);
            all.iter().map(l).sum::<DVec3>()
        };
        let end = run.frame();
        let (l0, l) = (about(&start), about(&end));
        let turned = (l - l0).length() / l0.length();
        assert!(drift < 1e-6 && turned < 1e-4, "{method}: {drift} {turned}");
        assert!(distortion(&start, &end, &all) < 1e-3, "{method}");
        let spread = |f: &Frame| f.velocities.iter().map(|v| f64::from(v.length_squared())).sum::<f64>();
        assert!((spread(&end) / spread(&start) - 1.0).abs() < 0.01, "{method}");
    }
}

#[test]
fn a_box_falls_on_the_floor_and_lies_still() {
    for method in METHODS {
        for friction in ["\"no_slip\"", "\"slip\"", "0.5"] {
            let text = format!(
                "[[body]]\nshape = {{ box = {{ min = [0, 0.05, 0], max = [0.08, 0.11, 0.06] }} }}\nfriction = {friction}\ndensity = 2000\n{FLOOR}"
            );
            let mut run = scene(method, -9.81, &text);
            advance(&mut run, 50);
            for _ in 0..10 {
                advance(&mut run, 1);
                let frame = run.frame();
                let fastest = frame.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
                let lowest = frame.positions.iter().map(|x| x.y).fold(f32::INFINITY, f32::min);
                assert!(fastest < 1e-3, "{method}, {friction}: {fastest} m/s");
                assert!((lowest - 0.005).abs() < 0.001, "{method}, {friction}: {lowest} m");
            }
        }
    }
}

#[test]
fn a_tilted_box_falls_on_its_face() {
    for method in METHODS {
        let text = format!(
            "[[body]]\nshape = {{ box = {{ min = [0, 0.05, 0], max = [0.08, 0.11, 0.06] }} }}\nfriction = 0.5\n\
             rotate = {{ axis = [0, 0, 1], degrees = 25 }}\n{FLOOR}"
        );
        let mut run = scene(method, -9.81, &text);
        advance(&mut run, 200);
        let frame = run.frame();
        let fastest = frame.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
        let low: Vec<f32> = frame.positions.iter().map(|x| x.y).filter(|y| *y < 0.012).collect();
        assert!(fastest < 2e-3, "{method}: {fastest} m/s");
        assert_eq!(low.len(), 48, "{method}: a face of 8 × 6 particles lies on the floor");
    }
}

#[test]
fn a_sliding_box_stops_where_friction_says() {
    for method in METHODS {
        let text = format!(
            "[[body]]\nshape = {{ box = {{ min = [0, 0, 0], max = [0.08, 0.04, 0.06] }} }}\nfriction = 0.3\n\
             velocity = [1, 0, 0]\n{FLOOR}"
        );
        let mut run = scene(method, -9.81, &text);
        let start = run.frame();
        let all = body(&start, 0);
        advance(&mut run, 60);
        let end = run.frame();
        let way = mean(&end.positions, &all) - mean(&start.positions, &all);
        let expected = 1.0 / (2.0 * 0.3 * 9.81);
        assert!((way.x / expected - 1.0).abs() < 0.1, "{method}: {} of {expected} m", way.x);
        let speed = mean(&end.velocities, &all).length();
        assert!(speed < 1e-3, "{method}: {speed} m/s");
    }
}

#[test]
fn a_box_dropped_on_another_stays_there() {
    let text = format!(
        "[[body]]\nshape = {{ box = {{ min = [0, 0, 0], max = [0.08, 0.04, 0.08] }} }}\n\
         [[body]]\nshape = {{ box = {{ min = [0.01, 0.05, 0.01], max = [0.06, 0.09, 0.06] }} }}\n{FLOOR}"
    );
    let mut run = scene("coupled", -9.81, &text);
    let start = run.frame();
    advance(&mut run, 100);
    let end = run.frame();
    let [low, high] = [0, 1].map(|b| body(&start, b));
    let way = |of: &[usize]| mean(&end.positions, of) - mean(&start.positions, of);
    assert!(way(&low).length() < 1e-4, "{}", way(&low));
    // It falls by the centimetre between them, and may sink into the other's lattice by half a spacing.
    let fall = way(&high);
    assert!((-0.0165..-0.008).contains(&fall.y) && fall.x.hypot(fall.z) < 0.002, "{fall}");
    let speed = mean(&end.velocities, &high).length();
    assert!(speed < 5e-3, "{speed} m/s");
}
