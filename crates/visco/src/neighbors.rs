//! Neighbour search: particles sorted by cell, flat lists, no bound on the domain.
//!
//! Cells are cubes as wide as the search radius, named by three 32-bit coordinates; only occupied cells are
//! stored, so the domain may be of any extent. The cells are sorted with z running fastest: the three cells
//! of a row along z are one run of particles, and nine runs hold all candidates of a cell.

mod grid;

use crate::domain::Domain;
use glam::Vec3;
use grid::{Found, Grid, cell_of, key, rows_around, sorted_keys};
use rayon::prelude::*;
use std::ops::Range;

/// Particles handled together when lists are built.
const CHUNK: usize = 256;

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
        self.collect(positions.len(), |i, found| grid.near_particle(i, positions[i], found))
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
                Ok(cell) => self.grid.near((x, None), &rows[cell], found),
                // No point is in the cell.
                Err(_) => self.grid.near((x, None), &rows_around(own, cells, starts), found),
            }
        })
    }
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
