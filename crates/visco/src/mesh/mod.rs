//! Closed triangle meshes: as volumes to fill, as walls, and made by code.
//!
//! This module opens no file: meshes of files come in as [`Assets`].

mod assets;
mod bvh;
mod closest;
mod columns;
mod connectivity;
mod error;
mod far;
mod implicit;
pub mod made;
mod solid;
mod surfaces;
#[cfg(test)]
mod tests;
mod thickness;

pub use assets::Assets;
pub use error::MeshError;
pub use made::Made;
pub use solid::Solid;
pub use thickness::Thin;

use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// Triangles in space, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// The vertices.
    pub positions: Vec<Vec3>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.positions[v as usize])
    }

    /// The corners of the smallest box around all vertices; an empty mesh has none.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = *self.positions.first()?;
        Some(self.positions.iter().fold((first, first), |(low, high), &x| (low.min(x), high.max(x))))
    }

    /// Volume inside: negative where the triangles are turned inside out, meaningless where the mesh is open.
    pub fn volume(&self) -> f64 {
        let about = self.positions.first().map_or(DVec3::ZERO, |x| x.as_dvec3());
        let six = |t: usize| {
            let [a, b, c] = self.corners(t).map(|x| x.as_dvec3() - about);
            a.dot(b.cross(c))
        };
        (0..self.triangles.len()).map(six).sum::<f64>() / 6.0
    }

    /// The mesh with every vertex moved.
    #[must_use]
    pub fn mapped(mut self, map: impl Fn(Vec3) -> Vec3) -> Self {
        self.positions.iter_mut().for_each(|x| *x = map(*x));
        self
    }

    /// The mesh with inside and outside swapped.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self
    }

    /// The mesh with equal vertices joined, and without triangles that have two equal corners.
    #[must_use]
    pub fn welded(&self) -> Self {
        let mut known = HashMap::new();
        let mut positions = Vec::new();
        // Adding 0 turns −0 into 0.
        let key = |x: Vec3| (x + 0.0).to_array().map(f32::to_bits);
        let mut index = |v: u32| {
            let x = self.positions[v as usize];
            *known.entry(key(x)).or_insert_with(|| {
                positions.push(x);
                positions.len() as u32 - 1
            })
        };
        let triangles: Vec<[u32; 3]> = self.triangles.iter().map(|t| t.map(&mut index)).collect();
        let distinct = |t: &[u32; 3]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
        Self { positions, triangles: triangles.into_iter().filter(distinct).collect() }
    }

    /// CRC-32 of vertices and triangles: two meshes of different content almost never share it.
    pub fn checksum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        sum.update(&(self.positions.len() as u64).to_le_bytes());
        self.positions.iter().for_each(|x| x.to_array().iter().for_each(|c| sum.update(&c.to_le_bytes())));
        self.triangles.iter().for_each(|t| t.iter().for_each(|v| sum.update(&v.to_le_bytes())));
        sum.finalize()
    }

    /// Adds the triangles of another mesh.
    pub fn append(&mut self, other: &Self) {
        let first = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
    }
}
