//! Particle shifting by [`even_shift`].
//!
//! Particles that follow a flow form chains and gaps along its streamlines; a small shift against the gradient of
//! their concentration keeps them evenly spread. It changes no velocity, moves particles of the surface along the
//! surface only, and is not larger than the step's own deformation, so that a body at rest does not creep. Where surface
//! tension pulls it does nothing: what lifts particles against a force without slowing them adds energy.

use super::Step;
use crate::flow::Displaced;
use crate::flow::contact::contact_displacement;
use crate::flow::density::wall_density;
use crate::flow::evenness::even_shift;
use crate::flow::gradient::Gradients;
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Mat3A, Vec3};

/// Strength, in h².
const STRENGTH: f32 = 0.03;
/// Largest shift of a step, in spacings.
const FARTHEST: f32 = 0.02;
/// Below this smallest eigenvalue of the moment matrix there is too little around a particle to say where it should be.
const EDGE: f32 = 0.35;

/// Adds the shift to the displacements of the step.
pub(super) fn shift(
    step: &Step,
    (gradients, l, near_surface): (&Gradients, &[Mat3A], &[bool]),
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
        let rate = Sym3::symmetric_part(&Mat3::from(l[i]));
        let d = step.kernel.spacing();
        let longest = FARTHEST.min(rate.dot(rate).sqrt() * step.dt) * d;
        let offset = |j: &u32| step.offset(*j as usize, i) + (before[i] - before[*j as usize]);
        let wall = match around.near_wall[i] {
            true => wall_density(step.boundary, step.wall_kernel, step.x0[i] + before[i]).1,
            false => Vec3::ZERO,
        };
        let offsets = around.neighbors.of(i).iter().map(offset);
        let change = even_shift(&step.kernel, offsets, (wall, condition)) * STRENGTH;
        let change = change.clamp_length_max(longest);
        if change != Vec3::ZERO {
            *s = contact_displacement(step, i, *s + change);
        }
    });
}
