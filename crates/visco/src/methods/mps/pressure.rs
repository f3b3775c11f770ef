//! Pressure: the Poisson equation with the source of Tanaka & Masunaga 2010 (eq. 11), by conjugate gradients with the
//! diagonal as preconditioner, and the corrected gradient (eq. 13) with the minimum-pressure rule.
//!
//! ```text
//! (2d/λn⁰) Σ_j (P_j − P_i) ω/ρ = ∇·u*/Δt + γ (n⁰ − n)/(n⁰Δt²)                                             (11)
//! ⟨∇P⟩_i = B⁻¹ Σ_j w (P_j − P_i) x + (P_i − P̂_i) Σ_j w x                    P̂_i the least of i and all j   (13)
//! ```
//!
//! P = 0 at the free surface, where n is below 0.97 n⁰ and there is more on one side, or below 0.75 n⁰. Walls have no
//! unknowns: what u* carries into one is a flux, ∂P/∂n = ρ (u* − u_w)·n/Δt, in the source, so that a fluid at rest has the
//! pressure of its weight to rounding. Eq. 13 is split so that the first part knows fluid alone and the second, which
//! drives particles out of crowds, sees walls too. The rate γ/Δt is that of the longest step so far: where fast particles
//! divide steps it would grow, and make them faster.

use super::Params;
use super::around::Around;
use super::weight::Weight;
use crate::flow::Setting;
use crate::flow::conjugate::Convergence;
use crate::parallel;
use glam::Vec3A;

/// The equations of a step.
pub(super) struct Poisson<'a> {
    around: &'a Around,
    /// 2d/(λn⁰) ω/ρ of every pair, in the layout of the neighbours. P = 0 takes out those at the free surface.
    weights: Vec<f32>,
    /// Sum of the weights of a particle, with those towards the free surface; zero where P = 0.
    diagonal: Vec<f32>,
    /// Whether no particle is at the free surface: P is then known up to a constant, and chosen with mean zero.
    closed: bool,
}

impl<'a> Poisson<'a> {
    /// The equations, for particles of these densities at rest, in kg/m³.
    pub(super) fn new(around: &'a Around, weight: &Weight, params: &Params, rest: &[f32]) -> Self {
        let inside = |i: usize| around.is_inside(i, params.surface);
        let near = &around.near;
        let mut weights = vec![0.0; near.pairs()];
        // Means of both densities make the matrix symmetric.
        near.fill_pairs(&mut weights, |i, j| 2.0 * weight.laplacian() / (rest[i] + rest[j]));
        weights.iter_mut().zip(&around.numbers).for_each(|(w, n)| *w *= n);
        let mut diagonal = vec![0.0; rest.len()];
        parallel::fill(&mut diagonal, |i| if inside(i) { weights[near.range(i)].iter().sum() } else { 0.0 });
        let closed = diagonal.iter().all(|&a| a > 0.0);
        Self { around, weights, diagonal, closed }
    }

    /// The right-hand side, negative as the matrix is: −∇·u*/Δt − γ (n⁰ − n)/(n⁰Δt²), with the rate γ/Δt at which densities
    /// relax, in 1/s.
    pub(super) fn source(&self, step: &Setting, rate: f32, u: &[Vec3A]) -> Vec<f32> {
        let (around, dt) = (self.around, step.dt);
        let mut source = vec![0.0; u.len()];
        parallel::fill(&mut source, |i| {
            if self.diagonal[i] == 0.0 {
                return 0.0;
            }
            let through = |w: &super::around::Seen| (u[i] - w.velocity).dot(w.into) * w.sums.flux;
            let flux: f32 = around.walls[i].iter().map(through).sum();
            let divergence = around.divergence(u, i) - flux;
            let missing = 1.0 - around.density[i];
            -(divergence + rate * missing) / dt
        });
        self.center(&mut source);
        source
    }

    fn center(&self, v: &mut [f32]) {
        if self.closed && !v.is_empty() {
            let mean = (parallel::sum(v.len(), |i| f64::from(v[i])) / v.len() as f64) as f32;
            parallel::for_each(v, |_, v| *v -= mean);
        }
    }

    /// A p, the negative Laplacian over the density; returns p · A p.
    fn apply(&self, p: &[f32], image: &mut [f32]) -> f64 {
        let near = &self.around.near;
        parallel::update_sum(image, |i, image| {
            let a = self.diagonal[i];
            if a == 0.0 {
                *image = 0.0;
                return 0.0;
            }
            let others: f32 =
                near.of(i).iter().zip(&self.weights[near.range(i)]).map(|(&j, w)| w * p[j as usize]).sum();
            *image = a * p[i] - others;
            f64::from(*image) * f64::from(p[i])
        })
    }

    /// Conjugate gradients from the last pressure.
    pub(super) fn solve(&self, source: &[f32], pressure: &mut [f32], params: &Params) -> Convergence {
        let n = source.len();
        let a = &self.diagonal;
        let inverse = |i: usize| if a[i] > 0.0 { 1.0 / a[i] } else { 0.0 };
        parallel::for_each(pressure, |i, p| {
            if a[i] == 0.0 {
                *p = 0.0;
            }
        });
        self.center(pressure);
        let mut image = vec![0.0; n];
        self.apply(pressure, &mut image);
        let mut residual = vec![0.0; n];
        parallel::fill(&mut residual, |i| source[i] - image[i]);
        let norm = |v: &[f32]| parallel::sum(n, |i| f64::from(v[i]).powi(2) * f64::from(inverse(i)));
        let asked = norm(source);
        let mut rz = norm(&residual);
        let mut direction = vec![0.0; n];
        parallel::fill(&mut direction, |i| residual[i] * inverse(i));
        let mut done = Convergence::default();
        loop {
            done.residual = if rz > 0.0 { (rz / asked.max(f64::MIN_POSITIVE)).sqrt() } else { 0.0 };
            if done.residual <= f64::from(params.tolerance)
                || done.iterations >= params.max_pressure_iterations
            {
                return done;
            }
            let curvature = self.apply(&direction, &mut image);
            if curvature <= 0.0 {
                return done;
            }
            let length = (rz / curvature) as f32;
            parallel::for_each2(pressure, &mut residual, |i, p, r| {
                *p += direction[i] * length;
                *r -= image[i] * length;
            });
            let last = std::mem::replace(&mut rz, norm(&residual));
            let turn = (rz / last) as f32;
            parallel::for_each(&mut direction, |i, s| *s = residual[i] * inverse(i) + *s * turn);
            done.iterations += 1;
        }
    }
}

/// Pressure gradient of a particle (eq. 13), in Pa/m.
pub(super) fn gradient(around: &Around, pressure: &[f32], i: usize) -> Vec3A {
    let own = pressure[i];
    let (mut slope, mut least) = (Vec3A::ZERO, own);
    for (j, e, w) in around.pairs(i) {
        slope += e * (w * (pressure[j] - own));
        least = least.min(pressure[j]);
    }
    around.of_fluid[i].mul_vec3a(slope) + around.crowding[i] * (own - least)
}
