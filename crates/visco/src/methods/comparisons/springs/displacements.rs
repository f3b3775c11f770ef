//! Springs: how their rest lengths yield, and how they displace particles (Clavet et al. 2005, Algorithms 4 and 3).
//!
//! With r the distance where the particles are predicted to be, L the rest length and h the kernel support:
//!
//! ```text
//! L ← L + Δt α (r − L − γL)  where r > L + γL        L ← L − Δt α (L − γL − r)  where r < L − γL
//! D = Δt² k (1 − L/h)(L − r) x_ij/r                  x_i ← x_i + D m_j/(m_i + m_j)
//! ```
//!
//! A spring longer than h at rest is removed. Materials between which there is a spring take the means of k, γ and α.

use crate::iisph::{Partners, Step};
use crate::kernel::Kernel;
use crate::material::Material;
use crate::math::{Sym3, outer};
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::{Mat3, Vec3};

/// The springs of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kind {
    /// k, in 1/s².
    pub(super) stiffness: f32,
    /// γ.
    yield_ratio: f32,
    /// α, in 1/s.
    plasticity: f32,
}

impl Kind {
    /// Those of a material, if it has springs.
    pub(super) fn of(material: &Material, kernel: &Kernel) -> Option<Self> {
        let springs = material.springs?;
        let of_modulus = || {
            let scale = f64::from(material.density) * f64::from(kernel.spacing()).powi(2);
            material.rheology.shear_modulus() / (scale * lattice_modulus(kernel))
        };
        let tau = material.rheology.memory(f32::INFINITY);
        let of_time = || if tau > 0.0 { 1.0 / f64::from(tau) } else { 0.0 };
        Some(Self {
            stiffness: springs.stiffness.unwrap_or_else(of_modulus) as f32,
            yield_ratio: springs.yield_ratio as f32,
            plasticity: springs.plasticity.unwrap_or_else(of_time) as f32,
        })
    }

    fn mean(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let (a, b) = (a?, b?);
        let mean = |f: fn(&Self) -> f32| 0.5 * (f(&a) + f(&b));
        Some(Self {
            stiffness: mean(|k| k.stiffness),
            yield_ratio: mean(|k| k.yield_ratio),
            plasticity: mean(|k| k.plasticity),
        })
    }

    /// L after a step in which the spring is `r` long.
    #[inline]
    pub(super) fn yielded(&self, rest: f32, r: f32, dt: f32) -> f32 {
        let tolerable = self.yield_ratio * rest;
        let beyond = (r - rest - tolerable).max(0.0) - (rest - tolerable - r).max(0.0);
        rest + (dt * self.plasticity).min(1.0) * beyond
    }
}

/// G/(ρ k d²) of springs on the rest lattice, in the mean over all directions: Σ_j (1 − L/h)(L/d)²/60.
pub(super) fn lattice_modulus(kernel: &Kernel) -> f64 {
    let h = f64::from(kernel.support() / kernel.spacing());
    let reach = h.ceil() as i32;
    let mut sum = 0.0;
    for x in -reach..=reach {
        for y in -reach..=reach {
            for z in -reach..=reach {
                let length2 = f64::from(x * x + y * y + z * z);
                sum += (1.0 - length2.sqrt() / h).max(0.0) * length2;
            }
        }
    }
    sum / 60.0
}

/// The springs of a step: where the particles are, and of what kind.
pub(super) struct Joined<'a> {
    step: &'a Step<'a>,
    positions: &'a [Vec3],
    kinds: &'a [Option<Kind>],
}

impl<'a> Joined<'a> {
    pub(super) fn new(step: &'a Step<'a>, positions: &'a [Vec3], kinds: &'a [Option<Kind>]) -> Self {
        Self { step, positions, kinds }
    }

    /// The springs between two particles, if there may be any. Solids have none.
    #[inline]
    fn kind(&self, i: usize, j: usize) -> Option<Kind> {
        if self.step.is_solid(i) || self.step.is_solid(j) {
            return None;
        }
        let of = |i: usize| self.kinds[self.step.materials[i] as usize];
        Kind::mean(of(i), of(j))
    }

    #[inline]
    fn away(&self, i: usize, j: usize) -> Vec3 {
        self.step.domain.nearest(self.positions[i] - self.positions[j])
    }

    /// Algorithm 4: makes springs between neighbours that have none, lets them yield, and removes the longest. A new
    /// spring is as long as it finds its particles.
    pub(super) fn adjust(&self, springs: &mut Partners<f32>, near: &Neighbors) {
        let h = self.step.kernel.support();
        let keep = |i: usize, j: usize, rest: f32| {
            let rest = self.kind(i, j)?.yielded(rest, self.away(i, j).length(), self.step.dt);
            (rest <= h).then_some(rest)
        };
        let make = |i: usize, j: usize| {
            self.kind(i, j)?;
            Some(self.away(i, j).length()).filter(|rest| *rest <= h)
        };
        springs.update(near, keep, make);
    }

    /// Force of a spring over its length and the reduced mass, in 1/s², and that mass, in kg.
    #[inline]
    fn pull(&self, (i, j): (usize, usize), rest: f32, r: f32) -> (f32, f32) {
        let Some(kind) = self.kind(i, j) else { return (0.0, 0.0) };
        let ease = self.step.movable[i] + self.step.movable[j];
        let weight = (1.0 - rest / self.step.kernel.support()).max(0.0);
        let pull = kind.stiffness * weight * (rest - r) / r.max(f32::MIN_POSITIVE);
        (pull, if ease > 0.0 { 1.0 / ease } else { 0.0 })
    }

    /// Algorithm 3: the displacements by springs, all from the same positions.
    pub(super) fn displace(&self, springs: &Partners<f32>, displacement: &mut [Vec3]) {
        let dt2 = self.step.dt * self.step.dt;
        parallel::fill(displacement, |i| {
            let ease = self.step.movable[i];
            let mut sum = Vec3::ZERO;
            for (j, rest) in springs.of(i) {
                let e = self.away(i, j);
                let (pull, mass) = self.pull((i, j), rest, e.length());
                sum += e * (pull * mass);
            }
            sum * (ease * dt2)
        });
    }

    /// Energy of the springs, in J.
    pub(super) fn energy(&self, springs: &Partners<f32>) -> f64 {
        parallel::sum(self.positions.len(), |i| {
            let energy = |(j, rest): (usize, f32)| {
                let r = self.away(i, j).length();
                let (pull, mass) = self.pull((i, j), rest, r);
                // Half of it belongs to the other end.
                0.25 * f64::from(pull * mass * r * (rest - r))
            };
            springs.of(i).map(energy).sum()
        })
    }

    /// Stresses of the springs, in Pa: half of the moment of every force, over the volume.
    pub(super) fn stresses(&self, springs: &Partners<f32>) -> Vec<Sym3> {
        let mut stresses = vec![Sym3::ZERO; self.positions.len()];
        parallel::fill(&mut stresses, |i| {
            let mut moment = Mat3::ZERO;
            for (j, rest) in springs.of(i) {
                let e = self.away(i, j);
                let (pull, mass) = self.pull((i, j), rest, e.length());
                moment += outer(e, e * (-0.5 * pull * mass));
            }
            Sym3::symmetric_part(&moment) * (1.0 / self.step.kernel.volume())
        });
        stresses
    }
}
