//! What the method keeps from step to step, and the arrays that one step works on.

use crate::math::Sym3;
use crate::particles::reorder;
use glam::{Mat3, Quat, Vec3};

/// State that survives a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Conformation tensors Q.
    pub(crate) conformation: Vec<Sym3>,
    /// Multipliers of the last velocity projection divided by its Δt: the next one starts from them.
    pub(crate) warm_start: Vec<Sym3>,
}

impl State {
    /// Gives new particles (at the end) a conformation at rest.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.conformation.resize(particles, Sym3::IDENTITY);
        self.warm_start.resize(particles, Sym3::ZERO);
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.conformation, order);
        reorder(&mut self.warm_start, order);
    }
}

/// Arrays of one step, kept only to save their allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// u: u* after the prediction, u** after the velocity projection.
    pub(crate) velocity: Vec<Vec3>,
    /// x − x⁰. Kept apart from x⁰ so that slow motion far from the origin keeps its digits.
    pub(crate) displacement: Vec<Vec3>,
    /// λ as a tensor, of the current stage.
    pub(crate) multiplier: Vec<Sym3>,
    /// Best-fit rotations R of the position stage.
    pub(crate) rotation: Vec<Quat>,
    /// Λ K of eq. 12 and 18, per particle.
    pub(crate) traction: Vec<Mat3>,
    /// Density over rest density.
    pub(crate) density: Vec<f32>,
}

impl Scratch {
    pub(crate) fn resize(&mut self, particles: usize) {
        self.velocity.resize(particles, Vec3::ZERO);
        self.displacement.resize(particles, Vec3::ZERO);
        self.multiplier.resize(particles, Sym3::ZERO);
        self.rotation.resize(particles, Quat::IDENTITY);
        self.traction.resize(particles, Mat3::ZERO);
        self.density.resize(particles, 0.0);
    }
}
