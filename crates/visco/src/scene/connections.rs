//! How the particles of a material are connected, for `method = "velocity_correction"`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The six parameters of Takahashi et al. 2016. Between two materials their means count; walls and bodies take those of
/// the fluid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Connections {
    /// Velocity correction coefficient c at the start: the part of a connection's extension that a step takes back. The
    /// larger, the stiffer; how stiff depends on the time step, as c/Δt².
    #[schemars(range(min = 0.0, max = 0.2))]
    pub correction: f32,
    /// Lower limit l of the coefficient; at most `correction`.
    #[schemars(range(min = 0.0, max = 0.2))]
    pub least_correction: f32,
    /// How fast, w, the coefficient falls for each connection that yields, in 1/s.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub weakening: f32,
    /// Extension γ at which a connection yields, in kernel supports.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub yield_extension: f32,
    /// Distance α below which particles are connected, in kernel supports.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub merge_distance: f32,
    /// Distance β above which they part, in kernel supports; at least `merge_distance`.
    #[schemars(range(min = 0.01, max = 1e6))]
    pub split_distance: f32,
    /// Whether walls without slip and bodies are connected with it. If not, it only feels their pressure and viscosity.
    pub solids: bool,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            correction: 0.001,
            least_correction: 0.0001,
            weakening: 0.001,
            yield_extension: 1.01,
            merge_distance: 1.0,
            split_distance: 2.0,
            solids: true,
        }
    }
}
