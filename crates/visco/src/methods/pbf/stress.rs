//! The upper-convected Maxwell fluid by its stress, in explicit steps: what section 6 of Barreiro et al. 2017 compares
//! conformation constraints with.
//!
//! ```text
//! DQ/Dt = L Q + Q Lᵀ − (Q − I)/τ        σ = G (Q − I) + 2 η_s D        m_i Δv_i = Δt Σ_j V² (σ_i + σ_j) ∇W
//! ```
//!
//! Q is integrated as everywhere here, exactly in relaxation and shear, so that steps are limited by what is explicit
//! alone: elastic waves, Δt ≤ C d √(ρ/G), and diffusion by the solvent, Δt ≤ C′ ρ d²/η.

use super::Step;
use super::gradients::velocity_gradients;
use crate::flow::polymer::Coefficients;
use crate::material::{Material, Rheology};
use crate::math::Sym3;
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::{Mat3, Vec3, Vec3A};

/// C: part of a spacing that an elastic wave goes in a step.
const WAVE: f64 = 0.4;
/// C′: of the stable limit of diffusion.
const DIFFUSION: f64 = 0.1;

/// Viscosity that a stress answers to at once, in Pa·s.
fn instant(rheology: Rheology) -> f64 {
    match rheology {
        Rheology::Measured { polymer_viscosity, solvent_viscosity, relaxation_time } => {
            solvent_viscosity + if relaxation_time > 0.0 { 0.0 } else { polymer_viscosity }
        }
        Rheology::Printed { .. } => 0.0,
    }
}

/// Longest stable step for a material at a spacing, in s.
pub fn stable_step(material: &Material, spacing: f64) -> f64 {
    let diffusion = f64::from(material.density) * spacing * spacing / instant(material.rheology);
    (WAVE * material.shear_wave_time(spacing)).min(DIFFUSION * diffusion)
}

/// Velocity gradients where the particles are.
pub(super) fn gradients(step: &Step, near: &Neighbors, velocities: &[Vec3]) -> Vec<Mat3> {
    let v: Vec<Vec3A> = velocities.iter().map(|&v| v.into()).collect();
    velocity_gradients(step, near, &vec![Vec3::ZERO; v.len()], &v)
}

/// Stretches the polymer for a step with these velocity gradients.
pub(super) fn stretch(step: &Step, gradients: &[Mat3], conformation: &mut [Sym3]) {
    let (dt, spacing) = (f64::from(step.dt), f64::from(step.kernel.spacing()));
    let of_materials: Vec<Coefficients> =
        step.world_materials.iter().map(|m| Coefficients::new(m, dt, spacing)).collect();
    parallel::for_each(conformation, |i, q| {
        if step.body(i).is_none() {
            let coefficients = &of_materials[usize::from(step.materials[i])];
            *q = coefficients.update_conformation(*q, &gradients[i], step.dt);
        }
    });
}

/// Stresses of polymer and solvent, in Pa; bodies have none.
pub(super) fn stresses(step: &Step, gradients: &[Mat3], conformation: &[Sym3]) -> Vec<Sym3> {
    let of_materials: Vec<(f32, f32)> = (step.world_materials.iter())
        .map(|m| (m.rheology.shear_modulus() as f32, instant(m.rheology) as f32))
        .collect();
    let mut stresses = vec![Sym3::ZERO; conformation.len()];
    parallel::fill(&mut stresses, |i| {
        if step.body(i).is_some() {
            return Sym3::ZERO;
        }
        let (modulus, viscosity) = of_materials[usize::from(step.materials[i])];
        let elastic = (conformation[i] - Sym3::IDENTITY) * modulus;
        elastic + Sym3::symmetric_part(&gradients[i]) * (2.0 * viscosity)
    });
    stresses
}

/// Adds what the stresses do in a step to the velocities.
pub(super) fn push(step: &Step, near: &Neighbors, stresses: &[Sym3], velocity: &mut [Vec3A]) {
    let volume = step.kernel.volume();
    // V ∇W, with the kernel scaled so that a lattice at rest has the density at rest.
    let scale = step.dt * volume / step.kernel.lattice_sum();
    parallel::for_each(velocity, |i, v| {
        if !step.is_free(i) {
            return;
        }
        let mut sum = Vec3::ZERO;
        for &j in near.of(i) {
            let j = j as usize;
            let e = step.offset(j, i);
            let both = match (step.body(i), step.body(j)) {
                (Some(_), Some(_)) => continue,
                _ => stresses[i] + stresses[j],
            };
            sum += both.mul_vec(e) * step.kernel.gradient_over_r(e.length());
        }
        *v += Vec3A::from(sum) * (scale * step.inverse_mass(i));
    });
}
