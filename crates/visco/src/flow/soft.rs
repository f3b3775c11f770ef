//! The distances of soft bodies, in positions.

use super::Setting;
use super::contact::contact_displacement;
use crate::bodies::{Body, Shape, Soft};
use crate::parallel;
use glam::{Vec3, Vec3A};

/// The soft bodies of a step, with the multipliers of their distances.
#[derive(Debug)]
pub(crate) struct SoftBodies<'a> {
    bodies: Vec<(usize, &'a Soft, Shape)>,
}

impl<'a> SoftBodies<'a> {
    /// Those of a step; nothing is held yet.
    pub(crate) fn find(step: &Setting<'a>) -> Self {
        let soft = |(index, body): (usize, &'a Body)| {
            let soft = body.soft()?;
            Some((index, soft, Shape::new(soft)))
        };
        Self { bodies: step.bodies.iter().enumerate().filter_map(soft).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Adds what the last projection has moved to the velocities.
    pub(crate) fn add_velocities(&self, step: &Setting, u: &mut [Vec3A]) {
        for (index, _, shape) in &self.bodies {
            for (&i, &moved) in step.members[*index].iter().zip(&shape.moved) {
                u[i as usize] += Vec3A::from(moved) / step.dt;
            }
        }
    }

    /// Corrects the displacements of their particles by sweeps over the distances; contacts with walls hold.
    pub(crate) fn project(&mut self, step: &Setting, displacement: &mut [Vec3]) {
        for (index, soft, shape) in &mut self.bodies {
            let members = &step.members[*index];
            let Some(&first) = members.first() else { continue };
            let from_first = |i: u32| step.offset(first as usize, i as usize);
            shape.start(members.iter().map(|&i| from_first(i) + displacement[i as usize]).collect());
            let near = |i: u32| {
                let x = step.x0[i as usize] + displacement[i as usize];
                !step.boundary.near(x, 4.0 * step.clearance).as_slice().is_empty()
            };
            let at_walls: Vec<bool> = members.iter().map(|&i| near(i)).collect();
            for _ in 0..soft.iterations {
                soft.sweep(shape, (step.inverse_mass(first as usize), step.dt));
                parallel::for_each(&mut shape.moved, |k, moved| {
                    if at_walls[k] {
                        let i = members[k] as usize;
                        let s = displacement[i] + *moved;
                        let stopped = contact_displacement(step, i, s);
                        if stopped != s {
                            *moved = stopped - displacement[i];
                        }
                    }
                });
            }
            for (k, &i) in members.iter().enumerate() {
                displacement[i as usize] += shape.moved[k];
            }
        }
    }
}
