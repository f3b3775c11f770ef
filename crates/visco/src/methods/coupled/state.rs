//! What the method keeps from step to step.

use super::connections::Connections;
use crate::checkpoint::{CheckpointError, expect, raw};
use crate::math::Sym3;
use crate::particles::reorder;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// State that survives a step.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct State {
    /// Conformation tensors Q.
    #[serde(with = "raw")]
    pub(crate) conformation: Vec<Sym3>,
    /// Pressure p, in Pa.
    #[serde(with = "raw")]
    pub(crate) pressure: Vec<f32>,
    /// Volume J relative to that at rest, as the flow has changed it.
    #[serde(with = "raw")]
    pub(crate) volume: Vec<f32>,
    /// Stress without the pressure, in Pa, at the end of the last step.
    #[serde(with = "raw")]
    pub(crate) stress: Vec<Sym3>,
    /// Sum of the normals of the walls that held a particle.
    #[serde(with = "raw")]
    pub(crate) held: Vec<Vec3>,
    /// Sum of the normals of the walls along which a particle slides, and that pressed it.
    #[serde(with = "raw")]
    pub(crate) pressing: Vec<Vec3>,
    /// Who was connected with whom.
    pub(crate) connections: Connections,
    /// Whether a step has been made.
    pub(crate) begun: bool,
}

impl State {
    /// Gives new particles (at the end) a state at rest.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.conformation.resize(particles, Sym3::IDENTITY);
        self.pressure.resize(particles, 0.0);
        self.volume.resize(particles, 1.0);
        self.stress.resize(particles, Sym3::ZERO);
        self.held.resize(particles, Vec3::ZERO);
        self.pressing.resize(particles, Vec3::ZERO);
        self.connections.grow(particles);
    }

    /// Whether a wall with a normal has pressed a particle in the last step: its contact has stopped it, or the fluid does
    /// not pull at it. Normals of the same wall have a cosine above `same`.
    pub(crate) fn is_pressed(&self, i: usize, normal: Vec3, same: f32) -> bool {
        let was = |normals: &[Vec3]| normals[i].dot(normal) > same;
        let pull = normal.dot(self.stress[i].mul_vec(normal)) - self.pressure[i];
        !self.begun || was(&self.held) || was(&self.pressing) && pull <= 0.0
    }

    /// A stored state must be that of all particles.
    pub(crate) fn check(&self, particles: usize) -> Result<(), CheckpointError> {
        let Self { conformation, pressure, volume, stress, held, pressing, connections, begun: _ } = self;
        let lengths =
            [conformation.len(), pressure.len(), volume.len(), stress.len(), held.len(), pressing.len()];
        let fits = lengths.iter().all(|&n| n == particles) && connections.is_of(particles);
        expect(fits, "the state of its method has other lengths")
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.conformation, order);
        reorder(&mut self.pressure, order);
        reorder(&mut self.volume, order);
        reorder(&mut self.stress, order);
        reorder(&mut self.held, order);
        reorder(&mut self.pressing, order);
        self.connections.reorder(order);
    }
}
