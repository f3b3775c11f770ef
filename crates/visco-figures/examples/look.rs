#![allow(missing_docs, clippy::all, clippy::print_stdout)]
use std::ops::ControlFlow;
use visco::scene::{BuiltinScene, Override};
use visco_figures::*;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let text = BuiltinScene::find(&a[0])
        .map(|b| b.toml.to_string())
        .unwrap_or_else(|| std::fs::read_to_string(&a[0]).unwrap());
    let o: Vec<Override> = a[2..].iter().map(|s| Override::parse(s).unwrap()).collect();
    let scene = match visco::Scene::from_toml_with(&text, &o) {
        Ok(s) => s,
        Err(e) => {
            println!("{e}");
            return;
        }
    };
    let mut sim = visco::Simulation::new(&scene).unwrap();
    let t0 = std::time::Instant::now();
    let mut images = vec![];
    let n = scene.time.frames;
    let mut acc = [0.0f64; 4];
    let mut positions = vec![];
    for f in 1..n {
        let mut it = (0u32, 0u32, 0.0f64, 0.0f64, 0.0f64);
        if let Err(e) = sim.advance_frame(|r| {
            it.0 += r.velocity_iterations;
            it.1 += 1;
            it.2 = r.velocity_residual;
            it.3 = r.density_error_max;
            it.4 = r.density_error_mean;
            acc[0] += r.seconds_neighbors;
            acc[1] += r.seconds_velocity;
            acc[2] += r.seconds_position;
            acc[3] += r.seconds_total;
            ControlFlow::Continue(())
        }) {
            println!("{e}");
            break;
        }
        if f % (n / 9).max(1) == 0 {
            println!(
                "frame {f} t {:.3} n {} its/step {:.1} steps {} res {:.1e} dens {:.3} mean {:.4} wall {:.1} nb {:.1} vel {:.1} pos {:.1}",
                sim.time(),
                sim.particle_count(),
                it.0 as f64 / it.1 as f64,
                it.1,
                it.2,
                it.3,
                it.4,
                t0.elapsed().as_secs_f64(),
                acc[0],
                acc[1],
                acc[2]
            );
            positions.push(sim.frame().positions.clone());
        }
    }
    if let Some(e) = sim.world().emitters.first() {
        println!("{:?}", experiments::coil(&sim.frame(), e.particles_per_layer(), e.speed));
    }
    for p in &positions {
        let view = View::fit(positions.last().unwrap(), visco::glam::Vec3::new(-0.2, -0.45, -1.0), 1.0);
        images.push(
            ParticlePicture {
                positions: p,
                colors: &[],
                radius: 0.6 * scene.spacing as f32,
                camera: view,
                ground: Some(0.0),
                width: 420,
                height: 420,
            }
            .render(),
        );
    }
    save_png(&contact_sheet(&images, 3), std::path::Path::new(&a[1])).unwrap();
}
