//! Parts of the method against what they must be.

use super::constraint::{Tensile, lattice};
use super::*;
use crate::scene::Scene;

/// A jittered block, at rest but for one corner that is pressed together.
fn world() -> World {
    let scene = r#"
name = "block"
method = "pbf"
spacing = 0.1
material = [{ name = "water", viscosity = 0.001 }]
time = { frames = 2, steps_per_frame = 1 }
fluid = [{ material = "water", jitter = 0.2, shape = { box = { min = [0, 0, 0], max = [0.6, 0.5, 0.5] } } }]
"#;
    World::with_assets(&Scene::from_toml(scene).unwrap(), &crate::mesh::Assets::new()).unwrap()
}

#[test]
fn a_lattice_has_a_point_for_every_cell() {
    assert_eq!(lattice(3).count(), 343);
    assert_eq!(lattice(3).filter(|&k| k == 1).count(), 6);
}

#[test]
fn one_small_error_is_corrected_by_one_iteration() {
    // A pair far from all others that is a little too dense, were its density at rest that of two: λ solves C + ∇C·Δx = 0.
    let world = world();
    let params = Params { softness: 0.0, tensile_strength: 0.0, ..Params::default() };
    let kernel = Kernel::new(0.1, 0.22);
    let walls = WallKernel::new(&kernel);
    let step = Step::new(&world, 0.01, &params, (kernel, &walls));
    let tensile = Tensile::new(&params, &kernel);
    let constraint = Constraint { step: &step, tensile: &tensile, corrects_tension: false };
    let n = world.particles.len();
    let mut s = vec![Vec3::ZERO; n];
    let around = step.find_displaced(&s, SKIN * kernel.support());
    let mut multipliers = vec![Default::default(); n];
    find_multipliers(&step, &around, &constraint, (&s, &mut multipliers));
    // Only the densest particle pushes: the error of its own constraint must vanish to first order.
    let densest = (0..n).max_by(|&a, &b| multipliers[a].error.total_cmp(&multipliers[b].error)).unwrap();
    let before = multipliers[densest].error;
    assert!(before > 0.005, "{before}");
    for (i, m) in multipliers.iter_mut().enumerate() {
        m.lambda *= if i == densest { 1.0 } else { 0.0 };
    }
    let mut moved = s.clone();
    move_by_multipliers(&step, &around, &constraint, (&mut s, &mut moved, &multipliers));
    find_multipliers(&step, &around, &constraint, (&s, &mut multipliers));
    let after = multipliers[densest].error;
    assert!(after.abs() < 0.1 * before, "{before} → {after}");
}

#[test]
fn a_turning_block_has_its_vorticity_pushed_nowhere_as_a_whole() {
    let mut world = world();
    let params = Params { vorticity_confinement: 1.0, ..Params::default() };
    let kernel = Kernel::new(0.1, 0.22);
    let walls = WallKernel::new(&kernel);
    for (v, x) in world.particles.velocities.iter_mut().zip(&world.particles.positions) {
        *v = Vec3::new(-x.y * x.y, x.x * x.z, x.y);
    }
    let step = Step::new(&world, 0.01, &params, (kernel, &walls));
    let s = vec![Vec3::ZERO; step.x0.len()];
    let around = step.find_displaced(&s, SKIN * kernel.support());
    let before: Vec<Vec3A> = world.particles.velocities.iter().map(|&v| v.into()).collect();
    let mut after = before.clone();
    vorticity::confine(&step, &around, &s, &mut after);
    let pushes = before.iter().zip(&after).map(|(a, b)| *b - *a);
    let (sum, sizes) = pushes.fold((Vec3A::ZERO, 0.0), |(sum, sizes), p| (sum + p, sizes + p.length()));
    assert!(sizes > 0.01 && sum.length() < 1e-5 * sizes, "{sum} of {sizes}");
}
