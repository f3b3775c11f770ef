//! Flat pieces of walls, with a lattice of points in tiles.

use super::super::{Shape, Wall};
use crate::domain::Domain;
use glam::{Quat, Vec3};

/// Points along the side of a tile.
pub(super) const TILE: i32 = 8;

/// A lattice of points in a plane: `origin + i step[0] + j step[1]`.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) wall: u16,
    origin: Vec3,
    normal: Vec3,
    steps: [Vec3; 2],
    /// First and last index along both; none where it does not end.
    range: [Option<[i32; 2]>; 2],
    domain: Domain,
}

impl Patch {
    /// The flat pieces of a wall that is a plane or a box.
    pub(super) fn of_wall(
        index: u16,
        wall: &Wall,
        (spacing, depth): (f32, f32),
        domain: &Domain,
    ) -> Vec<Self> {
        match wall.shape {
            Shape::Plane { point, normal } => {
                vec![Self::of_plane(index, (point - normal * depth, normal), spacing, domain)]
            }
            Shape::Box { center, half, rotation } => {
                Self::of_box(index, (center, half, rotation), (spacing, depth, wall.contains), domain)
            }
            _ => vec![],
        }
    }

    fn of_plane(wall: u16, (point, normal): (Vec3, Vec3), spacing: f32, domain: &Domain) -> Self {
        // On the lattice of a fluid whose box has its corners at multiples of the spacing.
        let around = domain.origin();
        let foot = around - normal * (around - point).dot(normal);
        let (a, b) = tangents(normal);
        let origin = foot + (a + b) * (0.5 * spacing);
        Self { wall, origin, normal, steps: [a * spacing, b * spacing], range: [None; 2], domain: *domain }
    }

    /// The faces of a box, with lattices in the tracks of a fluid that fills it, or of one that it is part of. Those of
    /// a container go on half a spacing beyond its edges, those of an obstacle keep their depth below all of its faces.
    fn of_box(
        wall: u16,
        (center, half, rotation): (Vec3, Vec3, Quat),
        (spacing, depth, contains): (f32, f32, bool),
        domain: &Domain,
    ) -> Vec<Self> {
        let count = (half * (2.0 / spacing)).round().max(Vec3::ONE);
        let step = 2.0 * half / count;
        let along = |k: usize| rotation * (Vec3::AXES[k] * step[k]);
        let range = |k: usize| {
            let last = count[k] as i32 - 1;
            let below = ((depth / step[k] - 0.5).ceil() as i32).clamp(0, last / 2);
            Some(if contains { [-1, last + 1] } else { [below, last - below] })
        };
        let mut patches = Vec::new();
        for axis in 0..3 {
            let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
            for side in [-1.0, 1.0] {
                let mut first = 0.5 * step - half;
                first[axis] =
                    side * if contains { half[axis] + depth } else { (half[axis] - depth).max(0.0) };
                patches.push(Self {
                    wall,
                    origin: center + rotation * first,
                    normal: rotation * Vec3::AXES[axis],
                    steps: [along(a), along(b)],
                    range: [range(a), range(b)],
                    domain: *domain,
                });
            }
        }
        patches
    }

    /// Calls `visit` with the tiles that have points closer than `reach` to `x`.
    pub(super) fn tiles_near(&self, x: Vec3, reach: f32, mut visit: impl FnMut([i32; 2])) {
        let e = x - self.origin;
        if e.dot(self.normal).abs() >= reach {
            return;
        }
        let range = |k: usize| -> Option<(i32, i32)> {
            let (step, length) = (self.steps[k], self.steps[k].length());
            let at = e.dot(step) / (length * length);
            let mut low = (at - reach / length).ceil() as i32;
            let mut high = (at + reach / length).floor() as i32;
            if let Some([first, last]) = self.range[k] {
                (low, high) = (low.max(first), high.min(last));
            }
            (low <= high).then_some((low.div_euclid(TILE), high.div_euclid(TILE)))
        };
        let (Some(i), Some(j)) = (range(0), range(1)) else {
            return;
        };
        for i in i.0..=i.1 {
            for j in j.0..=j.1 {
                visit([i, j]);
            }
        }
    }

    /// Whether the patch reaches into a tile.
    pub(super) fn has(&self, tile: [i32; 2]) -> bool {
        (0..2).all(|k| {
            self.range[k].is_none_or(|[first, last]| tile[k] * TILE <= last && tile[k] * TILE + TILE > first)
        })
    }

    /// Calls `visit` with the points of a tile.
    pub(super) fn points(&self, tile: [i32; 2], mut visit: impl FnMut(Vec3)) {
        let within = |k: usize, at: i32| self.range[k].is_none_or(|[first, last]| first <= at && at <= last);
        let indices = |k: usize| (tile[k] * TILE..tile[k] * TILE + TILE).filter(move |&at| within(k, at));
        for i in indices(0) {
            for j in indices(1) {
                let x = self.origin + self.steps[0] * i as f32 + self.steps[1] * j as f32;
                if self.is_inside(x) {
                    visit(x);
                }
            }
        }
    }

    /// Whether a point is in the box that repeats, if one does: its images stand for those outside.
    fn is_inside(&self, x: Vec3) -> bool {
        let from = x - self.domain.origin();
        let extent = self.domain.extent();
        (0..3).all(|k| extent[k].is_none_or(|size| from[k] >= -1e-4 * size && from[k] < size * (1.0 - 1e-4)))
    }
}

/// Unit vectors in a plane, along the axes of space where the normal is.
fn tangents(normal: Vec3) -> (Vec3, Vec3) {
    let axis = Vec3::AXES.into_iter().find(|axis| normal.dot(*axis).abs() < 0.6).unwrap_or(Vec3::X);
    let a = (axis - normal * axis.dot(normal)).normalize();
    (a, normal.cross(a).normalize())
}
