//! Points sorted by cell, and the search among those of the cells around one.

use super::CHUNK;
use crate::domain::Domain;
use crate::lanes::{LANES, Vec3x8, dispatch, level};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};
use glam::Vec3;
use rayon::prelude::*;

/// Candidates that are compared before those that are near are written.
const WORD: usize = u64::BITS as usize;

/// Indices that have been found, and behind them what is left of others.
#[derive(Default)]
pub(super) struct Found {
    pub(super) indices: Vec<u32>,
    pub(super) kept: usize,
}

impl Found {
    pub(super) fn as_slice(&self) -> &[u32] {
        &self.indices[..self.kept]
    }

    /// Makes room for so many more.
    #[inline]
    fn reserve(&mut self, more: usize) {
        if self.indices.len() < self.kept + more {
            self.indices.resize((self.kept + more).max(2 * self.indices.len()).max(64 * CHUNK), 0);
        }
    }

    /// Adds those of some indices whose bits are set. There must be room for them.
    #[inline(always)]
    fn add(&mut self, indices: &[u32], mut bits: u64) {
        while bits != 0 {
            self.indices[self.kept] = indices[bits.trailing_zeros() as usize];
            self.kept += 1;
            bits &= bits - 1;
        }
    }

    /// Removes an index from those that were found from the n-th on.
    fn remove(&mut self, mut n: usize, index: u32) {
        while let Some(at) = self.indices[n..self.kept].iter().position(|&j| j == index) {
            n += at;
            self.indices.copy_within(n + 1..self.kept, n);
            self.kept -= 1;
        }
    }
}

/// Cell coordinates, packed so that comparing keys compares x, then y, then z.
pub(super) type Key = u128;

pub(super) fn cell_of(x: Vec3, cell: f32) -> [i32; 3] {
    // Saturates far outside; positions there have lost all precision long before.
    (x / cell).floor().to_array().map(|c| c as i32)
}

pub(super) fn key(cell: [i32; 3]) -> Key {
    cell.iter().fold(0, |key, &c| (key << 32) | Key::from((c as u32) ^ 0x8000_0000))
}

/// Keys of cells with the indices of what is in them, sorted.
pub(super) fn sorted_keys(positions: &[Vec3], cell: f32) -> Vec<(Key, u32)> {
    let cells: Vec<[i32; 3]> = positions.par_iter().map(|&x| cell_of(x, cell)).collect();
    sort(&cells).into_iter().map(|i| (key(cells[i as usize]), i)).collect()
}

/// Indices of cells in the order of their keys, and of the indices where keys are the same.
fn sort(cells: &[[i32; 3]]) -> Vec<u32> {
    let bounds = |mut b: [[i32; 3]; 2], c: &[i32; 3]| {
        for axis in 0..3 {
            b[0][axis] = b[0][axis].min(c[axis]);
            b[1][axis] = b[1][axis].max(c[axis]);
        }
        b
    };
    let [low, high] = cells.iter().fold([[i32::MAX; 3], [i32::MIN; 3]], bounds);
    let bits = |most: u64| u64::BITS - most.leading_zeros();
    let widths: [u32; 3] =
        std::array::from_fn(|axis| bits((i64::from(high[axis]) - i64::from(low[axis])).max(0) as u64));
    let of_index = bits(cells.len() as u64);
    if widths.iter().sum::<u32>() + of_index <= u64::BITS {
        // Cells that are not too far from each other, and indices, fit one word, which is quickly compared.
        let word = |(i, c): (usize, &[i32; 3])| {
            let cell = (0..3).fold(0_u64, |word, axis| {
                word << widths[axis] | (i64::from(c[axis]) - i64::from(low[axis])) as u64
            });
            cell << of_index | i as u64
        };
        let mut words: Vec<u64> = cells.par_iter().enumerate().map(word).collect();
        words.par_sort_unstable();
        words.into_iter().map(|word| (word & ((1 << of_index) - 1)) as u32).collect()
    } else {
        let mut keys: Vec<Key> =
            cells.par_iter().enumerate().map(|(i, &c)| key(c) << 32 | i as Key).collect();
        keys.par_sort_unstable();
        keys.into_iter().map(|key| key as u32).collect()
    }
}

/// Occupied cells, with the nine runs of particles around each.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) radius: f32,
    pub(super) cells: Vec<Key>,
    /// Where the particles of each cell start, and their number.
    pub(super) starts: Vec<u32>,
    pub(super) rows: Vec<Rows>,
    /// The cell of every particle, and its place among the sorted ones.
    places: Vec<(u32, u32)>,
    /// Whether particles have images beyond the faces of a periodic box.
    images: bool,
    /// Coordinates of the particles, sorted by cell; some more at the end, so that eight can be read from anywhere.
    sorted: [Vec<f32>; 3],
    /// Their indices.
    indices: Vec<u32>,
    /// Where there is anything to find.
    pub(super) bounds: (Vec3, Vec3),
}

impl Grid {
    pub(super) fn new(positions: &[Vec3], radius: f32, domain: &Domain) -> Self {
        // Images beyond the faces of a periodic box are candidates like any other particle.
        let mut images: Vec<(Vec3, u32)> = Vec::new();
        if domain.is_periodic() {
            for (i, &x) in positions.iter().enumerate() {
                domain.images(x, radius, |image| images.push((image, i as u32)));
            }
        }
        let point = |k: u32| match images.get((k as usize).wrapping_sub(positions.len())) {
            Some(&image) => image,
            None => (positions[k as usize], k),
        };
        let mut keys = sorted_keys(positions, radius);
        if !images.is_empty() {
            let first = positions.len() as u32;
            keys.extend(images.iter().zip(first..).map(|((x, _), k)| (key(cell_of(*x, radius)), k)));
            keys.par_sort_unstable();
        }
        let mut cells: Vec<Key> = Vec::new();
        let mut starts: Vec<u32> = Vec::new();
        let mut places = vec![(0, 0); positions.len()];
        for (n, &(cell, k)) in keys.iter().enumerate() {
            if cells.last() != Some(&cell) {
                cells.push(cell);
                starts.push(n as u32);
            }
            if let Some(place) = places.get_mut(k as usize) {
                *place = (cells.len() as u32 - 1, n as u32);
            }
        }
        starts.push(keys.len() as u32);
        let rows = all_rows(&cells, &starts);
        let mut sorted = [const { Vec::new() }; 3];
        let mut bounds = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut indices = Vec::with_capacity(keys.len() + LANES);
        sorted.iter_mut().for_each(|axis| axis.reserve(keys.len() + LANES));
        for &(_, k) in &keys {
            let (x, index) = point(k);
            sorted.iter_mut().zip(x.to_array()).for_each(|(axis, x)| axis.push(x));
            bounds = (bounds.0.min(x), bounds.1.max(x));
            indices.push(index);
        }
        sorted.iter_mut().for_each(|axis| axis.extend([f32::INFINITY; LANES]));
        indices.extend([u32::MAX; LANES]);
        // Some more than the radius, as distances are rounded.
        let bounds = (bounds.0 - 1.01 * radius, bounds.1 + 1.01 * radius);
        Self { radius, cells, starts, rows, places, images: !images.is_empty(), sorted, indices, bounds }
    }

    /// Appends the particles closer than the radius to the i-th, which is at `x`.
    pub(super) fn near_particle(&self, i: usize, x: Vec3, found: &mut Found) {
        let (cell, place) = self.places[i];
        let first = found.kept;
        self.near((x, Some(place as usize)), &self.rows[cell as usize], found);
        if self.images {
            found.remove(first, i as u32);
        }
    }

    /// Appends the particles closer than the radius to `x`, of the rows around its cell, but for one in some place.
    pub(super) fn near(&self, of: (Vec3, Option<usize>), rows: &Rows, found: &mut Found) {
        dispatch!(level(), simd => self.compare(simd, of, rows, found));
    }

    #[inline(always)]
    fn compare<S: Simd>(&self, simd: S, (x, but): (Vec3, Option<usize>), rows: &Rows, found: &mut Found) {
        let but = but.unwrap_or(usize::MAX);
        let (r2, x) = (self.radius * self.radius, Vec3x8::splat(simd, x));
        let candidates: u32 = rows.iter().map(|(start, end)| end - start).sum();
        found.reserve(candidates as usize);
        let [xs, ys, zs] = &self.sorted;
        for &(start, end) in rows {
            let end = end as usize;
            // Most candidates are too far away, in no order that a processor could guess: so there is no branch for each,
            // but a bit.
            for first in (start as usize..end).step_by(WORD) {
                let mut near = 0_u64;
                for k in (first..end.min(first + WORD)).step_by(LANES) {
                    let eight = |axis| f32x8::simd_from(simd, *eight(axis, k));
                    let y = Vec3x8 { x: eight(xs), y: eight(ys), z: eight(zs) };
                    near |= (x - y).length_squared().simd_lt(r2).to_bitmask() << (k - first);
                }
                let past = if end - first < WORD { u64::MAX << (end - first) } else { 0 };
                let own = but.wrapping_sub(first);
                let own = if own < WORD { 1 << own } else { 0 };
                found.add(&self.indices[first..], near & !(past | own));
            }
        }
    }
}

/// Eight values from the k-th on.
#[inline(always)]
fn eight<T>(values: &[T], k: usize) -> &[T; LANES] {
    values[k..].first_chunk().expect("there are more than enough")
}

/// Where the particles of the nine rows of three cells around a cell start and end.
pub(super) type Rows = [(u32, u32); 9];

/// The first and the last cell of the n-th row around a cell.
fn row_around(cell: Key, n: usize) -> Option<(Key, Key)> {
    let unpack = |shift: u32| ((cell >> shift) as u32 ^ 0x8000_0000) as i32;
    let (x, y, z) = (unpack(64), unpack(32), unpack(0));
    let (x, y) = (x.checked_add(n as i32 / 3 - 1)?, y.checked_add(n as i32 % 3 - 1)?);
    Some((key([x, y, z.saturating_sub(1)]), key([x, y, z.saturating_add(1)])))
}

/// The particles of a row whose first cell is not before the n-th.
fn row_from(n: usize, last: Key, cells: &[Key], starts: &[u32]) -> (u32, u32) {
    let end = n + cells[n..].iter().take(3).take_while(|&&c| c <= last).count();
    (starts[n], starts[end])
}

pub(super) fn rows_around(cell: Key, cells: &[Key], starts: &[u32]) -> Rows {
    std::array::from_fn(|n| match row_around(cell, n) {
        Some((first, last)) => row_from(cells.partition_point(|&c| c < first), last, cells, starts),
        None => (0, 0),
    })
}

/// The rows around all cells. As cells are sorted, so are the n-th rows around them.
fn all_rows(cells: &[Key], starts: &[u32]) -> Vec<Rows> {
    let mut rows = vec![[(0, 0); 9]; cells.len()];
    let mut from = [0; 9];
    for (rows, &cell) in rows.iter_mut().zip(cells) {
        for (n, row) in rows.iter_mut().enumerate() {
            if let Some((first, last)) = row_around(cell, n) {
                from[n] += cells[from[n]..].iter().take_while(|&&c| c < first).count();
                *row = row_from(from[n], last, cells, starts);
            }
        }
    }
    rows
}
