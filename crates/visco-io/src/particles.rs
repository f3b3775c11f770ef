//! Particle frames of any format, of visco and of others.

mod completed;
mod spacing;

use crate::{Error, Format, Result, bgeo, ply, usd, vtp};
pub(crate) use completed::{Column, Found, TENSOR, rows, vectors};
use std::fs;
use std::path::Path;
use visco::Frame;

/// What is wrong with the content of a frame.
#[derive(Debug, thiserror::Error)]
pub enum FrameFileError {
    /// Neither the name nor the first bytes are those of a format that is read.
    #[error("not a frame of particles: PLY, VTP and BGEO (.ply, .vtp, .bgeo, .bgeo.gz) are read")]
    Unknown,
    /// USD is written only.
    #[error("USD is written, not read: convert the frame's PLY, VTP or BGEO file instead")]
    Usd,
    /// The file ends too early.
    #[error("the file ends after {found} of {expected} particles: it was cut off")]
    Cut {
        /// Particles that are complete.
        found: usize,
        /// Particles that the file announces.
        expected: usize,
    },
    /// The content is damaged, or of a kind that is not read.
    #[error("{0}")]
    Content(String),
}

/// Result of a reader.
pub(crate) type Parsed<T> = std::result::Result<T, FrameFileError>;

/// For `map_err` and `ok_or_else`: what is wrong, in words.
pub(crate) fn wrong(message: impl Into<String>) -> FrameFileError {
    FrameFileError::Content(message.into())
}

/// Writes a frame to a file, completely or not at all.
pub fn write(path: &Path, frame: &Frame, format: Format) -> Result<()> {
    match format {
        Format::Ply => ply::write(path, frame),
        Format::Vtp => vtp::write(path, frame),
        Format::Bgeo => bgeo::write(path, frame),
        Format::Usd => usd::write(path, frame),
    }
}

/// Reads a frame of any format that is read; the first bytes say which it is.
///
/// Files of other programs need positions alone. What else is missing is filled in: numbers from 0 as ids, no velocity,
/// material 0, density 0, the mean distance of nearest particles as spacing, the number that ends the file's name as
/// number of the frame.
pub fn read(path: &Path) -> Result<Frame> {
    let bytes = fs::read(path).map_err(Error::file("read", path))?;
    parse(&bytes)
        .map(|found| found.complete(number_of(path)))
        .map_err(|source| Error::Frame { path: path.to_owned(), source })
}

fn parse(bytes: &[u8]) -> Parsed<Found> {
    let text = bytes.trim_ascii_start();
    if bytes.starts_with(b"ply") {
        ply::parse(bytes)
    } else if bytes.starts_with(bgeo::MAGIC) || bytes.starts_with(bgeo::JSON_MAGIC) {
        bgeo::parse(bytes)
    } else if bytes.starts_with(&bgeo::GZIP_MAGIC) {
        bgeo::parse_gzip(bytes)
    } else if text.starts_with(b"<?xml") || text.starts_with(b"<VTKFile") {
        vtp::parse(bytes)
    } else if bytes.starts_with(usd::MAGIC) || bytes.starts_with(b"#usda") {
        Err(FrameFileError::Usd)
    } else {
        Err(FrameFileError::Unknown)
    }
}

/// The number that ends a file's name, before its extension; 0 if there is none.
pub fn number_of(path: &Path) -> u32 {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    let digits = stem.len() - stem.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    stem[stem.len() - digits..].parse().unwrap_or(0)
}

#[cfg(test)]
mod tests;
