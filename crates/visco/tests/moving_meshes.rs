//! Meshes that move: a bowl that is tipped or shaken leaks nothing, a hand sweeps through fluid, a nozzle has the outline
//! of a mesh.

mod common;

use common::{advance, simulation};
use visco::Simulation;
use visco::glam::{Quat, Vec3};
use visco::mesh::{Made, Solid};

const METHODS: [&str; 2] = ["dcpbd", "coupled"];

fn scene(method: &str, spacing: f64, viscosity: f64, parts: &str) -> String {
    format!(
        r#"
name = "moving mesh"
method = "{method}"
spacing = {spacing}
time = {{ fps = 60, frames = 200, steps_per_frame = 2 }}
material = [{{ name = "batter", viscosity = {viscosity} }}]
{parts}
"#
    )
}

fn solid(made: Made, size: f32) -> Solid {
    Solid::new(&(*made.mesh("")).clone().mapped(|x| x * size)).expect("closed")
}

/// Where a point is in a bowl that stands upright about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Cavity,
    Rim,
    Outside,
}

fn place(bowl: &Solid, x: Vec3, margin: f32) -> Place {
    let top = bowl.half().y;
    if x.y > top - margin {
        return Place::Rim;
    }
    // All of the cavity sees the middle of its opening; what is outside sees the wall.
    match bowl.crossing(x, Vec3::Y * top, 1.0) {
        None => Place::Cavity,
        Some(_) => Place::Outside,
    }
}

/// Advances a bowl of fluid, whose turn and shift `pose` tells, and checks after every frame that no particle is in its
/// wall and none has come out of its cavity but over the rim. Returns how many are left in it.
fn keep_in_bowl(run: &mut Simulation, frames: u32, size: f32, pose: impl Fn(f32) -> (Quat, Vec3)) -> usize {
    let (bowl, spacing) = (solid(Made::Bowl, size), run.world().spacing);
    let margin = 3.0 * spacing;
    let mut known = vec![Place::Cavity; run.particle_count()];
    for frame in 1..=frames {
        advance(run, 1);
        let state = run.frame();
        let (turn, shift) = pose(state.time as f32);
        for (id, (&x, known)) in state.positions.iter().zip(&mut known).enumerate() {
            let seen = turn.inverse() * (x - shift);
            let gap = bowl.signed_distance(seen).distance / spacing;
            assert!(gap > 0.4, "frame {frame}: particle {id} is {gap} spacings from the bowl, at {seen}");
            let now = place(&bowl, seen, margin);
            let leaked = *known != now && *known != Place::Rim && now != Place::Rim;
            assert!(!leaked, "frame {frame}: particle {id} went through the wall to {seen}");
            *known = now;
        }
    }
    known.iter().filter(|p| **p == Place::Cavity).count()
}

/// Both a thick bowl and one that is thinner than a spacing.
#[test]
fn a_bowl_that_is_tipped_is_left_over_its_rim_alone() {
    for method in METHODS {
        for (size, spacing) in [(0.24, 0.008), (0.17, 0.012)] {
            let parts = format!(
                r#"
boundary = [{{ shape = {{ mesh = {{ made = "bowl", size = {size}, center = [0, 0, 0] }} }}, motion = {{ interpolation = "linear", keys = [
    {{ time = 0 }}, {{ time = 0.8, rotate = {{ axis = [0, 0, 1], degrees = 100 }} }}] }} }}]
fluid = [{{ material = "batter", shape = {{ cylinder = {{ start = [0, {}, 0], end = [0, {}, 0], radius = {} }} }} }}]
"#,
                -0.09 * size,
                0.08 * size,
                0.28 * size,
            );
            let mut run = simulation(&scene(method, spacing, 3.0, &parts));
            let particles = run.particle_count();
            assert!(particles > 50, "{particles}");
            let pose =
                |t: f32| (Quat::from_rotation_z(100_f32.to_radians() * (t / 0.8).min(1.0)), Vec3::ZERO);
            let left = keep_in_bowl(&mut run, 66, size as f32, pose);
            assert!(left < particles * 9 / 10, "{method}, {spacing}: {left} of {particles} have not left");
        }
    }
}

/// A metre a second to and fro: a spacing a step, in a bowl that is thinner than that.
#[test]
fn a_thin_bowl_that_is_shaken_leaks_nothing() {
    for method in METHODS {
        let parts = r#"
boundary = [{ shape = { mesh = { made = "bowl", size = 0.17, center = [0, 0, 0] } }, motion = { interpolation = "linear", repeat = true, keys = [
    { time = 0 }, { time = 0.05, translate = [0.05, 0.02, 0] }, { time = 0.15, translate = [-0.05, 0.02, 0.03] }, { time = 0.2, translate = [0, 0, 0] }] } }]
fluid = [{ material = "batter", shape = { cylinder = { start = [0, -0.015, 0], end = [0, 0.015, 0], radius = 0.045 } } }]
"#;
        let mut run = simulation(&scene(method, 0.012, 0.05, parts));
        let pose = |t: f32| {
            let keys = [
                (0.0, Vec3::ZERO),
                (0.05, Vec3::new(0.05, 0.02, 0.0)),
                (0.15, Vec3::new(-0.05, 0.02, 0.03)),
                (0.2, Vec3::ZERO),
            ];
            let t = t.rem_euclid(0.2);
            let k = (1..3).find(|&k| t < keys[k].0).unwrap_or(3);
            let ((from, a), (to, b)) = (keys[k - 1], keys[k]);
            (Quat::IDENTITY, a.lerp(b, (t - from) / (to - from)))
        };
        keep_in_bowl(&mut run, 30, 0.17, pose);
    }
}

#[test]
fn a_hand_sweeps_through_fluid_and_takes_none_into_itself() {
    let spacing = 0.008;
    for method in METHODS {
        let mut run = simulation(&scene(
            method,
            f64::from(spacing),
            2.0,
            r#"
fluid = [{ material = "batter", shape = { box = { min = [-0.03, 0, -0.06], max = [0.1, 0.06, 0.06] } } }]
[[boundary]]
shape = { box = { min = [-0.14, 0, -0.07], max = [0.14, 0.5, 0.07] } }
side = "inside"
[[boundary]]
shape = { mesh = { made = "hand", size = 0.12, center = [-0.09, 0.075, 0] } }
motion = { interpolation = "linear", keys = [{ time = 0, rotate = { axis = [0, 1, 0], degrees = 60 } }, { time = 0.4, translate = [0.15, 0, 0], rotate = { axis = [0, 1, 0], degrees = 120 } }] }
"#,
        ));
        let hand = solid(Made::Hand, 0.12);
        let (mut nearest, mut pushed) = (f32::MAX, 0.0);
        for frame in 1..=24 {
            advance(&mut run, 1);
            let state = run.frame();
            let s = state.time as f32 / 0.4;
            let turn = Quat::from_rotation_y((60.0 + 60.0 * s).to_radians());
            let center = Vec3::new(-0.09 + 0.15 * s, 0.075, 0.0);
            let mut touched = Vec::new();
            for (&x, v) in state.positions.iter().zip(&state.velocities) {
                let gap = hand.signed_distance(turn.inverse() * (x - center)).distance / spacing;
                assert!(gap > 0.3, "{method}, frame {frame}: {gap} spacings at {x}");
                nearest = nearest.min(gap);
                if gap < 0.7 {
                    touched.push(v.x);
                }
            }
            pushed = touched.iter().sum::<f32>() / touched.len().max(1) as f32;
        }
        assert!(nearest < 0.6, "{method}: the hand has not met the fluid: {nearest}");
        assert!(pushed > 0.15, "{method}: fluid at the hand has {pushed} m/s");
    }
}
