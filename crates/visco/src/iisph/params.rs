//! What a user can set of implicit incompressible SPH, under `[solver]` in a scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of the methods whose pressure is that of implicit incompressible SPH: `velocity_correction`, `springs`,
/// `shape_matching` and `maxwell`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "IisphSolver")]
pub struct Params {
    /// Mean density error, relative to the density at rest, at which the pressure solve stops: the paper's 0.01 %.
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub density_tolerance: f32,
    /// Most iterations of the pressure solve in a step.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_pressure_iterations: u32,
    /// Relaxation ω of the pressure solve; a step in which the solve diverges or stalls halves it for itself.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub pressure_relaxation: f32,
    /// How many times larger the largest eigenvalue is than the smallest for which Chebyshev's semi-iteration makes the
    /// pressure solve fast; 1 is relaxed Jacobi as published.
    #[schemars(range(min = 1.0, max = 10_000.0))]
    pub pressure_spread: f32,
    /// Longest way of any particle in a step, in spacings; longer steps are divided.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub longest_way: f64,
    /// Kernel support h, in spacings.
    #[schemars(range(min = 2.0, max = 4.0))]
    pub support: f32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            density_tolerance: 1e-4,
            max_pressure_iterations: 1000,
            pressure_relaxation: 0.5,
            pressure_spread: 60.0,
            longest_way: 0.8,
            support: 2.2,
        }
    }
}
