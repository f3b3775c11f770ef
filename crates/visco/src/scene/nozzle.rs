//! The openings of nozzles in a scene.

use super::path::number;
use super::{Mesh, Triple};
use crate::emitters::{Opening, Outline, section};
use crate::mesh::Assets;
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
    /// Where a plane cuts a closed mesh, such as a scanned nozzle.
    Section(Box<Section>),
}

/// The cut of a plane through a closed mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// The mesh.
    pub mesh: Mesh,
    /// A point of the plane, in m: it becomes the emitter's position.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub point: Triple,
    /// Normal of the plane, which becomes the emitter's direction; need not have length one.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub normal: Triple,
    /// What becomes the emitter's `up`; need not have length one. The second axis of space if not given, or its third
    /// where the normal is along that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub up: Option<Triple>,
}

/// Up, where it is not given, for what points along a unit vector.
pub(crate) fn upright(direction: Vec3) -> Vec3 {
    if direction.cross(Vec3::Y).length() > 1e-3 { Vec3::Y } else { Vec3::Z }
}

impl Section {
    /// The figure around `point`, if the mesh is there, with all vertices.
    fn figure(&self, (model, assets): Meshes) -> Option<Outline> {
        let content = self.mesh.triangles(model, assets)?;
        let is_there = |v: &u32| (*v as usize) < content.positions.len();
        if !content.triangles.iter().flatten().all(is_there) {
            return None;
        }
        let placed = self.mesh.placed(&content.welded());
        let vec3 = |t: Triple| Vec3::from_array(t.map(|c| c as f32));
        let (point, normal) = (vec3(self.point), vec3(self.normal).normalize());
        let up = self.up.map_or(upright(normal), vec3).reject_from_normalized(normal).normalize();
        let curves = section(&placed.positions, &placed.triangles, (point, normal));
        Some(Outline::in_plane(&curves, point, (up.cross(normal), up)))
    }
}

/// Most corners of an outline whose edges are compared in pairs.
const MOST_COMPARED: usize = 3000;

/// Why an outline cannot be a nozzle's, if it cannot.
pub(crate) fn unfit(figure: &Outline, spacing: Option<f64>) -> Option<String> {
    let corners = figure.all_edges().count();
    if corners > MOST_COMPARED {
        return Some(format!("has {corners} corners; at most {MOST_COMPARED} are possible"));
    }
    if let Some((a, b)) = figure.crossing() {
        return Some(format!("edges {a} and {b} cross or touch; an outline must not"));
    }
    let (area, spacing) = (figure.area(), spacing?);
    let least = 0.75 * spacing * spacing;
    (area < least).then(|| {
        let [area, least, spacing] = [area, least, spacing].map(number);
        format!(
            "its area is {area} m²; it must be at least {least}, for a particle of spacing {spacing} to pass"
        )
    })
}

/// The scene's model and the meshes of its files.
pub(crate) type Meshes<'a> = (Option<&'a str>, &'a Assets);

impl Nozzle {
    /// The opening, its second axis along `up`; none where its mesh is not there.
    pub(crate) fn opening(&self, up: Vec3, meshes: Meshes) -> Option<Opening> {
        let figure = match self {
            Self::Disc { radius } => return Some(Opening::Disc { radius: *radius as f32 }),
            Self::Rectangle { width, height } => Outline::rectangle(*width, *height),
            Self::Star { points, outer_radius, inner_radius } => {
                Outline::star(*points, *outer_radius, *inner_radius)
            }
            Self::Polygon { points, holes } => {
                let corners = |list: &Vec<Pair>| list.iter().map(|p| DVec2::from_array(*p)).collect();
                Outline::new(std::iter::once(points).chain(holes).map(corners).collect())
            }
            Self::Section(section) => section.figure(meshes)?,
        };
        Some(Opening::Outline { figure, up })
    }

    /// Area, in m²; none where its mesh is not there.
    pub(crate) fn area(&self, meshes: Meshes) -> Option<f64> {
        match self {
            Self::Disc { radius } => Some(PI * radius * radius),
            _ => Some(self.opening(Vec3::Y, meshes)?.area()),
        }
    }
}
