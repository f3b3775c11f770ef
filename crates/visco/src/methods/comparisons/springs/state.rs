//! What the method keeps from step to step.

use crate::checkpoint::{CheckpointError, expect, raw};
use crate::iisph::Partners;
use crate::particles::reorder;
use serde::{Deserialize, Serialize};

/// State that survives a step.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct State {
    /// p/(ρ/ρ₀)² of the last step, in Pa: the next one starts from it.
    #[serde(with = "raw")]
    pub(crate) pressure: Vec<f32>,
    /// Who is joined with whom by a spring, with its rest length L, in m.
    pub(crate) springs: Partners<f32>,
    /// Steps made.
    pub(crate) steps: u64,
}

impl State {
    /// Gives new particles (at the end) a state at rest.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.pressure.resize(particles, 0.0);
        self.springs.grow(particles);
    }

    /// A stored state must be that of all particles, with springs to such as there are.
    pub(crate) fn check(&self, particles: usize) -> Result<(), CheckpointError> {
        let Self { pressure, springs, steps: _ } = self;
        let fits = pressure.len() == particles && springs.are_of(particles);
        expect(fits, "the state of its method has other lengths")?;
        expect(springs.known().iter().all(|rest| *rest >= 0.0), "the length of a spring is impossible")
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.pressure, order);
        self.springs.reorder(order);
    }
}
