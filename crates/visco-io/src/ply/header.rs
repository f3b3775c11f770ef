//! The header: what the file says about its particles.

use super::{Kind, PlyError, Property};
use std::io::{BufRead, Read};

/// Longest line and longest header that are read: a foreign file must not fill the memory.
const MAX_LINE: u64 = 4096;
const MAX_LINES: usize = 10_000;

/// What a header says.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) time: f64,
    pub(super) number: u32,
    pub(super) spacing: f32,
    /// Number of particles.
    pub(super) count: usize,
    /// Bytes of a particle.
    pub(super) stride: usize,
    /// Whether other elements come after the particles.
    pub(super) more_elements: bool,
    /// Name, type as written, and offset in the particle's bytes.
    columns: Vec<(String, String, usize)>,
}

impl Header {
    /// Reads up to and with the line `end_header`.
    pub(super) fn read(reader: &mut impl BufRead) -> Result<Self, PlyError> {
        let mut magic = String::new();
        if !read_line(reader, &mut magic).is_ok_and(|complete| complete) || magic != "ply" {
            // A file that was cut inside its first line cannot be told from a foreign one.
            return Err(PlyError::NotPly);
        }
        let mut header = Self::default();
        let mut parser = Parser::default();
        let mut line = String::new();
        for number in 2..MAX_LINES {
            if !read_line(reader, &mut line)? {
                return Err(PlyError::CutHeader);
            }
            if line == "end_header" {
                if !parser.format || !parser.vertex {
                    let message = "ends without a format and an element vertex".into();
                    return Err(PlyError::Header { line: number, message });
                }
                return Ok(header);
            }
            parser.line(&line, &mut header).map_err(|error| match error {
                LineError::Message(message) => PlyError::Header { line: number, message },
                LineError::Other(error) => error,
            })?;
        }
        let message = "the header does not end".into();
        Err(PlyError::Header { line: MAX_LINES, message })
    }

    /// Where a property lies in the particle's bytes; `None` if the file does not have it.
    pub(super) fn offset(&self, property: Property) -> Result<Option<usize>, PlyError> {
        let Some((_, kind, offset)) = self.columns.iter().find(|c| c.0 == property.name) else {
            return Ok(None);
        };
        let accepted: &[&str] = match property.kind {
            Kind::Float => &["float", "float32"],
            Kind::Uint => &["uint", "uint32"],
            Kind::Uchar => &["uchar", "uint8"],
        };
        if accepted.contains(&kind.as_str()) {
            return Ok(Some(*offset));
        }
        Err(PlyError::Type { name: property.name, found: kind.clone(), expected: property.kind.name() })
    }
}

/// Where the reading of a header stands.
#[derive(Debug, Default)]
struct Parser {
    format: bool,
    vertex: bool,
}

enum LineError {
    Message(String),
    Other(PlyError),
}

impl From<String> for LineError {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

impl Parser {
    fn line(&mut self, line: &str, header: &mut Header) -> Result<(), LineError> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["comment", key, value] => comment(key, value, header),
            ["comment" | "obj_info", ..] | [] => {}
            ["format", "binary_little_endian", "1.0"] => self.format = true,
            ["format", other, ..] => {
                return Err(LineError::Other(PlyError::Encoding(other.to_owned())));
            }
            ["element", "vertex", count] if !self.vertex => {
                self.vertex = true;
                header.count =
                    count.parse().map_err(|_| format!("{count:?} is not a number of particles"))?;
            }
            ["element", _, _] if self.vertex => header.more_elements = true,
            ["element", name, _] => {
                return Err(format!("element {name} before element vertex is not supported").into());
            }
            // Properties of the elements after the particles, which are not read.
            ["property", ..] if header.more_elements => {}
            ["property", "list", ..] if self.vertex => {
                return Err("particles with lists are not supported".to_owned().into());
            }
            ["property", kind, name] if self.vertex => header.column(kind, name)?,
            _ => return Err(format!("{line:?} is not understood").into()),
        }
        Ok(())
    }
}

impl Header {
    fn column(&mut self, kind: &str, name: &str) -> Result<(), String> {
        let size = match kind {
            "char" | "uchar" | "int8" | "uint8" => 1,
            "short" | "ushort" | "int16" | "uint16" => 2,
            "int" | "uint" | "float" | "int32" | "uint32" | "float32" => 4,
            "double" | "float64" => 8,
            _ => return Err(format!("unknown type {kind:?}")),
        };
        if self.columns.iter().any(|c| c.0 == name) {
            return Err(format!("property {name} comes twice"));
        }
        self.columns.push((name.to_owned(), kind.to_owned(), self.stride));
        self.stride += size;
        Ok(())
    }
}

/// Takes time, number and spacing; other comments are other people's.
fn comment(key: &str, value: &str, header: &mut Header) {
    match key {
        "time" => header.time = value.parse().unwrap_or(header.time),
        "frame" => header.number = value.parse().unwrap_or(header.number),
        "spacing" => header.spacing = value.parse().unwrap_or(header.spacing),
        _ => {}
    }
}

/// Reads a line without its end; false if the file ends, or the line does not, before that.
fn read_line(reader: &mut impl BufRead, line: &mut String) -> Result<bool, PlyError> {
    let mut bytes = Vec::new();
    reader.take(MAX_LINE).read_until(b'\n', &mut bytes)?;
    let complete = bytes.last() == Some(&b'\n');
    while let Some(b'\n' | b'\r') = bytes.last() {
        bytes.pop();
    }
    line.clear();
    line.push_str(&String::from_utf8_lossy(&bytes));
    Ok(complete)
}
