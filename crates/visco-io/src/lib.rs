//! Frames of `visco` in and out: particles as PLY, VTP, BGEO and USD, diagnostics, checkpoints, the layout of
//! an output folder; surfaces in and out; meshes in.
//!
//! **Invariant:** a file under its final name is complete. Everything but the growing
//! `diagnostics.csv` goes through [`atomic::write`]; `diagnostics.csv` grows by whole rows.

pub mod atomic;
mod base64;
pub mod bgeo;
pub mod checkpoints;
pub mod diagnostics;
mod error;
mod format;
mod frames;
pub mod layout;
pub mod mesh;
pub mod particles;
pub mod ply;
pub mod pvd;
pub mod surfaces;
pub mod usd;
pub mod vtp;

pub use diagnostics::{DiagnosticsTable, DiagnosticsWriter};
pub use error::{Error, Result};
pub use format::Format;
pub use frames::{FrameWriter, list_frames};
pub use layout::RunFolder;

#[cfg(test)]
mod test_frames;
