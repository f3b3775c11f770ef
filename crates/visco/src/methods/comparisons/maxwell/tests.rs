//! The stress against the solutions of its equation.

use super::*;
use crate::methods::comparisons::trial::{DT, advance, scene};
use crate::scene::{Scene, Solver};
use glam::{Mat3, Quat, Vec3};
use std::f64::consts::TAU;

fn run(rest: &str) -> (World, Maxwell) {
    let (scene, world) = scene("maxwell", rest);
    let Solver::Maxwell(params) = scene.solver else { panic!("another method") };
    let method = Maxwell::new(&world, params);
    (world, method)
}

const PERIODIC: &str = r#"
material = [{ name = "m", shear_modulus = 1000, relaxation_time = 0.05, solvent_viscosity = 0 }]
fluid = [{ material = "m", shape = { box = { min = [0, 0, 0], max = [0.06, 0.24, 0.06] } } }]
periodic = { axes = ["x", "y", "z"], min = [0, 0, 0], max = [0.06, 0.24, 0.06] }
"#;

/// v = A e^(−t/2τ) (cos Ωt + sin Ωt/2τΩ) sin ky, with Ω² = G k²/ρ − 1/4τ².
#[test]
fn a_standing_shear_wave_swings_and_decays_as_it_must() {
    let (mut world, mut method) = run(PERIODIC);
    let k = TAU / 0.24;
    let wave = |world: &World, i: usize| (k * f64::from(world.particles.positions[i].y)).sin();
    let n = world.particles.len();
    for i in 0..n {
        world.particles.velocities[i] = Vec3::X * (0.02 * wave(&world, i)) as f32;
    }
    let (tau, omega) = (0.05, (k * k - 100.0_f64).sqrt());
    let mut lowest = f64::INFINITY;
    for part in 1..=24 {
        advance(&mut world, &mut method, 10);
        let amplitude = |i: usize| f64::from(world.particles.velocities[i].x) * wave(&world, i);
        let found = (0..n).map(amplitude).sum::<f64>() * 2.0 / n as f64 / 0.02;
        let t = f64::from(part) * 10.0 * DT;
        let expected =
            (-t / (2.0 * tau)).exp() * ((omega * t).cos() + (omega * t).sin() / (2.0 * tau * omega));
        assert!((found - expected).abs() < 0.04, "{found} for {expected} at {t} s");
        lowest = lowest.min(found);
    }
    assert!(lowest < -0.1, "it swings back: {lowest}");
}

#[test]
fn stress_relaxes_as_e_to_minus_t_over_tau() {
    let (mut world, mut method) = run(PERIODIC);
    let before = Sym3::new([100.0, -50.0, -50.0, 30.0, 20.0, -10.0]);
    // A uniform stress in periodic space moves nothing.
    method.state.stress.fill(before);
    advance(&mut world, &mut method, 48);
    let expected = before * (-1.0_f32).exp();
    for stress in method.stresses(&world) {
        let error = stress - expected;
        assert!(error.dot(error).sqrt() < 0.02, "{stress:?}");
    }
}

#[test]
fn stress_turns_with_the_fluid() {
    let material =
        Scene::from_toml(&format!("name = \"m\"\nspacing = 0.01\ntime.frames = 1\ntime.dt = 1e-3{PERIODIC}"))
            .map(|scene| Material::from_scene(&scene.material[0]))
            .unwrap_or_else(|e| panic!("{e}"));
    let (spin, dt) = (Vec3::new(3.0, -2.0, 5.0), 0.01);
    // Columns of W: ω × e.
    let w = Mat3::from_cols(spin.cross(Vec3::X), spin.cross(Vec3::Y), spin.cross(Vec3::Z));
    let before = Sym3::new([100.0, -50.0, -50.0, 30.0, 20.0, -10.0]);
    let found = Memory::of(&material, dt).after(before, &w, dt);
    let turn = Mat3::from_quat(Quat::from_scaled_axis(spin * dt));
    let error = found - before.congruent(&turn) * (-dt / 0.05).exp();
    assert!(error.dot(error).sqrt() < 1e-3, "{found:?}");
    // And gains 2 G τ (1 − e^(−Δt/τ)) D.
    let shear = Mat3::from_cols(Vec3::ZERO, Vec3::X * 0.02, Vec3::ZERO);
    let gained = Memory::of(&material, dt).after(Sym3::ZERO, &shear, dt).xy;
    assert!((gained / (1000.0 * 0.05 * 0.02 * (1.0 - (-0.2_f32).exp())) - 1.0).abs() < 1e-4, "{gained}");
}

#[test]
fn momentum_is_kept() {
    let spinning = "material = [{ name = \"m\", shear_modulus = 500, relaxation_time = 0.1, solvent_viscosity = 0.1 }]\n\
         fluid = [{ material = \"m\", velocity = [0.3, 0.1, -0.2], angular_velocity = [1, 4, -2], jitter = 0.1, \
         shape = { box = { min = [0, 0, 0], max = [0.09, 0.05, 0.06] } } }]\n";
    let (mut world, mut method) = run(spinning);
    let before = advance(&mut world, &mut method, 1);
    let after = advance(&mut world, &mut method, 50);
    for k in 0..3 {
        let change = (after.momentum[k] - before.momentum[k]).abs();
        assert!(change < 1e-5 * before.momentum[0], "component {k} changed by {change}");
        let turned = (after.angular_momentum[k] - before.angular_momentum[k]).abs();
        assert!(turned < 0.03 * before.angular_momentum[1].abs(), "spin {k} changed by {turned}");
    }
    assert!(after.elastic_energy > 1e-8, "the stress is at work: {} J", after.elastic_energy);
}
