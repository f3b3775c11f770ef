//! What the method keeps from step to step.

use crate::checkpoint::{CheckpointError, expect, raw};
use crate::particles::reorder;
use serde::{Deserialize, Serialize};

/// State that survives a step.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct State {
    /// c, in m/s.
    pub(crate) sound_speed: f32,
    /// Pressures at the start of the last step, in Pa.
    #[serde(with = "raw")]
    pub(crate) pressure: Vec<f32>,
}

impl State {
    /// Gives new particles (at the end) a state at rest.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.pressure.resize(particles, 0.0);
    }

    /// A stored state must be that of all particles.
    pub(crate) fn check(&self, particles: usize) -> Result<(), CheckpointError> {
        let Self { sound_speed, pressure } = self;
        expect(*sound_speed > 0.0 && sound_speed.is_finite(), "the speed of sound is impossible")?;
        expect(pressure.len() == particles, "the state of its method has other lengths")
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.pressure, order);
    }
}
