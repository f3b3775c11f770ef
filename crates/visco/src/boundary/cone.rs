//! A cone with flat ends: the lines of its section, turned about its axis.

use super::shape::{SurfacePoint, cylindrical};
use glam::{Vec2, Vec3};

/// A cone with flat ends, or one end and a tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Middle of the axis.
    pub center: Vec3,
    /// Unit vector from the start to the end.
    pub axis: Vec3,
    /// Half of the length.
    pub half_length: f32,
    /// Radii at the start and at the end; one of them may be 0.
    pub radii: [f32; 2],
}

impl Cone {
    /// Unit normal of the lateral surface: its parts away from the axis and along it.
    fn lateral(&self) -> Vec2 {
        Vec2::new(2.0 * self.half_length, self.radii[0] - self.radii[1]).normalize()
    }

    /// Signed distance of the lines of the section, as if they went on forever: start, end, lateral surface.
    fn lines(&self, p: Vec2) -> [f32; 3] {
        let start = Vec2::new(self.radii[0], -self.half_length);
        [-self.half_length - p.y, p.y - self.half_length, (p - start).dot(self.lateral())]
    }

    /// Nearest point of the surface as an obstacle: distance is negative inside the solid.
    pub fn outside(&self, x: Vec3) -> SurfacePoint {
        let (along, out, r) = cylindrical(x - self.center, self.axis);
        let p = Vec2::new(r, along);
        let lines = self.lines(p);
        let space = |n: Vec2| out * n.x + self.axis * n.y;
        if lines.iter().all(|d| *d <= 0.0) {
            let normals = [-Vec2::Y, Vec2::Y, self.lateral()];
            let k = (0..3).max_by(|&a, &b| lines[a].total_cmp(&lines[b])).unwrap_or(0);
            return SurfacePoint { distance: lines[k], normal: space(normals[k]) };
        }
        let (h, [a, b]) = (self.half_length, self.radii);
        let (start, end) = (Vec2::new(a, -h), Vec2::new(b, h));
        let feet = [
            Vec2::new(r.min(a), -h),
            Vec2::new(r.min(b), h),
            start
                + (end - start)
                    * ((p - start).dot(end - start) / (end - start).length_squared()).clamp(0.0, 1.0),
        ];
        let distance = |q: Vec2| p.distance(q);
        let foot = feet.into_iter().min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(start);
        let away = p - foot;
        // On the surface itself the difference has no direction.
        let normal = if away.length() > 1e-6 * h { away.normalize() } else { self.lateral() };
        SurfacePoint { distance: away.length(), normal: space(normal) }
    }

    /// The walls of the cone as a container.
    pub fn inside(&self, x: Vec3, mut visit: impl FnMut(SurfacePoint)) {
        let (along, out, r) = cylindrical(x - self.center, self.axis);
        let [start, end, lateral] = self.lines(Vec2::new(r, along));
        let n = self.lateral();
        visit(SurfacePoint { distance: -lateral, normal: -(out * n.x + self.axis * n.y) });
        visit(SurfacePoint { distance: -start, normal: self.axis });
        visit(SurfacePoint { distance: -end, normal: -self.axis });
    }
}
