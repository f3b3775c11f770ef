//! Surfaces of fluids made of particles: a closed mesh of triangles around the particles of a frame.
//!
//! [`surface_of`] reconstructs it with `splashsurf_lib`, or with kernels that follow the shape of the fluid
//! (`anisotropic.rs`), takes away stray blobs (`strays.rs`), smooths it without shrinking (`smooth.rs`) and gives its
//! corners normals and what particles have (`attributes.rs`). [`Size`] tells before how much memory that takes.
//!
//! **Invariant:** the same frame and settings give the same mesh, bit for bit, for any number of threads.

mod anisotropic;
mod attributes;
mod cells;
mod reconstruct;
mod size;
mod smooth;
mod strays;
#[cfg(test)]
mod tests;

use attributes::Source;
use glam::Vec3;
use std::collections::BTreeMap;
use visco::Frame;
use visco_io::surfaces::{Scalar, Surface};

pub use size::Size;

/// How a surface is made. Lengths are in spacings of the particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Edge of the cubes that the surface is cut from.
    pub cell: f32,
    /// Length over which bumps are smoothed away; 0 for no smoothing.
    pub smoothing: f32,
    /// Pieces with less volume than so many particles are taken away, and so are cavities.
    pub strays: f32,
    /// Kernels that follow the shape of the fluid: flatter surfaces, sharper edges, longer work.
    pub anisotropic: bool,
    /// Materials from this index on have surfaces of their own; those before share one.
    pub apart_from: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { cell: 0.5, smoothing: 1.6, strays: 3.0, anisotropic: false, apart_from: usize::MAX }
    }
}

/// Why there is no surface.
#[derive(Debug, thiserror::Error)]
pub enum SurfaceError {
    /// The spacing is not a length.
    #[error("the spacing of the particles is {0} m, expected more than 0")]
    Spacing(f32),
    /// splashsurf refused.
    #[error("the particles are spread over {extent} m, too far for cells of {cell} m ({reason})")]
    Reconstruction {
        /// Largest extent of the particles, in m.
        extent: f32,
        /// Edge of a cell, in m.
        cell: f32,
        /// What splashsurf said.
        reason: String,
    },
}

/// Triangles and their corners, in m.
#[derive(Clone, Debug, Default, PartialEq)]
struct Mesh {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// The surface around the particles of a frame; empty if there are none. Particles that are nowhere (not a number, or
/// infinite) are left out.
pub fn surface_of(frame: &Frame, settings: &Settings) -> Result<Surface, SurfaceError> {
    let d = frame.spacing;
    let is_length = d > 0.0 && d.is_finite();
    if !is_length && !frame.is_empty() {
        return Err(SurfaceError::Spacing(d));
    }
    let mut surface = Surface {
        number: frame.number,
        time: frame.time,
        scalars: attributes::scalars(frame).map(|(name, _)| Scalar { name, values: vec![] }).collect(),
        ..Surface::default()
    };
    for members in groups(frame, settings.apart_from) {
        let positions: Vec<Vec3> = members.iter().map(|&i| frame.positions[i as usize]).collect();
        let mut mesh = match settings.anisotropic {
            false => reconstruct::isotropic(&positions, d, settings)?,
            true => anisotropic::reconstruct(&positions, d, settings)?,
        };
        strays::remove(&mut mesh, settings.strays * d * d * d);
        let source = Source::new(frame, &members, &positions);
        if settings.smoothing > 0.0 {
            let weights = source.crowding(&mesh.positions);
            smooth::smooth(&mut mesh, &weights, settings.smoothing / settings.cell);
        }
        source.append(mesh, &mut surface);
    }
    Ok(surface)
}

/// Particles that share a surface, in the order of their materials.
fn groups(frame: &Frame, apart_from: usize) -> impl Iterator<Item = Vec<u32>> {
    let mut groups: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (i, (x, material)) in frame.positions.iter().zip(&frame.materials).enumerate() {
        let material = usize::from(*material);
        if x.is_finite() {
            let group = if material < apart_from { 0 } else { 1 + material };
            groups.entry(group).or_default().push(i as u32);
        }
    }
    groups.into_values()
}
