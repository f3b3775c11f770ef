#![allow(missing_docs, clippy::all, clippy::print_stdout)]
use visco::methods::dcpbd::*;
use visco::scene::Material;
use visco_figures::experiments::Block;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let get = |k: &str, d: f64| {
        a.iter().find_map(|s| s.strip_prefix(&format!("{k}="))).map_or(d, |v| v.parse().unwrap())
    };
    let has = |k: &str| a.iter().any(|s| s == k);
    let n = get("n", 10.0) as u32;
    let mut b = Block {
        dt: get("dt", 0.03),
        count: [n; 3],
        spacing: get("d", 0.1),
        height: Some(get("H", 0.5)),
        ..Block::default()
    };
    b.params.max_velocity_iterations = get("nv", 36.0) as u32;
    b.params.position_iterations = get("np", 4.0) as u32;
    b.params.tolerance = get("tol", 1e-3) as f32;
    b.params.support = get("h", 2.2) as f32;
    b.turned = get("turn", 0.0);
    if has("jac") {
        b.params.velocity_solver = VelocitySolver::Jacobi;
    }
    if has("cheb") {
        b.params.velocity_solver = VelocitySolver::Chebyshev;
    }
    if has("pbd") {
        b.params.integrator = Integrator::Pbd;
    }
    if has("nocorot") {
        b.params.corotational = false;
    }
    let base = b.material.clone();
    let m = |v: Option<f64>, g: Option<f64>, tau: f64| Material {
        viscosity: v,
        shear_modulus: g,
        relaxation_time: Some(tau),
        ..base.clone()
    };
    if let Some(e) = a.iter().find_map(|s| s.strip_prefix("eta=")) {
        b.material = m(Some(e.parse().unwrap()), None, get("tau", 0.0));
    }
    if let Some(e) = a.iter().find_map(|s| s.strip_prefix("G=")) {
        b.material = m(None, Some(e.parse().unwrap()), get("tau", 0.0));
    }
    if has("printed") {
        b.params.formulation = Formulation::Printed;
        b.material = Material {
            compliance: Some(get("alpha", 0.0)),
            relaxation_time: Some(get("tau", 0.0)),
            ..m(None, None, 0.0)
        };
    }
    if has("spin") {
        b.height = None;
        b.spin = [0.0, get("om", 6.2831853), 0.0];
        b.count = [2 * n, n, n];
    }
    let t = get("T", 1.5);
    let t0 = std::time::Instant::now();
    match b.run(t) {
        Err(e) => println!("{e}"),
        Ok(s) => {
            if has("v") {
                let k = (s.len() / 20).max(1);
                for x in s.iter().step_by(k) {
                    println!(
                        "t {:.3} com {:.4} spread {:.4} drift {:.4} L {:.5} it {} q {:?}",
                        x.time,
                        x.center.y,
                        x.spread,
                        x.drift,
                        x.angular,
                        x.velocity_iterations,
                        x.conformation
                    );
                }
            }
            let l = s.last().unwrap();
            let hit = s.iter().map(|x| x.center.y).fold(f64::MAX, f64::min);
            let imin = s.iter().position(|x| x.center.y == hit).unwrap();
            let bounce = s[imin..].iter().map(|x| x.center.y - hit).fold(0.0, f64::max);
            println!(
                "drift max {:.4} end {:.4} | com min {:.3} bounce {:.4} end {:.4} spread {:.4} L {:.5} P {:.2e} its {:.1} qmin {:.4} wall {:.2}s",
                s.iter().map(|x| x.drift).fold(0.0, f64::max),
                l.drift,
                hit,
                bounce,
                l.center.y,
                l.spread,
                l.angular,
                l.momentum.length(),
                s.iter().map(|x| x.velocity_iterations as f64).sum::<f64>() / s.len() as f64,
                s.iter().map(|x| x.conformation[0]).fold(9.0, f32::min),
                t0.elapsed().as_secs_f64()
            );
        }
    }
}
