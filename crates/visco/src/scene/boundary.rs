//! Walls as a scene describes them.

use super::{Motion, Shape, Triple, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A wall or an obstacle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Boundary {
    /// Its surface.
    pub shape: Shape,
    /// Turns the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Turn>,
    /// On which side of the surface the fluid is: `outside` an obstacle, `inside` a container.
    #[serde(default)]
    pub side: Side,
    /// `"slip"`, `"no_slip"` or a Coulomb coefficient. With no slip the method `coupled` takes the wall as wetted: it
    /// also holds what is pulled from it; the others let it go.
    #[serde(default)]
    pub friction: Friction,
    /// Velocity of a plane along itself, in m/s: a plate that drags the fluid.
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub velocity: Triple,
    /// Frequency f of a plate that oscillates, in Hz: its velocity is `velocity` · cos(2π f t).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub frequency: Option<f64>,
    /// Intervals of time in which the plate moves, in s, in order; always if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(inner(range(min = 0.0))))]
    pub active: Option<Vec<[f64; 2]>>,
    /// Moves the whole wall through space, whatever its shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// How it looks in pictures: a look as materials have, of which the colour counts; a quiet colour if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look: Option<String>,
}

/// On which side of a boundary's surface the fluid is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The shape is an obstacle.
    #[default]
    Outside,
    /// The shape is a container.
    Inside,
}

/// How a wall holds the fluid back along its surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Friction {
    /// By name.
    Named(NamedFriction),
    /// A Coulomb coefficient.
    Coulomb(#[schemars(range(min = 0.0, max = 100.0))] f64),
}

/// The two ends of friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NamedFriction {
    /// The wall does not hold the fluid back.
    Slip,
    /// The fluid at the wall moves with it.
    NoSlip,
}

impl Default for Friction {
    fn default() -> Self {
        Self::Named(NamedFriction::NoSlip)
    }
}
