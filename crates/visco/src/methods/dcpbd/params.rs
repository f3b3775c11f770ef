//! What a user can set of the method, under `[solver]` in a scene.

use super::corrections::Correction;
use crate::flow::{DensityConstraint, Preconditioner};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of DC-PBD. The defaults are the corrected form with conjugate gradients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "DcpbdSolver")]
pub struct Params {
    /// The equations: corrected, or as the paper prints them.
    pub formulation: Formulation,
    /// Corrections that `formulation = "printed"` takes all the same.
    pub corrections: Vec<Correction>,
    /// Length, in m, that `formulation = "printed"` counts in. The effect of its compliance depends on it, as α d²/Δt²
    /// with the spacing d in this unit; nothing else does.
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub length_unit: f64,
    /// The step: velocities and positions projected (Algorithm 2), or positions alone (Algorithm 1).
    pub integrator: Integrator,
    /// How the velocity projection is solved.
    pub velocity_solver: VelocitySolver,
    /// Preconditioner of the conjugate gradients on velocities.
    pub preconditioner: Preconditioner,
    /// Relative residual at which the velocity projection stops.
    #[schemars(range(min = 1e-12, max = 1.0))]
    pub tolerance: f32,
    /// Most iterations of the velocity projection in a step, over all contact passes.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_velocity_iterations: u32,
    /// Iterations of the position projection in a step.
    #[schemars(range(min = 0, max = 100_000))]
    pub position_iterations: u32,
    /// Jacobi relaxation β of eq. 12 and 18; the paper's 5 if not given, but down to 3.5 in the corrected
    /// form where a material is stiff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.01, max = 10.0))]
    pub relaxation: Option<f32>,
    /// Kernel support h, in spacings.
    #[schemars(range(min = 2.0, max = 4.0))]
    pub support: f32,
    /// How the conformation constraint weighs changes of volume: `isochoric`, or the paper's `full` and `shear`.
    pub strain: Strain,
    /// Whether positions are compared after removing the best-fit rotation (eq. 14–16).
    pub corotational: bool,
    /// Density constraint: push apart only, or also pull together.
    pub density: DensityConstraint,
    /// Passes of the contact active set in the velocity projection by conjugate gradients.
    #[schemars(range(min = 1, max = 20))]
    pub contact_passes: u32,
    /// Estimate of the Jacobi iteration's spectral radius, for `velocity_solver = "chebyshev"`.
    #[schemars(range(min = 0.5, max = 0.99999))]
    pub chebyshev_radius: f32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            formulation: Formulation::Corrected,
            corrections: vec![],
            length_unit: 1.0,
            integrator: Integrator::Dcpbd,
            velocity_solver: VelocitySolver::Cg,
            preconditioner: Preconditioner::Block,
            tolerance: 1e-3,
            max_velocity_iterations: 60,
            position_iterations: 4,
            relaxation: None,
            support: 2.2,
            strain: Strain::Isochoric,
            corotational: true,
            density: DensityConstraint::Unilateral,
            contact_passes: 3,
            chebyshev_radius: 0.99,
        }
    }
}

/// The paper's β.
const PAPERS: f32 = 5.0;
/// β for a material without compliance. On a lattice with a kernel of 2.2 spacings, iterations on positions grow at 4.5,
/// where a stiff cube in free fall shakes itself apart, and do not at 4.
const STIFF: f32 = 3.5;

impl Params {
    /// β, where a row has this compliance over its diagonal: the more, the less neighbours matter.
    pub(crate) fn jacobi_relaxation(&self, compliance: f32) -> f32 {
        self.relaxation.unwrap_or(match self.formulation {
            Formulation::Corrected => PAPERS.min(STIFF * (1.0 + compliance)),
            Formulation::Printed => PAPERS,
        })
    }
}

/// Which equations are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Formulation {
    /// With the corrections listed in EQUATIONS.md; parameters in real units.
    #[default]
    Corrected,
    /// As printed in the paper; parameters `compliance` and `relaxation_time`.
    Printed,
}

/// The order of projections in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// Algorithm 2: velocities, then positions.
    #[default]
    Dcpbd,
    /// Algorithm 1: positions alone.
    Pbd,
}

/// The linear solver of the velocity projection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VelocitySolver {
    /// Preconditioned conjugate gradients.
    #[default]
    Cg,
    /// Jacobi with Chebyshev acceleration.
    Chebyshev,
    /// Relaxed Jacobi, as in the paper.
    Jacobi,
}

/// How the conformation constraint weighs changes of volume against shear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strain {
    /// Bulk viscosity of ten times the shear viscosity: a fluid that is pulled gets thinner.
    #[default]
    Isochoric,
    /// The whole strain rate, as the paper has it: a fluid that is pulled keeps its width and gains volume.
    Full,
    /// The strain rate without its volume part (section 6 of the paper).
    Shear,
}
