//! Meshes of implicit functions: marching tetrahedra, whose surface is always closed.

use super::TriangleMesh;
use glam::Vec3;
use std::collections::HashMap;

/// Values are kept this part of a cell away from zero, so that no triangle is without area.
const LEAST: f32 = 0.03;

/// The six tetrahedra of a cube: each goes from corner 0 along the axes, in one of their orders, to corner 7. Bits of a
/// corner are its coordinates.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];

struct Grid<'a, F> {
    function: &'a F,
    min: Vec3,
    cell: f32,
    /// Points along each axis.
    count: [usize; 3],
}

impl<F: Fn(Vec3) -> f32> Grid<'_, F> {
    fn coordinates(&self, i: usize) -> [usize; 3] {
        let [nx, ny, _] = self.count;
        [i % nx, i / nx % ny, i / (nx * ny)]
    }

    fn point(&self, i: usize) -> Vec3 {
        let c = self.coordinates(i).map(|c| c as f32);
        self.min + Vec3::from_array(c) * self.cell
    }

    /// The function, positive on the rim of the grid, and nowhere zero.
    fn value(&self, i: usize) -> f32 {
        let c = self.coordinates(i);
        let rim = (0..3).any(|k| c[k] == 0 || c[k] + 1 == self.count[k]);
        let value = (self.function)(self.point(i));
        let least = LEAST * self.cell;
        match () {
            () if rim => value.max(least),
            () if value < 0.0 => value.min(-least),
            () => value.max(least),
        }
    }
}

/// The surface where `function` is zero; inside it is negative. Cells of a cubic grid over the box have the size
/// `cell`.
pub(super) fn surface(function: &impl Fn(Vec3) -> f32, (min, max): (Vec3, Vec3), cell: f32) -> TriangleMesh {
    let count = ((max - min) / cell).ceil().to_array().map(|n| n as usize + 1);
    let grid = Grid { function, min, cell, count };
    let values: Vec<f32> = (0..count.iter().product()).map(|i| grid.value(i)).collect();
    let mut mesh = TriangleMesh::default();
    let mut known = HashMap::new();
    let [nx, ny, nz] = count;
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                let corner = |k: usize| ((z + (k >> 2)) * ny + y + (k >> 1 & 1)) * nx + x + (k & 1);
                let negative = (0..8).filter(|&k| values[corner(k)] < 0.0).count();
                if negative == 0 || negative == 8 {
                    continue;
                }
                for tetrahedron in TETRAHEDRA {
                    let mut vertex = |a: usize, b: usize| {
                        let (a, b) = (a.min(b), a.max(b));
                        *known.entry((a, b)).or_insert_with(|| {
                            let t = values[a] / (values[a] - values[b]);
                            mesh.positions.push(grid.point(a).lerp(grid.point(b), t));
                            mesh.positions.len() as u32 - 1
                        })
                    };
                    let cut = cut(tetrahedron.map(corner), &values, &mut vertex);
                    let outward = outward(tetrahedron.map(corner), &values, |i| grid.point(i));
                    for t in cut.into_iter().flatten() {
                        let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
                        let right = (b - a).cross(c - a).dot(outward) > 0.0;
                        mesh.triangles.push(if right { t } else { [t[0], t[2], t[1]] });
                    }
                }
            }
        }
    }
    mesh
}

/// From the middle of the negative corners to that of the positive ones.
fn outward(corners: [usize; 4], values: &[f32], point: impl Fn(usize) -> Vec3) -> Vec3 {
    let middle = |sign: f32| {
        let these = corners.iter().filter(|&&i| values[i] * sign > 0.0);
        let (sum, n) = these.fold((Vec3::ZERO, 0.0), |(sum, n), &i| (sum + point(i), n + 1.0));
        sum / n
    };
    middle(1.0) - middle(-1.0)
}

/// The triangles, in any orientation, that part the corners of a tetrahedron by the signs of their values.
fn cut(
    corners: [usize; 4],
    values: &[f32],
    vertex: &mut impl FnMut(usize, usize) -> u32,
) -> [Option<[u32; 3]>; 2] {
    let (mut inside, mut outside) = ([0; 4], [0; 4]);
    let (mut n, mut m) = (0, 0);
    for i in corners {
        if values[i] < 0.0 {
            inside[n] = i;
            n += 1;
        } else {
            outside[m] = i;
            m += 1;
        }
    }
    match n {
        1 => [Some([0, 1, 2].map(|k| vertex(inside[0], outside[k]))), None],
        3 => [Some([0, 1, 2].map(|k| vertex(outside[0], inside[k]))), None],
        2 => {
            let [a, b] = [vertex(inside[0], outside[0]), vertex(inside[0], outside[1])];
            let [c, d] = [vertex(inside[1], outside[1]), vertex(inside[1], outside[0])];
            [Some([a, b, c]), Some([a, c, d])]
        }
        _ => [None, None],
    }
}
