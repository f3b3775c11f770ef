//! What the method keeps from step to step.

use super::connections::Connections;
use crate::checkpoint::{CheckpointError, expect, raw};
use crate::particles::{Particles, reorder};
use crate::world::World;
use serde::{Deserialize, Serialize};

/// State that survives a step.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct State {
    /// p/(ρ/ρ₀)² of the last step, in Pa: the next one starts from it.
    #[serde(with = "raw")]
    pub(crate) pressure: Vec<f32>,
    /// Velocity correction coefficients c.
    #[serde(with = "raw")]
    pub(crate) coefficient: Vec<f32>,
    /// Who is connected with whom.
    pub(crate) connections: Connections,
    /// Steps made.
    pub(crate) steps: u64,
    /// Length of the last one, in s.
    pub(crate) dt: f32,
}

/// A coefficient, below 0, that its particle's material has not set yet.
const UNSET: f32 = -1.0;

impl State {
    /// Gives new particles (at the end) a state at rest.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.pressure.resize(particles, 0.0);
        self.coefficient.resize(particles, UNSET);
        self.connections.grow(particles);
    }

    /// Gives new particles the coefficients of their materials.
    pub(crate) fn set_coefficients(&mut self, world: &World) {
        let Particles { materials, .. } = &world.particles;
        for (c, &material) in self.coefficient.iter_mut().zip(materials).filter(|(c, _)| **c < 0.0) {
            *c = world.materials[usize::from(material)].connections.map_or(0.0, |k| k.correction);
        }
    }

    /// A stored state must be that of all particles, with connections to such as there are.
    pub(crate) fn check(&self, particles: usize, samples: usize) -> Result<(), CheckpointError> {
        let Self { pressure, coefficient, connections, steps: _, dt } = self;
        let lengths = [pressure.len(), coefficient.len()];
        let fits = lengths.iter().all(|&n| n == particles) && connections.are_of(particles, samples);
        expect(*dt >= 0.0 && dt.is_finite(), "the length of its last step is impossible")?;
        expect(fits, "the state of its method has other lengths")
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.pressure, order);
        reorder(&mut self.coefficient, order);
        self.connections.reorder(order);
    }
}
