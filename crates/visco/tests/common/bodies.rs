//! What the tests of bodies share.

use visco::Frame;
use visco::glam::{DVec3, Vec3};

/// Indices of a body's particles in a frame of a scene with one material.
#[allow(dead_code)]
pub(crate) fn body(frame: &Frame, index: u8) -> Vec<usize> {
    (0..frame.len()).filter(|&i| frame.materials[i] == 1 + index).collect()
}

/// Mean of vectors over some particles.
#[allow(dead_code)]
pub(crate) fn mean(values: &[Vec3], of: &[usize]) -> DVec3 {
    of.iter().map(|&i| values[i].as_dvec3()).sum::<DVec3>() / of.len() as f64
}
