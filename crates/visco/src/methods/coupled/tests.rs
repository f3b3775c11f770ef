//! The step's strain to second order, and which pairs act on each other.

use super::*;
use crate::scene::{Scene, Solver};
use glam::Mat3;

fn world(scene: &str) -> (World, Coupled) {
    let scene = Scene::from_toml(&format!("method = \"coupled\"\nname = \"test\"\n{scene}"))
        .unwrap_or_else(|e| panic!("{e}"));
    let world = World::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    let Solver::Coupled(params) = scene.solver else { panic!("another method") };
    let method = Coupled::new(&world, params);
    (world, method)
}

/// D + S of an even pull is ln(1 + Δt L)/Δt to second order, and that of a spin whose step is a rotation is nothing to
/// third order: F = exp(ΔtΩ) has L = (F − I)/Δt.
#[test]
fn strain_to_second_order_is_that_of_the_motion_of_the_step() {
    let dt = 0.01;
    for rate in [-10.0_f32, 5.0, 20.0] {
        let pull = Mat3A::from_diagonal(Vec3::new(rate, 0.0, 0.0));
        let (d, s) = stress::rates(&pull, dt);
        let expected = (1.0 + dt * rate).ln() / dt;
        let third = (dt * rate).powi(3).abs() / dt;
        assert!((d.xx + s.xx - expected).abs() < 0.5 * third, "{} and {}, not {expected}", d.xx, s.xx);
    }
    let size = |m: Sym3| m.to_array().iter().map(|v| v * v).sum::<f32>().sqrt();
    for angle in [0.05_f32, 0.1, 0.2] {
        let turn = Mat3A::from_rotation_z(angle);
        let l = Mat3A::from_cols(turn.x_axis - Vec3A::X, turn.y_axis - Vec3A::Y, Vec3A::ZERO) * (1.0 / dt);
        let (d, s) = stress::rates(&l, dt);
        let (first, second) = (size(d), size(d + s));
        assert!(second < 0.6 * angle * angle * first, "{first} becomes {second} with a turn of {angle}");
    }
    // Where neighbours fly apart S does not grow.
    let burst = Mat3A::from(Mat3::from_diagonal(Vec3::splat(1e4)));
    assert!(stress::rates(&burst, dt).1.xx.abs() <= 0.5 * 0.25 / dt * 1.001);
}

const APPROACHING: &str = r#"
spacing = 0.01
gravity = [0, 0, 0]
time = { fps = 100, frames = 9, steps_per_frame = 1 }
material = [{ name = "honey", viscosity = 10 }]
[[fluid]]
material = "honey"
shape = { box = { min = [0, 0, 0], max = [0.05, 0.05, 0.05] } }
[[fluid]]
material = "honey"
shape = { box = { min = [0.08, 0, 0], max = [0.13, 0.05, 0.05] } }
"#;

/// Blocks that have come within the kernel's reach act on each other only when they touch, and go on doing so when they
/// have touched.
#[test]
fn blocks_act_on_each_other_from_when_they_touch() {
    let (mut world, mut method) = world(APPROACHING);
    world.begin_step(0.01);
    method.step(&mut world, 0.01);
    let right: Vec<bool> = world.particles.positions.iter().map(|x| x.x > 0.065).collect();
    let start = world.particles.positions.clone();
    let mut across = |gap: f32| {
        let shift = gap - 0.04;
        for (i, x) in world.particles.positions.iter_mut().enumerate() {
            x.x = start[i].x + if right[i] { shift } else { 0.0 };
        }
        let Coupled { params, kernel, wall_kernel, state, gradients } = &mut method;
        let step = Step::new(&world, 0.01, params, (*kernel, wall_kernel), 0.0);
        gradients.find_neighbors(step.x0, kernel.support(), &step.domain);
        let still = vec![Vec3A::ZERO; right.len()];
        let connected =
            state.connections.update(&step, &gradients.neighbors, (&world.particles.ids, &still), false);
        let near = &gradients.neighbors;
        let pairs = (0..right.len()).flat_map(|i| near.range(i).map(move |k| (i, k)));
        let of_both = pairs.filter(|&(i, k)| right[i] != right[near.of(i)[k - near.range(i).start] as usize]);
        let (mut all, mut acting) = (0, 0);
        for (_, k) in of_both {
            all += 1;
            acting += usize::from(connected[k]);
        }
        (all, acting)
    };
    // Distances of the outermost layers.
    assert_eq!(across(0.04), (0, 0), "out of reach");
    let (near, acting) = across(0.016);
    assert!(near > 100 && acting == 0, "{acting} of {near} pairs act 1.6 spacings apart");
    let (near, acting) = across(0.011);
    assert_eq!(acting, 2 * 25, "the pairs face to face, of {near}");
    let (_, still) = across(0.016);
    assert!(still > 0, "{still} act when they have touched");
}
