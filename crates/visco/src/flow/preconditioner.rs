//! What conjugate gradients on velocities are preconditioned with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The preconditioner of the conjugate gradients on velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preconditioner {
    /// The diagonal blocks of the matrix: cheap iterations, more of them the larger and stiffer the body.
    Block,
    /// Blocks and, where velocity diffuses over more than a spacing a step, a V-cycle over grids: few iterations at
    /// any size.
    Multilevel,
}
