//! Walls hold at any time step, and friction is what its coefficient says.

mod common;

use common::{advance, mean, simulation};
use visco::glam::Vec3;

/// Shoots a block of water at a boundary with long steps; returns where its particles are, with either method.
fn shoot(boundary: &str, velocity: &str, viscosity: f64) -> Vec<Vec3> {
    ["dcpbd", "coupled"].iter().flat_map(|method| shoot_by(method, boundary, velocity, viscosity)).collect()
}

fn shoot_by(method: &str, boundary: &str, velocity: &str, viscosity: f64) -> Vec<Vec3> {
    let mut run = simulation(&format!(
        r#"
name = "shot"
method = "{method}"
spacing = 0.02
gravity = [0, -9.81, 0]
[time]
fps = 30
frames = 30
steps_per_frame = 1
[[material]]
name = "water"
viscosity = {viscosity}
[[fluid]]
material = "water"
shape = {{ box = {{ min = [-0.08, 0.3, -0.08], max = [0.08, 0.46, 0.08] }} }}
velocity = {velocity}
[[boundary]]
{boundary}
"#
    ));
    let mut all = Vec::new();
    for _ in 0..25 {
        advance(&mut run, 1);
        all.extend(run.frame().positions);
    }
    all
}

#[test]
fn nothing_passes_a_plane() {
    for viscosity in [0.0, 0.001, 50.0, 1e5] {
        let plane = "shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }";
        let lowest = shoot(plane, "[3, -20, 0]", viscosity).iter().map(|x| x.y).fold(f32::MAX, f32::min);
        assert!(lowest > 0.0099, "viscosity {viscosity}: {lowest}");
    }
}

#[test]
fn nothing_leaves_a_container() {
    let shapes = [
        "{ box = { min = [-0.3, 0, -0.3], max = [0.3, 0.8, 0.3] } }",
        "{ sphere = { center = [0, 0.4, 0], radius = 0.5 } }",
        "{ cylinder = { start = [0, 0, 0], end = [0, 0.8, 0], radius = 0.4 } }",
    ];
    for shape in shapes {
        for viscosity in [0.001, 1000.0] {
            let wall = format!("shape = {shape}\nside = \"inside\"");
            let outside = |x: &Vec3| match shape.as_bytes()[2] {
                b'b' => x.x.abs().max(x.z.abs()) > 0.2901 || x.y < 0.0099 || x.y > 0.7901,
                b's' => x.distance(Vec3::Y * 0.4) > 0.4901,
                _ => x.x.hypot(x.z) > 0.3901 || x.y < 0.0099 || x.y > 0.7901,
            };
            let out = shoot(&wall, "[7, -15, 4]", viscosity).into_iter().find(outside);
            assert_eq!(out, None, "{shape}, viscosity {viscosity}");
        }
    }
}

#[test]
fn nothing_enters_or_jumps_across_an_obstacle() {
    // At three spacings a step a particle moves 60 mm: far more than the plate is thick.
    let plate = "shape = { box = { min = [-50, 0.1, -50], max = [50, 0.104, 50] } }";
    let lowest = shoot(plate, "[0, -20, 0]", 0.01).iter().map(|x| x.y).fold(f32::MAX, f32::min);
    assert!(lowest > 0.104 + 0.0099, "{lowest}");
    let ball = "shape = { sphere = { center = [0, 0.1, 0], radius = 0.12 } }";
    let nearest =
        shoot(ball, "[0, -20, 0]", 0.01).iter().map(|x| x.distance(Vec3::Y * 0.1)).fold(f32::MAX, f32::min);
    assert!(nearest > 0.12 + 0.0099, "{nearest}");
    let rod = "shape = { cylinder = { start = [-1, 0.1, 0], end = [1, 0.1, 0], radius = 0.05 } }";
    let nearest =
        shoot(rod, "[0, -20, 0]", 0.01).iter().map(|x| (x.y - 0.1).hypot(x.z)).fold(f32::MAX, f32::min);
    assert!(nearest > 0.05 + 0.0099, "{nearest}");
}

/// Slides a stiff block along a floor; returns its way after half a second.
fn slide(method: &str, friction: &str, solver: &str) -> f64 {
    let mut run = simulation(&format!(
        r#"
name = "slide"
method = "{method}"
spacing = 0.02
[time]
fps = 120
frames = 61
steps_per_frame = 2
[solver]
{solver}
[[material]]
name = "clay"
viscosity = 1e5
[[fluid]]
material = "clay"
shape = {{ box = {{ min = [0, 0, 0], max = [0.2, 0.06, 0.2] }} }}
velocity = [1, 0, 0]
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
friction = {friction}
"#
    ));
    let start = mean(&run.frame(), |i| run.frame().positions[i].x);
    advance(&mut run, 60);
    let end = run.frame();
    mean(&end, |i| end.positions[i].x) - start
}

#[test]
fn friction_stops_a_block_as_coulomb_says() {
    let (mu, g): (f64, f64) = (0.3, 9.81);
    // It stops after 1/(μ g) = 0.34 s and v²/(2 μ g) of way.
    let exact = 1.0 / (2.0 * mu * g);
    let way = slide("dcpbd", "0.3", "max_velocity_iterations = 300");
    assert!((way / exact - 1.0).abs() < 0.05, "{way} m for {exact} m");
    let way = slide("dcpbd", "0.3", "velocity_solver = \"jacobi\"");
    assert!((way / exact - 1.0).abs() < 0.25, "Jacobi: {way} m for {exact} m");
    let way = slide("coupled", "0.3", "");
    assert!((way / exact - 1.0).abs() < 0.1, "coupled: {way} m for {exact} m");
}

#[test]
fn slip_does_not_slow_and_no_slip_stops_at_once() {
    for method in ["dcpbd", "coupled"] {
        let free = slide(method, "\"slip\"", "");
        assert!((free / 0.5 - 1.0).abs() < 0.01, "{method}: {free}");
        let stuck = slide(method, "\"no_slip\"", "");
        assert!(stuck < 0.02, "{method}: {stuck}");
    }
}
