//! How thick a solid is across its surface.

use super::Solid;
use glam::{Vec3, Vec3A};
use rayon::prelude::*;

/// Parts of a solid that are thinner than asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thin {
    /// Thickness of the thinnest part found, in m.
    pub thickness: f32,
    /// A point of its surface, in the solid's coordinates.
    pub at: Vec3,
    /// Part of the surface under which the solid is too thin.
    pub share: f32,
}

impl Solid {
    /// Looks inwards from the middle of every triangle for an opposite surface nearer than `least`.
    pub fn thinner_than(&self, least: f32) -> Option<Thin> {
        let faces = &self.connectivity.faces;
        let place = |t: usize| {
            let [a, b, c] = self.bvh.corners(t);
            ((a + b + c) / 3.0, 0.5 * (b - a).cross(c - a).length())
        };
        let thickness = |t: usize| {
            let (at, _) = place(t);
            let inward = faces[t] * -least;
            let mut nearest = 1.0_f32;
            self.bvh.crossings(at, at + inward, |other, along| {
                // Neighbours at a blunt edge are no opposite surface.
                if other as usize != t && faces[other as usize].dot(faces[t]) < -0.5 {
                    nearest = nearest.min(along);
                }
            });
            nearest
        };
        let found: Vec<f32> = (0..faces.len()).into_par_iter().map(thickness).collect();
        let area: f32 = (0..faces.len()).map(|t| place(t).1).sum();
        let thin: f32 = (0..faces.len()).filter(|&t| found[t] < 1.0).map(|t| place(t).1).sum();
        let thinnest = (0..faces.len()).min_by(|&a, &b| found[a].total_cmp(&found[b]))?;
        let at: Vec3A = place(thinnest).0;
        (found[thinnest] < 1.0).then(|| Thin {
            thickness: found[thinnest] * least,
            at: at.into(),
            share: thin / area,
        })
    }
}
