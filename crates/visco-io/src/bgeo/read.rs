//! The reader.

use super::{FLOAT, INDEX, INT, JSON_MAGIC, MAGIC, STRING, VECTOR, VERSION};
use crate::particles::{Column, Found, FrameFileError, Parsed, wrong};
use flate2::read::MultiGzDecoder;
use glam::Vec3;
use std::io::Read;

/// Reads a file that is compressed as a whole.
pub(crate) fn parse_gzip(bytes: &[u8]) -> Parsed<Found> {
    let mut plain = Vec::new();
    MultiGzDecoder::new(bytes).read_to_end(&mut plain).map_err(|e| wrong(format!("damaged gzip: {e}")))?;
    parse(&plain)
}

/// Reads a classic BGEO file. Of its primitives, vertices and groups nothing is read.
pub(crate) fn parse(bytes: &[u8]) -> Parsed<Found> {
    if bytes.starts_with(JSON_MAGIC) {
        return Err(wrong(
            "BGEO in Houdini's newer format: the classic one is read (in Houdini, write .bhclassic)",
        ));
    }
    let mut rest = Rest { bytes };
    if rest.take(4)? != MAGIC || rest.take(1)? != b"V" {
        return Err(wrong("not a classic BGEO file"));
    }
    let version = rest.u32()?;
    if version != VERSION {
        return Err(wrong(format!("BGEO of version {version}: visco reads version {VERSION}")));
    }
    let mut counts = [0; 8];
    for count in &mut counts {
        *count = rest.u32()?;
    }
    let [points, primitives, _, _, of_points, of_vertices, of_primitives, of_detail] = counts;
    let attributes = rest.definitions(of_points)?;
    let (mut found, columns) = rest.points(points as usize, &attributes)?;
    for (attribute, column) in attributes.iter().zip(&columns) {
        found.take(&attribute.name, column)?;
    }
    let single = |name: &str| {
        let at = attributes.iter().position(|a| a.name == name && a.size == 1)?;
        Some(&columns[at].values[..])
    };
    found.take_tensor(single)?;
    // What the whole geometry has comes after primitives, whose length is not known.
    if primitives == 0 && of_vertices == 0 && of_primitives == 0 {
        for attribute in rest.definitions(of_detail).and_then(|a| rest.values(a))? {
            match (attribute.0.as_str(), attribute.1) {
                ("time", Word::Float(time)) => found.time = Some(time.into()),
                ("spacing", Word::Float(spacing)) => found.spacing = Some(spacing),
                ("frame", Word::Int(number)) => found.number = u32::try_from(number).ok(),
                _ => {}
            }
        }
        if !rest.bytes.ends_with(&[0xff]) {
            return Err(wrong("the file ends without its end mark: it was cut off"));
        }
    }
    Ok(found)
}

/// An attribute's definition.
struct Attribute {
    name: String,
    size: usize,
    kind: u32,
}

/// A number of 32 bits.
#[derive(Clone, Copy)]
enum Word {
    Float(f32),
    Int(i32),
}

impl Attribute {
    fn word(&self, bits: u32) -> Word {
        match self.kind {
            FLOAT | VECTOR => Word::Float(f32::from_bits(bits)),
            _ => Word::Int(bits as i32),
        }
    }

    /// A number of a particle. Ids are unsigned, whatever the format calls them.
    fn number(&self, bits: u32) -> f64 {
        match self.word(bits) {
            Word::Float(value) => value.into(),
            Word::Int(_) if self.name == "id" => bits.into(),
            Word::Int(value) => value.into(),
        }
    }
}

/// What is left of a file.
struct Rest<'a> {
    bytes: &'a [u8],
}

impl<'a> Rest<'a> {
    fn take(&mut self, n: usize) -> Parsed<&'a [u8]> {
        let (taken, rest) = self
            .bytes
            .split_at_checked(n)
            .ok_or_else(|| wrong("the file ends inside its header: it was cut off"))?;
        self.bytes = rest;
        Ok(taken)
    }

    fn u16(&mut self) -> Parsed<u16> {
        Ok(u16::from_be_bytes(self.take(2)?.try_into().unwrap_or_default()))
    }

    fn u32(&mut self) -> Parsed<u32> {
        Ok(word(self.take(4)?))
    }

    fn text(&mut self) -> Parsed<String> {
        let length = self.u16()?;
        Ok(String::from_utf8_lossy(self.take(length.into())?).into_owned())
    }

    fn definitions(&mut self, count: u32) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        for _ in 0..count {
            let name = self.text()?;
            let size = usize::from(self.u16()?);
            let kind = self.u32()?;
            match kind {
                FLOAT | INT | VECTOR => {
                    self.take(4 * size)?;
                }
                INDEX => {
                    for _ in 0..self.u32()? {
                        self.text()?;
                    }
                }
                STRING => return Err(wrong(format!("attribute {name} holds strings, which are not read"))),
                _ => return Err(wrong(format!("attribute {name} is of unknown type {kind}"))),
            }
            attributes.push(Attribute { name, size, kind });
        }
        Ok(attributes)
    }

    /// Positions, and a column for every attribute: empty for one that is not asked for.
    fn points(&mut self, count: usize, attributes: &[Attribute]) -> Parsed<(Found, Vec<Column>)> {
        let words = 4 + attributes.iter().map(|a| a.size).sum::<usize>();
        let expected = count.saturating_mul(4 * words);
        if self.bytes.len() < expected {
            return Err(FrameFileError::Cut { found: self.bytes.len() / (4 * words), expected: count });
        }
        let rows = self.take(expected)?;
        let at = |row: &[u8], k: usize| word(&row[4 * k..4 * k + 4]);
        let position = |row: &[u8]| Vec3::from_array([0, 1, 2].map(|k| f32::from_bits(at(row, k))));
        let positions = rows.chunks_exact(4 * words).map(position).collect();
        let mut offset = 4;
        let mut columns = Vec::new();
        for attribute in attributes {
            let mut column = Column { components: attribute.size, values: Vec::new() };
            if Found::knows(&attribute.name) && attribute.kind != INDEX {
                let range = offset..offset + attribute.size;
                let of_row = |row| range.clone().map(move |k| attribute.number(at(row, k)));
                column.values = rows.chunks_exact(4 * words).flat_map(of_row).collect();
            } else {
                column.components = 0;
            }
            columns.push(column);
            offset += attribute.size;
        }
        Ok((Found { positions, ..Found::default() }, columns))
    }

    /// The first number of each attribute of the whole geometry.
    fn values(&mut self, attributes: Vec<Attribute>) -> Parsed<Vec<(String, Word)>> {
        let mut values = Vec::new();
        for attribute in attributes {
            let bytes = self.take(4 * attribute.size)?;
            if !bytes.is_empty() {
                let first = attribute.word(word(&bytes[..4]));
                values.push((attribute.name, first));
            }
        }
        Ok(values)
    }
}

/// Four bytes as a number.
fn word(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes.try_into().unwrap_or_default())
}
