//! What every shader knows.

use crate::targets::DIMMED;
use crate::{Camera, Look};
use bytemuck::{Pod, Zeroable};
use glam::camera::rh::{proj, view};
use glam::{Mat4, Vec3, Vec4};

/// Most looks in a picture, as many as a frame has materials.
pub(crate) const LOOKS: usize = 256;
/// Towards the light.
const SUN: Vec3 = Vec3::new(-0.45, 0.80, 0.40);
const SUN_STRENGTH: f32 = 1.0;

/// As in view.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct View {
    to_eye: Mat4,
    to_screen: Mat4,
    to_light: Mat4,
    to_world: Mat4,
    sun: Vec4,
    screen: Vec4,
    ground: Vec4,
    middle: Vec4,
}

/// What is in the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Middle and radius of what is lit and seen.
    pub(crate) middle: Vec3,
    pub(crate) radius: f32,
    pub(crate) ground: Option<f32>,
    pub(crate) spacing: f32,
    pub(crate) smoothing: f32,
}

/// The view of the camera, and that of the light.
pub(crate) fn views(camera: Camera, size: (u32, u32), extent: Extent) -> [View; 2] {
    let (width, height) = (size.0 as f32, size.1 as f32);
    let aspect = width / height;
    let Extent { middle, radius, ground, spacing, smoothing } = extent;
    let sun = SUN.normalize();
    let up = if sun.y.abs() > 0.99 { Vec3::X } else { Vec3::Y };
    let light_eye = view::look_at_mat4(middle + sun * (3.0 * radius), middle, up);
    let light_screen =
        proj::directx::orthographic(-radius, radius, -radius, radius, 0.1 * radius, 8.0 * radius);
    let to_light = light_screen * light_eye;
    let [tx, ty] = camera.tangents(aspect);
    let of_camera = View {
        to_eye: camera.to_eye(),
        to_screen: camera.to_screen(aspect),
        to_light,
        to_world: camera.to_eye().inverse(),
        sun: sun.extend(SUN_STRENGTH),
        screen: Vec4::new(width, height, tx, ty),
        ground: Vec4::new(
            ground.unwrap_or(0.0),
            f32::from(u8::from(ground.is_some())),
            12.0 * radius,
            spacing,
        ),
        middle: middle.extend(smoothing),
    };
    let of_light = View {
        to_eye: light_eye,
        to_screen: light_screen,
        to_world: light_eye.inverse(),
        screen: Vec4::new(DIMMED as f32, DIMMED as f32, 1.0, 1.0),
        ..of_camera
    };
    [of_camera, of_light]
}

/// As in view.wgsl.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuLook {
    color: Vec4,
    absorption: Vec4,
    scatter: Vec4,
}

impl From<&Look> for GpuLook {
    fn from(look: &Look) -> Self {
        Self {
            color: look.color.extend(f32::from(u8::from(look.opaque))),
            absorption: look.absorption.extend(look.roughness),
            scatter: Vec4::new(look.scatter, look.softness, look.reflectance, 0.0),
        }
    }
}
