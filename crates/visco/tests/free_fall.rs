//! Nothing acts on a body that falls freely: it keeps its shape, however stiff it is and however long it falls.

mod common;

use common::{advance, simulation};

#[test]
fn a_stiff_cube_in_free_fall_keeps_its_shape() {
    // On a lattice iterations on positions grow most easily, from rounding; G Δt²/ρd² is 58 and 58,000.
    for (method, viscosity) in [("dcpbd", 1.5e4), ("dcpbd", 1.5e7), ("coupled", 1.5e4)] {
        let mut run = simulation(&format!(
            r#"
name = "falling"
method = "{method}"
spacing = 0.025
time = {{ fps = 166.66666666666666, frames = 100, steps_per_frame = 1 }}
material = [{{ name = "stiff", viscosity = {viscosity}, relaxation_time = 0.015 }}]
[[fluid]]
material = "stiff"
shape = {{ box = {{ min = [0, 10, 0], max = [0.3, 10.3, 0.3] }} }}
"#
        ));
        let start = run.frame();
        advance(&mut run, 40);
        let end = run.frame();
        let first = (0..start.len()).find(|&i| start.ids[i] == 0).unwrap();
        let position = |frame: &visco::Frame, id: u32| {
            let i = frame.ids.iter().position(|&k| k == id).unwrap();
            frame.positions[i]
        };
        let fallen = position(&end, start.ids[first]) - start.positions[first];
        let worst = (0..start.len() as u32)
            .map(|id| (position(&end, id) - position(&start, id) - fallen).length())
            .fold(0.0, f32::max);
        assert!(worst < 1e-3 * 0.025, "{method}, {viscosity} Pa·s: {} spacings", worst / 0.025);
    }
}
