//! The walls of a scene beside its surfaces, as PLY with colours.

use anyhow::Result;
use glam::Vec3;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use visco::Scene;
use visco::world::World;
use visco_render::{Look, Solids, Triangle};

/// What stands or moves beside the fluid.
pub(super) struct Walls<'a> {
    world: &'a World,
    /// Colours of the walls.
    colors: Vec<Vec3>,
    folder: &'a Path,
}

impl<'a> Walls<'a> {
    pub(super) fn new((scene, world): (&Scene, &'a World), folder: &'a Path) -> Self {
        Self { world, colors: Look::of_walls(scene), folder }
    }

    /// Height of the ground, if there is one.
    pub(super) fn ground(&self) -> Option<f32> {
        Solids::of_world(self.world, &self.colors, 0.0).ground
    }

    /// Writes the walls at the times of frames, those that are not there yet, and lists them: one file if nothing moves.
    pub(super) fn write(&self, frames: impl Iterator<Item = (u32, f64)>) -> Result<Vec<Value>> {
        let moves = !self.world.moving_walls.is_empty();
        let mut listed = Vec::new();
        for (number, time) in frames.take(if moves { usize::MAX } else { 1 }) {
            let number = if moves { number } else { 0 };
            let name = format!("solids_{number:06}.ply");
            let path = self.folder.join(&name);
            if !path.is_file() {
                let triangles: Vec<Triangle> =
                    Solids::of_world(self.world, &self.colors, time).triangles().collect();
                if triangles.is_empty() {
                    break;
                }
                visco_io::atomic::write(&path, |w| write_to(w, &triangles))?;
            }
            listed.push(json!({ "number": number, "file": name }));
        }
        Ok(listed)
    }
}

/// Binary little-endian PLY, each triangle with corners of its own.
fn write_to(w: &mut impl Write, triangles: &[Triangle]) -> io::Result<()> {
    writeln!(w, "ply\nformat binary_little_endian 1.0\ncomment walls of visco, SI units")?;
    writeln!(w, "element vertex {}", 3 * triangles.len())?;
    for name in ["x", "y", "z", "nx", "ny", "nz"] {
        writeln!(w, "property float {name}")?;
    }
    for name in ["red", "green", "blue"] {
        writeln!(w, "property uchar {name}")?;
    }
    writeln!(w, "element face {}\nproperty list uchar uint vertex_indices\nend_header", triangles.len())?;
    for triangle in triangles {
        let color = Look { color: triangle.color, ..Look::palette(0) }.swatch();
        for (x, n) in triangle.corners.iter().zip(triangle.normals) {
            for value in x.to_array().into_iter().chain(n.to_array()) {
                w.write_all(&value.to_le_bytes())?;
            }
            w.write_all(&color)?;
        }
    }
    for first in (0..triangles.len() as u32).map(|i| 3 * i) {
        w.write_all(&[3])?;
        for corner in first..first + 3 {
            w.write_all(&corner.to_le_bytes())?;
        }
    }
    Ok(())
}
