//! The methods that move the fluid. A method never imports another; what two share is [`crate::flow`] or
//! [`crate::iisph`].

pub mod comparisons;
pub mod coupled;
pub mod dcpbd;
pub mod mps;
pub mod pbf;
pub mod sph;
pub mod velocity_correction;

use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::math::Sym3;
use crate::report::StepReport;
use crate::world::World;
use std::fmt::Debug;

/// What a simulation asks of a method.
pub trait FluidMethod: Debug + Send + Sync {
    /// Gives particles that were added at the end their state.
    fn grow(&mut self, particles: usize);

    /// Brings the state into a new order of the particles: `order[new] = old`.
    fn reorder(&mut self, order: &[u32]);

    /// Moves the world by one step of length `dt`, in s.
    fn step(&mut self, world: &mut World, dt: f32) -> StepReport;

    /// Longest step that the method can make from the world as it is, in s; longer ones are divided.
    fn longest_step(&self, world: &World) -> f64 {
        self.stable_step(world)
    }

    /// The same for a world whose particles are slow: what its materials ask for.
    fn stable_step(&self, _world: &World) -> f64 {
        f64::INFINITY
    }

    /// Conformation tensors Q, in the order of the particles, where the method has them.
    fn conformations(&self) -> Option<&[Sym3]>;

    /// Densities of the particles where they are now, in kg/m³.
    fn densities(&self, world: &World) -> Vec<f32>;

    /// Stress that viscosity and polymer, or what stands for it, exerted in the last step, without the pressure, in Pa.
    fn stresses(&self, world: &World) -> Vec<Sym3>;

    /// Pressures of the particles, in Pa, where the method has a pressure.
    fn pressures(&self) -> Option<&[f32]> {
        None
    }

    /// Time at which the fluid began to be ruptured, in s, where the method watches for it.
    fn rupture(&self) -> Option<f64> {
        None
    }

    /// Stores the state that survives a step.
    fn save(&self, to: &mut StateWriter);

    /// Takes a stored state of that many particles.
    fn load(&mut self, from: &mut StateReader, particles: usize) -> Result<(), CheckpointError>;

    /// A copy with all its state.
    fn boxed_clone(&self) -> Box<dyn FluidMethod>;
}

impl Clone for Box<dyn FluidMethod> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}
