//! The graphics processor, or what stands in for it.

use crate::RenderError;

/// A device that draws.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    name: String,
    software: bool,
}

impl Gpu {
    /// The fastest device of this machine.
    pub fn open() -> Result<Self, RenderError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::PRIMARY;
        let instance = wgpu::Instance::new(descriptor);
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))
            .map_err(|e| RenderError::NoDriver(e.to_string()))?;
        let info = adapter.get_info();
        let limits = adapter.limits();
        // Nothing beyond what the web has, but pictures and numbers of particles as large as the device takes.
        let required_limits = wgpu::Limits {
            max_texture_dimension_2d: limits.max_texture_dimension_2d,
            max_buffer_size: limits.max_buffer_size,
            ..wgpu::Limits::default()
        };
        let descriptor =
            wgpu::DeviceDescriptor { label: Some("visco"), required_limits, ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|e| RenderError::NoDevice(e.to_string()))?;
        Ok(Self { device, queue, name: info.name, software: info.device_type == wgpu::DeviceType::Cpu })
    }

    /// What the driver calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a program on the ordinary processor.
    pub fn is_software(&self) -> bool {
        self.software
    }

    pub(crate) fn largest_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }
}
