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
