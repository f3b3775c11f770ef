//! Viscoelastic and highly viscous fluids made of particles: the physics.
//!
//! This crate opens no file, prints nothing and starts no thread of its own beyond rayon's pool.

/// The README's example, so that it keeps compiling.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

pub mod bodies;
pub mod boundary;
pub mod checkpoint;
mod clock;
pub mod convergence;
pub mod domain;
mod dynamics;
pub mod emitters;
pub mod flow;
pub mod frame;
pub mod grips;
pub mod iisph;
mod intervals;
pub mod kernel;
mod lanes;
pub mod material;
pub mod math;
pub mod mesh;
pub mod methods;
pub mod motion;
pub mod neighbors;
pub mod parallel;
pub mod particles;
pub mod random;
pub mod report;
pub mod scene;
mod shapes;
pub mod simulation;
pub mod world;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use convergence::ConvergenceWatch;
pub use frame::Frame;
pub use glam;
pub use report::StepReport;
pub use scene::{Scene, SceneError};
pub use simulation::{Changes, Simulation, StepError};
