//! Forces are those of the energy, the energy is that of the surface, and drops oscillate as Rayleigh says.

use super::*;
use crate::methods::FluidMethod;
use crate::random::Random;
use crate::scene::Scene;
use glam::DVec3;
use std::f64::consts::{PI as PI64, TAU};

const D: f64 = 1e-3;

/// A ball of fluid, its radius in spacings.
fn ball(radius: f64, tension: f64, method: &str) -> (World, Box<dyn FluidMethod>) {
    let toml = format!(
        r#"
name = "drop"
method = "{method}"
spacing = {D}
gravity = [0, 0, 0]
time = {{ frames = 2, steps_per_frame = 1 }}
material = [{{ name = "m", viscosity = 0.01, surface_tension = {tension} }}]
fluid = [{{ material = "m", shape = {{ sphere = {{ center = [2e-4, 3e-4, 1e-4], radius = {} }} }} }}]
"#,
        radius * D
    );
    let scene = Scene::from_toml(&toml).unwrap_or_else(|e| panic!("{e}"));
    let world = World::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    let method = scene.solver.method(&world, &scene.time);
    (world, method)
}

/// The radius of a ball of as much fluid, in m.
fn radius(world: &World) -> f64 {
    (3.0 * world.particles.len() as f64 * D.powi(3) / (4.0 * PI64)).cbrt()
}

/// E of particles, in double precision but for the kernel, in units of σ.
fn surface_energy(points: &[Vec3]) -> f64 {
    let kernel = Wendland::new(D as f32);
    let flat = FlatSurface::new(&kernel);
    let of = |x: &Vec3| {
        let (mut missing, mut gradient) = (1.0, Vec3::ZERO);
        for y in points {
            let r = x.distance(*y);
            missing -= kernel.w(r);
            gradient += (*y - *x) * kernel.pull_over_r(r);
        }
        f64::from(flat.cohesion * energy(missing).0 + flat.gradient * gradient.length_squared())
    };
    points.iter().map(of).sum::<f64>() * D.powi(3)
}

#[test]
fn the_kernel_and_its_half_space_fit() {
    let kernel = Wendland::new(D as f32);
    let dz = kernel.support / 1000.0;
    // ∫ W over shells is 1; a half-space that touches fills one half; its derivative is that of its fill.
    let shells = (0..1000).map(|k| (k as f32 + 0.5) * dz).map(|r| 4.0 * PI * r * r * kernel.w(r) * dz);
    assert!((shells.sum::<f32>() / (D as f32).powi(3) - 1.0).abs() < 1e-3);
    assert!((kernel.half_space(0.0).0 - 0.5).abs() < 1e-6);
    for z in [0.2, 0.5, 0.8].map(|q| q * kernel.support) {
        let numeric = (kernel.half_space(z + dz).0 - kernel.half_space(z - dz).0) / (2.0 * dz);
        assert!((numeric / kernel.half_space(z).1 - 1.0).abs() < 1e-2, "z = {z}");
    }
}

#[test]
fn forces_are_the_gradient_of_the_energy() {
    let (mut world, _) = ball(3.0, 0.07, "coupled");
    let mut random = Random::new(5);
    for x in &mut world.particles.positions {
        *x += (Vec3::from_array(random.triple()) - 0.5) * (0.3 * D as f32);
    }
    let kernel = crate::kernel::Kernel::new(D as f32, 2.2 * D as f32);
    let wall_kernel = crate::boundary::WallKernel::new(&kernel);
    let step = Setting::new(&world, 1e-3, (kernel, &wall_kernel), crate::flow::Reading::PLAIN);
    let mut velocity = vec![Vec3A::ZERO; world.particles.len()];
    pull(&step, &world, &mut velocity);
    let mass = 1000.0 * D.powi(3);
    let force = |i: usize| velocity[i].as_dvec3() * (mass / 1e-3);
    let typical = (0..velocity.len()).map(|i| force(i).length()).fold(0.0, f64::max);
    for i in [0, 7, 40, 90] {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let e = 0.02 * D as f32;
            let mut points = world.particles.positions.clone();
            points[i] += axis * e;
            let ahead = surface_energy(&points);
            points[i] -= axis * (2.0 * e);
            let expected = -0.07 * (ahead - surface_energy(&points)) / (2.0 * f64::from(e));
            let got = force(i).dot(axis.as_dvec3());
            assert!((got - expected).abs() < 0.02 * typical, "{i}: {got} {expected}");
        }
    }
    let total: DVec3 = (0..velocity.len()).map(force).sum();
    assert!(total.length() < 1e-5 * typical, "{total}");
    let turn: DVec3 =
        (0..velocity.len()).map(|i| world.particles.positions[i].as_dvec3().cross(force(i))).sum();
    assert!(turn.length() < 1e-5 * typical * D, "{turn}");
}

#[test]
fn the_energy_of_a_ball_is_its_area_at_rest_and_deformed() {
    for size in [6.0, 9.0] {
        let (world, _) = ball(size, 1.0, "coupled");
        let points = &world.particles.positions;
        let area = 4.0 * PI64 * radius(&world).powi(2);
        let rest = surface_energy(points) / area;
        assert!((rest - 1.0).abs() < 0.06, "R = {size} d: {rest}");
        // Semi-axes (1 + e) and (1 + e)^(−1/2): the area grows by 2/5 e² in the mean of ±e.
        for axis in [Vec3::X, Vec3::ONE.normalize()] {
            let stretched = |e: f32| {
                let across = (1.0 + e).powf(-0.5);
                let stretch = |x: &Vec3| *x * across + axis * (axis.dot(*x) * (1.0 + e - across));
                surface_energy(&points.iter().map(stretch).collect::<Vec<_>>()) / area
            };
            let growth = (0.5 * (stretched(0.15) + stretched(-0.15)) - rest) / (0.4 * 0.15 * 0.15);
            assert!((growth - 1.0).abs() < 0.2, "R = {size} d along {axis}: {growth}");
        }
    }
}

/// Period of the second mode over that of Rayleigh, with Lamb's damping, from a ball that is strained.
fn period(size: f64, tension: f64, method: &str) -> f64 {
    let (mut world, mut method) = ball(size, tension, method);
    let r = radius(&world);
    let (omega, damping) = ((8.0 * tension / (1000.0 * r.powi(3))).sqrt(), 5.0 * 1e-5 / (r * r));
    let expected = TAU / (omega * omega - damping * damping).sqrt();
    for i in 0..world.particles.len() {
        let x = world.particles.positions[i];
        world.particles.velocities[i] = Vec3::new(x.x, -0.5 * x.y, -0.5 * x.z) * (0.08 * omega) as f32;
    }
    let dt = 0.5 * (1000.0 * D.powi(3) / tension).sqrt();
    let mut zeros = vec![];
    let mut last = 0.0;
    for step in 1.. {
        method.step(&mut world, dt as f32);
        let p = &world.particles.positions;
        let centre = p.iter().sum::<Vec3>() / p.len() as f32;
        let moment = |x: &Vec3| (*x - centre).powf(2.0).dot(Vec3::new(1.0, -0.5, -0.5));
        let q: f32 = p.iter().map(moment).sum();
        if q * last < 0.0 {
            zeros.push((f64::from(step) - f64::from(q / (q - last))) * dt);
        }
        last = q;
        if zeros.len() == 3 {
            return (zeros[2] - zeros[0]) / expected;
        }
        assert!(f64::from(step) * dt < 3.0 * expected, "no oscillation: {zeros:?}");
    }
    unreachable!("the loop returns")
}

#[test]
fn a_drop_oscillates_as_rayleigh_says() {
    for (size, tension) in [(6.0, 0.07), (6.0, 0.02), (10.0, 0.07)] {
        let ratio = period(size, tension, "coupled");
        assert!((ratio - 1.0).abs() < 0.1, "R = {size} d, σ = {tension}: {ratio}");
    }
}
