//! A flower: a round middle and six thick petals, slightly cupped.

use super::TriangleMesh;
use super::blobs::{Blob, joined};
use glam::{Quat, Vec3};
use std::f32::consts::TAU;

const PETALS: usize = 6;

pub(super) fn mesh() -> TriangleMesh {
    let mut parts = vec![Blob::egg([0.0, 0.02, 0.0], [0.2, 0.12, 0.2])];
    parts.extend((0..PETALS).map(|k| {
        let turn = Quat::from_rotation_y(TAU * k as f32 / PETALS as f32) * Quat::from_rotation_z(0.15);
        Blob::Egg(turn * (Vec3::X * 0.29), Vec3::new(0.21, 0.07, 0.13), turn)
    }));
    joined(&parts, 0.03)
}
