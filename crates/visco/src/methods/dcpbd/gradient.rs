//! The velocity gradient and the constraint Jacobian at the start of the step: eq. 9, 10 and 13.
//!
//! With V = d³, w_ij = −V W′(r)/r and x_ij = x_j − x_i the pair's gradient V∇W_ij is w_ij x_ij, and
//!
//! ```text
//! L_i = (Σ_j w_ij u_ij x_ijᵀ) K_i      C_i = Δt (L_i + L_iᵀ)      (JᵀΛ)_i = −2Δt Σ_j w_ij (T_j + T_i) x_ij,   T = ΛK
//! ```
//!
//! K is the inverse of the moment matrix B = Σ w x xᵀ on the directions whose eigenvalue is at least 0.15, so that L
//! is the least-squares fit of the neighbours' velocities; as printed, K is the identity. A wall with no slip is a half-space of particles whose velocity continues the line from
//! the particle to the wall's surface.

use super::Step;
use crate::boundary::WallFriction;
use crate::domain::Domain;
use crate::math::{Sym3, outer, outer3a};
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::{Mat3, Mat3A, Vec3, Vec3A};

/// Smallest eigenvalue of the moment matrix for which gradients are corrected.
const WELL_CONDITIONED: f32 = 0.15;
/// Fewest neighbours that the Jacobi relaxation assumes.
const FEWEST_NEIGHBORS: f32 = 20.0;

/// Jacobians of a step, constant during the velocity projection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradients {
    /// Pairs closer than h at x⁰.
    pub(crate) neighbors: Neighbors,
    domain: Domain,
    /// x⁰.
    points: Vec<Vec3A>,
    /// w_ij, in the layout of `neighbors`.
    weights: Vec<f32>,
    /// K.
    correction: Vec<Sym3>,
    /// What no-slip walls add.
    wall: Vec<WallGradient>,
    /// Diagonal of J M⁻¹ Jᵀ, row by row.
    pub(crate) diagonal: Vec<Sym3>,
    /// β/n.
    pub(crate) relaxation: Vec<f32>,
}

/// The inverse of a moment matrix, where it can be trusted.
pub(crate) fn gradient_correction(moment: Sym3, corrected: bool) -> Sym3 {
    if corrected { moment.pseudo_inverse(WELL_CONDITIONED) } else { Sym3::IDENTITY }
}

/// What no-slip walls add at a point: a half-space of lattice particles behind each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallGradient {
    /// The gradient that multiplies u_wall − u_i.
    pub(crate) gradient: Vec3,
    /// Σ of the walls' velocity times their gradient: what moving walls add to Σ w u xᵀ.
    pub(crate) flow: Mat3,
    /// Σ of the walls' velocity times their weight.
    pub(crate) pull: Vec3,
    /// Part of the moment matrix.
    pub(crate) moment: Sym3,
    /// Σ w (z/s)²: the weight of the wall's particles, at depth z, in the control of unseen motion.
    pub(crate) weight: f32,
}

impl WallGradient {
    /// No wall in reach. (A derived default would hold the unit matrix.)
    pub(crate) const NONE: Self =
        Self { gradient: Vec3::ZERO, flow: Mat3::ZERO, pull: Vec3::ZERO, moment: Sym3::ZERO, weight: 0.0 };

    pub(crate) fn at(step: &Step, x: Vec3) -> Self {
        let mut sum = Self::NONE;
        for contact in step.boundary.near(x, step.wall_kernel.reach()).as_slice() {
            if contact.friction != WallFriction::NoSlip {
                continue;
            }
            // Not nearer than a quarter spacing: the line from particle to surface needs a length.
            let s = contact.point.distance.max(0.5 * step.clearance);
            let sums = step.wall_kernel.at(s);
            let n = contact.point.normal;
            let gradient = n * (-sums.normal_moment / s);
            sum.gradient += gradient;
            sum.flow += outer(contact.velocity, gradient);
            sum.pull += contact.velocity * (sums.normal_moment / (s * s));
            sum.moment += Sym3::outer(n) * (sums.normal_moment - sums.tangent_moment)
                + Sym3::isotropic(sums.tangent_moment);
            sum.weight += sums.normal_moment / (s * s);
        }
        sum
    }
}

/// Relaxation β/n of a particle with `count` neighbours.
pub(crate) fn relaxation(step: &Step, count: usize) -> f32 {
    let fewest = if step.corrections.relaxed_multipliers { FEWEST_NEIGHBORS } else { 1.0 };
    step.params.relaxation / (count as f32).max(fewest)
}

/// Diagonal of J M⁻¹ Jᵀ for J without Δt, from Σ_j m_j⁻¹ g² + m_i⁻¹ (Σ g)² per axis.
pub(crate) fn row_diagonal(step: &Step, squares: Vec3) -> Sym3 {
    if step.corrections.invariant_rows {
        // The mean over the six rows, which is each row's own value in an isotropic neighbourhood.
        let mean = 4.0 / 3.0 * squares.element_sum();
        Sym3::new([mean; 6])
    } else {
        let s = squares;
        Sym3::new([4.0 * s.x, 4.0 * s.y, 4.0 * s.z, s.x + s.y, s.x + s.z, s.y + s.z])
    }
}

impl Gradients {
    /// Finds the neighbours at x⁰.
    pub(crate) fn find_neighbors(&mut self, x0: &[Vec3], support: f32, domain: &Domain) {
        self.neighbors = Neighbors::find(x0, support, domain);
        self.domain = *domain;
        self.points.clear();
        self.points.extend(x0.iter().map(|&x| Vec3A::from(x)));
    }

    /// Computes weights, corrections and diagonals.
    pub(crate) fn prepare(&mut self, step: &Step) {
        let (x0, kernel, n) = (step.x0, &step.kernel, step.x0.len());
        let neighbors = &self.neighbors;
        self.weights.resize(neighbors.pairs(), 0.0);
        let volume = kernel.volume();
        neighbors.fill_pairs(&mut self.weights, |i, j| {
            -volume * kernel.gradient_over_r(step.offset(i, j).length())
        });
        self.correction.resize(n, Sym3::IDENTITY);
        self.wall.resize(n, WallGradient::NONE);
        let (mut correction, mut wall) =
            (std::mem::take(&mut self.correction), std::mem::take(&mut self.wall));
        parallel::for_each2(&mut correction, &mut wall, |i, correction, wall| {
            *wall = match step.corrections.velocity_contact {
                true => WallGradient::at(step, x0[i]),
                false => WallGradient::NONE,
            };
            let moment = self.pairs(i).fold(wall.moment, |sum, (_, e, w)| sum + Sym3::outer(e.into()) * w);
            *correction = gradient_correction(moment, step.corrections.corrected_gradients);
        });
        (self.correction, self.wall) = (correction, wall);
        let (mut diagonal, mut relaxations) = (vec![Sym3::ZERO; n], vec![0.0; n]);
        parallel::for_each2(&mut diagonal, &mut relaxations, |i, diagonal, relax| {
            let k = self.correction[i];
            let mut total = k.mul_vec3a(self.wall[i].gradient.into());
            let mut squares = Vec3A::ZERO;
            for (j, e, w) in self.pairs(i) {
                let g = k.mul_vec3a(e) * w;
                total += g;
                squares += g * g * step.inverse_mass(j);
            }
            squares += total * total * step.inverse_mass(i);
            *diagonal = row_diagonal(step, squares.into()) * (step.dt * step.dt);
            *relax = relaxation(step, self.neighbors.count(i));
        });
        (self.diagonal, self.relaxation) = (diagonal, relaxations);
    }

    /// The neighbours j of particle i with x_ij and w_ij.
    #[inline]
    pub(crate) fn pairs(&self, i: usize) -> impl Iterator<Item = (usize, Vec3A, f32)> + '_ {
        let (xi, range) = (self.points[i], self.neighbors.range(i));
        let list = self.neighbors.of(i).iter().zip(&self.weights[range]);
        list.map(move |(&j, &w)| (j as usize, self.domain.nearest3a(self.points[j as usize] - xi), w))
    }

    /// K of particle i.
    #[inline]
    pub(crate) fn correction(&self, i: usize) -> Sym3 {
        self.correction[i]
    }

    /// What no-slip walls add at particle i.
    #[inline]
    pub(crate) fn wall(&self, i: usize) -> &WallGradient {
        &self.wall[i]
    }

    /// The part of ∇u at particle i that comes from walls that move, whatever the fluid does.
    #[inline]
    pub(crate) fn wall_flow(&self, i: usize) -> Mat3A {
        Mat3A::from(self.wall[i].flow * self.correction[i].to_mat3())
    }

    /// L_i = ∇u at particle i, eq. 9, for walls at rest: the part that is linear in u.
    #[inline]
    pub(crate) fn velocity_gradient(&self, u: &[Vec3A], i: usize) -> Mat3A {
        let ui = u[i];
        let mut l = outer3a(-ui, self.wall[i].gradient.into());
        for (j, e, w) in self.pairs(i) {
            l += outer3a(u[j] - ui, e * w);
        }
        l * Mat3A::from(self.correction[i].to_mat3())
    }

    /// (J u)_i = Δt (L + Lᵀ), without the part that does not depend on u: eq. 10.
    #[inline]
    pub(crate) fn strain(&self, step: &Step, u: &[Vec3A], i: usize) -> Sym3 {
        step.strain_of(&self.velocity_gradient(u, i))
    }

    /// T_i = Λ_i K_i.
    #[inline]
    pub(crate) fn traction(&self, multiplier: Sym3, i: usize) -> Mat3A {
        multiplier.mul_sym(self.correction[i]).into()
    }

    /// (JᵀΛ)_i from the tractions T, the transpose of [`Gradients::strain`].
    #[inline]
    pub(crate) fn impulse(&self, step: &Step, traction: &[Mat3A], i: usize) -> Vec3A {
        let own = traction[i];
        let mut sum = own * Vec3A::from(self.wall[i].gradient);
        for (j, e, w) in self.pairs(i) {
            sum += (traction[j] + own) * (e * w);
        }
        sum * (-2.0 * step.dt)
    }
}
