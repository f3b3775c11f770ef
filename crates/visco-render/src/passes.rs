//! The passes of a picture, in order.

use crate::pipelines::Pipelines;
use crate::renderer::Particles;
use crate::solids::Corner;
use crate::targets::Targets;
use crate::uniforms::{GpuLook, View};
use crate::{Gpu, RenderError};
use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{BindGroup, BindingResource, Buffer, BufferUsages, RenderPipeline, TextureView};

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn<'a> {
    /// Of the camera and of the light.
    pub(crate) views: &'a [View; 2],
    pub(crate) looks: &'a [GpuLook],
    /// Bytes and number.
    pub(crate) spheres: (&'a [u8], u32),
    pub(crate) solids: &'a [Corner],
    pub(crate) particles: Particles<'a>,
    /// Left, top, width and height of the part of the screen where the fluid is.
    pub(crate) part: [u32; 4],
    /// Steps of curvature flow.
    pub(crate) flow_steps: u32,
}

/// A buffer of vertices or instances and how many to draw.
#[derive(Debug)]
struct Things {
    buffer: Buffer,
    vertices: u32,
    instances: u32,
}

/// A pass under way.
struct Painter<'a> {
    encoder: wgpu::CommandEncoder,
    pipelines: &'a Pipelines,
    spheres: Things,
    triangles: Things,
    /// The part of the screen that whole-screen draws are bound to.
    part: Option<[u32; 4]>,
}

const BLACK: wgpu::LoadOp<wgpu::Color> = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);

impl Painter<'_> {
    fn pass(
        &mut self,
        colors: &[(&TextureView, wgpu::LoadOp<wgpu::Color>)],
        depth: Option<(&TextureView, wgpu::LoadOp<f32>)>,
        draws: &[(&RenderPipeline, &[&BindGroup], Option<bool>)],
    ) {
        let attachment = |&(view, load): &(_, _)| {
            let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
            Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
        };
        let attachments: Vec<_> = colors.iter().map(attachment).collect();
        let mut pass = self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &attachments,
            depth_stencil_attachment: depth.map(|(view, load)| wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: Some(wgpu::Operations { load, store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        if let Some([x, y, width, height]) = self.part {
            pass.set_scissor_rect(x, y, width, height);
        }
        for (pipeline, groups, things) in draws {
            pass.set_pipeline(pipeline);
            for (k, group) in (0..).zip(*groups) {
                pass.set_bind_group(k, *group, &[]);
            }
            // Spheres, triangles, or the whole screen.
            let things = things.map(|spheres| if spheres { &self.spheres } else { &self.triangles });
            match things {
                None => pass.draw(0..3, 0..1),
                Some(t) if t.vertices > 0 && t.instances > 0 => {
                    pass.set_vertex_buffer(0, t.buffer.slice(..));
                    pass.draw(0..t.vertices, 0..t.instances);
                }
                Some(_) => {}
            }
        }
    }
}

/// Draws and fetches the pixels.
pub(crate) fn draw(
    gpu: &Gpu,
    pipelines: &Pipelines,
    targets: &Targets,
    drawn: &Drawn<'_>,
) -> Result<Vec<u8>, RenderError> {
    let device = &gpu.device;
    let buffer = |contents: &[u8], usage| {
        // A buffer may not be empty.
        let contents = if contents.is_empty() { &[0; 64] } else { contents };
        device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage })
    };
    let layouts = &pipelines.layouts;
    let group = |layout: &wgpu::BindGroupLayout, resources: &[BindingResource<'_>]| {
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    };
    let texture = BindingResource::TextureView;
    let looks = buffer(bytemuck::cast_slice(drawn.looks), BufferUsages::UNIFORM);
    let [view, light_view] = drawn.views.map(|v| {
        let uniform = buffer(bytemuck::bytes_of(&v), BufferUsages::UNIFORM);
        group(&layouts.view, &[uniform.as_entire_binding(), looks.as_entire_binding()])
    });
    let smooth = device.create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    });
    let compare = device.create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        compare: Some(wgpu::CompareFunction::LessEqual),
        ..Default::default()
    });
    let samplers = (BindingResource::Sampler(&smooth), BindingResource::Sampler(&compare));
    let light =
        group(&layouts.light, &[texture(&targets.blocked), texture(&targets.dimmed), samplers.0, samplers.1]);
    let solid_depth = group(&layouts.depth, &[texture(&targets.solid_depth)]);

    let (bytes, count) = drawn.spheres;
    let mut painter = Painter {
        encoder: device.create_command_encoder(&Default::default()),
        pipelines,
        spheres: Things { buffer: buffer(bytes, BufferUsages::VERTEX), vertices: 4, instances: count },
        triangles: Things {
            buffer: buffer(bytemuck::cast_slice(drawn.solids), BufferUsages::VERTEX),
            vertices: drawn.solids.len() as u32,
            instances: 1,
        },
        part: None,
    };
    let (spheres, triangles) = (Some(true), Some(false));
    let p = painter.pipelines;
    let far = wgpu::LoadOp::Clear(1.0);
    painter.pass(
        &[],
        Some((&targets.blocked, far)),
        &[(&p.block_solids, &[&light_view], triangles), (&p.block, &[&light_view], spheres)],
    );
    painter.pass(&[(&targets.dimmed, BLACK)], None, &[(&p.shade, &[&light_view], spheres)]);
    let ground: (&RenderPipeline, &[&BindGroup], _) = (&p.ground, &[&view, &light], None);
    let solids: (&RenderPipeline, &[&BindGroup], _) = (&p.solids, &[&view, &light], triangles);
    let composed = match drawn.particles {
        Particles::Balls(_) => {
            let balls: (&RenderPipeline, &[&BindGroup], _) = (&p.balls, &[&view], spheres);
            let colors = [(&targets.composed, BLACK)];
            painter.pass(&colors, Some((&targets.solid_depth, far)), &[ground, solids, balls]);
            &targets.composed
        }
        Particles::Fluid(fluid) => {
            painter.pass(&[(&targets.solids, BLACK)], Some((&targets.solid_depth, far)), &[ground, solids]);
            painter.pass(
                &[(&targets.distance[0], BLACK), (&targets.kind, BLACK)],
                Some((&targets.fluid_depth, far)),
                &[(&p.nearest, &[&view, &solid_depth], spheres)],
            );
            painter.pass(
                &[(&targets.through[0], BLACK)],
                None,
                &[(&p.thickness, &[&view, &solid_depth], spheres)],
            );
            painter.part = Some(drawn.part);
            for k in 0..2 {
                let from = group(&layouts.texture, &[texture(&targets.through[k])]);
                let to = [(&targets.through[1 - k], BLACK)];
                painter.pass(&to, None, &[(&p.blur[k], &[&view, &from], None)]);
            }
            let bilateral = (0..2 * fluid.smoothing.bilateral).map(|k| &p.bilateral[(k % 2) as usize]);
            let flow = (0..drawn.flow_steps).map(|_| &p.curvature_flow);
            let steps: Vec<&RenderPipeline> = bilateral.chain(flow).collect();
            let distances = [0, 1].map(|k| group(&layouts.texture, &[texture(&targets.distance[k])]));
            for (k, step) in steps.iter().enumerate() {
                let (from, to) = (k % 2, (k + 1) % 2);
                painter.pass(
                    &[(&targets.distance[to], BLACK)],
                    None,
                    &[(step, &[&view, &distances[from]], None)],
                );
            }
            painter.part = None;
            let last = &targets.distance[steps.len() % 2];
            let surface = group(
                &layouts.surface,
                &[
                    texture(last),
                    texture(&targets.kind),
                    texture(&targets.through[0]),
                    texture(&targets.solids),
                ],
            );
            painter.pass(
                &[(&targets.composed, BLACK)],
                None,
                &[(&p.compose, &[&view, &light, &surface], None)],
            );
            &targets.composed
        }
    };
    let composed = group(&layouts.texture, &[texture(composed)]);
    painter.pass(&[(&targets.picture_view, BLACK)], None, &[(&p.finish, &[&view, &composed], None)]);
    fetch(gpu, painter.encoder, targets)
}

/// Waits for the picture and takes its red, green and blue.
fn fetch(gpu: &Gpu, mut encoder: wgpu::CommandEncoder, targets: &Targets) -> Result<Vec<u8>, RenderError> {
    let (width, height) = targets.size;
    let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("pixels"),
        size: u64::from(row) * u64::from(height),
        usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    encoder.copy_texture_to_buffer(
        targets.picture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
        },
        targets.picture.size(),
    );
    gpu.queue.submit([encoder.finish()]);
    let lost = |e: &dyn std::fmt::Display| RenderError::Lost(e.to_string());
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // Nobody waits any more where the receiver is gone.
        let _ = sender.send(result);
    });
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| lost(&e))?;
    receiver.recv().map_err(|e| lost(&e))?.map_err(|e| lost(&e))?;
    let bytes = buffer.get_mapped_range(..).map_err(|e| lost(&e))?;
    let rows = bytes.chunks(row as usize).map(|r| &r[..4 * width as usize]);
    Ok(rows.flat_map(|r| r.chunks(4).flat_map(|p| [p[0], p[1], p[2]])).collect())
}
