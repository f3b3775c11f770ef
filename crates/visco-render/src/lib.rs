//! Pictures of what visco simulates, without a window: fluids as smooth surfaces that reflect and refract, particles
//! in the colours of a quantity, and the solid things around them.
//!
//! Fluids are drawn in the space of the screen (van der Laan et al. 2009): particles as spheres give the depth of the
//! surface, which is smoothed there, and the way that light goes through the fluid. The shaders in `shaders/` use
//! nothing beyond WebGPU's own limits.

mod camera;
mod error;
mod film;
mod gpu;
mod gradient;
mod look;
mod passes;
mod pipelines;
mod renderer;
mod solids;
mod targets;
mod uniforms;

pub use camera::Camera;
pub use error::RenderError;
pub use film::{Film, FilmError};
pub use gpu::Gpu;
pub use gradient::gradient;
pub use look::Look;
pub use renderer::{Balls, Fluid, Particles, Picture, Renderer, Smoothing};
pub use solids::{Solids, Triangle};
