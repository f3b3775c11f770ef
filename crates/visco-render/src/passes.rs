//! The passes of a picture, in order.

use crate::geometry::{Geometry, Layer};
use crate::pass::{EMPTY, FAR, Recorder, Things, buffer, group};
use crate::picture::{Shown, Smoothing};
use crate::pipelines::{FluidPipelines, Pipelines};
use crate::solids::Corner;
use crate::targets::Targets;
use crate::uniforms::{GpuLook, View};
use crate::{Gpu, RenderError};
use wgpu::{BindGroup, BindingResource, BufferUsages, LoadOp, RenderPipeline, TextureView};

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn<'a> {
    /// Of the camera and of the light.
    pub(crate) views: &'a [View; 2],
    pub(crate) looks: &'a [GpuLook],
    pub(crate) geometry: &'a Geometry,
    pub(crate) solids: &'a [Corner],
    pub(crate) shown: Shown<'a>,
    /// Steps of curvature flow.
    pub(crate) flow_steps: u32,
}

/// What the passes of a picture share.
struct Passes<'a> {
    gpu: &'a Gpu,
    pipelines: &'a Pipelines,
    fluid: &'a FluidPipelines,
    targets: &'a Targets,
    drawn: &'a Drawn<'a>,
    recorder: Recorder<'a>,
    view: BindGroup,
    light_view: BindGroup,
    light: BindGroup,
}

/// Draws and fetches the pixels.
pub(crate) fn draw(
    gpu: &Gpu,
    pipelines: &Pipelines,
    targets: &Targets,
    drawn: &Drawn<'_>,
) -> Result<Vec<u8>, RenderError> {
    let looks = buffer(gpu, bytemuck::cast_slice(drawn.looks), BufferUsages::UNIFORM);
    let [view, light_view] = drawn.views.map(|v| {
        let uniform = buffer(gpu, bytemuck::bytes_of(&v), BufferUsages::UNIFORM);
        group(gpu, &pipelines.layouts.view, &[uniform.as_entire_binding(), looks.as_entire_binding()])
    });
    let fluid = match drawn.shown {
        Shown::Mesh(_) => &pipelines.mesh,
        Shown::Fluid(_) | Shown::Balls(_) => &pipelines.spheres,
    };
    let light = light(gpu, pipelines, targets);
    let recorder = Recorder::new(gpu, drawn.geometry, drawn.solids);
    let mut passes = Passes { gpu, pipelines, fluid, targets, drawn, recorder, view, light_view, light };
    passes.light();
    let composed = match drawn.shown {
        Shown::Balls(_) => {
            passes.background(true);
            &targets.solids
        }
        Shown::Fluid(_) | Shown::Mesh(_) => {
            passes.background(false);
            let mut pictures = [&targets.solids, &targets.composed];
            for layer in drawn.geometry.layers() {
                passes.layer(layer, pictures);
                pictures.reverse();
            }
            pictures[0]
        }
    };
    passes.finish(composed);
    passes.recorder.fetch(targets)
}

/// What reaches a point of the sun's light, as shaders see it.
fn light(gpu: &Gpu, pipelines: &Pipelines, targets: &Targets) -> BindGroup {
    let linear = wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    };
    let smooth = gpu.device.create_sampler(&linear);
    let compare = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        compare: Some(wgpu::CompareFunction::LessEqual),
        ..linear
    });
    let resources = [
        BindingResource::TextureView(&targets.blocked),
        BindingResource::TextureView(&targets.dimmed),
        BindingResource::Sampler(&smooth),
        BindingResource::Sampler(&compare),
        BindingResource::TextureView(&targets.entered),
    ];
    group(gpu, &pipelines.layouts.light, &resources)
}

impl Passes<'_> {
    fn textures(&self, layout: &wgpu::BindGroupLayout, views: &[&TextureView]) -> BindGroup {
        let resources: Vec<_> = views.iter().map(|&view| BindingResource::TextureView(view)).collect();
        group(self.gpu, layout, &resources)
    }

    /// What blocks the light, and what dims it.
    fn light(&mut self) {
        let Self { pipelines, fluid, targets, drawn, .. } = *self;
        let (opaque, clear) = (drawn.geometry.range(Layer::Opaque), drawn.geometry.range(Layer::Clear));
        let view = &self.light_view;
        self.recorder.pass(
            &[],
            Some((&targets.blocked, FAR)),
            &[
                (&pipelines.block_solids, &[view], Things::Solids),
                (&fluid.block, &[view], Things::Fluid(opaque)),
            ],
        );
        let (dimmed, entered) = ([(&targets.dimmed, EMPTY)], Some((&targets.entered, FAR)));
        if matches!(drawn.shown, Shown::Mesh(_)) {
            let blocked = self.textures(&pipelines.layouts.depth, &[&targets.blocked]);
            let lit = [&targets.blocked, &targets.lit_distance, &targets.lit_kind];
            let lit = self.textures(&pipelines.layouts.first, &lit);
            self.recorder.pass(
                &[(&targets.lit_distance, EMPTY), (&targets.lit_kind, EMPTY)],
                entered,
                &[(&pipelines.first, &[view, &blocked], Things::Fluid(clear))],
            );
            let all = Things::Fluid(drawn.geometry.all());
            self.recorder.pass(&dimmed, None, &[(&fluid.shade, &[view, &lit], all)]);
        } else {
            self.recorder.pass(&[], entered, &[(&fluid.block, &[view], Things::Fluid(clear.clone()))]);
            self.recorder.pass(&dimmed, None, &[(&fluid.shade, &[view], Things::Fluid(clear))]);
        }
    }

    /// Ground, solids, and balls if they are drawn.
    fn background(&mut self, balls: bool) {
        let Self { pipelines, targets, drawn, .. } = *self;
        let count = if balls { drawn.geometry.all() } else { 0..0 };
        self.recorder.pass(
            &[(&targets.solids, EMPTY)],
            Some((&targets.solid_depth, FAR)),
            &[
                (&pipelines.ground, &[&self.view, &self.light], Things::Screen),
                (&pipelines.solids, &[&self.view, &self.light], Things::Solids),
                (&pipelines.balls, &[&self.view], Things::Fluid(count)),
            ],
        );
    }

    /// A layer of fluid, from the picture of what is behind it to the picture with it.
    fn layer(&mut self, layer: Layer, [behind, composed]: [&TextureView; 2]) {
        let Self { pipelines, fluid, targets, drawn, .. } = *self;
        let is_mesh = matches!(drawn.shown, Shown::Mesh(_));
        let things = Things::Fluid(drawn.geometry.range(layer));
        let front = [(&targets.distance[0], EMPTY), (&targets.kind, EMPTY), (&targets.normal, EMPTY)];
        let front = if is_mesh { &front[..] } else { &front[..2] };
        match layer {
            Layer::Opaque => {
                // What is opaque hides what comes after it, as solids do.
                let depth = Some((&targets.solid_depth, LoadOp::Load));
                self.recorder.pass(front, depth, &[(&fluid.foremost, &[&self.view], things)]);
            }
            Layer::Clear => {
                let solid_depth = self.textures(&pipelines.layouts.depth, &[&targets.solid_depth]);
                let depth = Some((&targets.fluid_depth, FAR));
                self.recorder.pass(
                    front,
                    depth,
                    &[(&fluid.nearest, &[&self.view, &solid_depth], things.clone())],
                );
                if is_mesh {
                    self.way_through_mesh();
                } else {
                    self.way_through_spheres(&solid_depth, things);
                }
            }
        }
        let last = match drawn.shown {
            Shown::Fluid(f) => self.smooth(f.smoothing),
            Shown::Mesh(_) | Shown::Balls(_) => 0,
        };
        let views = [
            &targets.distance[last],
            &targets.kind,
            &targets.through[0],
            behind,
            &targets.normal,
            &targets.through[1],
        ];
        let surface = self.textures(&pipelines.layouts.surface, &views);
        let groups: &[&BindGroup] = &[&self.view, &self.light, &surface];
        self.recorder.pass(&[(composed, EMPTY)], None, &[(&fluid.compose, groups, Things::Screen)]);
    }

    /// Light lost on the way, and the way, without the grain of the particles.
    fn way_through_spheres(&mut self, solid_depth: &BindGroup, things: Things) {
        let Self { pipelines, fluid, targets, drawn, .. } = *self;
        let to = [(&targets.through[0], EMPTY)];
        self.recorder.pass(&to, None, &[(&fluid.thickness, &[&self.view, solid_depth], things)]);
        self.recorder.part = Some(drawn.geometry.part);
        for k in 0..2 {
            let from = self.textures(&pipelines.layouts.texture, &[&targets.through[k]]);
            let to = [(&targets.through[1 - k], EMPTY)];
            self.recorder.pass(&to, None, &[(&pipelines.blur[k], &[&self.view, &from], Things::Screen)]);
        }
        self.recorder.part = None;
    }

    /// Sums over the faces: absorptions and the way; how many.
    fn way_through_mesh(&mut self) {
        let Self { pipelines, fluid, targets, drawn, .. } = *self;
        let first = [&targets.solid_depth, &targets.distance[0], &targets.kind];
        let first = self.textures(&pipelines.layouts.first, &first);
        let to = [(&targets.through[0], EMPTY), (&targets.through[1], EMPTY)];
        let all = Things::Fluid(drawn.geometry.all());
        self.recorder.pass(&to, None, &[(&fluid.thickness, &[&self.view, &first], all)]);
    }

    /// Smooths the distance; in which of its two textures it is then.
    fn smooth(&mut self, smoothing: Smoothing) -> usize {
        let Self { pipelines, targets, drawn, .. } = *self;
        self.recorder.part = Some(drawn.geometry.part);
        let bilateral = (0..2 * smoothing.bilateral).map(|k| &pipelines.bilateral[(k % 2) as usize]);
        let flow = (0..drawn.flow_steps).map(|_| &pipelines.curvature_flow);
        let steps: Vec<&RenderPipeline> = bilateral.chain(flow).collect();
        let distances = [0, 1].map(|k| self.textures(&pipelines.layouts.texture, &[&targets.distance[k]]));
        for (k, step) in steps.iter().enumerate() {
            let (from, to) = (k % 2, (k + 1) % 2);
            // Outside of the part nothing is ever drawn.
            let load = if k == 0 { EMPTY } else { LoadOp::Load };
            let groups: &[&BindGroup] = &[&self.view, &distances[from]];
            self.recorder.pass(&[(&targets.distance[to], load)], None, &[(step, groups, Things::Screen)]);
        }
        self.recorder.part = None;
        steps.len() % 2
    }

    /// Tone and smooth edges.
    fn finish(&mut self, composed: &TextureView) {
        let from = self.textures(&self.pipelines.layouts.texture, &[composed]);
        let to = [(&self.targets.picture_view, EMPTY)];
        self.recorder.pass(&to, None, &[(&self.pipelines.finish, &[&self.view, &from], Things::Screen)]);
    }
}
