//! Where a plane cuts a closed surface of triangles.

use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// The closed curves in which the plane through `point` with the unit vector `normal` cuts a closed surface: each a list
/// of corners of which the last is joined with the first. Triangles are three vertices each, turned the same way all
/// around; vertices that are in the same place must be the same vertex. [`super::Outline::in_plane`] lays them flat.
pub fn section(positions: &[Vec3], triangles: &[[u32; 3]], (point, normal): (Vec3, Vec3)) -> Vec<Vec<Vec3>> {
    let (point, normal) = (point.as_dvec3(), normal.as_dvec3());
    let height = |v: u32| (positions[v as usize].as_dvec3() - point).dot(normal);
    // A vertex on the plane counts as above it, so that every curve passes through edges alone.
    let above = |v: u32| height(v) >= 0.0;
    // From the edge at which the curve enters a triangle to that at which it leaves it; edges as they are turned there.
    let mut onward = HashMap::new();
    let mut entries = Vec::new();
    for t in triangles {
        let edges = [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
        let down = edges.iter().find(|(a, b)| above(*a) && !above(*b));
        let up = edges.iter().find(|(a, b)| !above(*a) && above(*b));
        if let (Some(&(a, b)), Some(&(c, d))) = (down, up) {
            // The neighbour at the edge (c, d) sees it as (d, c), which goes down there.
            onward.insert((a, b), (d, c));
            entries.push((a, b));
        }
    }
    let crossing = |(a, b): (u32, u32)| {
        let (ha, hb) = (height(a), height(b));
        let [from, to]: [DVec3; 2] = [a, b].map(|v| positions[v as usize].as_dvec3());
        (from + (to - from) * (ha / (ha - hb))).as_vec3()
    };
    let mut curves = Vec::new();
    for entry in entries {
        let mut curve = Vec::new();
        let mut edge = entry;
        while let Some(next) = onward.remove(&edge) {
            curve.push(crossing(edge));
            edge = next;
        }
        curve.dedup();
        // What does not come back to its start is the edge of a hole in the surface.
        if edge == entry && curve.len() >= 3 {
            curves.push(curve);
        }
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emitters::Outline;

    /// A ring of square section around y: a torus of four-sided tube, closed.
    fn ring() -> (Vec<Vec3>, Vec<[u32; 3]>) {
        const SIDES: u32 = 64;
        let corners = [(0.5, -0.1), (1.0, -0.1), (1.0, 0.1), (0.5, 0.1)];
        let mut positions = Vec::new();
        let mut triangles = Vec::new();
        for k in 0..SIDES {
            let (s, c) = (std::f32::consts::TAU * k as f32 / SIDES as f32).sin_cos();
            positions.extend(corners.map(|(r, y)| Vec3::new(r * c, y, r * s)));
            for i in 0..4 {
                let next = (k + 1) % SIDES;
                let (a, b) = (4 * k + i, 4 * k + (i + 1) % 4);
                let (d, e) = (4 * next + i, 4 * next + (i + 1) % 4);
                triangles.extend([[a, b, d], [b, e, d]]);
            }
        }
        (positions, triangles)
    }

    #[test]
    fn a_ring_cut_flat_is_an_annulus_and_cut_upright_two_squares() {
        let (positions, triangles) = ring();
        for offset in [0.0, 0.03, 0.1] {
            let flat = section(&positions, &triangles, (Vec3::Y * (offset - 0.001), Vec3::Y));
            assert_eq!(flat.len(), 2, "at {offset}");
            let figure = Outline::in_plane(&flat, Vec3::ZERO, (Vec3::X, Vec3::Z));
            let exact = std::f64::consts::PI * (1.0 - 0.25);
            assert!((figure.area() / exact - 1.0).abs() < 0.003, "{}", figure.area());
            assert!(!figure.contains(glam::DVec2::ZERO) && figure.crossing().is_none());
        }
        // Through vertices, too.
        let upright = section(&positions, &triangles, (Vec3::ZERO, Vec3::Z));
        assert_eq!(upright.len(), 2);
        let figure = Outline::in_plane(&upright, Vec3::ZERO, (Vec3::X, Vec3::Y));
        assert!((figure.area() - 2.0 * 0.5 * 0.2).abs() < 1e-5, "{}", figure.area());
        assert!(section(&positions, &triangles, (Vec3::Y, Vec3::Y)).is_empty());
    }
}
