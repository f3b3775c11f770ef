//! The end of a step whose velocities are known: positions by velocities, explicit, for methods whose forces already keep
//! fluid off walls.

use super::Setting;
use super::contact::contact_displacement;
use super::moved_body::MovedBody;
use super::rigid::RigidBodies;
use super::soft::SoftBodies;
use crate::dynamics::Dynamics;
use crate::parallel;
use glam::{Vec3, Vec3A};

/// Displacements by velocities, and bodies, which meet each other and walls, at their end; what a wall stops after all has no velocity into it either. Fluid
/// keeps `clearance` spacings away from walls.
pub(crate) fn move_particles(
    step: &mut Setting,
    dynamics: &Dynamics,
    clearance: f32,
    (velocity, displacement): (&mut [Vec3A], &mut [Vec3]),
) -> Vec<MovedBody> {
    step.hold_velocities(velocity);
    let rigid = RigidBodies::find(step);
    let bodies = dynamics.advance(step, &rigid, velocity);
    let usual = std::mem::replace(&mut step.clearance, clearance * step.kernel.spacing());
    parallel::for_each2(displacement, velocity, |i, s, v| {
        *s = Vec3::from(*v) * step.dt;
        if step.is_free(i) && !rigid.has(i) {
            let stopped = contact_displacement(step, i, *s);
            if stopped != *s {
                (*s, *v) = (stopped, (stopped / step.dt).into());
            }
        }
    });
    step.clearance = usual;
    for body in &bodies {
        body.place(step, displacement);
        body.set_velocities(step, velocity);
    }
    let mut soft = SoftBodies::find(step);
    if !soft.is_empty() {
        soft.project(step, displacement);
        soft.add_velocities(step, velocity);
    }
    step.hold_displacements(displacement);
    bodies
}
