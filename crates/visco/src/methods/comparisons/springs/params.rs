//! What a user can set of the method, under `[solver]` in a scene. Those of springs belong to materials:
//! [`crate::scene::Springs`].

pub use crate::iisph::Params;
