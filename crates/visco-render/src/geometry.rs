//! From particles and surfaces to what the graphics processor draws.

use crate::cut::{self, SurfaceCorner};
use crate::picture::{Mesh, Picture, Shown};
use crate::uniforms::{Extent, LOOKS};
use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// Radius of the spheres of a fluid, in spacings.
const FLUID_RADIUS: f32 = 0.85;
/// Radius of the smoothing, in spacings.
const SMOOTHING_RADIUS: f32 = 2.0;
/// Most steps of curvature flow.
const MOST_FLOW_STEPS: f32 = 300.0;

/// A particle, as in spheres.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Sphere {
    place: [f32; 4],
    look: u32,
    color: [u8; 4],
}

/// Spheres or triangles, those of opaque looks first.
#[derive(Debug)]
pub(crate) struct Geometry {
    /// Instances of spheres, or corners of triangles.
    pub(crate) bytes: Vec<u8>,
    /// Corners of triangles; none where there are spheres.
    pub(crate) indices: Option<Vec<u32>>,
    /// How many instances or indices are opaque, and all of them.
    opaque: u32,
    all: u32,
    /// Box and pixels that it takes up: low and high corner.
    bounds: Option<(Vec3, Vec3)>,
    /// Left, top, width and height of the part of the screen where it is, with a margin.
    pub(crate) part: [u32; 4],
}

/// A layer of a picture: what is opaque hides, what is translucent lies before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    Opaque,
    Clear,
}

impl Geometry {
    pub(crate) fn new(picture: &Picture<'_>, screen: (u32, u32)) -> Self {
        let d = picture.spacing;
        let opaque: Vec<bool> = (0..LOOKS).map(|k| picture.shown.look(k).opaque).collect();
        let (radius, geometry) = match picture.shown {
            Shown::Fluid(fluid) => {
                let kind = |i: usize| fluid.kinds.get(i).copied().unwrap_or(0);
                (FLUID_RADIUS * d, spheres(picture, FLUID_RADIUS * d, |i| (kind(i), [255; 3]), &opaque))
            }
            Shown::Balls(balls) => {
                let color = |i: usize| balls.colors.get(i).copied().unwrap_or([150; 3]);
                let kind = (LOOKS - 1) as u8;
                (balls.radius * d, spheres(picture, balls.radius * d, |i| (kind, color(i)), &opaque))
            }
            Shown::Mesh(mesh) => (0.0, triangles(picture, &mesh, &opaque)),
        };
        let seen = picture.positions.iter().copied().filter(|x| x.is_finite());
        Self {
            bounds: seen.clone().map(|x| (x, x)).reduce(|(a, b), (l, h)| (a.min(l), b.max(h))),
            part: part(picture, screen, seen, radius),
            ..geometry
        }
    }

    /// The layers that there are, from behind.
    pub(crate) fn layers(&self) -> impl Iterator<Item = Layer> {
        [Layer::Opaque, Layer::Clear].into_iter().filter(|&layer| !self.range(layer).is_empty())
    }

    /// The instances or indices of a layer.
    pub(crate) fn range(&self, layer: Layer) -> Range<u32> {
        match layer {
            Layer::Opaque => 0..self.opaque,
            Layer::Clear => self.opaque..self.all,
        }
    }

    /// All instances or indices.
    pub(crate) fn all(&self) -> Range<u32> {
        0..self.all
    }

    /// Middle and size of what is lit: fluid and solids, or what the camera looks at where there is neither.
    pub(crate) fn extent(&self, picture: &Picture<'_>) -> Extent {
        let around = self
            .bounds
            .into_iter()
            .chain(picture.solids.bounds())
            .reduce(|(a, b), (l, h)| (a.min(l), b.max(h)));
        let reach = picture.camera.eye.distance(picture.camera.target);
        let (middle, radius) = match around {
            Some((low, high)) => (0.5 * (low + high), 0.55 * (high - low).length() + 4.0 * picture.spacing),
            None => (picture.camera.target, reach),
        };
        Extent {
            middle,
            radius: radius.max(1e-4),
            ground: picture.solids.ground,
            spacing: picture.spacing,
            smoothing: SMOOTHING_RADIUS * picture.spacing,
        }
    }
}

fn spheres(
    picture: &Picture<'_>,
    radius: f32,
    style: impl Fn(usize) -> (u8, [u8; 3]),
    opaque: &[bool],
) -> Geometry {
    let sphere = |(i, x): (usize, &Vec3)| {
        let (kind, [r, g, b]) = style(i);
        Sphere { place: x.extend(radius).to_array(), look: u32::from(kind), color: [r, g, b, 255] }
    };
    let seen = picture.positions.iter().enumerate().filter(|(_, x)| x.is_finite()).map(sphere);
    let (mut all, clear): (Vec<Sphere>, Vec<Sphere>) = seen.partition(|s| opaque[s.look as usize]);
    let opaque = all.len() as u32;
    all.extend(clear);
    let bytes = bytemuck::cast_slice(&all).to_vec();
    Geometry { bytes, indices: None, opaque, all: all.len() as u32, bounds: None, part: [0; 4] }
}

fn triangles(picture: &Picture<'_>, mesh: &Mesh<'_>, opaque: &[bool]) -> Geometry {
    let kind = |i: usize| mesh.kinds.get(i).copied().unwrap_or(0);
    let corner = |(i, &position): (usize, &Vec3)| SurfaceCorner {
        position,
        normal: mesh.normals.get(i).copied().unwrap_or(Vec3::Y),
        look: u32::from(kind(i)),
    };
    let mut corners: Vec<SurfaceCorner> = picture.positions.iter().enumerate().map(corner).collect();
    let is_there = |&i: &u32| picture.positions.get(i as usize).is_some_and(|x| x.is_finite());
    let (mut hiding, mut clear) = (Vec::new(), Vec::new());
    for whole in mesh.triangles.iter().filter(|t| t.iter().all(is_there)) {
        for part in cut::by_look(&mut corners, *whole) {
            let look = corners[part[0] as usize].look;
            let list = if opaque[look as usize] { &mut hiding } else { &mut clear };
            list.push(part);
        }
    }
    let opaque = 3 * hiding.len() as u32;
    let indices: Vec<u32> = hiding.into_iter().chain(clear).flatten().collect();
    let all = indices.len() as u32;
    let bytes = bytemuck::cast_slice(&corners).to_vec();
    Geometry { bytes, indices: Some(indices), opaque, all, bounds: None, part: [0; 4] }
}

/// Steps of curvature flow for the size of a spacing on the screen.
pub(crate) fn flow_steps(picture: &Picture<'_>, (_, height): (u32, u32)) -> u32 {
    let Shown::Fluid(fluid) = picture.shown else {
        return 0;
    };
    let camera = &picture.camera;
    let distance = camera.eye.distance(camera.target).max(1e-6);
    let pixels = picture.spacing * height as f32 / (2.0 * (0.5 * camera.fov).tan() * distance);
    let steps = fluid.smoothing.curvature_flow as f32 * (pixels / 6.0).powi(2).max(0.25);
    steps.min(MOST_FLOW_STEPS).round() as u32
}

/// The part of the screen that balls around points cover, with a margin: left, top, width and height.
fn part(
    picture: &Picture<'_>,
    (width, height): (u32, u32),
    points: impl Iterator<Item = Vec3>,
    radius: f32,
) -> [u32; 4] {
    let (w, h) = (width as f32, height as f32);
    let to_screen = picture.camera.to_screen(w / h) * picture.camera.to_eye();
    let mut low = Vec2::new(w, h);
    let mut high = Vec2::ZERO;
    for point in points {
        let clip = to_screen * point.extend(1.0);
        if clip.w <= 0.0 {
            continue;
        }
        let at = (Vec2::new(clip.x, -clip.y) / clip.w * 0.5 + 0.5) * Vec2::new(w, h);
        let margin = Vec2::splat(2.0 * radius * h / clip.w + 4.0);
        low = low.min(at - margin);
        high = high.max(at + margin);
    }
    let low = low.max(Vec2::ZERO).floor();
    let size = (high.min(Vec2::new(w, h)).ceil() - low).max(Vec2::ZERO);
    [low.x as u32, low.y as u32, size.x as u32, size.y as u32]
}
