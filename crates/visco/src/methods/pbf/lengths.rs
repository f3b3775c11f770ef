//! Viscosity by lengths that are kept, after Takahashi, Nishita, Fujishiro: *Fast simulation of viscous fluids with
//! elasticity and thermal conductivity using position-based dynamics*, Computers & Graphics 43 (2014).
//!
//! ```text
//! Δp_i = −Σ_j k w_i/(w_i + w_j) (|p_ij| − r_ij) p_ij/|p_ij| · 2ω/(N_i + N_j)        k = β/(1 + β), β = 10 ν Δt/h²
//! ```
//!
//! w are inverse masses, N numbers of neighbours: all constraints act at once, by their mean, over-relaxed by ω. r_ij is
//! the distance at the start of the step: lengths that a material remembered for longer would make it elastic.

use super::Step;
use crate::flow::Displaced;
use crate::flow::contact::contact_displacement;
use crate::parallel;
use glam::Vec3;

/// ω.
const RELAXATION: f32 = 1.5;

/// The pairs whose lengths are kept.
pub(super) struct Lengths {
    /// k by material.
    stiffness: Vec<f32>,
    /// N.
    counts: Vec<f32>,
}

impl Lengths {
    pub(super) fn new(step: &Step, around: &Displaced) -> Self {
        let mut counts = vec![0.0; step.x0.len()];
        let h = step.kernel.support();
        parallel::fill(&mut counts, |i| {
            let near = around.neighbors.of(i).iter().filter(|&&j| step.offset(i, j as usize).length() < h);
            near.count() as f32
        });
        let stiffness = |m| {
            let diffusion = step.diffusion(m);
            if diffusion.is_finite() { diffusion / (1.0 + diffusion) } else { 1.0 }
        };
        Self { stiffness: (0..step.diffusions.len()).map(stiffness).collect(), counts }
    }

    /// One iteration over all pairs; walls have the last word.
    pub(super) fn project(&self, step: &Step, around: &Displaced, s: &mut Vec<Vec3>, moved: &mut Vec<Vec3>) {
        let h = step.kernel.support();
        let ease = |i: usize| if step.is_free(i) { step.inverse_mass(i) } else { 0.0 };
        let stiffness = |i: usize| self.stiffness[usize::from(step.materials[i])];
        parallel::fill(moved, |i| {
            let own = ease(i);
            if own == 0.0 {
                return s[i];
            }
            let mut change = Vec3::ZERO;
            for &j in around.neighbors.of(i) {
                let j = j as usize;
                let start = step.offset(j, i);
                let rest = start.length();
                if rest >= h || (step.body(i).is_some() && step.body(j).is_some()) {
                    continue;
                }
                let e = start + (s[i] - s[j]);
                let r = e.length().max(f32::MIN_POSITIVE);
                let k = 0.5 * (stiffness(i) + stiffness(j)) * 2.0 / (self.counts[i] + self.counts[j]);
                change -= e * (RELAXATION * k * own / (own + ease(j)) * (1.0 - rest / r));
            }
            match step.body(i) {
                None => contact_displacement(step, i, s[i] + change),
                Some(_) => s[i] + change,
            }
        });
        std::mem::swap(s, moved);
    }
}
