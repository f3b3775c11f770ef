//! Clusters of particles that keep their shape (Müller et al. 2005), one around each.
//!
//! With q the place of a member in the shape, measured from the particle in the middle, and masses μ = m/N that are shared
//! by the N clusters that a particle belongs to, so that momentum is kept (Rivers & James 2007):
//!
//! ```text
//! A = Σ μ (x − c)(q − q_c)ᵀ     R = arg max R : A      g = c + R (q − q_c)          c, q_c the centres of mass
//! v_SM = v* + (Δt/Δt₀²) (ḡ − x)                                       ḡ the mean over all clusters of a particle
//! q ← q + Δt α (Rᵀx − q)     where |Rᵀx − q| > γ |q|                              (plasticity; x from the middle)
//! ```
//!
//! Neighbours within the cluster's radius become members, those farther apart than twice the radius are none any more.

use super::state::State;
use crate::iisph::{Around, Step};
use crate::material::Material;
use crate::math::{Sym3, best_fit_rotation, outer};
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::{Mat3, Quat, Vec3};

/// Radii of a cluster at which members leave it.
const LEFT: f32 = 2.0;
/// Largest weight that follows from a shear modulus.
const HEAVIEST: f64 = 0.9;

/// The clusters of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kind {
    /// w.
    pub(super) weight: f32,
    /// In m.
    pub(super) radius: f32,
    yield_strain: f32,
    /// α, in 1/s.
    plasticity: f32,
}

impl Kind {
    /// Those of a material, if it has clusters, in steps of a length whose square is given, in s².
    pub(super) fn of(material: &Material, spacing: f32, step2: f32) -> Option<Self> {
        let given = material.shape_matching?;
        let of_modulus = || {
            let scale = f64::from(material.density) * f64::from(spacing).powi(2) / f64::from(step2);
            let stiffness = scale * lattice_modulus(given.cluster_radius);
            (material.rheology.shear_modulus() / stiffness).min(HEAVIEST)
        };
        let tau = material.rheology.memory(f32::INFINITY);
        let of_time = || if tau > 0.0 { 1.0 / f64::from(tau) } else { 0.0 };
        Some(Self {
            weight: given.weight.unwrap_or_else(of_modulus) as f32,
            radius: given.cluster_radius as f32 * spacing,
            yield_strain: given.yield_strain as f32,
            plasticity: given.plasticity.unwrap_or_else(of_time) as f32,
        })
    }

    fn mean(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let (a, b) = (a?, b?);
        let mean = |f: fn(&Self) -> f32| 0.5 * (f(&a) + f(&b));
        Some(Self {
            weight: mean(|k| k.weight),
            radius: mean(|k| k.radius),
            yield_strain: mean(|k| k.yield_strain),
            plasticity: mean(|k| k.plasticity),
        })
    }
}

/// G Δt²/(ρ w d²) of clusters of a radius, in spacings, on the rest lattice: a sixth of the members' mean q²/d².
pub(super) fn lattice_modulus(radius: f64) -> f64 {
    let reach = radius.ceil() as i32;
    let (mut sum, mut members) = (0.0, 0.0);
    for x in -reach..=reach {
        for y in -reach..=reach {
            for z in -reach..=reach {
                let q2 = f64::from(x * x + y * y + z * z);
                if q2 < radius * radius {
                    sum += q2;
                    members += 1.0;
                }
            }
        }
    }
    sum / (6.0 * members)
}

/// A cluster as it is found.
#[derive(Clone, Copy, Debug, Default)]
struct Cluster {
    /// c, from the particle in its middle, in m.
    center: Vec3,
    /// q_c, in m.
    rest_center: Vec3,
    rotation: Quat,
    turned: Mat3,
}

impl Cluster {
    /// g of a member, from the particle in the middle.
    #[inline]
    fn goal(&self, q: Vec3) -> Vec3 {
        self.center + self.turned * (q - self.rest_center)
    }
}

/// What clusters want of a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wish {
    /// ḡ − x, in m.
    pub(super) pull: Vec3,
    /// Mean of (g − x)², in m².
    pub(super) squares: f32,
}

/// The clusters of a step.
pub(super) struct Clusters<'a> {
    step: &'a Step<'a>,
    kinds: &'a [Option<Kind>],
}

impl<'a> Clusters<'a> {
    pub(super) fn new(step: &'a Step<'a>, kinds: &'a [Option<Kind>]) -> Self {
        Self { step, kinds }
    }

    /// The clusters of a particle; solids have none.
    #[inline]
    pub(super) fn kind(&self, i: usize) -> Option<Kind> {
        if self.step.is_solid(i) { None } else { self.kinds[self.step.materials[i] as usize] }
    }

    /// Lets shapes yield, and members come and go.
    pub(super) fn update(&self, state: &mut State, around: &Around) {
        let radius = self.kinds.iter().flatten().map(|k| k.radius).fold(0.0, f32::max);
        let wide = (radius > self.step.kernel.support())
            .then(|| Neighbors::find(self.step.x0, radius, &self.step.domain));
        let mut members = std::mem::take(&mut state.members);
        let back = |i: usize, e: Vec3| state.rotation(i).inverse() * e;
        let keep = |i: usize, j: usize, q: Vec3| {
            let kind = Kind::mean(self.kind(i), self.kind(j))?;
            let e = self.step.offset(i, j);
            if e.length_squared() > (LEFT * kind.radius).powi(2) {
                return None;
            }
            let beyond = back(i, e) - q;
            let yields = beyond.length_squared() > kind.yield_strain.powi(2) * q.length_squared();
            Some(if yields { q + beyond * (self.step.dt * kind.plasticity).min(1.0) } else { q })
        };
        let make = |i: usize, j: usize| {
            let kind = Kind::mean(self.kind(i), self.kind(j))?;
            let e = self.step.offset(i, j);
            (e.length_squared() < kind.radius.powi(2)).then(|| back(i, e))
        };
        members.update(wide.as_ref().unwrap_or(&around.near), keep, make);
        state.members = members;
    }

    /// μ of a particle, in kg.
    #[inline]
    fn share(&self, state: &State, i: usize) -> f32 {
        1.0 / (self.step.inverse_mass(i) * (state.members.count(i) + 1) as f32)
    }

    fn find(&self, state: &State, i: usize) -> Cluster {
        let own = self.share(state, i);
        let (mut mass, mut center, mut rest_center) = (own, Vec3::ZERO, Vec3::ZERO);
        // Σ μ x qᵀ, of which the centres' part is taken off.
        let mut moment = Mat3::ZERO;
        for (j, q) in state.members.of(i) {
            let (share, e) = (self.share(state, j), self.step.offset(i, j));
            mass += share;
            center += e * share;
            rest_center += q * share;
            moment += outer(e * share, q);
        }
        center /= mass;
        rest_center /= mass;
        let rotation = best_fit_rotation(&(moment - outer(center * mass, rest_center)), state.rotation(i));
        Cluster { center, rest_center, rotation, turned: Mat3::from_quat(rotation) }
    }

    /// Matches all shapes, and finds what clusters want of their members.
    pub(super) fn matched(&self, state: &mut State) -> Vec<Wish> {
        let n = self.step.x0.len();
        let mut clusters = vec![Cluster::default(); n];
        parallel::fill(&mut clusters, |i| self.find(state, i));
        state.set_rotations(clusters.iter().map(|c| c.rotation));
        let mut wishes = vec![Wish::default(); n];
        parallel::fill(&mut wishes, |i| {
            let own = clusters[i].goal(Vec3::ZERO);
            let (mut pull, mut squares) = (own, own.length_squared());
            for (k, _) in state.members.of(i) {
                let q = state.members.find(k, i).unwrap_or_default();
                let way = clusters[k].goal(q) + self.step.offset(i, k);
                pull += way;
                squares += way.length_squared();
            }
            let share = 1.0 / (state.members.count(i) + 1) as f32;
            Wish { pull: pull * share, squares: squares * share }
        });
        wishes
    }

    /// Stresses of the clusters with steps of a length whose square is given, in Pa: the moment of a cluster's forces over
    /// the volume of a particle.
    pub(super) fn stresses(&self, state: &State, step2: f32) -> Vec<Sym3> {
        let mut stresses = vec![Sym3::ZERO; self.step.x0.len()];
        parallel::fill(&mut stresses, |i| {
            let cluster = self.find(state, i);
            let mut moment = Mat3::ZERO;
            for (j, q) in state.members.of(i) {
                let (e, weight) = (self.step.offset(i, j), self.kind(j).map_or(0.0, |k| k.weight));
                let force = (cluster.goal(q) - e) * (weight * self.share(state, j) / step2);
                moment -= outer(force, e);
            }
            Sym3::symmetric_part(&moment) * (1.0 / self.step.kernel.volume())
        });
        stresses
    }
}
