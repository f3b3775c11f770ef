//! A coarse grid of distances: it answers at once where no surface is near.

use super::Solid;
use glam::Vec3;

/// Cells along the longest axis.
const CELLS: f32 = 32.0;

/// Signed distances at the centres of cells over the box of a solid.
#[derive(Clone, Debug)]
pub(super) struct FarField {
    min: Vec3,
    max: Vec3,
    cell: f32,
    count: [usize; 3],
    distances: Vec<f32>,
}

impl FarField {
    /// On one thread: it is made at the first use, perhaps inside a parallel loop, where a thread that waits for others
    /// could be given the same work again.
    pub(super) fn new(solid: &Solid) -> Self {
        let half = solid.half();
        let cell = 2.0 * half.max_element() / CELLS;
        let count = (half * (2.0 / cell)).ceil().max(Vec3::ONE).to_array().map(|n| n as usize);
        let at = |i: usize| {
            let (x, y, z) = (i % count[0], i / count[0] % count[1], i / (count[0] * count[1]));
            let center = (Vec3::new(x as f32, y as f32, z as f32) + 0.5) * cell - half;
            solid.signed_distance(center).distance
        };
        let distances = (0..count.iter().product()).map(at).collect();
        Self { min: -half, max: half, cell, count, distances }
    }

    /// Distance at the centre of the cell of a point in the box, and the point's distance from that centre.
    fn cell_of(&self, x: Vec3) -> (f32, f32) {
        let local = (x - self.min) / self.cell;
        let index = [0, 1, 2].map(|k| (local[k].max(0.0) as usize).min(self.count[k] - 1));
        let center = (Vec3::from_array(index.map(|i| i as f32)) + 0.5) * self.cell + self.min;
        let distance = self.distances[(index[2] * self.count[1] + index[1]) * self.count[0] + index[0]];
        (distance, x.distance(center))
    }

    /// Bounds of the signed distance of a point.
    fn bounds(&self, x: Vec3) -> (f32, f32) {
        let beyond = (self.min - x).max(x - self.max).max(Vec3::ZERO).length();
        if beyond > 0.0 {
            return (beyond, f32::INFINITY);
        }
        let (distance, offset) = self.cell_of(x);
        (distance - offset, distance + offset)
    }

    /// Whether a point is known to be farther than `range` from the surface, outside (`side` 1) or inside (−1).
    #[inline]
    pub(super) fn is_clear(&self, x: Vec3, range: f32, side: f32) -> bool {
        let (low, high) = self.bounds(x);
        if side > 0.0 { low >= range } else { high <= -range }
    }

    /// Whether a point with no surface within `range` is outside, where the grid can tell.
    pub(super) fn side(&self, x: Vec3, range: f32) -> Option<bool> {
        if x.cmplt(self.min).any() || x.cmpgt(self.max).any() {
            return Some(true);
        }
        let (distance, offset) = self.cell_of(x);
        (offset < range.max(distance.abs())).then_some(distance > 0.0)
    }
}
