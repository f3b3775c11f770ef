//! Frames of `visco` in and out: particles as PLY and VTP, diagnostics, checkpoints, the layout of
//! an output folder; meshes in.
//!
//! **Invariant:** a file under its final name is complete. Everything but the growing
//! `diagnostics.csv` goes through [`atomic::write`]; `diagnostics.csv` grows by whole rows.

pub mod atomic;
pub mod checkpoints;
pub mod diagnostics;
mod error;
mod frames;
pub mod layout;
pub mod mesh;
pub mod ply;
pub mod pvd;
pub mod vtp;

pub use diagnostics::DiagnosticsWriter;
pub use error::{Error, Result};
pub use frames::FrameWriter;
pub use layout::{Format, RunFolder};

#[cfg(test)]
mod test_frames;
