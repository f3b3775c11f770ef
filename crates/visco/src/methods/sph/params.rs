//! What a user can set of the method, under `[solver]` in a scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of `method = "sph"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "SphSolver")]
pub struct Params {
    /// Speed of sound c of the equation of state, in m/s. If not given: ten times what gravity makes of the height of the
    /// fluid at the start, and ten times the fastest particle since.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-3, max = 1e5))]
    pub sound_speed: Option<f32>,
    /// Courant number: steps in which sound would go farther than this many halves of the support are divided.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub courant: f64,
    /// Artificial viscosity α: a kinematic viscosity of α c h/20 is added to that of the material.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub artificial_viscosity: f32,
    /// Kernel support h, in spacings.
    #[schemars(range(min = 2.0, max = 4.0))]
    pub support: f32,
}

impl Default for Params {
    fn default() -> Self {
        Self { sound_speed: None, courant: 0.4, artificial_viscosity: 0.3, support: 2.4 }
    }
}
