//! Where pictures are taken from.

use glam::camera::rh::{proj, view};
use glam::{Mat4, Vec3};

/// A camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The eye, in m.
    pub eye: Vec3,
    /// The point looked at, in m.
    pub target: Vec3,
    /// Vertical field of view, in radians.
    pub fov: f32,
}

impl Camera {
    /// A camera, a little above and to the right, that sees a ball around the boxes `(low, high)` of what moves.
    pub fn fit((low, high): (Vec3, Vec3), aspect: f32) -> Self {
        let fov = 35f32.to_radians();
        let radius = (0.5 * (high - low).length()).max(1e-3);
        let half = (0.5 * fov).tan();
        let distance = radius / half.min(half * aspect).atan().sin();
        let target = 0.5 * (low + high);
        Self { eye: target + Vec3::new(0.35, 0.32, 1.0).normalize() * distance, target, fov }
    }

    fn up(&self) -> Vec3 {
        let forward = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
        if forward.y.abs() > 0.999 { Vec3::Z } else { Vec3::Y }
    }

    pub(crate) fn to_eye(self) -> Mat4 {
        let target = if self.target == self.eye { self.eye - Vec3::Z } else { self.target };
        view::look_at_mat4(self.eye, target, self.up())
    }

    pub(crate) fn to_screen(self, aspect: f32) -> Mat4 {
        let distance = self.eye.distance(self.target).max(1e-4);
        proj::directx::perspective(self.fov, aspect, 0.02 * distance, 60.0 * distance)
    }

    /// Tangents of half the angles of view.
    pub(crate) fn tangents(&self, aspect: f32) -> [f32; 2] {
        let half = (0.5 * self.fov).tan();
        [half * aspect, half]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_camera_sees_every_corner() {
        for aspect in [0.5, 1.0, 16.0 / 9.0] {
            let (low, high) = (Vec3::new(-0.1, 0.0, -0.2), Vec3::new(0.3, 0.5, 0.1));
            let camera = Camera::fit((low, high), aspect);
            let m = camera.to_screen(aspect) * camera.to_eye();
            for k in 0..8 {
                let pick = |bit: u32, a: f32, b: f32| if k & bit == 0 { a } else { b };
                let corner =
                    Vec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z));
                let p = m.project_point3(corner);
                assert!(p.x.abs() < 1.0 && p.y.abs() < 1.0 && p.z > 0.0 && p.z < 1.0, "{corner} at {p}");
            }
        }
    }
}
