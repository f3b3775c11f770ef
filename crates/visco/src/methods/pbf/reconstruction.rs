//! Viscosity of velocities alone, after Peer, Ihmsen, Cornelis, Teschner: *An implicit viscosity formulation for SPH
//! fluids*, ACM Trans. Graph. 34, 4 (2015).
//!
//! ```text
//! G_i = spin + expansion + ξ shear of ∇v        ξ = 1/(1 + 10 ν Δt/h²)
//! Σ_j m_ij W (v_i − v_j − ½ (G_i + G_j) x_ij) = 0
//! ```
//!
//! The second line is the velocity field whose differences are, in the sense of least squares, those of the gradients
//! G. Conjugate gradients begin at v, with 1/m as preconditioner, which keeps the momentum. A wall with no slip counts as
//! fluid that moves with it.

use super::Step;
use super::gradients::velocity_gradients;
use crate::boundary::WallFriction;
use crate::flow::Displaced;
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Vec3, Vec3A};

/// Error that is left, relative to the largest of what there was and what the gradients ask for.
const TOLERANCE: f64 = 1e-3;

/// The system of a step.
struct Reconstruction<'a> {
    step: &'a Step<'a>,
    around: &'a Displaced,
    /// m_ij W of every particle's pairs.
    weights: Vec<Vec<f32>>,
    /// The same of walls.
    walls: Vec<f32>,
}

/// Replaces the velocities of particles that have moved by `s`. Returns the iterations that it took.
pub(super) fn apply(step: &Step, around: &Displaced, s: &[Vec3], velocity: &mut [Vec3A]) -> u32 {
    let n = velocity.len();
    let mut targets = velocity_gradients(step, &around.neighbors, s, velocity);
    parallel::for_each(&mut targets, |i, l| {
        let shear_left = 1.0 / (1.0 + step.diffusion(usize::from(step.materials[i])));
        let shear = Sym3::symmetric_part(l).deviator();
        *l -= (shear * (1.0 - shear_left)).to_mat3();
    });
    let (system, right) = Reconstruction::new(step, around, (s, &targets));
    let mut residual = vec![Vec3A::ZERO; n];
    let mut image = vec![Vec3A::ZERO; n];
    system.apply(velocity, &mut image);
    parallel::fill(&mut residual, |i| if step.is_free(i) { right[i] - image[i] } else { Vec3A::ZERO });
    let size = |v: &[Vec3A]| parallel::sum(n, |i| f64::from(v[i].length_squared() * step.inverse_mass(i)));
    let mut rz = size(&residual);
    let small = TOLERANCE * TOLERANCE * rz.max(size(&right));
    let mut direction = vec![Vec3A::ZERO; n];
    parallel::fill(&mut direction, |i| residual[i] * step.inverse_mass(i));
    let mut iterations = 0;
    while rz > small && iterations < step.params.max_iterations {
        system.apply(&direction, &mut image);
        let curvature = parallel::sum(n, |i| f64::from(direction[i].dot(image[i])));
        if curvature <= 0.0 {
            break;
        }
        let length = (rz / curvature) as f32;
        parallel::for_each(velocity, |i, v| *v += direction[i] * length);
        parallel::for_each(&mut residual, |i, r| {
            if step.is_free(i) {
                *r -= image[i] * length;
            }
        });
        let next = size(&residual);
        let beta = (next / rz) as f32;
        rz = next;
        parallel::for_each(&mut direction, |i, d| *d = residual[i] * step.inverse_mass(i) + *d * beta);
        iterations += 1;
    }
    iterations
}

impl<'a> Reconstruction<'a> {
    /// The system and its right side.
    fn new(
        step: &'a Step<'a>,
        around: &'a Displaced,
        (s, targets): (&[Vec3], &[Mat3]),
    ) -> (Self, Vec<Vec3A>) {
        let n = s.len();
        let mut weights = vec![vec![]; n];
        parallel::fill(&mut weights, |i| {
            let weight = |&j: &u32| {
                let j = j as usize;
                let mass = 2.0 / (step.inverse_mass(i) + step.inverse_mass(j));
                mass * step.kernel.w((step.offset(j, i) + (s[i] - s[j])).length())
            };
            around.neighbors.of(i).iter().map(weight).collect()
        });
        let mut ends = vec![(0.0, Vec3A::ZERO); n];
        parallel::fill(&mut ends, |i| wall(step, around, i, s[i]));
        let mut right = vec![Vec3A::ZERO; n];
        parallel::fill(&mut right, |i| {
            let pairs = around.neighbors.of(i).iter().zip(&weights[i]);
            let sum: Vec3 = pairs
                .map(|(&j, &w)| {
                    let j = j as usize;
                    let e = step.offset(j, i) + (s[i] - s[j]);
                    (targets[i] + targets[j]) * e * (0.5 * w)
                })
                .sum();
            Vec3A::from(sum) + ends[i].1
        });
        let walls = ends.into_iter().map(|(weight, _)| weight).collect();
        (Self { step, around, weights, walls }, right)
    }

    fn apply(&self, v: &[Vec3A], image: &mut [Vec3A]) {
        parallel::fill(image, |i| {
            if !self.step.is_free(i) {
                return Vec3A::ZERO;
            }
            let pairs = self.around.neighbors.of(i).iter().zip(&self.weights[i]);
            let sum: Vec3A = pairs.map(|(&j, &w)| (v[i] - v[j as usize]) * w).sum();
            sum + v[i] * self.walls[i]
        });
    }
}

/// The weight of walls with no slip around a particle, and that times their velocity.
fn wall(step: &Step, around: &Displaced, i: usize, s: Vec3) -> (f32, Vec3A) {
    let mut sums = (0.0, Vec3A::ZERO);
    if around.near_wall[i] && step.body(i).is_none() {
        let whole = step.kernel.lattice_sum() / step.inverse_mass(i);
        let contacts = step.boundary.near(step.x0[i] + s, step.wall_kernel.reach());
        for contact in contacts.as_slice().iter().filter(|c| c.friction == WallFriction::NoSlip) {
            let weight = whole * step.wall_kernel.at(contact.point.distance).fill;
            sums.0 += weight;
            sums.1 += Vec3A::from(contact.velocity) * weight;
        }
    }
    sums
}
