//! The reader.

use super::header::Header;
use super::{BASIC, CONFORMATION, PlyError, Property};
use crate::{Error, Result};
use glam::Vec3;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use visco::Frame;

/// Reads a frame from a file that [`write`](super::write()) wrote.
pub fn read(path: &Path) -> Result<Frame> {
    let file = File::open(path).map_err(Error::file("read", path))?;
    read_from(&mut BufReader::with_capacity(1 << 18, file))
        .map_err(|source| Error::Ply { path: path.to_owned(), source })
}

/// Reads a frame as [`write_to`](super::write_to) writes it.
///
/// Properties that visco does not know are skipped. A file without visco's comments has time,
/// number and spacing zero.
pub fn read_from(reader: &mut impl BufRead) -> std::result::Result<Frame, PlyError> {
    let header = Header::read(reader)?;
    let columns = Columns::find(&header)?;
    // Not reserved from the count in the header: a damaged one would ask for all memory.
    let mut frame = Frame {
        number: header.number,
        time: header.time,
        spacing: header.spacing,
        conformations: columns.conformation.map(|_| Vec::new()),
        ..Frame::default()
    };
    let mut row = vec![0; header.stride];
    for found in 0..header.count {
        reader.read_exact(&mut row).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => PlyError::Cut { found, expected: header.count },
            _ => error.into(),
        })?;
        columns.push(&row, &mut frame);
    }
    if !header.more_elements && reader.read(&mut [0])? != 0 {
        return Err(PlyError::TooLong);
    }
    Ok(frame)
}

/// Where the properties lie in a particle's bytes.
struct Columns {
    basic: [usize; BASIC.len()],
    conformation: Option<[usize; CONFORMATION.len()]>,
}

impl Columns {
    fn find(header: &Header) -> std::result::Result<Self, PlyError> {
        let has_conformation = header.offset(CONFORMATION[0])?.is_some();
        Ok(Self {
            basic: offsets(header, &BASIC)?,
            conformation: has_conformation.then(|| offsets(header, &CONFORMATION)).transpose()?,
        })
    }

    fn push(&self, row: &[u8], frame: &mut Frame) {
        let [x, y, z, vx, vy, vz, id, material, density] = self.basic;
        let vector = |x, y, z| Vec3::new(float(row, x), float(row, y), float(row, z));
        frame.positions.push(vector(x, y, z));
        frame.velocities.push(vector(vx, vy, vz));
        frame.ids.push(u32::from_le_bytes(four(row, id)));
        frame.materials.push(row[material]);
        frame.densities.push(float(row, density));
        if let (Some(offsets), Some(q)) = (self.conformation, &mut frame.conformations) {
            q.push(offsets.map(|at| float(row, at)));
        }
    }
}

fn offsets<const N: usize>(
    header: &Header,
    properties: &[Property; N],
) -> std::result::Result<[usize; N], PlyError> {
    let mut found = [0; N];
    for (at, property) in found.iter_mut().zip(properties) {
        *at = header.offset(*property)?.ok_or(PlyError::Missing(property.name))?;
    }
    Ok(found)
}

fn four(row: &[u8], at: usize) -> [u8; 4] {
    [row[at], row[at + 1], row[at + 2], row[at + 3]]
}

fn float(row: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(four(row, at))
}
