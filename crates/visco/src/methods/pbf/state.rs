//! What the method keeps from step to step, and the arrays that one step works on.

use crate::checkpoint::{CheckpointError, expect, raw};
use crate::flow::density::DensityMultiplier;
use crate::math::Sym3;
use crate::particles::reorder;
use glam::{Vec3, Vec3A};
use serde::{Deserialize, Serialize};

/// What of the last step is asked for after it; the next one starts from positions and velocities alone.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct State {
    /// Pressures, in Pa.
    #[serde(with = "raw")]
    pub(crate) pressure: Vec<f32>,
    /// Conformation tensors Q; none where nothing is remembered.
    #[serde(with = "raw")]
    pub(crate) conformation: Vec<Sym3>,
    /// Length of the step, in s; 0 before the first.
    pub(crate) dt: f32,
}

impl State {
    /// Gives new particles (at the end) a state at rest.
    pub(crate) fn grow(&mut self, particles: usize, remembers: bool) {
        self.pressure.resize(particles, 0.0);
        self.conformation.resize(if remembers { particles } else { 0 }, Sym3::IDENTITY);
    }

    /// A stored state must be that of all particles.
    pub(crate) fn check(&self, particles: usize, remembers: bool) -> Result<(), CheckpointError> {
        let Self { pressure, conformation, dt } = self;
        expect(*dt >= 0.0 && dt.is_finite(), "the length of its last step is impossible")?;
        let tensors = if remembers { particles } else { 0 };
        let fits = pressure.len() == particles && conformation.len() == tensors;
        expect(fits, "the state of its method has other lengths")
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.pressure, order);
        if !self.conformation.is_empty() {
            reorder(&mut self.conformation, order);
        }
    }
}

/// Arrays of one step, kept only to save their allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// v.
    pub(crate) velocity: Vec<Vec3A>,
    /// x* − x. Kept apart from x so that slow motion far from the origin keeps its digits.
    pub(crate) displacement: Vec<Vec3>,
    /// The displacements that an iteration makes from `displacement`.
    pub(crate) moved: Vec<Vec3>,
    /// λ.
    pub(crate) multipliers: Vec<DensityMultiplier>,
}

impl Scratch {
    pub(crate) fn resize(&mut self, particles: usize) {
        self.velocity.resize(particles, Vec3A::ZERO);
        self.displacement.resize(particles, Vec3::ZERO);
        self.moved.resize(particles, Vec3::ZERO);
        self.multipliers.resize(particles, DensityMultiplier::default());
    }
}
