//! The velocity projection without compliance, by preconditioned conjugate gradients on the multipliers, with contact by an active set.
//!
//! Contacts hold velocity components, so M⁻¹ becomes P M⁻¹ P. The layer that touches is held first; then, in a few
//! passes, contacts that pull are opened and new penetrations are closed.

use super::state::{Scratch, State};
use super::velocity::{VelocityProblem, held_velocity};
use crate::flow::conjugate::{Convergence, negligible};
use crate::flow::contact::{Hold, VelocityContacts};
use crate::math::Sym3;
use crate::parallel;
use glam::Vec3A;

/// Solves the projection; leaves u** in `scratch.velocity`, λ in `scratch.multiplier` and a warm start in `state`.
pub(crate) fn solve(
    problem: &VelocityProblem,
    contacts: &mut VelocityContacts,
    state: &mut State,
    scratch: &mut Scratch,
) -> Convergence {
    let step = problem.step;
    let u_star = scratch.velocity.clone();
    let mut pushed = u_star.clone();
    let mut holds = vec![Hold::NONE; u_star.len()];
    parallel::fill(&mut scratch.multiplier, |i| {
        if step.coefficients(i).active { state.warm_start[i] * step.dt } else { Sym3::ZERO }
    });
    contacts.close_violated(step, &u_star, &problem.gradients.neighbors);
    let passes = if contacts.list.is_empty() { 1 } else { step.params.contact_passes };
    let mut done = Convergence::default();
    for pass in 0..passes {
        pushed.copy_from_slice(&u_star);
        contacts.holds(&mut holds, &mut pushed);
        let budget = (step.params.max_velocity_iterations - done.iterations) / (passes - pass);
        let pass_done = conjugate_gradients(problem, &holds, &pushed, (scratch, budget));
        done.iterations += pass_done.iterations;
        done.residual = pass_done.residual;
        if contacts.list.is_empty() {
            break;
        }
        let Scratch { velocity: u, multiplier, traction, .. } = scratch;
        let mut response = vec![Vec3A::ZERO; u.len()];
        problem.response(multiplier, traction, &mut response);
        let opened = contacts.release(u, |_| true, |i| u[i] - u_star[i] - response[i]);
        let closed = contacts.close_violated(step, u, &problem.gradients.neighbors);
        if opened + closed == 0 {
            break;
        }
    }
    contacts.project(step, &mut scratch.velocity);
    let scale = 1.0 / step.dt;
    parallel::fill(&mut state.warm_start, |i| scratch.multiplier[i] * scale);
    done
}

/// Conjugate gradients for (J P M⁻¹ P Jᵀ + α) λ = −(κ′(Q⁰ − I) + J u), started at `scratch.multiplier`.
fn conjugate_gradients(
    problem: &VelocityProblem,
    holds: &[Hold],
    u_star: &[Vec3A],
    (scratch, budget): (&mut Scratch, u32),
) -> Convergence {
    let step = problem.step;
    let Scratch { velocity: u, multiplier, traction, .. } = scratch;
    let n = u.len();
    // The residual of λ = 0 is the measure: the warm start only saves iterations.
    parallel::fill(u, |i| holds[i].apply(u_star[i]));
    let reference = parallel::sum(n, |i| {
        let r = problem.residual(u, Sym3::ZERO, i);
        f64::from(r.dot(problem.precondition(r, i)))
    });
    let mut done = Convergence::default();
    if reference <= 0.0 {
        multiplier.fill(Sym3::ZERO);
        return done;
    }
    held_velocity(problem, holds, (u_star, multiplier), (traction, u));
    let mut residual = vec![Sym3::ZERO; n];
    let mut direction = vec![Sym3::ZERO; n];
    let mut image = vec![Sym3::ZERO; n];
    let mut w = vec![Vec3A::ZERO; n];
    parallel::fill(&mut residual, |i| problem.residual(u, multiplier[i], i));
    let mut rz = parallel::update_sum(&mut direction, |i, d| {
        *d = problem.precondition(residual[i], i);
        f64::from(residual[i].dot(*d))
    });
    let goal = (reference * f64::from(step.params.tolerance).powi(2)).max(negligible(step, u_star));
    while rz > goal && done.iterations < budget {
        problem.response(&direction, traction, &mut w);
        parallel::for_each(&mut w, |i, w| *w = holds[i].free.mul_vec3a(*w));
        let curvature = parallel::update_sum(&mut image, |i, image| {
            let c = step.coefficients(i);
            *image = if c.active {
                problem.strain(&w, i) + step.comply(direction[i], c.alpha)
            } else {
                Sym3::ZERO
            };
            f64::from(image.dot(direction[i]))
        });
        if curvature <= 0.0 {
            break;
        }
        let length = (rz / curvature) as f32;
        parallel::for_each2(u, multiplier, |i, u, multiplier| {
            *u += w[i] * length;
            *multiplier += direction[i] * length;
        });
        let next = parallel::update_sum(&mut residual, |i, r| {
            *r = *r - image[i] * length;
            f64::from(r.dot(problem.precondition(*r, i)))
        });
        let beta = (next / rz) as f32;
        rz = next;
        parallel::for_each(&mut direction, |i, d| {
            *d = problem.precondition(residual[i], i) + *d * beta;
        });
        done.iterations += 1;
    }
    done.residual = (rz / reference).sqrt();
    done
}
