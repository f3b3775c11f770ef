//! Draws a frame, with a graphics driver or in software.

use crate::args::{RenderArgs, Show};
use crate::console::Usage;
use crate::text;
use anyhow::Result;
use glam::Vec3;
use std::borrow::Cow;
use visco::world::World;
use visco::{Frame, Scene};
use visco_figures::{Legend, Lens, ParticlePicture, RgbImage, View};
use visco_io::surfaces::Surface;
use visco_render::{
    Balls, Camera, Fluid, Gpu, Look, Mesh, Picture, RenderError, Renderer, Shown, Smoothing, Solids, gradient,
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
    stage: Stage,
}

/// What the pictures of a run have in common.
struct Stage {
    world: World,
    /// What is solid, where nothing of it moves.
    still: Option<Solids>,
    /// Colours of the walls.
    walls: Vec<Vec3>,
    spacing: f32,
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
                Err(error @ RenderError::NoDriver(_)) if wish.show != Show::Mesh => {
                    (None, Some(format!("particles are drawn in software: {error}")))
                }
                Err(error) => return Err(error.into()),
            },
        };
        let walls = Look::of_walls(scene);
        let stage = Stage {
            looks: Look::of_scene(scene),
            camera: camera(scene, samples, wish.size),
            still: world.moving_walls.is_empty().then(|| Solids::of_world(world, &walls, 0.0)),
            walls,
            world: world.clone(),
            spacing: scene.spacing as f32,
            show: wish.show,
            range: wish.show.range(samples, world),
            size: wish.size,
            samples: wish.samples,
        };
        Ok((Self { renderer, stage }, note.or_else(|| wish.show.note(samples, world))))
    }

    /// What draws.
    pub(super) fn name(&self) -> String {
        self.renderer.as_ref().map_or("software, as particles".into(), |r| r.gpu().name().to_owned())
    }

    pub(super) fn range(&self) -> [f32; 2] {
        self.stage.range
    }

    /// The camera as text, exactly.
    pub(super) fn camera_text(&self) -> String {
        format!("{:?}", self.stage.camera)
    }

    /// Draws the particles of a frame.
    pub(super) fn draw(&mut self, frame: &Frame) -> Result<RgbImage> {
        let Self { renderer, stage } = self;
        stage.show.check(frame)?;
        let solids = stage.solids(frame.time);
        let mut picture = match renderer {
            Some(renderer) if stage.show == Show::Fluid => {
                let (kinds, looks) = (&frame.materials, &stage.looks);
                let shown = Shown::Fluid(Fluid { kinds, looks, smoothing: Smoothing::default() });
                renderer.draw(&stage.picture((&frame.positions, frame.spacing), shown, &solids))?
            }
            Some(renderer) => {
                let shown = Shown::Balls(Balls { colors: &stage.colors(frame), radius: BALL });
                renderer.draw(&stage.picture((&frame.positions, frame.spacing), shown, &solids))?
            }
            None => ParticlePicture {
                positions: &frame.positions,
                colors: &stage.colors(frame),
                radius: BALL * frame.spacing,
                camera: View {
                    eye: stage.camera.eye,
                    target: stage.camera.target,
                    up: Vec3::Y,
                    lens: Lens::Perspective(stage.camera.fov),
                },
                ground: solids.ground,
                width: stage.size.0,
                height: stage.size.1,
            }
            .render(),
        };
        if let Some(title) = stage.show.title() {
            let ends = stage.range.map(|v| text::short(f64::from(v)));
            Legend { title, ends: [&ends[0], &ends[1]], color: gradient }.draw(&mut picture);
        }
        Ok(picture)
    }

    /// Draws the surface of a frame.
    pub(super) fn draw_surface(&mut self, surface: &Surface) -> Result<RgbImage> {
        let Self { renderer, stage } = self;
        let Some(renderer) = renderer else {
            return Err(Usage("surfaces are drawn by a graphics driver, not in software".into()).into());
        };
        let shown = Shown::Mesh(Mesh {
            normals: &surface.normals,
            kinds: &surface.materials,
            triangles: &surface.triangles,
            looks: &stage.looks,
        });
        let solids = stage.solids(surface.time);
        Ok(renderer.draw(&stage.picture((&surface.positions, stage.spacing), shown, &solids))?)
    }
}

impl Stage {
    fn solids(&self, time: f64) -> Cow<'_, Solids> {
        match &self.still {
            Some(solids) => Cow::Borrowed(solids),
            None => Cow::Owned(Solids::of_world(&self.world, &self.walls, time)),
        }
    }

    fn colors(&self, frame: &Frame) -> Vec<[u8; 3]> {
        let swatches: Vec<_> = self.looks.iter().map(Look::swatch).collect();
        self.show.colors((frame, &self.world), self.range, &swatches)
    }

    fn picture<'a>(
        &self,
        (positions, spacing): (&'a [Vec3], f32),
        shown: Shown<'a>,
        solids: &'a Solids,
    ) -> Picture<'a> {
        let &Self { size, samples, camera, .. } = self;
        Picture { size, samples, camera, positions, spacing, shown, solids }
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
