//! What the fluid remembers: the conformation after a step, eq. 6.

use super::Step;
use super::state::State;
use crate::flow::gradient::Gradients;
use crate::flow::polymer::Update;
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Vec3A};

/// Most strain |Q − I| that is remembered where [`super::Corrections::bounded_memory`] is on. Below 1, so that Q is
/// positive definite.
const MOST_REMEMBERED: f32 = 0.5;

/// Q after a step with velocities u, gradients taken at x⁰: a rigid turn then turns Q exactly.
pub(crate) fn updated_conformation(
    step: &Step,
    gradients: &Gradients,
    u: &[Vec3A],
    state: &State,
) -> Vec<Sym3> {
    let mut updated = vec![Sym3::IDENTITY; u.len()];
    parallel::fill(&mut updated, |i| match step.coefficients(i) {
        c if c.update == Update::Relaxed => Sym3::IDENTITY,
        c => {
            let l = Mat3::from(gradients.velocity_gradient(u, i) + gradients.wall_flow(i));
            let q = c.update_conformation(state.conformation[i], &l, step.dt);
            if step.corrections.bounded_memory { bounded(q) } else { q }
        }
    });
    updated
}

/// Q with its strain scaled down to what is remembered. Next to the pole of eq. 6, at a strain of ½(1 + Δt/τ) in a
/// step, Q is anything; there the strain is forgotten.
fn bounded(q: Sym3) -> Sym3 {
    let strain = q - Sym3::IDENTITY;
    let size = strain.dot(strain).sqrt();
    match size {
        _ if !size.is_finite() => Sym3::IDENTITY,
        _ if size > MOST_REMEMBERED => Sym3::IDENTITY + strain * (MOST_REMEMBERED / size),
        _ => q,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_strain_is_kept_and_large_strain_is_bounded_in_its_direction() {
        let small = Sym3::new([1.1, 0.9, 1.0, 0.2, -0.1, 0.0]);
        assert_eq!(bounded(small), small);
        let strain = Sym3::new([-30.0, 50.0, 2.0, 7.0, 11.0, -13.0]);
        let q = bounded(Sym3::IDENTITY + strain);
        let kept = q - Sym3::IDENTITY;
        assert!((kept.dot(kept).sqrt() - MOST_REMEMBERED).abs() < 1e-6, "{kept:?}");
        assert!((kept.dot(strain) / strain.dot(strain).sqrt() - MOST_REMEMBERED).abs() < 1e-5, "{kept:?}");
        assert!(q.determinant() > 0.0, "{q:?}");
    }

    #[test]
    fn at_the_pole_nothing_is_remembered() {
        assert_eq!(bounded(Sym3::isotropic(f32::INFINITY)), Sym3::IDENTITY);
        assert_eq!(bounded(Sym3::isotropic(f32::NAN)), Sym3::IDENTITY);
    }
}
