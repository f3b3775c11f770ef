//! Corrections by connections with fluid that are all alike, four at a time.

use super::corrections::NO_LENGTH;
use super::lists::List;
use super::setting::Link;
use crate::lanes::{self, LANES, Vec3x4, ones};
use glam::{Vec3, Vec4};
use wide::f32x4;

/// What is the same for all connections of a particle.
struct Own<'a> {
    x: Vec3x4,
    coefficient: f32x4,
    /// h².
    near: f32x4,
    /// (βh)².
    split: f32x4,
    /// (γh)².
    yielding: f32x4,
    /// Positions and coefficients of all particles.
    particles: &'a [Vec4],
}

/// Sums over the connections of a particle, lane by lane.
#[derive(Default)]
struct Lanes {
    pull: Vec3x4,
    energy: f32x4,
    near: f32x4,
    yields: f32x4,
    /// Largest length squared.
    farthest: f32x4,
}

impl Lanes {
    #[inline(always)]
    fn add(
        &mut self,
        own: &Own,
        mass: &impl Fn(&[u32; LANES]) -> f32x4,
        (others, &rest): (&[u32; LANES], &[f32; LANES]),
    ) {
        let (x, coefficient) = Vec3x4::with_numbers(others.map(|j| own.particles[j as usize]));
        let e = own.x - x;
        let r2 = e.length_squared().fast_max(f32x4::splat(NO_LENGTH * NO_LENGTH));
        // D/|x|; what is to part does not pull.
        let stretch =
            (f32x4::ONE - f32x4::from(rest) / r2.sqrt()).fast_max(f32x4::ZERO) & r2.simd_le(own.split);
        let k = (own.coefficient + coefficient) * stretch * mass(others);
        let extension = r2 * stretch;
        self.pull += e * k;
        self.energy += k * extension;
        self.near += ones(r2.simd_lt(own.near));
        self.yields += ones((extension * stretch).simd_gt(own.yielding));
        self.farthest = self.farthest.fast_max(r2);
    }
}

/// What the connections of a particle with fluid do together.
pub(super) struct Sum {
    /// Σ_j (c_i + c_j) D/((1/m_i + 1/m_j) |x|) x_ij.
    pub(super) pull: Vec3,
    /// Σ_j (c_i + c_j) D²/(1/m_i + 1/m_j).
    pub(super) energy: f32,
    /// How many are shorter than the kernel's support.
    pub(super) near: usize,
    /// How many are so long that they weaken.
    pub(super) yields: f32,
    /// Whether any is to part. Those are not in the sums.
    pub(super) parted: bool,
}

/// Sums over the connections of a particle, among `particles` that are given by position and coefficient. `mass` is
/// 1/(1/m_i + 1/m_j).
#[inline]
pub(super) fn sum(
    i: usize,
    (particles, link, support): (&[Vec4], Link, f32),
    mass: impl Fn(&[u32; LANES]) -> f32x4,
    connections: List,
) -> Sum {
    let square = |a: f32| f32x4::splat((a * support).powi(2));
    let own = Own {
        x: Vec3x4::splat(particles[i].truncate()),
        coefficient: f32x4::splat(particles[i].w),
        near: square(1.0),
        split: square(link.split),
        yielding: square(link.yielding),
        particles,
    };
    let mut sums = Lanes::default();
    for vector in connections.vectors() {
        sums.add(&own, &mass, vector);
    }
    Sum {
        pull: sums.pull.sum(),
        energy: lanes::sum(sums.energy),
        // What the list is filled up with leads to the particle itself, and is as near as can be.
        near: lanes::sum(sums.near) as usize - connections.padding(),
        yields: lanes::sum(sums.yields),
        parted: sums.farthest.simd_gt(own.split).any(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::lists::Lists;
    use super::*;
    use crate::lanes::gather;
    use crate::random::Random;

    const LINK: Link = Link { merge: 1.0, split: 2.0, yielding: 0.2, weakening: 0.1 };

    /// Particles with their ease, and connections of the first of them with the others.
    fn some(count: usize) -> (Vec<Vec4>, Vec<f32>, Lists) {
        let mut random = Random::new(count as u64 + 1);
        let mut particle = |_| Vec3::from_array(random.triple()).extend(0.01 + random.unit());
        let particles: Vec<Vec4> = (0..=count).map(&mut particle).collect();
        let ease = particles.iter().map(|p| 1.0 + p.w * p.x.abs()).collect();
        let rest = |j: usize| 0.3 + 0.5 * particles[j].w;
        let mut connections = Lists::default();
        connections.push((1..=count).map(|j| (j as u32, rest(j))));
        (particles, ease, connections)
    }

    /// The sums, one connection after the other.
    fn one_by_one(particles: &[Vec4], ease: &[f32], support: f32, connections: List) -> Sum {
        let mut sum = Sum { pull: Vec3::ZERO, energy: 0.0, near: 0, yields: 0.0, parted: false };
        for (j, rest) in connections.iter() {
            let j = j as usize;
            let e = (particles[0] - particles[j]).truncate();
            sum.near += usize::from(e.length() < support);
            if e.length() > LINK.split * support {
                sum.parted = true;
                continue;
            }
            let extension = (e.length() - rest).max(0.0);
            let k = (particles[0].w + particles[j].w) * extension / (ease[0] + ease[j]);
            sum.pull += e.normalize() * k;
            sum.energy += k * extension;
            sum.yields += f32::from(u8::from(extension > LINK.yielding * support));
        }
        sum
    }

    fn check(count: usize, support: f32) -> Sum {
        let (particles, ease, connections) = some(count);
        let expected = one_by_one(&particles, &ease, support, connections.of(0));
        let both = |others: &[u32; LANES]| gather(|k| 1.0 / (ease[0] + ease[others[k] as usize]));
        let sum = sum(0, (&particles, LINK, support), both, connections.of(0));
        assert!(sum.pull.distance(expected.pull) < 1e-5, "{count}: {} and {}", sum.pull, expected.pull);
        assert!((sum.energy - expected.energy).abs() < 1e-5, "{count}");
        let counted = |s: &Sum| (s.near, s.yields, s.parted);
        assert_eq!(counted(&sum), counted(&expected), "{count}");
        sum
    }

    #[test]
    fn sums_are_those_of_the_equations_for_any_number() {
        for count in [0, 1, 7, 8, 9, 29, 64, 65, 131] {
            assert!(!check(count, 0.9).parted);
        }
    }

    #[test]
    fn what_parts_is_left_out() {
        for count in [3, 8, 21, 70] {
            assert!(check(count, 0.3).parted);
        }
    }
}
