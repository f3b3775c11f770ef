//! Arrays of plain numbers as bytes, for `#[serde(with = "raw")]`.
//!
//! The bytes of many elements are transposed: first the lowest byte of each, then the next. Signs and exponents of
//! neighbours are alike, and lie side by side that way for the compression to find them. Words are little-endian.

use bytemuck::Pod;
use rayon::prelude::*;
use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;
use std::fmt;
use std::marker::PhantomData;

/// Elements that are transposed together: few enough to stay in the cache.
const TOGETHER: usize = 4096;

pub(crate) fn serialize<T: Pod, S: Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    let size = size_of::<T>();
    let native: &[u8] = bytemuck::cast_slice(items);
    let mut bytes = vec![0; native.len()];
    let transpose = |(to, chunk): (&mut [u8], &[u8])| {
        for (k, plane) in to.chunks_exact_mut(chunk.len() / size).enumerate() {
            for (byte, element) in plane.iter_mut().zip(chunk.chunks_exact(size)) {
                *byte = element[offset::<T>(k)];
            }
        }
    };
    bytes.par_chunks_mut(TOGETHER * size).zip(native.par_chunks(TOGETHER * size)).for_each(transpose);
    serializer.serialize_bytes(&bytes)
}

pub(crate) fn deserialize<'de, T: Pod, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_bytes(Transposed(PhantomData))
}

/// Where the k-th byte of an element lies on this machine.
const fn offset<T>(k: usize) -> usize {
    let word = align_of::<T>();
    if cfg!(target_endian = "little") { k } else { k / word * word + (word - 1 - k % word) }
}

struct Transposed<T>(PhantomData<T>);

impl<T: Pod> Visitor<'_> for Transposed<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "elements of {} bytes each", size_of::<T>())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<T>, E> {
        let size = size_of::<T>();
        if !bytes.len().is_multiple_of(size) {
            return Err(E::invalid_length(bytes.len(), &self));
        }
        let mut items = vec![T::zeroed(); bytes.len() / size];
        let native: &mut [u8] = bytemuck::cast_slice_mut(&mut items);
        let transpose = |(chunk, from): (&mut [u8], &[u8])| {
            for (k, plane) in from.chunks_exact(from.len() / size).enumerate() {
                for (element, byte) in chunk.chunks_exact_mut(size).zip(plane) {
                    element[offset::<T>(k)] = *byte;
                }
            }
        };
        native.par_chunks_mut(TOGETHER * size).zip(bytes.par_chunks(TOGETHER * size)).for_each(transpose);
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Holder<T: bytemuck::Pod>(#[serde(with = "super")] Vec<T>);

    #[test]
    fn arrays_of_any_length_come_back() {
        for n in [0, 1, 2, 4095, 4096, 4097, 10_000] {
            let triples = Holder((0..n).map(|i| glam::Vec3::new(i as f32, 0.1, -1e30)).collect());
            let bytes = postcard::to_allocvec(&triples).unwrap();
            assert_eq!(postcard::from_bytes::<Holder<glam::Vec3>>(&bytes), Ok(triples));
        }
    }

    #[test]
    fn the_lowest_bytes_come_first() {
        let bytes = postcard::to_allocvec(&Holder(vec![0x0403_0201_u32, 0x1413_1211])).unwrap();
        assert_eq!(bytes, [8, 0x01, 0x11, 0x02, 0x12, 0x03, 0x13, 0x04, 0x14]);
        assert!(postcard::from_bytes::<Holder<u32>>(&[5, 0, 0, 0, 0, 0]).is_err());
    }
}
