//! Clusters against what they must be.

use super::*;
use crate::methods::comparisons::trial::{DT, advance, scene};
use crate::random::Random;
use crate::scene::Solver;
use glam::{Quat, Vec3};

fn run() -> (World, ShapeMatching) {
    let block = "material = [{ name = \"m\", shear_modulus = 500, relaxation_time = 1000, solvent_viscosity = 0 }]\n\
         fluid = [{ material = \"m\", shape = { box = { min = [0, 0, 0], max = [0.09, 0.07, 0.07] } } }]\n";
    let (scene, mut world) = scene("shape_matching", block);
    let Solver::ShapeMatching(params) = scene.solver else { panic!("another method") };
    let mut method = ShapeMatching::new(&world, params, scene.time.usual_step());
    advance(&mut world, &mut method, 1);
    (world, method)
}

fn deform(world: &mut World, f: impl Fn(Vec3) -> Vec3) {
    world.particles.positions.iter_mut().for_each(|x| *x = f(*x));
}

fn wishes(world: &World, method: &ShapeMatching) -> Vec<Vec3> {
    let step = method.flow.step(world, DT as f32);
    let kinds = method.kinds(world, DT as f32);
    let wishes = Clusters::new(&step, &kinds).matched(&mut method.state.clone());
    wishes.iter().map(|w| w.pull).collect()
}

#[test]
fn clusters_on_the_lattice_have_the_shear_modulus_of_the_material() {
    let (mut world, method) = run();
    let middle = Vec3::new(0.045, 0.035, 0.035);
    deform(&mut world, |x| middle + (x - middle) + Vec3::X * (0.004 * (x.y - middle.y)));
    let place = |i: &usize| world.particles.positions[*i].distance(middle) < 1e-4;
    let i = (0..world.particles.len()).find(place).expect("a middle");
    let modulus = method.stresses(&world)[i].xy / 0.004;
    assert!((modulus / 500.0 - 1.0).abs() < 0.03, "{modulus} Pa");
}

#[test]
fn a_body_that_is_moved_and_turned_has_its_shape() {
    let (mut world, method) = run();
    let turn = Quat::from_axis_angle(Vec3::new(0.36, 0.48, 0.8), 1.2);
    deform(&mut world, |x| turn * x + Vec3::new(0.3, -0.1, 0.2));
    let most = wishes(&world, &method).iter().map(|w| w.length()).fold(0.0, f32::max);
    assert!(most < 1e-5, "{most} m");
    deform(&mut world, |x| Vec3::new(1.2 * x.x, x.y, x.z));
    let most = wishes(&world, &method).iter().map(|w| w.length()).fold(0.0, f32::max);
    assert!(most > 5e-4, "a stretched one has not: {most} m");
}

#[test]
fn what_clusters_want_keeps_momentum() {
    let (mut world, method) = run();
    let mut random = Random::new(5);
    world.particles.positions.iter_mut().for_each(|x| *x += 0.003 * Vec3::from_array(random.triple()));
    let wishes = wishes(&world, &method);
    let sum: Vec3 = wishes.iter().sum();
    let all: f32 = wishes.iter().map(|w| w.length()).sum();
    assert!(sum.length() < 1e-5 * all, "{sum} of {all}");
}

#[test]
fn a_pulled_body_comes_back_and_yields_where_it_is_plastic() {
    let length = |plasticity: f64| {
        let (mut world, mut method) = run();
        let clusters = crate::scene::ShapeMatching { plasticity: Some(plasticity), ..Default::default() };
        world.materials[0].shape_matching = Some(clusters);
        deform(&mut world, |x| Vec3::new(1.3 * x.x, x.y / 1.14, x.z / 1.14));
        let mut shortest = f32::INFINITY;
        for _ in 0..40 {
            advance(&mut world, &mut method, 5);
            let x = |i: usize| world.particles.positions[i].x;
            let ends =
                (0..world.particles.len()).map(x).fold((1.0_f32, 0.0_f32), |(a, b), x| (a.min(x), b.max(x)));
            shortest = shortest.min(ends.1 - ends.0);
        }
        shortest / 0.08
    };
    let (elastic, plastic) = (length(0.0), length(300.0));
    assert!(elastic < 1.08, "{elastic} of its length");
    assert!(plastic > elastic + 0.06, "{plastic} of its length where it yields");
}
