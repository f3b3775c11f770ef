//! A square waffle: a plate with pockets on both sides, between ribs whose walls lean.

use super::TriangleMesh;
use glam::Vec3;

/// Pockets along a side.
const POCKETS: usize = 4;
/// Width of a rib at its top, and half of the plate's thickness at ribs and in pockets.
const RIB: f32 = 0.06;
const HALF_THICK: f32 = 0.1;
const HALF_THIN: f32 = 0.035;
/// How far the walls of a pocket lean inwards.
const LEAN: f32 = 0.02;

/// Coordinates of the lines of the grid, each with whether it bounds or crosses the floor of a pocket.
fn lines() -> Vec<(f32, bool)> {
    let pocket = (1.0 - RIB * (POCKETS + 1) as f32) / POCKETS as f32;
    let mut lines = vec![(0.0, false)];
    for k in 0..POCKETS {
        let start = RIB + k as f32 * (pocket + RIB);
        lines.extend([
            (start, false),
            (start + LEAN, true),
            (start + pocket - LEAN, true),
            (start + pocket, false),
        ]);
    }
    lines.push((1.0, false));
    lines
}

pub(super) fn mesh() -> TriangleMesh {
    let lines = lines();
    let n = lines.len();
    let mut mesh = TriangleMesh::default();
    for side in [1.0, -1.0] {
        for &(z, deep_z) in &lines {
            for &(x, deep_x) in &lines {
                let height = if deep_x && deep_z { HALF_THIN } else { HALF_THICK };
                mesh.positions.push(Vec3::new(x, side * height, z));
            }
        }
    }
    let at = |side: usize, i: usize, j: usize| (side * n * n + j * n + i) as u32;
    for j in 0..n - 1 {
        for i in 0..n - 1 {
            let deep = |i: usize, j: usize| lines[i].1 && lines[j].1;
            // The diagonal of a pocket's corner runs up to the rib.
            let rising = deep(i, j) != deep(i + 1, j + 1);
            for side in 0..2 {
                let [a, b, c, d] =
                    [at(side, i, j), at(side, i, j + 1), at(side, i + 1, j + 1), at(side, i + 1, j)];
                let pair = if rising { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                let turned = |[a, b, c]: [u32; 3]| if side == 0 { [a, b, c] } else { [a, c, b] };
                mesh.triangles.extend(pair.map(turned));
            }
        }
    }
    for k in 0..n - 1 {
        let m = n - 1;
        for [(i, j), (p, q)] in
            [[(k + 1, 0), (k, 0)], [(k, m), (k + 1, m)], [(0, k), (0, k + 1)], [(m, k + 1), (m, k)]]
        {
            let [a, b, c, d] = [at(0, i, j), at(1, i, j), at(1, p, q), at(0, p, q)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}
