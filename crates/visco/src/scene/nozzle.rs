//! The openings of nozzles in a scene.

use crate::emitters::{Opening, Outline};
use glam::{DVec2, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A point of a flat figure, in m.
pub type Pair = [f64; 2];

/// Shape of a nozzle's opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Nozzle {
    /// A round opening.
    Disc {
        /// Radius, in m.
        #[schemars(range(min = 1e-6, max = 1e4))]
        radius: f64,
    },
    /// A slit.
    Rectangle {
        /// Width across `up`, in m.
        #[schemars(range(min = 1e-6, max = 1e4))]
        width: f64,
        /// Height along `up`, in m.
        #[schemars(range(min = 1e-6, max = 1e4))]
        height: f64,
    },
    /// A star, one point of which is up.
    Star {
        /// Number of points.
        #[schemars(range(min = 2, max = 1000))]
        points: u32,
        /// Radius of the points, in m.
        #[schemars(range(min = 1e-6, max = 1e4))]
        outer_radius: f64,
        /// Radius of the corners between them, in m.
        #[schemars(range(min = 1e-7, max = 1e4))]
        inner_radius: f64,
    },
    /// A polygon around the emitter's position: the second coordinate points up.
    Polygon {
        /// Corners in their order, in m; edges must not cross.
        #[schemars(length(min = 3, max = 10_000), inner(inner(range(min = -1e4, max = 1e4))))]
        points: Vec<Pair>,
        /// Holes: polygons within.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(length(max = 1000), inner(length(min = 3, max = 10_000)))]
        #[schemars(inner(inner(inner(range(min = -1e4, max = 1e4)))))]
        holes: Vec<Vec<Pair>>,
    },
}

impl Nozzle {
    /// The opening, its second axis along `up`.
    pub(crate) fn opening(&self, up: Vec3) -> Opening {
        let figure = match self {
            Self::Disc { radius } => return Opening::Disc { radius: *radius as f32 },
            Self::Rectangle { width, height } => Outline::rectangle(*width, *height),
            Self::Star { points, outer_radius, inner_radius } => {
                Outline::star(*points, *outer_radius, *inner_radius)
            }
            Self::Polygon { points, holes } => {
                let corners = |list: &Vec<Pair>| list.iter().map(|p| DVec2::from_array(*p)).collect();
                Outline::new(std::iter::once(points).chain(holes).map(corners).collect())
            }
        };
        Opening::Outline { figure, up }
    }

    /// Area, in m².
    pub(crate) fn area(&self) -> f64 {
        match self {
            Self::Disc { radius } => PI * radius * radius,
            _ => self.opening(Vec3::Y).area(),
        }
    }
}
