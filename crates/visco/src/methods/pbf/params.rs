//! What a user can set of the method, under `[solver]` in a scene.

use crate::flow::DensityConstraint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What makes the fluid viscous.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Viscosity {
    /// Velocities are smoothed over a kernel: XSPH, the method's own.
    #[default]
    Xsph,
    /// Distances of neighbours are kept as at the start of the step, Takahashi et al. 2014: for comparison.
    Lengths,
    /// Velocities are reconstructed from gradients with less shear, after Peer et al. 2015: for comparison.
    Reconstruction,
    /// The stress of an upper-convected Maxwell fluid in explicit steps, Barreiro et al. 2017, section 6: for comparison.
    Stress,
}

/// Settings of `method = "pbf"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "PbfSolver")]
pub struct Params {
    /// Iterations of the density constraint in a step; with a `density_tolerance`, the fewest.
    #[schemars(range(min = 1, max = 10_000))]
    pub iterations: u32,
    /// Mean density error, relative to the density at rest, at which the iterations stop. If not given their number is
    /// fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub density_tolerance: Option<f32>,
    /// Most iterations in a step with a `density_tolerance`, at least `iterations`; and of the velocities of
    /// `viscosity = "reconstruction"`.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_iterations: u32,
    /// Which density errors are corrected.
    pub density: DensityConstraint,
    /// Softness ε of the constraint, in units of Σ|∇C|² of the rest lattice: larger is softer.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub softness: f32,
    /// Tensile correction k of a step: two particles at `tensile_distance` are pushed apart as by this density error, however
    /// short the step is. 0 is none.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub tensile_strength: f32,
    /// Distance |Δq| of the tensile correction, in kernel supports.
    #[schemars(range(min = 0.0, max = 0.9))]
    pub tensile_distance: f32,
    /// Power n of the tensile correction.
    #[schemars(range(min = 1, max = 16))]
    pub tensile_power: u8,
    /// What makes the fluid viscous.
    pub viscosity: Viscosity,
    /// Least XSPH coefficient c; with `viscosity = "xsph"` that of a material takes its place where it asks for more.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub xsph: f32,
    /// Vorticity confinement ε, in m/s: the acceleration that it gives is this times the vorticity. 0 is none.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub vorticity_confinement: f32,
    /// Kernel support h, in spacings.
    #[schemars(range(min = 2.0, max = 4.0))]
    pub support: f32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            iterations: 4,
            density_tolerance: None,
            max_iterations: 200,
            density: DensityConstraint::Unilateral,
            softness: 0.01,
            tensile_strength: 0.01,
            tensile_distance: 0.2,
            tensile_power: 4,
            viscosity: Viscosity::Xsph,
            xsph: 0.01,
            vorticity_confinement: 0.0,
            support: 2.2,
        }
    }
}
