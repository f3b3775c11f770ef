//! Whole numbers as their differences, each from the one before: for `#[serde(with = "deltas")]`. Sorted lists have small
//! ones that repeat, and pack well.

use super::raw;
use serde::de::Deserializer;
use serde::ser::Serializer;

pub(crate) fn serialize<S: Serializer>(numbers: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
    let before = std::iter::once(&0).chain(numbers);
    let deltas: Vec<u32> = numbers.iter().zip(before).map(|(n, before)| n.wrapping_sub(*before)).collect();
    raw::serialize(&deltas, serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    let mut numbers: Vec<u32> = raw::deserialize(deserializer)?;
    let mut before = 0_u32;
    for number in &mut numbers {
        *number = number.wrapping_add(before);
        before = *number;
    }
    Ok(numbers)
}
