//! Point clouds of other programs: positions, and what else they have under visco's names.

use super::elements::{Element, Numbers, header};
use super::{PlyError, read_from};
use crate::particles::{Column, Found, FrameFileError, Parsed, rows, vectors, wrong};

/// Reads a PLY file: strictly, if it is one of visco, else as far as it has particles.
pub(crate) fn parse(bytes: &[u8]) -> Parsed<Found> {
    match read_from(&mut &bytes[..]) {
        Ok(frame) => Ok(frame.into()),
        Err(PlyError::Cut { found, expected }) => Err(FrameFileError::Cut { found, expected }),
        Err(
            PlyError::Missing(_) | PlyError::Type { .. } | PlyError::Encoding(_) | PlyError::Header { .. },
        ) => foreign(bytes),
        Err(other) => Err(wrong(other.to_string())),
    }
}

fn foreign(bytes: &[u8]) -> Parsed<Found> {
    let (elements, mut numbers) = header(bytes).map_err(wrong)?;
    for element in &elements {
        if element.name == "vertex" {
            return vertices(element, &mut numbers);
        }
        for _ in 0..element.count {
            row(element, &mut numbers, |_, _| {})
                .ok_or_else(|| wrong(format!("element {} cannot be read", element.name)))?;
        }
    }
    Err(wrong("a PLY file without points: it has no element vertex"))
}

fn vertices(element: &Element, numbers: &mut Numbers) -> Parsed<Found> {
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); element.properties.len()];
    for found in 0..element.count {
        row(element, numbers, |property, value| columns[property].push(value))
            .ok_or(FrameFileError::Cut { found, expected: element.count })?;
    }
    let find = |name: &str| {
        let at = element.properties.iter().position(|p| p.name == name && p.list.is_none())?;
        Some(&columns[at][..])
    };
    let positions = rows(["x", "y", "z"].map(find));
    let positions = positions.ok_or_else(|| wrong("a PLY file without positions x, y and z"))?;
    let mut found = Found { positions: vectors(&positions), ..Found::default() };
    found.velocities = rows(["vx", "vy", "vz"].map(find)).map(|v| vectors(&v));
    found.take_tensor(find)?;
    for (property, values) in element.properties.iter().zip(&columns) {
        if property.list.is_none() {
            found.take(&property.name, &Column { components: 1, values: values.clone() })?;
        }
    }
    Ok(found)
}

/// Reads one row and gives its numbers; lists are read past.
fn row(element: &Element, numbers: &mut Numbers, mut take: impl FnMut(usize, f64)) -> Option<()> {
    for (i, property) in element.properties.iter().enumerate() {
        match property.list {
            None => take(i, numbers.next(property.kind)?),
            Some(length) => {
                for _ in 0..numbers.next(length)? as usize {
                    numbers.next(property.kind)?;
                }
            }
        }
    }
    Some(())
}
