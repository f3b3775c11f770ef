//! The velocity projection by conjugate gradients on the velocities, with control of unseen motion.
//!
//! For finite viscosity the multipliers can be eliminated, λ = −(κ′(Q⁰ − I) + S J u)/α, which leaves 3 unknowns a
//! particle, no null space, and contacts that simply hold components:
//!
//! ```text
//! (M + Jᵀ α⁻¹ S J + Z) u = M u* − Jᵀ α⁻¹ κ′(Q⁰ − I)
//! ```
//!
//! Z controls the motions that the gradient does not see (hourglass modes), which would make disordered fluid too
//! thin and tear a pulled rope between layers. It is the Hessian of Σ_i ½ k Σ_j w_ij |u_ij − L_i x_ij|² with
//! k = c E V Δt = 2c Δt²/α: what remains of the neighbours' velocities after the best linear fit. It is zero for
//! linear flow. c = 4/3 also cancels the gradient's leading truncation error.

use super::bodies::Bodies;
use super::contact::{Hold, VelocityContacts};
use super::multilevel::Multilevel;
use super::params::Preconditioner;
use super::state::Scratch;
use super::velocity::{Convergence, VelocityProblem, negligible};
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3A, Vec3, Vec3A};

/// Strength c of the control.
const CONTROL: f32 = 4.0 / 3.0;

/// The matrix of the projection.
struct Primal<'a> {
    problem: &'a VelocityProblem<'a>,
    /// k; zero where there is no constraint.
    control: Vec<f32>,
    /// 1/α; zero where there is no constraint.
    stiffness: Vec<f32>,
    mass: Vec<f32>,
    /// Inverse diagonal blocks.
    blocks: Vec<Sym3>,
}

/// Solves the projection; leaves u** in `scratch.velocity` (which holds u*) and λ in `scratch.multiplier`.
pub(crate) fn solve(
    problem: &VelocityProblem,
    contacts: &mut VelocityContacts,
    u0: &[Vec3],
    scratch: &mut Scratch,
) -> Convergence {
    let step = problem.step;
    let u_star = scratch.velocity.clone();
    let primal = Primal::new(problem);
    let n = u_star.len();
    let mut pushed = u_star.clone();
    let mut holds = vec![Hold::NONE; n];
    let mut u: Vec<Vec3A> = u0.iter().map(|&u| u.into()).collect();
    let memory = primal.memory_impulse(&mut scratch.traction);
    contacts.close_violated(step, &u_star, &problem.gradients.neighbors);
    let passes = if contacts.list.is_empty() { 1 } else { step.params.contact_passes };
    let bodies = Bodies::find(step, problem.gradients);
    // The grids of the first contacts serve all passes: a preconditioner need not know the last of them.
    contacts.holds(&mut holds, &mut pushed);
    let grids = primal.needs_grids().then(|| {
        let stiffness: Vec<f32> = primal.stiffness.iter().map(|s| 2.0 * step.dt * step.dt * s).collect();
        Multilevel::new(step, problem.gradients, &holds, (&stiffness, &primal.mass))
    });
    let mut done = Convergence::default();
    for pass in 0..passes {
        pushed.copy_from_slice(&u_star);
        contacts.holds(&mut holds, &mut pushed);
        let mut right = vec![Vec3A::ZERO; n];
        parallel::fill(&mut right, |i| pushed[i] * primal.mass[i] + memory[i]);
        let budget = (step.params.max_velocity_iterations - done.iterations) / (passes - pass);
        let system = Held { primal: &primal, holds: &holds, right: &right, grids: grids.as_ref() };
        let pass_done = system.conjugate_gradients(&pushed, (&mut u, &mut scratch.traction), budget);
        bodies.restore_momentum(step, &holds, (&pushed, &mut u));
        done.iterations += pass_done.iterations;
        done.residual = pass_done.residual;
        if contacts.list.is_empty() {
            break;
        }
        let mut image = vec![Vec3A::ZERO; n];
        primal.apply(&u, &mut scratch.traction, &mut image);
        let impulse = |i: usize| (image[i] - primal.mass[i] * u_star[i] - memory[i]) / primal.mass[i];
        let opened = contacts.release(&u, impulse);
        let closed = contacts.close_violated(step, &u, &problem.gradients.neighbors);
        if opened + closed == 0 {
            break;
        }
    }
    contacts.project(&mut u);
    parallel::fill(&mut scratch.multiplier, |i| {
        let constraint = problem.memory[i] + problem.gradients.strain(step, &u, i);
        step.stiffen(constraint) * -primal.stiffness[i]
    });
    scratch.velocity = u;
    done
}

impl<'a> Primal<'a> {
    fn new(problem: &'a VelocityProblem<'a>) -> Self {
        let step = problem.step;
        let n = step.x0.len();
        let mut primal = Self {
            problem,
            control: vec![0.0; n],
            stiffness: vec![0.0; n],
            mass: vec![0.0; n],
            blocks: vec![],
        };
        parallel::fill(&mut primal.stiffness, |i| match step.coefficients(i) {
            c if c.active => 1.0 / c.alpha,
            _ => 0.0,
        });
        parallel::fill(&mut primal.control, |i| 2.0 * CONTROL * step.dt * step.dt * primal.stiffness[i]);
        parallel::fill(&mut primal.mass, |i| 1.0 / step.inverse_mass(i));
        let mut blocks = vec![Sym3::ZERO; n];
        parallel::fill(&mut blocks, |i| primal.block(i).inverse());
        primal.blocks = blocks;
        primal
    }

    /// Whether grids are asked for and velocity diffuses over more than a spacing in a step, so that information must
    /// travel far.
    fn needs_grids(&self) -> bool {
        let step = self.problem.step;
        let d2 = step.kernel.spacing().powi(2);
        let diffuses = |i: usize| 2.0 * step.dt * step.dt * self.stiffness[i] > self.mass[i] * d2;
        step.params.preconditioner == Preconditioner::Multilevel
            && !step.is_periodic()
            && (0..self.mass.len()).any(diffuses)
    }

    /// What pulls at the fluid whatever its velocity: the stretched polymer, −Jᵀ α⁻¹ κ′(Q⁰ − I), and moving walls.
    fn memory_impulse(&self, traction: &mut [Mat3A]) -> Vec<Vec3A> {
        let (problem, step) = (self.problem, self.problem.step);
        let gradients = problem.gradients;
        let mut impulse = vec![Vec3A::ZERO; step.x0.len()];
        if problem.memory.iter().all(|m| *m == Sym3::ZERO) {
            return impulse;
        }
        parallel::fill(traction, |i| {
            let stress = gradients.traction(step.stiffen(problem.memory[i]) * -self.stiffness[i], i);
            // The control compares neighbours with the whole gradient, moving walls included.
            stress + gradients.wall_flow(i) * (self.control[i] / (2.0 * step.dt))
        });
        let traction = &*traction;
        parallel::fill(&mut impulse, |i| {
            gradients.impulse(step, traction, i) + Vec3A::from(gradients.wall(i).pull) * self.control[i]
        });
        impulse
    }

    /// The 3×3 diagonal block of the matrix.
    fn block(&self, i: usize) -> Sym3 {
        let (step, gradients) = (self.problem.step, self.problem.gradients);
        let (wall, k) = (gradients.wall(i), gradients.correction(i));
        let viscous = |a: Vec3A, stiffness: f32| {
            let scale = 2.0 * step.dt * step.dt * stiffness;
            // |S^½ (u aᵀ + a uᵀ)|² = 2|u|²|a|² + (2 + 4(b − 1)/3) (u·a)²
            let along = 1.0 + 2.0 / 3.0 * (step.bulk() - 1.0);
            (Sym3::isotropic(a.length_squared()) + Sym3::outer(a.into()) * along) * scale
        };
        let mut block = Sym3::isotropic(self.mass[i]);
        let (mut total, mut weight) = (Vec3A::from(wall.gradient), wall.weight);
        for (j, e, w) in gradients.pairs(i) {
            total += e * w;
            weight += w;
            let a = gradients.correction(j).mul_vec3a(e) * w;
            block += viscous(a, self.stiffness[j]);
            block += Sym3::isotropic(self.control[j] * (w - w * e.dot(a)));
        }
        let a = k.mul_vec3a(total);
        block += viscous(a, self.stiffness[i]);
        block + Sym3::isotropic(self.control[i] * (weight - total.dot(a)))
    }

    /// out = (M + Jᵀ α⁻¹ S J + Z) u. A particle's tension is −2Δt ΛK + kL with Λ = S J u/α.
    fn apply(&self, u: &[Vec3A], tension: &mut [Mat3A], out: &mut [Vec3A]) {
        let (step, gradients) = (self.problem.step, self.problem.gradients);
        parallel::fill(tension, |i| {
            let l = gradients.velocity_gradient(u, i);
            let multiplier = step.stiffen(step.strain_of(&l)) * (-2.0 * step.dt * self.stiffness[i]);
            gradients.traction(multiplier, i) + l * self.control[i]
        });
        let tension = &*tension;
        parallel::fill(out, |i| {
            let (own, ui, control) = (tension[i], u[i], self.control[i]);
            let wall = gradients.wall(i);
            let mut sum = own * Vec3A::from(wall.gradient) + ui * (control * wall.weight + self.mass[i]);
            for (j, e, w) in gradients.pairs(i) {
                sum += ((tension[j] + own) * e - (u[j] - ui) * (control + self.control[j])) * w;
            }
            sum
        });
    }
}

/// The system with some components held.
struct Held<'a> {
    primal: &'a Primal<'a>,
    holds: &'a [Hold],
    right: &'a [Vec3A],
    grids: Option<&'a Multilevel>,
}

impl Held<'_> {
    /// Projects onto the components that are free; particles inside a nozzle have none.
    fn free(&self, i: usize, v: Vec3A) -> Vec3A {
        if self.primal.problem.step.is_free(i) { self.holds[i].free.mul_vec3a(v) } else { Vec3A::ZERO }
    }

    fn precondition(&self, i: usize, r: Vec3A) -> Vec3A {
        self.free(i, self.primal.blocks[i].mul_vec3a(r))
    }

    fn precondition_all(&self, residual: &[Vec3A], z: &mut [Vec3A]) {
        match self.grids {
            Some(grids) => {
                grids.apply(residual, |i, r| self.precondition(i, r), |i, v| self.free(i, v), z);
            }
            None => parallel::fill(z, |i| self.precondition(i, residual[i])),
        }
    }

    /// Conjugate gradients from the last velocities, moved towards u* as far as that helps.
    fn conjugate_gradients(
        &self,
        u_star: &[Vec3A],
        (u, tension): (&mut [Vec3A], &mut [Mat3A]),
        budget: u32,
    ) -> Convergence {
        let step = self.primal.problem.step;
        let n = u.len();
        let free = |i: usize| step.is_free(i);
        parallel::for_each(u, |i, u| *u = if free(i) { self.holds[i].apply(*u) } else { u_star[i] });
        let mut image = vec![Vec3A::ZERO; n];
        let mut residual = vec![Vec3A::ZERO; n];
        self.primal.apply(u, tension, &mut image);
        parallel::fill(&mut residual, |i| self.free(i, self.right[i] - image[i]));
        // A body in free fall wants u*, one at rest its last velocity: the best point of the line between.
        let mut direction = vec![Vec3A::ZERO; n];
        parallel::fill(&mut direction, |i| self.free(i, u_star[i] - u[i]));
        self.primal.apply(&direction, tension, &mut image);
        let [slope, curvature] = parallel::sums(n, |i| {
            [f64::from(direction[i].dot(residual[i])), f64::from(direction[i].dot(image[i]))]
        });
        if curvature > 0.0 {
            let length = (slope / curvature) as f32;
            parallel::for_each2(u, &mut residual, |i, u, r| {
                *u += direction[i] * length;
                *r -= self.free(i, image[i]) * length;
            });
        }
        let mut z = vec![Vec3A::ZERO; n];
        self.precondition_all(&residual, &mut z);
        direction.copy_from_slice(&z);
        let mut rz = parallel::sum(n, |i| f64::from(residual[i].dot(z[i])));
        let floor = negligible(self.primal.problem, u_star);
        let tolerance = f64::from(step.params.tolerance);
        let mut done = Convergence::default();
        loop {
            // √(rᵀz) is the error in the norm of the energy. Its measure is what the solve is about, kinetic energy
            // of the change plus dissipation: the same for a body at rest and for one that flies by.
            let energy = parallel::sum(n, |i| {
                if !free(i) {
                    return 0.0;
                }
                let mass = self.primal.mass[i];
                let image = self.right[i] - residual[i];
                let change = u[i] - u_star[i];
                f64::from(u[i].dot(image - u[i] * mass) + change.length_squared() * mass)
            });
            // Below the floor there is nothing left but rounding.
            done.residual = if rz <= floor { 0.0 } else { (rz / energy.abs().max(f64::MIN_POSITIVE)).sqrt() };
            if done.residual <= tolerance || done.iterations >= budget {
                return done;
            }
            self.primal.apply(&direction, tension, &mut image);
            let curvature = parallel::sum(n, |i| f64::from(direction[i].dot(image[i])));
            if curvature <= 0.0 {
                return done;
            }
            let length = (rz / curvature) as f32;
            parallel::for_each(u, |i, u| *u += direction[i] * length);
            parallel::for_each(&mut residual, |i, r| *r -= self.free(i, image[i]) * length);
            self.precondition_all(&residual, &mut z);
            let next = parallel::sum(n, |i| f64::from(residual[i].dot(z[i])));
            let beta = (next / rz) as f32;
            rz = next;
            parallel::for_each(&mut direction, |i, d| *d = z[i] + *d * beta);
            done.iterations += 1;
        }
    }
}
