//! The stress of a corotational Maxwell fluid and its divergence.
//!
//! With L = ∇v = D + W, gradients by SPH with the correction K of Bonet & Lok 1999 (the inverse of Σ x_ji ∇W_ijᵀ on the
//! directions that have neighbours):
//!
//! ```text
//! σ̇ = Wσ − σW + 2G D − σ/τ                                            (D without its trace)
//! L_i = Σ_j (v_j − v_i) (K_i ∇W_ij)ᵀ
//! ρ a_i = Σ_j (σ_i K_i + σ_j K_j) ∇W_ij                               (its transpose: what σ gains, motion loses)
//! ```
//!
//! A step turns σ by the rotation of W and solves the rest exactly for its D. Walls with no slip take part by their
//! boundary particles, of which each has the stress of the particle that sees it.

use crate::boundary::WallFriction;
use crate::iisph::{Around, Step};
use crate::material::Material;
use crate::math::{Sym3, outer3a};
use crate::parallel;
use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A};

/// Eigenvalues of a moment matrix that a gradient is corrected by.
const WELL_CONDITIONED: f32 = 0.3;

/// How the stress of a material follows the flow in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// e^(−Δt/τ).
    kept: f32,
    /// 2 G τ (1 − e^(−Δt/τ)), in Pa·s.
    gained: f32,
}

impl Memory {
    pub(super) fn of(material: &Material, dt: f32) -> Self {
        let tau = f64::from(material.rheology.memory(f32::INFINITY));
        if tau <= 0.0 {
            return Self::default();
        }
        let lost = -(-f64::from(dt) / tau).exp_m1();
        let gained = 2.0 * material.rheology.shear_modulus() * tau * lost;
        Self { kept: (1.0 - lost) as f32, gained: gained as f32 }
    }

    /// σ after a step with a velocity gradient L.
    pub(super) fn after(&self, stress: Sym3, l: &Mat3, dt: f32) -> Sym3 {
        if self.gained == 0.0 {
            return Sym3::ZERO;
        }
        // W x = ω × x.
        let spin = 0.5 * Vec3::new(l.y_axis.z - l.z_axis.y, l.z_axis.x - l.x_axis.z, l.x_axis.y - l.y_axis.x);
        let turned = stress.congruent(&Mat3::from_quat(Quat::from_scaled_axis(spin * dt)));
        turned * self.kept + Sym3::symmetric_part(l).deviator() * self.gained
    }
}

/// The gradients of a step.
pub(super) struct Strain<'a> {
    step: &'a Step<'a>,
    around: &'a Around,
    /// K.
    corrections: Vec<Sym3>,
}

impl<'a> Strain<'a> {
    pub(super) fn new(step: &'a Step<'a>, around: &'a Around) -> Self {
        let mut strain = Self { step, around, corrections: vec![Sym3::ZERO; step.x0.len()] };
        let mut corrections = std::mem::take(&mut strain.corrections);
        parallel::fill(&mut corrections, |i| {
            let mut moment = Mat3A::ZERO;
            for (j, g) in around.pairs(i) {
                moment += outer3a(step.offset(i, j).into(), g);
            }
            for (b, g) in strain.holding(i) {
                moment += outer3a(step.domain.nearest(around.walls.positions[b] - step.x0[i]).into(), g);
            }
            // x_ji and ∇W_ij point the same way.
            Sym3::symmetric_part(&moment.into()).pseudo_inverse(WELL_CONDITIONED)
        });
        strain.corrections = corrections;
        strain
    }

    /// The boundary particles of walls with no slip near a particle.
    fn holding(&self, i: usize) -> impl Iterator<Item = (usize, Vec3A)> + '_ {
        let holds = |b: usize| self.step.wall_of(b).friction == WallFriction::NoSlip;
        self.around.wall_pairs(i).filter(move |(b, _)| holds(*b)).map(|(b, g)| (b, g.into()))
    }

    /// L of a particle.
    pub(super) fn gradient(&self, v: &[Vec3], i: usize) -> Mat3 {
        let mut sum = Mat3A::ZERO;
        for (j, g) in self.around.pairs(i) {
            sum += outer3a((v[j] - v[i]).into(), g);
        }
        for (b, g) in self.holding(i) {
            sum += outer3a((self.around.walls.velocities[b] - v[i]).into(), g);
        }
        Mat3::from(sum) * self.corrections[i].to_mat3()
    }

    /// Adds to velocities what stresses do in a step.
    pub(super) fn accelerate(&self, stress: &[Sym3], velocity: &mut [Vec3]) {
        let mut tractions = vec![Mat3A::ZERO; stress.len()];
        parallel::fill(&mut tractions, |i| stress[i].mul_sym(self.corrections[i]).into());
        parallel::for_each(velocity, |i, v| {
            let ease = self.step.pushed[i];
            if ease == 0.0 {
                return;
            }
            let own = tractions[i];
            let of_fluid = self.around.sum(i, |j, g| (own + tractions[j]) * g);
            let of_walls = self.holding(i).fold(Vec3A::ZERO, |sum, (_, g)| sum + own * g);
            let sum = Vec3::from(of_fluid + of_walls);
            *v += sum * (ease * self.step.dt);
        });
    }
}
