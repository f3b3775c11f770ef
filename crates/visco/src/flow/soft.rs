//! The distances of soft bodies, in positions.

use super::Setting;
use super::contact::contact_displacement;
use crate::bodies::{Body, Soft, SoftShape};
use crate::parallel;
use glam::{Vec3, Vec3A};

/// How far particles may move against each other before the distances correct them, in spacings. A corner of the lattice
/// that is pushed through its opposite face keeps all its distances, inside out, and would stay so.
const PART: f32 = 0.25;
/// Most parts that a step's displacements are divided into.
const MOST_PARTS: f32 = 16.0;

/// The soft bodies of a step, with the multipliers of their distances.
#[derive(Debug)]
pub(crate) struct SoftBodies<'a> {
    bodies: Vec<(usize, &'a Soft, SoftShape)>,
    /// Whether the distances have been solved for in this step.
    projected: bool,
}

impl<'a> SoftBodies<'a> {
    /// Those of a step; nothing is held yet.
    pub(crate) fn find(step: &Setting<'a>) -> Self {
        let soft = |(index, body): (usize, &'a Body)| {
            let soft = body.soft()?;
            Some((index, soft, SoftShape::new(soft)))
        };
        Self { bodies: step.bodies.iter().enumerate().filter_map(soft).collect(), projected: false }
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

    /// Corrects the displacements of their particles by sweeps over the distances; contacts with walls hold. Large
    /// displacements come in parts, each with sweeps of its own.
    pub(crate) fn project(&mut self, step: &Setting, displacement: &mut [Vec3]) {
        for (index, soft, shape) in &mut self.bodies {
            let members = &step.members[*index];
            let Some(&first) = members.first() else { continue };
            let parts = if self.projected { 1 } else { parts(step, members, displacement) };
            shape.start(members.len());
            for part in 1..=parts {
                let share = part as f32 / parts as f32;
                let from_first = |i: u32| step.offset(first as usize, i as usize);
                shape.place(
                    members.iter().map(|&i| from_first(i) + share * displacement[i as usize]).collect(),
                );
                let near = |k: usize, i: u32| {
                    let x = step.x0[i as usize] + share * displacement[i as usize] + shape.moved[k];
                    !step.boundary.near(x, 4.0 * step.clearance).as_slice().is_empty()
                };
                let at_walls: Vec<bool> = members.iter().enumerate().map(|(k, &i)| near(k, i)).collect();
                let sweeps = if part < parts { soft.iterations.div_ceil(parts) } else { soft.iterations };
                for _ in 0..sweeps {
                    soft.sweep(shape, (step.inverse_mass(first as usize), step.dt));
                    parallel::for_each(&mut shape.moved, |k, moved| {
                        if at_walls[k] {
                            let i = members[k] as usize;
                            let own = share * displacement[i];
                            let s = own + *moved;
                            let stopped = contact_displacement(step, i, s);
                            if stopped != s {
                                *moved = stopped - own;
                            }
                        }
                    });
                }
            }
            for (k, &i) in members.iter().enumerate() {
                displacement[i as usize] += shape.moved[k];
            }
        }
        self.projected = true;
    }
}

/// In how many parts the displacements of a body come.
fn parts(step: &Setting, members: &[u32], displacement: &[Vec3]) -> u32 {
    let moved = |&i: &u32| displacement[i as usize];
    let mean = members.iter().map(moved).sum::<Vec3>() / members.len() as f32;
    let apart = members.iter().map(|i| moved(i).distance(mean)).fold(0.0, f32::max);
    (apart / (PART * step.kernel.spacing())).ceil().clamp(1.0, MOST_PARTS) as u32
}
