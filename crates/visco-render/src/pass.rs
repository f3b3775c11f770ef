//! A pass: what is drawn into which textures.

use crate::geometry::Geometry;
use crate::solids::Corner;
use crate::targets::Targets;
use crate::{Gpu, RenderError};
use std::ops::Range;
use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{BindGroup, BindingResource, Buffer, BufferUsages, LoadOp, RenderPipeline, TextureView};

/// Begins with nothing.
pub(crate) const EMPTY: LoadOp<wgpu::Color> = LoadOp::Clear(wgpu::Color::TRANSPARENT);
/// Begins with nothing in sight.
pub(crate) const FAR: LoadOp<f32> = LoadOp::Clear(1.0);

/// What is drawn.
#[derive(Clone, Debug)]
pub(crate) enum Things {
    /// Every pixel.
    Screen,
    /// What is solid.
    Solids,
    /// Some of the instances or indices of the fluid.
    Fluid(Range<u32>),
}

/// A pipeline, what its shaders are given, and what it draws.
pub(crate) type Draw<'a> = (&'a RenderPipeline, &'a [&'a BindGroup], Things);

/// Records passes.
pub(crate) struct Recorder<'a> {
    gpu: &'a Gpu,
    encoder: wgpu::CommandEncoder,
    fluid: Buffer,
    indices: Option<Buffer>,
    solids: Buffer,
    solid_corners: u32,
    /// The part of the screen that draws are bound to: left, top, width and height.
    pub(crate) part: Option<[u32; 4]>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(gpu: &'a Gpu, geometry: &Geometry, solids: &[Corner]) -> Self {
        let index = |i: &Vec<u32>| buffer(gpu, bytemuck::cast_slice(i), BufferUsages::INDEX);
        Self {
            gpu,
            encoder: gpu.device.create_command_encoder(&Default::default()),
            fluid: buffer(gpu, &geometry.bytes, BufferUsages::VERTEX),
            indices: geometry.indices.as_ref().map(index),
            solids: buffer(gpu, bytemuck::cast_slice(solids), BufferUsages::VERTEX),
            solid_corners: solids.len() as u32,
            part: None,
        }
    }

    pub(crate) fn pass(
        &mut self,
        colors: &[(&TextureView, LoadOp<wgpu::Color>)],
        depth: Option<(&TextureView, LoadOp<f32>)>,
        draws: &[Draw<'_>],
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
        let empty = |things: &Things| matches!(things, Things::Fluid(range) if range.is_empty());
        for (pipeline, groups, things) in draws.iter().filter(|draw| !empty(&draw.2)) {
            pass.set_pipeline(pipeline);
            for (k, group) in (0..).zip(*groups) {
                pass.set_bind_group(k, *group, &[]);
            }
            match (things, &self.indices) {
                (Things::Screen, _) => pass.draw(0..3, 0..1),
                (Things::Solids, _) => {
                    pass.set_vertex_buffer(0, self.solids.slice(..));
                    pass.draw(0..self.solid_corners, 0..1);
                }
                (Things::Fluid(range), Some(indices)) => {
                    pass.set_vertex_buffer(0, self.fluid.slice(..));
                    pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                    pass.draw_indexed(range.clone(), 0, 0..1);
                }
                (Things::Fluid(range), None) => {
                    pass.set_vertex_buffer(0, self.fluid.slice(..));
                    pass.draw(0..4, range.clone());
                }
            }
        }
    }

    /// Waits for the picture and takes its red, green and blue.
    pub(crate) fn fetch(mut self, targets: &Targets) -> Result<Vec<u8>, RenderError> {
        let (width, height) = targets.size;
        let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pixels"),
            size: u64::from(row) * u64::from(height),
            usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        self.encoder.copy_texture_to_buffer(
            targets.picture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row),
                    rows_per_image: None,
                },
            },
            targets.picture.size(),
        );
        self.gpu.queue.submit([self.encoder.finish()]);
        let lost = |e: &dyn std::fmt::Display| RenderError::Lost(e.to_string());
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody waits any more where the receiver is gone.
            let _ = sender.send(result);
        });
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| lost(&e))?;
        receiver.recv().map_err(|e| lost(&e))?.map_err(|e| lost(&e))?;
        let bytes = buffer.get_mapped_range(..).map_err(|e| lost(&e))?;
        let rows = bytes.chunks(row as usize).map(|r| &r[..4 * width as usize]);
        Ok(rows.flat_map(|r| r.chunks(4).flat_map(|p| [p[0], p[1], p[2]])).collect())
    }
}

/// A buffer with contents.
pub(crate) fn buffer(gpu: &Gpu, contents: &[u8], usage: BufferUsages) -> Buffer {
    // A buffer may not be empty.
    let contents = if contents.is_empty() { &[0; 64] } else { contents };
    gpu.device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage })
}

/// A group of what shaders are given, numbered from 0.
pub(crate) fn group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    resources: &[BindingResource<'_>],
) -> BindGroup {
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}
