//! Grips in a scene.

use super::{Shape, Triple, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Holds the particles that are inside a shape at the start, and moves them whatever the fluid does: the clamps of a
/// bar that is pulled, the ceiling that a bar hangs from, the plate of a spinnability test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grip {
    /// Where it holds particles at the start: a box, a sphere or a cylinder.
    pub shape: Shape,
    /// Turns the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Turn>,
    /// Velocity of the particles, in m/s.
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub velocity: Triple,
    /// `"all"` of a particle's motion, or only the motion `"along"` the axis.
    #[serde(default)]
    pub hold: HoldKind,
    /// Direction for `hold = "along"` and for `stretch`, that of the velocity if not given; need not have length one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub axis: Option<Triple>,
    /// Adds extension along the axis to the velocity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch: Option<Stretch>,
    /// When the particles become free, in s; never if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub release: Option<f64>,
}

/// What of the particles' motion a grip holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HoldKind {
    /// All of it.
    #[default]
    All,
    /// The component along the axis; across it the fluid's equations move the particles.
    Along,
}

/// Extension at a constant rate: particles move away from a point at rate times their distance from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Rate, in 1/s; negative to press together.
    #[schemars(range(min = -1e6, max = 1e6))]
    pub rate: f64,
    /// The point that stays where it is, in m.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub about: Triple,
}
