//! Springs against what they must be.

use super::*;
use crate::methods::comparisons::trial::{DT, advance, scene};
use crate::scene::Solver;

fn run(rest: &str) -> (World, Springs) {
    let (scene, world) = scene("springs", rest);
    let Solver::Springs(params) = scene.solver else { panic!("another method") };
    let method = Springs::new(&world, params);
    (world, method)
}

const BLOCK: &str = "material = [{ name = \"m\", shear_modulus = 500, relaxation_time = 1000, solvent_viscosity = 0 }]\n\
     fluid = [{ material = \"m\", shape = { box = { min = [0, 0, 0], max = [0.07, 0.07, 0.07] } } }]\n";

#[test]
fn springs_on_the_lattice_have_the_shear_modulus_of_the_material() {
    let (mut world, mut method) = run(BLOCK);
    advance(&mut world, &mut method, 1);
    let at_rest = world.particles.positions.clone();
    let middle =
        (0..at_rest.len()).find(|&i| at_rest[i].distance(Vec3::splat(0.035)) < 1e-4).expect("a middle");
    let mut stress = |deform: fn(Vec3) -> Vec3| {
        world.particles.positions = at_rest.iter().map(|&x| deform(x)).collect();
        method.stresses(&world)[middle]
    };
    // A cubic lattice has two shear moduli; their mean over all directions is Voigt's.
    let sheared = stress(|x| x + Vec3::X * (0.002 * x.y)).xy / 0.002;
    let pulled = stress(|x| x + Vec3::new(0.001 * x.x, -0.001 * x.y, 0.0));
    let mean = 0.6 * sheared + 0.4 * (pulled.xx - pulled.yy) / 0.004;
    assert!((mean / 500.0 - 1.0).abs() < 0.01, "{mean} Pa: {sheared} Pa sheared");
}

#[test]
fn a_spring_displaces_its_ends_as_algorithm_3_says() {
    let material = "material = [{ name = \"m\", viscosity = 0, springs = { stiffness = 2000, plasticity = 0 } }]\n\
         fluid = [{ material = \"m\", shape = { box = { min = [0, 0, 0], max = [0.02, 0.01, 0.01] } } }]\n";
    let (mut world, mut method) = run(material);
    world.particles.positions = vec![Vec3::ZERO, Vec3::X * 0.015];
    advance(&mut world, &mut method, 1);
    world.particles.positions = vec![Vec3::ZERO, Vec3::X * 0.02];
    world.particles.velocities = vec![Vec3::ZERO; 2];
    advance(&mut world, &mut method, 1);
    // D/2 = ½ Δt² k (1 − L/h)(r − L), and v = D/2Δt.
    let expected = 0.5 * DT as f32 * 2000.0 * (1.0 - 0.015 / 0.022) * 0.005;
    let v = &world.particles.velocities;
    assert!((v[0].x / expected - 1.0).abs() < 1e-3, "{} m/s for {expected}", v[0].x);
    assert!(v[0].distance(-v[1]) < 1e-6);
}

#[test]
fn rest_lengths_yield_beyond_a_tenth_and_springs_longer_than_the_support_are_removed() {
    let material = "material = [{ name = \"m\", viscosity = 0, springs = { stiffness = 0, plasticity = 48 } }]\n\
         fluid = [{ material = \"m\", shape = { box = { min = [0, 0, 0], max = [0.02, 0.01, 0.01] } } }]\n";
    let (mut world, mut method) = run(material);
    let mut length_at = |distance: f32, steps: usize| {
        world.particles.positions = vec![Vec3::ZERO, Vec3::X * distance];
        advance(&mut world, &mut method, steps);
        method.state.springs.find(0, 1)
    };
    assert_eq!(length_at(0.01, 1), Some(0.01));
    assert_eq!(length_at(0.0109, 5), Some(0.01), "elastic");
    // α Δt = 0.05 of 0.018 − 0.01 − 0.001, then of what is left.
    let longer = length_at(0.018, 1).expect("a spring");
    assert!((longer - 0.01035).abs() < 1e-6, "{longer}");
    let shorter = length_at(0.005, 1).expect("a spring");
    assert!(shorter < longer - 1e-4, "{shorter}");
    assert_eq!(length_at(0.04, 60), None, "longer than the support at rest");
}

#[test]
fn momentum_is_kept() {
    let spinning = "material = [{ name = \"m\", shear_modulus = 2000, relaxation_time = 0.1, solvent_viscosity = 0.1 }]\n\
         fluid = [{ material = \"m\", velocity = [0.3, 0.1, -0.2], angular_velocity = [3, 8, -5], jitter = 0.1, \
         shape = { box = { min = [0, 0, 0], max = [0.09, 0.05, 0.06] } } }]\n";
    let (mut world, mut method) = run(spinning);
    let before = advance(&mut world, &mut method, 1);
    let after = advance(&mut world, &mut method, 150);
    for k in 0..3 {
        let change = (after.momentum[k] - before.momentum[k]).abs();
        assert!(change < 1e-5 * before.momentum[0], "component {k} changed by {change}");
        let turned = (after.angular_momentum[k] - before.angular_momentum[k]).abs();
        assert!(turned < 0.02 * before.angular_momentum[1].abs(), "spin {k} changed by {turned}");
    }
    assert!(after.elastic_energy > 1e-7, "the springs are at work: {} J", after.elastic_energy);
}
