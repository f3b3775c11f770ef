//! How a pipeline is made.

use crate::targets::DEPTH;
use wgpu::{BindGroupLayout, RenderPipeline, ShaderModule, TextureFormat, VertexStepMode};

/// What pipelines differ in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe<'a> {
    pub(crate) module: &'a ShaderModule,
    pub(crate) vertex: &'a str,
    pub(crate) fragment: Option<&'a str>,
    pub(crate) groups: &'a [Option<&'a BindGroupLayout>],
    /// Formats, and whether what is drawn is added to what is there.
    pub(crate) targets: &'a [(TextureFormat, bool)],
    pub(crate) depth: Option<wgpu::CompareFunction>,
    pub(crate) input: Input,
}

/// What a vertex shader is given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    Nothing,
    Spheres,
    Surface,
    Solids,
}

impl Recipe<'_> {
    pub(crate) fn make(&self, device: &wgpu::Device) -> RenderPipeline {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            bind_group_layouts: self.groups,
            ..Default::default()
        });
        let spheres = wgpu::vertex_attr_array![0 => Float32x4, 1 => Uint32, 2 => Unorm8x4];
        let surface = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Uint32];
        let solids = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3];
        let buffer = match self.input {
            Input::Nothing => None,
            Input::Spheres => Some((&spheres[..], VertexStepMode::Instance)),
            Input::Surface => Some((&surface[..], VertexStepMode::Vertex)),
            Input::Solids => Some((&solids[..], VertexStepMode::Vertex)),
        };
        let buffers: Vec<_> = buffer
            .map(|(attributes, step_mode)| {
                let array_stride = attributes.iter().map(|a| a.format.size()).sum();
                Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
            })
            .into_iter()
            .collect();
        let added = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let target = |&(format, adds): &(TextureFormat, bool)| {
            let blend = adds.then_some(wgpu::BlendState { color: added, alpha: added });
            Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })
        };
        let targets: Vec<_> = self.targets.iter().map(target).collect();
        let topology = match self.input {
            Input::Spheres => wgpu::PrimitiveTopology::TriangleStrip,
            _ => wgpu::PrimitiveTopology::TriangleList,
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: self.fragment,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: Default::default(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState { topology, ..Default::default() },
            depth_stencil: self.depth.map(|compare| wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: self.fragment.map(|entry| wgpu::FragmentState {
                module: self.module,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
