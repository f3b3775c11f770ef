//! Position-based fluids: density, clustering, eddies, viscosity, and the front of a collapsing column.

mod common;

use common::{advance, mean, simulation};
use std::f64::consts::TAU;
use visco::Simulation;

fn column(settings: &str) -> Simulation {
    simulation(&format!(
        r#"
name = "column"
method = "pbf"
spacing = 0.01
time = {{ fps = 100, frames = 1000, steps_per_frame = 4 }}
material = [{{ name = "water", viscosity = 0.001 }}]
fluid = [{{ material = "water", shape = {{ box = {{ min = [0, 0, 0], max = [0.08, 0.16, 0.08] }} }} }}]
solver = {{ {settings} }}
[[boundary]]
shape = {{ box = {{ min = [0, 0, 0], max = [0.08, 1, 0.08] }} }}
side = "inside"
friction = "slip"
"#
    ))
}

#[test]
fn explore_column() {
    for settings in ["", "iterations = 20", "density_tolerance = 1e-3", "tensile_strength = 0.1", "softness = 0.0", "density = \"equality\", softness = 1", "density = \"equality\", softness = 5"] {
        let mut run = column(settings);
        let Ok(reports) = common::try_advance(&mut run, 60) else { println!("{settings}: FAILED"); continue };
        let late = &reports[120..];
        let worst = late.iter().map(|r| r.density_error_mean).fold(0.0, f64::max);
        let most = late.iter().map(|r| r.density_error_max).fold(0.0, f64::max);
        let its = late.iter().map(|r| f64::from(r.position_iterations)).sum::<f64>() / late.len() as f64;
        let end = run.frame();
        let y = mean(&end, |i| end.positions[i].y);
        let speed = mean(&end, |i| end.velocities[i].length());
        let density = mean(&end, |i| end.densities[i]);
        // pressure slope
        let p = run.pressures().unwrap();
        let x = &run.world().particles.positions;
        let (mut sxy, mut sxx) = (0.0, 0.0);
        for i in 0..x.len() { let depth = 0.16 - f64::from(x[i].y); sxy += depth * f64::from(p[i]); sxx += depth*depth; }
        println!("{settings}: err {worst:.5} max {most:.4} its {its:.1} y {y:.4} speed {speed:.4} rho {density:.1} dp/dz/(rho g) {:.3}", sxy/sxx/9810.0);
    }
}

#[test]
fn explore_dam() {
    const TABLE: [(f64, f64); 15] = [(0.41, 1.11),(0.84,1.22),(1.19,1.44),(1.43,1.67),(1.63,1.89),(1.83,2.11),(1.98,2.33),(2.20,2.56),(2.32,2.78),(2.51,3.00),(2.65,3.22),(2.83,3.44),(2.97,3.67),(3.11,3.89),(3.33,4.11)];
    for (settings, spacing, steps) in [("", 0.00625, 1), ("", 0.00625, 4)] {
        let depth = 6.0 * spacing;
        let mut run = simulation(&format!(
        r#"
name = "dam"
method = "pbf"
spacing = {spacing}
time = {{ fps = 500, frames = 1000, steps_per_frame = {steps} }}
material = [{{ name = "water", viscosity = 0.001 }}]
fluid = [{{ material = "water", shape = {{ box = {{ min = [0, 0, 0], max = [0.1, 0.2, {depth}] }} }} }}]
solver = {{ {settings} }}
periodic = {{ axes = ["z"], min = [0, 0, 0], max = [1, 1, {depth}] }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
friction = "slip"
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}
friction = "slip"
"#));
        println!("{settings} {spacing} {steps}");
        for (t, z) in TABLE {
            let frames = (t / (2.0f64 * 9.81 / 0.1).sqrt() * 500.0).round();
            while run.time() < (frames - 0.5) / 500.0 { advance(&mut run, 1); }
            let mut xs: Vec<f32> = run.world().particles.positions.iter().map(|x| x.x).collect();
            xs.sort_by(f32::total_cmp);
            let front = |k: usize| (f64::from(xs[xs.len() - k]) + 0.5 * spacing) / 0.1;
            print!(" {t}:{z} {:.2}/{:.2}", front(1), front(12));
        }
        println!();
    }
}

#[test]
fn explore_wave() {
    for (eta, steps) in [(0.0, 1), (1.0, 1), (1.0, 4), (4.0, 1)] {
        let mut run = simulation(&(format!(
        r#"
name = "wave"
method = "pbf"
spacing = 0.01
gravity = [0, 0, 0]
time = {{ fps = 100, frames = 1000, steps_per_frame = {steps} }}
material = [{{ name = "oil", viscosity = {eta} }}]
periodic = {{ axes = ["x", "y", "z"], min = [0, 0, 0], max = [0.24, 0.06, 0.06] }}
"#) + &(0..24).map(|k| {
            let x = 0.01 * f64::from(k);
            let v = 0.002 * (TAU * (x + 0.005) / 0.24).sin();
            format!("[[fluid]]\nmaterial = \"oil\"\nvelocity = [0, {v}, 0]\nshape = {{ box = {{ min = [{x}, 0, 0], max = [{}, 0.06, 0.06] }} }}\n", x + 0.01)
        }).collect::<String>()));
        let amplitude = |run: &Simulation| {
            let f = run.frame();
            (0..f.len()).map(|i| f64::from(f.velocities[i].y) * (TAU * f64::from(f.positions[i].x) / 0.24).sin()).sum::<f64>() / f.len() as f64
        };
        let a0 = amplitude(&run);
        let n = run.particle_count();
        advance(&mut run, 50);
        let rate = (a0 / amplitude(&run)).ln() / 0.5;
        let theory = eta / 1000.0 * (TAU / 0.24).powi(2);
        println!("eta {eta} steps {steps} n {n}: rate {rate:.4} theory {theory:.4} ratio {:.3}; a0 {a0:.4}", rate / theory);
    }
}

#[test]
fn explore_cluster() {
    for settings in ["density = \"equality\", tensile_strength = 0, softness = 1", "density = \"equality\", tensile_strength = 0.01, softness = 1", "density = \"equality\", tensile_strength = 0.1, softness = 1", "density = \"equality\", tensile_strength = 0.3, softness = 1", "density = \"equality\", tensile_strength = 0, softness = 5", "density = \"equality\", tensile_strength = 0.1, softness = 5", "tensile_strength = 0", "tensile_strength = 0.1", ""] {
        let mut run = simulation(&format!(
        r#"
name = "drop"
method = "pbf"
spacing = 0.01
gravity = [0, 0, 0]
time = {{ fps = 100, frames = 1000, steps_per_frame = 2 }}
material = [{{ name = "water", viscosity = 0.001 }}]
fluid = [{{ material = "water", jitter = 0.1, shape = {{ box = {{ min = [0, 0, 0], max = [0.3, 0.04, 0.04] }} }} }}]
solver = {{ {settings} }}
"#));
        if common::try_advance(&mut run, 60).is_err() { println!("{settings}: FAILED"); continue; }
        let f = run.frame();
        let near: Vec<f32> = f.positions.iter().enumerate().map(|(i, x)| f.positions.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, y)| x.distance(*y)).fold(1.0, f32::min) / 0.01).collect();
        let mut sorted = near.clone(); sorted.sort_by(f32::total_cmp);
        let speed = mean(&f, |i| f.velocities[i].length());
        let (lo, hi) = f.positions.iter().fold((f32::MAX, f32::MIN), |(a, b), x| (a.min(x.x), b.max(x.x)));
        println!("{settings}: nearest min {:.3} 5% {:.3} median {:.3}; speed {speed:.4} length {:.3} rho {:.0}", sorted[0], sorted[sorted.len()/20], sorted[sorted.len()/2], hi - lo, mean(&f, |i| f.densities[i]));
    }
}
