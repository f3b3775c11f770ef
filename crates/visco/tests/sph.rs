//! Plain SPH: pressure, viscosity, momentum, steps, and the front of a collapsing column.

mod common;

use common::water::{column, front_differences, momentum_change, pressure_slope, wave_decay};
use common::{advance, mean, simulation};
use visco::{Changes, Checkpoint, Simulation};

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

/// Two materials, a nozzle, a wall with no slip that moves and a body.
const SCENE: &str = r#"
name = "all"
method = "sph"
spacing = 0.01
time = { fps = 200, frames = 20, steps_per_frame = 1 }
material = [{ name = "water", viscosity = 0.001 }, { name = "oil", viscosity = 0.5, density = 800, surface_tension = 0.03 }]
[[fluid]]
material = "water"
jitter = 0.1
shape = { box = { min = [0, 0, 0], max = [0.12, 0.05, 0.08] } }
[[emitter]]
material = "oil"
nozzle = { disc = { radius = 0.02 } }
position = [0.04, 0.1, 0.04]
direction = [0, -1, 0]
speed = 0.8
[[body]]
shape = { sphere = { center = [0.09, 0.08, 0.04], radius = 0.02 } }
density = 500
[[boundary]]
shape = { box = { min = [0, 0, 0], max = [0.12, 0.3, 0.08] } }
side = "inside"
friction = "no_slip"
motion = { keys = [{ time = 0 }, { time = 0.1, translate = [0.02, 0.01, 0] }] }
"#;

#[test]
fn frames_are_the_same_for_any_number_of_threads_and_after_a_checkpoint() {
    let hashes = |threads: usize, resumes: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut run = simulation(SCENE);
            let hash = |k: usize| {
                if resumes && k % 3 == 1 {
                    run = resumed(&run);
                }
                advance(&mut run, 1);
                run.frame().hash()
            };
            (0..10).map(hash).collect::<Vec<u64>>()
        })
    };
    let one = hashes(1, false);
    assert!(one.windows(2).all(|pair| pair[0] != pair[1]), "every frame differs from the one before");
    for (threads, resumes) in [(2, false), (3, false), (1, true)] {
        assert_eq!(hashes(threads, resumes), one, "{threads} threads, resumed: {resumes}");
    }
}

/// A new simulation from a checkpoint of one.
fn resumed(run: &Simulation) -> Simulation {
    let mut bytes = Vec::new();
    run.checkpoint().write(&mut bytes).unwrap();
    let mut new = simulation(SCENE);
    new.restore(&Checkpoint::read(&bytes[..]).unwrap(), Changes::Refused).unwrap();
    assert_eq!(new.pressures(), run.pressures());
    new
}
