//! Shapes with their signed distance, for walls and for volumes to fill.

use super::cone::Cone;
use crate::mesh::Solid;
use glam::{Quat, Vec3};
use std::sync::Arc;

/// A point of a surface seen from a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Signed distance from the surface, positive on the fluid's side.
    pub distance: f32,
    /// Unit normal that points towards the fluid.
    pub normal: Vec3,
}

/// A solid shape in space.
#[derive(Clone, Debug)]
pub enum Shape {
    /// The half-space behind a plane.
    Plane {
        /// A point on the plane.
        point: Vec3,
        /// Unit normal.
        normal: Vec3,
    },
    /// A box.
    Box {
        /// Centre.
        center: Vec3,
        /// Half of each edge.
        half: Vec3,
        /// Turn from the box's own axes to the world's.
        rotation: Quat,
    },
    /// A ball.
    Sphere {
        /// Centre.
        center: Vec3,
        /// Radius.
        radius: f32,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Centre.
        center: Vec3,
        /// Unit vector along the axis.
        axis: Vec3,
        /// Half of the length.
        half_length: f32,
        /// Radius.
        radius: f32,
    },
    /// A cone with flat ends, or one end and a tip.
    Cone(Cone),
    /// A cylinder with round ends.
    Capsule {
        /// Centre.
        center: Vec3,
        /// From the centre to the middle of one round end.
        half_axis: Vec3,
        /// Radius.
        radius: f32,
    },
    /// What a closed mesh bounds.
    Mesh {
        /// The mesh, about the centre of its box.
        solid: Arc<Solid>,
        /// Where that centre is.
        center: Vec3,
        /// Turn from the mesh's own axes to the world's.
        rotation: Quat,
    },
}

impl Shape {
    /// Nearest point of the surface as an obstacle: distance is negative inside the solid.
    pub fn outside(&self, x: Vec3) -> SurfacePoint {
        match *self {
            Self::Plane { point, normal } => SurfacePoint { distance: (x - point).dot(normal), normal },
            Self::Box { center, half, rotation } => {
                let local = rotation.inverse() * (x - center);
                let over = local.abs() - half;
                let sign = local.signum();
                let (distance, normal) = if over.max_element() > 0.0 {
                    let out = over.max(Vec3::ZERO);
                    (out.length(), out.normalize() * sign)
                } else {
                    let axis = axis_of_largest(over);
                    (over.max_element(), axis * sign)
                };
                SurfacePoint { distance, normal: rotation * normal }
            }
            Self::Sphere { center, radius } => {
                let e = x - center;
                let r = e.length();
                let normal = if r > 0.0 { e / r } else { Vec3::Y };
                SurfacePoint { distance: r - radius, normal }
            }
            Self::Cylinder { center, axis, half_length, radius } => {
                let (along, out, r) = cylindrical(x - center, axis);
                let cap = axis * along.signum();
                let (a, b) = (along.abs() - half_length, r - radius);
                if a > 0.0 && b > 0.0 {
                    let distance = a.hypot(b);
                    SurfacePoint { distance, normal: (cap * a + out * b) / distance }
                } else if a > b {
                    SurfacePoint { distance: a, normal: cap }
                } else {
                    SurfacePoint { distance: b, normal: out }
                }
            }
            Self::Cone(ref cone) => cone.outside(x),
            Self::Capsule { center, half_axis, radius } => {
                let t = (x - center).dot(half_axis) / half_axis.length_squared();
                let e = x - center - half_axis * t.clamp(-1.0, 1.0);
                let r = e.length();
                let normal = if r > 0.0 { e / r } else { half_axis.any_orthonormal_vector() };
                SurfacePoint { distance: r - radius, normal }
            }
            Self::Mesh { ref solid, center, rotation } => {
                let p = solid.signed_distance(rotation.inverse() * (x - center));
                SurfacePoint { normal: rotation * p.normal, ..p }
            }
        }
    }

    /// The surfaces of the shape as an obstacle that are closer than `range` to `x`, or behind which it lies.
    pub fn outside_within(&self, x: Vec3, range: f32, mut visit: impl FnMut(SurfacePoint)) {
        match self {
            Self::Mesh { .. } => self.mesh_within(x, range, 1.0, visit),
            _ => {
                let point = self.outside(x);
                if point.distance < range {
                    visit(point);
                }
            }
        }
    }

    /// The surfaces of the shape as a container that are closer than `range` to `x`, or behind which it lies.
    pub fn inside_within(&self, x: Vec3, range: f32, mut visit: impl FnMut(SurfacePoint)) {
        match self {
            Self::Mesh { .. } => self.mesh_within(x, range, -1.0, visit),
            _ => self.inside(x, |point| {
                if point.distance < range {
                    visit(point);
                }
            }),
        }
    }

    fn mesh_within(&self, x: Vec3, range: f32, side: f32, mut visit: impl FnMut(SurfacePoint)) {
        if let Self::Mesh { solid, center, rotation } = self {
            solid.surfaces(rotation.inverse() * (x - center), range, side, |p| {
                visit(SurfacePoint { normal: *rotation * p.normal, ..p });
            });
        }
    }

    /// Whether a point lies outside and at least `range` away; often quicker than the distance.
    pub fn is_clear(&self, x: Vec3, range: f32) -> bool {
        match self {
            Self::Mesh { solid, center, rotation } => {
                solid.is_clear(rotation.inverse() * (x - center), range)
            }
            _ => self.outside(x).distance >= range,
        }
    }

    /// Where a way from the fluid's side of a mesh (1 outside, −1 inside) would cross it, however thin the solid is there:
    /// the normal towards the fluid. Other shapes know their inside well enough without.
    pub fn entered(&self, from: Vec3, to: Vec3, side: f32) -> Option<Vec3> {
        let Self::Mesh { solid, center, rotation } = self else {
            return None;
        };
        let local = |x: Vec3| rotation.inverse() * (x - center);
        solid.crossing(local(from), local(to), side).map(|normal| *rotation * normal)
    }

    /// The walls of the shape as a container, each as its own surface: `visit` gets the point of every wall.
    pub fn inside(&self, x: Vec3, mut visit: impl FnMut(SurfacePoint)) {
        match *self {
            Self::Plane { .. } => visit(self.outside(x)),
            Self::Box { center, half, rotation } => {
                let local = rotation.inverse() * (x - center);
                for (axis, l, h) in
                    [(Vec3::X, local.x, half.x), (Vec3::Y, local.y, half.y), (Vec3::Z, local.z, half.z)]
                {
                    let normal = rotation * axis;
                    visit(SurfacePoint { distance: h + l, normal });
                    visit(SurfacePoint { distance: h - l, normal: -normal });
                }
            }
            Self::Cone(ref cone) => cone.inside(x, visit),
            Self::Sphere { .. } | Self::Capsule { .. } | Self::Mesh { .. } => {
                let o = self.outside(x);
                visit(SurfacePoint { distance: -o.distance, normal: -o.normal });
            }
            Self::Cylinder { center, axis, half_length, radius } => {
                let (along, out, r) = cylindrical(x - center, axis);
                visit(SurfacePoint { distance: radius - r, normal: -out });
                visit(SurfacePoint { distance: half_length + along, normal: axis });
                visit(SurfacePoint { distance: half_length - along, normal: -axis });
            }
        }
    }

    /// Centre of the shape; a plane's point.
    pub fn center(&self) -> Vec3 {
        match *self {
            Self::Plane { point, .. } => point,
            Self::Cone(ref cone) => cone.center,
            Self::Box { center, .. }
            | Self::Sphere { center, .. }
            | Self::Cylinder { center, .. }
            | Self::Capsule { center, .. }
            | Self::Mesh { center, .. } => center,
        }
    }

    /// The shape moved by a way.
    pub fn moved(mut self, way: Vec3) -> Self {
        match &mut self {
            Self::Plane { point: center, .. }
            | Self::Cone(Cone { center, .. })
            | Self::Box { center, .. }
            | Self::Sphere { center, .. }
            | Self::Cylinder { center, .. }
            | Self::Capsule { center, .. }
            | Self::Mesh { center, .. } => *center += way,
        }
        self
    }

    /// The shape turned about a point.
    pub fn turned(self, turn: Quat, about: Vec3) -> Self {
        let at = |x: Vec3| about + turn * (x - about);
        match self {
            Self::Plane { point, normal } => Self::Plane { point: at(point), normal: turn * normal },
            Self::Box { center, half, rotation } => {
                Self::Box { center: at(center), half, rotation: (turn * rotation).normalize() }
            }
            Self::Sphere { center, radius } => Self::Sphere { center: at(center), radius },
            Self::Cylinder { center, axis, half_length, radius } => {
                Self::Cylinder { center: at(center), axis: (turn * axis).normalize(), half_length, radius }
            }
            Self::Cone(cone) => {
                Self::Cone(Cone { center: at(cone.center), axis: (turn * cone.axis).normalize(), ..cone })
            }
            Self::Capsule { center, half_axis, radius } => {
                Self::Capsule { center: at(center), half_axis: turn * half_axis, radius }
            }
            Self::Mesh { solid, center, rotation } => {
                Self::Mesh { solid, center: at(center), rotation: (turn * rotation).normalize() }
            }
        }
    }

    /// Half the extents of a box around the shape in its own frame, and that frame; none for a plane.
    pub fn own_box(&self) -> Option<(Vec3, Quat)> {
        match *self {
            Self::Plane { .. } => None,
            Self::Box { half, rotation, .. } => Some((half, rotation)),
            Self::Sphere { radius, .. } => Some((Vec3::splat(radius), Quat::IDENTITY)),
            Self::Cylinder { axis, half_length, radius, .. } => {
                Some((Vec3::new(radius, half_length, radius), Quat::from_rotation_arc(Vec3::Y, axis)))
            }
            Self::Cone(Cone { axis, half_length, radii, .. }) => {
                let radius = radii[0].max(radii[1]);
                Some((Vec3::new(radius, half_length, radius), Quat::from_rotation_arc(Vec3::Y, axis)))
            }
            Self::Capsule { half_axis, radius, .. } => {
                let half = Vec3::new(radius, half_axis.length() + radius, radius);
                Some((half, Quat::from_rotation_arc(Vec3::Y, half_axis.normalize())))
            }
            Self::Mesh { ref solid, rotation, .. } => Some((solid.half(), rotation)),
        }
    }
}

fn axis_of_largest(v: Vec3) -> Vec3 {
    if v.x >= v.y && v.x >= v.z {
        Vec3::X
    } else if v.y >= v.z {
        Vec3::Y
    } else {
        Vec3::Z
    }
}

/// Coordinate along the axis, unit vector away from it, distance from it.
pub(super) fn cylindrical(e: Vec3, axis: Vec3) -> (f32, Vec3, f32) {
    let along = e.dot(axis);
    let across = e - along * axis;
    let r = across.length();
    let out = if r > 0.0 { across / r } else { axis.any_orthonormal_vector() };
    (along, out, r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn shapes() -> [Shape; 8] {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 0.5).normalize(), 0.6);
        [
            Shape::Plane { point: Vec3::Y * 0.1, normal: Vec3::Y },
            Shape::Box { center: Vec3::X * 0.2, half: Vec3::new(0.3, 0.2, 0.4), rotation: turn },
            Shape::Sphere { center: Vec3::Z * 0.1, radius: 0.4 },
            Shape::Cylinder { center: Vec3::ZERO, axis: turn * Vec3::Y, half_length: 0.3, radius: 0.25 },
            cone([0.3, 0.1], turn * Vec3::Y),
            cone([0.0, 0.4], turn * Vec3::X),
            Shape::Capsule { center: Vec3::Y * 0.1, half_axis: turn * Vec3::Z * 0.2, radius: 0.2 },
            Shape::Mesh {
                solid: Arc::new(Solid::new(&crate::mesh::Made::Torus.mesh("")).expect("closed")),
                center: Vec3::X * 0.1,
                rotation: turn,
            },
        ]
    }

    fn cone(radii: [f32; 2], axis: Vec3) -> Shape {
        Shape::Cone(Cone { center: Vec3::X * 0.05, axis, half_length: 0.35, radii })
    }

    #[test]
    fn stepping_back_by_the_distance_reaches_the_surface() {
        let mut random = Random::new(4);
        for shape in shapes() {
            for _ in 0..500 {
                let x = 2.0 * (Vec3::from_array(random.triple()) - 0.5);
                let p = shape.outside(x);
                assert!((p.normal.length() - 1.0).abs() < 1e-5);
                let back = shape.outside(x - p.normal * p.distance).distance;
                assert!(back.abs() < 2e-5, "{shape:?} at {x}: {back}");
                shape.inside(x, |w| {
                    assert!((w.normal.length() - 1.0).abs() < 1e-5);
                });
            }
        }
    }

    #[test]
    fn inside_and_outside_agree_on_the_sign() {
        let mut random = Random::new(5);
        for shape in shapes().into_iter().skip(1) {
            for _ in 0..500 {
                let x = 1.5 * (Vec3::from_array(random.triple()) - 0.5);
                let mut nearest = f32::INFINITY;
                shape.inside(x, |w| nearest = nearest.min(w.distance));
                assert_eq!(nearest > 0.0, shape.outside(x).distance < 0.0, "{shape:?} at {x}");
            }
        }
    }

    /// A walk shorter than the distance, in any direction, does not cross the surface.
    #[test]
    fn nothing_of_the_surface_is_nearer_than_the_distance() {
        let mut random = Random::new(7);
        for shape in shapes() {
            for _ in 0..300 {
                let x = 1.5 * (Vec3::from_array(random.triple()) - 0.5);
                let p = shape.outside(x);
                let way = (Vec3::from_array(random.triple()) - 0.5).normalize();
                let there = shape.outside(x + way * (0.999 * p.distance.abs())).distance;
                assert!(there * p.distance >= -1e-6, "{shape:?} at {x}: {} then {there}", p.distance);
                assert!((p.distance - there).abs() <= p.distance.abs() + 1e-5, "{shape:?} at {x}");
            }
        }
    }

    #[test]
    fn a_turned_shape_is_the_same_shape_elsewhere() {
        let turn = Quat::from_rotation_z(0.8);
        let about = Vec3::new(0.3, -0.1, 0.2);
        let mut random = Random::new(6);
        for shape in shapes() {
            let turned = shape.clone().turned(turn, about);
            for _ in 0..100 {
                let x = Vec3::from_array(random.triple());
                let y = about + turn * (x - about);
                let (a, b) = (shape.outside(x), turned.outside(y));
                assert!((a.distance - b.distance).abs() < 1e-5);
            }
        }
    }
}
