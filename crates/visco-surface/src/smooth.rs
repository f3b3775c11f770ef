//! Smoothing without shrinking.
//!
//! S, so many steps of every corner towards the mean of its neighbours, would take bumps away, and a part of the width of
//! a rope, too. What S took is smoothed as well and given back: 2 S − S², as Tukey's "twicing" does with running means.
//! Of a part s that S leaves of a wave, 1 − (1 − s)² stays: short waves still vanish, long ones stay. Where few particles
//! are around, at strands and drops, less is smoothed, as Löschner et al. 2023 do ("Weighted Laplacian smoothing for
//! surface reconstruction of particle-based fluids").

use crate::Mesh;
use glam::Vec3;
use rayon::prelude::*;

/// Part of the way to the mean in a step, where corners have the weight 1.
const STEP: f32 = 0.5;

/// Steps in which a wave spreads by an edge of a cell: corners are some 0.75 cells apart.
const STEPS: f32 = 7.0;

/// Most steps: for cells that are far too small for the length to smooth over.
const MOST: u32 = 1000;

/// Corners handled together.
const CHUNK: usize = 1024;

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
    fn relaxed(&self, values: &[Vec3], steps: u32) -> Vec<Vec3> {
        let mut now = values.to_vec();
        let mut next = vec![Vec3::ZERO; values.len()];
        for _ in 0..steps {
            next.par_chunks_mut(CHUNK).enumerate().for_each(|(k, chunk)| {
                for (i, value) in chunk.iter_mut().enumerate().map(|(i, value)| (k * CHUNK + i, value)) {
                    let around = self.around(i);
                    let sum: Vec3 = around.iter().map(|&j| now[j as usize]).sum();
                    *value = now[i] + STEP * self.weights[i] * (sum / around.len().max(1) as f32 - now[i]);
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
    let smoothed = ring.relaxed(&mesh.positions, steps);
    let taken: Vec<Vec3> = mesh.positions.iter().zip(&smoothed).map(|(x, s)| x - s).collect();
    let back = ring.relaxed(&taken, steps);
    mesh.positions = smoothed.into_iter().zip(back).map(|(s, back)| s + back).collect();
}
