//! Repulsion of particles that come too near, after Monaghan 2000 (section 4).
//!
//! The paper adds an artificial repulsion to the gradient of the pressure, which the least pressure P̂ makes of it. Where the
//! fluid is pulled the pressure is low and this does nothing: layers of particles part while those of a layer crowd. Here
//! particles are moved, by [`even_shift`], without a change of velocities, by less than the step deforms the fluid.

use super::around::Around;
use crate::flow::Setting;
use crate::flow::contact::contact_displacement;
use crate::flow::evenness::even_shift;
use crate::flow::shifting::{EDGE, limited};
use crate::parallel;
use glam::{Mat3A, Vec3};

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
        let offsets = around.pairs(i).map(|(j, e, _)| before[i] - before[j] - Vec3::from(e));
        let change = even_shift(&step.kernel, offsets, (Vec3::ZERO, condition)) * strength;
        *s = contact_displacement(step, i, *s + limited(step, change, &l[i]));
    });
}
