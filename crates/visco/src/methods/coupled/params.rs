//! What a user can set of the method, under `[solver]` in a scene.

use crate::flow::Preconditioner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of `method = "coupled"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "CoupledSolver")]
pub struct Params {
    /// Relative error, in the norm of energy, at which the velocity solve stops.
    #[schemars(range(min = 1e-12, max = 1.0))]
    pub tolerance: f32,
    /// Most iterations of a velocity solve.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_velocity_iterations: u32,
    /// Preconditioner of the conjugate gradients.
    pub preconditioner: Preconditioner,
    /// Kernel support h, in spacings.
    #[schemars(range(min = 2.0, max = 4.0))]
    pub support: f32,
    /// Passes of the contact active set.
    #[schemars(range(min = 1, max = 20))]
    pub contact_passes: u32,
    /// Passes that settle pressure in the first step (five times as many under gravity), and the stress of `model = "oldroyd_b"` in every step.
    #[schemars(range(min = 1, max = 20))]
    pub stress_passes: u32,
    /// Iterations that push apart what is more than a tenth too dense after the step.
    #[schemars(range(min = 0, max = 1000))]
    pub density_iterations: u32,
    /// Control of the motions that the velocity gradient does not see.
    pub control: bool,
    /// Moves particles a little so that they stay evenly spread.
    pub shifting: bool,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            tolerance: 1e-3,
            max_velocity_iterations: 200,
            preconditioner: Preconditioner::Multilevel,
            support: 2.2,
            contact_passes: 3,
            stress_passes: 3,
            density_iterations: 2,
            control: true,
            shifting: true,
        }
    }
}
