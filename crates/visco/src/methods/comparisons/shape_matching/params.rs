//! What a user can set of the method, under `[solver]` in a scene. Those of clusters belong to materials:
//! [`crate::scene::ShapeMatching`].

pub use crate::iisph::Params;
