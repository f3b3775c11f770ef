//! Materials as a scene describes them.

use super::{Connections, MaterialKey, ShapeMatching, Springs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A material, by what a rheometer measures; or by the paper's compliance, for `formulation = "printed"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Name, used by fluids and emitters.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// Start from a preset; the other fields override its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Density at rest, in kg/m³ (1000 if neither given here nor by a preset).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.01, max = 1e6))]
    pub density: Option<f64>,
    /// Zero-shear viscosity of the whole fluid, polymer and solvent, in Pa·s. `inf`: rigid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub viscosity: Option<f64>,
    /// Relaxation time of the polymer, in s; 0 is a Newtonian fluid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub relaxation_time: Option<f64>,
    /// The solvent's part of the viscosity, in Pa·s (0 if neither given here nor by a preset).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e15))]
    pub solvent_viscosity: Option<f64>,
    /// Shear modulus of the polymer, in Pa: instead of `viscosity`, with a `relaxation_time`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e15))]
    pub shear_modulus: Option<f64>,
    /// Surface tension against air, in N/m (0, none, unless given here; a preset does not set it). Steps that are too
    /// long for it are divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub surface_tension: Option<f64>,
    /// How the polymer's stress follows its stretch: `oldroyd_b` (of method `coupled`, unless given) or `linear` (of
    /// method `dcpbd`). Other methods have no choice, and say that they ignore it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// The paper's dimensionless compliance α, for `formulation = "printed"` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e15))]
    pub compliance: Option<f64>,
    /// How its particles are connected, for `method = "velocity_correction"`. If not given: by the paper's values where
    /// there is a relaxation time, not at all where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<Connections>,
    /// The springs between its particles, for `method = "springs"`. If not given: by the defaults where there is a
    /// relaxation time, none where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub springs: Option<Springs>,
    /// How clusters of its particles keep their shape, for `method = "shape_matching"`. If not given: by the defaults where
    /// there is a relaxation time, not at all where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape_matching: Option<ShapeMatching>,
    /// How it looks in pictures: a look of `visco::material::LOOKS`, such as `honey`; its preset's, or a colour of its
    /// own, if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 100))]
    pub look: Option<String>,
    /// What it becomes with time, in the order of the times: melting, setting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100_000))]
    pub keys: Vec<MaterialKey>,
}

impl Material {
    /// A material of which nothing but the name is given.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            preset: None,
            density: None,
            viscosity: None,
            relaxation_time: None,
            solvent_viscosity: None,
            shear_modulus: None,
            surface_tension: None,
            model: None,
            compliance: None,
            connections: None,
            springs: None,
            shape_matching: None,
            look: None,
            keys: vec![],
        }
    }
}

/// How the stress of a polymer follows its stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Linear in the strain of a step: right in shear, too small a normal stress in long steps.
    Linear,
    /// The upper-convected form in full, for `method = "coupled"`: right in shear and normal stress.
    OldroydB,
}

impl Model {
    /// As scenes write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::OldroydB => "oldroyd_b",
        }
    }
}
