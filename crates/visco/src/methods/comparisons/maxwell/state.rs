//! What the method keeps from step to step.

use crate::checkpoint::{CheckpointError, expect, raw};
use crate::math::Sym3;
use crate::particles::reorder;
use serde::{Deserialize, Serialize};

/// State that survives a step.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct State {
    /// p/(ρ/ρ₀)² of the last step, in Pa: the next one starts from it.
    #[serde(with = "raw")]
    pub(crate) pressure: Vec<f32>,
    /// σ, in Pa.
    #[serde(with = "raw")]
    pub(crate) stress: Vec<Sym3>,
    /// Steps made.
    pub(crate) steps: u64,
}

impl State {
    /// Gives new particles (at the end) a state at rest.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.pressure.resize(particles, 0.0);
        self.stress.resize(particles, Sym3::ZERO);
    }

    /// A stored state must be that of all particles.
    pub(crate) fn check(&self, particles: usize) -> Result<(), CheckpointError> {
        let Self { pressure, stress, steps: _ } = self;
        let fits = pressure.len() == particles && stress.len() == particles;
        expect(fits, "the state of its method has other lengths")
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.pressure, order);
        reorder(&mut self.stress, order);
    }
}
