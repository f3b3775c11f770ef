//! Pictures of what visco simulates, without a window: fluids as smooth surfaces that reflect and refract, particles
//! in the colours of a quantity, and the solid things around them.
//!
//! Fluids are drawn in the space of the screen (van der Laan et al. 2009): particles as spheres give the depth of the
//! surface, which is smoothed there, and the way that light goes through the fluid. The triangles
//! of a surface may take the place of the spheres. The shaders in `shaders/` use nothing beyond WebGPU's own limits.

mod camera;
mod cut;
mod error;
mod film;
mod geometry;
mod gpu;
mod gradient;
mod look;
mod pass;
mod passes;
mod picture;
mod pipelines;
mod recipe;
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
pub use picture::{Balls, Fluid, Mesh, Picture, Shown, Smoothing};
pub use renderer::Renderer;
pub use solids::{Solids, Triangle};
