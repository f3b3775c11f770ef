//! The pipelines: which shader draws into what.

use crate::recipe::{Input, Recipe};
use crate::targets::{COLOR, DISTANCE, KIND, PICTURE};
use wgpu::{BindGroupLayout, RenderPipeline};

const VIEW: &str = include_str!("shaders/view.wgsl");
const LIGHT: &str = include_str!("shaders/light.wgsl");
const SPHERES: &str = include_str!("shaders/spheres.wgsl");
const MESH: &str = include_str!("shaders/mesh.wgsl");
const SOLIDS: &str = include_str!("shaders/solids.wgsl");
const SMOOTH: &str = include_str!("shaders/smooth.wgsl");
const COMPOSE: &str = include_str!("shaders/compose.wgsl");
const FINISH: &str = include_str!("shaders/finish.wgsl");

/// What shaders are given.
#[derive(Debug)]
pub(crate) struct Layouts {
    pub(crate) view: BindGroupLayout,
    pub(crate) depth: BindGroupLayout,
    /// Depth, distance and kind of what is before.
    pub(crate) first: BindGroupLayout,
    pub(crate) light: BindGroupLayout,
    pub(crate) texture: BindGroupLayout,
    pub(crate) surface: BindGroupLayout,
}

/// How fluid is drawn, as spheres or as triangles.
#[derive(Debug)]
pub(crate) struct FluidPipelines {
    /// How far light comes to fluid.
    pub(crate) block: RenderPipeline,
    /// What translucent fluid takes out of the light.
    pub(crate) shade: RenderPipeline,
    /// The surface of opaque fluid.
    pub(crate) foremost: RenderPipeline,
    /// The surface of translucent fluid.
    pub(crate) nearest: RenderPipeline,
    /// The way through it.
    pub(crate) thickness: RenderPipeline,
    /// The fluid before what is behind.
    pub(crate) compose: RenderPipeline,
}

#[derive(Debug)]
pub(crate) struct Pipelines {
    pub(crate) layouts: Layouts,
    pub(crate) spheres: FluidPipelines,
    pub(crate) mesh: FluidPipelines,
    /// The surface of translucent fluid on the light's screen, of triangles.
    pub(crate) first: RenderPipeline,
    pub(crate) block_solids: RenderPipeline,
    pub(crate) ground: RenderPipeline,
    pub(crate) solids: RenderPipeline,
    pub(crate) balls: RenderPipeline,
    pub(crate) bilateral: [RenderPipeline; 2],
    pub(crate) blur: [RenderPipeline; 2],
    pub(crate) curvature_flow: RenderPipeline,
    pub(crate) finish: RenderPipeline,
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
            texture(TextureSampleType::Depth),
        ];
        let (depth, kind) = (texture(TextureSampleType::Depth), texture(TextureSampleType::Uint));
        Self {
            view: layout("view", &[uniform, uniform]),
            depth: layout("depth", &[depth]),
            first: layout("first", &[depth, plain, kind]),
            light: layout("light", &light),
            texture: layout("texture", &[plain]),
            surface: layout("surface", &[plain, kind, plain, plain, plain, plain]),
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
        let surface = module("mesh", &[VIEW, MESH]);
        let solids = module("solids", &[VIEW, LIGHT, SOLIDS]);
        let smooth = module("smooth", &[VIEW, SMOOTH]);
        let compose = module("compose", &[VIEW, LIGHT, COMPOSE]);
        let finish = module("finish", &[VIEW, FINISH]);
        let (view, depth, first, light, texture) = (
            Some(&layouts.view),
            Some(&layouts.depth),
            Some(&layouts.first),
            Some(&layouts.light),
            Some(&layouts.texture),
        );
        let less = Some(wgpu::CompareFunction::Less);
        let ball = Recipe {
            module: &spheres,
            vertex: "corners",
            fragment: Some("ball"),
            groups: &[view],
            targets: &[(COLOR, false)],
            depth: less,
            input: Input::Spheres,
        };
        let face = Recipe { module: &surface, vertex: "surface", input: Input::Surface, ..ball };
        let solid = Recipe {
            module: &solids,
            vertex: "mesh",
            fragment: Some("solid"),
            groups: &[view, light],
            input: Input::Solids,
            ..ball
        };
        let everywhere = Recipe { vertex: "everywhere", depth: None, input: Input::Nothing, ..ball };
        let make = |recipe: Recipe<'_>| recipe.make(device);
        let composed = |fragment| {
            make(Recipe {
                module: &compose,
                fragment: Some(fragment),
                groups: &[view, light, Some(&layouts.surface)],
                ..everywhere
            })
        };
        let smoother =
            Recipe { module: &smooth, groups: &[view, texture], targets: &[(DISTANCE, false)], ..everywhere };
        let smoothed = |fragment| make(Recipe { fragment: Some(fragment), ..smoother });
        let blurred =
            |fragment| make(Recipe { fragment: Some(fragment), targets: &[(COLOR, false)], ..smoother });
        let front = &[(DISTANCE, false), (KIND, false), (COLOR, false)];
        let added = &[(COLOR, true), (COLOR, true)];
        let of_spheres = |fragment, groups, targets, depth| {
            make(Recipe { fragment: Some(fragment), groups, targets, depth, ..ball })
        };
        let of_mesh = |fragment, groups, targets, depth| {
            make(Recipe { fragment: Some(fragment), groups, targets, depth, ..face })
        };
        Self {
            spheres: FluidPipelines {
                block: of_spheres("block", &[view], &[], less),
                shade: of_spheres("shade", &[view], &added[..1], None),
                foremost: of_spheres("foremost", &[view], &front[..2], less),
                nearest: of_spheres("nearest", &[view, depth], &front[..2], less),
                thickness: of_spheres("thickness", &[view, depth], &added[..1], None),
                compose: composed("compose"),
            },
            mesh: FluidPipelines {
                block: make(Recipe { fragment: None, targets: &[], ..face }),
                shade: of_mesh("shade", &[view, first], &added[..1], None),
                foremost: of_mesh("foremost", &[view], front, less),
                nearest: of_mesh("nearest", &[view, depth], front, less),
                thickness: of_mesh("thickness", &[view, first], added, None),
                compose: composed("compose_mesh"),
            },
            first: of_mesh("first", &[view, depth], &front[..2], less),
            balls: make(ball),
            block_solids: make(Recipe { fragment: None, groups: &[view], targets: &[], ..solid }),
            ground: make(Recipe {
                vertex: "everywhere",
                fragment: Some("ground"),
                depth: Some(wgpu::CompareFunction::Always),
                input: Input::Nothing,
                ..solid
            }),
            solids: make(solid),
            bilateral: [smoothed("bilateral_across"), smoothed("bilateral_up")],
            blur: [blurred("blur_across"), blurred("blur_up")],
            curvature_flow: smoothed("curvature_flow"),
            finish: make(Recipe {
                module: &finish,
                fragment: Some("finish"),
                groups: &[view, texture],
                targets: &[(PICTURE, false)],
                ..everywhere
            }),
            layouts,
        }
    }
}
