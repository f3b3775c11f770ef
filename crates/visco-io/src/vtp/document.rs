//! The XML around the arrays.

use crate::particles::{Parsed, wrong};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// What a file says, with its arrays not yet decoded.
#[derive(Debug, Default)]
pub(super) struct Document<'a> {
    pub(super) big_endian: bool,
    /// Bytes of the numbers that tell the lengths of blocks.
    pub(super) header_size: usize,
    pub(super) compressor: String,
    pub(super) arrays: Vec<Array<'a>>,
    pub(super) pieces: Vec<Piece>,
    /// What follows the mark `_` of the appended data, and whether it is raw, not base64.
    pub(super) appended: Option<(&'a [u8], bool)>,
}

/// A part of the points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) points: usize,
}

/// An array as it is announced.
#[derive(Debug)]
pub(super) struct Array<'a> {
    pub(super) place: Place,
    /// Number of its piece.
    pub(super) piece: usize,
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) components: usize,
    pub(super) content: Content<'a>,
}

/// What an array belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Field,
    PointData,
    Points,
    Other,
}

/// Where the numbers are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    Text(&'a [u8]),
    Base64(&'a [u8]),
    Appended(usize),
}

impl<'a> Document<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Parsed<Self> {
        let mut document = Self { header_size: 4, ..Self::default() };
        let mut reader = Reader::from_reader(bytes);
        let (mut is_vtk, mut place) = (false, Place::Other);
        loop {
            let event = reader.read_event().map_err(|e| wrong(format!("not an XML file of VTK: {e}")))?;
            let position = reader.buffer_position() as usize;
            let (tag, is_empty) = match &event {
                Event::Start(tag) => (tag, false),
                Event::Empty(tag) => (tag, true),
                Event::End(tag) => {
                    match tag.name().as_ref() {
                        "FieldData" | "PointData" | "Points" => place = Place::Other,
                        "VTKFile" => return document.checked(is_vtk),
                        _ => {}
                    }
                    continue;
                }
                Event::Eof => return Err(wrong("the file ends inside its XML: it was cut off")),
                _ => continue,
            };
            match tag.name().as_ref() {
                "VTKFile" => {
                    is_vtk = true;
                    document.file(tag)?;
                }
                "Piece" => {
                    let points = number(tag, "NumberOfPoints")?;
                    document
                        .pieces
                        .push(Piece { points: points.ok_or_else(|| wrong("a piece without points"))? });
                }
                // An element without content has no arrays and no end.
                "FieldData" if !is_empty => place = Place::Field,
                "PointData" if !is_empty => place = Place::PointData,
                "Points" if !is_empty => place = Place::Points,
                "DataArray" => document.array(tag, place, &bytes[position..])?,
                "AppendedData" => {
                    let raw = attribute(tag, "encoding")?.as_deref() == Some("raw");
                    document.appended = Some((after_mark(&bytes[position..])?, raw));
                    // What comes now is no XML.
                    return document.checked(is_vtk);
                }
                _ => {}
            }
        }
    }

    fn checked(self, is_vtk: bool) -> Parsed<Self> {
        if is_vtk { Ok(self) } else { Err(wrong("an XML file, but not of VTK")) }
    }

    fn file(&mut self, tag: &BytesStart) -> Parsed<()> {
        let kind = attribute(tag, "type")?.unwrap_or_default();
        if kind != "PolyData" && kind != "UnstructuredGrid" {
            return Err(wrong(format!(
                "a VTK file of type {kind}: PolyData and UnstructuredGrid hold particles"
            )));
        }
        self.big_endian = attribute(tag, "byte_order")?.as_deref() == Some("BigEndian");
        self.header_size = match attribute(tag, "header_type")?.as_deref() {
            None | Some("UInt32") => 4,
            Some("UInt64") => 8,
            Some(other) => return Err(wrong(format!("header_type {other:?} is not known"))),
        };
        self.compressor = attribute(tag, "compressor")?.unwrap_or_default();
        Ok(())
    }

    fn array(&mut self, tag: &BytesStart, place: Place, after: &'a [u8]) -> Parsed<()> {
        let name = attribute(tag, "Name")?.unwrap_or_default();
        let text = &after[..after.iter().position(|b| *b == b'<').unwrap_or(after.len())];
        let content = match attribute(tag, "format")?.as_deref() {
            Some("appended") => {
                let offset = number(tag, "offset")?;
                Content::Appended(offset.ok_or_else(|| wrong(format!("array {name} has no offset")))?)
            }
            Some("binary") => Content::Base64(text),
            Some("ascii") | None => Content::Text(text),
            Some(other) => return Err(wrong(format!("array {name} in unknown format {other:?}"))),
        };
        let array = Array {
            place,
            piece: self.pieces.len().saturating_sub(1),
            name,
            kind: attribute(tag, "type")?.unwrap_or_default(),
            components: number(tag, "NumberOfComponents")?.unwrap_or(1),
            content,
        };
        self.arrays.push(array);
        Ok(())
    }
}

/// What follows the underscore, and nothing but blanks before it.
fn after_mark(bytes: &[u8]) -> Parsed<&[u8]> {
    bytes.trim_ascii_start().strip_prefix(b"_").ok_or_else(|| wrong("the appended data has no beginning"))
}

fn attribute(tag: &BytesStart, name: &str) -> Parsed<Option<String>> {
    let damaged = |e: String| wrong(format!("attribute {name} of an element is damaged: {e}"));
    let Some(found) = tag.try_get_attribute(name).map_err(|e| damaged(e.to_string()))? else {
        return Ok(None);
    };
    let value = found.normalized_value(XmlVersion::Implicit1_0).map_err(|e| damaged(e.to_string()))?;
    Ok(Some(value.into_owned()))
}

fn number(tag: &BytesStart, name: &str) -> Parsed<Option<usize>> {
    attribute(tag, name)?
        .map(|text| text.trim().parse().map_err(|_| wrong(format!("{name} = {text:?} is not a number"))))
        .transpose()
}
