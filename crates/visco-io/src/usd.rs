//! Particle frames as USD: a binary layer (`.usdc`) for every frame, and a stage (`particles.usda`) that plays them.
//!
//! A layer has one `Points` at `/particles` with the attributes of `ATTRIBUTES`, each with one sample at the frame's
//! number as time code: the stage reads samples, not defaults. Units are metres, y is up. The conformation is a pair of
//! primvars of three components: one of six would need `elementSize`, which Hydra does not know. Widths are those of every
//! particle, although all are equal: OpenUSD itself computes no extent from a single one.
//!
//! Layers are written by hand, in `layer.rs`: the openusd crate asks for a newer Rust than this workspace.

mod integers;
mod layer;
mod prim;
mod stage;
pub(crate) mod surface;

use crate::Result;
use glam::Vec3;
use layer::{Layer, Rep};
use prim::{Declared, Prim};
use std::io::{self, Write};
use std::path::Path;
use visco::Frame;

pub use stage::{Stage, declares_conformation};

/// First bytes of a binary layer.
pub(crate) const MAGIC: &[u8] = b"PXR-USDC";

/// The prim of frames.
const PARTICLES: Prim = Prim { name: "particles", kind: "Points", uniforms: &[] };

/// An attribute of the particles.
struct Attribute {
    name: &'static str,
    kind: &'static str,
    interpolation: Option<&'static str>,
    value: fn(&mut Layer, &Frame) -> Rep,
}

impl Attribute {
    fn declared(&self) -> Declared {
        Declared { name: self.name.into(), kind: self.kind, interpolation: self.interpolation }
    }
}

/// The attributes of frames, with or without conformations.
fn attributes(conformation: bool) -> impl Iterator<Item = &'static Attribute> {
    let count = if conformation { ATTRIBUTES.len() } else { ATTRIBUTES.len() - 2 };
    ATTRIBUTES[..count].iter()
}

const ATTRIBUTES: [Attribute; 9] = [
    Attribute {
        name: "points",
        kind: "point3f[]",
        interpolation: None,
        value: |layer, frame| layer.vectors(&frame.positions),
    },
    Attribute {
        name: "velocities",
        kind: "vector3f[]",
        interpolation: None,
        value: |layer, frame| layer.vectors(&frame.velocities),
    },
    Attribute {
        name: "ids",
        kind: "int64[]",
        interpolation: None,
        value: |layer, frame| layer.longs(&frame.ids.iter().map(|id| i64::from(*id)).collect::<Vec<_>>()),
    },
    Attribute {
        name: "widths",
        kind: "float[]",
        interpolation: None,
        value: |layer, frame| layer.equal_floats(frame.spacing, frame.len()),
    },
    Attribute {
        name: "extent",
        kind: "float3[]",
        interpolation: None,
        value: |layer, frame| layer.vectors(&extent(frame)),
    },
    Attribute {
        name: "primvars:density",
        kind: "float[]",
        interpolation: Some("vertex"),
        value: |layer, frame| layer.floats(&frame.densities),
    },
    Attribute {
        name: "primvars:material",
        kind: "int[]",
        interpolation: Some("vertex"),
        value: |layer, frame| layer.ints(&frame.materials.iter().map(|m| i32::from(*m)).collect::<Vec<_>>()),
    },
    Attribute {
        name: "primvars:conformation_diagonal",
        kind: "float3[]",
        interpolation: Some("vertex"),
        value: |layer, frame| layer.vectors(&conformation(frame, |[xx, yy, zz, ..]| [xx, yy, zz])),
    },
    Attribute {
        name: "primvars:conformation_offdiagonal",
        kind: "float3[]",
        interpolation: Some("vertex"),
        value: |layer, frame| layer.vectors(&conformation(frame, |[_, _, _, xy, xz, yz]| [xy, xz, yz])),
    },
];

/// Three components of every conformation.
fn conformation(frame: &Frame, part: impl Fn([f32; 6]) -> [f32; 3]) -> Vec<Vec3> {
    frame.conformations.iter().flatten().map(|q| Vec3::from_array(part(*q))).collect()
}

/// The corners of the box around the particles with their radius; at the origin if there are none.
fn extent(frame: &Frame) -> [Vec3; 2] {
    corners(&frame.positions, frame.spacing / 2.0)
}

/// The corners of the box around balls; at the origin if there are none.
fn corners(positions: &[Vec3], radius: f32) -> [Vec3; 2] {
    let finite = positions.iter().copied().filter(|x| x.is_finite());
    let corners = finite.fold(None, |corners, x| match corners {
        None => Some((x, x)),
        Some((low, high)) => Some((Vec3::min(low, x), Vec3::max(high, x))),
    });
    corners.map_or([Vec3::ZERO; 2], |(low, high)| [low - radius, high + radius])
}

/// Writes a frame to a file, completely or not at all.
pub fn write(path: &Path, frame: &Frame) -> Result<()> {
    crate::atomic::write(path, |w| write_to(w, frame))
}

/// Writes a frame as a binary layer.
pub fn write_to(w: &mut impl Write, frame: &Frame) -> io::Result<()> {
    crate::frames::check_lengths(frame)?;
    let mut layer = Layer::new();
    let used = attributes(frame.conformations.is_some());
    let values: Vec<(Declared, Rep)> = used.map(|a| (a.declared(), (a.value)(&mut layer, frame))).collect();
    PARTICLES.write_layer(w, layer, (frame.number, &values))
}

#[cfg(test)]
mod tests;
