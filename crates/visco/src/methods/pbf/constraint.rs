//! The density constraint: λ, Δp and the tensile correction.
//!
//! ```text
//! C_i = ρ_i/ρ₀ − 1 = 0        λ_i = −C_i/(Σ_k |∇_k C_i|²/m_k + ε)
//! Δp_i = 1/(m_i ρ₀) Σ_j (λ_i + λ_j + s_corr) ∇W        s_corr = −k S (W(|p_ij|)/W(Δq))ⁿ
//! ```
//!
//! S = 1/Σ|∇C|² of the rest lattice makes k a density error, whatever the spacing; ε is given in units of 1/S. k is for the
//! whole step: each of the `iterations` applies its share, and those that a tolerance adds apply none, so that more of
//! them do not push particles farther apart. The sums over pairs and walls are those of [`crate::flow::density`].

use super::{Params, Step};
use crate::flow::density::{DensityLaw, DensityMultiplier};
use crate::kernel::Kernel;
use crate::parallel;

/// Σ_k |∇_k C|² of the rest lattice, for particles of mass 1, in 1/m².
fn lattice_squares(kernel: &Kernel) -> f32 {
    let (d, reach) = (kernel.spacing(), (kernel.support() / kernel.spacing()).ceil() as i32);
    let mut sum = 0.0;
    for k in lattice(reach) {
        let r = d * (k as f32).sqrt();
        if r > 0.0 && r < kernel.support() {
            sum += (r * kernel.gradient_over_r(r) / kernel.lattice_sum()).powi(2);
        }
    }
    sum
}

/// Squared distances of a lattice's points from its middle one, itself included, in squared spacings.
pub(super) fn lattice(reach: i32) -> impl Iterator<Item = i32> {
    let line = move || -reach..=reach;
    line().flat_map(move |i| line().flat_map(move |j| line().map(move |k| i * i + j * j + k * k)))
}

/// What of the constraint does not change between steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tensile {
    /// k S of particles of mass 1 in an iteration, in m².
    strength: f32,
    /// 1/W(Δq).
    inverse_reference: f32,
    power: i32,
    /// ε, in 1/d².
    softness: f32,
}

impl Tensile {
    pub(super) fn new(params: &Params, kernel: &Kernel) -> Self {
        let squares = lattice_squares(kernel);
        Self {
            strength: params.tensile_strength / (squares * params.iterations as f32),
            inverse_reference: 1.0 / kernel.w(params.tensile_distance * kernel.support()),
            power: params.tensile_power.into(),
            // A little keeps a lone particle, which has no gradient, from a division by zero.
            softness: (params.softness * squares * kernel.spacing().powi(2)).max(1e-6),
        }
    }
}

/// The constraint in a step.
pub(super) struct Constraint<'a> {
    pub(super) step: &'a Step<'a>,
    pub(super) tensile: &'a Tensile,
    /// Whether the tensile correction acts in this iteration.
    pub(super) corrects_tension: bool,
}

impl DensityLaw for Constraint<'_> {
    fn limit(&self, _: usize, error: f32) -> f32 {
        self.step.params.density.limit(error)
    }

    fn regularisation(&self) -> f32 {
        self.tensile.softness
    }

    fn has_pairs(&self) -> bool {
        self.corrects_tension && self.tensile.strength > 0.0
    }

    /// s_corr. The particles of a body keep their places by other means.
    fn pair(&self, (i, j): (usize, usize), r: f32) -> f32 {
        let Self { step, tensile, corrects_tension } = self;
        if !corrects_tension || (step.body(i).is_some() && step.body(j).is_some()) {
            return 0.0;
        }
        let mass = 2.0 / (step.inverse_mass(i) + step.inverse_mass(j));
        -tensile.strength * mass * (step.kernel.w(r) * tensile.inverse_reference).powi(tensile.power)
    }
}

/// Mean of the density errors, of particles that are too dense.
pub(super) fn mean_error(multipliers: &[DensityMultiplier]) -> f64 {
    let n = multipliers.len();
    parallel::sum(n, |i| f64::from(multipliers[i].error.max(0.0))) / n.max(1) as f64
}
