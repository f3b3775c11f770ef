//! The narrowest section of the fluid that is pulled, and its rupture (eq. 9 and section 5).
//!
//! Grips pull along the largest difference of their velocities. n of a section across it is the number of particles in it,
//! n = Σ (1 − |s|/3d) over particles at the distance s along the pull; n^k is the least of all sections a spacing apart, n⁰
//! that of the fluid when the pull begins, and n^k = 0 once nothing connects the grips. The sides S1 to S4 are the outer
//! three layers of particles on either side of the two directions across, as the fluid stands when the pull begins. The
//! fluid begins to be ruptured when two particles of opposite sides are within the radius of influence of each other, or
//! when nothing connects the grips.

use super::around::Around;
use crate::flow::pieces::connected;
use crate::parallel;
use crate::particles::Motion;
use crate::world::World;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Half the thickness of sections, and that of sides, in spacings.
const LAYERS: f32 = 3.0;
/// Slower than this, in m/s, nothing pulls.
const STILL: f32 = 1e-9;

/// How grips pull the fluid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pull {
    pub(super) axis: Vec3,
    /// The grip that pulls along the axis, and the one that holds against it.
    grips: (u16, Option<u16>),
}

impl Pull {
    /// That of the grips that part fastest, of those that hold anything, if any do.
    pub(super) fn find(world: &World) -> Option<Self> {
        let mut ends = motions(world);
        if ends.len() == 1 {
            ends.push((None, Vec3::ZERO));
        }
        let pairs = ends.iter().flat_map(|a| ends.iter().map(move |b| (a.0, b.0, a.1 - b.1)));
        let (a, b, v) = pairs
            .filter(|(a, ..)| a.is_some())
            .max_by(|a, b| a.2.length_squared().total_cmp(&b.2.length_squared()))?;
        (v.length() > STILL).then(|| Self { axis: v.normalize(), grips: (a.unwrap_or(0), b) })
    }

    /// Whether nothing connects what pulls with what holds; where nothing holds, with the far end of the fluid.
    pub(super) fn is_parted(&self, world: &World, around: &Around) -> bool {
        let p = &world.particles;
        let pieces = connected(&around.near, p.len());
        let of = |grip: u16| (0..p.len()).filter(move |&i| p.motions[i] == Motion::Gripped(grip));
        let far = || {
            let along = |i: &usize| self.axis.dot(p.positions[*i]);
            (0..p.len()).filter(|&i| is_fluid(world, i)).min_by(|a, b| along(a).total_cmp(&along(b)))
        };
        let held: Vec<u32> = match self.grips.1 {
            Some(grip) => of(grip).map(|i| pieces[i]).collect(),
            None => far().map(|i| pieces[i]).into_iter().collect(),
        };
        let mut is_held = vec![false; p.len()];
        held.iter().for_each(|&piece| is_held[piece as usize] = true);
        !of(self.grips.0).any(|i| is_held[pieces[i] as usize])
    }

    /// Particles in the narrowest section.
    pub(super) fn narrowest(&self, world: &World) -> f32 {
        let p = &world.particles;
        let (d, half) = (world.spacing, LAYERS * world.spacing);
        let mut along: Vec<f32> =
            (0..p.len()).filter(|&i| is_fluid(world, i)).map(|i| self.axis.dot(p.positions[i])).collect();
        along.par_sort_unstable_by(f32::total_cmp);
        let (Some(&low), Some(&high)) = (along.first(), along.last()) else {
            return 0.0;
        };
        // Those at the ends are cut by them.
        let sections = (((high - low - 2.0 * half) / d).floor().max(0.0) as usize).min(p.len() * 4);
        let count = |k: usize| {
            let at = low + half + k as f32 * d;
            let from = along.partition_point(|y| *y < at - half);
            let inside = along[from..].iter().take_while(|y| **y < at + half);
            inside.map(|y| 1.0 - (y - at).abs() / half).sum::<f32>()
        };
        (0..=sections).into_par_iter().map(count).reduce(|| f32::INFINITY, f32::min)
    }
}

/// The grips that hold particles, with the mean velocities of these.
fn motions(world: &World) -> Vec<(Option<u16>, Vec3)> {
    let p = &world.particles;
    let mut held = vec![(DVec3::ZERO, 0_u32); world.grips.len()];
    for (motion, x) in p.motions.iter().zip(&p.positions) {
        if let Motion::Gripped(k) = motion {
            let (sum, count) = &mut held[usize::from(*k)];
            (*sum, *count) = (*sum + x.as_dvec3(), *count + 1);
        }
    }
    let moving = (0..).zip(world.grips.iter().zip(held)).filter(|(_, (_, (_, count)))| *count > 0);
    moving
        .map(|(k, (grip, (sum, count)))| (Some(k), grip.velocity_at((sum / f64::from(count)).as_vec3())))
        .collect()
}

/// Whether a particle is fluid; what grips hold is the end of it.
fn is_fluid(world: &World, i: usize) -> bool {
    !matches!(world.particles.motions[i], Motion::Body(_))
}

/// Whether a particle is fluid that no grip holds.
fn is_pulled(world: &World, i: usize) -> bool {
    world.particles.motions[i] == Motion::Free
}

/// Mean n/n⁰ of all fluid, for fluid that nothing pulls.
pub(super) fn mean_density(world: &World, density: &[f32]) -> f32 {
    let [sum, count] = parallel::sums(density.len(), |i| match is_fluid(world, i) {
        true => [f64::from(density[i]), 1.0],
        false => [0.0; 2],
    });
    if count > 0.0 { (sum / count) as f32 } else { 1.0 }
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
