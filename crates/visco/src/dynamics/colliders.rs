//! The shapes of a scene as rapier has them.

use super::{pose, vector};
use crate::boundary::{Cone, Shape, Wall};
use crate::mesh::Solid;
use glam::{DQuat, DVec3, Quat, Vec3};
use rapier3d_f64::math::{Pose, Vector};
use rapier3d_f64::parry::shape::{Ball, Capsule, Cylinder, SharedShape, TriMeshFlags};
use std::f64::consts::TAU;

/// Sides of what is round, where it must be made of triangles.
const SIDES: u32 = 64;

/// A part of a shape, and where it is.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) shape: SharedShape,
    pub(super) place: Pose,
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{:?} at {:?}", self.shape.shape_type(), self.place)
    }
}

type Triangles = (Vec<Vector>, Vec<[u32; 3]>);

/// A body's shape. One bounded by a mesh is taken apart into convex ones.
pub(super) fn of_body(shape: &Shape) -> Vec<Piece> {
    match shape {
        Shape::Mesh { solid, center, rotation } => {
            let (points, triangles) = mesh(solid);
            let parts = SharedShape::convex_decomposition(&points, &triangles);
            vec![Piece { shape: parts, place: place(*center, *rotation) }]
        }
        _ => obstacle(shape).into_iter().collect(),
    }
}

/// A wall's shape; a container's is what is around it.
pub(super) fn of_wall(wall: &Wall) -> Vec<Piece> {
    match wall.contains {
        false => obstacle(&wall.shape).into_iter().collect(),
        true => container(&wall.shape),
    }
}

/// A shape with what is inside it solid.
fn obstacle(shape: &Shape) -> Option<Piece> {
    let (shape, place) = match *shape {
        Shape::Plane { point, normal } => {
            (SharedShape::halfspace(vector(normal.as_dvec3().normalize())), place(point, Quat::IDENTITY))
        }
        Shape::Box { center, half, rotation } => {
            let half = half.as_dvec3();
            (SharedShape::cuboid(half.x, half.y, half.z), place(center, rotation))
        }
        Shape::Sphere { center, radius } => {
            (SharedShape::ball(f64::from(radius)), place(center, Quat::IDENTITY))
        }
        Shape::Cylinder { center, axis, half_length, radius } => {
            let cylinder = SharedShape::cylinder(f64::from(half_length), f64::from(radius));
            (cylinder, along(center, axis))
        }
        Shape::Capsule { center, half_axis, radius } => {
            let capsule = SharedShape::capsule_y(f64::from(half_axis.length()), f64::from(radius));
            (capsule, along(center, half_axis))
        }
        Shape::Cone(ref cone) => (SharedShape::convex_hull(&rims(cone))?, along(cone.center, cone.axis)),
        Shape::Mesh { ref solid, center, rotation } => (surface(mesh(solid)), place(center, rotation)),
    };
    Some(Piece { shape, place })
}

/// A shape with what is around it solid.
fn container(shape: &Shape) -> Vec<Piece> {
    let inwards = |(points, triangles): Triangles, place: Pose| {
        let flipped = triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect();
        vec![Piece { shape: surface((points, flipped)), place }]
    };
    match *shape {
        Shape::Plane { .. } => obstacle(shape).into_iter().collect(),
        Shape::Box { center, half, rotation } => {
            let sides = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z].map(|axis| Piece {
                shape: SharedShape::halfspace(vector((rotation * axis).as_dvec3().normalize())),
                place: place(center - rotation * (axis * half), Quat::IDENTITY),
            });
            sides.into()
        }
        Shape::Sphere { center, radius } => {
            inwards(Ball::new(f64::from(radius)).to_trimesh(SIDES, SIDES), place(center, Quat::IDENTITY))
        }
        Shape::Cylinder { center, axis, half_length, radius } => {
            let cylinder = Cylinder::new(f64::from(half_length), f64::from(radius));
            inwards(cylinder.to_trimesh(SIDES), along(center, axis))
        }
        Shape::Capsule { center, half_axis, radius } => {
            let capsule = Capsule::new_y(f64::from(half_axis.length()), f64::from(radius));
            inwards(capsule.to_trimesh(SIDES, SIDES), along(center, half_axis))
        }
        Shape::Cone(ref cone) => {
            let hull = SharedShape::convex_hull(&rims(cone));
            let sides = hull.as_ref().and_then(|hull| hull.as_convex_polyhedron());
            sides.map_or(vec![], |sides| inwards(sides.to_trimesh(), along(cone.center, cone.axis)))
        }
        Shape::Mesh { ref solid, center, rotation } => inwards(mesh(solid), place(center, rotation)),
    }
}

fn place(center: Vec3, rotation: Quat) -> Pose {
    pose(center.as_dvec3(), rotation.as_dquat().normalize())
}

/// A place at which y points along an axis.
fn along(center: Vec3, axis: Vec3) -> Pose {
    pose(center.as_dvec3(), DQuat::from_rotation_arc(DVec3::Y, axis.as_dvec3().normalize()))
}

/// Points of both rims of a cone, or of one and the tip, about its centre with y along its axis.
fn rims(cone: &Cone) -> Vec<Vector> {
    let mut points = vec![];
    for (radius, y) in [(cone.radii[0], -cone.half_length), (cone.radii[1], cone.half_length)] {
        let (radius, y) = (f64::from(radius), f64::from(y));
        let count = if radius > 0.0 { SIDES } else { 1 };
        points.extend((0..count).map(|k| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(SIDES)).sin_cos();
            Vector::new(radius * cos, y, radius * sin)
        }));
    }
    points
}

fn mesh(solid: &Solid) -> Triangles {
    let mesh = solid.mesh();
    (mesh.positions.iter().map(|p| vector(p.as_dvec3())).collect(), mesh.triangles.clone())
}

/// A closed surface, solid where its triangles turn their backs.
fn surface((points, triangles): Triangles) -> SharedShape {
    let flags =
        TriMeshFlags::FIX_INTERNAL_EDGES | TriMeshFlags::ORIENTED | TriMeshFlags::DELETE_DEGENERATE_TRIANGLES;
    match SharedShape::trimesh_with_flags(points.clone(), triangles.clone(), flags) {
        Ok(shape) => shape,
        // A mesh without triangles is refused when the scene is read.
        Err(_) => SharedShape::convex_decomposition(&points, &triangles),
    }
}
