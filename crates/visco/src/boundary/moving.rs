//! Walls that move through space as rigid bodies.

use super::{SurfacePoint, Wall};
use crate::math::identity_minus_rotation;
use crate::motion::{Pose, RigidMotion};
use glam::{Mat3, Quat, Vec3};

/// A wall that moves, and how.
#[derive(Clone, Debug)]
pub struct MovingWall {
    /// Index of the wall.
    pub wall: usize,
    /// Its motion.
    pub motion: RigidMotion,
}

/// Where a wall is at the start and at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallMotion {
    /// At the start.
    pub start: Placement,
    /// At the end.
    pub end: Placement,
}

/// Where a wall is, and how its points move on average over the step: v(x) = velocity + gradient (x − place).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    rotation: Quat,
    /// A point of the shape as the scene gives it, and where it is.
    pivot: Vec3,
    place: Vec3,
    velocity: Vec3,
    /// (R − I)/Δt at the start of the step, (I − Rᵀ)/Δt at its end, with R the turn of the step.
    gradient: Mat3,
}

impl Placement {
    fn new(pose: &Pose, velocity: Vec3, gradient: Mat3) -> Self {
        let (rotation, pivot, place) = (pose.rotation.as_quat(), pose.pivot.as_vec3(), pose.place.as_vec3());
        Self { rotation, pivot, place, velocity, gradient }
    }

    /// Where the shape's pivot is, and the turn about it.
    pub(crate) fn pose(&self) -> (Vec3, Quat) {
        (self.place, self.rotation)
    }

    /// The point of the shape, as the scene gives it, that it turns about.
    pub(crate) fn pivot(&self) -> Vec3 {
        self.pivot
    }

    /// Mean velocity over the step of the wall's point that is at `x`, in m/s.
    pub fn velocity_at(&self, x: Vec3) -> Vec3 {
        self.velocity + self.gradient * (x - self.place)
    }

    /// ∇v of the wall, in 1/s.
    pub fn gradient(&self) -> Mat3 {
        self.gradient
    }

    /// A point of space in the frame of the shape as the scene gives it.
    pub(super) fn to_shape(self, x: Vec3) -> Vec3 {
        self.rotation.inverse() * (x - self.place) + self.pivot
    }

    /// The point of space at a point of the shape.
    pub(super) fn to_space(self, x: Vec3) -> Vec3 {
        self.rotation * (x - self.pivot) + self.place
    }

    /// A direction in space.
    pub(super) fn turn(self, v: Vec3) -> Vec3 {
        self.rotation * v
    }
}

impl WallMotion {
    /// The motion of the step `[time, time + dt]`.
    pub fn in_step(motion: &RigidMotion, time: f64, dt: f64) -> Self {
        let (from, to) = (motion.pose(time), motion.pose(time + dt));
        let velocity = ((to.place - from.place) / dt).as_vec3();
        // The turn of a step is small: f64 first, and no unit matrix in the sum.
        let turn = (to.rotation * from.rotation.inverse()).normalize().as_quat();
        let per_second = (1.0 / dt) as f32;
        let ahead = identity_minus_rotation(turn) * -per_second;
        let behind = identity_minus_rotation(turn.conjugate()) * per_second;
        Self { start: Placement::new(&from, velocity, ahead), end: Placement::new(&to, velocity, behind) }
    }

    /// A wall that stands where it is at a time.
    pub fn at_rest(motion: &RigidMotion, time: f64) -> Self {
        let placement = Placement::new(&motion.pose(time), Vec3::ZERO, Mat3::ZERO);
        Self { start: placement, end: placement }
    }
}

impl Wall {
    /// The surfaces of the wall closer than `range`, as a particle at `x` sees them where the wall is placed.
    pub(super) fn surfaces(
        &self,
        place: Option<&Placement>,
        (x, range): (Vec3, f32),
        mut visit: impl FnMut(SurfacePoint),
    ) {
        let seen = place.map_or(x, |p| p.to_shape(x));
        let turned = |point: SurfacePoint| {
            visit(match place {
                Some(p) => SurfacePoint { normal: p.turn(point.normal), ..point },
                None => point,
            });
        };
        if self.contains {
            self.shape.inside_within(seen, range, turned);
        } else {
            self.shape.outside_within(seen, range, turned);
        }
    }

    /// Whether the way of a particle in the step, from `from` to `to`, leads through the surface of a mesh into its
    /// solid, however thin that is: as the wall sees it, which may move in between.
    pub(super) fn is_entered(&self, from: Vec3, to: Vec3) -> bool {
        let side = if self.contains { -1.0 } else { 1.0 };
        let (from, to) = match &self.motion {
            Some(motion) => (motion.start.to_shape(from), motion.end.to_shape(to)),
            None => (from, to),
        };
        self.shape.entered(from, to, side).is_some()
    }

    /// The way that a particle at `x` makes in the step if it stays where it is, as the wall sees it.
    pub(super) fn carries(&self, x: Vec3) -> Vec3 {
        self.motion.as_ref().map_or(Vec3::ZERO, |m| m.end.to_space(m.start.to_shape(x)) - x)
    }

    /// Distance of a point from the nearest surface of the wall where it is now, if that is below `range`; negative in
    /// the solid.
    pub fn distance_within(&self, x: Vec3, range: f32) -> Option<f32> {
        let mut nearest = None;
        let place = self.motion.as_ref().map(|m| &m.end);
        self.surfaces(place, (x, range), |p| {
            nearest = Some(nearest.map_or(p.distance, |d: f32| d.min(p.distance)));
        });
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn velocities_carry_every_point_from_its_start_to_its_end() {
        let pivot = DVec3::new(0.3, -0.2, 0.1);
        let motion = RigidMotion::steady(pivot, DVec3::new(1.0, 2.0, -0.5), DVec3::new(0.5, 3.0, 1.0));
        for dt in [0.2, 1e-6] {
            let m = WallMotion::in_step(&motion, 0.7, dt);
            for x in [Vec3::new(0.4, 0.0, 0.2), Vec3::new(-1.0, 2.0, 0.3)] {
                let (from, to) = (m.start.to_space(x), m.end.to_space(x));
                let v = m.start.velocity_at(from);
                assert!((from + v * dt as f32).distance(to) < 1e-6, "{x}");
                assert!(v.distance(m.end.velocity_at(to)) < 1e-5, "{x}: {v}");
                assert!(m.start.to_shape(from).distance(x) < 1e-6);
                // In a short step it is the rigid velocity, with its digits.
                let arm = from.as_dvec3() - motion.pose(0.7).place;
                let exact = DVec3::new(1.0, 2.0, -0.5) + DVec3::new(0.5, 3.0, 1.0).cross(arm);
                assert!(dt > 0.1 || v.as_dvec3().distance(exact) < 1e-4, "{v} for {exact}");
            }
        }
    }
}
