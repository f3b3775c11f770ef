//! What surrounds each particle at the start of a step: neighbours, walls, number density and corrected gradients.
//!
//! With w = d ω/(n⁰r²) and x = x_j − x_i the matrix of eq. 13 is B = Σ w x xᵀ, which is the unit matrix on the lattice. The
//! pressure's has fluid alone, as walls have no pressure of their own; the velocity's has walls as well.

use super::weight::{WallSums, Weight};
use crate::boundary::WallFriction;
use crate::flow::Setting;
use crate::math::Sym3;
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::{Mat3A, Vec3, Vec3A};

/// Eigenvalues of B below this count as nothing: in their direction there are no neighbours to speak of.
const THIN: f32 = 0.1;
/// Eigenvalues of the pressure's B below this count as this: what few neighbours say is not made larger.
const THINNEST: f32 = 0.3;
/// Most of the crowding that is felt, times the spacing: the weight has no bound.
const MOST_CROWDED: f32 = 1.0;
/// Number density below which a particle is at the free surface, whatever its neighbours' places.
const HOLLOW: f32 = 0.75;
/// Crowding, times the spacing, above which neighbours are on one side; 0.5 at a flat surface of the lattice.
const ONE_SIDED: f32 = 0.2;
/// Distance from a wall, in spacings, below which a particle feels it no more than there.
const TOUCHING: f32 = 0.25;

/// A wall as a particle sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Unit vector towards the wall.
    pub(super) into: Vec3A,
    /// Velocity of the wall, in m/s.
    pub(super) velocity: Vec3A,
    /// Whether the fluid may slide along it.
    slips: bool,
    pub(super) sums: WallSums,
    /// Σ w t²/z: how much of the velocity relative to the wall is gradient, in 1/m. Particles of the wall continue the
    /// line from the particle's velocity to the wall's, at the distance z.
    pub(super) steepness: f32,
    /// 1/z, in 1/m.
    pub(super) nearness: f32,
}

impl Seen {
    /// The part of a velocity that the wall resists.
    #[inline]
    pub(super) fn resisted(&self, v: Vec3A) -> Vec3A {
        if self.slips { self.into * self.into.dot(v) } else { v }
    }
}

/// A neighbour: where it is from the particle, and the weight w.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    pub(super) e: Vec3,
    pub(super) slope: f32,
}

/// The neighbourhoods of all particles.
#[derive(Clone, Debug)]
pub(super) struct Around {
    pub(super) near: Neighbors,
    pairs: Vec<Pair>,
    /// ω/n⁰, in the layout of `near`.
    pub(super) numbers: Vec<f32>,
    pub(super) walls: Vec<Vec<Seen>>,
    /// n/n⁰.
    pub(super) density: Vec<f32>,
    /// B⁻¹ of the fluid alone.
    pub(super) of_fluid: Vec<Sym3>,
    /// B⁻¹ of fluid and walls.
    pub(super) of_all: Vec<Sym3>,
    /// Σ w x over fluid and walls, in 1/m: zero on the lattice, and away from where particles are crowded.
    pub(super) crowding: Vec<Vec3A>,
    spacing: f32,
}

impl Around {
    /// Finds them for a step.
    pub(super) fn find(step: &Setting, weight: &Weight) -> Self {
        let (x, n) = (step.x0, step.x0.len());
        let near = Neighbors::find(x, weight.support(), &step.domain);
        let mut pairs = vec![Pair::default(); near.pairs()];
        near.fill_pairs(&mut pairs, |i, j| {
            let e = step.offset(i, j);
            Pair { e, slope: weight.slope(e.length()) }
        });
        let mut numbers = vec![0.0; near.pairs()];
        near.fill_pairs(&mut numbers, |i, j| weight.number(step.offset(i, j).length()));
        let mut walls = vec![vec![]; n];
        if !step.boundary.walls.is_empty() {
            parallel::fill(&mut walls, |i| {
                let mut seen = seen(step, weight, x[i]);
                if seen.len() > 1 {
                    let (pairs, numbers) = (&pairs[near.range(i)], &numbers[near.range(i)]);
                    limit_fluxes(
                        &mut seen,
                        pairs.iter().zip(numbers).map(|(p, n)| p.e * (n * weight.laplacian())),
                    );
                }
                seen
            });
        }
        let mut density = vec![0.0; n];
        parallel::fill(&mut density, |i| {
            let fluid: f32 = numbers[near.range(i)].iter().sum();
            fluid + walls[i].iter().map(|w| w.sums.number).sum::<f32>()
        });
        let (mut of_fluid, mut of_all) = (vec![Sym3::ZERO; n], vec![Sym3::ZERO; n]);
        parallel::for_each2(&mut of_fluid, &mut of_all, |i, of_fluid, of_all| {
            let fluid = pairs[near.range(i)].iter().fold(Sym3::ZERO, |b, p| b + Sym3::outer(p.e) * p.slope);
            *of_fluid = inverse_above(fluid, THINNEST);
            *of_all = walls[i].iter().fold(fluid, |b, w| b + of_wall(w)).pseudo_inverse(THIN);
        });
        let mut crowding = vec![Vec3A::ZERO; n];
        parallel::fill(&mut crowding, |i| {
            let fluid = pairs[near.range(i)].iter().fold(Vec3A::ZERO, |s, p| s + Vec3A::from(p.e) * p.slope);
            let all = walls[i].iter().fold(fluid, |s, w| s + w.into * w.sums.push);
            all.clamp_length_max(MOST_CROWDED / step.kernel.spacing())
        });
        Self {
            near,
            pairs,
            numbers,
            walls,
            density,
            of_fluid,
            of_all,
            crowding,
            spacing: step.kernel.spacing(),
        }
    }

    /// Whether a particle is not at the free surface: its number density is at least `least`, or somewhat less and the same
    /// on all sides, as in a fluid that is stretched.
    pub(super) fn is_inside(&self, i: usize, least: f32) -> bool {
        let density = self.density[i];
        density >= least || density >= HOLLOW && self.crowding[i].length() * self.spacing < ONE_SIDED
    }

    /// The smallest eigenvalue of B; 0 where there is too little around.
    pub(super) fn condition(&self, i: usize) -> f32 {
        let [least, _, most] = self.of_all[i].eigenvalues();
        if least > 0.0 { 1.0 / most } else { 0.0 }
    }

    /// The neighbours of a particle: index, offset, weight w.
    #[inline]
    pub(super) fn pairs(&self, i: usize) -> impl Iterator<Item = (usize, Vec3A, f32)> + '_ {
        let pairs = &self.pairs[self.near.range(i)];
        self.near.of(i).iter().zip(pairs).map(|(&j, p)| (j as usize, p.e.into(), p.slope))
    }

    /// ∇u of a particle, L_ab = ∂_b u_a, in 1/s; where `moving` is false walls count as at rest.
    #[inline]
    pub(super) fn gradient(&self, u: &[Vec3A], i: usize, moving: bool) -> Mat3A {
        let own = u[i];
        let mut sum = Mat3A::ZERO;
        for (j, e, w) in self.pairs(i) {
            sum += crate::math::outer3a((u[j] - own) * w, e);
        }
        for wall in &self.walls[i] {
            let relative = wall.resisted(if moving { wall.velocity - own } else { -own });
            sum += crate::math::outer3a(relative * wall.steepness, wall.into);
        }
        sum * Mat3A::from(self.of_all[i].to_mat3())
    }

    /// ∇·u of a particle among the fluid alone, in 1/s.
    #[inline]
    pub(super) fn divergence(&self, u: &[Vec3A], i: usize) -> f32 {
        let correction = self.of_fluid[i];
        let own = u[i];
        self.pairs(i).map(|(j, e, w)| (u[j] - own).dot(correction.mul_vec3a(e)) * w).sum()
    }
}

/// The inverse of a matrix whose eigenvalues are raised to at least `least`.
fn inverse_above(b: Sym3, least: f32) -> Sym3 {
    if b.eigenvalues()[0] >= least {
        return b.inverse();
    }
    let (values, vectors) = b.eigen();
    let axes = [vectors.x_axis, vectors.y_axis, vectors.z_axis];
    values
        .into_iter()
        .zip(axes)
        .fold(Sym3::ZERO, |sum, (value, axis)| sum + Sym3::outer(axis) * (1.0 / value.max(least)))
}

/// B of a wall.
fn of_wall(wall: &Seen) -> Sym3 {
    let WallSums { normal, tangent, .. } = wall.sums;
    Sym3::isotropic(tangent) + Sym3::outer(wall.into.into()) * (normal - tangent)
}

/// Where walls meet, each lets through no more than what the fluid's Laplacian misses in its direction.
fn limit_fluxes(walls: &mut [Seen], laplacian: impl Iterator<Item = Vec3>) {
    let missing = -Vec3A::from(laplacian.sum::<Vec3>());
    for wall in walls {
        wall.sums.flux = missing.dot(wall.into).clamp(0.0, wall.sums.flux);
    }
}

/// The walls that a particle at `x` sees. Where several meet, what they share counts once.
fn seen(step: &Setting, weight: &Weight, x: Vec3) -> Vec<Seen> {
    let d = step.kernel.spacing();
    let contacts = step.boundary.near_at_start(x, weight.support());
    let mut found: Vec<Seen> = contacts
        .as_slice()
        .iter()
        .map(|c| {
            let distance = c.point.distance.max(TOUCHING * d);
            let sums = weight.wall(distance);
            Seen {
                into: (-c.point.normal).into(),
                velocity: c.velocity.into(),
                slips: c.friction != WallFriction::NoSlip,
                sums,
                steepness: sums.normal / distance,
                nearness: 1.0 / distance,
            }
        })
        .filter(|seen| seen.sums.number > 0.0)
        .collect();
    if found.len() > 1 {
        let sum: f32 = found.iter().map(|w| w.sums.number).sum();
        let share = weight.union(found.iter().map(|w| w.sums.number)) / sum;
        for wall in &mut found {
            wall.sums = WallSums { flux: wall.sums.flux, ..wall.sums.times(share) };
            wall.steepness *= share;
        }
    }
    found
}
