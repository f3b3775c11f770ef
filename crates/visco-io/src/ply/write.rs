//! The writer.

use super::{BASIC, CONFORMATION, Property};
use crate::Result;
use std::io::{self, Write};
use std::path::Path;
use visco::Frame;

/// Writes a frame to a file, completely or not at all.
pub fn write(path: &Path, frame: &Frame) -> Result<()> {
    crate::atomic::write(path, |w| write_to(w, frame))
}

/// Writes a frame as binary little-endian PLY.
pub fn write_to(w: &mut impl Write, frame: &Frame) -> io::Result<()> {
    crate::frames::check_lengths(frame)?;
    writeln!(w, "ply\nformat binary_little_endian 1.0")?;
    writeln!(w, "comment particles of visco, SI units")?;
    writeln!(w, "comment time {}", frame.time)?;
    writeln!(w, "comment frame {}", frame.number)?;
    writeln!(w, "comment spacing {}", frame.spacing)?;
    writeln!(w, "element vertex {}", frame.len())?;
    let conformation: &[Property] = match frame.conformations {
        Some(_) => &CONFORMATION,
        None => &[],
    };
    for property in BASIC.iter().chain(conformation) {
        writeln!(w, "property {} {}", property.kind.name(), property.name)?;
    }
    writeln!(w, "end_header")?;

    let mut row = Vec::with_capacity(64);
    for i in 0..frame.len() {
        row.clear();
        let (x, v) = (frame.positions[i], frame.velocities[i]);
        for value in [x.x, x.y, x.z, v.x, v.y, v.z] {
            row.extend_from_slice(&value.to_le_bytes());
        }
        row.extend_from_slice(&frame.ids[i].to_le_bytes());
        row.push(frame.materials[i]);
        row.extend_from_slice(&frame.densities[i].to_le_bytes());
        if let Some(q) = &frame.conformations {
            for value in q[i] {
                row.extend_from_slice(&value.to_le_bytes());
            }
        }
        w.write_all(&row)?;
    }
    Ok(())
}
