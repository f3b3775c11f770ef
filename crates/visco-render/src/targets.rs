//! What is drawn into.

use wgpu::{TextureFormat, TextureUsages, TextureView};

/// Side of the light's screen for what is opaque.
const BLOCKED: u32 = 1024;
/// And for translucent fluid, whose shadows are soft.
pub(crate) const DIMMED: u32 = 512;
/// Light.
pub(crate) const COLOR: TextureFormat = TextureFormat::Rgba16Float;
/// Depth on the screen.
pub(crate) const DEPTH: TextureFormat = TextureFormat::Depth32Float;
/// Distance of the fluid's surface from the eye's plane, in m.
pub(crate) const DISTANCE: TextureFormat = TextureFormat::R32Float;
/// Index of a look.
pub(crate) const KIND: TextureFormat = TextureFormat::R8Uint;
/// The picture.
pub(crate) const PICTURE: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// Textures of a size.
#[derive(Debug)]
pub(crate) struct Targets {
    pub(crate) size: (u32, u32),
    pub(crate) solids: TextureView,
    pub(crate) solid_depth: TextureView,
    pub(crate) fluid_depth: TextureView,
    pub(crate) distance: [TextureView; 2],
    pub(crate) kind: TextureView,
    pub(crate) through: [TextureView; 2],
    pub(crate) normal: TextureView,
    pub(crate) composed: TextureView,
    pub(crate) picture: wgpu::Texture,
    pub(crate) picture_view: TextureView,
    pub(crate) blocked: TextureView,
    pub(crate) dimmed: TextureView,
    pub(crate) lit_distance: TextureView,
    pub(crate) lit_kind: TextureView,
    pub(crate) entered: TextureView,
}

impl Targets {
    pub(crate) fn new(device: &wgpu::Device, size: (u32, u32)) -> Self {
        let texture = |label: &str, format: TextureFormat, (width, height): (u32, u32)| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: match format {
                    PICTURE => TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
                    _ => TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING,
                },
                view_formats: &[],
            })
        };
        let view = |label: &str, format: TextureFormat| {
            texture(label, format, size).create_view(&Default::default())
        };
        let light = |label: &str, format: TextureFormat, side: u32| {
            texture(label, format, (side, side)).create_view(&Default::default())
        };
        let picture = texture("picture", PICTURE, size);
        Self {
            size,
            solids: view("solids", COLOR),
            solid_depth: view("depth of solids", DEPTH),
            fluid_depth: view("depth of fluid", DEPTH),
            distance: [view("distance", DISTANCE), view("distance, smoother", DISTANCE)],
            kind: view("kind", KIND),
            through: [view("through", COLOR), view("through, smoother", COLOR)],
            normal: view("normal", COLOR),
            composed: view("composed", COLOR),
            picture_view: picture.create_view(&Default::default()),
            picture,
            blocked: light("blocked light", DEPTH, BLOCKED),
            dimmed: light("dimmed light", COLOR, DIMMED),
            lit_distance: light("distance from the light", DISTANCE, DIMMED),
            lit_kind: light("kind that is lit", KIND, DIMMED),
            entered: light("where light enters", DEPTH, DIMMED),
        }
    }
}
