//! Viscoelastic and highly viscous fluids made of particles: the physics.
//!
//! This crate opens no file, prints nothing and starts no thread of its own beyond rayon's pool.

pub mod frame;
pub mod methods;
pub mod report;
pub mod scene;

pub use frame::Frame;
pub use report::StepReport;
pub use scene::{Scene, SceneError};
