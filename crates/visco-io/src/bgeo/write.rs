//! The writer.

use super::{FLOAT, INT, MAGIC, VECTOR, VERSION};
use crate::Result;
use crate::particles::TENSOR;
use std::io::{self, Write};
use std::path::Path;
use visco::Frame;

/// What every particle has after its position: name, number of components, type.
const BASIC: [(&str, u16, u32); 5] =
    [("v", 3, VECTOR), ("id", 1, INT), ("pscale", 1, FLOAT), ("material", 1, INT), ("density", 1, FLOAT)];

/// What the whole frame has.
const DETAIL: [(&str, u16, u32); 3] = [("time", 1, FLOAT), ("spacing", 1, FLOAT), ("frame", 1, INT)];

/// Writes a frame to a file, completely or not at all.
pub fn write(path: &Path, frame: &Frame) -> Result<()> {
    crate::atomic::write(path, |w| write_to(w, frame))
}

/// Writes a frame as classic BGEO.
pub fn write_to(w: &mut impl Write, frame: &Frame) -> io::Result<()> {
    crate::frames::check_lengths(frame)?;
    let count = i32::try_from(frame.len()).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidInput, "BGEO holds up to 2,147,483,647 particles")
    })?;
    let conformation = TENSOR.iter().filter(|_| frame.conformations.is_some()).map(|name| (*name, 1, FLOAT));
    let attributes: Vec<_> = BASIC.into_iter().chain(conformation).collect();

    w.write_all(MAGIC)?;
    w.write_all(b"V")?;
    w.write_all(&VERSION.to_be_bytes())?;
    w.write_all(&count.to_be_bytes())?;
    // Primitives, groups of points, groups of primitives.
    w.write_all(&[0; 12])?;
    w.write_all(&(attributes.len() as u32).to_be_bytes())?;
    // Attributes of vertices, of primitives.
    w.write_all(&[0; 8])?;
    w.write_all(&(DETAIL.len() as u32).to_be_bytes())?;
    define(w, &attributes)?;

    let radius = frame.spacing / 2.0;
    let mut row = Vec::with_capacity(72);
    for i in 0..frame.len() {
        row.clear();
        let mut push = |value: f32| row.extend_from_slice(&value.to_be_bytes());
        let (x, v) = (frame.positions[i], frame.velocities[i]);
        [x.x, x.y, x.z, 1.0, v.x, v.y, v.z].into_iter().for_each(&mut push);
        row.extend_from_slice(&frame.ids[i].to_be_bytes());
        row.extend_from_slice(&radius.to_be_bytes());
        row.extend_from_slice(&u32::from(frame.materials[i]).to_be_bytes());
        row.extend_from_slice(&frame.densities[i].to_be_bytes());
        for value in frame.conformations.iter().flat_map(|q| q[i]) {
            row.extend_from_slice(&value.to_be_bytes());
        }
        w.write_all(&row)?;
    }

    define(w, &DETAIL)?;
    w.write_all(&(frame.time as f32).to_be_bytes())?;
    w.write_all(&frame.spacing.to_be_bytes())?;
    w.write_all(&frame.number.to_be_bytes())?;
    // No more sections.
    w.write_all(&[0x00, 0xff])
}

/// Names, sizes, types and default values (zeros) of attributes.
fn define(w: &mut impl Write, attributes: &[(&str, u16, u32)]) -> io::Result<()> {
    for (name, size, kind) in attributes {
        w.write_all(&(name.len() as u16).to_be_bytes())?;
        w.write_all(name.as_bytes())?;
        w.write_all(&size.to_be_bytes())?;
        w.write_all(&kind.to_be_bytes())?;
        w.write_all(&[0; 4].repeat((*size).into()))?;
    }
    Ok(())
}
