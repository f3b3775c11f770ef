//! Corrections by connections that are all alike, eight at a time.

use super::corrections::NO_LENGTH;
use super::lists::{Eight, List, Marks};
use super::setting::Link;
use crate::lanes::{self, LANES, Vec3x8};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, u32x8};
use glam::{Vec3, Vec4};

/// Lengths at which something happens.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// h².
    near: f32,
    /// (βh)².
    split: f32,
    /// γh.
    yielding: f32,
}

impl Limits {
    pub(super) fn new(link: Link, support: f32) -> Self {
        let square = |a: f32| (a * support).powi(2);
        Self { near: square(1.0), split: square(link.split), yielding: link.yielding * support }
    }
}

/// What connections of a particle lead to.
pub(super) trait Others {
    /// Position of a partner, and a number beside it.
    fn at(&self, partner: u32) -> &Vec4;

    /// c_i + c_j, by c_i and the number beside a partner.
    #[inline(always)]
    fn coefficients<S: Simd>(&self, own: f32, beside: f32x8<S>) -> f32x8<S> {
        beside + own
    }

    /// 1/(1/m_i + 1/m_j); nothing where it is the same of all, and left to who asks.
    fn masses(&self, partners: &[u32; LANES]) -> Option<[f32; LANES]>;

    /// How many halves of a connection's energy belong to this end; nothing where it is one of all.
    #[inline(always)]
    fn halves(&self, _: &[u32; LANES]) -> Option<[f32; LANES]> {
        None
    }
}

/// One end of connections.
struct Own<'a, S: Simd, O> {
    x: Vec3x8<S>,
    coefficient: f32,
    others: &'a O,
}

impl<'a, S: Simd, O: Others> Own<'a, S, O> {
    #[inline(always)]
    fn new(simd: S, i: usize, others: &'a O) -> Self {
        let own = others.at(i as u32);
        Self { x: Vec3x8::splat(simd, own.truncate()), coefficient: own.w, others }
    }
}

/// Eight connections as they are now.
struct Current<'a, S: Simd> {
    connections: &'a Eight,
    /// x_ij, its length and that squared.
    e: Vec3x8<S>,
    length: f32x8<S>,
    r2: f32x8<S>,
    /// c_i + c_j.
    coefficients: f32x8<S>,
}

impl<'a, S: Simd> Current<'a, S> {
    #[inline(always)]
    fn new(simd: S, own: &Own<S, impl Others>, connections: &'a Eight) -> Self {
        let partners = &connections.partners;
        let (x, beside) = Vec3x8::with_numbers(simd, |k| own.others.at(partners[k]));
        let e = own.x - x;
        let r2 = e.length_squared().max(NO_LENGTH * NO_LENGTH);
        let coefficients = own.others.coefficients(own.coefficient, beside);
        Self { connections, e, length: r2.sqrt(), r2, coefficients }
    }
}

/// Sums over the connections of a particle, lane by lane.
struct Lanes<S: Simd> {
    pull: Vec3x8<S>,
    energy: f32x8<S>,
    /// Indices of partners that are near, joined by exclusive or.
    joined: u32x8<S>,
    /// Counted over all lanes.
    near: u32,
    yields: u32,
}

impl<S: Simd> Lanes<S> {
    /// Adds eight connections. Returns whether any of them is to part.
    #[inline(always)]
    fn add(
        &mut self,
        simd: S,
        limits: Limits,
        others: &impl Others,
        Current { connections: Eight { partners, rests }, e, length, r2, coefficients }: Current<S>,
    ) -> bool {
        let nothing = f32x8::splat(simd, 0.0);
        // D; what is to part does not pull.
        let parts = r2.simd_gt(limits.split);
        let extension = (length - f32x8::simd_from(simd, *rests)).max(nothing);
        let extension = parts.select(nothing, extension);
        let force = match others.masses(partners) {
            Some(masses) => coefficients * extension * f32x8::simd_from(simd, masses),
            None => coefficients * extension,
        };
        self.pull += e * (force / length);
        self.energy += match others.halves(partners) {
            Some(halves) => force * extension * f32x8::simd_from(simd, halves),
            None => force * extension,
        };
        let near = r2.simd_lt(limits.near);
        self.near += near.to_bitmask().count_ones();
        self.joined ^= near.select(u32x8::simd_from(simd, *partners), u32x8::splat(simd, 0));
        self.yields += extension.simd_gt(limits.yielding).to_bitmask().count_ones();
        parts.any_true()
    }
}

/// What the connections of a particle do together.
#[derive(Default)]
pub(super) struct Sum {
    /// Σ_j (c_i + c_j) μ D/|x| x_ij, with μ what [`Others::masses`] says of a connection, or 1.
    pub(super) pull: Vec3,
    /// Σ_j (c_i + c_j) μ D², twice where a wall has no other end.
    pub(super) energy: f32,
    /// How many are shorter than the kernel's support, and the indices of their partners, joined by exclusive or.
    pub(super) near: u32,
    pub(super) joined: u32,
    /// How many are so long that they weaken.
    pub(super) yields: u32,
    /// Vectors with connections that are to part. Those are not in the sums.
    pub(super) parted: Marks,
}

/// Sums over the connections of a particle.
#[inline(always)]
pub(super) fn sum<S: Simd>(
    simd: S,
    i: usize,
    (others_of, limits): (&impl Others, Limits),
    connections: List,
) -> Sum {
    let own = Own::new(simd, i, others_of);
    let nothing = f32x8::splat(simd, 0.0);
    let pull = Vec3x8::splat(simd, Vec3::ZERO);
    let mut sums = Lanes { pull, energy: nothing, joined: u32x8::splat(simd, 0), near: 0, yields: 0 };
    let mut parted = Marks::default();
    let [first, others @ ..] = connections.vectors() else { return Sum::default() };
    // The next are gathered before these are added: a processor then waits for roots and quotients of both at once.
    let mut current = Current::new(simd, &own, first);
    for (vector, next) in (0..).zip(others) {
        let next = Current::new(simd, &own, next);
        parted.set(vector, sums.add(simd, limits, others_of, current));
        current = next;
    }
    parted.set(others.len() as u32, sums.add(simd, limits, others_of, current));
    // What the list is filled up with leads to the particle itself, and is as near as can be.
    let padding = connections.padding();
    let joined: [u32; LANES] = sums.joined.into();
    let itself = if padding.is_multiple_of(2) { 0 } else { i as u32 };
    let [x, y, z, energy] = lanes::sums([sums.pull.x, sums.pull.y, sums.pull.z, sums.energy]);
    Sum {
        pull: Vec3::new(x, y, z),
        energy,
        near: sums.near - padding as u32,
        joined: joined.iter().fold(itself, |all, j| all ^ j),
        yields: sums.yields,
        parted,
    }
}

/// Which of eight connections of a particle are to part, as bits.
#[inline(always)]
pub(super) fn parting<S: Simd>(
    simd: S,
    i: usize,
    (others, limits): (&impl Others, Limits),
    partners: &[u32; LANES],
) -> u64 {
    let (x, _) = Vec3x8::with_numbers(simd, |k| others.at(partners[k]));
    (Own::new(simd, i, others).x - x).length_squared().simd_gt(limits.split).to_bitmask()
}

#[cfg(test)]
mod tests {
    use super::super::connections::{BODY, WALL};
    use super::super::lists::Lists;
    use super::super::others::{AnyFluid, Solids, Walls, mass};
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
        let mut sum = Sum::default();
        for (at, (j, rest)) in connections.iter().enumerate() {
            let j = j as usize;
            let e = (particles[0] - particles[j]).truncate();
            if e.length() < support {
                sum.near += 1;
                sum.joined ^= j as u32;
            }
            if e.length() > LINK.split * support {
                sum.parted.set((at / LANES) as u32, true);
                continue;
            }
            let extension = (e.length() - rest).max(0.0);
            let k = (particles[0].w + particles[j].w) * extension / (ease[0] + ease[j]);
            sum.pull += e.normalize() * k;
            sum.energy += k * extension;
            sum.yields += u32::from(extension > LINK.yielding * support);
        }
        sum
    }

    fn check(count: usize, support: f32) -> Sum {
        let (particles, ease, connections) = some(count);
        let expected = one_by_one(&particles, &ease, support, connections.of(0));
        let others = AnyFluid { particles: &particles, ease: &ease, own_ease: ease[0] };
        let among = (&others, Limits::new(LINK, support));
        let sum = dispatch!(level(), simd => sum(simd, 0, among, connections.of(0)));
        assert!(sum.pull.distance(expected.pull) < 1e-5, "{count}: {} and {}", sum.pull, expected.pull);
        assert!((sum.energy - expected.energy).abs() < 1e-5, "{count}");
        let counted = |s: &Sum| (s.near, s.joined, s.yields, s.parted);
        assert_eq!(counted(&sum), counted(&expected), "{count}");
        for Eight { partners, .. } in connections.of(0).vectors() {
            let far =
                |j: &u32| (particles[0] - particles[*j as usize]).truncate().length() > LINK.split * support;
            let parting = dispatch!(level(), simd => parting(simd, 0, among, partners));
            assert!(partners.iter().enumerate().all(|(k, j)| (parting >> k & 1 == 1) == far(j)), "{count}");
        }
        sum
    }

    /// Every third partner is the boundary particle of a wall, the others belong to a body.
    #[test]
    fn solids_take_the_coefficient_of_the_fluid_and_walls_have_no_end_of_mass() {
        let (particles, ease, fluid) = some(29);
        let walls: Vec<Vec4> = particles.iter().map(|p| (-p.truncate()).extend(7.0)).collect();
        let marked = |j: u32| j | if j.is_multiple_of(3) { WALL } else { BODY };
        let mut connections = Lists::default();
        connections.push(fluid.of(0).iter().map(|(j, rest)| (marked(j), rest)));
        let mut expected = Sum::default();
        for (j, rest) in fluid.of(0).iter() {
            let is_wall = j.is_multiple_of(3);
            let j = j as usize;
            let e = (particles[0] - if is_wall { walls[j] } else { particles[j] }).truncate();
            let extension = (e.length() - rest).max(0.0);
            let k = 2.0 * particles[0].w * extension / (ease[0] + if is_wall { 0.0 } else { ease[j] });
            expected.pull += e.normalize() * k;
            expected.energy += k * extension * if is_wall { 2.0 } else { 1.0 };
            expected.near += u32::from(e.length() < 1.5);
        }
        let solids = Solids { particles: &particles, walls: &walls, ease: &ease, own_ease: ease[0] };
        let among = (&solids, Limits::new(LINK, 1.5));
        let sum = dispatch!(level(), simd => sum(simd, 0, among, connections.of(0)));
        assert!(sum.pull.distance(expected.pull) < 1e-5, "{} and {}", sum.pull, expected.pull);
        assert!((sum.energy - expected.energy).abs() < 1e-5 * expected.energy);
        assert_eq!(sum.near, expected.near);
        assert!(expected.pull.length() > 0.1 && expected.near > 3);
    }

    #[test]
    fn walls_alone_are_summed_as_walls_among_bodies() {
        let (particles, ease, fluid) = some(21);
        let walls: Vec<Vec4> = particles.iter().map(|p| (0.7 * p.truncate()).extend(7.0)).collect();
        let mut connections = Lists::default();
        connections.push(fluid.of(0).iter().map(|(j, rest)| (j | WALL, rest)));
        let solids = Solids { particles: &particles, walls: &walls, ease: &ease, own_ease: ease[0] };
        let alone = Walls { own: &particles[0], walls: &walls, mass: mass(ease[0]) };
        let limits = Limits::new(LINK, 0.45);
        let [a, b] = dispatch!(level(), simd => [
            sum(simd, 0, (&solids, limits), connections.of(0)),
            sum(simd, 0, (&alone, limits), connections.of(0)),
        ]);
        let all = |s: &Sum| (s.pull, s.energy, s.near, s.joined, s.yields, s.parted);
        assert_eq!(all(&a), all(&b));
        assert!(a.pull.length() > 0.1 && a.near > 0 && a.parted.any());
    }

    #[test]
    fn sums_are_those_of_the_equations_for_any_number() {
        for count in [0, 1, 7, 8, 9, 29, 64, 65, 131] {
            assert!(!check(count, 0.9).parted.any());
        }
    }

    #[test]
    fn what_parts_is_left_out() {
        for count in [3, 8, 21, 70] {
            assert!(check(count, 0.3).parted.any());
        }
    }
}
