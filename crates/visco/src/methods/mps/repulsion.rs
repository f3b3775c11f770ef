//! Repulsion of particles that come too near, after Monaghan 2000 (section 4).
//!
//! The paper adds an artificial repulsion to the gradient of the pressure, which the least pressure P̂ makes of it. Where the
//! fluid is pulled the pressure is low and this does nothing: layers of particles part while those of a layer crowd. Here
//! particles are moved, by [`even_shift`], without a change of velocities, by less than the step deforms the fluid.

use super::around::Around;
use crate::flow::Setting;
use crate::flow::contact::contact_displacement;
use crate::flow::evenness::even_shift;
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3A, Vec3};

/// Largest way of a step, in spacings.
const FARTHEST: f32 = 0.02;
/// Below this smallest eigenvalue of B there is too little around a particle to say where it should be.
const EDGE: f32 = 0.35;

/// Adds the ways, times `strength`, to the displacements of the step.
pub(super) fn spread(
    step: &Setting,
    around: &Around,
    (l, strength): (&[Mat3A], f32),
    displacement: &mut [Vec3],
) {
    let before = displacement.to_vec();
    parallel::for_each(displacement, |i, s| {
        let condition = around.condition(i);
        if !step.is_free(i) || condition < EDGE {
            return;
        }
        let rate = Sym3::symmetric_part(&l[i].into());
        let longest = FARTHEST.min(rate.dot(rate).sqrt() * step.dt) * step.kernel.spacing();
        let offsets = around.pairs(i).map(|(j, e, _)| before[i] - before[j] - Vec3::from(e));
        let change = even_shift(&step.kernel, offsets, (Vec3::ZERO, condition)) * strength;
        *s = contact_displacement(step, i, *s + change.clamp_length_max(longest));
    });
}
