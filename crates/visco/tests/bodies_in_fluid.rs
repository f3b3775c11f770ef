//! Bodies and fluid: floating, sinking, colliding, pushed; soft bodies.

mod common;

use common::bodies::mean;
use common::{advance, simulation};
use std::f64::consts::PI;
use visco::glam::{DVec3, Vec3};
use visco::{Changes, Checkpoint, Frame, Simulation};

const METHODS: [&str; 2] = ["coupled", "dcpbd"];

/// A scene with 1 cm particles; `extra` are its bodies, fluids and walls.
fn text(method: &str, steps_per_frame: u32, extra: &str) -> String {
    format!(
        r#"
name = "bodies"
method = "{method}"
spacing = 0.01
time = {{ fps = 100, frames = 10000, steps_per_frame = {steps_per_frame} }}
{extra}
"#
    )
}

fn scene(method: &str, steps_per_frame: u32, extra: &str) -> Simulation {
    simulation(&text(method, steps_per_frame, extra))
}

/// Indices of the particles of a material.
fn of(frame: &Frame, material: u8) -> Vec<usize> {
    (0..frame.len()).filter(|&i| frame.materials[i] == material).collect()
}

/// Fluid, a rigid and a soft body that fly into each other, without gravity.
const CLOSED: &str = r#"
gravity = [0, 0, 0]
material = [{ name = "syrup", viscosity = 5 }]
[[fluid]]
material = "syrup"
shape = { box = { min = [-0.03, -0.03, -0.03], max = [0.03, 0.03, 0.03] } }
velocity = [0.3, 0, 0]
[[body]]
shape = { box = { min = [0.05, -0.03, -0.03], max = [0.10, 0.02, 0.02] } }
velocity = [-0.3, 0.1, 0.05]
angular_velocity = [0, 2, 1]
density = 700
[[body]]
kind = "soft"
shape = { box = { min = [-0.02, 0.05, -0.02], max = [0.02, 0.09, 0.02] } }
velocity = [0.2, -0.4, 0]
density = 1500
youngs_modulus = 2e4
"#;

#[test]
fn momentum_of_fluid_rigid_and_soft_bodies_is_kept_over_a_thousand_steps() {
    for method in METHODS {
        let mut run = scene(method, 1, CLOSED);
        let start = run.frame();
        let given: DVec3 = [(0_u8, 1.0), (1, 0.7), (2, 1.5)]
            .map(|(m, grams)| {
                let all = of(&start, m);
                mean(&start.velocities, &all) * (all.len() as f64 * grams * 1e-3)
            })
            .into_iter()
            .sum();
        let reports = advance(&mut run, 1000);
        let worst = reports.iter().map(|r| (DVec3::from(r.momentum) - given).length()).fold(0.0, f64::max);
        assert!(worst < 1e-5 * given.length(), "{method}: {worst} of {given}");
        // They have met: none moves as at the start.
        let end = run.frame();
        for m in 0..3 {
            let all = of(&start, m);
            let change = mean(&end.velocities, &all) - mean(&start.velocities, &all);
            assert!(change.length() > 0.05, "{method}: material {m} changed by {change}");
        }
    }
}

#[test]
fn frames_with_bodies_are_the_same_for_any_number_of_threads_and_across_checkpoints() {
    for method in METHODS {
        let floor = "[[boundary]]\nshape = { plane = { point = [0, -0.05, 0], normal = [0, 1, 0] } }\nfriction = 0.3\n\
             [[body]]\nkind = \"kinematic\"\nshape = { box = { min = [-0.1, -0.04, -0.02], max = [-0.06, 0, 0.02] } }\n\
             motion = { velocity = [0.3, 0, 0] }\n";
        let scene = text(method, 1, &(CLOSED.replace("gravity = [0, 0, 0]", "") + floor))
            .replace("youngs_modulus = 2e4", "youngs_modulus = 2e4\nsolver = \"jacobi\"");
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut run = simulation(&scene);
                (0..25).for_each(|_| drop(advance(&mut run, 1)));
                run.frame().hash()
            })
        };
        let one = on(1);
        assert_eq!(on(3), one, "{method}");
        let mut parts = simulation(&scene);
        for _ in 0..5 {
            advance(&mut parts, 5);
            let mut bytes = Vec::new();
            parts.checkpoint().write(&mut bytes).unwrap();
            parts = simulation(&scene);
            parts.restore(&Checkpoint::read(&bytes[..]).unwrap(), Changes::Refused).unwrap();
        }
        assert_eq!(parts.frame().hash(), one, "{method}");
    }
}

/// A tank without friction, 14 cm wide and filled to 10 cm, and a ball of 3.5 spacings at a height.
fn pool(viscosity: f64, ball: &str) -> String {
    format!(
        r#"
material = [{{ name = "syrup", viscosity = {viscosity} }}]
[[boundary]]
shape = {{ box = {{ min = [-0.07, 0, -0.07], max = [0.07, 1, 0.07] }} }}
side = "inside"
friction = "slip"
[[fluid]]
material = "syrup"
shape = {{ box = {{ min = [-0.07, 0, -0.07], max = [0.07, 0.1, 0.07] }} }}
[[body]]
{ball}
"#
    )
}

#[test]
fn a_light_ball_floats_on_what_it_displaces() {
    for method in METHODS {
        // From above and from below. Thicker fluid that clings to the ball would take longer to drain.
        for center in [0.12, 0.09] {
            let ball = format!(
                "shape = {{ sphere = {{ center = [0, {center}, 0], radius = 0.035 }} }}\ndensity = 500"
            );
            let mut run = scene(method, 4, &pool(2.0, &ball));
            advance(&mut run, if method == "coupled" { 60 } else { 30 });
            let frame = run.frame();
            let (fluid, all) = (of(&frame, 0), of(&frame, 1));
            // Height of the surface h and volume below it: h A = V_fluid + V_below(h).
            let volume = all.len() as f64 * 1e-6;
            let radius = (volume * 0.75 / PI).cbrt();
            let height = mean(&frame.positions, &all).y;
            let below = |h: f64| {
                let depth = (h - height + radius).clamp(0.0, 2.0 * radius);
                PI * depth * depth * (radius - depth / 3.0)
            };
            let area = 0.14 * 0.14;
            let h = (0..50).fold(0.1, |h, _| (fluid.len() as f64 * 1e-6 + below(h)) / area);
            let share = below(h) / (0.5 * volume);
            assert!((share - 1.0).abs() < 0.2, "{method} from {center}: displaces {share} of its mass");
        }
    }
}

#[test]
fn a_heavy_ball_sinks_as_stokes_says_between_walls() {
    // A ball of 3 spacings in a tank eight times as wide.
    let text = r#"
material = [{ name = "syrup", viscosity = 50 }]
[[boundary]]
shape = { box = { min = [-0.12, 0, -0.12], max = [0.12, 1, 0.12] } }
side = "inside"
[[fluid]]
material = "syrup"
shape = { box = { min = [-0.12, 0, -0.12], max = [0.12, 0.24, 0.12] } }
[[body]]
shape = { sphere = { center = [0, 0.14, 0], radius = 0.03 } }
density = 4000
"#;
    let mut run = scene("coupled", 4, text);
    let all = of(&run.frame(), 1);
    let height = |run: &Simulation| mean(&run.frame().positions, &of(&run.frame(), 1)).y;
    let start = height(&run);
    // Two of the beats that the weight of the whole pool starts with.
    advance(&mut run, 16);
    let speed = (start - height(&run)) / 0.16;
    let radius = (all.len() as f64 * 1e-6 * 0.75 / PI).cbrt();
    let stokes = 2.0 / 9.0 * 3000.0 * 9.81 * radius * radius / 50.0;
    // Faxén's correction for a cylinder of the same section.
    let ratio = radius / (0.24 / PI.sqrt());
    let expected = stokes * (1.0 - 2.104 * ratio + 2.09 * ratio.powi(3) - 0.95 * ratio.powi(5));
    assert!((speed / expected - 1.0).abs() < 0.25, "{speed} of {expected} m/s");
}

#[test]
fn a_kinematic_body_goes_its_way_and_pushes_fluid() {
    for method in METHODS {
        let extra = r#"
gravity = [0, 0, 0]
material = [{ name = "syrup", viscosity = 20 }]
[[fluid]]
material = "syrup"
shape = { box = { min = [0, -0.03, -0.03], max = [0.06, 0.03, 0.03] } }
[[body]]
kind = "kinematic"
shape = { box = { min = [-0.06, -0.05, -0.05], max = [-0.02, 0.05, 0.05] } }
motion = { velocity = [0.2, 0, 0], angular_velocity = [0.5, 0, 0] }
"#;
        let mut run = scene(method, 1, extra);
        let start = run.frame();
        let (fluid, wall) = (of(&start, 0), of(&start, 1));
        advance(&mut run, 60);
        let end = run.frame();
        let way = mean(&end.positions, &wall) - mean(&start.positions, &wall);
        assert!((way - DVec3::X * 0.12).length() < 1e-6, "{method}: {way}");
        let (sin, cos) = 0.3_f32.sin_cos();
        for &i in &wall {
            let x = start.positions[i];
            let turned = Vec3::new(x.x + 0.12, x.y * cos - x.z * sin, x.y * sin + x.z * cos);
            assert!(end.positions[i].distance(turned) < 1e-6, "{method}: {} for {turned}", end.positions[i]);
        }
        let pushed = mean(&end.velocities, &fluid).x;
        assert!((pushed - 0.2).abs() < 0.02, "{method}: fluid moves at {pushed} m/s");
        let front =
            end.positions[wall[0]].x.max(wall.iter().map(|&i| end.positions[i].x).fold(-1.0, f32::max));
        let behind = fluid.iter().filter(|&&i| end.positions[i].x < front).count();
        assert_eq!(behind, 0, "{method}");
    }
}

/// A soft cube of 6³ particles that falls on the floor from 3 cm; its edges at the start and at times after.
fn dropped(method: &str, solver: &str) -> (f64, f64, Vec<f32>) {
    let extra = format!(
        "material = [{{ name = \"syrup\", viscosity = 1 }}]\n\
         [[body]]\nkind = \"soft\"\nshape = {{ box = {{ min = [0, 0.03, 0], max = [0.06, 0.09, 0.06] }} }}\n\
         youngs_modulus = 5e4\nsolver = \"{solver}\"\niterations = 40\n\
         [[boundary]]\nshape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}\nfriction = \"slip\"\n"
    );
    let mut run = scene(method, 5, &extra);
    let start = run.frame();
    let all = of(&start, 1);
    let size = |f: &Frame| {
        let span = |k: usize| {
            let range = all.iter().map(|&i| f.positions[i][k]);
            range.clone().fold(-1.0, f32::max) - range.fold(1.0, f32::min)
        };
        Vec3::new(span(0), span(1), span(2))
    };
    let (mut flattest, mut rises) = (1.0_f64, 0.0_f64);
    for _ in 0..60 {
        advance(&mut run, 1);
        let frame = run.frame();
        flattest = flattest.min(f64::from(size(&frame).y / 0.05));
        rises = rises.max(mean(&frame.velocities, &all).y);
    }
    let end = run.frame();
    let edges = |f: &Frame| {
        let mut lengths = vec![];
        for (k, &i) in all.iter().enumerate() {
            for &j in &all[k + 1..] {
                if start.positions[i].distance(start.positions[j]) < 0.0105 {
                    lengths.push(f.positions[i].distance(f.positions[j]));
                }
            }
        }
        lengths
    };
    (flattest, rises, edges(&end))
}

#[test]
fn a_soft_cube_gives_way_bounces_and_takes_its_shape_again() {
    for method in METHODS {
        let (flattest, rises, edges) = dropped(method, "gauss_seidel");
        let worst = edges.iter().map(|l| (l / 0.01 - 1.0).abs()).fold(0.0, f32::max);
        assert!(flattest < 0.97, "{method}: pressed to {flattest}");
        assert!(rises > 0.05, "{method}: rises at {rises} m/s");
        // Its own weight presses the lowest layers by ρ g L/E = 1.2 %.
        assert!(worst < 0.02, "{method}: an edge is off by {worst}");
        let (jacobi, up, other) = dropped(method, "jacobi");
        assert!((jacobi - flattest).abs() < 0.01 && (up - rises).abs() < 0.05, "{method}: {jacobi} {up}");
        let apart = edges.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-4, "{method}: {apart} m apart");
    }
}
