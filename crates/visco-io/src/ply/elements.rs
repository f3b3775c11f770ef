//! PLY files of any kind: text or binary in either order of bytes, any elements and properties.

/// What is wrong, in words.
type Parsed<T> = std::result::Result<T, String>;

/// A type of numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn parse(name: &str) -> Parsed<Self> {
        Ok(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return Err(format!("unknown type {name:?}")),
        })
    }
}

/// A property of an element.
pub(crate) struct Property {
    pub(crate) name: String,
    /// Type of the length of a list.
    pub(crate) list: Option<Kind>,
    pub(crate) kind: Kind,
}

/// An element, such as `vertex` or `face`.
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) count: usize,
    pub(crate) properties: Vec<Property>,
}

/// How numbers are written.
#[derive(Clone, Copy)]
pub(crate) enum Encoding {
    Text,
    Little,
    Big,
}

/// What is left of the file after what has been read.
pub(crate) struct Numbers<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
}

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.bytes.split_first_chunk()?;
        let mut found = *first;
        self.bytes = rest;
        if matches!(self.encoding, Encoding::Big) {
            found.reverse();
        }
        Some(found)
    }

    /// The next number; `None` where the file ends, or has no number.
    pub(crate) fn next(&mut self, kind: Kind) -> Option<f64> {
        if matches!(self.encoding, Encoding::Text) {
            let rest = self.bytes.trim_ascii_start();
            let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            let (word, rest) = rest.split_at(end);
            self.bytes = rest;
            return str::from_utf8(word).ok()?.parse().ok();
        }
        Some(match kind {
            Kind::I8 => i8::from_le_bytes(self.take()?).into(),
            Kind::U8 => u8::from_le_bytes(self.take()?).into(),
            Kind::I16 => i16::from_le_bytes(self.take()?).into(),
            Kind::U16 => u16::from_le_bytes(self.take()?).into(),
            Kind::I32 => i32::from_le_bytes(self.take()?).into(),
            Kind::U32 => u32::from_le_bytes(self.take()?).into(),
            Kind::F32 => f32::from_le_bytes(self.take()?).into(),
            Kind::F64 => f64::from_le_bytes(self.take()?),
        })
    }
}

/// The elements that the header announces, and what follows it.
pub(crate) fn header(bytes: &[u8]) -> Parsed<(Vec<Element>, Numbers<'_>)> {
    let mut elements: Vec<Element> = Vec::new();
    let mut encoding = None;
    let mut rest = bytes;
    for number in 1.. {
        let Some(end) = rest.iter().take(4096).position(|b| *b == b'\n') else {
            return Err("ends inside its header, or is no PLY file".into());
        };
        let line = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = &rest[end + 1..];
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let wrong = |message: &str| format!("line {number} of the header, {:?}: {message}", line.trim());
        match words[..] {
            ["ply"] if number == 1 => {}
            _ if number == 1 => return Err("not a PLY file".into()),
            ["comment" | "obj_info", ..] | [] => {}
            ["format", "ascii", _] => encoding = Some(Encoding::Text),
            ["format", "binary_little_endian", _] => encoding = Some(Encoding::Little),
            ["format", "binary_big_endian", _] => encoding = Some(Encoding::Big),
            ["element", name, count] => {
                let count = count.parse().map_err(|_| wrong("is not a number"))?;
                elements.push(Element { name: name.into(), count, properties: Vec::new() });
            }
            ["property", ref kind @ .., name] => {
                let element = elements.last_mut().ok_or_else(|| wrong("comes before any element"))?;
                let (list, kind) = match *kind {
                    ["list", length, kind] => (Some(Kind::parse(length)?), Kind::parse(kind)?),
                    [kind] => (None, Kind::parse(kind)?),
                    _ => return Err(wrong("is not understood")),
                };
                element.properties.push(Property { name: name.into(), list, kind });
            }
            ["end_header"] => break,
            _ => return Err(wrong("is not understood")),
        }
    }
    if let Some(empty) = elements.iter().find(|e| e.properties.is_empty() && e.count > 0) {
        return Err(format!("element {} has no properties", empty.name));
    }
    let encoding = encoding.ok_or("the header names no format")?;
    Ok((elements, Numbers { bytes: rest, encoding }))
}
