//! Parameters of a material for the methods that Takahashi et al. 2016 compare with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Springs between the particles of a material, for `method = "springs"`. Between two materials the means count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Springs {
    /// Stiffness k over the mass of a particle, in 1/s². If not given: such that springs on the rest lattice have the
    /// shear modulus of the material.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e12))]
    pub stiffness: Option<f64>,
    /// Part γ of its rest length by which a spring's length may differ from it before it yields.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub yield_ratio: f64,
    /// How fast, α, the rest length follows what is beyond that, in 1/s. If not given: in the relaxation time of the
    /// material.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub plasticity: Option<f64>,
}

impl Default for Springs {
    fn default() -> Self {
        Self { stiffness: None, yield_ratio: 0.1, plasticity: None }
    }
}

/// Clusters of particles that keep their shape, for `method = "shape_matching"`. Between two materials the means count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ShapeMatching {
    /// Part w of shape matching in the velocities. If not given: such that clusters on the rest lattice have the shear
    /// modulus of the material in the scene's steps, and at most 0.9.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub weight: Option<f64>,
    /// Radius within which particles belong to the cluster around each, in spacings.
    #[schemars(range(min = 1.1, max = 4.0))]
    pub cluster_radius: f64,
    /// Strain at which the shape of a cluster yields.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub yield_strain: f64,
    /// How fast the shape of a cluster that yields follows that which it has, in 1/s. If not given: in the relaxation time
    /// of the material.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub plasticity: Option<f64>,
}

impl Default for ShapeMatching {
    fn default() -> Self {
        Self { weight: None, cluster_radius: 2.2, yield_strain: 0.1, plasticity: None }
    }
}
