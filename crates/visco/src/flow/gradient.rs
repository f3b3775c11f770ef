//! The velocity gradient at the start of the step, and its transpose.
//!
//! With V = d³, w_ij = −V W′(r)/r and x_ij = x_j − x_i the pair's gradient V∇W_ij is w_ij x_ij, and
//!
//! ```text
//! L_i = (Σ_j w_ij u_ij x_ijᵀ) K_i      its transpose: Σ_j w_ij (T_j + T_i) x_ij,   T = ΛK
//! ```
//!
//! K is the inverse of the moment matrix B = Σ w x xᵀ on the directions whose eigenvalue is not too small, so that L is
//! the least-squares fit of the neighbours' velocities; without the correction K is the identity. Walls are half-spaces
//! of particles whose velocity continues the line from the particle to the wall's surface; see
//! [`WallGradient`].

use super::Setting;
use super::wall_gradient::WallGradient;
use crate::domain::Domain;
use crate::math::{Sym3, outer3a};
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::{Mat3A, Vec3, Vec3A};
use std::num::NonZeroU32;

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
    /// What walls add, where they do: an index into `walls`, or none.
    wall_of: Vec<Option<NonZeroU32>>,
    walls: Vec<WallGradient>,
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
        walls: &[Option<WallGradient>],
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
        self.set_walls(walls);
        let mut corrected = std::mem::take(&mut self.corrected);
        corrected.resize(n, Corrected::NONE);
        parallel::fill(&mut corrected, |i| {
            let own = self.wall(i).map_or(Sym3::ZERO, |wall| wall.moment);
            correct(self.pairs(i).fold(own, |sum, (_, e, w)| sum + Sym3::outer(e.into()) * w))
        });
        self.corrected = corrected;
    }

    fn set_walls(&mut self, walls: &[Option<WallGradient>]) {
        self.walls.clear();
        self.wall_of.clear();
        for wall in walls {
            // Pushed first, the index is at least one.
            self.walls.extend(*wall);
            self.wall_of.push(wall.as_ref().and_then(|_| NonZeroU32::new(self.walls.len() as u32)));
        }
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

    /// What walls add at particle i.
    #[inline]
    pub(crate) fn wall(&self, i: usize) -> Option<&WallGradient> {
        self.wall_of[i].map(|k| &self.walls[k.get() as usize - 1])
    }

    /// The part of ∇u at particle i that comes from walls that move, whatever the fluid does.
    #[inline]
    pub(crate) fn wall_flow(&self, i: usize) -> Mat3A {
        match self.wall(i) {
            Some(wall) => Mat3A::from(wall.flow * self.corrected[i].inverse.to_mat3()),
            None => Mat3A::ZERO,
        }
    }

    /// L_i = ∇u at particle i, eq. 9, for walls at rest: the part that is linear in u.
    #[inline]
    pub(crate) fn velocity_gradient(&self, u: &[Vec3A], i: usize) -> Mat3A {
        let ui = u[i];
        let mut l = self.wall(i).map_or(Mat3A::ZERO, |wall| wall.of(ui));
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
        let mut sum = self.wall(i).map_or(Vec3A::ZERO, |wall| wall.transposed(&own));
        for (j, e, w) in self.pairs(i) {
            sum += (traction[j] + own) * (e * w);
        }
        sum
    }
}
