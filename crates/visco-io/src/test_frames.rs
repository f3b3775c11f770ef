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

/// A file with bytes changed, removed and put in, in `count` ways that are the same in every run.
pub(crate) fn mutations(file: &[u8], count: usize) -> impl Iterator<Item = Vec<u8>> + '_ {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n.max(1)
    };
    (0..count).map(move |_| {
        let mut changed = file.to_vec();
        for _ in 0..=random(3) {
            let at = random(changed.len());
            let bytes = [0, 1, 0x7f, 0x80, 0xff, b'"', b'9', random(256) as u8];
            match random(6) {
                0 => changed.truncate(at),
                1 => changed.insert(at, bytes[random(bytes.len())]),
                2 if !changed.is_empty() => drop(changed.remove(at)),
                _ => changed
                    .iter_mut()
                    .skip(at)
                    .take(1 + random(4))
                    .for_each(|b| *b = bytes[random(bytes.len())]),
            }
        }
        changed
    })
}
