//! What a user can set of the method, under `[solver]` in a scene. The six parameters of connections belong to
//! materials: [`crate::scene::Connections`].

pub use crate::iisph::Params;
