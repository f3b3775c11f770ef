//! Position-based fluids: density, clustering, eddies, viscosity, and the front of a collapsing column.

mod common;

use common::water::{column, front_differences, momentum_change, pressure_slope, wave_decay};
use common::{advance, mean, simulation};
use visco::{Simulation, StepReport};

#[test]
fn a_column_keeps_its_density_and_has_its_pressure() {
    let mut run = column("pbf", "");
    let reports = advance(&mut run, 60);
    for r in &reports {
        assert!(r.density_error_mean < 0.01, "step {}: {}", r.step, r.density_error_mean);
        assert!(r.density_error_max < 0.1, "step {}: {}", r.step, r.density_error_max);
    }
    let slope = pressure_slope(&mut run, 40);
    assert!((slope - 1.0).abs() < 0.2, "pressure grows with {slope} ρg");
    let end = run.frame();
    let height = mean(&end, |i| end.positions[i].y);
    assert!((height - 0.08).abs() < 0.002, "the centre is at {height} m");
    let density = mean(&end, |i| end.densities[i]);
    assert!((density / 1000.0 - 1.0).abs() < 0.01, "{density}");
}

#[test]
fn iterations_follow_the_error() {
    let run = |tolerance: f64| {
        let mut run = column("pbf", &format!("iterations = 2, density_tolerance = {tolerance}"));
        advance(&mut run, 30)
    };
    let mean = |reports: &[StepReport]| {
        reports.iter().map(|r| f64::from(r.position_iterations)).sum::<f64>() / reports.len() as f64
    };
    let (coarse, fine) = (run(3e-3), run(3e-4));
    for (reports, tolerance) in [(&coarse, 3e-3), (&fine, 3e-4)] {
        for r in reports {
            assert!(r.position_iterations >= 2 && r.position_iterations <= 200);
            let reached = r.velocity_residual <= tolerance || r.position_iterations == 200;
            assert!(reached, "step {}: {} left", r.step, r.velocity_residual);
            // What the solve calls its error is the error of the particles.
            assert!((r.velocity_residual - r.density_error_mean).abs() < 1e-6);
        }
    }
    let (a, b) = (mean(&coarse), mean(&fine));
    assert!(b > 2.0 * a, "{a} and {b} iterations");
}

#[test]
fn the_front_of_a_column_runs_as_martin_and_moyce_saw_it() {
    let (largest, mean) = front_differences("pbf", "");
    // The gate of the experiment takes its time: simulations are ahead at first.
    assert!(largest < 0.13, "{largest}");
    assert!(mean < 0.09, "{mean}");
}

#[test]
fn a_shear_wave_decays_at_the_rate_of_its_viscosity() {
    // Without the tensile correction, beside whose force so slow a wave is nothing.
    for (viscosity, steps) in [(0.5, 1), (0.5, 4), (2.0, 2)] {
        let ratio = wave_decay("pbf", (viscosity, steps), "xsph = 0, tensile_strength = 0");
        assert!((ratio - 1.0).abs() < 0.08, "{viscosity} Pa·s, {steps} steps a frame: {ratio}");
    }
    // The least coefficient alone, c = 0.2, is ν = c Σ V W r²/(6 Δt), with the sum over the rest lattice.
    let of_coefficient = wave_decay("pbf", (1e-3, 2), "xsph = 0.2, tensile_strength = 0") * 1e-6;
    let kernel = visco::kernel::Kernel::new(0.01, 0.022);
    let mut sum = 0.0;
    for k in 0..343_i32 {
        let (i, j, l) = (k / 49 - 3, k / 7 % 7 - 3, k % 7 - 3);
        let r = 0.01 * ((i * i + j * j + l * l) as f32).sqrt();
        sum += f64::from(kernel.w(r) / kernel.lattice_sum() * r * r);
    }
    let expected = 0.2 * sum / (6.0 * 0.005);
    assert!((of_coefficient / expected - 1.0).abs() < 0.08, "{of_coefficient} and {expected} m²/s");
}

#[test]
fn momentum_is_kept() {
    for settings in [
        "",
        "vorticity_confinement = 0.1",
        "tensile_strength = 0.1, density_tolerance = 1e-3",
        "viscosity = \"lengths\"",
        "viscosity = \"reconstruction\"",
        "viscosity = \"stress\"",
    ] {
        let change = momentum_change("pbf", settings);
        assert!(change < 2e-6, "{settings}: {change}");
    }
}

/// A spinning block with a handle, without gravity.
fn eddy(settings: &str) -> Simulation {
    simulation(&format!(
        r#"
name = "eddy"
method = "pbf"
spacing = 0.01
gravity = [0, 0, 0]
time = {{ fps = 100, frames = 1000, steps_per_frame = 2 }}
material = [{{ name = "water", viscosity = 0.001 }}]
solver = {{ density = "equality", softness = 5, tensile_strength = 0.1, {settings} }}
[[fluid]]
material = "water"
angular_velocity = [0, 0, 4]
shape = {{ box = {{ min = [0, 0, 0], max = [0.1, 0.08, 0.06] }} }}
[[fluid]]
material = "water"
shape = {{ box = {{ min = [0.1, 0, 0], max = [0.16, 0.03, 0.06] }} }}
"#
    ))
}

#[test]
fn vorticity_confinement_feeds_an_eddy_and_moves_nothing() {
    let energy = |reports: &[StepReport]| reports.last().expect("steps").kinetic_energy;
    let plain = advance(&mut eddy(""), 15);
    let confined = advance(&mut eddy("vorticity_confinement = 0.05"), 15);
    let ratio = energy(&confined) / energy(&plain);
    assert!(ratio > 1.1, "kinetic energy {ratio} times as large");
    // Against the sum of all speeds: mass times √(2E/m).
    let mass = 1000.0 * (0.1 * 0.08 + 0.06 * 0.03) * 0.06;
    let scale = (2.0 * energy(&confined) * mass).sqrt();
    for r in &confined {
        for k in 0..3 {
            let change = (r.momentum[k] - confined[0].momentum[k]).abs() / scale;
            assert!(change < 1e-5, "step {}: {change}", r.step);
        }
    }
}

#[test]
fn the_tensile_correction_parts_particles() {
    // A thin bar under an equality, which pulls at its surface. Distances of nearest particles, in spacings, in order.
    let distances = |strength: f64| {
        let mut run = simulation(&format!(
            r#"
name = "bar"
method = "pbf"
spacing = 0.01
gravity = [0, 0, 0]
time = {{ fps = 100, frames = 1000, steps_per_frame = 2 }}
material = [{{ name = "water", viscosity = 0.001 }}]
solver = {{ density = "equality", softness = 1, tensile_strength = {strength} }}
fluid = [{{ material = "water", jitter = 0.1, shape = {{ box = {{ min = [0, 0, 0], max = [0.3, 0.04, 0.04] }} }} }}]
"#
        ));
        advance(&mut run, 60);
        let x = run.frame().positions;
        let nearest = |i: usize| {
            let others = x.iter().enumerate().filter(|(j, _)| *j != i);
            others.map(|(_, y)| x[i].distance(*y)).fold(f32::INFINITY, f32::min) / 0.01
        };
        let mut nearest: Vec<f32> = (0..x.len()).map(nearest).collect();
        nearest.sort_by(f32::total_cmp);
        nearest
    };
    let (without, with) = (distances(0.0), distances(0.1));
    let half = with.len() / 2;
    assert!(without[0] < 0.2 && without[half] < 0.55, "{} {}", without[0], without[half]);
    assert!(with[0] > 0.35 && with[half] > 0.7, "{} {}", with[0], with[half]);
}

#[test]
fn an_explicit_stress_has_its_viscosity() {
    // One spacing of 24 in a wave: what the gradient of the gradient misses is (k d)²/6 or so.
    for (viscosity, steps) in [(0.5, 1), (2.0, 2)] {
        let settings = "viscosity = \"stress\", xsph = 0, tensile_strength = 0";
        let ratio = wave_decay("pbf", (viscosity, steps), settings);
        assert!((ratio - 1.0).abs() < 0.1, "{viscosity} Pa·s, {steps} steps a frame: {ratio}");
    }
}

#[test]
fn a_reconstruction_takes_its_part_of_the_shear_from_a_wave() {
    // Half of its gradient is spin: (1 + ξ)/2 is left after a step, ξ = 1/(1 + 10 ν Δt/h²), whatever the length of the wave;
    // beside that the kernel smooths.
    let settings = "viscosity = \"reconstruction\", xsph = 0, tensile_strength = 0";
    let (dt, h) = (0.005, 0.022_f64);
    let per_step = |viscosity: f64| {
        let of_viscosity = viscosity / 1000.0 * (std::f64::consts::TAU / 0.24).powi(2) * dt;
        wave_decay("pbf", (viscosity, 2), settings) * of_viscosity
    };
    let smoothing = per_step(1e-6);
    assert!(smoothing < 0.03, "{smoothing}");
    let viscosity: f64 = 1.0;
    let xi = 1.0 / (1.0 + 10.0 * viscosity / 1000.0 * dt / (h * h));
    let ratio = (per_step(viscosity) - smoothing) / -(0.5 * (1.0 + xi)).ln();
    assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
}

/// A beam of 10⁶ Pa·s that turns once a second, or rests.
fn beam(solver: &str, turns: bool) -> Simulation {
    let spin = if turns { std::f64::consts::TAU } else { 0.0 };
    simulation(&format!(
        r#"
name = "beam"
spacing = 0.1
gravity = [0, 0, 0]
time = {{ fps = 30, frames = 100, steps_per_frame = 4 }}
material = [{{ name = "tar", viscosity = 1e6 }}]
{solver}
fluid = [{{ material = "tar", angular_velocity = [0, {spin}, 0], shape = {{ box = {{ min = [0, 0, 0], max = [1.2, 0.4, 0.4] }} }} }}]
"#
    ))
}

/// Largest change of the distance of two particles in a second, of pairs along the beam, in spacings; after a second in
/// which an equality of the density draws the lattice together at its surface.
fn stretch(mut run: Simulation) -> f32 {
    advance(&mut run, 30);
    let start = run.frame().positions;
    advance(&mut run, 30);
    let end = run.frame().positions;
    let pairs = (0..start.len()).map(|i| (i, start.len() - 1 - i));
    pairs
        .map(|(i, j)| (end[i].distance(end[j]) - start[i].distance(start[j])).abs() / 0.1)
        .fold(0.0, f32::max)
}

#[test]
fn velocities_alone_do_not_keep_a_spinning_beam_in_shape() {
    let settings = "density = \"equality\", softness = 1, iterations = 40";
    let solver = format!("method = \"pbf\"\nsolver = {{ viscosity = \"reconstruction\", {settings} }}");
    let (theirs, resting) = (stretch(beam(&solver, true)), stretch(beam(&solver, false)));
    let ours = stretch(beam("method = \"coupled\"", true));
    assert!(ours < 0.2, "{ours}");
    assert!(theirs > 3.0 * ours && theirs > 3.0 * resting, "{theirs}, {ours}, at rest {resting} spacings");
}

#[test]
fn a_stress_is_stored_and_goes_on() {
    let scene = r#"
name = "block"
method = "pbf"
spacing = 0.01
time = { fps = 100, frames = 20, steps_per_frame = 1 }
material = [{ name = "slime", shear_modulus = 200, relaxation_time = 0.1 }]
solver = { viscosity = "stress" }
boundary = [{ shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } } }]
fluid = [{ material = "slime", velocity = [0.1, -0.5, 0], jitter = 0.1, shape = { box = { min = [0, 0, 0], max = [0.05, 0.05, 0.05] } } }]
"#;
    let mut whole = simulation(scene);
    let reports = advance(&mut whole, 4);
    assert!(reports.len() > 4, "steps follow the elastic waves");
    assert!(whole.frame().conformations.is_some_and(|q| q.iter().any(|q| (q[1] - 1.0).abs() > 0.01)));
    let stored = whole.checkpoint();
    let mut resumed = simulation(scene);
    resumed.restore(&stored, visco::Changes::Refused).expect("its own checkpoint");
    advance(&mut whole, 3);
    advance(&mut resumed, 3);
    assert_eq!(whole.frame().hash(), resumed.frame().hash());
    // What remembers nothing has no place for it.
    let mut other = simulation(&scene.replace("\"stress\"", "\"xsph\""));
    assert!(other.restore(&stored, visco::Changes::Allowed).is_err());
}
