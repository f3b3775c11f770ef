//! Where lists begin that lie one after the other, as their lengths: for `#[serde(with = "offsets")]`.

use super::raw;
use serde::de::{Deserializer, Error};
use serde::ser::Serializer;

/// The first offset must be 0; no list may be longer than a `u32` counts.
pub(crate) fn serialize<S: Serializer>(starts: &[usize], serializer: S) -> Result<S::Ok, S::Error> {
    let lengths: Vec<u32> = starts.windows(2).map(|pair| (pair[1] - pair[0]) as u32).collect();
    raw::serialize(&lengths, serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<usize>, D::Error> {
    let lengths: Vec<u32> = raw::deserialize(deserializer)?;
    let mut starts = Vec::with_capacity(lengths.len() + 1);
    let mut end = 0_usize;
    starts.push(end);
    for length in lengths {
        let too_long = || D::Error::custom("lists longer than the memory");
        end = end.checked_add(length as usize).ok_or_else(too_long)?;
        starts.push(end);
    }
    Ok(starts)
}
