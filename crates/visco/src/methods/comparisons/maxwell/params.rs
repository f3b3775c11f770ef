//! What a user can set of the method, under `[solver]` in a scene. Shear modulus and relaxation time are those of the
//! material.

pub use crate::iisph::Params;
