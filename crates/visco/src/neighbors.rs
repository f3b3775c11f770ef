//! Neighbour search: particles sorted by cell, flat lists, no bound on the domain.
//!
//! Cells are cubes as wide as the search radius, named by three 32-bit coordinates; only occupied cells are
//! stored, so the domain may be of any extent. The cells are sorted with z running fastest: the three cells
//! of a row along z are one run of particles, and nine runs hold all candidates of a cell.

use crate::domain::Domain;
use crate::lanes::{LANES, Vec3x8};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::Range;
use wide::f32x8;

/// Particles handled together when lists are built.
const CHUNK: usize = 256;

/// Candidates that are compared before those that are near are written.
const WORD: usize = u64::BITS as usize;

/// For every particle the indices of the particles closer than a radius, itself excluded, as one flat list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbors {
    offsets: Vec<usize>,
    indices: Vec<u32>,
}

impl Neighbors {
    /// The neighbours of particle `i`.
    #[inline]
    pub fn of(&self, i: usize) -> &[u32] {
        &self.indices[self.range(i)]
    }

    /// Where the neighbours of particle `i` stand in the flat list; arrays of pair data have the same layout.
    #[inline]
    pub fn range(&self, i: usize) -> Range<usize> {
        self.offsets[i]..self.offsets[i + 1]
    }

    /// Number of neighbours of particle `i`.
    #[inline]
    pub fn count(&self, i: usize) -> usize {
        self.range(i).len()
    }

    /// Number of ordered pairs.
    pub fn pairs(&self) -> usize {
        self.indices.len()
    }

    /// Writes `f(i, j)` for every pair into an array of the layout of this list.
    pub fn fill_pairs<T: Send>(&self, out: &mut [T], f: impl Fn(usize, usize) -> T + Sync) {
        self.fill_lists(out, |i, list, out| {
            out.iter_mut().zip(list).for_each(|(out, &j)| *out = f(i, j as usize));
        });
    }

    /// Fills the lists of an array of the layout of this one, particle by particle: `f` gets a particle, its neighbours and
    /// the place for their values. Returns what it returns.
    pub(crate) fn fill_lists<T: Send, R: Send>(
        &self,
        out: &mut [T],
        f: impl Fn(usize, &[u32], &mut [T]) -> R + Sync,
    ) -> Vec<R> {
        assert_eq!(out.len(), self.pairs());
        let particles = self.offsets.len().saturating_sub(1);
        let mut rest = out;
        let mut parts = Vec::with_capacity(particles.div_ceil(CHUNK));
        for start in (0..particles).step_by(CHUNK) {
            let end = particles.min(start + CHUNK);
            let (part, tail) = rest.split_at_mut(self.offsets[end] - self.offsets[start]);
            parts.push((start..end, part));
            rest = tail;
        }
        let of_parts: Vec<Vec<R>> = parts
            .into_par_iter()
            .map(|(particles, part)| {
                let base = self.offsets[particles.start];
                let own = |i: usize| self.offsets[i] - base..self.offsets[i + 1] - base;
                particles.map(|i| f(i, self.of(i), &mut part[own(i)])).collect()
            })
            .collect();
        of_parts.into_iter().flatten().collect()
    }

    /// Finds all pairs closer than `radius`; in a periodic domain, of nearest images.
    pub fn find(positions: &[Vec3], radius: f32, domain: &Domain) -> Self {
        Self::default().found_again(positions, radius, domain)
    }

    /// The same in the memory of lists that are not needed any more.
    pub(crate) fn found_again(self, positions: &[Vec3], radius: f32, domain: &Domain) -> Self {
        let grid = Grid::new(positions, radius, domain);
        self.collect(positions.len(), |i, found| {
            let first = found.kept;
            grid.near(positions[i], &grid.rows[grid.cell_of[i] as usize], found);
            found.remove(first, i as u32);
        })
    }

    /// Lists of `count` particles; `near` appends those of one.
    fn collect(self, count: usize, near: impl Fn(usize, &mut Found) + Sync) -> Self {
        let chunks: Vec<(Vec<u32>, Found)> = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|c| {
                let particles = c * CHUNK..count.min((c + 1) * CHUNK);
                let mut counts = Vec::with_capacity(CHUNK);
                let mut found = Found::default();
                for i in particles {
                    let before = found.kept;
                    near(i, &mut found);
                    counts.push((found.kept - before) as u32);
                }
                (counts, found)
            })
            .collect();
        let Self { mut offsets, mut indices } = self;
        offsets.clear();
        offsets.reserve(count + 1);
        let mut total = 0;
        offsets.push(0);
        for count in chunks.iter().flat_map(|(counts, _)| counts) {
            total += *count as usize;
            offsets.push(total);
        }
        indices.resize(total, 0);
        let mut rest = &mut indices[..];
        let mut parts = Vec::with_capacity(chunks.len());
        for (_, found) in &chunks {
            let (part, tail) = rest.split_at_mut(found.kept);
            parts.push((part, found.as_slice()));
            rest = tail;
        }
        parts.into_par_iter().for_each(|(part, found)| part.copy_from_slice(found));
        Self { offsets, indices }
    }

    /// Finds the same pairs by comparing every particle with every other: slow, and plainly right.
    pub fn find_naive(positions: &[Vec3], radius: f32, domain: &Domain) -> Self {
        let mut lists = Self { offsets: vec![0], indices: vec![] };
        for (i, &x) in positions.iter().enumerate() {
            for (j, &y) in positions.iter().enumerate() {
                if i != j && domain.nearest(y - x).length_squared() < radius * radius {
                    lists.indices.push(j as u32);
                }
            }
            lists.offsets.push(lists.indices.len());
        }
        lists
    }
}

/// Indices that have been found, and behind them what is left of others.
#[derive(Default)]
struct Found {
    indices: Vec<u32>,
    kept: usize,
}

impl Found {
    fn as_slice(&self) -> &[u32] {
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

/// The order that puts particles of a cell, and cells along z, next to each other: `order[new] = old`.
pub fn cell_order(positions: &[Vec3], cell: f32) -> Vec<u32> {
    sorted_keys(positions, cell).into_iter().map(|(_, i)| i).collect()
}

/// The order along a Z-shaped curve through the cells (Ihmsen et al. 2011): `order[new] = old`. What is near in space
/// is mostly near in memory too.
pub fn z_order(positions: &[Vec3], cell: f32) -> Vec<u32> {
    let index = |x: Vec3| {
        let shifted = cell_of(x, cell).map(|c| (c as u32) ^ 0x8000_0000);
        shifted.iter().enumerate().fold(0, |z, (axis, &c)| z | spread(c) << (2 - axis))
    };
    let mut keys: Vec<(u128, u32)> =
        positions.par_iter().enumerate().map(|(i, &x)| (index(x), i as u32)).collect();
    keys.par_sort_unstable();
    keys.into_iter().map(|(_, i)| i).collect()
}

/// The bits of a number with two zeros between them.
fn spread(c: u32) -> u128 {
    let half = |c: u32| {
        let mut z = u64::from(c);
        z = (z | z << 32) & 0x001f_0000_0000_ffff;
        z = (z | z << 16) & 0x001f_0000_ff00_00ff;
        z = (z | z << 8) & 0x100f_00f0_0f00_f00f;
        z = (z | z << 4) & 0x10c3_0c30_c30c_30c3;
        (z | z << 2) & 0x1249_2492_4924_9249
    };
    u128::from(half(c & 0xffff)) | u128::from(half(c >> 16)) << 48
}

/// Points that do not belong to the particles, sorted for the search of who is near them.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    grid: Grid,
}

impl Points {
    /// Sorts points for searches within `radius`.
    pub(crate) fn new(points: &[Vec3], radius: f32, domain: &Domain) -> Self {
        Self { grid: Grid::new(points, radius, domain) }
    }

    /// For every particle the indices of the points closer than the radius, in the memory of lists that are not needed any
    /// more.
    pub(crate) fn near(&self, positions: &[Vec3], last: Neighbors) -> Neighbors {
        let Grid { radius, cells, starts, rows, bounds, .. } = &self.grid;
        last.collect(positions.len(), |i, found| {
            let x = positions[i];
            if (x.cmplt(bounds.0) | x.cmpgt(bounds.1)).any() {
                return;
            }
            let own = key(cell_of(x, *radius));
            match cells.binary_search(&own) {
                Ok(cell) => self.grid.near(x, &rows[cell], found),
                // No point is in the cell.
                Err(_) => self.grid.near(x, &rows_around(own, cells, starts), found),
            }
        })
    }
}

/// Cell coordinates, packed so that comparing keys compares x, then y, then z.
type Key = u128;

fn cell_of(x: Vec3, cell: f32) -> [i32; 3] {
    // Saturates far outside; positions there have lost all precision long before.
    (x / cell).floor().to_array().map(|c| c as i32)
}

fn key(cell: [i32; 3]) -> Key {
    cell.iter().fold(0, |key, &c| (key << 32) | Key::from((c as u32) ^ 0x8000_0000))
}

fn sorted_keys(positions: &[Vec3], cell: f32) -> Vec<(Key, u32)> {
    let mut keys: Vec<(Key, u32)> =
        positions.par_iter().enumerate().map(|(i, &x)| (key(cell_of(x, cell)), i as u32)).collect();
    // Keys with indices are all different, so the order is unique whatever the sort does.
    keys.par_sort_unstable();
    keys
}

/// Occupied cells, with the nine runs of particles around each.
#[derive(Clone, Debug)]
struct Grid {
    radius: f32,
    cells: Vec<Key>,
    /// Where the particles of each cell start, and their number.
    starts: Vec<u32>,
    rows: Vec<Rows>,
    /// The cell of every particle.
    cell_of: Vec<u32>,
    /// Coordinates of the particles, sorted by cell; some more at the end, so that eight can be read from anywhere.
    sorted: [Vec<f32>; 3],
    /// Their indices.
    indices: Vec<u32>,
    /// Where there is anything to find.
    bounds: (Vec3, Vec3),
}

impl Grid {
    fn new(positions: &[Vec3], radius: f32, domain: &Domain) -> Self {
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
        let mut cell_of = vec![0; positions.len()];
        for (n, &(cell, k)) in keys.iter().enumerate() {
            if cells.last() != Some(&cell) {
                cells.push(cell);
                starts.push(n as u32);
            }
            if let Some(of_particle) = cell_of.get_mut(k as usize) {
                *of_particle = cells.len() as u32 - 1;
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
        Self { radius, cells, starts, rows, cell_of, sorted, indices, bounds }
    }

    /// Appends the particles closer than the radius to `x`, of the rows around its cell.
    fn near(&self, x: Vec3, rows: &Rows, found: &mut Found) {
        let (r2, x) = (f32x8::splat(self.radius * self.radius), Vec3x8::splat(x));
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
                    let [x8, y8, z8] = [xs, ys, zs].map(|axis| f32x8::from(*eight(axis, k)));
                    let y = Vec3x8 { x: x8, y: y8, z: z8 };
                    near |= u64::from((x - y).length_squared().simd_lt(r2).to_bitmask()) << (k - first);
                }
                let past = if end - first < WORD { u64::MAX << (end - first) } else { 0 };
                found.add(&self.indices[first..], near & !past);
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
type Rows = [(u32, u32); 9];

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

fn rows_around(cell: Key, cells: &[Key], starts: &[u32]) -> Rows {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn sorted_lists(n: &Neighbors, count: usize) -> Vec<Vec<u32>> {
        (0..count)
            .map(|i| {
                let mut l = n.of(i).to_vec();
                l.sort_unstable();
                l
            })
            .collect()
    }

    #[test]
    fn points_are_found_as_particles_are() {
        let mut random = Random::new(8);
        let domain = Domain::periodic(Vec3::ZERO, Vec3::splat(1.0), [true, false, false]);
        let mut points = |n: usize| (0..n).map(|_| Vec3::from_array(random.triple())).collect::<Vec<_>>();
        let (walls, fluid) = (points(300), points(200));
        let lists = Points::new(&walls, 0.15, &domain).near(&fluid, Neighbors::default());
        for (i, &x) in fluid.iter().enumerate() {
            let mut found = lists.of(i).to_vec();
            found.sort_unstable();
            let near = |j: &u32| domain.nearest(walls[*j as usize] - x).length_squared() < 0.15 * 0.15;
            assert_eq!(found, (0..300).filter(near).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_z_order_visits_halves_one_after_the_other() {
        let cell = |k: u32| Vec3::new((k / 16) as f32, (k / 4 % 4) as f32, (k % 4) as f32) - 1.5;
        let positions: Vec<Vec3> = (0..64).map(cell).collect();
        let order = z_order(&positions, 1.0);
        // Octants one after the other, and in each the z axis runs fastest.
        for (n, octant) in order.chunks(8).enumerate() {
            let low = Vec3::new((n / 4) as f32, (n / 2 % 2) as f32, (n % 2) as f32) * 2.0 - 2.0;
            for (k, &i) in octant.iter().enumerate() {
                let inside = Vec3::new((k / 4) as f32, (k / 2 % 2) as f32, (k % 2) as f32);
                assert_eq!(positions[i as usize], low + inside + 0.5, "octant {n}, place {k}");
            }
        }
        assert_eq!(spread(u32::MAX).count_ones(), 32);
        assert_eq!(spread(0x8000_0001), 1 << 93 | 1);
    }

    #[test]
    fn agrees_with_the_naive_search_anywhere() {
        for (seed, center, extent) in
            [(1, Vec3::ZERO, 1.0), (2, Vec3::new(-300.0, 40.0, 7.0), 2.0), (3, Vec3::splat(1e7), 60.0)]
        {
            let mut random = Random::new(seed);
            let positions: Vec<Vec3> =
                (0..700).map(|_| center + extent * (Vec3::from_array(random.triple()) - 0.5)).collect();
            let radius = 0.17 * extent;
            let fast = Neighbors::find(&positions, radius, &Domain::UNBOUNDED);
            let naive = Neighbors::find_naive(&positions, radius, &Domain::UNBOUNDED);
            assert!(naive.pairs() > 2000);
            assert_eq!(sorted_lists(&fast, 700), sorted_lists(&naive, 700));
        }
    }

    #[test]
    fn a_periodic_box_has_neighbors_through_its_faces() {
        let mut random = Random::new(12);
        let domain = Domain::periodic(Vec3::ZERO, Vec3::new(1.0, 1.0, 1.5), [true, false, true]);
        let extent = Vec3::new(1.0, 1.0, 1.5);
        let positions: Vec<Vec3> = (0..600).map(|_| extent * Vec3::from_array(random.triple())).collect();
        let fast = Neighbors::find(&positions, 0.2, &domain);
        let naive = Neighbors::find_naive(&positions, 0.2, &domain);
        assert_eq!(sorted_lists(&fast, 600), sorted_lists(&naive, 600));
        let open = Neighbors::find(&positions, 0.2, &Domain::UNBOUNDED);
        assert!(fast.pairs() > open.pairs() + 500);
    }

    #[test]
    fn clusters_far_apart_need_no_domain() {
        let far = Vec3::new(3e8, -2e8, 1e8);
        let positions = [Vec3::ZERO, Vec3::X * 0.1, far, far];
        let lists = Neighbors::find(&positions, 0.2, &Domain::UNBOUNDED);
        assert_eq!(lists.of(0), [1]);
        assert_eq!(lists.of(1), [0]);
        assert_eq!(lists.of(2), [3]);
    }

    #[test]
    fn no_particles_have_no_neighbors() {
        assert_eq!(Neighbors::find(&[], 1.0, &Domain::UNBOUNDED).pairs(), 0);
    }

    #[test]
    fn cell_order_is_a_permutation_that_joins_cells() {
        let mut random = Random::new(9);
        let positions: Vec<Vec3> = (0..500).map(|_| Vec3::from_array(random.triple())).collect();
        let order = cell_order(&positions, 0.25);
        let mut seen = order.clone();
        seen.sort_unstable();
        assert!(seen.iter().enumerate().all(|(i, &o)| i == o as usize));
        let cells: Vec<_> = order.iter().map(|&i| key(cell_of(positions[i as usize], 0.25))).collect();
        assert!(cells.is_sorted());
    }
}
