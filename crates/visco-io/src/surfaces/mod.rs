//! Surfaces of the fluid, a mesh of triangles a frame, in and out.
//!
//! Every corner has a normal, a velocity and a material; what else is interpolated from particles is a [`Scalar`].

mod format;
mod lists;
mod obj;
mod ply;
#[cfg(test)]
mod tests;

use crate::mesh::MeshFileError;
use crate::{Error, Result, usd, vtp};
use glam::Vec3;
use std::fs;
use std::io;
use std::path::Path;

pub use format::SurfaceFormat;
pub use lists::list_surfaces;

/// A surface at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Number of the frame that it is made from.
    pub number: u32,
    /// Simulated time, in s.
    pub time: f64,
    /// Corners, in m.
    pub positions: Vec<Vec3>,
    /// Unit normals of the corners, out of the fluid.
    pub normals: Vec<Vec3>,
    /// Velocities of the corners, in m/s.
    pub velocities: Vec<Vec3>,
    /// Index of the scene's material at each corner; bodies come after materials.
    pub materials: Vec<u8>,
    /// Other numbers of the corners.
    pub scalars: Vec<Scalar>,
    /// Corners of the triangles, counterclockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A number at every corner, under a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scalar {
    /// Its name in files: letters, digits and underscores.
    pub name: String,
    /// Its values.
    pub values: Vec<f32>,
}

impl Surface {
    /// Reads a surface from PLY, of other programs, too: normals that are missing are computed, velocities are zero,
    /// materials 0, and the frame is number 0 at time 0.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).map_err(Error::file("read", path))?;
        ply::parse(&bytes)
            .map_err(|message| Error::Mesh { path: path.to_owned(), source: MeshFileError::Content(message) })
    }

    /// Writes the surface to a file, completely or not at all.
    pub fn write(&self, path: &Path, format: SurfaceFormat) -> Result<()> {
        crate::atomic::write(path, |w| {
            self.check_lengths()?;
            match format {
                SurfaceFormat::Ply => ply::write_to(w, self),
                SurfaceFormat::Obj => obj::write_to(w, self),
                SurfaceFormat::Vtp => vtp::surface::write_to(w, self),
                SurfaceFormat::Usd => usd::surface::write_to(w, self),
            }
        })
    }

    /// The corners' normals by the triangles around them, each counted by its area; up where there is none.
    pub fn area_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
        let mut sums = vec![Vec3::ZERO; positions.len()];
        for corners in triangles {
            let [a, b, c] = corners.map(|i| positions[i as usize]);
            let area = (b - a).cross(c - a);
            corners.iter().for_each(|&i| sums[i as usize] += area);
        }
        sums.into_iter().map(|sum| sum.try_normalize().unwrap_or(Vec3::Y)).collect()
    }

    /// Refuses arrays that do not belong together, before a reader has to.
    fn check_lengths(&self) -> io::Result<()> {
        let n = self.positions.len();
        let mut lengths = vec![self.normals.len(), self.velocities.len(), self.materials.len()];
        lengths.extend(self.scalars.iter().map(|s| s.values.len()));
        let refuse = |message: String| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        if lengths.iter().any(|&length| length != n) {
            return refuse(format!("the surface has {n} corners and other arrays of lengths {lengths:?}"));
        }
        match self.triangles.iter().flatten().find(|&&i| i as usize >= n) {
            Some(corner) => refuse(format!("a triangle has corner {corner} of {n}")),
            None => Ok(()),
        }
    }
}
