//! Velocity gradients, exact for linear flows.
//!
//! ```text
//! L_i = Σ_j V (v_j − v_i) ∇Wᵀ B⁻¹        B = Σ_j V (x_j − x_i) ∇Wᵀ
//! ```

use super::Step;
use crate::math::{Sym3, outer};
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::{Mat3, Vec3, Vec3A};

/// Smallest eigenvalue of B along which there is a gradient.
const SMALLEST: f32 = 0.05;

/// The gradients of velocities of particles that have moved by `s`.
pub(super) fn velocity_gradients(step: &Step, near: &Neighbors, s: &[Vec3], v: &[Vec3A]) -> Vec<Mat3> {
    let unit = 1.0 / step.kernel.lattice_sum();
    let mut gradients = vec![Mat3::ZERO; v.len()];
    parallel::fill(&mut gradients, |i| {
        let (mut sum, mut moment) = (Mat3::ZERO, Sym3::ZERO);
        for &j in near.of(i) {
            let j = j as usize;
            let e = step.offset(j, i) + (s[i] - s[j]);
            let slope = step.kernel.gradient_over_r(e.length()) * unit;
            sum += outer((v[j] - v[i]).into(), e * slope);
            moment += Sym3::outer(e) * -slope;
        }
        sum * moment.pseudo_inverse(SMALLEST).to_mat3()
    });
    gradients
}
