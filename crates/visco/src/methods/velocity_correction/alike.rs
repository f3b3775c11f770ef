//! Corrections by connections with fluid that are all alike, eight at a time.

use super::corrections::NO_LENGTH;
use super::lists::List;
use super::setting::Link;
use crate::lanes::{self, LANES, Vec3x8};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, u32x8};
use glam::{Vec3, Vec4};

/// What is the same for all connections of a particle.
struct Own<'a, S: Simd> {
    x: Vec3x8<S>,
    coefficient: f32,
    /// h².
    near: f32,
    /// (βh)².
    split: f32,
    /// (γh)².
    yielding: f32,
    /// Positions and coefficients of all particles.
    particles: &'a [Vec4],
}

/// Sums over the connections of a particle, lane by lane.
struct Lanes<S: Simd> {
    pull: Vec3x8<S>,
    energy: f32x8<S>,
    near: f32x8<S>,
    yields: f32x8<S>,
    /// Largest length squared.
    farthest: f32x8<S>,
    /// Indices of partners that are near, joined by exclusive or.
    joined: u32x8<S>,
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn add(
        &mut self,
        simd: S,
        own: &Own<S>,
        mass: &impl Fn(&[u32; LANES]) -> [f32; LANES],
        (others, &rest): (&[u32; LANES], &[f32; LANES]),
    ) {
        let (x, coefficient) = Vec3x8::with_numbers(simd, |k| &own.particles[others[k] as usize]);
        let (one, nothing) = (f32x8::splat(simd, 1.0), f32x8::splat(simd, 0.0));
        let e = own.x - x;
        let r2 = e.length_squared().max(NO_LENGTH * NO_LENGTH);
        // D/|x|; what is to part does not pull.
        let stretch = (one - f32x8::simd_from(simd, rest) / r2.sqrt()).max(nothing);
        let stretch = r2.simd_le(own.split).select(stretch, nothing);
        let k = (coefficient + own.coefficient) * stretch * f32x8::simd_from(simd, mass(others));
        let extension = r2 * stretch;
        self.pull += e * k;
        self.energy += k * extension;
        let near = r2.simd_lt(own.near);
        self.near += near.select(one, nothing);
        self.joined ^= near.select(u32x8::simd_from(simd, *others), u32x8::splat(simd, 0));
        self.yields += (extension * stretch).simd_gt(own.yielding).select(one, nothing);
        self.farthest = self.farthest.max(r2);
    }
}

/// What the connections of a particle with fluid do together.
pub(super) struct Sum {
    /// Σ_j (c_i + c_j) D/((1/m_i + 1/m_j) |x|) x_ij.
    pub(super) pull: Vec3,
    /// Σ_j (c_i + c_j) D²/(1/m_i + 1/m_j).
    pub(super) energy: f32,
    /// How many are shorter than the kernel's support, and the indices of their partners, joined by exclusive or.
    pub(super) near: usize,
    pub(super) joined: u32,
    /// How many are so long that they weaken.
    pub(super) yields: f32,
    /// Whether any is to part. Those are not in the sums.
    pub(super) parted: bool,
}

/// Sums over the connections of a particle, among `particles` that are given by position and coefficient. `mass` is
/// 1/(1/m_i + 1/m_j).
#[inline(always)]
pub(super) fn sum<S: Simd>(
    simd: S,
    i: usize,
    (particles, link, support): (&[Vec4], Link, f32),
    mass: impl Fn(&[u32; LANES]) -> [f32; LANES],
    connections: List,
) -> Sum {
    let square = |a: f32| (a * support).powi(2);
    let own = Own {
        x: Vec3x8::splat(simd, particles[i].truncate()),
        coefficient: particles[i].w,
        near: square(1.0),
        split: square(link.split),
        yielding: square(link.yielding),
        particles,
    };
    let nothing = f32x8::splat(simd, 0.0);
    let pull = Vec3x8::splat(simd, Vec3::ZERO);
    let mut sums = Lanes {
        pull,
        energy: nothing,
        near: nothing,
        yields: nothing,
        farthest: nothing,
        joined: u32x8::splat(simd, 0),
    };
    for vector in connections.vectors() {
        sums.add(simd, &own, &mass, vector);
    }
    // What the list is filled up with leads to the particle itself, and is as near as can be.
    let padding = connections.padding();
    let joined: [u32; LANES] = sums.joined.into();
    let itself = if padding.is_multiple_of(2) { 0 } else { i as u32 };
    Sum {
        pull: sums.pull.sum(),
        energy: lanes::sum(sums.energy),
        near: lanes::sum(sums.near) as usize - padding,
        joined: joined.iter().fold(itself, |all, j| all ^ j),
        yields: lanes::sum(sums.yields),
        parted: sums.farthest.simd_gt(own.split).to_bitmask() != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::lists::Lists;
    use super::*;
    use crate::lanes::{dispatch, level};
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
        let mut sum = Sum { pull: Vec3::ZERO, energy: 0.0, near: 0, joined: 0, yields: 0.0, parted: false };
        for (j, rest) in connections.iter() {
            let j = j as usize;
            let e = (particles[0] - particles[j]).truncate();
            if e.length() < support {
                sum.near += 1;
                sum.joined ^= j as u32;
            }
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
        let both = |others: &[u32; LANES]| others.map(|j| 1.0 / (ease[0] + ease[j as usize]));
        let among = (&particles[..], LINK, support);
        let sum = dispatch!(level(), simd => sum(simd, 0, among, both, connections.of(0)));
        assert!(sum.pull.distance(expected.pull) < 1e-5, "{count}: {} and {}", sum.pull, expected.pull);
        assert!((sum.energy - expected.energy).abs() < 1e-5, "{count}");
        let counted = |s: &Sum| (s.near, s.joined, s.yields, s.parted);
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
