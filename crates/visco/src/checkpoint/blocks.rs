//! Bytes as compressed blocks, each with its checksum.

use super::CheckpointError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// Bytes of a block before compression.
const BLOCK: usize = 1 << 18;
/// LZ4 makes of a byte at most so many.
const GREATEST_RATIO: u64 = 255;

/// The blocks of a file, in its header.
#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) struct Index {
    /// Bytes before compression.
    pub(super) length: u64,
    /// Compressed bytes and checksum of every block.
    blocks: Vec<(u32, u32)>,
}

impl Index {
    /// Compressed bytes of all blocks.
    fn compressed(&self) -> u64 {
        self.blocks.iter().map(|(bytes, _)| u64::from(*bytes)).sum()
    }

    /// Bytes before compression of the block with this index.
    fn length_of(&self, block: usize) -> u64 {
        (self.length - block as u64 * BLOCK as u64).min(BLOCK as u64)
    }

    /// Whether the blocks can hold what they say, so that no file makes its reader allocate what it cannot fill.
    fn is_plausible(&self) -> bool {
        self.blocks.len() as u64 == self.length.div_ceil(BLOCK as u64)
            && self
                .blocks
                .iter()
                .enumerate()
                .all(|(k, (bytes, _))| self.length_of(k) <= GREATEST_RATIO * u64::from(*bytes))
    }
}

/// Compresses bytes.
pub(super) fn compress(bytes: &[u8]) -> (Index, Vec<Vec<u8>>) {
    let blocks: Vec<Vec<u8>> = bytes.par_chunks(BLOCK).map(lz4_flex::block::compress).collect();
    let entry = |block: &Vec<u8>| (block.len() as u32, crc32fast::hash(block));
    (Index { length: bytes.len() as u64, blocks: blocks.par_iter().map(entry).collect() }, blocks)
}

pub(super) fn write(blocks: &[Vec<u8>], to: &mut impl Write) -> io::Result<()> {
    blocks.iter().try_for_each(|block| to.write_all(block))
}

/// Reads the blocks of an index, to the end of the file.
pub(super) fn read(index: &Index, from: &mut impl Read) -> Result<Vec<u8>, CheckpointError> {
    if !index.is_plausible() {
        return Err(CheckpointError::Damaged("its blocks cannot hold what they should"));
    }
    let mut compressed = Vec::new();
    // One byte more would show that the file goes on.
    from.take(index.compressed() + 1).read_to_end(&mut compressed)?;
    match (compressed.len() as u64).cmp(&index.compressed()) {
        std::cmp::Ordering::Less => return Err(CheckpointError::Truncated),
        std::cmp::Ordering::Equal => {}
        std::cmp::Ordering::Greater => {
            return Err(CheckpointError::Damaged("it is longer than it should be"));
        }
    }
    let mut rest = compressed.as_slice();
    let mut parts = Vec::with_capacity(index.blocks.len());
    for (bytes, checksum) in &index.blocks {
        let (block, tail) = rest.split_at(*bytes as usize);
        parts.push((block, *checksum));
        rest = tail;
    }
    let whole = |(block, checksum): &(&[u8], u32)| crc32fast::hash(block) == *checksum;
    if !parts.par_iter().all(whole) {
        return Err(CheckpointError::Damaged("a checksum is wrong"));
    }
    let Ok(length) = usize::try_from(index.length) else {
        return Err(CheckpointError::Damaged("it is larger than the memory"));
    };
    let mut bytes = vec![0; length];
    let unpack = |(to, (block, _)): (&mut [u8], &(&[u8], u32))| {
        lz4_flex::block::decompress_into(block, to).is_ok_and(|written| written == to.len())
    };
    if !bytes.par_chunks_mut(BLOCK).zip(&parts).map(unpack).reduce(|| true, |a, b| a && b) {
        return Err(CheckpointError::Damaged("a block cannot be unpacked"));
    }
    Ok(bytes)
}
