//! The velocity projection of Algorithm 2: u** ← project u* to C(u**) = 0, by eq. 11 and 12.
//!
//! With compliance α the multipliers solve (J M⁻¹ Jᵀ + α) λ = −(κ′(q⁰ − q̄) + J u*), and u** = u* + M⁻¹ Jᵀ λ.

use super::Step;
use super::contact::{Hold, VelocityContacts};
use super::gradient::Gradients;
use super::params::VelocitySolver;
use super::state::{Scratch, State};
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3A, Vec3, Vec3A};

/// Iterations before Chebyshev acceleration sets in.
const CHEBYSHEV_DELAY: u32 = 5;

/// What the projection did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Convergence {
    pub(crate) iterations: u32,
    /// Residual over that of λ = 0, in the preconditioner's norm.
    pub(crate) residual: f64,
}

/// The linear problem of the projection.
pub(crate) struct VelocityProblem<'a> {
    pub(crate) step: &'a Step<'a>,
    pub(crate) gradients: &'a Gradients,
    /// What does not depend on u: S⁻¹ κ′(Q⁰ − I) and the strain by walls that move, per particle.
    pub(crate) memory: Vec<Sym3>,
}

impl<'a> VelocityProblem<'a> {
    pub(crate) fn new(step: &'a Step<'a>, gradients: &'a Gradients, conformation: &[Sym3]) -> Self {
        let mut memory = vec![Sym3::ZERO; conformation.len()];
        parallel::fill(&mut memory, |i| {
            step.memory(conformation[i], i) + step.strain_of(&gradients.wall_flow(i))
        });
        Self { step, gradients, memory }
    }

    /// The residual −C(u) − αS⁻¹λ of particle i, zero where there is no constraint.
    pub(crate) fn residual(&self, u: &[Vec3A], multiplier: Sym3, i: usize) -> Sym3 {
        let c = self.step.coefficients(i);
        if !c.active {
            return Sym3::ZERO;
        }
        let constraint = self.memory[i] + self.gradients.strain(self.step, u, i);
        (constraint + self.step.comply(multiplier, c.alpha)) * -1.0
    }

    /// Residual divided by the diagonal of the system, row by row.
    pub(crate) fn precondition(&self, residual: Sym3, i: usize) -> Sym3 {
        let c = self.step.coefficients(i);
        if !c.active {
            return Sym3::ZERO;
        }
        self.step.divide_rows(residual, self.gradients.diagonal[i], c.alpha)
    }

    /// M⁻¹ JᵀΛ for all particles; `traction` is scratch.
    pub(crate) fn response(&self, multiplier: &[Sym3], traction: &mut [Mat3A], out: &mut [Vec3A]) {
        parallel::fill(traction, |i| self.gradients.traction(multiplier[i], i));
        let traction = &*traction;
        parallel::fill(out, |i| self.gradients.impulse(self.step, traction, i) * self.step.mobility[i]);
    }
}

/// Projects the predicted velocities; leaves u** in `scratch.velocity` and λ in `scratch.multiplier`.
pub(crate) fn project_velocities(
    step: &Step,
    (gradients, u0): (&Gradients, &[Vec3]),
    state: &mut State,
    scratch: &mut Scratch,
) -> Convergence {
    let mut contacts = VelocityContacts::find(step, &scratch.velocity, &gradients.neighbors);
    let problem = VelocityProblem::new(step, gradients, &state.conformation);
    if !step.any_viscous() {
        scratch.multiplier.fill(Sym3::ZERO);
        contacts.project(&mut scratch.velocity);
        return Convergence::default();
    }
    match step.params.velocity_solver {
        VelocitySolver::Cg if step.corrections.controlled_modes && step.all_compliant() => {
            super::primal::solve(&problem, &mut contacts, u0, scratch)
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
    let (step, gradients) = (problem.step, problem.gradients);
    let Scratch { velocity: u, multiplier, traction, .. } = scratch;
    let n = u.len();
    let mut change = vec![Sym3::ZERO; n];
    let mut response = vec![Vec3A::ZERO; n];
    let mut before: Option<(Vec<Vec3A>, Vec<Sym3>)> = None;
    let mut weight = 1.0;
    let mut first = None;
    let mut done = Convergence::default();
    multiplier.fill(Sym3::ZERO);
    contacts.project(u);
    while done.iterations < step.params.max_velocity_iterations {
        let square = parallel::update_sum(&mut change, |i, change| {
            let r = problem.residual(u, multiplier[i], i);
            let z = problem.precondition(r, i);
            let relax = if step.corrections.relaxed_multipliers { gradients.relaxation[i] } else { 1.0 };
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
            let relax = if step.corrections.relaxed_multipliers { 1.0 } else { gradients.relaxation[i] };
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
        contacts.project(u);
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

/// The squared residual of corrections that no one could see, a millionth of a spacing a step, or that f32 velocities
/// cannot hold. Without this floor a body that moves rigidly would be iterated on its rounding errors.
pub(crate) fn negligible(problem: &VelocityProblem, u_star: &[Vec3A]) -> f64 {
    const INVISIBLE: f32 = 1e-6;
    const ROUNDING: f32 = 2.0 * f32::EPSILON;
    let step = problem.step;
    let fastest = parallel::max(u_star.len(), 0.0, |i| u_star[i].length());
    let speed = f64::from(INVISIBLE * step.kernel.spacing() / step.dt + ROUNDING * fastest);
    u_star.len() as f64 * speed * speed / f64::from(step.mean_inverse_mass)
}
