//! The velocity projection of Algorithm 2: u** ← project u* to C(u**) = 0, by eq. 11 and 12.
//!
//! With compliance α the multipliers solve (J M⁻¹ Jᵀ + α) λ = −(κ′(q⁰ − q̄) + J u*), and u** = u* + M⁻¹ Jᵀ λ.

use super::Step;
use super::diagonal::Diagonals;
use super::params::VelocitySolver;
use super::state::{Scratch, State};
use crate::flow::conjugate::Convergence;
use crate::flow::contact::{Hold, VelocityContacts};
use crate::flow::gradient::Gradients;
use crate::flow::pieces::Pieces;
use crate::flow::rigid::RigidBodies;
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3A, Vec3, Vec3A};

/// Iterations before Chebyshev acceleration sets in.
const CHEBYSHEV_DELAY: u32 = 5;

/// The linear problem of the projection.
pub(crate) struct VelocityProblem<'a> {
    pub(crate) step: &'a Step<'a>,
    pub(crate) gradients: &'a Gradients,
    pub(crate) diagonals: &'a Diagonals,
    /// What does not depend on u: S⁻¹ κ′(Q⁰ − I), the strain by walls that move, and what a turn of the length of the step
    /// has as a rate, per particle.
    pub(crate) memory: Vec<Sym3>,
}

impl<'a> VelocityProblem<'a> {
    pub(crate) fn new(
        step: &'a Step<'a>,
        (gradients, diagonals): (&'a Gradients, &'a Diagonals),
        conformation: &[Sym3],
        turns: Option<&[Vec3A]>,
    ) -> Self {
        let mut memory = vec![Sym3::ZERO; conformation.len()];
        parallel::fill(&mut memory, |i| {
            let of_turn = turns.map_or(Sym3::ZERO, |u| step.strain_of(&gradients.velocity_gradient(u, i)));
            step.memory(conformation[i], i) + step.strain_of(&gradients.wall_flow(i)) - of_turn
        });
        Self { step, gradients, diagonals, memory }
    }

    /// The same without the strain by walls.
    pub(crate) fn remembered(&self, i: usize) -> Sym3 {
        self.memory[i] - self.step.strain_of(&self.gradients.wall_flow(i))
    }

    /// (J u)_i = Δt (L + Lᵀ), without the part that does not depend on u: eq. 10.
    #[inline]
    pub(crate) fn strain(&self, u: &[Vec3A], i: usize) -> Sym3 {
        self.step.strain_of(&self.gradients.velocity_gradient(u, i))
    }

    /// (JᵀΛ)_i from the tractions T = ΛK, the transpose of [`VelocityProblem::strain`].
    #[inline]
    pub(crate) fn impulse(&self, traction: &[Mat3A], i: usize) -> Vec3A {
        self.gradients.divergence(traction, i) * (-2.0 * self.step.dt)
    }

    /// The residual −C(u) − αS⁻¹λ of particle i, zero where there is no constraint.
    pub(crate) fn residual(&self, u: &[Vec3A], multiplier: Sym3, i: usize) -> Sym3 {
        let c = self.step.coefficients(i);
        if !c.active {
            return Sym3::ZERO;
        }
        let constraint = self.memory[i] + self.strain(u, i);
        (constraint + self.step.comply(multiplier, c.alpha)) * -1.0
    }

    /// Residual divided by the diagonal of the system, row by row.
    pub(crate) fn precondition(&self, residual: Sym3, i: usize) -> Sym3 {
        let c = self.step.coefficients(i);
        if !c.active {
            return Sym3::ZERO;
        }
        self.step.divide_rows(residual, self.diagonals.diagonal[i], c.alpha)
    }

    /// M⁻¹ JᵀΛ for all particles; `traction` is scratch.
    pub(crate) fn response(&self, multiplier: &[Sym3], traction: &mut [Mat3A], out: &mut [Vec3A]) {
        parallel::fill(traction, |i| self.gradients.traction(multiplier[i], i));
        let traction = &*traction;
        parallel::fill(out, |i| self.impulse(traction, i) * self.step.mobility[i]);
    }
}

/// Projects the predicted velocities; leaves u** in `scratch.velocity` and λ in `scratch.multiplier`.
pub(crate) fn project_velocities(
    step: &Step,
    (gradients, diagonals): (&Gradients, &Diagonals),
    (u0, rigid): (&[Vec3], &mut RigidBodies),
    state: &mut State,
    scratch: &mut Scratch,
) -> Convergence {
    let mut contacts = match step.corrections.velocity_contact {
        true => VelocityContacts::find(step, &scratch.velocity, &gradients.neighbors),
        false => VelocityContacts::default(),
    };
    if !step.any_viscous() && rigid.is_empty() {
        scratch.multiplier.fill(Sym3::ZERO);
        contacts.project(step, &mut scratch.velocity);
        return Convergence::default();
    }
    let pieces = Pieces::find(step, gradients);
    let turns = step.corrections.second_order.then(|| pieces.second_order(step, u0));
    let matrices = (gradients, diagonals);
    let problem = VelocityProblem::new(step, matrices, &state.conformation, turns.as_deref());
    match step.params.velocity_solver {
        VelocitySolver::Cg if step.corrections.controlled_modes && step.all_compliant() => {
            super::primal::solve(&problem, (&mut contacts, &pieces), (u0, rigid), scratch)
        }
        VelocitySolver::Cg => super::dual::solve(&problem, &mut contacts, state, scratch),
        VelocitySolver::Jacobi => iterate(&problem, &contacts, scratch, None),
        VelocitySolver::Chebyshev => {
            iterate(&problem, &contacts, scratch, Some(step.params.chebyshev_radius))
        }
    }
}

/// Relaxed Jacobi iterations, accelerated by Chebyshev weights where a spectral radius is given.
fn iterate(
    problem: &VelocityProblem,
    contacts: &VelocityContacts,
    scratch: &mut Scratch,
    radius: Option<f32>,
) -> Convergence {
    let (step, diagonals) = (problem.step, problem.diagonals);
    let Scratch { velocity: u, multiplier, traction, .. } = scratch;
    let n = u.len();
    let mut change = vec![Sym3::ZERO; n];
    let mut response = vec![Vec3A::ZERO; n];
    let mut before: Option<(Vec<Vec3A>, Vec<Sym3>)> = None;
    let mut weight = 1.0;
    let mut first = None;
    let mut done = Convergence::default();
    multiplier.fill(Sym3::ZERO);
    contacts.project(step, u);
    while done.iterations < step.params.max_velocity_iterations {
        let square = parallel::update_sum(&mut change, |i, change| {
            let r = problem.residual(u, multiplier[i], i);
            let z = problem.precondition(r, i);
            let relax = if step.corrections.relaxed_multipliers { diagonals.relaxation[i] } else { 1.0 };
            *change = z * relax;
            f64::from(r.dot(z))
        });
        let norm = square.sqrt();
        let initial = *first.get_or_insert(norm);
        done.residual = if initial > 0.0 { norm / initial } else { 0.0 };
        if done.residual <= f64::from(step.params.tolerance) {
            break;
        }
        problem.response(&change, traction, &mut response);
        let last = radius.map(|_| (u.clone(), multiplier.clone()));
        parallel::for_each2(u, multiplier, |i, u, multiplier| {
            let relax = if step.corrections.relaxed_multipliers { 1.0 } else { diagonals.relaxation[i] };
            *u += response[i] * relax;
            *multiplier += change[i];
        });
        done.iterations += 1;
        if let (Some(rho), Some((u0, m0))) = (radius, &before) {
            weight = match done.iterations {
                k if k < CHEBYSHEV_DELAY => 1.0,
                CHEBYSHEV_DELAY => 2.0 / (2.0 - rho * rho),
                _ => 4.0 / (4.0 - rho * rho * weight),
            };
            parallel::for_each2(u, multiplier, |i, u, multiplier| {
                *u = u0[i] + (*u - u0[i]) * weight;
                *multiplier = m0[i] + (*multiplier - m0[i]) * weight;
            });
        }
        before = last;
        contacts.project(step, u);
    }
    done
}

/// u = P(u* + M⁻¹JᵀΛ) with the held components in place.
pub(crate) fn held_velocity(
    problem: &VelocityProblem,
    holds: &[Hold],
    (u_star, multiplier): (&[Vec3A], &[Sym3]),
    (traction, u): (&mut [Mat3A], &mut [Vec3A]),
) {
    problem.response(multiplier, traction, u);
    parallel::for_each(u, |i, u| *u = holds[i].apply(u_star[i] + *u));
}
