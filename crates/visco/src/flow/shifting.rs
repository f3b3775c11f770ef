//! Particle shifting by [`even_shift`].
//!
//! Particles that follow a flow form chains and gaps along its streamlines; a small shift against the gradient of
//! their concentration keeps them evenly spread. It changes no velocity, moves particles of the surface along the
//! surface only, and is not larger than the step's own deformation, so that a body at rest does not creep. Where surface
//! tension pulls, what lifts particles against its force without slowing them adds energy: the shift's work there is not
//! more than a part of what the deformation dissipates.

use super::contact::contact_displacement;
use super::density::wall_density;
use super::evenness::even_shift;
use super::gradient::Gradients;
use super::{Displaced, Setting};
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Mat3A, Vec3};

/// Strength, in h².
const STRENGTH: f32 = 0.03;
/// Largest shift of a step, in spacings.
const FARTHEST: f32 = 0.02;
/// Below this smallest eigenvalue of the moment matrix there is too little around a particle to say where it should be.
pub(crate) const EDGE: f32 = 0.35;

/// Most work of a shift against surface tension, as part of what the deformation dissipates in the step. With all of it,
/// drops of 0.1 Pa·s come to rest at times a little later.
const WORK: f32 = 0.3;

/// What surface tension does, and what resists it.
pub(crate) struct Tension<'a, F> {
    /// Its forces at particles near a surface, in N/m³; none, if no material has any.
    pub(crate) pulls: &'a [Vec3],
    /// Viscosity of a particle, in Pa·s.
    pub(crate) viscosity: F,
}

/// Adds the shift to the displacements of the step; `l` are velocity gradients, walls included.
pub(crate) fn shift<F: Fn(usize) -> f32 + Sync>(
    step: &Setting,
    (gradients, l, around): (&Gradients, &[Mat3A], &Displaced),
    tension: Tension<F>,
    displacement: &mut [Vec3],
) {
    let before = displacement.to_vec();
    parallel::for_each(displacement, |i, s| {
        let condition = gradients.condition(i);
        if !step.is_free(i) || condition < EDGE {
            return;
        }
        let offset = |j: &u32| step.offset(*j as usize, i) + (before[i] - before[*j as usize]);
        let wall = match around.near_wall[i] {
            true => wall_density(step.boundary, step.wall_kernel, step.x0[i] + before[i]).1,
            false => Vec3::ZERO,
        };
        let offsets = around.neighbors.of(i).iter().map(offset);
        let change = even_shift(&step.kernel, offsets, (wall, condition)) * STRENGTH;
        let mut change = limited(step, change, &l[i]);
        if let Some(pull) = tension.pulls.get(i) {
            let rate = deformation(&l[i]);
            let most = WORK * 2.0 * (tension.viscosity)(i) * rate * rate * step.dt;
            let work = pull.dot(change).abs();
            if work > most {
                change *= most / work;
            }
        }
        if change != Vec3::ZERO {
            *s = contact_displacement(step, i, *s + change);
        }
    });
}

/// A shift that is not larger than what a flow with this gradient deforms in the step.
pub(crate) fn limited(step: &Setting, shift: Vec3, gradient: &Mat3A) -> Vec3 {
    let strain = deformation(gradient) * step.dt;
    shift.clamp_length_max(FARTHEST.min(strain) * step.kernel.spacing())
}

/// |D|: how fast a flow with this gradient deforms.
fn deformation(gradient: &Mat3A) -> f32 {
    let rate = Sym3::symmetric_part(&Mat3::from(*gradient));
    rate.dot(rate).sqrt()
}
