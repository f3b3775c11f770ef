//! Draws pictures.

use crate::geometry::{self, Geometry};
use crate::passes::{self, Drawn};
use crate::picture::Picture;
use crate::pipelines::Pipelines;
use crate::targets::Targets;
use crate::uniforms::{self, GpuLook, LOOKS};
use crate::{Gpu, RenderError};
use image::RgbImage;

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
        let geometry = Geometry::new(picture, size);
        let views = uniforms::views(picture.camera, size, geometry.extent(picture));
        let looks: Vec<GpuLook> = (0..LOOKS).map(|k| GpuLook::from(&picture.shown.look(k))).collect();
        let drawn = Drawn {
            views: &views,
            looks: &looks,
            geometry: &geometry,
            solids: &picture.solids.corners,
            shown: picture.shown,
            flow_steps: geometry::flow_steps(picture, size),
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
