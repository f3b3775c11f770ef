//! Smoothing without shrinking.
//!
//! S, so many steps of every corner towards the mean of its neighbours, takes bumps away, and a good part of the width of
//! a rope, too. How far the surface sank below where it was, along its normal, is smoothed in the same way and given
//! back: the bumps average out, the width comes back, however thin the rope or small the drop. Where but few particles are
//! around, at strands of single particles, less is smoothed, as Löschner et al. 2023 do ("Weighted Laplacian smoothing for
//! surface reconstruction of particle-based fluids").

use crate::Mesh;
use glam::Vec3;
use rayon::prelude::*;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};
use visco_io::surfaces::Surface;

/// Part of the way to the mean in a step, where corners have the weight 1.
const STEP: f32 = 0.8;

/// Steps in which a wave spreads by an edge of a cell: corners are some 0.75 cells apart.
const STEPS: f32 = 4.4;

/// Most steps: for cells that are far too small for the length to smooth over.
const MOST: u32 = 1000;

/// Corners handled together.
const CHUNK: usize = 1024;

/// What can be smoothed.
trait Value:
    Copy + Default + Send + Sync + Sum + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self>
{
}

impl Value for f32 {}
impl Value for Vec3 {}

/// Neighbours of corners, as one flat list, and how far corners may move.
struct Ring<'a> {
    weights: &'a [f32],
    offsets: Vec<u32>,
    neighbors: Vec<u32>,
}

impl<'a> Ring<'a> {
    /// In a closed mesh, every corner that follows another in a triangle is its neighbour once.
    fn of(mesh: &Mesh, weights: &'a [f32]) -> Self {
        let mut offsets = vec![0_u32; mesh.positions.len() + 1];
        mesh.triangles.iter().flatten().for_each(|&i| offsets[i as usize + 1] += 1);
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut next = offsets.clone();
        let mut neighbors = vec![0; 3 * mesh.triangles.len()];
        for &[a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let at = &mut next[from as usize];
                neighbors[*at as usize] = to;
                *at += 1;
            }
        }
        Self { weights, offsets, neighbors }
    }

    fn around(&self, i: usize) -> &[u32] {
        &self.neighbors[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }

    /// S: moves every value towards the mean of its neighbours, so many times.
    fn relaxed<T: Value>(&self, values: Vec<T>, steps: u32) -> Vec<T> {
        let mut next = vec![T::default(); values.len()];
        let mut now = values;
        for _ in 0..steps {
            next.par_chunks_mut(CHUNK).enumerate().for_each(|(k, chunk)| {
                for (i, value) in chunk.iter_mut().enumerate().map(|(i, value)| (k * CHUNK + i, value)) {
                    let around = self.around(i);
                    let sum: T = around.iter().map(|&j| now[j as usize]).sum();
                    let way = sum * (1.0 / around.len().max(1) as f32) - now[i];
                    *value = now[i] + way * (STEP * self.weights[i]);
                }
            });
            std::mem::swap(&mut now, &mut next);
        }
        now
    }
}

/// Smooths a closed mesh over a length, in cells, with a weight from 0 to 1 for every corner.
pub(crate) fn smooth(mesh: &mut Mesh, weights: &[f32], length: f32) {
    let steps = ((STEPS * length * length).round() as u32).min(MOST);
    if steps == 0 {
        return;
    }
    let ring = Ring::of(mesh, weights);
    let smoothed = ring.relaxed(mesh.positions.clone(), steps);
    let normals = Surface::area_normals(&smoothed, &mesh.triangles);
    let depth = |((x, s), n): ((&Vec3, &Vec3), &Vec3)| (*x - *s).dot(*n);
    let sunk = mesh.positions.iter().zip(&smoothed).zip(&normals).map(depth).collect();
    let back = ring.relaxed(sunk, steps);
    let raised = smoothed.into_iter().zip(normals).zip(back).map(|((s, n), back)| s + back * n);
    mesh.positions = raised.collect();
}
