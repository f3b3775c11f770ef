//! The velocity gradient at the start of the step, and its transpose.
//!
//! With V = d³, w_ij = −V W′(r)/r and x_ij = x_j − x_i the pair's gradient V∇W_ij is w_ij x_ij, and
//!
//! ```text
//! L_i = (Σ_j w_ij u_ij x_ijᵀ) K_i      its transpose: Σ_j w_ij (T_j + T_i) x_ij,   T = ΛK
//! ```
//!
//! K is the inverse of the moment matrix B = Σ w x xᵀ on the directions whose eigenvalue is not too small, so that L is
//! the least-squares fit of the neighbours' velocities; without the correction K is the identity. A wall with no slip
//! is a half-space of particles whose velocity continues the line from the particle to the wall's surface.

use super::Setting;
use crate::boundary::{Contact, WallFriction};
use crate::domain::Domain;
use crate::math::{Sym3, outer, outer3a};
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::{Mat3, Mat3A, Vec3, Vec3A};

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
    corrected: Vec<Corrected>,
    /// What no-slip walls add.
    wall: Vec<WallGradient>,
}

/// The inverse of a moment matrix where it can be trusted, and its smallest eigenvalue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corrected {
    pub(crate) inverse: Sym3,
    /// 1 inside the fluid, less at its surface.
    pub(crate) condition: f32,
}

impl Corrected {
    /// The inverse on the directions whose eigenvalue is at least `smallest`.
    pub(crate) fn new(moment: Sym3, smallest: f32) -> Self {
        let condition = moment.eigenvalues()[0];
        let inverse = if condition >= smallest { moment.inverse() } else { moment.pseudo_inverse(smallest) };
        Self { inverse, condition }
    }

    /// No correction.
    pub(crate) const NONE: Self = Self { inverse: Sym3::IDENTITY, condition: 1.0 };
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

    /// The walls at a point; `counts` says which of them act.
    pub(crate) fn at(step: &Setting, x: Vec3, counts: impl Fn(&Contact) -> bool) -> Self {
        let mut sum = Self::NONE;
        for contact in step.boundary.near(x, step.wall_kernel.reach()).as_slice() {
            if contact.friction != WallFriction::NoSlip || !counts(contact) {
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

impl Gradients {
    /// Finds the neighbours at x⁰.
    pub(crate) fn find_neighbors(&mut self, x0: &[Vec3], support: f32, domain: &Domain) {
        self.neighbors = Neighbors::find(x0, support, domain);
        self.domain = *domain;
        self.points.clear();
        self.points.extend(x0.iter().map(|&x| Vec3A::from(x)));
    }

    /// Computes weights and corrections; `counts` says which pairs count, in the layout of `neighbors`.
    pub(crate) fn prepare(
        &mut self,
        step: &Setting,
        correct: impl Fn(Sym3) -> Corrected + Sync,
        wall: impl Fn(usize) -> WallGradient + Sync,
        counts: Option<&[bool]>,
    ) {
        let (kernel, n) = (&step.kernel, step.x0.len());
        let neighbors = &self.neighbors;
        self.weights.resize(neighbors.pairs(), 0.0);
        let volume = kernel.volume();
        neighbors.fill_pairs(&mut self.weights, |i, j| {
            -volume * kernel.gradient_over_r(step.offset(i, j).length())
        });
        if let Some(counts) = counts {
            parallel::for_each(&mut self.weights, |k, w| *w = if counts[k] { *w } else { 0.0 });
        }
        self.wall.resize(n, WallGradient::NONE);
        parallel::fill(&mut self.wall, wall);
        let mut corrected = std::mem::take(&mut self.corrected);
        corrected.resize(n, Corrected::NONE);
        parallel::fill(&mut corrected, |i| {
            let own = self.wall[i].moment;
            correct(self.pairs(i).fold(own, |sum, (_, e, w)| sum + Sym3::outer(e.into()) * w))
        });
        self.corrected = corrected;
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
        self.corrected[i].inverse
    }

    /// Smallest eigenvalue of B at particle i.
    #[inline]
    pub(crate) fn condition(&self, i: usize) -> f32 {
        self.corrected[i].condition
    }

    /// What no-slip walls add at particle i.
    #[inline]
    pub(crate) fn wall(&self, i: usize) -> &WallGradient {
        &self.wall[i]
    }

    /// The part of ∇u at particle i that comes from walls that move, whatever the fluid does.
    #[inline]
    pub(crate) fn wall_flow(&self, i: usize) -> Mat3A {
        Mat3A::from(self.wall[i].flow * self.corrected[i].inverse.to_mat3())
    }

    /// L_i = ∇u at particle i, eq. 9, for walls at rest: the part that is linear in u.
    #[inline]
    pub(crate) fn velocity_gradient(&self, u: &[Vec3A], i: usize) -> Mat3A {
        let ui = u[i];
        let mut l = outer3a(-ui, self.wall[i].gradient.into());
        for (j, e, w) in self.pairs(i) {
            l += outer3a(u[j] - ui, e * w);
        }
        l * Mat3A::from(self.corrected[i].inverse.to_mat3())
    }

    /// T_i = Λ_i K_i.
    #[inline]
    pub(crate) fn traction(&self, multiplier: Sym3, i: usize) -> Mat3A {
        multiplier.mul_sym(self.corrected[i].inverse).into()
    }

    /// Σ_j w_ij (T_j + T_i) x_ij: the transpose of the velocity gradient.
    #[inline]
    pub(crate) fn divergence(&self, traction: &[Mat3A], i: usize) -> Vec3A {
        let own = traction[i];
        let mut sum = own * Vec3A::from(self.wall[i].gradient);
        for (j, e, w) in self.pairs(i) {
            sum += (traction[j] + own) * (e * w);
        }
        sum
    }
}
