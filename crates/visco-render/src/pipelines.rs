//! The pipelines: which shader draws into what.

use crate::targets::{COLOR, DEPTH, DISTANCE, KIND, PICTURE};
use wgpu::{BindGroupLayout, RenderPipeline, ShaderModule, TextureFormat, VertexStepMode};

const VIEW: &str = include_str!("shaders/view.wgsl");
const LIGHT: &str = include_str!("shaders/light.wgsl");
const SPHERES: &str = include_str!("shaders/spheres.wgsl");
const SOLIDS: &str = include_str!("shaders/solids.wgsl");
const SMOOTH: &str = include_str!("shaders/smooth.wgsl");
const COMPOSE: &str = include_str!("shaders/compose.wgsl");
const FINISH: &str = include_str!("shaders/finish.wgsl");

/// What shaders are given.
#[derive(Debug)]
pub(crate) struct Layouts {
    pub(crate) view: BindGroupLayout,
    pub(crate) depth: BindGroupLayout,
    pub(crate) light: BindGroupLayout,
    pub(crate) texture: BindGroupLayout,
    pub(crate) surface: BindGroupLayout,
}

#[derive(Debug)]
pub(crate) struct Pipelines {
    pub(crate) layouts: Layouts,
    pub(crate) block: RenderPipeline,
    pub(crate) block_solids: RenderPipeline,
    pub(crate) shade: RenderPipeline,
    pub(crate) ground: RenderPipeline,
    pub(crate) solids: RenderPipeline,
    pub(crate) balls: RenderPipeline,
    pub(crate) nearest: RenderPipeline,
    pub(crate) thickness: RenderPipeline,
    pub(crate) bilateral: [RenderPipeline; 2],
    pub(crate) blur: [RenderPipeline; 2],
    pub(crate) curvature_flow: RenderPipeline,
    pub(crate) compose: RenderPipeline,
    pub(crate) finish: RenderPipeline,
}

/// What pipelines differ in.
struct Recipe<'a> {
    module: &'a ShaderModule,
    vertex: &'a str,
    fragment: Option<&'a str>,
    groups: &'a [Option<&'a BindGroupLayout>],
    targets: &'a [(TextureFormat, bool)],
    depth: Option<wgpu::CompareFunction>,
    input: Input,
}

#[derive(Clone, Copy, PartialEq)]
enum Input {
    Nothing,
    Spheres,
    Triangles,
}

impl Layouts {
    fn new(device: &wgpu::Device) -> Self {
        use wgpu::{BindingType, SamplerBindingType, ShaderStages, TextureSampleType, TextureViewDimension};
        let layout = |label: &str, types: &[BindingType]| {
            let entries: Vec<_> = (0..)
                .zip(types)
                .map(|(binding, &ty)| wgpu::BindGroupLayoutEntry {
                    binding,
                    visibility: ShaderStages::VERTEX_FRAGMENT,
                    ty,
                    count: None,
                })
                .collect();
            let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries };
            device.create_bind_group_layout(&descriptor)
        };
        let uniform = BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let texture = |sample_type| BindingType::Texture {
            sample_type,
            view_dimension: TextureViewDimension::D2,
            multisampled: false,
        };
        let plain = texture(TextureSampleType::Float { filterable: false });
        let light = [
            texture(TextureSampleType::Depth),
            texture(TextureSampleType::Float { filterable: true }),
            BindingType::Sampler(SamplerBindingType::Filtering),
            BindingType::Sampler(SamplerBindingType::Comparison),
        ];
        Self {
            view: layout("view", &[uniform, uniform]),
            depth: layout("depth", &[texture(TextureSampleType::Depth)]),
            light: layout("light", &light),
            texture: layout("texture", &[plain]),
            surface: layout("surface", &[plain, texture(TextureSampleType::Uint), plain, plain]),
        }
    }
}

impl Pipelines {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let layouts = Layouts::new(device);
        let module = |label: &str, parts: &[&str]| {
            let source = wgpu::ShaderSource::Wgsl(parts.concat().into());
            device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
        };
        let spheres = module("spheres", &[VIEW, SPHERES]);
        let solids = module("solids", &[VIEW, LIGHT, SOLIDS]);
        let smooth = module("smooth", &[VIEW, SMOOTH]);
        let compose = module("compose", &[VIEW, LIGHT, COMPOSE]);
        let finish = module("finish", &[VIEW, FINISH]);
        let make = |recipe: Recipe<'_>| pipeline(device, &recipe);
        let Layouts { view, depth, light, texture, surface } = &layouts;
        let (view, depth, light, texture, surface) =
            (Some(view), Some(depth), Some(light), Some(texture), Some(surface));
        let less = Some(wgpu::CompareFunction::Less);
        let of_spheres = |fragment, groups, targets, depth| {
            let recipe = Recipe {
                module: &spheres,
                vertex: "corners",
                fragment: Some(fragment),
                groups,
                targets,
                depth,
                input: Input::Spheres,
            };
            make(recipe)
        };
        let everywhere = |module, fragment, groups, targets| {
            let recipe = Recipe {
                module,
                vertex: "everywhere",
                fragment: Some(fragment),
                groups,
                targets,
                depth: None,
                input: Input::Nothing,
            };
            make(recipe)
        };
        let one_texture = [view, texture];
        let smoother = |fragment| everywhere(&smooth, fragment, &one_texture, &[(DISTANCE, false)]);
        let blur = |fragment| everywhere(&smooth, fragment, &one_texture, &[(COLOR, false)]);
        let mesh = Recipe {
            module: &solids,
            vertex: "mesh",
            fragment: Some("solid"),
            groups: &[view, light],
            targets: &[(COLOR, false)],
            depth: less,
            input: Input::Triangles,
        };
        Self {
            block: of_spheres("block", &[view], &[], less),
            shade: of_spheres("shade", &[view], &[(COLOR, true)], None),
            balls: of_spheres("ball", &[view], &[(COLOR, false)], less),
            nearest: of_spheres("nearest", &[view, depth], &[(DISTANCE, false), (KIND, false)], less),
            thickness: of_spheres("thickness", &[view, depth], &[(COLOR, true)], None),
            block_solids: make(Recipe { fragment: None, groups: &[view], targets: &[], ..mesh }),
            ground: make(Recipe {
                vertex: "everywhere",
                fragment: Some("ground"),
                depth: Some(wgpu::CompareFunction::Always),
                input: Input::Nothing,
                ..mesh
            }),
            solids: make(mesh),
            bilateral: [smoother("bilateral_across"), smoother("bilateral_up")],
            blur: [blur("blur_across"), blur("blur_up")],
            curvature_flow: smoother("curvature_flow"),
            compose: everywhere(&compose, "compose", &[view, light, surface], &[(COLOR, false)]),
            finish: everywhere(&finish, "finish", &[view, texture], &[(PICTURE, false)]),
            layouts,
        }
    }
}

fn pipeline(device: &wgpu::Device, recipe: &Recipe<'_>) -> RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        bind_group_layouts: recipe.groups,
        ..Default::default()
    });
    let spheres = wgpu::vertex_attr_array![0 => Float32x4, 1 => Uint32, 2 => Unorm8x4];
    let triangles = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3];
    let buffer = match recipe.input {
        Input::Nothing => None,
        Input::Spheres => Some((&spheres[..], VertexStepMode::Instance)),
        Input::Triangles => Some((&triangles[..], VertexStepMode::Vertex)),
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
    let targets: Vec<_> = recipe.targets.iter().map(target).collect();
    let topology = match recipe.input {
        Input::Spheres => wgpu::PrimitiveTopology::TriangleStrip,
        _ => wgpu::PrimitiveTopology::TriangleList,
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: recipe.fragment,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: recipe.module,
            entry_point: Some(recipe.vertex),
            compilation_options: Default::default(),
            buffers: &buffers,
        },
        primitive: wgpu::PrimitiveState { topology, ..Default::default() },
        depth_stencil: recipe.depth.map(|compare| wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(compare),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: recipe.fragment.map(|entry| wgpu::FragmentState {
            module: recipe.module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
