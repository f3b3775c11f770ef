//! What the method keeps from step to step, and the arrays that one step works on.

use crate::checkpoint::{CheckpointError, expect, raw};
use crate::flow::density::DensityMultiplier;
use crate::math::Sym3;
use crate::particles::reorder;
use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A};
use serde::{Deserialize, Serialize};

/// State that survives a step.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct State {
    /// Conformation tensors Q.
    #[serde(with = "raw")]
    pub(crate) conformation: Vec<Sym3>,
    /// Multipliers of the last velocity projection divided by its Δt: the next one starts from them.
    #[serde(with = "raw")]
    pub(crate) warm_start: Vec<Sym3>,
}

impl State {
    /// Gives new particles (at the end) a conformation at rest.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.conformation.resize(particles, Sym3::IDENTITY);
        self.warm_start.resize(particles, Sym3::ZERO);
    }

    /// A stored state must be that of all particles.
    pub(crate) fn check(&self, particles: usize) -> Result<(), CheckpointError> {
        let Self { conformation, warm_start } = self;
        let fits = conformation.len() == particles && warm_start.len() == particles;
        expect(fits, "the state of its method has other lengths")
    }

    /// Brings the state into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.conformation, order);
        reorder(&mut self.warm_start, order);
    }
}

/// The multipliers of the last step, as they are stored.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Multipliers {
    #[serde(with = "raw")]
    pub(crate) multiplier: Vec<Sym3>,
}

/// Arrays of one step, kept only to save their allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// u: u* after the prediction, u** after the velocity projection.
    pub(crate) velocity: Vec<Vec3A>,
    /// x − x⁰. Kept apart from x⁰ so that slow motion far from the origin keeps its digits.
    pub(crate) displacement: Vec<Vec3>,
    /// The displacements that an iteration makes from `displacement`.
    pub(crate) moved: Vec<Vec3>,
    /// λ of the velocity stage, as a tensor.
    pub(crate) multiplier: Vec<Sym3>,
    /// Λ K of eq. 12, per particle.
    pub(crate) traction: Vec<Mat3A>,
    /// What the position stage knows of each neighbourhood.
    pub(crate) local: Vec<Local>,
    /// What an iteration of the position stage makes of it.
    pub(crate) response: Vec<Response>,
    /// Multipliers of the density constraint.
    pub(crate) density: Vec<DensityMultiplier>,
}

/// A neighbourhood in the position stage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Local {
    /// λ in the frame that turns with the fluid.
    pub(crate) multiplier: Sym3,
    /// Best-fit rotation R.
    pub(crate) rotation: Quat,
}

/// How a particle's conformation constraint moves its neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Response {
    /// Δλ K of eq. 18.
    pub(crate) traction: Mat3,
    /// Gradient of the walls' part.
    pub(crate) wall: Vec3,
    /// Relaxation of the particle's own motion.
    pub(crate) relaxation: f32,
}

impl Response {
    /// Not at all. (A derived default would hold the unit matrix.)
    pub(crate) const NONE: Self = Self { traction: Mat3::ZERO, wall: Vec3::ZERO, relaxation: 1.0 };
}

impl Scratch {
    pub(crate) fn resize(&mut self, particles: usize) {
        self.velocity.resize(particles, Vec3A::ZERO);
        self.displacement.resize(particles, Vec3::ZERO);
        self.moved.resize(particles, Vec3::ZERO);
        self.multiplier.resize(particles, Sym3::ZERO);
        self.traction.resize(particles, Mat3A::ZERO);
        self.local.resize(particles, Local::default());
        self.response.resize(particles, Response::NONE);
        self.density.resize(particles, DensityMultiplier::default());
    }
}
