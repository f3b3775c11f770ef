//! Particle frames as VTK XML PolyData (`.vtp`), for ParaView, Blender and Houdini's VTK tools.
//!
//! Written by hand with raw appended data: a quarter smaller than base64 and streamed, with the
//! time in the file. (The `vtkio` crate does neither, and rests on `nom` 3 and `quick-xml` 0.22,
//! which coming Rust compilers reject.) Read in whatever way VTK writes it: as text, inline or appended, raw or in
//! base64, plain or compressed by zlib or LZ4.

mod blocks;
mod document;
mod read;
pub(crate) mod surface;
mod write;

pub(crate) use read::parse;
pub use write::{write, write_to};

#[cfg(test)]
mod tests;
