//! Motion in a scene: of walls and nozzles.

use super::Triple;
use crate::motion::{self, RigidMotion};
use glam::{DVec3, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a wall or a nozzle moves as a rigid body: through keys, with a steady velocity, or both added up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// Keys, in the order of their times. Before the first the body is where the first says, after the last where the
    /// last says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1_000_000))]
    pub keys: Vec<MotionKey>,
    /// How it moves between keys.
    #[serde(default)]
    pub interpolation: Interpolation,
    /// After the last key it goes on from the first, which must be the same pose.
    #[serde(default)]
    pub repeat: bool,
    /// Steady velocity from time 0, in m/s.
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub velocity: Triple,
    /// Steady angular velocity from time 0, in rad/s: a stirrer.
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub angular_velocity: Triple,
    /// The point that it turns about and that `translate` and `velocity` carry, before it moves; the shape's centre, or
    /// the nozzle's position, if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub about: Option<Triple>,
}

/// Where a body is at a time. What a key does not say is as at the key before, and at the first as the scene places the
/// body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotionKey {
    /// Time, in s.
    #[schemars(range(min = 0.0, max = 1e9))]
    pub time: f64,
    /// How far it is from where the scene places it, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub translate: Option<Triple>,
    /// How it is turned from how the scene places it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<KeyTurn>,
}

/// A turn. Between keys with the same axis the degrees are followed, over any number of turns; between others the
/// shortest way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyTurn {
    /// Axis of the rotation; need not have length one.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub axis: Triple,
    /// Angle, in degrees, counter-clockwise when the axis points at the eye.
    #[schemars(range(min = -1e6, max = 1e6))]
    pub degrees: f64,
}

/// How a body moves between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// Without jumps of the velocity and without overshoot; at rest at both ends.
    #[default]
    Smooth,
    /// At constant velocity from key to key.
    Linear,
}

impl Motion {
    /// The motion of a body whose centre is at `center`.
    pub(crate) fn build(&self, center: Vec3) -> RigidMotion {
        let pivot = self.about.map_or(center.as_dvec3(), DVec3::from_array);
        let steady = RigidMotion::steady(
            pivot,
            DVec3::from_array(self.velocity),
            DVec3::from_array(self.angular_velocity),
        );
        match self.keys.is_empty() {
            true => steady,
            false => {
                steady.with_keys(&self.poses(), self.interpolation == Interpolation::Smooth, self.repeat)
            }
        }
    }

    /// The keys with what they leave out filled in.
    pub(super) fn poses(&self) -> Vec<motion::Key> {
        let (mut shift, mut turn) = (DVec3::ZERO, DVec3::ZERO);
        let fill = |key: &MotionKey| {
            shift = key.translate.map_or(shift, DVec3::from_array);
            turn = key.rotate.as_ref().map_or(turn, KeyTurn::scaled_axis);
            motion::Key { time: key.time, shift, turn }
        };
        self.keys.iter().map(fill).collect()
    }
}

impl KeyTurn {
    /// Unit axis times the angle in rad.
    fn scaled_axis(&self) -> DVec3 {
        DVec3::from_array(self.axis).normalize_or_zero() * self.degrees.to_radians()
    }
}
