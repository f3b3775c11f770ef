//! The velocity projection by conjugate gradients on the velocities.
//!
//! For finite viscosity the multipliers can be eliminated, λ = −(κ′(Q⁰ − I) + S J u)/α, which leaves 3 unknowns a
//! particle, no null space, and contacts that simply hold components:
//!
//! ```text
//! (M + Jᵀ α⁻¹ S J + Z) u = M u* − Jᵀ α⁻¹ κ′(Q⁰ − I)
//! ```
//!
//! Z is the control of unseen motion of [`VelocitySystem`].

use super::Step;
use super::params::Strain;
use super::state::Scratch;
use super::velocity::VelocityProblem;
use crate::flow::conjugate::Convergence;
use crate::flow::contact::VelocityContacts;
use crate::flow::partners;
use crate::flow::pieces::Pieces;
use crate::flow::rigid::RigidBodies;
use crate::flow::solve::{Effort, Problem, grids};
use crate::flow::system::{CONTROL, Resistance, VelocitySystem};
use crate::parallel;
use glam::{Vec3, Vec3A};

/// What a particle's constraint amounts to: shear 2Δt²/α, and bulk by the part of the strain that is held. In a step a
/// polymer resists with a small part of its viscosity; changes of volume, and motions that the gradient does not see, go
/// on over many steps and meet all of it, or what is pulled grows and tears.
fn resistance(step: &Step, i: usize) -> Resistance {
    let c = step.coefficients(i);
    if !c.active {
        return Resistance::default();
    }
    let shear = 2.0 * step.dt * step.dt / c.alpha;
    let lasting = step.dt * step.kernel.volume() * c.lasting;
    let bulk = match step.params.strain {
        Strain::Isochoric => step.bulk() * lasting,
        Strain::Full => shear,
        Strain::Shear => 0.0,
    };
    Resistance { shear, bulk: 2.0 / 3.0 * bulk, control: CONTROL * lasting }
}

/// Solves the projection; leaves u** in `scratch.velocity` (which holds u*) and λ in `scratch.multiplier`.
pub(crate) fn solve(
    problem: &VelocityProblem,
    (contacts, pieces): (&mut VelocityContacts, &Pieces),
    (u0, rigid): (&[Vec3], &mut RigidBodies),
    scratch: &mut Scratch,
) -> Convergence {
    let (step, gradients) = (problem.step, problem.gradients);
    let n = u0.len();
    let touched = partners::find(step, gradients);
    let system = VelocitySystem::new(step, gradients, |i| match step.body(i) {
        None => resistance(step, i),
        Some(_) => {
            let of_fluid = |j: usize| resistance(step, j);
            partners::resistance(step, gradients, (i, touched[i]), of_fluid, Resistance::default())
        }
    });
    let u_star = scratch.velocity.clone();
    let mut u: Vec<Vec3A> = u0.iter().map(|&u| u.into()).collect();
    let stiffness = |i: usize| system.resistance[i].shear / (2.0 * step.dt * step.dt);
    let mut impulse = vec![Vec3A::ZERO; n];
    system.impulse(
        |i| step.stiffen(problem.remembered(i)) * (2.0 * step.dt * stiffness(i)),
        &mut scratch.traction,
        &mut impulse,
    );
    contacts.close_violated(step, &u_star, &gradients.neighbors);
    let grids = grids(&system, contacts, step.params.preconditioner);
    let problem_of_step =
        Problem { system: &system, pieces, grids: grids.as_ref(), u_star: &u_star, impulse: &impulse };
    let effort = Effort {
        tolerance: step.params.tolerance,
        most_iterations: step.params.max_velocity_iterations,
        passes: step.params.contact_passes,
    };
    let done = problem_of_step.solve((contacts, rigid), (&mut u, &mut scratch.traction), effort);
    parallel::fill(&mut scratch.multiplier, |i| {
        let constraint = problem.memory[i] + problem.strain(&u, i);
        step.stiffen(constraint) * -stiffness(i)
    });
    scratch.velocity = u;
    done
}
