//! The narrowest section of the fluid that is pulled, and its rupture (eq. 9 and section 5).
//!
//! Grips pull along the largest difference of their velocities. Across it the fluid is cut into sections three spacings
//! thick, those of the grips among them; the narrowest has the fewest particles. n^k is their mean number density; where a section between others is
//! empty, it is zero. The sides S1 to S4 are the outer three layers of particles on either side of the two directions
//! across, as the fluid stands at the start. The fluid begins to be ruptured when two particles of opposite sides are
//! within the radius of influence of each other, or when a section is empty.

use super::around::Around;
use crate::parallel;
use crate::particles::Motion;
use crate::world::World;
use glam::Vec3;
use rayon::prelude::*;

/// Thickness of sections, and of sides, in spacings.
const LAYERS: f32 = 3.0;
/// Slower than this, in m/s, nothing pulls.
const STILL: f32 = 1e-9;

/// The direction in which grips pull the fluid, if they do.
pub(super) fn pull_axis(world: &World) -> Option<Vec3> {
    let mut velocities: Vec<Vec3> = world.grips.iter().map(|g| g.velocity + g.axis * g.rate as f32).collect();
    if velocities.len() == 1 {
        velocities.push(Vec3::ZERO);
    }
    let pairs = velocities.iter().flat_map(|a| velocities.iter().map(move |b| *a - *b));
    let pull = pairs.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
    (pull.length() > STILL).then(|| pull.normalize())
}

/// Whether a particle is fluid; what grips hold is the end of it.
fn is_fluid(world: &World, i: usize) -> bool {
    !matches!(world.particles.motions[i], Motion::Body(_))
}

/// Whether a particle is fluid that no grip holds.
fn is_pulled(world: &World, i: usize) -> bool {
    world.particles.motions[i] == Motion::Free
}

/// n^k/n⁰ of the narrowest section.
pub(super) fn narrowest_density(world: &World, density: &[f32], axis: Option<Vec3>) -> f32 {
    let p = &world.particles;
    let fluid = |i: usize| is_fluid(world, i);
    let mean = |chosen: &(dyn Fn(usize) -> bool + Sync)| {
        let [sum, count] = parallel::sums(p.len(), |i| match chosen(i) {
            true => [f64::from(density[i]), 1.0],
            false => [0.0; 2],
        });
        if count > 0.0 { (sum / count) as f32 } else { 1.0 }
    };
    let Some(axis) = axis else {
        return mean(&fluid).min(1.0);
    };
    let thickness = LAYERS * world.spacing;
    let section = |i: usize| (axis.dot(p.positions[i]) / thickness).floor() as i64;
    let sections: Vec<i64> = (0..p.len()).filter(|&i| fluid(i)).map(section).collect();
    let (Some(&low), Some(&high)) = (sections.iter().min(), sections.iter().max()) else {
        return 1.0;
    };
    // The outermost are cut by the ends of the fluid.
    if high - low < 2 || high - low > sections.len() as i64 * 4 {
        return mean(&fluid).min(1.0);
    }
    let mut counts = vec![0_u32; (high - low + 1) as usize];
    sections.iter().for_each(|s| counts[(s - low) as usize] += 1);
    let inner = &counts[1..counts.len() - 1];
    let narrowest = (0..inner.len()).min_by_key(|&k| inner[k]).unwrap_or(0);
    if inner[narrowest] == 0 {
        return 0.0;
    }
    let chosen = low + 1 + narrowest as i64;
    mean(&|i| fluid(i) && section(i) == chosen).min(1.0)
}

/// The sides of the fluid: bits 0 and 1 for the two ends of one direction across, 2 and 3 for those of the other. None
/// where the fluid is too thin to have an inside.
pub(super) fn sides(world: &World, axis: Vec3, support: f32) -> Vec<u8> {
    let p = &world.particles;
    let d = world.spacing;
    let (a, b) = axis.any_orthonormal_pair();
    let mut sides = vec![0; p.len()];
    for (k, across) in [a, b].into_iter().enumerate() {
        let reach = |i: usize| across.dot(p.positions[i]);
        let (low, high) = (0..p.len())
            .filter(|&i| is_pulled(world, i))
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), i| {
                (low.min(reach(i)), high.max(reach(i)))
            });
        if high - low < 2.0 * LAYERS * d + support {
            continue;
        }
        parallel::for_each(&mut sides, |i, s| {
            if is_pulled(world, i) {
                let (x, width) = (reach(i), (LAYERS - 0.5) * d);
                *s |= u8::from(x - low < width) << (2 * k) | u8::from(high - x < width) << (2 * k + 1);
            }
        });
    }
    sides
}

/// Whether particles of opposite sides have come within the radius of influence.
pub(super) fn sides_meet(around: &Around, sides: &[u8]) -> bool {
    // 01 ↔ 10 of both directions.
    let opposite = |s: u8| (s & 0b0101) << 1 | (s & 0b1010) >> 1;
    (0..sides.len()).into_par_iter().any(|i| {
        let sought = opposite(sides[i]);
        sought != 0 && around.near.of(i).iter().any(|&j| sides[j as usize] & sought != 0)
    })
}
