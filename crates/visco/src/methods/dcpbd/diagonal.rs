//! What the Jacobi iterations divide by, and how gradients are corrected.

use super::Step;
use crate::flow::gradient::{Corrected, Gradients};
use crate::math::Sym3;
use crate::parallel;
use glam::{Vec3, Vec3A};

/// Smallest eigenvalue of the moment matrix for which gradients are corrected.
const WELL_CONDITIONED: f32 = 0.15;
/// Fewest neighbours that the Jacobi relaxation assumes.
const FEWEST_NEIGHBORS: f32 = 20.0;

/// The inverse of a moment matrix, where it can be trusted; as printed, the identity.
pub(crate) fn gradient_correction(step: &Step, moment: Sym3) -> Corrected {
    if step.corrections.corrected_gradients {
        Corrected::new(moment, WELL_CONDITIONED)
    } else {
        Corrected::NONE
    }
}

/// Relaxation β/n of a particle with `count` neighbours, whose stiffest row, that of the volume, has
/// this compliance over its diagonal.
pub(crate) fn relaxation(step: &Step, count: usize, compliance: f32) -> f32 {
    let fewest = if step.corrections.bounded_relaxation { FEWEST_NEIGHBORS } else { 1.0 };
    step.params.jacobi_relaxation(compliance) / (count as f32).max(fewest)
}

/// Diagonal of J M⁻¹ Jᵀ for J without Δt, from Σ_j m_j⁻¹ g² + m_i⁻¹ (Σ g)² per axis.
pub(crate) fn row_diagonal(step: &Step, squares: Vec3) -> Sym3 {
    if step.corrections.invariant_rows {
        // The mean over the six rows, which is each row's own value in an isotropic neighbourhood.
        let mean = 4.0 / 3.0 * squares.element_sum();
        Sym3::new([mean; 6])
    } else {
        let s = squares;
        Sym3::new([4.0 * s.x, 4.0 * s.y, 4.0 * s.z, s.x + s.y, s.x + s.z, s.y + s.z])
    }
}

/// Diagonals of the velocity projection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagonals {
    /// Diagonal of J M⁻¹ Jᵀ, row by row.
    pub(crate) diagonal: Vec<Sym3>,
    /// β/n.
    pub(crate) relaxation: Vec<f32>,
}

impl Diagonals {
    pub(crate) fn prepare(&mut self, step: &Step, gradients: &Gradients) {
        let n = step.x0.len();
        self.diagonal.resize(n, Sym3::ZERO);
        self.relaxation.resize(n, 0.0);
        parallel::for_each2(&mut self.diagonal, &mut self.relaxation, |i, diagonal, relax| {
            let k = gradients.correction(i);
            let wall = gradients.wall(i).map_or(Vec3A::ZERO, |wall| wall.gradient.into());
            let mut total = k.mul_vec3a(wall);
            let mut squares = Vec3A::ZERO;
            for (j, e, w) in gradients.pairs(i) {
                let g = k.mul_vec3a(e) * w;
                total += g;
                squares += g * g * step.inverse_mass(j);
            }
            squares += total * total * step.inverse_mass(i);
            *diagonal = row_diagonal(step, squares.into()) * (step.dt * step.dt);
            let compliance = step.coefficients(i).alpha / (step.bulk() * diagonal.xx).max(f32::MIN_POSITIVE);
            *relax = relaxation(step, gradients.neighbors.count(i), compliance);
        });
    }
}
