//! What the method keeps from step to step.

use crate::checkpoint::{CheckpointError, expect, raw};
use crate::iisph::Partners;
use crate::particles::reorder;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// State that survives a step.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct State {
    /// p/(ρ/ρ₀)² of the last step, in Pa: the next one starts from it.
    #[serde(with = "raw")]
    pub(crate) pressure: Vec<f32>,
    /// Who else belongs to the cluster around a particle, and where from the particle, q, in m, in the cluster's shape.
    pub(crate) members: Partners<Vec3>,
    /// Rotations of the clusters from their shapes, as quaternions xyzw.
    #[serde(with = "raw")]
    rotations: Vec<[f32; 4]>,
    /// Steps made.
    pub(crate) steps: u64,
    /// Length of the last one, in s.
    pub(crate) dt: f32,
}

impl State {
    /// Gives new particles (at the end) a state at rest.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.pressure.resize(particles, 0.0);
        self.members.grow(particles);
        self.rotations.resize(particles, Quat::IDENTITY.to_array());
    }

    /// How the cluster around a particle was turned when it was last looked at.
    #[inline]
    pub(crate) fn rotation(&self, i: usize) -> Quat {
        Quat::from_array(self.rotations[i])
    }

    /// Notes how clusters are turned.
    pub(crate) fn set_rotations(&mut self, rotations: impl Iterator<Item = Quat>) {
        self.rotations.clear();
        self.rotations.extend(rotations.map(|q| q.to_array()));
    }

    /// A stored state must be that of all particles, with members that there are.
    pub(crate) fn check(&self, particles: usize) -> Result<(), CheckpointError> {
        let Self { pressure, members, rotations, steps: _, dt } = self;
        let fits = pressure.len() == particles && rotations.len() == particles && members.are_of(particles);
        expect(fits, "the state of its method has other lengths")?;
        let turns = |q: &[f32; 4]| (Quat::from_array(*q).length() - 1.0).abs() < 1e-3;
        expect(rotations.iter().all(turns), "the rotation of a cluster is impossible")?;
        expect(members.known().iter().all(|q| q.is_finite()), "the shape of a cluster is impossible")?;
        expect(*dt >= 0.0 && dt.is_finite(), "the length of its last step is impossible")
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.pressure, order);
        self.members.reorder(order);
        reorder(&mut self.rotations, order);
    }
}
