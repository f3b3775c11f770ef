//! Corrections by connections that are all alike, eight at a time; those that lead to solids are left out.

use super::connections::Connection;
use super::corrections::NO_LENGTH;
use super::setting::Link;
use crate::lanes::{self, LANES, Vec3x8, gather, ones};
use glam::{Vec3, Vec4};
use wide::f32x8;

/// What is the same for all connections of a particle.
struct Own<'a> {
    i: usize,
    x: Vec3x8,
    coefficient: f32x8,
    /// h².
    near: f32x8,
    /// (βh)².
    split: f32x8,
    /// (γh)².
    yielding: f32x8,
    /// Positions and coefficients of all particles.
    particles: &'a [Vec4],
}

/// Sums over the connections of a particle, lane by lane.
#[derive(Default)]
struct Lanes {
    pull: Vec3x8,
    energy: f32x8,
    near: f32x8,
    yields: f32x8,
    parts: f32x8,
    /// Lanes without a connection with fluid.
    unused: usize,
    /// Connections with solids.
    solid: usize,
}

impl Lanes {
    #[inline(always)]
    fn add(
        &mut self,
        own: &Own,
        mass: &impl Fn([usize; LANES]) -> f32x8,
        (others, rest): ([usize; LANES], f32x8),
    ) {
        let (x, coefficient) = Vec3x8::with_numbers(others.map(|j| &own.particles[j]));
        let e = own.x - x;
        let r2 = e.length_squared().fast_max(f32x8::splat(NO_LENGTH * NO_LENGTH));
        // D/|x|; what is to part does not pull.
        let stretch = (f32x8::ONE - rest / r2.sqrt()).fast_max(f32x8::ZERO) & r2.simd_le(own.split);
        let k = (own.coefficient + coefficient) * stretch * mass(others);
        let extension = r2 * stretch;
        self.pull += e * k;
        self.energy += k * extension;
        self.near += ones(r2.simd_lt(own.near));
        self.yields += ones((extension * stretch).simd_gt(own.yielding));
        self.parts |= r2.simd_gt(own.split);
    }

    /// Up to eight connections, of which some may lead to solids. Lanes that are left lead back to the particle itself,
    /// and are never longer than at rest.
    fn add_some(&mut self, own: &Own, mass: &impl Fn([usize; LANES]) -> f32x8, batch: &[Connection]) {
        let fluid = |k: usize| batch.get(k).filter(|c| !c.leads_to_solid());
        let others = std::array::from_fn(|k| fluid(k).map_or(own.i, Connection::index));
        self.add(own, mass, (others, gather(|k| fluid(k).map_or(f32::MAX, |c| c.rest))));
        self.unused += LANES - (0..LANES).filter_map(fluid).count();
        self.solid += batch.iter().filter(|c| c.leads_to_solid()).count();
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
    /// How many lead to solids. Those are not in the sums either.
    pub(super) solid: usize,
}

/// Sums over the connections of a particle, among `particles` that are given by position and coefficient. `mass` is
/// 1/(1/m_i + 1/m_j).
#[inline]
pub(super) fn sum(
    i: usize,
    (particles, link, support): (&[Vec4], Link, f32),
    mass: impl Fn([usize; LANES]) -> f32x8,
    connections: &[Connection],
) -> Sum {
    let square = |a: f32| f32x8::splat((a * support).powi(2));
    let own = Own {
        i,
        x: Vec3x8::splat(particles[i].truncate()),
        coefficient: f32x8::splat(particles[i].w),
        near: square(1.0),
        split: square(link.split),
        yielding: square(link.yielding),
        particles,
    };
    let mut sums = Lanes::default();
    let (batches, rest) = connections.as_chunks::<LANES>();
    for batch in batches {
        if batch.iter().any(Connection::leads_to_solid) {
            sums.add_some(&own, &mass, batch);
        } else {
            let others = batch.each_ref().map(Connection::index);
            sums.add(&own, &mass, (others, gather(|k| batch[k].rest)));
        }
    }
    if !rest.is_empty() {
        sums.add_some(&own, &mass, rest);
    }
    Sum {
        pull: sums.pull.sum(),
        energy: lanes::sum(sums.energy),
        near: lanes::sum(sums.near) as usize - sums.unused,
        yields: lanes::sum(sums.yields),
        parted: sums.parts.any(),
        solid: sums.solid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const LINK: Link = Link { merge: 1.0, split: 2.0, yielding: 0.2, weakening: 0.1 };

    /// Particles with their ease, and connections of the first of them with the others.
    fn some(count: usize) -> (Vec<Vec4>, Vec<f32>, Vec<Connection>) {
        let mut random = Random::new(count as u64 + 1);
        let mut particle = |_| Vec3::from_array(random.triple()).extend(0.01 + random.unit());
        let particles: Vec<Vec4> = (0..=count).map(&mut particle).collect();
        let ease = particles.iter().map(|p| 1.0 + p.w * p.x.abs()).collect();
        let rest = |j: usize| 0.3 + 0.5 * particles[j].w;
        let connections = (1..=count).map(|j| Connection::with_fluid(j as u32, rest(j))).collect();
        (particles, ease, connections)
    }

    /// The sums, one connection after the other.
    fn one_by_one(particles: &[Vec4], ease: &[f32], support: f32, connections: &[Connection]) -> Sum {
        let mut sum = Sum { pull: Vec3::ZERO, energy: 0.0, near: 0, yields: 0.0, parted: false, solid: 0 };
        for c in connections {
            if c.leads_to_solid() {
                sum.solid += 1;
                continue;
            }
            let j = c.index();
            let e = (particles[0] - particles[j]).truncate();
            sum.near += usize::from(e.length() < support);
            if e.length() > LINK.split * support {
                sum.parted = true;
                continue;
            }
            let extension = (e.length() - c.rest).max(0.0);
            let k = (particles[0].w + particles[j].w) * extension / (ease[0] + ease[j]);
            sum.pull += e.normalize() * k;
            sum.energy += k * extension;
            sum.yields += f32::from(u8::from(extension > LINK.yielding * support));
        }
        sum
    }

    fn check(particles: &[Vec4], ease: &[f32], support: f32, connections: &[Connection]) -> Sum {
        let expected = one_by_one(particles, ease, support, connections);
        let both = |others: [usize; LANES]| gather(|k| 1.0 / (ease[0] + ease[others[k]]));
        let sum = sum(0, (particles, LINK, support), both, connections);
        let count = connections.len();
        assert!(sum.pull.distance(expected.pull) < 1e-5, "{count}: {} and {}", sum.pull, expected.pull);
        assert!((sum.energy - expected.energy).abs() < 1e-5, "{count}");
        let counted = |s: &Sum| (s.near, s.yields, s.parted, s.solid);
        assert_eq!(counted(&sum), counted(&expected), "{count}");
        sum
    }

    #[test]
    fn sums_are_those_of_the_equations_for_any_number() {
        for count in [0, 1, 7, 8, 9, 29] {
            let (particles, ease, connections) = some(count);
            assert!(!check(&particles, &ease, 0.9, &connections).parted);
        }
    }

    #[test]
    fn what_parts_or_leads_to_a_solid_is_left_out() {
        for count in [3, 8, 21] {
            let (particles, ease, mut connections) = some(count);
            assert!(check(&particles, &ease, 0.3, &connections).parted);
            for at in [1, count - 1] {
                connections[at] = Connection::with_body(connections[at].index() as u32, connections[at].rest);
            }
            assert_eq!(check(&particles, &ease, 0.9, &connections).solid, 2);
        }
    }
}
