//! Triangles of one look each.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// A corner of a surface, as in mesh.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SurfaceCorner {
    pub(crate) position: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) look: u32,
}

impl SurfaceCorner {
    /// In the middle of an edge, with the look of its start. From either end it is the same point, so that there is no
    /// gap between the triangles beside the edge.
    fn between(start: &Self, end: &Self) -> Self {
        Self {
            position: 0.5 * (start.position + end.position),
            normal: (start.normal + end.normal).normalize_or(start.normal),
            look: start.look,
        }
    }
}

/// Cuts triangles whose corners differ in look through the middles of those edges that change it: looks then meet along
/// lines across triangles instead of their teeth. The first corner of a triangle has its look.
pub(crate) fn by_look(corners: &mut Vec<SurfaceCorner>, triangle: [u32; 3]) -> Vec<[u32; 3]> {
    let looks = triangle.map(|i| corners[i as usize].look);
    let same = [0, 1, 2].map(|k| looks[k] == looks[(k + 1) % 3]);
    if same == [true; 3] {
        return vec![triangle];
    }
    let mut middle = |a: u32, b: u32| {
        corners.push(SurfaceCorner::between(&corners[a as usize], &corners[b as usize]));
        corners.len() as u32 - 1
    };
    let Some(kept) = same.iter().position(|s| *s) else {
        let [a, b, c] = triangle;
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        return vec![[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]];
    };
    // The edge from b to c stays whole.
    let [b, c, a] = [0, 1, 2].map(|k| triangle[(kept + k) % 3]);
    let (ab, ca) = (middle(a, b), middle(c, a));
    vec![[a, ab, ca], [b, c, ca], [b, ca, ab]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Area of the parts of a triangle by look, with the looks of its corners.
    fn areas(looks: [u32; 3]) -> [f32; 3] {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::new(0.3, 1.0, 0.0)];
        let corner = |k: usize| SurfaceCorner { position: positions[k], normal: Vec3::Z, look: looks[k] };
        let mut corners = vec![corner(0), corner(1), corner(2)];
        let mut areas = [0.0; 3];
        for t in by_look(&mut corners, [0, 1, 2]) {
            let [a, b, c] = t.map(|i| corners[i as usize].position);
            let area = (b - a).cross(c - a).z;
            assert!(area > 0.0, "turned as before");
            areas[corners[t[0] as usize].look as usize] += area;
        }
        areas
    }

    #[test]
    fn a_corner_keeps_a_quarter_and_the_sum_is_the_whole() {
        assert_eq!(areas([1, 1, 1]), [0.0, 1.0, 0.0]);
        for looks in [[0, 1, 1], [1, 0, 1], [1, 1, 0]] {
            let found = areas(looks);
            assert!((found[0] - 0.25).abs() < 1e-6 && (found[1] - 0.75).abs() < 1e-6, "{looks:?}: {found:?}");
        }
        let three = areas([0, 1, 2]);
        assert!(
            (three.iter().sum::<f32>() - 1.0).abs() < 1e-6 && three.iter().all(|a| *a > 0.2),
            "{three:?}"
        );
    }
}
