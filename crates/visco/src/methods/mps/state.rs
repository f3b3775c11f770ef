//! What the method keeps from step to step.

use crate::checkpoint::{CheckpointError, expect, raw};
use crate::math::Sym3;
use crate::particles::reorder;
use serde::{Deserialize, Serialize};

/// State that survives a step.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct State {
    /// P of the last step, in Pa: the next solve starts from it.
    #[serde(with = "raw")]
    pub(crate) pressure: Vec<f32>,
    /// ε.
    #[serde(with = "raw")]
    pub(crate) strain: Vec<Sym3>,
    /// τ of the last step, in Pa.
    #[serde(with = "raw")]
    pub(crate) stress: Vec<Sym3>,
    /// The sides S1 to S4 of the fluid that a particle is of, a bit each.
    #[serde(with = "raw")]
    pub(crate) sides: Vec<u8>,
    /// n⁰: particles of the narrowest section when the pull began.
    pub(crate) section: Option<f32>,
    /// Steps made.
    pub(crate) steps: u64,
    /// Time at which the fluid began to be ruptured, in s.
    pub(crate) rupture: Option<f64>,
    /// β of the last step.
    pub(crate) elastic_share: f32,
    /// The longest step made, in s.
    pub(crate) longest_step: f32,
}

impl State {
    /// Gives new particles (at the end) a state at rest.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.pressure.resize(particles, 0.0);
        self.strain.resize(particles, Sym3::ZERO);
        self.stress.resize(particles, Sym3::ZERO);
        self.sides.resize(particles, 0);
    }

    /// A stored state must be that of all particles.
    pub(crate) fn check(&self, particles: usize) -> Result<(), CheckpointError> {
        let Self { pressure, strain, stress, sides, section, steps: _, rupture, elastic_share, longest_step } =
            self;
        let lengths = [pressure.len(), strain.len(), stress.len(), sides.len()];
        expect(lengths.iter().all(|&n| n == particles), "the state of its method has other lengths")?;
        expect(section.is_none_or(f32::is_finite), "the narrowest section of its fluid is impossible")?;
        expect(rupture.is_none_or(f64::is_finite), "the time of its rupture is impossible")?;
        expect(*longest_step >= 0.0 && longest_step.is_finite(), "the length of its steps is impossible")?;
        expect(elastic_share.is_finite(), "the elasticity of its method is impossible")
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.pressure, order);
        reorder(&mut self.strain, order);
        reorder(&mut self.stress, order);
        reorder(&mut self.sides, order);
    }
}
