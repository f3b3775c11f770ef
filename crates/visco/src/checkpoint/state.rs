//! The bytes of a state: values one after the other, each read back as the type that was written.

use super::CheckpointError;
use serde::{Deserialize, Serialize};

/// Takes the parts of a simulation's state.
#[derive(Debug, Default)]
pub struct StateWriter {
    bytes: Vec<u8>,
}

impl StateWriter {
    /// Adds a part.
    pub(crate) fn put(&mut self, part: &impl Serialize) {
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = postcard::to_extend(part, bytes)
            .expect("a state holds nothing that cannot be written: no odd maps");
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Gives the parts back, in their order.
#[derive(Debug)]
pub struct StateReader<'a> {
    rest: &'a [u8],
}

impl<'a> StateReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Reads a part.
    pub(crate) fn get<T: Deserialize<'a>>(&mut self) -> Result<T, CheckpointError> {
        let damaged = |_| CheckpointError::Damaged("its state cannot be read");
        let (part, rest) = postcard::take_from_bytes(self.rest).map_err(damaged)?;
        self.rest = rest;
        Ok(part)
    }

    /// Everything must have been read.
    pub(super) fn finish(self) -> Result<(), CheckpointError> {
        expect(self.rest.is_empty(), "its state is longer than it should be")
    }
}

/// A state that does not fit together is damaged.
pub(crate) fn expect(holds: bool, otherwise: &'static str) -> Result<(), CheckpointError> {
    if holds { Ok(()) } else { Err(CheckpointError::Damaged(otherwise)) }
}
