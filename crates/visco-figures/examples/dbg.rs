#![allow(missing_docs, clippy::all, clippy::print_stdout)]
fn main() {
    for v in ["0.0", "0.001", "50", "1e5"] {
        for spf in [1, 4] {
            let scene = visco::Scene::from_toml(&format!(
                r#"
name = "shot"
spacing = 0.02
gravity = [0, -9.81, 0]
[time]
fps = 30
frames = 30
steps_per_frame = {spf}
[[material]]
name = "water"
viscosity = {v}
[[fluid]]
material = "water"
shape = {{ box = {{ min = [-0.08, 0.3, -0.08], max = [0.08, 0.46, 0.08] }} }}
velocity = [3,-20,0]
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
"#
            ))
            .unwrap();
            let mut sim = visco::Simulation::new(&scene).unwrap();
            for _ in 0..2 {
                let r = sim.advance_frame(|r| {
                    println!(
                        "{v} {} {:.4} vmax {:.2} dens {:.2} it {} res {}",
                        r.step,
                        r.time,
                        r.max_speed,
                        r.density_error_max,
                        r.velocity_iterations,
                        r.velocity_residual
                    );
                    std::ops::ControlFlow::Continue(())
                });
                if let Err(e) = r {
                    println!("{e}");
                    break;
                }
            }
        }
    }
}
