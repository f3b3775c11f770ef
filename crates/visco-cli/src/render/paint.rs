//! Draws a frame, with a graphics driver or in software.

use crate::args::{RenderArgs, Show};
use crate::text;
use anyhow::Result;
use glam::Vec3;
use visco::world::World;
use visco::{Frame, Scene};
use visco_figures::{Legend, Lens, ParticlePicture, RgbImage, View};
use visco_render::{
    Balls, Camera, Fluid, Gpu, Look, Particles, Picture, RenderError, Renderer, Smoothing, Solids, gradient,
};

/// Radius of particles that are drawn one by one, in spacings.
const BALL: f32 = 0.55;

/// What pictures should be like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    show: Show,
    size: (u32, u32),
    samples: u32,
    software: bool,
}

impl Default for Wish {
    fn default() -> Self {
        Self { show: Show::Fluid, size: (1280, 720), samples: 1, software: false }
    }
}

impl From<&RenderArgs> for Wish {
    fn from(args: &RenderArgs) -> Self {
        let &RenderArgs { show, size, samples, software, .. } = args;
        Self { show, size, samples, software }
    }
}

/// Draws the frames of a run.
pub(super) struct Painter {
    renderer: Option<Renderer>,
    world: World,
    looks: Vec<Look>,
    camera: Camera,
    show: Show,
    range: [f32; 2],
    size: (u32, u32),
    samples: u32,
}

impl Painter {
    /// A painter for a run, of which some frames are given; and what the user should know.
    pub(super) fn new(
        wish: &Wish,
        (scene, world): (&Scene, &World),
        samples: &[Frame],
    ) -> Result<(Self, Option<String>)> {
        let (renderer, note) = match wish.software {
            true => (None, None),
            false => match Gpu::open() {
                Ok(gpu) => (Some(Renderer::new(gpu)), None),
                Err(error @ RenderError::NoDriver(_)) => {
                    (None, Some(format!("particles are drawn in software: {error}")))
                }
                Err(error) => return Err(error.into()),
            },
        };
        let painter = Self {
            renderer,
            looks: Look::of_scene(scene),
            camera: camera(scene, samples, wish.size),
            world: world.clone(),
            show: wish.show,
            range: wish.show.range(samples),
            size: wish.size,
            samples: wish.samples,
        };
        Ok((painter, note))
    }

    /// What draws.
    pub(super) fn name(&self) -> String {
        self.renderer.as_ref().map_or("software, as particles".into(), |r| r.gpu().name().to_owned())
    }

    pub(super) fn range(&self) -> [f32; 2] {
        self.range
    }

    /// The camera as text, exactly.
    pub(super) fn camera_text(&self) -> String {
        format!("{:?}", self.camera)
    }

    /// Draws a frame.
    pub(super) fn draw(&mut self, frame: &Frame) -> Result<RgbImage> {
        let solids = Solids::of_world(&self.world, frame.time);
        let swatches = || self.looks.iter().map(Look::swatch).collect::<Vec<_>>();
        let colors = || self.show.colors(frame, self.range, &swatches());
        let mut picture = match &mut self.renderer {
            Some(renderer) => {
                let colors = if self.show == Show::Fluid { vec![] } else { colors() };
                let particles = match self.show {
                    Show::Fluid => Particles::Fluid(Fluid {
                        kinds: &frame.materials,
                        looks: &self.looks,
                        smoothing: Smoothing::default(),
                    }),
                    _ => Particles::Balls(Balls { colors: &colors, radius: BALL }),
                };
                renderer.draw(&Picture {
                    size: self.size,
                    samples: self.samples,
                    camera: self.camera,
                    positions: &frame.positions,
                    spacing: frame.spacing,
                    particles,
                    solids: &solids,
                })?
            }
            None => ParticlePicture {
                positions: &frame.positions,
                colors: &colors(),
                radius: BALL * frame.spacing,
                camera: View {
                    eye: self.camera.eye,
                    target: self.camera.target,
                    up: Vec3::Y,
                    lens: Lens::Perspective(self.camera.fov),
                },
                ground: solids.ground,
                width: self.size.0,
                height: self.size.1,
            }
            .render(),
        };
        if let Some(title) = self.show.title() {
            let ends = self.range.map(|v| text::short(f64::from(v)));
            Legend { title, ends: [&ends[0], &ends[1]], color: gradient }.draw(&mut picture);
        }
        Ok(picture)
    }
}

/// The scene's camera, or one that sees the particles of some frames.
pub(crate) fn camera(scene: &Scene, samples: &[Frame], (width, height): (u32, u32)) -> Camera {
    let vec3 = |t: [f64; 3]| Vec3::from_array(t.map(|c| c as f32));
    if let Some(c) = &scene.camera {
        return Camera { eye: vec3(c.position), target: vec3(c.target), fov: (c.fov as f32).to_radians() };
    }
    let seen = samples.iter().flat_map(|f| &f.positions).filter(|x| x.is_finite());
    let (low, high) = seen.fold((Vec3::MAX, Vec3::MIN), |(l, h), x| (l.min(*x), h.max(*x)));
    let bounds = if low.x <= high.x { (low, high) } else { (Vec3::splat(-0.5), Vec3::splat(0.5)) };
    Camera::fit(bounds, width as f32 / height as f32)
}
