//! Particle shifting: δ = −0.03 h² Σ V ∇W [1 + 0.2 (W/W(d))⁴] (after Lind et al. 2012).
//!
//! Particles that follow a flow form chains and gaps along its streamlines; a small shift against the gradient of
//! their concentration keeps them evenly spread. It changes no velocity, moves particles of the surface along the
//! surface only, and is not larger than the step's own deformation, so that a body at rest does not creep. Where surface
//! tension pulls it does nothing: what lifts particles against a force without slowing them adds energy.

use super::Step;
use crate::flow::contact::contact_displacement;
use crate::flow::density::wall_density;
use crate::flow::gradient::Gradients;
use crate::flow::{Displaced, Setting};
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Vec3, Vec3A};

/// Strength, in h².
const STRENGTH: f32 = 0.03;
/// Strength of the pairing term.
const PAIRING: f32 = 0.2;
/// Largest shift of a step, in spacings.
const FARTHEST: f32 = 0.02;
/// Below this smallest eigenvalue of the moment matrix a particle belongs to the surface.
const SURFACE: f32 = 0.8;
/// Below this one there is too little around it to say where it should be.
const EDGE: f32 = 0.35;

/// Adds the shift to the displacements of the step.
pub(super) fn shift(
    step: &Step,
    (gradients, u, near_surface): (&Gradients, &[Vec3A], &[bool]),
    around: &Displaced,
    displacement: &mut [Vec3],
) {
    let before = displacement.to_vec();
    parallel::for_each(displacement, |i, s| {
        let condition = gradients.condition(i);
        let pulled = near_surface.get(i).is_some_and(|near| *near);
        if !step.is_free(i) || condition < EDGE || pulled {
            return;
        }
        let l = gradients.velocity_gradient(u, i) + gradients.wall_flow(i);
        let rate = Sym3::symmetric_part(&Mat3::from(l));
        let d = step.kernel.spacing();
        let longest = FARTHEST.min(rate.dot(rate).sqrt() * step.dt) * d;
        let change = shift_of(step, around, &before, (i, condition)).clamp_length_max(longest);
        if change != Vec3::ZERO {
            *s = contact_displacement(step, step.x0[i], *s + change);
        }
    });
}

/// The shift of particle i.
fn shift_of(step: &Setting, around: &Displaced, s: &[Vec3], (i, condition): (usize, f32)) -> Vec3 {
    let kernel = &step.kernel;
    let at_spacing = kernel.w(kernel.spacing());
    let (mut concentration, mut pairing) = (Vec3::ZERO, Vec3::ZERO);
    for &j in around.neighbors.of(i) {
        let j = j as usize;
        let e = step.offset(j, i) + (s[i] - s[j]);
        let r = e.length();
        let gradient = e * (kernel.gradient_over_r(r) * kernel.volume());
        concentration += gradient;
        pairing += gradient * (PAIRING * (kernel.w(r) / at_spacing).powi(4));
    }
    if around.near_wall[i] {
        let (_, gradient) = wall_density(step.boundary, step.wall_kernel, step.x0[i] + s[i]);
        concentration += gradient * (kernel.lattice_sum() * kernel.volume());
    }
    let h = kernel.support();
    let shift = (concentration + pairing) * (-STRENGTH * h * h);
    if condition < SURFACE || concentration.length() * h > 0.9 {
        let normal = concentration.normalize_or_zero();
        return (shift - normal * shift.dot(normal)) * 0.5;
    }
    shift
}
