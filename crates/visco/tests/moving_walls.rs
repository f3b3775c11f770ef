//! Walls that move: they push, drag and carry the fluid, and nothing passes them.

mod common;

use common::{advance, mean, simulation};
use visco::glam::{Quat, Vec3};

const METHODS: [&str; 2] = ["dcpbd", "coupled"];

fn scene(method: &str, spacing: f64, time: &str, viscosity: f64, rest: &str) -> String {
    format!(
        r#"
name = "moving"
method = "{method}"
spacing = {spacing}
[time]
{time}
[[material]]
name = "fluid"
viscosity = {viscosity}
{rest}
"#
    )
}

#[test]
fn a_piston_pushes_a_column_up_and_keeps_its_volume() {
    for method in METHODS {
        let mut run = simulation(&scene(
            method,
            0.01,
            "fps = 50\nframes = 51\nsteps_per_frame = 4",
            1.0,
            r#"
[[fluid]]
material = "fluid"
shape = { box = { min = [0, 0, 0], max = [0.08, 0.1, 0.08] } }
[[boundary]]
shape = { box = { min = [0, -1, 0], max = [0.08, 1, 0.08] } }
side = "inside"
friction = "slip"
[[boundary]]
shape = { box = { min = [-0.1, -0.05, -0.1], max = [0.18, 0, 0.18] } }
friction = "slip"
motion = { keys = [{ time = 0 }, { time = 1, translate = [0, 0.3, 0] }], interpolation = "linear" }
"#,
        ));
        let start = run.frame();
        for k in 1..=45 {
            advance(&mut run, 1);
            let frame = run.frame();
            let top = 0.3 * frame.time as f32;
            let lowest = frame.positions.iter().map(|x| x.y).fold(f32::MAX, f32::min);
            assert!(lowest > top + 0.0049, "{method}, frame {k}: {lowest} behind {top}");
        }
        let end = run.frame();
        let risen = mean(&end, |i| end.positions[i].y) - mean(&start, |i| start.positions[i].y);
        let speed = mean(&end, |i| end.velocities[i].y);
        assert!((risen - 0.3 * end.time).abs() < 0.0015, "{method}: {risen}");
        assert!((speed / 0.3 - 1.0).abs() < 0.03, "{method}: {speed} m/s");
        let density = mean(&end, |i| end.densities[i]) / mean(&start, |i| start.densities[i]);
        assert!((density - 1.0).abs() < 0.04, "{method}: density {density}");
    }
}

#[test]
fn a_turning_drum_spins_viscous_fluid_up_to_rigid_rotation() {
    for method in METHODS {
        let mut run = simulation(&scene(
            method,
            0.01,
            "fps = 50\nframes = 101\nsteps_per_frame = 4",
            20.0,
            r#"
[[fluid]]
material = "fluid"
shape = { cylinder = { start = [0, 0, 0], end = [0, 0.1, 0], radius = 0.06 } }
[[boundary]]
shape = { cylinder = { start = [0, 0, 0], end = [0, 0.1, 0], radius = 0.06 } }
side = "inside"
motion = { angular_velocity = [0, 3, 0] }
"#,
        ));
        // The slowest part of the flow decays with ρR²/(5.8 η) = 0.03 s.
        advance(&mut run, 20);
        let end = run.frame();
        let spin: f64 = (0..end.len())
            .map(|i| (end.positions[i], end.velocities[i]))
            .map(|(x, v)| f64::from(x.z * v.x - x.x * v.z))
            .sum();
        let inertia: f64 = end.positions.iter().map(|x| f64::from(x.x * x.x + x.z * x.z)).sum();
        assert!((spin / inertia / 3.0 - 1.0).abs() < 0.01, "{method}: {} rad/s", spin / inertia);
        let out = end.positions.iter().find(|x| x.x.hypot(x.z) > 0.0551 || x.y < 0.0049);
        assert_eq!(out, None, "{method}");
    }
}

/// A box with fluid in it that moves; returns the simulation and, after every frame, checks that nothing has left.
fn moved_box(
    method: &str,
    viscosity: f64,
    motion: &str,
    pose: impl Fn(f32) -> (Quat, Vec3),
) -> visco::Simulation {
    let mut run = simulation(&scene(
        method,
        0.01,
        "fps = 50\nframes = 101\nsteps_per_frame = 4",
        viscosity,
        &format!(
            r#"
[[fluid]]
material = "fluid"
shape = {{ box = {{ min = [0, 0, 0], max = [0.1, 0.08, 0.08] }} }}
[[boundary]]
shape = {{ box = {{ min = [0, 0, 0], max = [0.1, 0.2, 0.08] }} }}
side = "inside"
motion = {motion}
"#
        ),
    ));
    for k in 1..=60 {
        advance(&mut run, 1);
        let frame = run.frame();
        let (turn, shift) = pose(frame.time as f32);
        let local = frame.positions.iter().map(|&x| turn.inverse() * (x - shift));
        let distance = |x: Vec3| x.min(Vec3::new(0.1, 0.2, 0.08) - x).min_element();
        let nearest = local.map(distance).fold(f32::MAX, f32::min);
        assert!(nearest > 0.0049, "{method}, {viscosity} Pa·s, frame {k}: {nearest} m from a wall");
    }
    run
}

#[test]
fn a_box_that_is_carried_keeps_its_fluid() {
    for (method, viscosity) in [("dcpbd", 0.3), ("coupled", 0.3), ("coupled", 10.0)] {
        let motion = "{ keys = [{ time = 0 }, { time = 0.5, translate = [0.4, 0.1, -0.2] }, \
                      { time = 1, translate = [0.1, 0, 0] }], interpolation = \"linear\" }";
        let place = |t: f32| {
            let (a, b) = (Vec3::new(0.4, 0.1, -0.2), Vec3::new(0.1, 0.0, 0.0));
            let shift = if t < 0.5 { a * (t / 0.5) } else { a + (b - a) * ((t - 0.5) / 0.5).min(1.0) };
            (Quat::IDENTITY, shift)
        };
        let run = moved_box(method, viscosity, motion, place);
        let end = run.frame();
        let center = end.positions.iter().sum::<Vec3>() / end.len() as f32;
        // Thin fluid still sloshes, thick fluid hangs at the walls that it was thrown against.
        let most = if viscosity > 1.0 { 0.003 } else { 0.006 };
        let expected = Vec3::new(0.05 + 0.1, 0.04, 0.04);
        assert!(center.distance(expected) < most, "{method}, {viscosity}: {center}");
    }
}

#[test]
fn a_box_that_tips_over_keeps_its_fluid() {
    for (method, viscosity) in [("dcpbd", 0.3), ("coupled", 0.3), ("dcpbd", 10.0)] {
        let motion = "{ keys = [{ time = 0 }, { time = 1, rotate = { axis = [0, 0, 1], degrees = -100 } }], \
                      interpolation = \"linear\", about = [0.1, 0, 0] }";
        let place = |t: f32| {
            let turn = Quat::from_rotation_z(-100_f32.to_radians() * t.min(1.0));
            (turn, Vec3::X * 0.1 - turn * (Vec3::X * 0.1))
        };
        let run = moved_box(method, viscosity, motion, place);
        let end = run.frame();
        let center = end.positions.iter().sum::<Vec3>() / end.len() as f32;
        // It has fallen onto what was the side.
        assert!(center.x > 0.13 && center.y < 0.02, "{method}, {viscosity}: {center}");
    }
}

#[test]
fn a_fast_paddle_is_not_crossed() {
    for method in METHODS {
        for (viscosity, motion) in [
            (0.01, "{ velocity = [3, 0, 0] }"),
            (5.0, "{ velocity = [3, 0, 0] }"),
            (0.01, "{ keys = [{ time = 0 }, { time = 0.1, translate = [0.2, 0, 0] }] }"),
        ] {
            // Three metres a second are two spacings a step; the paddle is two spacings thick and fills the channel.
            let mut run = simulation(&scene(
                method,
                0.01,
                "fps = 100\nframes = 101\nsteps_per_frame = 1",
                viscosity,
                &format!(
                    r#"
[[fluid]]
material = "fluid"
shape = {{ box = {{ min = [0.02, 0, 0], max = [0.12, 0.06, 0.06] }} }}
[[boundary]]
shape = {{ box = {{ min = [-1, 0, 0], max = [1, 2, 0.06] }} }}
side = "inside"
friction = "slip"
[[boundary]]
shape = {{ box = {{ min = [0, -0.1, -0.1], max = [0.02, 2.1, 0.16] }} }}
motion = {motion}
"#
                ),
            ));
            for _ in 0..10 {
                advance(&mut run, 1);
                let frame = run.frame();
                let time = frame.time as f32;
                let s = (time / 0.1).min(1.0);
                let paddle =
                    if motion.contains("velocity") { 3.0 * time } else { 0.2 * s * s * (3.0 - 2.0 * s) };
                let behind = frame.positions.iter().map(|x| x.x - paddle).fold(f32::MAX, f32::min);
                assert!(behind > 0.02 + 0.0049, "{method}, {viscosity}, {motion}, {time} s: {behind}");
            }
        }
    }
}

#[test]
fn a_stirrer_turns_through_fluid_without_being_crossed() {
    for method in METHODS {
        let mut run = simulation(&scene(
            method,
            0.01,
            "fps = 50\nframes = 101\nsteps_per_frame = 1",
            2.0,
            r#"
[[fluid]]
material = "fluid"
shape = { box = { min = [-0.1, 0, 0.01], max = [0.1, 0.05, 0.1] } }
[[fluid]]
material = "fluid"
shape = { box = { min = [-0.1, 0, -0.1], max = [0.1, 0.05, -0.01] } }
[[boundary]]
shape = { cylinder = { start = [0, 0, 0], end = [0, 1, 0], radius = 0.15 } }
side = "inside"
[[boundary]]
shape = { box = { min = [-0.1, 0.005, -0.01], max = [0.1, 1.2, 0.01] } }
motion = { angular_velocity = [0, 20, 0] }
"#,
        ));
        let mut nearest = f32::MAX;
        for _ in 0..15 {
            advance(&mut run, 1);
            let frame = run.frame();
            let turn = Quat::from_rotation_y(20.0 * frame.time as f32);
            for &x in &frame.positions {
                let local = turn.inverse() * x;
                let out = (local.abs() - Vec3::new(0.1, 10.0, 0.01)).max(Vec3::ZERO);
                let inside = local.y > 0.005 && local.x.abs() < 0.1 && local.z.abs() < 0.01;
                nearest = nearest.min(if inside {
                    0.0
                } else if local.y > 0.005 {
                    out.length()
                } else {
                    1.0
                });
            }
        }
        assert!(nearest > 0.004, "{method}: a particle is {nearest} m from the blade");
        let frame = run.frame();
        let spin: f64 = (0..frame.len())
            .map(|i| (frame.positions[i], frame.velocities[i]))
            .map(|(x, v)| f64::from(x.z * v.x - x.x * v.z))
            .sum();
        assert!(spin > 0.0, "{method}: the fluid turns with the stirrer");
    }
}

#[test]
fn a_ball_pressed_into_a_corner_lets_nothing_through() {
    for method in METHODS {
        let mut run = simulation(&scene(
            method,
            0.01,
            "fps = 50\nframes = 51\nsteps_per_frame = 4",
            1.0,
            r#"
[[fluid]]
material = "fluid"
shape = { box = { min = [0, 0, 0], max = [0.12, 0.04, 0.12] } }
[[boundary]]
shape = { box = { min = [0, 0, 0], max = [0.12, 0.5, 0.12] } }
side = "inside"
[[boundary]]
shape = { sphere = { center = [0.06, 0.1, 0.06], radius = 0.04 } }
motion = { keys = [{ time = 0 }, { time = 0.5, translate = [-0.03, -0.06, -0.03] }] }
"#,
        ));
        let particles = run.particle_count();
        for _ in 0..30 {
            advance(&mut run, 1);
        }
        let frame = run.frame();
        assert_eq!(frame.len(), particles);
        let ball = Vec3::new(0.03, 0.04, 0.03);
        for x in &frame.positions {
            let wall = x.min(Vec3::new(0.12, 0.5, 0.12) - *x).min_element();
            let obstacle = x.distance(ball) - 0.04;
            assert!(
                wall > 0.0 && obstacle > 0.0,
                "{method}: {x} is {wall} from a wall, {obstacle} from the ball"
            );
        }
    }
}
