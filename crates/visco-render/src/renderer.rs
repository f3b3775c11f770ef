//! Draws pictures.

use crate::passes::{self, Drawn};
use crate::pipelines::Pipelines;
use crate::solids::Solids;
use crate::targets::Targets;
use crate::uniforms::{self, Extent, GpuLook, LOOKS};
use crate::{Camera, Gpu, Look, RenderError};
use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};
use image::RgbImage;

/// Radius of the spheres of a fluid, in spacings.
const FLUID_RADIUS: f32 = 0.85;
/// Radius of the smoothing, in spacings.
const SMOOTHING_RADIUS: f32 = 2.0;

/// How the surface of a fluid is smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Smoothing {
    /// Times a bilateral filter is applied, first.
    pub bilateral: u32,
    /// Steps of curvature flow (van der Laan et al. 2009), then, where a spacing is six pixels wide. What a step smooths
    /// is counted in pixels, so there are more of them where it is wider.
    pub curvature_flow: u32,
}

impl Smoothing {
    /// The particles' spheres as they are.
    pub const NONE: Self = Self { bilateral: 0, curvature_flow: 0 };
}

impl Default for Smoothing {
    fn default() -> Self {
        Self { bilateral: 2, curvature_flow: 40 }
    }
}

/// Particles drawn as a fluid.
#[derive(Clone, Copy, Debug)]
pub struct Fluid<'a> {
    /// For each particle the index of its look.
    pub kinds: &'a [u8],
    /// The looks; an index without one has a colour of its own.
    pub looks: &'a [Look],
    /// How the surface is smoothed.
    pub smoothing: Smoothing,
}

/// Particles drawn one by one.
#[derive(Clone, Copy, Debug)]
pub struct Balls<'a> {
    /// Colour of each, as in a picture.
    pub colors: &'a [[u8; 3]],
    /// Radius, in spacings.
    pub radius: f32,
}

/// How particles are drawn.
#[derive(Clone, Copy, Debug)]
pub enum Particles<'a> {
    /// As a fluid.
    Fluid(Fluid<'a>),
    /// One by one.
    Balls(Balls<'a>),
}

/// A picture to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Width and height, in pixels.
    pub size: (u32, u32),
    /// Samples along each side of a pixel.
    pub samples: u32,
    /// Where it is taken from.
    pub camera: Camera,
    /// Positions of the particles, in m; those that are not finite are left out.
    pub positions: &'a [Vec3],
    /// Their spacing, in m.
    pub spacing: f32,
    /// How they are drawn.
    pub particles: Particles<'a>,
    /// What is solid.
    pub solids: &'a Solids,
}

/// A particle, as in spheres.wgsl.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Sphere {
    place: [f32; 4],
    look: u32,
    color: [u8; 4],
}

/// Draws pictures; keeps what they have in common.
#[derive(Debug)]
pub struct Renderer {
    gpu: Gpu,
    pipelines: Pipelines,
    targets: Option<Targets>,
}

impl Renderer {
    /// Prepares to draw with a device.
    pub fn new(gpu: Gpu) -> Self {
        let pipelines = Pipelines::new(&gpu.device);
        Self { gpu, pipelines, targets: None }
    }

    /// The device that draws.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Draws a picture.
    pub fn draw(&mut self, picture: &Picture<'_>) -> Result<RgbImage, RenderError> {
        let (width, height) = (picture.size.0.max(1), picture.size.1.max(1));
        let samples = picture.samples.max(1);
        let size = (width * samples, height * samples);
        let largest = self.gpu.largest_side();
        if size.0.max(size.1) > largest {
            return Err(RenderError::TooLarge { width: size.0, height: size.1, largest });
        }
        let targets = match self.targets.take() {
            Some(targets) if targets.size == size => targets,
            _ => Targets::new(&self.gpu.device, size),
        };
        let spheres = spheres(picture);
        let views = uniforms::views(picture.camera, size, extent(picture, &spheres));
        let looks = looks(picture);
        let drawn = Drawn {
            views: &views,
            looks: &looks,
            spheres: (bytemuck::cast_slice(&spheres), spheres.len() as u32),
            solids: &picture.solids.corners,
            particles: picture.particles,
            part: part(picture, size, &spheres),
            flow_steps: flow_steps(picture, size),
        };
        let pixels = passes::draw(&self.gpu, &self.pipelines, &targets, &drawn)?;
        self.targets = Some(targets);
        let full =
            RgbImage::from_raw(size.0, size.1, pixels).ok_or_else(|| RenderError::Lost("size".into()))?;
        Ok(match samples {
            1 => full,
            _ => image::imageops::thumbnail(&full, width, height),
        })
    }
}

fn spheres(picture: &Picture<'_>) -> Vec<Sphere> {
    let d = picture.spacing;
    let seen = picture.positions.iter().enumerate().filter(|(_, x)| x.is_finite());
    match picture.particles {
        Particles::Fluid(fluid) => seen
            .map(|(i, x)| Sphere {
                place: x.extend(FLUID_RADIUS * d).to_array(),
                look: fluid.kinds.get(i).map_or(0, |&k| u32::from(k)),
                color: [255; 4],
            })
            .collect(),
        Particles::Balls(balls) => seen
            .map(|(i, x)| {
                let [r, g, b] = balls.colors.get(i).copied().unwrap_or([150; 3]);
                Sphere {
                    place: x.extend(balls.radius * d).to_array(),
                    look: LOOKS as u32 - 1,
                    color: [r, g, b, 255],
                }
            })
            .collect(),
    }
}

fn looks(picture: &Picture<'_>) -> Vec<GpuLook> {
    let given = match picture.particles {
        Particles::Fluid(fluid) => fluid.looks,
        Particles::Balls(_) => &[],
    };
    (0..LOOKS).map(|k| GpuLook::from(&given.get(k).copied().unwrap_or_else(|| Look::palette(k)))).collect()
}

/// Most steps of curvature flow.
const MOST_FLOW_STEPS: f32 = 300.0;

/// Steps of curvature flow for the size of a spacing on the screen.
fn flow_steps(picture: &Picture<'_>, (_, height): (u32, u32)) -> u32 {
    let Particles::Fluid(fluid) = picture.particles else {
        return 0;
    };
    let camera = &picture.camera;
    let distance = camera.eye.distance(camera.target).max(1e-6);
    let pixels = picture.spacing * height as f32 / (2.0 * (0.5 * camera.fov).tan() * distance);
    let steps = fluid.smoothing.curvature_flow as f32 * (pixels / 6.0).powi(2).max(0.25);
    steps.min(MOST_FLOW_STEPS).round() as u32
}

/// The part of the screen that the particles cover, with a margin: left, top, width and height.
fn part(picture: &Picture<'_>, (width, height): (u32, u32), spheres: &[Sphere]) -> [u32; 4] {
    let (w, h) = (width as f32, height as f32);
    let to_screen = picture.camera.to_screen(w / h) * picture.camera.to_eye();
    let mut low = Vec2::new(w, h);
    let mut high = Vec2::ZERO;
    for sphere in spheres {
        let clip = to_screen * Vec3::from_slice(&sphere.place).extend(1.0);
        if clip.w <= 0.0 {
            continue;
        }
        let at = (Vec2::new(clip.x, -clip.y) / clip.w * 0.5 + 0.5) * Vec2::new(w, h);
        let margin = Vec2::splat(2.0 * sphere.place[3] * h / clip.w + 4.0);
        low = low.min(at - margin);
        high = high.max(at + margin);
    }
    let low = low.max(Vec2::ZERO).floor();
    let size = (high.min(Vec2::new(w, h)).ceil() - low).max(Vec2::ZERO);
    [low.x as u32, low.y as u32, size.x as u32, size.y as u32]
}

/// Middle and size of what is lit: particles and solids, or what the camera looks at where there is neither.
fn extent(picture: &Picture<'_>, spheres: &[Sphere]) -> Extent {
    let boxes =
        spheres.iter().map(|s| Vec3::from_slice(&s.place)).map(|x| (x, x)).chain(picture.solids.bounds());
    let around = boxes.reduce(|(a, b), (l, h)| (a.min(l), b.max(h)));
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
