//! Binary arrays: the bytes behind their header, decoded and decompressed.

use super::document::{Content, Document};
use crate::base64;
use crate::particles::{Parsed, wrong};
use flate2::read::ZlibDecoder;
use std::borrow::Cow;
use std::io::Read;

/// The bytes of an array; never more than `expected`.
pub(super) fn bytes<'a>(
    document: &Document<'a>,
    content: Content<'a>,
    expected: usize,
) -> Parsed<Cow<'a, [u8]>> {
    let source = match content {
        Content::Base64(text) => Source { bytes: text.trim_ascii(), is_text: true },
        Content::Appended(offset) => {
            let (bytes, raw) = document.appended.ok_or_else(|| wrong("the appended data is missing"))?;
            let bytes = bytes.get(offset..).ok_or_else(cut)?;
            Source { bytes, is_text: !raw }
        }
        Content::Text(_) => return Err(wrong("text where binary data was expected")),
    };
    match document.compressor.as_str() {
        "" => source.plain(document, expected),
        "vtkZLibDataCompressor" => source.compressed(document, expected, unzip),
        "vtkLZ4DataCompressor" => source.compressed(document, expected, unlz4),
        other => Err(wrong(format!("compressed by {other}, which is not read: zlib and LZ4 are"))),
    }
}

fn cut() -> crate::particles::FrameFileError {
    wrong("the file ends inside its data: it was cut off")
}

/// A block from its header on.
#[derive(Clone, Copy)]
struct Source<'a> {
    bytes: &'a [u8],
    is_text: bool,
}

impl<'a> Source<'a> {
    /// The first `length` bytes, decoded, and what comes after them, which in base64 begins with a new group.
    fn first(self, length: usize) -> Parsed<(Cow<'a, [u8]>, Self)> {
        if !self.is_text {
            let (first, bytes) = self.bytes.split_at_checked(length).ok_or_else(cut)?;
            return Ok((first.into(), Self { bytes, ..self }));
        }
        let digits = length.div_ceil(3).checked_mul(4).ok_or_else(cut)?;
        let (first, bytes) = self.bytes.split_at_checked(digits).ok_or_else(cut)?;
        let text = str::from_utf8(first).map_err(|_| wrong("damaged base64"))?;
        let mut decoded = base64::decode(text).ok_or_else(|| wrong("damaged base64"))?;
        if decoded.len() < length {
            return Err(cut());
        }
        decoded.truncate(length);
        Ok((decoded.into(), Self { bytes, ..self }))
    }

    /// A length, then that many bytes, in one run of base64.
    fn plain(self, document: &Document, expected: usize) -> Parsed<Cow<'a, [u8]>> {
        let size = document.header_size;
        let length = numbers(document, &self.first(size)?.0)[0];
        if length > expected {
            return Err(wrong(format!("an array of {length} bytes, expected {expected}")));
        }
        match self.first(size + length)?.0 {
            Cow::Borrowed(all) => Ok(all[size..].into()),
            Cow::Owned(mut all) => Ok(all.split_off(size).into()),
        }
    }

    /// The number of blocks, their size, that of the last one, their compressed sizes, then the blocks.
    fn compressed(
        self,
        document: &Document,
        expected: usize,
        unpack: fn(&[u8], usize) -> Parsed<Vec<u8>>,
    ) -> Parsed<Cow<'a, [u8]>> {
        let size = document.header_size;
        let start = numbers(document, &self.first(3 * size)?.0);
        let (count, block, last) = (start[0], start[1], start[2]);
        let header = count.checked_add(3).and_then(|n| n.checked_mul(size)).ok_or_else(cut)?;
        let (lengths, rest) = self.first(header)?;
        let lengths = &numbers(document, &lengths)[3..];
        let total = lengths.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n)).ok_or_else(cut)?;
        let (packed, _) = rest.first(total)?;
        let mut packed = &packed[..];
        let mut bytes = Vec::new();
        for (i, length) in lengths.iter().enumerate() {
            let (one, rest) = packed.split_at_checked(*length).ok_or_else(cut)?;
            packed = rest;
            let plain = if i + 1 == count && last > 0 { last } else { block };
            if bytes.len().checked_add(plain).is_none_or(|sum| sum > expected) {
                return Err(wrong(format!("an array of more than {expected} bytes")));
            }
            bytes.extend(unpack(one, plain)?);
        }
        Ok(bytes.into())
    }
}

/// Numbers of a header.
fn numbers(document: &Document, bytes: &[u8]) -> Vec<usize> {
    let one = |chunk: &[u8]| {
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        let number = match document.big_endian {
            true => chunk.iter().fold(0, add),
            false => chunk.iter().rev().fold(0, add),
        };
        usize::try_from(number).unwrap_or(usize::MAX)
    };
    bytes.chunks_exact(document.header_size).map(one).collect()
}

fn unzip(packed: &[u8], length: usize) -> Parsed<Vec<u8>> {
    let mut plain = Vec::new();
    ZlibDecoder::new(packed)
        .take(length as u64 + 1)
        .read_to_end(&mut plain)
        .map_err(|e| wrong(format!("damaged zlib data: {e}")))?;
    of_length(plain, length)
}

/// LZ4 packs at most 255 to 1: a block that claims more is damaged, and its length is not reserved.
fn unlz4(packed: &[u8], length: usize) -> Parsed<Vec<u8>> {
    if length / 256 > packed.len() {
        return Err(wrong("damaged LZ4 data"));
    }
    let plain =
        lz4_flex::block::decompress(packed, length).map_err(|e| wrong(format!("damaged LZ4 data: {e}")))?;
    of_length(plain, length)
}

fn of_length(plain: Vec<u8>, length: usize) -> Parsed<Vec<u8>> {
    if plain.len() == length {
        Ok(plain)
    } else {
        Err(wrong("a compressed block of another length than announced"))
    }
}
