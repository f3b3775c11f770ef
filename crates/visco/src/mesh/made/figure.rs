//! A stocky animal that stands on two legs with its arms raised: a shell on its back, ears, snout and tail.

use super::TriangleMesh;
use super::blobs::{Blob, joined};

pub(super) fn mesh() -> TriangleMesh {
    let mut parts = vec![
        Blob::egg([0.0, 0.46, 0.0], [0.17, 0.2, 0.14]),
        Blob::egg([0.0, 0.5, -0.07], [0.18, 0.2, 0.12]),
        Blob::egg([0.0, 0.78, 0.02], [0.1, 0.11, 0.1]),
        Blob::rod([0.0, 0.62, 0.0], [0.0, 0.74, 0.01], [0.08, 0.07]),
        // Snout and tail.
        Blob::rod([0.0, 0.77, 0.08], [0.0, 0.72, 0.22], [0.065, 0.035]),
        Blob::rod([0.0, 0.34, -0.12], [0.0, 0.12, -0.28], [0.075, 0.045]),
        Blob::rod([0.0, 0.12, -0.28], [0.0, 0.05, -0.42], [0.045, 0.02]),
    ];
    for side in [-1.0, 1.0] {
        let at = |x: f32, y: f32, z: f32| [side * x, y, z];
        parts.extend([
            Blob::rod(at(0.07, 0.85, 0.0), at(0.14, 0.98, -0.02), [0.035, 0.02]),
            // Arm, hand and thumb.
            Blob::rod(at(0.13, 0.58, 0.0), at(0.29, 0.62, 0.05), [0.06, 0.045]),
            Blob::rod(at(0.29, 0.62, 0.05), at(0.36, 0.78, 0.1), [0.045, 0.04]),
            Blob::rod(at(0.36, 0.78, 0.1), at(0.38, 0.87, 0.13), [0.04, 0.025]),
            Blob::rod(at(0.36, 0.79, 0.1), at(0.31, 0.85, 0.14), [0.03, 0.02]),
            // Leg and foot.
            Blob::rod(at(0.09, 0.34, 0.0), at(0.16, 0.18, 0.04), [0.09, 0.07]),
            Blob::rod(at(0.16, 0.18, 0.04), at(0.17, 0.05, 0.0), [0.065, 0.055]),
            Blob::rod(at(0.17, 0.045, 0.0), at(0.2, 0.04, 0.13), [0.055, 0.04]),
        ]);
    }
    joined(&parts, 0.05)
}
