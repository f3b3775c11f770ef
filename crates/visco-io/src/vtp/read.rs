//! The reader.

use super::blocks;
use super::document::{Array, Content, Document, Place};
use crate::particles::{Column, Found, FrameFileError, Parsed, vectors, wrong};

/// Reads a file of VTK: positions, the point data that visco knows by name, and the time.
pub(crate) fn parse(bytes: &[u8]) -> Parsed<Found> {
    let document = Document::read(bytes)?;
    if !bytes.trim_ascii_end().ends_with(b"</VTKFile>") {
        return Err(wrong("the file ends before its last element does: it was cut off"));
    }
    let mut found = Found::default();
    let mut columns: Vec<(&str, Column)> = Vec::new();
    for (piece, points) in document.pieces.iter().map(|p| p.points).enumerate() {
        let of_piece = |place| document.arrays.iter().filter(move |a| a.piece == piece && a.place == place);
        match of_piece(Place::Points).next() {
            Some(array) => found.positions.extend(positions(&document, array, points)?),
            None if points == 0 => {}
            None => return Err(wrong("a piece without positions")),
        }
        for array in of_piece(Place::PointData).filter(|a| Found::knows(&a.name)) {
            let Column { components, values } = column(&document, array, points)?;
            match columns.iter_mut().find(|(name, c)| *name == array.name && c.components == components) {
                Some((_, column)) => column.values.extend(values),
                None => columns.push((&array.name, Column { components, values })),
            }
        }
    }
    for (name, mut column) in columns {
        if name.eq_ignore_ascii_case("conformation") && column.components == 6 {
            // VTK's order of a symmetric tensor is xx yy zz xy yz xz.
            column.values.chunks_exact_mut(6).for_each(|q| q.swap(4, 5));
        }
        // An array that not every piece has is none of the whole.
        if column.values.len() == column.components * found.positions.len() {
            found.take(name, &column)?;
        }
    }
    for array in document.arrays.iter().filter(|a| a.place == Place::Field) {
        let first = || -> Parsed<Option<f64>> { Ok(values(&document, array, 1)?.first().copied()) };
        match array.name.as_str() {
            "TimeValue" => found.time = first()?,
            "spacing" => found.spacing = first()?.map(|s| s as f32),
            "frame" => found.number = first()?.filter(|n| (0.0..4e9).contains(n)).map(|n| n as u32),
            _ => {}
        }
    }
    Ok(found)
}

fn positions(document: &Document, array: &Array, points: usize) -> Parsed<Vec<glam::Vec3>> {
    if array.components != 3 {
        return Err(wrong(format!("positions have {} components, expected 3", array.components)));
    }
    Ok(vectors(&column(document, array, points)?.values))
}

/// The numbers of an array, as many as its piece has points.
fn column(document: &Document, array: &Array, points: usize) -> Parsed<Column> {
    let components = array.components;
    let values = values(document, array, points)?;
    if components == 0 || values.len() / components < points {
        return Err(FrameFileError::Cut { found: values.len() / components.max(1), expected: points });
    }
    Ok(Column { components, values })
}

/// The numbers of an array of so many tuples.
fn values(document: &Document, array: &Array, tuples: usize) -> Parsed<Vec<f64>> {
    let too_large = || wrong(format!("array {} is too large", array.name));
    let count = tuples.checked_mul(array.components).ok_or_else(too_large)?;
    if let Content::Text(text) = array.content {
        let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let number = |word: &[u8]| str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        let bad = || wrong(format!("array {} holds what is not a number", array.name));
        return words.take(count).map(|word| number(word).ok_or_else(bad)).collect();
    }
    let size = match array.kind.as_str() {
        "Int8" | "UInt8" => 1,
        "Int16" | "UInt16" => 2,
        "Int32" | "UInt32" | "Float32" => 4,
        "Int64" | "UInt64" | "Float64" => 8,
        other => return Err(wrong(format!("array {} is of unknown type {other:?}", array.name))),
    };
    let bytes = blocks::bytes(document, array.content, count.checked_mul(size).ok_or_else(too_large)?)?;
    let number = |chunk: &[u8]| {
        let mut all = [0; 8];
        all[..size].copy_from_slice(chunk);
        if document.big_endian {
            all[..size].reverse();
        }
        decoded(&array.kind, u64::from_le_bytes(all))
    };
    Ok(bytes.chunks_exact(size).map(number).collect())
}

/// A number of a type from its bits.
fn decoded(kind: &str, bits: u64) -> f64 {
    match kind {
        "Int8" => (bits as i8).into(),
        "Int16" => (bits as i16).into(),
        "Int32" => (bits as i32).into(),
        "Int64" => bits as i64 as f64,
        "Float32" => f32::from_bits(bits as u32).into(),
        "Float64" => f64::from_bits(bits),
        _ => bits as f64,
    }
}
