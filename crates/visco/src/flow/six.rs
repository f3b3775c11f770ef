//! Vectors and matrices over the six motions of a rigid body.

use super::pieces::{Six, SixBySix};
use glam::DVec3;

/// All zero.
pub(super) const ZERO: SixBySix = [[0.0; 6]; 6];
/// The unit matrix.
pub(super) const IDENTITY: SixBySix = {
    let mut m = ZERO;
    let mut k = 0;
    while k < 6 {
        m[k][k] = 1.0;
        k += 1;
    }
    m
};

/// From two vectors.
pub(super) fn six(a: DVec3, b: DVec3) -> Six {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

/// The two vectors.
pub(super) fn halves(q: &Six) -> (DVec3, DVec3) {
    (DVec3::new(q[0], q[1], q[2]), DVec3::new(q[3], q[4], q[5]))
}

/// a·b.
pub(super) fn dot(a: &Six, b: &Six) -> f64 {
    (0..6).map(|k| a[k] * b[k]).sum()
}

/// M q.
pub(super) fn times(m: &SixBySix, q: &Six) -> Six {
    std::array::from_fn(|r| dot(&m[r], q))
}

/// M ← M + a bᵀ.
pub(super) fn add_outer(m: &mut SixBySix, a: &Six, b: &Six) {
    for (row, a) in m.iter_mut().zip(a) {
        for (m, b) in row.iter_mut().zip(b) {
            *m += a * b;
        }
    }
}

/// A B.
pub(super) fn product(a: &SixBySix, b: &SixBySix) -> SixBySix {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..6).map(|k| a[r][k] * b[k][c]).sum()))
}

/// Σ f(value) v vᵀ over eigenvalues and eigenvectors.
pub(super) fn function((values, vectors): &(Six, SixBySix), f: impl Fn(f64) -> f64) -> SixBySix {
    let mut m = ZERO;
    for (value, v) in values.iter().zip(vectors) {
        add_outer(&mut m, &v.map(|x| x * f(*value)), v);
    }
    m
}

/// The inverse on the space of eigenvalues above `least` times the largest, zero on the rest.
pub(super) fn pseudo_inverse((values, vectors): &(Six, SixBySix), least: f64) -> SixBySix {
    let least = least * values.iter().fold(0.0_f64, |a, v| a.max(*v));
    function(&(*values, *vectors), |v| if v > least { 1.0 / v } else { 0.0 })
}
