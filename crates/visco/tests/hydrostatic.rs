//! Fluid at rest stays at rest.

mod common;

use common::{advance, mean, simulation};
use visco::scene::{BuiltinScene, Override};
use visco::{Scene, Simulation};

#[test]
fn a_column_of_water_keeps_its_density_and_its_place() {
    let small = Override::parse("quality=small").unwrap();
    let scene = Scene::from_toml_with(BuiltinScene::find("hydrostatic").unwrap().toml, &[small]).unwrap();
    let d = scene.spacing as f32;
    let mut run = Simulation::new(&scene).unwrap();
    let start = run.frame();
    let height = |frame: &visco::Frame| mean(frame, |i| frame.positions[i].y);
    let y0 = height(&start);
    let reports = advance(&mut run, 60);
    for r in &reports {
        assert!(r.density_error_mean < 0.01, "step {}: {}", r.step, r.density_error_mean);
    }
    let end = run.frame();
    assert_eq!(end.len(), start.len());
    let inside = |x: &visco::glam::Vec3| {
        x.min_element() > 0.49 * d && x.x < 0.2 - 0.49 * d && x.z < 0.2 - 0.49 * d && x.y < 0.22
    };
    assert!(end.positions.iter().all(inside), "no leak");
    let sunk = (height(&end) - y0) / f64::from(d);
    assert!(sunk.abs() < 0.1, "the centre moved by {sunk} spacings");
    // No drift: over the last second the centre does not move, nor does the fluid circulate at speed.
    let drift = mean(&end, |i| end.velocities[i].length());
    assert!(drift < 0.05, "mean speed {drift} m/s");
    let density = mean(&end, |i| end.densities[i]);
    assert!((density / 1000.0 - 1.0).abs() < 0.01, "mean density {density}");
}

#[test]
fn a_viscous_block_rests_on_the_floor() {
    for method in ["dcpbd", "coupled"] {
        let mut run = simulation(
            &(format!("method = \"{method}\"\n")
                + r#"
name = "block"
spacing = 0.01
[time]
fps = 60
frames = 60
steps_per_frame = 2
[[material]]
name = "clay"
viscosity = 10000
[[fluid]]
material = "clay"
shape = { box = { min = [0, 0, 0], max = [0.08, 0.08, 0.08] } }
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
"#),
        );
        let start = run.frame();
        advance(&mut run, 60);
        let end = run.frame();
        let moved =
            end.positions.iter().zip(&start.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        // ρ g H/η is below 0.1/s: in one second the block sags by less than a spacing, and nothing shoots off.
        assert!(moved < 0.008, "{method}: {moved}");
    }
}

#[test]
fn thin_and_thick_fluid_side_by_side_stay_where_they_are() {
    for method in ["dcpbd", "coupled"] {
        // Without gravity nothing moves: neither in the thick fluid, which the position stage works on, nor in the thin.
        let mut run = simulation(
            &(format!("method = \"{method}\"\n")
                + r#"
name = "rest"
spacing = 0.01
gravity = [0, 0, 0]
[time]
fps = 60
frames = 20
steps_per_frame = 2
[[material]]
name = "water"
viscosity = 1e-6
[[material]]
name = "pitch"
viscosity = 1e6
[[fluid]]
material = "water"
shape = { box = { min = [0, 0, 0], max = [0.06, 0.06, 0.06] } }
[[fluid]]
material = "pitch"
shape = { box = { min = [0.06, 0, 0], max = [0.12, 0.06, 0.06] } }
"#),
        );
        let start = run.frame();
        advance(&mut run, 19);
        let end = run.frame();
        let moved =
            end.positions.iter().zip(&start.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(moved < 1e-6, "{method}: {moved}");
    }
}

/// Largest mean and single density error, and the mean density at the end, of a column of 8 × 16 × 8 particles.
fn column(viscosity: f64, steps_per_second: u32, friction: &str) -> (f64, f64, f64) {
    let mut run = simulation(&format!(
        r#"
name = "column"
method = "coupled"
spacing = 0.01
time = {{ fps = {steps_per_second}, frames = 1000, steps_per_frame = 1 }}
material = [{{ name = "fluid", viscosity = {viscosity} }}]
fluid = [{{ material = "fluid", shape = {{ box = {{ min = [0, 0, 0], max = [0.08, 0.16, 0.08] }} }} }}]
[[boundary]]
shape = {{ box = {{ min = [0, 0, 0], max = [0.08, 1, 0.08] }} }}
side = "inside"
friction = "{friction}"
"#
    ));
    let reports = advance(&mut run, steps_per_second / 3);
    let worst = |f: fn(&visco::StepReport) -> f64| reports.iter().map(f).fold(0.0, f64::max);
    let end = run.frame();
    let density = mean(&end, |i| end.densities[i] / 1000.0);
    (worst(|r| r.density_error_mean), worst(|r| r.density_error_max), density)
}

#[test]
fn thin_and_thick_columns_carry_themselves_at_any_step() {
    for (viscosity, rate) in [(0.001, 100), (0.01, 200), (1.0, 100), (1.0, 200), (100.0, 100), (0.1, 1000)] {
        for friction in ["slip", "no_slip"] {
            let (mean, most, density) = column(viscosity, rate, friction);
            let what = format!("{viscosity} Pa·s, {rate} steps a second, {friction}");
            assert!(mean < 0.03, "{what}: mean density error {mean}");
            assert!(most < 0.12, "{what}: largest density error {most}");
            assert!((density - 1.0).abs() < 0.03, "{what}: mean density {density}");
        }
    }
}
