//! Pressure by implicit incompressible SPH (Ihmsen et al. 2014), relaxed Jacobi with clamping, accelerated by Chebyshev's
//! semi-iteration.
//!
//! With P = p/(ρ/ρ₀)², V = d³, and gradients in units of the rest lattice:
//!
//! ```text
//! a_i = −(1/ρ₀_i) [ Σ_j (P_i + P_j) ∇W_ij + Σ_b P_i Ψ_b ∇W_ib ]
//! ρ_i + Δt Σ_j (v*_i − v*_j)·∇W_ij + Δt² Σ_j (a_i − a_j)·∇W_ij = ρ₀                            (sums over b as well)
//! P_i ← max(0, P_i + μ (P_i − P_i^before) + ω (1 − ρ_i^predicted)/A_ii)
//! ```
//!
//! The first iterations are relaxed Jacobi as published, μ = 0; then μ and ω follow from the range of eigenvalues that is
//! expected ([`super::chebyshev`]).
//!
//! Where particles crowd, as those that strong connections pull together do, the largest eigenvalue of the matrix over
//! its diagonal exceeds what is expected, and the iteration diverges, or, held by the clamping, goes back and forth for
//! ever. So ω is halved whenever the error has grown or falls no more; a smaller one converges from wherever the larger
//! one has led.
//!
//! Particles that are not free to move, those of bodies among them, have a pressure like others, and no acceleration: so
//! the pressure does no work but what it does on the fluid's density. To let solids mirror the pressure of the fluid,
//! 2 P_i, was tried: it makes resting water boil. Where such particles stand closer than at rest by themselves, in nozzles
//! and grips, or a body on a floor, that is no reason for a pressure: the few particles of fluid beside them would have to
//! make up for all of it, and be shot away, and the body be lifted.

use super::chebyshev::Chebyshev;
use super::{Around, Step};
use crate::parallel;
use glam::{Vec3, Vec3A};

/// What is kept of the last step's pressure as a first guess.
const KEPT: f32 = 0.5;
/// Iterations after which an error that grows means that the iteration diverges.
const SETTLED: u32 = 10;
/// By how much it must have grown.
const GROWN: f64 = 1.5;
/// Diagonal elements smaller than this part of a whole neighbourhood's have no pressure.
const LONELY: f32 = 1e-3;

/// Iterations in which an error that also rises must fall, and to which part of what it was.
const STRIDE: u32 = 20;
const FALLEN: f64 = 0.95;
/// Of these iterations, how many must have a larger error than the one before for it to go back and forth.
const RISEN: u32 = STRIDE / 4;

/// Whether the iteration gets on.
struct Pace {
    /// Lowest error since ω was changed.
    lowest: f64,
    /// Lowest error of this stride, and of the one before.
    strides: [f64; 2],
    last: f64,
    /// How often the error has risen in this stride.
    risen: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { lowest: f64::INFINITY, strides: [f64::INFINITY; 2], last: f64::INFINITY, risen: 0 }
    }
}

impl Pace {
    /// Takes the error of an iteration. Whether it has grown, or goes back and forth and falls no more. One that falls
    /// slowly, as in a deep pool, is no reason to go on more slowly still.
    fn is_lost(&mut self, iteration: u32, error: f64) -> bool {
        self.lowest = self.lowest.min(error);
        self.strides[0] = self.strides[0].min(error);
        self.risen += u32::from(error > self.last);
        self.last = error;
        let grows = iteration >= SETTLED && error > GROWN * self.lowest;
        let mut stays = false;
        if (iteration + 1).is_multiple_of(STRIDE) {
            stays = self.risen >= RISEN && self.strides[0] > FALLEN * self.strides[1];
            (self.strides, self.risen) = ([f64::INFINITY, self.strides[0]], 0);
        }
        if grows || stays {
            *self = Self { lowest: error, ..Self::default() };
        }
        grows || stays
    }
}

/// What a particle brings into the solve.
#[derive(Clone, Copy, Debug, Default)]
struct Own {
    /// ρ/ρ₀ at the end of the step without pressure.
    advected: f32,
    /// A_ii.
    diagonal: f32,
}

impl Own {
    fn of(step: &Step, around: &Around, v: Option<&[Vec3A]>, i: usize) -> Self {
        let squares = step.ease[i] * around.sums[i].length_squared()
            + around.sum(i, |j, g| g * g * step.ease[j]).element_sum();
        let divergence = v.map_or(0.0, |v| divergence(around, v, i));
        let advected = around.densities[i] - surplus(step, around, i) + step.dt * divergence;
        Self { advected, diagonal: -step.dt * step.dt * squares }
    }
}

/// What the density of a particle of a body, or of one that is driven, exceeds that at rest by without the fluid that the
/// solve moves.
fn surplus(step: &Step, around: &Around, i: usize) -> f32 {
    if step.ease[i] > 0.0 || around.densities[i] <= 1.0 {
        return 0.0;
    }
    let fluid = |j: &&u32| step.ease[**j as usize] > 0.0;
    let x = &around.positions;
    let w = |&j: &u32| step.kernel.w(step.domain.nearest(x[i] - x[j as usize]).length());
    let of_fluid = around.near.of(i).iter().filter(fluid).map(w).sum::<f32>() / step.kernel.lattice_sum();
    (around.densities[i] - of_fluid - 1.0).max(0.0)
}

/// Rate at which the density of a particle grows by velocities.
fn divergence(around: &Around, v: &[Vec3A], i: usize) -> f32 {
    let mut divergence = v[i].dot(around.sums[i].into()) - around.sum(i, |j, g| v[j] * g).element_sum();
    for (b, g) in around.wall_pairs(i) {
        divergence -= around.walls.velocities[b].dot(g);
    }
    divergence
}

/// What the pressure solve found.
pub(crate) struct Solved {
    /// Acceleration by pressure of the fluid; of the particles of rigid bodies, what it would be if they were free, in m/s².
    pub(crate) acceleration: Vec<Vec3A>,
    pub(crate) iterations: u32,
    /// Mean of max(ρ/ρ₀ − 1, 0), as predicted for the end of the step.
    pub(crate) error: f64,
}

/// Solves for the pressure that makes velocities `v` keep the density at rest; without any, for that which restores it
/// where the particles already are.
pub(crate) fn solve(step: &Step, around: &Around, v: Option<&[Vec3]>, pressure: &mut Vec<f32>) -> Solved {
    let n = pressure.len();
    let dt2 = step.dt * step.dt;
    let mut own = vec![Own::default(); n];
    let v: Option<Vec<Vec3A>> = v.map(|v| v.iter().map(|&v| v.into()).collect());
    parallel::fill(&mut own, |i| Own::of(step, around, v.as_deref(), i));
    leave_out_held(step, around, &mut own);
    let d = step.kernel.spacing();
    let least = LONELY * dt2 * step.mean_inverse_mass * step.kernel.volume() / (d * d);
    parallel::for_each(pressure, |_, p| *p *= KEPT);
    let counted = (0..n).filter(|&i| step.ease[i] > 0.0).count().max(1) as f64;
    let mut acceleration = vec![Vec3A::ZERO; n];
    let mut next = vec![0.0; n];
    let mut done = (0, f64::INFINITY);
    let mut chebyshev = Chebyshev::new(step.params.pressure_relaxation, step.params.pressure_spread);
    let mut before = pressure.clone();
    let mut pace = Pace::default();
    for iteration in 0..=step.params.max_pressure_iterations {
        accelerate(step, &step.ease, (around, pressure), &mut acceleration);
        let (a, p, before_it) = (&acceleration, &*pressure, &before);
        let (momentum, relaxation) = chebyshev.advance();
        let sum = parallel::update_sum(&mut next, |i, next| {
            let Own { advected, diagonal, .. } = own[i];
            if -diagonal < least {
                *next = 0.0;
                return 0.0;
            }
            let rate = a[i].dot(around.sums[i].into()) - around.sum(i, |j, g| a[j] * g).element_sum();
            let predicted = advected + dt2 * rate;
            let change = momentum * (p[i] - before_it[i]) + relaxation * (1.0 - predicted) / diagonal;
            *next = (p[i] + change).max(0.0);
            if step.ease[i] > 0.0 { f64::from((predicted - 1.0).max(0.0)) } else { 0.0 }
        });
        done = (iteration, sum / counted);
        let good = done.1 <= f64::from(step.params.density_tolerance);
        if (good && iteration >= 2) || iteration == step.params.max_pressure_iterations {
            break;
        }
        if pace.is_lost(iteration, done.1) {
            chebyshev.slow_down();
        }
        std::mem::swap(pressure, &mut next);
        std::mem::swap(&mut before, &mut next);
    }
    if step.pushed != step.ease {
        accelerate(step, &step.pushed, (around, pressure), &mut acceleration);
    }
    Solved { acceleration, iterations: done.0, error: done.1 }
}

/// Takes from A_ii what particles would do along an axis that a grip holds.
fn leave_out_held(step: &Step, around: &Around, own: &mut [Own]) {
    for &(i, axis, _) in &step.held {
        let (i, axis) = (i as usize, Vec3A::from(axis));
        let held = step.dt * step.dt * step.ease[i];
        own[i].diagonal += held * axis.dot(around.sums[i].into()).powi(2);
        around.pairs(i).for_each(|(j, g)| own[j].diagonal += held * axis.dot(g).powi(2));
    }
}

/// What pressure accelerates particles with that have so much ease.
fn accelerate(step: &Step, ease: &[f32], (around, pressure): (&Around, &[f32]), acceleration: &mut [Vec3A]) {
    parallel::fill(acceleration, |i| {
        if ease[i] == 0.0 {
            return Vec3A::ZERO;
        }
        let sum = around.sum(i, |j, g| g * pressure[j]);
        (sum + Vec3A::from(around.sums[i]) * pressure[i]) * -ease[i]
    });
    step.hold_accelerations(acceleration);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The iteration at which an iteration with such errors is lost.
    fn lost(error: impl Fn(u32) -> f64) -> Option<u32> {
        let mut pace = Pace::default();
        (0..1000).find(|&k| pace.is_lost(k, error(k)))
    }

    #[test]
    fn errors_that_grow_or_go_back_and_forth_are_noticed_and_slow_ones_are_not() {
        assert_eq!(lost(|k| 1.1_f64.powi(k as i32)), Some(SETTLED));
        // As springs of 14,000 particles had it: 1.4 and 1.5 in turn, after a fall.
        let sign = |k: u32| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
        let stalled = |k: u32| 1.45 + 10.0 * 0.8_f64.powi(k as i32) + 0.05 * sign(k);
        assert_eq!(lost(stalled), Some(3 * STRIDE - 1));
        assert_eq!(lost(|k| 0.999_f64.powi(k as i32)), None);
        // One that goes back and forth, but falls.
        assert_eq!(lost(|k| 0.99_f64.powi(k as i32) * (1.0 + 0.02 * sign(k))), None);
    }
}
