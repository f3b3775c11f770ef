//! Corrections by connections that are all alike and lead to fluid, eight at a time.

use super::connections::Connection;
use super::corrections::{End, NO_EASE, NO_LENGTH};
use super::setting::Link;
use crate::lanes::{self, LANES, Vec3x8, gather, ones};
use glam::Vec3;
use wide::f32x8;

/// What is the same for all connections of a particle.
struct Own {
    x: Vec3x8,
    coefficient: f32x8,
    ease: f32x8,
    /// h².
    near: f32x8,
    /// (βh)².
    split: f32x8,
    /// (γh)².
    yielding: f32x8,
}

/// Sums over the connections of a particle, lane by lane.
#[derive(Default)]
struct Lanes {
    pull: Vec3x8,
    energy: f32x8,
    near: f32x8,
    yields: f32x8,
    parts: f32x8,
}

impl Lanes {
    #[inline(always)]
    fn add(&mut self, own: &Own, others: [&End; LANES], rest: f32x8) {
        let e = own.x - Vec3x8::new(others.map(|other| &other.x));
        let r2 = e.length_squared().fast_max(f32x8::splat(NO_LENGTH * NO_LENGTH));
        // One division for both 1/|x| and 1/ease.
        let ease = (own.ease + gather(|k| others[k].ease)).fast_max(f32x8::splat(NO_EASE));
        let length = r2.sqrt();
        let inverse = f32x8::ONE / (length * ease);
        // D/|x|.
        let stretch = (f32x8::ONE - rest * (inverse * ease)).fast_max(f32x8::ZERO);
        let k = (own.coefficient + gather(|k| others[k].coefficient)) * stretch * (inverse * length);
        let extension = r2 * stretch;
        self.pull += e * k;
        self.energy += k * extension;
        self.near += ones(r2.simd_lt(own.near));
        self.yields += ones((extension * stretch).simd_gt(own.yielding));
        self.parts |= r2.simd_gt(own.split);
    }
}

/// What the connections of a particle do together.
pub(super) struct Sum {
    /// Σ_j (c_i + c_j) D/((1/m_i + 1/m_j) |x|) x_ij.
    pub(super) pull: Vec3,
    /// Σ_j (c_i + c_j) D²/(1/m_i + 1/m_j).
    pub(super) energy: f32,
    /// How many are shorter than the kernel's support.
    pub(super) near: usize,
    /// How many are so long that they weaken.
    pub(super) yields: f32,
}

/// Sums over the connections of a particle; none where one is to part or leads to a solid.
#[inline]
pub(super) fn sum(
    (own, particles): (&End, &[End]),
    (link, support): (Link, f32),
    connections: &[Connection],
) -> Option<Sum> {
    let square = |a: f32| f32x8::splat((a * support).powi(2));
    let of_own = Own {
        x: Vec3x8::splat(own.x),
        coefficient: f32x8::splat(own.coefficient),
        ease: f32x8::splat(own.ease),
        near: square(1.0),
        split: square(link.split),
        yielding: square(link.yielding),
    };
    let mut sums = Lanes::default();
    let (batches, rest) = connections.as_chunks::<LANES>();
    for batch in batches {
        if batch.iter().any(Connection::leads_to_solid) {
            return None;
        }
        let others = batch.each_ref().map(|c| &particles[c.index()]);
        sums.add(&of_own, others, gather(|k| batch[k].rest));
    }
    let unused = (LANES - rest.len()) % LANES;
    if !rest.is_empty() {
        if rest.iter().any(Connection::leads_to_solid) {
            return None;
        }
        // Lanes that are left lead back to the particle itself, and are never longer than at rest.
        let other = |k: usize| rest.get(k).map_or(own, |c| &particles[c.index()]);
        let lengths = gather(|k| rest.get(k).map_or(f32::MAX, |c| c.rest));
        sums.add(&of_own, std::array::from_fn(other), lengths);
    }
    if sums.parts.any() {
        return None;
    }
    Some(Sum {
        pull: sums.pull.sum(),
        energy: lanes::sum(sums.energy),
        near: lanes::sum(sums.near) as usize - unused,
        yields: lanes::sum(sums.yields),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const LINK: Link = Link { merge: 1.0, split: 2.0, yielding: 0.2, weakening: 0.1 };

    fn some(count: usize) -> (Vec<End>, Vec<Connection>) {
        let mut random = Random::new(count as u64 + 1);
        let mut end = |_| End {
            x: Vec3::from_array(random.triple()),
            coefficient: 0.01 + random.unit(),
            ease: 1.0 + random.unit(),
        };
        let ends: Vec<End> = (0..=count).map(&mut end).collect();
        let rest = |j: usize| 0.3 + 0.5 * ends[j].coefficient;
        let connections = (1..=count).map(|j| Connection::with_fluid(j as u32, rest(j))).collect();
        (ends, connections)
    }

    #[test]
    fn sums_are_those_of_the_equations_for_any_number() {
        for count in [0, 1, 7, 8, 9, 29] {
            let (ends, connections) = some(count);
            let support = 0.9;
            let sum = sum((&ends[0], &ends), (LINK, support), &connections).expect("none parts");
            let (mut pull, mut energy, mut near, mut yields) = (Vec3::ZERO, 0.0, 0, 0);
            for c in &connections {
                let (other, e) = (&ends[c.index()], ends[0].x - ends[c.index()].x);
                let extension = (e.length() - c.rest).max(0.0);
                let k = (ends[0].coefficient + other.coefficient) * extension / (ends[0].ease + other.ease);
                pull += e.normalize() * k;
                energy += k * extension;
                near += usize::from(e.length() < support);
                yields += u32::from(extension > LINK.yielding * support);
            }
            assert!(sum.pull.distance(pull) < 1e-5, "{count}: {} and {pull}", sum.pull);
            assert!((sum.energy - energy).abs() < 1e-5, "{count}: {} and {energy}", sum.energy);
            assert_eq!((sum.near, sum.yields), (near, yields as f32), "{count}");
        }
    }

    #[test]
    fn what_parts_or_leads_to_a_solid_is_left_to_others() {
        let (ends, mut connections) = some(11);
        let of = |connections: &[Connection], support| sum((&ends[0], &ends), (LINK, support), connections);
        assert!(of(&connections, 0.9).is_some());
        assert!(of(&connections, 0.1).is_none());
        for at in [3, 10] {
            let whole = connections[at];
            connections[at] = Connection::with_body(whole.index() as u32, whole.rest);
            assert!(of(&connections, 0.9).is_none());
            connections[at] = whole;
        }
    }
}
