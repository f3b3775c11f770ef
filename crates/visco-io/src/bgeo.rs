//! Particle frames as Houdini's classic binary geometry (`Bgeo`, version 5), which Houdini and partio read.
//!
//! Everything is big-endian. After the counts come the definitions of the points' attributes, then the points: position
//! with w = 1 and the attributes `v` (vector), `id` (int, the bits of the unsigned id), `pscale` (float, the radius: half
//! the spacing), `material` (int), `density` (float) and, where the method has conformations, `qxx qyy qzz qxy qxz qyz`
//! (float): other programs read no floats of several components. The geometry itself has `time` and `spacing` (float) and
//! `frame` (int).

mod read;
mod write;

pub(crate) use read::{parse, parse_gzip};
pub use write::{write, write_to};

/// First bytes of a file.
pub(crate) const MAGIC: &[u8] = b"Bgeo";

/// First bytes of the format that Houdini writes under the same extension since version 12.
pub(crate) const JSON_MAGIC: &[u8] = b"\x7fNSJ";

/// First bytes of a gzip file.
pub(crate) const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Version of the format.
const VERSION: u32 = 5;

/// Types of attributes.
const FLOAT: u32 = 0;
const INT: u32 = 1;
const STRING: u32 = 2;
const INDEX: u32 = 4;
const VECTOR: u32 = 5;

#[cfg(test)]
mod tests;
