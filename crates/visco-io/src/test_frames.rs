//! Frames for the tests of this crate.

use glam::Vec3;
use visco::Frame;

/// A frame of `n` particles, no two values alike.
pub(crate) fn frame(n: u32, conformations: bool) -> Frame {
    let vector = |i: u32, s: f32| Vec3::new(1.5, -2.25, 0.1) * (i as f32 + s);
    Frame {
        number: 12,
        time: 0.1 + 0.2,
        spacing: 0.002,
        positions: (0..n).map(|i| vector(i, 0.5)).collect(),
        velocities: (0..n).map(|i| vector(i, -7.0)).collect(),
        ids: (0..n).map(|i| 3 * i + 4_000_000_000).collect(),
        materials: (0..n).map(|i| (250 + i) as u8).collect(),
        densities: (0..n).map(|i| 1000.0 + i as f32).collect(),
        conformations: conformations.then(|| {
            let q = |i: u32| [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|k| k + 10.0 * i as f32);
            (0..n).map(q).collect()
        }),
    }
}
