//! A nozzle delivers area × speed.

mod common;

use common::{advance, simulation};

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
