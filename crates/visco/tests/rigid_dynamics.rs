//! Rigid bodies that forces move: they meet each other and walls of every shape, and rub.

mod common;

use common::bodies::{body, mean};
use common::{advance, simulation};
use visco::glam::DVec3;
use visco::{Changes, Simulation};

/// Methods in which fluid acts on bodies by forces.
const METHODS: [&str; 3] = ["velocity_correction", "sph", "mps"];

/// A scene with 1 cm particles and 500 steps a second; `extra` are its bodies, fluids and walls.
fn scene(method: &str, extra: &str) -> Simulation {
    simulation(&format!(
        r#"
name = "rigid"
method = "{method}"
spacing = 0.01
time = {{ fps = 100, frames = 10000, steps_per_frame = 5 }}
material = [{{ name = "water", viscosity = 0.001, density = 1000 }}]
{extra}
"#
    ))
}

const FLOOR: &str = r#"
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
friction = 0.5
"#;

fn center(run: &Simulation, index: u8) -> DVec3 {
    let frame = run.frame();
    mean(&frame.positions, &body(&frame, index))
}

fn velocity(run: &Simulation, index: u8) -> DVec3 {
    let frame = run.frame();
    mean(&frame.velocities, &body(&frame, index))
}

fn fastest(run: &Simulation) -> f32 {
    run.frame().velocities.iter().map(|v| v.length()).fold(0.0, f32::max)
}

#[test]
fn a_tower_of_boxes_stands() {
    for method in METHODS {
        let boxes: String = (0..4)
            .map(|k| {
                let (low, high) = (0.045 * f64::from(k), 0.045 * f64::from(k) + 0.04);
                format!(
                    "[[body]]\nshape = {{ box = {{ min = [0, {low}, 0], max = [0.06, {high}, 0.06] }} }}\n"
                )
            })
            .collect();
        let mut run = scene(method, &(boxes + FLOOR));
        advance(&mut run, 150);
        for k in 0..4 {
            let at = center(&run, k);
            let expected = DVec3::new(0.03, 0.02 + 0.04 * f64::from(k), 0.03);
            assert!((at - expected).length() < 1e-3, "{method}: box {k} at {at}");
        }
        assert!(fastest(&run) < 2e-3, "{method}: {} m/s", fastest(&run));
    }
}

#[test]
fn bodies_that_collide_keep_their_momentum_and_go_on_together() {
    let text = r#"
gravity = [0, 0, 0]
[[body]]
shape = { sphere = { center = [0, 0, 0], radius = 0.04 } }
velocity = [1, 0, 0]
[[body]]
shape = { sphere = { center = [0.12, 0, 0], radius = 0.04 } }
density = 3000
"#;
    for method in METHODS {
        let mut run = scene(method, text);
        advance(&mut run, 20);
        let (one, other) = (velocity(&run, 0), velocity(&run, 1));
        // Masses 1 : 3, and nothing bounces.
        assert!((one - DVec3::X * 0.25).length() < 2e-3, "{method}: {one}");
        assert!((other - DVec3::X * 0.25).length() < 2e-3, "{method}: {other}");
        let apart = (center(&run, 1) - center(&run, 0)).length();
        assert!((apart - 0.08).abs() < 5e-4, "{method}: {apart} m apart");
    }
}

#[test]
fn a_box_slides_over_another_as_coulomb_says() {
    let text = |mu: f64| {
        format!(
            "[[body]]\nkind = \"kinematic\"\nshape = {{ box = {{ min = [-0.1, 0, -0.1], max = [0.5, 0.04, 0.1] }} }}\n\
             [[body]]\nshape = {{ box = {{ min = [0, 0.04, -0.04], max = [0.08, 0.08, 0.04] }} }}\n\
             friction = {mu}\nvelocity = [1, 0, 0]\n"
        )
    };
    for mu in [0.2, 0.4] {
        let mut run = scene("velocity_correction", &text(mu));
        let start = center(&run, 1);
        advance(&mut run, 80);
        let way = (center(&run, 1) - start).x;
        let expected = 1.0 / (2.0 * mu * 9.81);
        assert!((way / expected - 1.0).abs() < 0.03, "friction {mu}: {way} of {expected} m");
        assert!(velocity(&run, 1).length() < 1e-3, "friction {mu}");
    }
}

#[test]
fn a_box_on_a_slope_holds_or_slides() {
    // 20 degrees, whose tangent is 0.364.
    let slope = r#"
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [-0.34202, 0.93969, 0] } }
"#;
    let text = |mu: f64| {
        format!(
            "[[body]]\nshape = {{ box = {{ min = [0, 0.014, 0], max = [0.06, 0.044, 0.06] }} }}\n\
             rotate = {{ axis = [0, 0, 1], degrees = 20 }}\nfriction = {mu}\n{slope}"
        )
    };
    let slid = |mu: f64, frames: u32| {
        let mut run = scene("velocity_correction", &text(mu));
        advance(&mut run, 20);
        let (from, speed) = (center(&run, 0), velocity(&run, 0).length());
        advance(&mut run, frames);
        ((center(&run, 0) - from).length(), speed, velocity(&run, 0).length())
    };
    let (way, _, speed) = slid(0.5, 50);
    assert!(way < 2e-4 && speed < 1e-3, "holds: {way} m, {speed} m/s");
    let (_, before, after) = slid(0.2, 30);
    let expected = 9.81 * (0.34202 - 0.2 * 0.93969);
    let measured = (after - before) / 0.3;
    assert!((measured / expected - 1.0).abs() < 0.02, "slides at {measured} of {expected} m/s²");
}

#[test]
fn containers_of_every_shape_hold_a_body() {
    let containers = [
        "box = { min = [-0.15, 0, -0.15], max = [0.15, 0.3, 0.15] }",
        "sphere = { center = [0, 0.15, 0], radius = 0.15 }",
        "cylinder = { start = [0, 0, 0], end = [0, 0.3, 0], radius = 0.15 }",
        "capsule = { start = [-0.05, 0.15, 0], end = [0.05, 0.15, 0], radius = 0.15 }",
        "cone = { start = [0, 0, 0], end = [0, 0.3, 0], start_radius = 0.08, end_radius = 0.2 }",
    ];
    for shape in containers {
        let text = format!(
            "[[body]]\nshape = {{ box = {{ min = [-0.03, 0.1, -0.02], max = [0.02, 0.13, 0.02] }} }}\n\
             velocity = [0.8, 0, 0.5]\nangular_velocity = [3, 0, 8]\n\
             [[boundary]]\nshape = {{ {shape} }}\nside = \"inside\"\nfriction = 0.3\n"
        );
        let mut run = scene("velocity_correction", &text);
        advance(&mut run, 200);
        let frame = run.frame();
        let nearest = frame
            .positions
            .iter()
            .flat_map(|x| run.world().boundary.near(*x, 1.0).as_slice().to_vec())
            .map(|c| c.point.distance)
            .fold(f32::INFINITY, f32::min);
        assert!((0.002..0.008).contains(&nearest), "{shape}: {nearest} m from it");
        assert!(fastest(&run) < 0.15, "{shape}: {} m/s", fastest(&run));
    }
}

#[test]
fn a_body_with_a_hole_is_not_filled() {
    // A ring falls over a post.
    let text = format!(
        "[[body]]\nshape = {{ mesh = {{ made = \"torus\", size = 0.2, center = [0, 0.2, 0] }} }}\n\
         [[boundary]]\nshape = {{ cylinder = {{ start = [0, -0.1, 0], end = [0, 0.12, 0], radius = 0.02 }} }}\n{FLOOR}"
    );
    let mut run = scene("velocity_correction", &text);
    advance(&mut run, 60);
    let at = center(&run, 0);
    assert!(at.y < 0.05, "the ring lies at {at}");
}

#[test]
fn a_body_is_carried_by_a_belt_and_by_a_moving_floor() {
    let on = |floor: &str| {
        let text = format!(
            "[[body]]\nshape = {{ box = {{ min = [0, 0, 0], max = [0.06, 0.04, 0.06] }} }}\nfriction = 0.5\n{floor}"
        );
        let mut run = scene("velocity_correction", &text);
        advance(&mut run, 50);
        velocity(&run, 0)
    };
    let belt = on(
        "[[boundary]]\nshape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }\nvelocity = [0.3, 0, 0]\n",
    );
    assert!((belt - DVec3::X * 0.3).length() < 3e-3, "{belt}");
    let moving = on("[[boundary]]\nshape = { box = { min = [-1, -0.2, -1], max = [1, 0, 1] } }\n\
         motion = { velocity = [0, 0.1, 0.2] }\n");
    assert!((moving - DVec3::new(0.0, 0.1, 0.2)).length() < 3e-3, "{moving}");
}

#[test]
fn a_run_is_the_same_after_a_checkpoint() {
    let text = format!(
        "[[body]]\nshape = {{ box = {{ min = [0, 0.02, 0], max = [0.06, 0.06, 0.06] }} }}\nangular_velocity = [1, 2, 3]\n\
         [[body]]\nshape = {{ sphere = {{ center = [0.03, 0.12, 0.05], radius = 0.03 }} }}\n{FLOOR}"
    );
    for method in METHODS {
        let mut whole = scene(method, &text);
        advance(&mut whole, 10);
        let checkpoint = whole.checkpoint();
        advance(&mut whole, 10);
        let mut resumed = scene(method, &text);
        resumed.restore(&checkpoint, Changes::Refused).expect("the same scene");
        advance(&mut resumed, 10);
        assert_eq!(whole.frame().hash(), resumed.frame().hash(), "{method}");
    }
}
