//! The solve of a step: conjugate gradients inside an active set of contacts.
//!
//! Contacts hold velocity components. The layer that touches is held first; then, in a few passes, contacts that pull
//! are opened, friction is settled and new penetrations are closed.

use super::Preconditioner;
use super::conjugate::{Convergence, Held};
use super::contact::{Hold, VelocityContacts};
use super::multilevel::Multilevel;
use super::pieces::Pieces;
use super::rigid::RigidBodies;
use super::system::VelocitySystem;
use crate::parallel;
use glam::{Mat3A, Vec3A};

/// Tolerance while contacts are being found.
const ROUGH: f32 = 0.03;

/// How well a solve must be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) tolerance: f32,
    /// Iterations over all passes.
    pub(crate) most_iterations: u32,
    /// Passes of the active set.
    pub(crate) passes: u32,
}

/// The grids of a step, where they are asked for and help. Those of the first contacts serve all passes: a
/// preconditioner need not know the last of them.
pub(crate) fn grids(
    system: &VelocitySystem,
    contacts: &VelocityContacts,
    preconditioner: Preconditioner,
) -> Option<Multilevel> {
    if preconditioner == Preconditioner::Block || !system.diffuses() {
        return None;
    }
    let n = system.mass.len();
    let (mut holds, mut pushed) = (vec![Hold::NONE; n], vec![Vec3A::ZERO; n]);
    contacts.holds(&mut holds, &mut pushed);
    Some(Multilevel::new(system, &holds))
}

/// What a step solves, beside its matrix.
pub(crate) struct Problem<'a> {
    pub(crate) system: &'a VelocitySystem<'a>,
    pub(crate) pieces: &'a Pieces,
    pub(crate) grids: Option<&'a Multilevel>,
    /// u*.
    pub(crate) u_star: &'a [Vec3A],
    /// f.
    pub(crate) impulse: &'a [Vec3A],
}

impl Problem<'_> {
    /// Solves for u, starting from the velocities in `u`; contacts are left as they turned out.
    pub(crate) fn solve(
        &self,
        (contacts, rigid): (&mut VelocityContacts, &mut RigidBodies),
        (u, tension): (&mut [Vec3A], &mut [Mat3A]),
        effort: Effort,
    ) -> Convergence {
        let (system, n) = (self.system, u.len());
        let step = system.setting;
        let passes = if contacts.list.is_empty() { 1 } else { effort.passes };
        rigid.set_matrix(system);
        if !rigid.is_empty() && !contacts.list.is_empty() {
            let mut image = vec![Vec3A::ZERO; n];
            system.apply(u, tension, &mut image);
            self.settle_bodies((contacts, rigid), u, &image);
        }
        let mut holds = vec![Hold::NONE; n];
        let mut pushed = self.u_star.to_vec();
        let mut done = Convergence::default();
        for pass in 0..passes {
            // While contacts still change, a rough solve tells which; the last is done well.
            let rough = pass + 1 < passes;
            let tolerance = if rough { effort.tolerance.max(ROUGH) } else { effort.tolerance };
            pushed.copy_from_slice(self.u_star);
            contacts.holds(&mut holds, &mut pushed);
            let mut right = vec![Vec3A::ZERO; n];
            parallel::fill(&mut right, |i| pushed[i] * system.mass[i] + self.impulse[i]);
            let held = Held { system, holds: &holds, rigid, right: &right, grids: self.grids };
            let mut solve = |held: &Held, u: &mut [Vec3A], tension: &mut [Mat3A], tolerance: f32| {
                let budget = (effort.most_iterations - done.iterations) / (passes - pass);
                let pass_done = held.solve(&pushed, (&mut *u, tension), (tolerance, budget));
                self.pieces.restore_momentum((step, system.gradients), &holds, (&pushed, u));
                done.iterations += pass_done.iterations;
                done.residual = pass_done.residual;
            };
            solve(&held, u, tension, tolerance);
            if contacts.list.is_empty() {
                break;
            }
            if self.change_contacts((contacts, rigid), (u, tension)) == 0 {
                if rough {
                    let held = Held { system, holds: &holds, rigid, right: &right, grids: self.grids };
                    solve(&held, u, tension, effort.tolerance);
                }
                break;
            }
        }
        contacts.project(step, u);
        done
    }

    /// Opens what pulls, closes what penetrates; returns how many contacts changed.
    fn change_contacts(
        &self,
        (contacts, rigid): (&mut VelocityContacts, &mut RigidBodies),
        (u, tension): (&[Vec3A], &mut [Mat3A]),
    ) -> usize {
        let system = self.system;
        let mut image = vec![Vec3A::ZERO; u.len()];
        system.apply(u, tension, &mut image);
        let reaction = |i: usize| (image[i] - self.impulse[i]) / system.mass[i] - self.u_star[i];
        let mut changed = contacts.release(u, |i| !rigid.has(i), reaction);
        changed += self.settle_bodies((contacts, rigid), u, &image);
        changed + contacts.close_violated(system.setting, u, &system.gradients.neighbors)
    }

    /// Settles the contacts of rigid bodies for velocities u with the image A u; returns how many changed.
    fn settle_bodies(
        &self,
        (contacts, rigid): (&mut VelocityContacts, &mut RigidBodies),
        u: &[Vec3A],
        image: &[Vec3A],
    ) -> usize {
        if rigid.is_empty() {
            return 0;
        }
        let mass = &self.system.mass;
        let mut residual = vec![Vec3A::ZERO; u.len()];
        parallel::fill(&mut residual, |i| self.u_star[i] * mass[i] + self.impulse[i] - image[i]);
        rigid.settle_contacts(contacts, (u, &residual), mass)
    }
}
