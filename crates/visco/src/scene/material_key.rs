//! Materials that change with time.

use super::Material;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a material is at a time. What a key does not say is as at the key before; the material's own values are those
/// at time 0. Between keys values that are above 0 change by equal factors in equal times, others by equal amounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialKey {
    /// Time, in s.
    #[schemars(range(min = 0.0, max = 1e9))]
    pub time: f64,
    /// Zero-shear viscosity of the whole fluid, in Pa·s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e15))]
    pub viscosity: Option<f64>,
    /// Relaxation time of the polymer, in s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub relaxation_time: Option<f64>,
    /// The solvent's part of the viscosity, in Pa·s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e15))]
    pub solvent_viscosity: Option<f64>,
    /// Shear modulus of the polymer, in Pa, where the material has one in place of a viscosity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e15))]
    pub shear_modulus: Option<f64>,
    /// Surface tension against air, in N/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub surface_tension: Option<f64>,
    /// The paper's compliance α, for `formulation = "printed"` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e15))]
    pub compliance: Option<f64>,
}

impl Material {
    /// The material at time 0 and at each of its keys, with the keys' values in place of its own.
    pub(crate) fn stages(&self) -> Vec<(f64, Self)> {
        let mut stage = Self { keys: vec![], ..self.clone() };
        let mut stages = vec![(0.0, stage.clone())];
        for key in &self.keys {
            stage.viscosity = key.viscosity.or(stage.viscosity);
            stage.relaxation_time = key.relaxation_time.or(stage.relaxation_time);
            stage.solvent_viscosity = key.solvent_viscosity.or(stage.solvent_viscosity);
            stage.shear_modulus = key.shear_modulus.or(stage.shear_modulus);
            stage.surface_tension = key.surface_tension.or(stage.surface_tension);
            stage.compliance = key.compliance.or(stage.compliance);
            stages.push((key.time, stage.clone()));
        }
        stages
    }
}
