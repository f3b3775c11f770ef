//! What a user can set of the method, under `[solver]` in a scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of `method = "mps"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "MpsSolver")]
pub struct Params {
    /// Radius of influence r_e, in spacings.
    #[schemars(range(min = 1.9, max = 4.0))]
    pub support: f32,
    /// Coefficient α of the viscous stress before the rupture.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub viscous_share: f32,
    /// Coefficient α of the viscous stress after the rupture.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub viscous_share_after_rupture: f32,
    /// Dominant coefficient C of the elasticity: the coefficient β of the elastic stress once nothing is left of the
    /// narrowest section.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub elastic_share: f32,
    /// Resistance to a change of volume in the solve for the stress, over that to shear; 2/3 is the printed 2η₀D.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub bulk: f32,
    /// Relaxation coefficient γ of the density in the source of the pressure.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub density_relaxation: f32,
    /// Number density, relative to that at rest, below which a particle is at the free surface and has no pressure, unless
    /// it has at least 0.75 and neighbours on all sides alike.
    #[schemars(range(min = 0.5, max = 0.999))]
    pub surface: f32,
    /// Whether the pressure may be negative inside the fluid, so that it holds together when it is pulled.
    pub tension: bool,
    /// Strength of the repulsion that keeps particles evenly spread; 0 leaves it out.
    #[schemars(range(min = 0.0, max = 0.1))]
    pub repulsion: f32,
    /// Relative residual at which the solves for pressure and for viscosity stop.
    #[schemars(range(min = 1e-7, max = 1.0))]
    pub tolerance: f32,
    /// Most iterations of the pressure solve in a step.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_pressure_iterations: u32,
    /// Most iterations of the implicit viscosity in a step.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_velocity_iterations: u32,
    /// Control of the motions that the velocity gradient does not see.
    pub control: bool,
    /// Longest way of any particle in a step, in spacings; longer steps are divided.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub longest_way: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            support: 2.1,
            viscous_share: 0.97,
            viscous_share_after_rupture: 0.95,
            elastic_share: 0.05,
            bulk: 10.0,
            density_relaxation: 0.2,
            surface: 0.97,
            tension: false,
            repulsion: 0.03,
            tolerance: 1e-3,
            max_pressure_iterations: 500,
            max_velocity_iterations: 500,
            control: true,
            longest_way: 0.2,
        }
    }
}
