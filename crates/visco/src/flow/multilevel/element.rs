//! The element matrix of a cell: trilinear velocities, viscous energy.

use glam::{Mat3, Mat3A, Vec3, Vec3A};

/// Corner k of the unit cell.
pub(super) fn corner(k: usize) -> Vec3 {
    Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2 & 1) as f32)
}

/// Trilinear weight of a corner at a point of the unit cell.
#[inline]
pub(super) fn weight(k: usize, x: Vec3) -> f32 {
    let along = |bit: usize, t: f32| if k >> bit & 1 == 1 { t } else { 1.0 - t };
    along(0, x.x) * along(1, x.y) * along(2, x.z)
}

fn weight_gradient(k: usize, x: Vec3) -> Vec3 {
    let (c, sign) = (corner(k), corner(k) * 2.0 - 1.0);
    let n = c * x + (Vec3::ONE - c) * (Vec3::ONE - x);
    Vec3::new(sign.x * n.y * n.z, n.x * sign.y * n.z, n.x * n.y * sign.z)
}

/// Blocks A_pq of the element matrix between the corners of a cell, for shear + bulk = 1.
pub(super) struct Element {
    blocks: [[Mat3A; 8]; 8],
    /// Largest eigenvalue of D⁻¹A, which bounds that of every mesh of such elements.
    pub(super) largest: f32,
}

impl Element {
    /// The element of energy s |dev D|² + ½ b (tr D)² with b/s = `ratio`, by Gauss points.
    pub(super) fn new(size: Vec3, ratio: f32) -> Self {
        let (shear, bulk) = (1.0 / (1.0 + ratio), ratio / (1.0 + ratio));
        let mut blocks = [[Mat3::ZERO; 8]; 8];
        let offset = 0.5 / 3.0_f32.sqrt();
        for g in 0..8 {
            let x = Vec3::splat(0.5) + (corner(g) * 2.0 - 1.0) * offset;
            let a: [Vec3; 8] = std::array::from_fn(|k| weight_gradient(k, x) / size);
            for p in 0..8 {
                for q in 0..8 {
                    let outer = |u: Vec3, v: Vec3| Mat3::from_cols(u * v.x, u * v.y, u * v.z);
                    let isotropic = Mat3::from_diagonal(Vec3::splat(a[p].dot(a[q])));
                    let volume = outer(a[p], a[q]) * (bulk - 2.0 / 3.0 * shear);
                    blocks[p][q] += ((isotropic + outer(a[q], a[p])) * shear + volume) * 0.125;
                }
            }
        }
        let largest = largest_eigenvalue(&blocks);
        Self { blocks: blocks.map(|row| row.map(Mat3A::from)), largest }
    }

    pub(super) fn block(&self, p: usize, q: usize) -> Mat3A {
        self.blocks[p][q]
    }

    /// Row p of the matrix times the corners' values.
    #[inline]
    pub(super) fn row(&self, p: usize, x: &[Vec3A], index: &[u32; 8]) -> Vec3A {
        let mut sum = Vec3A::ZERO;
        for q in 0..8 {
            sum += self.blocks[p][q] * x[index[q] as usize];
        }
        sum
    }
}

fn largest_eigenvalue(blocks: &[[Mat3; 8]; 8]) -> f32 {
    const ROUNDS: usize = 100;
    let mut v: [Vec3; 8] = std::array::from_fn(|k| Vec3::new(1.0, -0.7, 0.3) * (1.0 + k as f32).sin());
    let mut value = 1.0;
    for _ in 0..ROUNDS {
        let image: [Vec3; 8] = std::array::from_fn(|p| {
            let sum: Vec3 = (0..8).map(|q| blocks[p][q] * v[q]).sum();
            blocks[p][p].inverse() * sum
        });
        value = image.iter().map(|x| x.length_squared()).sum::<f32>().sqrt();
        v = image.map(|x| x / value);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rigid_motion_costs_nothing_and_shear_its_energy() {
        let size = Vec3::new(0.2, 0.3, 0.25);
        let element = Element::new(size, 10.0);
        let energy = |u: &dyn Fn(Vec3) -> Vec3| -> f32 {
            let x: [Vec3A; 8] = std::array::from_fn(|k| u(corner(k) * size).into());
            let index = std::array::from_fn(|k| k as u32);
            (0..8).map(|p| x[p].dot(element.row(p, &x, &index))).sum()
        };
        assert!(energy(&|x| Vec3::new(1.0, 2.0, 3.0) + Vec3::new(0.4, -1.0, 0.2).cross(x)).abs() < 1e-5);
        // u = (γy, 0, 0): |dev D|² = γ²/2, so that 2 s |dev D|² = γ² s with s = 1/11.
        assert!((energy(&|x| Vec3::new(2.0 * x.y, 0.0, 0.0)) - 4.0 / 11.0).abs() < 1e-4);
        // u = x: (tr D)² b = 9 · 10/11.
        assert!((energy(&|x| x) - 90.0 / 11.0).abs() < 1e-3);
    }
}
