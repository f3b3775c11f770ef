//! An open left hand, palm towards +z: fingers of two rods each, a thumb and a wrist.

use super::TriangleMesh;
use super::blobs::{Blob, joined};

pub(super) fn mesh() -> TriangleMesh {
    let mut parts = vec![
        Blob::egg([0.0, 0.3, 0.0], [0.19, 0.2, 0.065]),
        Blob::egg([-0.09, 0.24, 0.03], [0.09, 0.13, 0.06]),
        Blob::rod([0.0, 0.0, -0.01], [0.0, 0.2, 0.0], [0.1, 0.11]),
        Blob::rod([-0.13, 0.22, 0.02], [-0.25, 0.38, 0.05], [0.06, 0.048]),
        Blob::rod([-0.25, 0.38, 0.05], [-0.29, 0.5, 0.06], [0.046, 0.036]),
    ];
    // Root, lean outwards, length and radius from the first finger to the little one.
    for [x, lean, length, radius] in [
        [-0.135, -0.12, 0.36, 0.046],
        [-0.045, -0.03, 0.41, 0.048],
        [0.05, 0.06, 0.38, 0.046],
        [0.14, 0.18, 0.3, 0.04],
    ] {
        let root = [x, 0.42, 0.0];
        let joint = [x + 0.55 * lean * length, 0.42 + 0.55 * length, 0.01];
        let tip = [x + lean * length, 0.42 + length, 0.035];
        parts.push(Blob::rod(root, joint, [1.1 * radius, radius]));
        parts.push(Blob::rod(joint, tip, [radius, 0.8 * radius]));
    }
    joined(&parts, 0.03)
}
