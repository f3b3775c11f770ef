//! scratch
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use std::path::Path;
use visco::world::World;
use visco_render::*;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let scene = visco::Scene::from_toml(&std::fs::read_to_string(&a[0]).unwrap()).unwrap();
    let world = World::new(&scene).unwrap();
    let mut r = Renderer::new(Gpu::open().unwrap());
    println!("{}", r.gpu().name());
    let mode = a[2].as_str();
    let looks: Vec<Look> = a[3].split(',').map(|n| Look::named(n).unwrap()).collect();
    for f in &a[4..] {
        let frame = visco_io::ply::read(Path::new(f)).unwrap();
        let solids = Solids::of_world(&world, frame.time);
        let camera = scene.camera.as_ref().map_or_else(
            || { let (l, h) = frame.positions.iter().fold((visco::glam::Vec3::MAX, visco::glam::Vec3::MIN), |(l, h), &x| (l.min(x), h.max(x))); Camera::fit((l, h), 16.0 / 9.0) },
            |c| Camera { eye: visco::glam::Vec3::from_array(c.position.map(|x| x as f32)), target: visco::glam::Vec3::from_array(c.target.map(|x| x as f32)), fov: (c.fov as f32).to_radians() });
        let colors = vec![[230, 150, 40]; frame.len()];
        let particles = match mode {
            "balls" => Particles::Balls(Balls { colors: &colors, radius: 0.55 }),
            m => Particles::Fluid(Fluid { kinds: &frame.materials, looks: &looks, smoothing: match m { "none" => Smoothing::NONE, "flow" => Smoothing { bilateral: 0, curvature_flow: 200 }, _ => Smoothing::default() } }),
        };
        let picture = Picture { size: (1280, 720), samples: std::env::var("S").map_or(1, |s| s.parse().unwrap()), camera, positions: &frame.positions, spacing: frame.spacing, particles, solids: &solids };
        let t = std::time::Instant::now();
        let image = r.draw(&picture).unwrap();
        println!("{f} {} particles {:.2} s", frame.len(), t.elapsed().as_secs_f64());
        let out = format!("{}-{}-{:06}.png", a[1], mode, frame.number);
        image.save(out).unwrap();
    }
}
