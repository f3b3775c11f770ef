//! Smoothing without shrinking.
//!
//! S, diffusion of the corners over the mesh, takes bumps away, and a good part of the width of a rope, too. How far the
//! surface sank below where it was, along its normal, is smoothed in the same way and given back: the bumps average out,
//! the width comes back, however thin the rope or small the drop. Where but few particles are around, at strands of single
//! particles, less is smoothed, as Löschner et al. 2023 do ("Weighted Laplacian smoothing for surface reconstruction of
//! particle-based fluids").
//!
//! S is exp(−t K), where K takes a value to its difference from the mean of its neighbours. Its Chebyshev polynomial has
//! a degree near 4 √t, where steps towards the mean would be as many as t.

use crate::Mesh;
use glam::Vec3;
use rayon::prelude::*;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};
use visco_io::surfaces::Surface;

/// t for a length of one cell: corners are some 0.75 cells apart.
const TIME: f32 = 3.5;

/// Largest t: for cells that are far too small for the length to smooth over.
const MOST: f32 = 1e4;

/// Coefficients of the polynomial below this part of the largest are left out.
const PRECISION: f64 = 1e-3;

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

    /// S: Σ cₘ Tₘ(K − 1), by the recurrence of the Tₘ.
    fn relaxed<T: Value>(&self, values: Vec<T>, coefficients: &[f32]) -> Vec<T> {
        let mut before = values;
        let mut now = vec![T::default(); before.len()];
        self.advance(&before, &mut now, |k, _| k);
        let (first, second) = (coefficients[0], coefficients[1]);
        let mut sum: Vec<T> = before.iter().zip(&now).map(|(a, b)| *a * first + *b * second).collect();
        for &coefficient in &coefficients[2..] {
            self.advance(&now, &mut before, |k, old| k * 2.0 - old);
            std::mem::swap(&mut now, &mut before);
            let add = |(sum, value): (&mut T, &T)| *sum = *sum + *value * coefficient;
            sum.par_iter_mut().with_min_len(CHUNK).zip(&now).for_each(add);
        }
        sum
    }

    /// `to` becomes `f` of (K − 1) `of` and what it was.
    fn advance<T: Value>(&self, of: &[T], to: &mut [T], f: impl Fn(T, T) -> T + Sync) {
        to.par_chunks_mut(CHUNK).enumerate().for_each(|(k, chunk)| {
            for (i, value) in chunk.iter_mut().enumerate().map(|(i, value)| (k * CHUNK + i, value)) {
                let around = self.around(i);
                let mean =
                    around.iter().map(|&j| of[j as usize]).sum::<T>() * (1.0 / around.len().max(1) as f32);
                *value = f((of[i] - mean) * self.weights[i] - of[i], *value);
            }
        });
    }
}

/// The coefficients of exp(−t K) over Tₘ(K − 1): 2 (−1)ᵐ e⁻ᵗ Iₘ(t), and half of that for m = 0, with Bessel's Iₘ by
/// Miller's downward recurrence. Constants stay as they are.
fn coefficients(t: f32) -> Vec<f32> {
    let t = f64::from(t);
    let degree = (7.0 * t.sqrt() + 12.0) as usize;
    let mut bessel = vec![0.0; degree + 2];
    bessel[degree] = 1e-200;
    for m in (1..=degree).rev() {
        bessel[m - 1] = bessel[m + 1] + 2.0 * m as f64 / t * bessel[m];
        if bessel[m - 1] > 1e200 {
            bessel[m - 1..].iter_mut().for_each(|value| *value *= 1e-300);
        }
    }
    let count = bessel.iter().position(|value| *value < PRECISION * bessel[0]).unwrap_or(degree).max(2);
    let all = bessel[0] + 2.0 * bessel[1..count].iter().sum::<f64>();
    let sign = |m: usize| if m.is_multiple_of(2) { 1.0 } else { -1.0 };
    let part = |m: usize| if m == 0 { 1.0 } else { 2.0 };
    (0..count).map(|m| (sign(m) * part(m) * bessel[m] / all) as f32).collect()
}

/// Smooths a closed mesh over a length, in cells, with a weight from 0 to 1 for every corner.
pub(crate) fn smooth(mesh: &mut Mesh, weights: &[f32], length: f32) {
    let t = (TIME * length * length).min(MOST);
    if t < 0.01 || mesh.positions.is_empty() {
        return;
    }
    let (ring, coefficients) = (Ring::of(mesh, weights), coefficients(t));
    // Near the origin, so that sums keep their digits.
    let middle = mesh.positions[mesh.positions.len() / 2];
    let rough: Vec<Vec3> = mesh.positions.iter().map(|x| x - middle).collect();
    let smoothed = ring.relaxed(rough.clone(), &coefficients);
    let normals = Surface::area_normals(&smoothed, &mesh.triangles);
    let depth = |((x, s), n): ((&Vec3, &Vec3), &Vec3)| (*x - *s).dot(*n);
    let sunk = rough.iter().zip(&smoothed).zip(&normals).map(depth).collect();
    let back = ring.relaxed(sunk, &coefficients);
    let raised = smoothed.into_iter().zip(normals).zip(back).map(|((s, n), back)| middle + s + back * n);
    mesh.positions = raised.collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_is_the_exponential() {
        for t in [0.02_f32, 0.5, 3.0, 36.0, 900.0, 1e4] {
            let coefficients = coefficients(t);
            for k in [0.0_f32, 0.001, 0.01, 0.1, 0.5, 1.0, 1.9] {
                let y = k - 1.0;
                let (mut before, mut now) = (1.0, y);
                let mut sum = coefficients[0] + coefficients[1] * y;
                for c in &coefficients[2..] {
                    (before, now) = (now, 2.0 * y * now - before);
                    sum += c * now;
                }
                assert!((sum - (-t * k).exp()).abs() < 0.01, "t {t}, k {k}: {sum}");
            }
        }
        assert!(coefficients(1e4).len() < 500);
    }
}
