//! A drop of an Oldroyd-B fluid falls on a plate, spreads and draws back (Figueiredo et al. 2016): Re 5, Wi 1, solvent
//! part 0.1, Froude number 2.26, no surface tension.

mod common;

use common::{advance, simulation};
use visco::Simulation;

/// Mean over sixteen directions of how far the drop reaches.
fn reach(run: &Simulation) -> f64 {
    const DIRECTIONS: usize = 16;
    let mut farthest = [0.0_f32; DIRECTIONS];
    for x in &run.world().particles.positions {
        let turn = x.z.atan2(x.x) / std::f32::consts::TAU + 0.5;
        let k = (turn * DIRECTIONS as f32) as usize % DIRECTIONS;
        farthest[k] = farthest[k].max(x.x.hypot(x.z));
    }
    farthest.iter().map(|r| f64::from(*r)).sum::<f64>() / DIRECTIONS as f64
}

#[test]
fn an_elastic_drop_spreads_and_draws_back() {
    // Lengths in diameters, times in diameters over the speed of impact.
    let mut run = simulation(
        r#"
name = "drop"
method = "coupled"
spacing = 0.0625
gravity = [0, -0.1958, 0]
[time]
fps = 100
frames = 1000
steps_per_frame = 1
[[material]]
name = "polymer"
viscosity = 200
solvent_viscosity = 20
relaxation_time = 1
[[fluid]]
material = "polymer"
shape = { sphere = { center = [0, 2, 0], radius = 0.5 } }
velocity = [0, -1, 0]
packing = "relaxed"
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
"#,
    );
    let start = reach(&run);
    let diameters: Vec<f64> = (0..400)
        .map(|_| {
            advance(&mut run, 1);
            reach(&run) / start
        })
        .collect();
    let largest = diameters[150..260].iter().copied().fold(0.0, f64::max);
    let smallest = diameters[260..].iter().copied().fold(f64::MAX, f64::min);
    assert!((largest / 1.714 - 1.0).abs() < 0.05, "largest diameter {largest}");
    assert!((smallest / 1.453 - 1.0).abs() < 0.05, "smallest diameter {smallest}");
}
