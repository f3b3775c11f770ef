//! Particles that are held: clamped, pulled, stretched and hanging bars.

mod common;

use common::{advance, simulation};
use std::ops::ControlFlow;
use visco::{Scene, Simulation};

/// A bar of 6 × 24 × 6 particles along y, 0.24 m long, without gravity unless `extra` says so.
fn bar(viscosity: f64, extra: &str) -> String {
    format!(
        r#"
name = "bar"
method = "dcpbd"
spacing = 0.01
{extra}
[time]
fps = 100
frames = 1000
steps_per_frame = 1
[solver]
tolerance = 1e-5
max_velocity_iterations = 500
[[material]]
name = "syrup"
viscosity = {viscosity}
[[fluid]]
material = "syrup"
shape = {{ box = {{ min = [-0.03, 0, -0.03], max = [0.03, 0.24, 0.03] }} }}
"#
    )
}

const LOW: &str = "shape = { box = { min = [-0.1, 0, -0.1], max = [0.1, 0.03, 0.1] } }";
const HIGH: &str = "shape = { box = { min = [-0.1, 0.21, -0.1], max = [0.1, 0.24, 0.1] } }";

/// Mean axial stress over the particles between two heights, in Pa; the sides are free, so the pressure drops out.
fn axial_stress(run: &Simulation, from: f32, to: f32) -> f64 {
    let (stresses, p) = (run.stresses(), &run.world().particles);
    let inside: Vec<f64> = (0..p.len())
        .filter(|&i| (from..to).contains(&p.positions[i].y))
        .map(|i| f64::from(stresses[i].yy - 0.5 * (stresses[i].xx + stresses[i].zz)))
        .collect();
    inside.iter().sum::<f64>() / inside.len() as f64
}

#[test]
fn a_pulled_bar_follows_its_clamps_and_is_free_when_they_let_go() {
    let scene = bar(1000.0, "gravity = [0, 0, 0]")
        + &format!("[[grip]]\n{LOW}\n[[grip]]\n{HIGH}\nvelocity = [0, 0.1, 0]\nrelease = 0.5\n");
    let mut run = simulation(&scene);
    let start = run.frame();
    let gripped: Vec<usize> = (0..start.len()).filter(|&i| start.positions[i].y > 0.21).collect();
    assert_eq!(gripped.len(), 6 * 6 * 3);
    advance(&mut run, 50);
    let pulled = run.frame();
    for &i in &gripped {
        let way = pulled.positions[i] - start.positions[i];
        assert!(way.x.abs() < 1e-6 && (way.y - 0.05).abs() < 1e-5 && way.z.abs() < 1e-6, "{way}");
    }
    for i in (0..start.len()).filter(|&i| start.positions[i].y < 0.03) {
        assert_eq!(start.positions[i], pulled.positions[i]);
    }
    advance(&mut run, 1);
    let viscous = run.frame();
    advance(&mut run, 50);
    // Nothing pulls any more: viscosity stops the end, ρ L²/η = 0.06 s.
    let (free, end) = (run.frame(), gripped[0]);
    assert!(viscous.velocities[end].y < 0.1);
    assert!(free.velocities[end].length() < 2e-3, "{}", free.velocities[end]);
}

#[test]
fn a_bar_held_along_its_axis_is_stretched_and_gets_thinner_everywhere() {
    let grip = "hold = \"along\"\naxis = [0, 1, 0]\nstretch = { rate = 0.5, about = [0, 0.12, 0] }\n";
    let scene =
        bar(1000.0, "gravity = [0, 0, 0]") + &format!("[[grip]]\n{LOW}\n{grip}[[grip]]\n{HIGH}\n{grip}");
    let mut run = simulation(&scene);
    let start = run.frame();
    advance(&mut run, 50);
    let end = run.frame();
    let stretch = 0.25_f64.exp();
    let mut width = [[0.0_f64; 2]; 2];
    for i in 0..start.len() {
        let (x, x0) = (end.positions[i], start.positions[i]);
        let held = x0.y < 0.03 || x0.y > 0.21;
        let exact = 0.12 + f64::from(x0.y - 0.12) * stretch;
        let most = if held { 1e-5 } else { 0.004 };
        assert!((f64::from(x.y) - exact).abs() < most, "{x0} → {x} for {exact}");
        let w = &mut width[usize::from(held)];
        w[0] += f64::from(x0.x * x0.x + x0.z * x0.z);
        w[1] += f64::from(x.x * x.x + x.z * x.z);
    }
    for (w, which) in width.iter().zip(["free", "held"]) {
        let ratio = (w[1] / w[0]).sqrt() * stretch.sqrt();
        assert!((ratio - 1.0).abs() < 0.03, "{which} part: width {ratio} of that at constant volume");
    }
    let trouton = axial_stress(&run, 0.06, 0.18) / (1000.0 * 0.5);
    assert!((trouton / 3.0 - 1.0).abs() < 0.05, "{trouton} η ε̇ A");
}

#[test]
fn a_hanging_bar_carries_its_weight() {
    let scene = bar(1e4, "gravity = [0, -9.81, 0]") + &format!("[[grip]]\n{HIGH}\n");
    let mut run = simulation(&scene);
    advance(&mut run, 20);
    for (from, to) in [(0.05, 0.07), (0.11, 0.13), (0.15, 0.17)] {
        let weight = 1000.0 * 9.81 * 0.5 * (f64::from(from) + f64::from(to));
        let ratio = axial_stress(&run, from, to) / weight;
        assert!((ratio - 1.0).abs() < 0.03, "{from}–{to} m: {ratio} of the weight below");
    }
}

#[test]
fn a_grip_needs_particles_of_its_own() {
    let problem = |grips: &str| {
        let scene = Scene::from_toml(&(bar(10.0, "") + grips)).expect("a scene that passes the check");
        Simulation::new(&scene).expect_err("a grip that cannot be").to_string()
    };
    let above =
        problem("[[grip]]\nshape = { sphere = { center = [0, 0.5, 0], radius = 0.1 } }\nrelease = 1\n");
    assert!(above.starts_with("grip[0].shape: no particle's centre lies in it"), "{above}");
    assert!(above.contains("[0.000, 0.500, 0.000]"), "{above}");
    let twice = problem(&format!("[[grip]]\n{HIGH}\n[[grip]]\n{HIGH}\n"));
    assert!(twice.starts_with("grip[1].shape: overlaps grip[0] near ["), "{twice}");
}

#[test]
fn what_is_held_along_an_axis_hangs_as_what_is_held_altogether() {
    // The grip's own component must be known to the solve for the stress: else it seems to fall with the rest of the bar.
    let fall = |hold: &str| {
        let grip = format!("[[grip]]\n{HIGH}\nhold = \"{hold}\"\naxis = [0, 1, 0]\n");
        let scene = bar(1e4, "").replace("method = \"dcpbd\"", "method = \"mps\"");
        let scene = scene.replace("[solver]\ntolerance = 1e-5\nmax_velocity_iterations = 500\n", "");
        let scene = scene.replace("steps_per_frame = 1", "steps_per_frame = 4") + &grip;
        let mut run = simulation(&scene);
        advance(&mut run, 10);
        let p = &run.world().particles;
        p.velocities.iter().map(|v| -v.y).sum::<f32>() / p.len() as f32
    };
    let (all, along) = (fall("all"), fall("along"));
    assert!((along - all).abs() < 0.1 * all.abs() + 1e-3, "{along} and {all} m/s");
}

#[test]
fn what_is_held_along_an_axis_bears_a_column_by_implicit_sph() {
    // The pressure must know that the lowest layers do not yield to it downwards: else it is too small, and fluid comes in.
    let error = |hold: &str| {
        let scene = format!(
            r#"
name = "column"
method = "velocity_correction"
spacing = 0.01
time = {{ fps = 100, frames = 1000, steps_per_frame = 4 }}
material = [{{ name = "water", viscosity = 0.5 }}]
[[fluid]]
material = "water"
shape = {{ box = {{ min = [-0.03, 0, -0.03], max = [0.03, 0.24, 0.03] }} }}
[[grip]]
{LOW}
hold = "{hold}"
axis = [0, 1, 0]
[[boundary]]
shape = {{ box = {{ min = [-0.03, -0.1, -0.03], max = [0.03, 0.4, 0.03] }} }}
side = "inside"
friction = "slip"
"#
        );
        let mut run = simulation(&scene);
        let mut most = 0.0_f64;
        for _ in 0..20 {
            run.advance_frame(|step| {
                most = most.max(step.density_error_mean);
                ControlFlow::Continue(())
            })
            .expect("it runs");
        }
        most
    };
    let (all, along) = (error("all"), error("along"));
    assert!(all < 1e-3 && along < 1e-3, "{along} and {all}");
}
