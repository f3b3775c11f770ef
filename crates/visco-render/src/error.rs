//! What can go wrong.

use thiserror::Error;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum RenderError {
    /// No driver for a graphics processor, not even one in software.
    #[error(
        "no Vulkan, Metal or Direct3D driver was found ({0}); on Debian and Ubuntu the package \
         mesa-vulkan-drivers has one that needs no graphics card"
    )]
    NoDriver(String),
    /// The driver refused a device.
    #[error("the graphics driver gives no device: {0}")]
    NoDevice(String),
    /// The picture is larger than the driver allows.
    #[error("a picture of {width} × {height} pixels is larger than this driver draws ({largest} on a side)")]
    TooLarge {
        /// Width asked for.
        width: u32,
        /// Height asked for.
        height: u32,
        /// Largest side.
        largest: u32,
    },
    /// The picture did not come back.
    #[error("the graphics driver lost the picture: {0}")]
    Lost(String),
}
