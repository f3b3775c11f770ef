//! Shapes, and how they are turned.

use super::{Mesh, Triple};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A geometric shape. Lengths in m.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// A half-space; its solid part lies behind the plane. For boundaries only.
    Plane {
        /// A point on the plane.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        point: Triple,
        /// Normal that points towards the fluid; need not have length one.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        normal: Triple,
    },
    /// A box along the axes.
    Box {
        /// Corner with the smallest coordinates.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        min: Triple,
        /// Corner with the largest coordinates.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        max: Triple,
    },
    /// A ball.
    Sphere {
        /// Centre.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        center: Triple,
        /// Radius.
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
    /// A round cylinder with flat ends.
    Cylinder {
        /// Centre of one end.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        start: Triple,
        /// Centre of the other end.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        end: Triple,
        /// Radius.
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
    /// A round cone with flat ends; a radius of 0 is a tip.
    Cone {
        /// Centre of one end.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        start: Triple,
        /// Centre of the other end.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        end: Triple,
        /// Radius at the start.
        #[schemars(range(min = 0.0, max = 1e6))]
        start_radius: f64,
        /// Radius at the end.
        #[schemars(range(min = 0.0, max = 1e6))]
        end_radius: f64,
    },
    /// A cylinder with round ends.
    Capsule {
        /// Middle of one round end.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        start: Triple,
        /// Middle of the other.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        end: Triple,
        /// Radius.
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
    /// What a closed triangle mesh bounds.
    Mesh(Mesh),
}

/// A rotation about an axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Axis of the rotation; need not have length one.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub axis: Triple,
    /// Angle, in degrees, counter-clockwise when the axis points at the eye.
    #[schemars(range(min = -360.0, max = 360.0))]
    pub degrees: f64,
    /// Point that stays where it is; the shape's centre if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub about: Option<Triple>,
}
