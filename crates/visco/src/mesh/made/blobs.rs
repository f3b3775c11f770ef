//! Bodies of round parts that blend into each other, as implicit functions.

use super::{CELLS, TriangleMesh};
use crate::mesh::implicit;
use glam::{Quat, Vec3};

/// A round part.
pub(super) enum Blob {
    /// A rod from one point to another, with a radius at each.
    Rod(Vec3, Vec3, [f32; 2]),
    /// An ellipsoid: centre, half axes, turn.
    Egg(Vec3, Vec3, Quat),
}

impl Blob {
    pub(super) fn rod(from: [f32; 3], to: [f32; 3], radii: [f32; 2]) -> Self {
        Self::Rod(from.into(), to.into(), radii)
    }

    pub(super) fn egg(center: [f32; 3], half: [f32; 3]) -> Self {
        Self::Egg(center.into(), half.into(), Quat::IDENTITY)
    }

    fn distance(&self, x: Vec3) -> f32 {
        match *self {
            Self::Rod(a, b, radii) => {
                let way = b - a;
                let t = ((x - a).dot(way) / way.length_squared()).clamp(0.0, 1.0);
                x.distance(a + way * t) - (radii[0] + (radii[1] - radii[0]) * t)
            }
            Self::Egg(center, half, turn) => {
                let local = turn.inverse() * (x - center);
                let (near, far) = ((local / half).length(), (local / (half * half)).length());
                // First order in the distance from the surface; the centre is as deep as the shortest axis.
                if far > 0.0 { near * (near - 1.0) / far } else { -half.min_element() }
            }
        }
    }

    fn reach(&self) -> (Vec3, Vec3) {
        match *self {
            Self::Rod(a, b, [r, s]) => ((a - r).min(b - s), (a + r).max(b + s)),
            Self::Egg(center, half, _) => (center - half.max_element(), center + half.max_element()),
        }
    }
}

/// The smaller of two distances, rounded where they are closer than `blend`.
fn smooth_min(a: f32, b: f32, blend: f32) -> f32 {
    let h = (blend - (a - b).abs()).max(0.0) / blend;
    a.min(b) - 0.25 * h * h * blend
}

/// The mesh of parts that blend over the length `blend`.
pub(super) fn joined(parts: &[Blob], blend: f32) -> TriangleMesh {
    let function =
        |x: Vec3| parts.iter().map(|p| p.distance(x)).fold(f32::INFINITY, |a, b| smooth_min(a, b, blend));
    let reach = parts.iter().map(Blob::reach);
    let (low, high) =
        reach.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), (a, b)| (low.min(a), high.max(b)));
    let cell = (high - low).max_element() / CELLS;
    implicit::surface(&function, (low - 2.0 * cell, high + 2.0 * cell), cell)
}
