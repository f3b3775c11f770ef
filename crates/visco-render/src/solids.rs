//! Triangles of the walls and obstacles of a world.

use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3};
use std::f32::consts::TAU;
use visco::boundary::Shape;
use visco::mesh::TriangleMesh;
use visco::world::World;

/// Sides of what is round.
const ROUND: usize = 48;

/// Cosine of the angle between a triangle and its surroundings from which on an edge is sharp.
const CREASE: f32 = 0.8;

/// A corner of a triangle, as in solids.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Corner {
    pub(crate) position: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) color: Vec3,
}

/// A triangle with a colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Its corners, in m.
    pub corners: [Vec3; 3],
    /// Normals at the corners.
    pub normals: [Vec3; 3],
    /// Colour, linear.
    pub color: Vec3,
}

/// What is solid in a picture.
#[derive(Clone, Debug, Default)]
pub struct Solids {
    pub(crate) corners: Vec<Corner>,
    /// Height of the highest ground: of the planes that look up.
    pub ground: Option<f32>,
}

impl Solids {
    /// The walls of a world, in these colours, at a time. Planes other than the ground, and containers, are not drawn: the fluid is
    /// behind them. A container that stands upright has its floor as ground.
    pub fn of_world(world: &World, colors: &[Vec3], time: f64) -> Self {
        let mut solids = Self::default();
        for (index, wall) in world.boundary.walls.iter().enumerate() {
            let moving = world.moving_walls.iter().find(|m| m.wall == index);
            let is_plane = matches!(wall.shape, Shape::Plane { .. });
            if is_plane || wall.contains {
                let floor = floor(&wall.shape).filter(|_| moving.is_none());
                solids.ground = [solids.ground, floor].into_iter().flatten().reduce(f32::max);
                continue;
            }
            let from = solids.corners.len();
            solids.add(&wall.shape, colors[index]);
            if let Some(moving) = moving {
                let pose = moving.motion.pose(time);
                for corner in &mut solids.corners[from..] {
                    corner.position = pose.apply(corner.position);
                    corner.normal = pose.turn(corner.normal);
                }
            }
        }
        solids
    }

    /// Adds triangles, such as those of a fluid's surface.
    pub fn push(&mut self, triangle: &Triangle) {
        for k in 0..3 {
            self.corners.push(Corner {
                position: triangle.corners[k],
                normal: triangle.normals[k],
                color: triangle.color,
            });
        }
    }

    /// All triangles.
    pub fn triangles(&self) -> impl Iterator<Item = Triangle> {
        self.corners.chunks_exact(3).map(|c| Triangle {
            corners: [c[0].position, c[1].position, c[2].position],
            normals: [c[0].normal, c[1].normal, c[2].normal],
            color: c[0].color,
        })
    }

    /// The corners of the box around everything but the ground.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = self.corners.first()?.position;
        Some(self.corners.iter().fold((first, first), |(l, h), c| (l.min(c.position), h.max(c.position))))
    }

    fn add(&mut self, shape: &Shape, color: Vec3) {
        match shape {
            Shape::Plane { .. } => {}
            Shape::Box { center, half, rotation } => self.add_box((*center, *half, *rotation), color),
            Shape::Sphere { center, radius } => {
                self.turned((*center, Vec3::Y), &round_end(*radius, 0.0, (-1.0, 1.0)), color);
            }
            Shape::Cylinder { center, axis, half_length, radius } => {
                let (r, l) = (*radius, *half_length);
                self.turned(
                    (*center, *axis),
                    &[[0.0, -l], [r, -l], [r, -l], [r, l], [r, l], [0.0, l]],
                    color,
                );
            }
            Shape::Cone(cone) => {
                let ([r0, r1], l) = (cone.radii, cone.half_length);
                let outline = [[0.0, -l], [r0, -l], [r0, -l], [r1, l], [r1, l], [0.0, l]];
                self.turned((cone.center, cone.axis), &outline, color);
            }
            Shape::Capsule { center, half_axis, radius } => {
                let l = half_axis.length();
                let mut outline = round_end(*radius, -l, (-1.0, 0.0));
                outline.extend(round_end(*radius, l, (0.0, 1.0)));
                self.turned((*center, half_axis.normalize_or(Vec3::Y)), &outline, color);
            }
            Shape::Mesh { solid, center, rotation } => {
                let mesh = solid.mesh();
                let normals = smooth_normals(mesh);
                for (k, triangle) in mesh.triangles.iter().enumerate() {
                    let corners = mesh.corners(k);
                    let flat = face(corners);
                    let normal = |v: u32| {
                        let smooth = normals[v as usize].normalize_or(flat);
                        if smooth.dot(flat) > CREASE { smooth } else { flat }
                    };
                    self.push(&Triangle {
                        corners: corners.map(|x| *rotation * x + *center),
                        normals: triangle.map(|v| *rotation * normal(v)),
                        color,
                    });
                }
            }
        }
    }

    fn flat(&mut self, corners: [Vec3; 3], color: Vec3) {
        self.push(&Triangle { corners, normals: [face(corners); 3], color });
    }

    fn add_box(&mut self, (center, half, rotation): (Vec3, Vec3, Quat), color: Vec3) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let (u, v) = (Vec3::new(axis.y, axis.z, axis.x), Vec3::new(axis.z, axis.x, axis.y));
            for side in [-1.0, 1.0] {
                let corner =
                    |a: f32, b: f32| rotation * ((axis * side + u * (a * side) + v * b) * half) + center;
                let [p, q, r, s] =
                    [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                self.flat([p, q, r], color);
                self.flat([p, r, s], color);
            }
        }
    }

    /// Turns an outline of pairs (radius, height) about an axis.
    fn turned(&mut self, (center, axis): (Vec3, Vec3), outline: &[[f32; 2]], color: Vec3) {
        let (u, v) = axis.any_orthonormal_pair();
        let out = |k: usize| {
            let angle = TAU * (k % ROUND) as f32 / ROUND as f32;
            u * angle.cos() + v * angle.sin()
        };
        for pair in outline.windows(2) {
            let [[r0, y0], [r1, y1]] = [pair[0], pair[1]];
            let slope = [y1 - y0, r0 - r1];
            if slope == [0.0, 0.0] {
                continue;
            }
            for k in 0..ROUND {
                let at = |k: usize, r: f32, y: f32| center + out(k) * r + axis * y;
                let normal = |k: usize| (out(k) * slope[0] + axis * slope[1]).normalize_or(axis);
                let (a, b) = (normal(k), normal(k + 1));
                let corners = [at(k, r0, y0), at(k + 1, r0, y0), at(k + 1, r1, y1), at(k, r1, y1)];
                let normals = [a, b, b, a];
                for pick in [[0, 1, 2], [0, 2, 3]] {
                    let triangle = Triangle {
                        corners: pick.map(|p| corners[p]),
                        normals: pick.map(|p| normals[p]),
                        color,
                    };
                    self.push(&triangle);
                }
            }
        }
    }
}

/// The normal of a triangle.
fn face([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a).normalize_or(Vec3::Y)
}

/// Normals at the vertices of a mesh, weighted by area; not of length 1.
fn smooth_normals(mesh: &TriangleMesh) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; mesh.positions.len()];
    for (k, triangle) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = mesh.corners(k);
        for vertex in triangle {
            normals[*vertex as usize] += (b - a).cross(c - a);
        }
    }
    normals
}

/// Height of a plane that looks up, or of the floor of a shape that stands upright and is seen from inside.
fn floor(shape: &Shape) -> Option<f32> {
    match shape {
        Shape::Plane { point, normal } => (normal.y > 0.99).then_some(point.y),
        Shape::Box { center, half, rotation } => {
            ((*rotation * Vec3::Y).y > 0.99).then_some(center.y - half.y)
        }
        Shape::Cylinder { center, axis, half_length, .. } => {
            (axis.y.abs() > 0.99).then_some(center.y - half_length)
        }
        Shape::Sphere { .. } | Shape::Cone(_) | Shape::Capsule { .. } | Shape::Mesh { .. } => None,
    }
}

/// The outline of a part of a ball, sines from `from` to `to`.
fn round_end(radius: f32, height: f32, (from, to): (f32, f32)) -> Vec<[f32; 2]> {
    let (from, to) = (from.asin(), to.asin());
    let n = ROUND / 4;
    (0..=n)
        .map(|k| {
            let angle = from + (to - from) * k as f32 / n as f32;
            [radius * angle.cos(), height + radius * angle.sin()]
        })
        .collect()
}
