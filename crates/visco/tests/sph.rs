//! Plain SPH: pressure, viscosity, momentum, steps, and the front of a collapsing column.

mod common;

use common::water::{column, front_differences, momentum_change, pressure_slope, wave_decay};
use common::{advance, mean, simulation};

#[test]
fn a_column_has_its_pressure() {
    let mut run = column("sph", "");
    for r in advance(&mut run, 30) {
        assert!(r.density_error_mean < 0.02, "step {}: {}", r.step, r.density_error_mean);
    }
    let slope = pressure_slope(&mut run, 20);
    assert!((slope - 1.0).abs() < 0.2, "pressure grows with {slope} ρg");
    let end = run.frame();
    let height = mean(&end, |i| end.positions[i].y);
    assert!((height - 0.08).abs() < 0.002, "the centre is at {height} m");
}

#[test]
fn the_front_of_a_column_runs_as_martin_and_moyce_saw_it() {
    let (largest, mean) = front_differences("sph", "");
    assert!(largest < 0.15, "{largest}");
    assert!(mean < 0.08, "{mean}");
}

#[test]
fn a_shear_wave_decays_at_the_rate_of_its_viscosity() {
    for viscosity in [0.5, 4.0] {
        let ratio = wave_decay("sph", (viscosity, 1), "artificial_viscosity = 0");
        assert!((ratio - 1.0).abs() < 0.1, "{viscosity} Pa·s: {ratio}");
    }
}

#[test]
fn momentum_is_kept() {
    let change = momentum_change("sph", "");
    assert!(change < 2e-6, "{change}");
}

#[test]
fn steps_follow_sound_and_viscosity() {
    let steps = |viscosity: f64, settings: &str| {
        let mut run = simulation(&format!(
            r#"
name = "block"
method = "sph"
spacing = 0.01
gravity = [0, 0, 0]
time = {{ fps = 100, frames = 10, steps_per_frame = 1 }}
material = [{{ name = "oil", viscosity = {viscosity} }}]
fluid = [{{ material = "oil", shape = {{ box = {{ min = [0, 0, 0], max = [0.05, 0.05, 0.05] }} }} }}]
solver = {{ artificial_viscosity = 0, {settings} }}
"#
        ));
        advance(&mut run, 1).len()
    };
    // Half a support is 12 mm: 0.4 of it at 10 m/s is 0.48 ms, and a frame has 10 ms.
    assert_eq!(steps(0.0, "sound_speed = 10"), 21);
    assert_eq!(steps(0.0, "sound_speed = 20"), 42);
    assert_eq!(steps(0.0, "sound_speed = 20, courant = 0.2"), 84);
    // 0.03 h²/ν = 0.173 ms at 0.1 m²/s.
    assert_eq!(steps(100.0, "sound_speed = 10"), 58);
    assert_eq!(steps(0.0, "sound_speed = 0.1"), 1);
}
