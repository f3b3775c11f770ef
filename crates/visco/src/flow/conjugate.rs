//! Conjugate gradients on velocities, some components of which are held.

use super::Setting;
use super::contact::Hold;
use super::multilevel::Multilevel;
use super::rigid::RigidBodies;
use super::system::VelocitySystem;
use crate::parallel;
use glam::{Mat3A, Vec3A};

/// What a solve did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Convergence {
    pub(crate) iterations: u32,
    /// Error that is left, relative to what the solve is about.
    pub(crate) residual: f64,
}

/// The squared residual of corrections that no one could see in millions of steps, or that f32 velocities
/// cannot hold. Without this floor a body that moves rigidly would be iterated on its rounding errors.
pub(crate) fn negligible(step: &Setting, u_star: &[Vec3A]) -> f64 {
    const INVISIBLE: f32 = 1e-8;
    const ROUNDING: f32 = 2.0 * f32::EPSILON;
    let fastest = parallel::max(u_star.len(), 0.0, |i| u_star[i].length());
    let speed = f64::from(INVISIBLE * step.kernel.spacing() / step.dt + ROUNDING * fastest);
    u_star.len() as f64 * speed * speed / f64::from(step.mean_inverse_mass)
}

/// The system A u = right with some components held.
pub(crate) struct Held<'a> {
    pub(crate) system: &'a VelocitySystem<'a>,
    pub(crate) holds: &'a [Hold],
    pub(crate) rigid: &'a RigidBodies,
    pub(crate) right: &'a [Vec3A],
    pub(crate) grids: Option<&'a Multilevel>,
}

impl Held<'_> {
    /// Projects onto the components that are free; particles inside a nozzle have none.
    fn free(&self, i: usize, v: Vec3A) -> Vec3A {
        // Rigid bodies are projected as a whole.
        if self.rigid.has(i) {
            v
        } else if self.system.setting.is_free(i) {
            self.holds[i].free.mul_vec3a(v)
        } else {
            Vec3A::ZERO
        }
    }

    fn precondition(&self, residual: &[Vec3A], z: &mut [Vec3A]) {
        let block = |i: usize, r: Vec3A| match self.rigid.has(i) {
            true => Vec3A::ZERO,
            false => self.free(i, self.system.precondition(i, r)),
        };
        match self.grids {
            Some(grids) => grids.apply(residual, block, |i, v| self.free(i, v), z),
            None => parallel::fill(z, |i| block(i, residual[i])),
        }
        self.rigid.precondition(residual, z);
    }

    /// Conjugate gradients from the last velocities, moved towards u* as far as that helps.
    pub(crate) fn solve(
        &self,
        u_star: &[Vec3A],
        (u, tension): (&mut [Vec3A], &mut [Mat3A]),
        (tolerance, budget): (f32, u32),
    ) -> Convergence {
        let (system, n) = (self.system, u.len());
        let free = |i: usize| system.setting.is_free(i);
        parallel::for_each(u, |i, u| {
            *u = match free(i) {
                true if self.rigid.has(i) => *u,
                true => self.holds[i].apply(*u),
                false => u_star[i],
            }
        });
        self.rigid.hold(u);
        let mut image = vec![Vec3A::ZERO; n];
        let mut residual = vec![Vec3A::ZERO; n];
        system.apply(u, tension, &mut image);
        parallel::fill(&mut residual, |i| self.free(i, self.right[i] - image[i]));
        self.rigid.project(&mut residual);
        // A body in free fall wants u*, one at rest its last velocity: the best point of the line between.
        let mut direction = vec![Vec3A::ZERO; n];
        parallel::fill(&mut direction, |i| self.free(i, u_star[i] - u[i]));
        self.rigid.project(&mut direction);
        system.apply(&direction, tension, &mut image);
        let [slope, curvature] = parallel::sums(n, |i| {
            [f64::from(direction[i].dot(residual[i])), f64::from(direction[i].dot(image[i]))]
        });
        if curvature > 0.0 {
            let length = (slope / curvature) as f32;
            self.rigid.project(&mut image);
            parallel::for_each2(u, &mut residual, |i, u, r| {
                *u += direction[i] * length;
                *r -= self.free(i, image[i]) * length;
            });
        }
        let mut z = vec![Vec3A::ZERO; n];
        self.precondition(&residual, &mut z);
        direction.copy_from_slice(&z);
        let mut rz = parallel::sum(n, |i| f64::from(residual[i].dot(z[i])));
        let floor = negligible(system.setting, u_star);
        let mut done = Convergence::default();
        loop {
            // √(rᵀz) is the error in the norm of the energy. Its measure is what the solve is about, kinetic energy
            // of the change plus dissipation: the same for a body at rest and for one that flies by.
            let energy = parallel::sum(n, |i| {
                if !free(i) {
                    return 0.0;
                }
                let mass = system.mass[i];
                let image = self.right[i] - residual[i];
                let change = u[i] - u_star[i];
                f64::from(u[i].dot(image - u[i] * mass) + change.length_squared() * mass)
            });
            // Below the floor there is nothing left but rounding.
            done.residual = if rz <= floor { 0.0 } else { (rz / energy.abs().max(f64::MIN_POSITIVE)).sqrt() };
            if done.residual <= f64::from(tolerance) || done.iterations >= budget {
                return done;
            }
            system.apply(&direction, tension, &mut image);
            let curvature = parallel::sum(n, |i| f64::from(direction[i].dot(image[i])));
            if curvature <= 0.0 {
                return done;
            }
            let length = (rz / curvature) as f32;
            self.rigid.project(&mut image);
            parallel::for_each(u, |i, u| *u += direction[i] * length);
            parallel::for_each(&mut residual, |i, r| *r -= self.free(i, image[i]) * length);
            self.precondition(&residual, &mut z);
            let next = parallel::sum(n, |i| f64::from(residual[i].dot(z[i])));
            let beta = (next / rz) as f32;
            rz = next;
            parallel::for_each(&mut direction, |i, d| *d = z[i] + *d * beta);
            done.iterations += 1;
        }
    }
}
