//! A nozzle delivers area × speed.

mod common;

use common::{advance, simulation};
use visco::scene::Method;

#[test]
fn two_seconds_of_pouring_give_the_volume() {
    let mut run = simulation(
        r#"
name = "pour"
spacing = 0.003
[time]
fps = 30
frames = 61
steps_per_frame = 4
[[material]]
name = "syrup"
viscosity = 50
[[emitter]]
material = "syrup"
nozzle = { disc = { radius = 0.008 } }
position = [0, 0.1, 0]
direction = [0, -1, 0]
flow_rate = 4e-5
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
"#,
    );
    advance(&mut run, 60);
    let frame = run.frame();
    let delivered = frame.positions.iter().filter(|x| x.y <= 0.1).count() as f64 * 0.003_f64.powi(3);
    assert!((delivered / (4e-5 * 2.0) - 1.0).abs() < 0.01, "{delivered} m³");
    // The fluid lies on the plate around the nozzle's axis; none of it has been thrown away.
    let farthest = frame.positions.iter().map(|x| x.x.hypot(x.z)).fold(0.0, f32::max);
    assert!(farthest < 0.12, "{farthest} m from the axis");
}

#[test]
fn a_star_that_moves_in_circles_gives_the_volume_and_lays_a_ring() {
    for method in ["dcpbd", "coupled"] {
        let mut run = simulation(&format!(
            r#"
name = "star"
method = "{method}"
spacing = 0.003
[time]
fps = 30
frames = 61
steps_per_frame = 4
[[material]]
name = "cream"
viscosity = 500
[[emitter]]
material = "cream"
nozzle = {{ star = {{ points = 5, outer_radius = 0.012, inner_radius = 0.006 }} }}
position = [0.05, 0.025, 0]
direction = [0, -1, 0]
speed = 0.15
active = [[0, 0.8], [1.0, 1.4]]
motion = {{ angular_velocity = [0, 4, 0], about = [0, 0.025, 0] }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
"#
        ));
        advance(&mut run, 45);
        let p = &run.world().particles;
        let inside = |i: &usize| p.motions[*i] != visco::particles::Motion::Free;
        let delivered = (p.len() - (0..p.len()).filter(inside).count()) as f64 * 0.003_f64.powi(3);
        let area = 5.0 * 0.012 * 0.006 * (std::f64::consts::PI / 5.0).sin();
        let exact = area * 0.15 * 1.2;
        assert!((delivered / exact - 1.0).abs() < 0.01, "{method}: {delivered} m³ for {exact}");
        // It lies around the circle that the nozzle follows, whose middle stays empty.
        let (mut nearest, mut farthest) = (f32::MAX, 0.0_f32);
        for x in &p.positions {
            nearest = nearest.min(x.x.hypot(x.z));
            farthest = farthest.max(x.x.hypot(x.z));
        }
        assert!(nearest > 0.02 && farthest < 0.09, "{method}: from {nearest} to {farthest}");
    }
}

/// A ring of 30 mm cut flat, lying on its side: an annulus.
#[test]
fn the_section_of_a_mesh_gives_its_area_times_the_speed() {
    let scene = |section: &str| {
        format!(
            r#"
name = "ring"
spacing = 0.0015
gravity = [0, 0, 0]
time = {{ fps = 20, frames = 11, steps_per_frame = 10 }}
material = [{{ name = "dough", viscosity = 50 }}]
[[emitter]]
material = "dough"
nozzle = {{ section = {{ {section} }} }}
position = [0.1, 0, 0]
direction = [1, 0, 0]
speed = 0.1
"#
        )
    };
    let mut run = simulation(&scene(
        "mesh = { made = 'torus', size = 0.03, base = [0, 1, 0] }, point = [0, 1.00375, 0], normal = [0, 1, 0]",
    ));
    advance(&mut run, 10);
    let frame = run.frame();
    let delivered = frame.positions.iter().filter(|x| x.x >= 0.1).count() as f64 * 0.0015_f64.powi(3);
    // The circles of the ring are polygons of 64 edges.
    let turn = std::f64::consts::TAU / 64.0;
    let area = 32.0 * turn.sin() * (0.015_f64.powi(2) - 0.0075_f64.powi(2));
    assert!((delivered / (area * 0.1 * 0.5) - 1.0).abs() < 0.01, "{delivered} m³ for {area} m²");
    let fresh = frame.positions.iter().filter(|x| (0.1..0.105).contains(&x.x));
    let radii: Vec<f32> = fresh.map(|x| x.y.hypot(x.z)).collect();
    assert!(radii.len() > 300 && radii.iter().all(|r| (0.0065..0.016).contains(r)), "{radii:?}");

    let problem = |section: &str| {
        let scene = visco::Scene::from_toml(&scene(section)).unwrap_or_else(|e| panic!("{e}"));
        visco::Simulation::new(&scene).map(|_| ()).expect_err("a problem").to_string()
    };
    let ring = "mesh = { made = 'torus', size = 0.03 }";
    assert_eq!(
        problem(&format!("{ring}, point = [0, 0.1, 0], normal = [0, 1, 0]")),
        "emitter[0].nozzle.section: the plane does not cut the mesh; move the point"
    );
    let grazed = problem(&format!("{ring}, point = [0.01499, 0, 0], normal = [1, 0, 0]"));
    assert!(grazed.starts_with("emitter[0].nozzle.section: its area is "), "{grazed}");
    assert_eq!(
        problem("mesh = { path = 'tip.stl' }, point = [0, 0, 0], normal = [0, 1, 0]"),
        "emitter[0].nozzle.section.mesh = \"tip.stl\": this mesh was not given along with the scene"
    );
}

/// Where the figure stands: the long leg of a letter is up, and its foot to the right as seen by the flow's back.
#[test]
fn a_section_is_turned_as_the_nozzle_is() {
    let mut run = simulation(
        r#"
name = "letter"
spacing = 0.001
gravity = [0, 0, 0]
time = { fps = 100, frames = 6, steps_per_frame = 2 }
material = [{ name = "dough", viscosity = 50 }]
[[emitter]]
material = "dough"
nozzle = { section = { mesh = { made = "letters", text = "L", size = 0.03, center = [0, 0, 0] }, point = [0, 0, 0], normal = [0, 0, 1] } }
position = [0, 0, 0]
direction = [0, 0, 1]
speed = 0.1
"#,
    );
    advance(&mut run, 5);
    let frame = run.frame();
    let count = |quarter: fn(f32, f32) -> bool| frame.positions.iter().filter(|x| quarter(x.x, x.y)).count();
    // Seen from +z, where letters are read: the stem is left, the foot is right and below.
    let upper_left = count(|x, y| x < 0.0 && y > 0.0);
    let lower_right = count(|x, y| x > 0.003 && y < -0.009);
    let upper_right = count(|x, y| x > 0.003 && y > -0.005);
    assert!(upper_left > 100 && lower_right > 30, "{upper_left} {lower_right}");
    assert_eq!(upper_right, 0);
}

/// A jet falls: no particle is much faster than what has fallen farthest, by any method.
#[test]
fn a_falling_jet_gets_no_energy_from_its_nozzle() {
    for method in Method::ALL.map(Method::name) {
        let mut run = simulation(&format!(
            r#"
name = "jet"
method = "{method}"
spacing = 0.004
time = {{ fps = 60, frames = 100, steps_per_frame = 4 }}
[[material]]
name = "honey"
viscosity = 1
[[emitter]]
material = "honey"
nozzle = {{ disc = {{ radius = 0.016 }} }}
position = [0, 0.2, 0]
direction = [0, -1, 0]
speed = 0.3
"#
        ));
        for frame in 0..24 {
            advance(&mut run, 1);
            let p = &run.world().particles;
            let lowest = p.positions.iter().map(|x| x.y).fold(0.2, f32::min);
            let fall = (0.3_f32.powi(2) + 2.0 * 9.81 * (0.2 - lowest)).sqrt();
            let fastest = p.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
            assert!(fastest < 1.2 * fall + 0.1, "{method}, frame {frame}: {fastest} m/s, not {fall}");
        }
    }
}
