//! Accelerations of pairs, and the leapfrog.

use super::*;
use crate::scene::{Scene, Solver};
use glam::DVec3;

fn world(scene: &str) -> (World, Sph) {
    let scene = Scene::from_toml(&format!("method = \"sph\"\nname = \"test\"\n{scene}"))
        .unwrap_or_else(|e| panic!("{e}"));
    let world = World::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    let Solver::Sph(params) = scene.solver else { panic!("another method") };
    let method = Sph::new(&world, params);
    (world, method)
}

const BLOCK: &str = r#"
spacing = 0.01
time = { fps = 100, frames = 9, steps_per_frame = 10 }
gravity = [0, -10, 0]
material = [{ name = "oil", viscosity = 0.5 }, { name = "brine", viscosity = 0.1, density = 1600 }]
solver = { sound_speed = 20 }
[[fluid]]
material = "oil"
jitter = 0.3
shape = { box = { min = [0, 0, 0], max = [0.05, 0.05, 0.05] } }
[[fluid]]
material = "brine"
jitter = 0.3
velocity = [-0.3, 0.1, 0]
shape = { box = { min = [0.05, 0, 0], max = [0.09, 0.05, 0.05] } }
"#;

/// Pressure and viscosity of a step change no momentum, whatever the materials and wherever the particles are.
#[test]
fn pairs_keep_their_momentum() {
    let (world, method) = world(BLOCK);
    let step = method.begin(&world, 1e-4, 20.0);
    let around = step.around();
    let local = forces::pressures(&step, &around);
    assert!(local.iter().any(|l| l.pressure > 1e3), "particles that are too near press");
    let v = &world.particles.velocities;
    let mut u: Vec<Vec3A> = v.iter().map(|&v| v.into()).collect();
    forces::accelerate(&step, &around, &local, v, &mut u);
    let changes =
        (0..v.len()).map(|i| (Vec3::from(u[i]) - v[i]).as_dvec3() / f64::from(step.inverse_mass(i)));
    let (sum, all) =
        changes.fold((DVec3::ZERO, 0.0), |(sum, all), change| (sum + change, all + change.length()));
    assert!(all > 0.0 && sum.length() < 1e-5 * all, "{sum} of {all}");
}

/// Velocities are those half a step before the positions: a particle alone falls by Δt² g (1 + 2 + … + n) with no error but
/// rounding.
#[test]
fn a_particle_falls_as_by_leapfrog() {
    let (mut world, mut method) = world(
        r#"
spacing = 0.01
time = { fps = 100, frames = 9, steps_per_frame = 10 }
gravity = [0, -10, 0]
material = [{ name = "oil", viscosity = 0.5 }]
fluid = [{ material = "oil", shape = { box = { min = [0, 0, 0], max = [0.01, 0.01, 0.01] } } }]
"#,
    );
    assert_eq!(world.particles.len(), 1);
    let (dt, steps) = (1e-3_f32, 20);
    let start = world.particles.positions[0];
    for _ in 0..steps {
        world.begin_step(f64::from(dt));
        method.step(&mut world, dt);
    }
    let fallen = start.y - world.particles.positions[0].y;
    let n = steps as f32;
    let expected = 10.0 * dt * dt * n * (n + 1.0) / 2.0;
    assert!((fallen / expected - 1.0).abs() < 1e-4, "{fallen} m, not {expected}");
    assert!((world.particles.velocities[0].y / (-10.0 * dt * n) - 1.0).abs() < 1e-5);
}
