//! Meshes in a scene: of a file, or made by visco.

use super::{Nozzle, Scene, Shape, Triple};
use crate::mesh::{Assets, Made, TriangleMesh};
use glam::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A closed triangle mesh: needs `path` or `made`. Neither `size` nor `scale`: as large as it is, in m (those made by
/// visco measure 1 m). Neither `center`, `base` nor `translate`: where it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// A file, OBJ, STL, PLY, glTF or GLB; relative paths begin at the scene's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub path: Option<String>,
    /// A mesh that visco makes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// What `made = "letters"` spells: letters, digits, spaces and - + ! .
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 24))]
    pub text: Option<String>,
    /// Whether the scene's `model`, where one is given, takes the place of this mesh.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub model: bool,
    /// Its largest extent, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub size: Option<f64>,
    /// Factor of all its lengths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub scale: Option<f64>,
    /// Where the centre of its box is, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub center: Option<Triple>,
    /// Where the middle of the underside (lowest y) of its box is, in m: where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub base: Option<Triple>,
    /// By how much it is moved from where it is, after scaling, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub translate: Option<Triple>,
    /// Turns its triangles: for meshes that are inside out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flip: bool,
}

impl Mesh {
    /// The file that the mesh is read from, given the scene's model.
    pub(crate) fn file<'a>(&'a self, model: Option<&'a str>) -> Option<&'a str> {
        model.filter(|_| self.model).or(self.path.as_deref())
    }

    /// Its triangles, as they are in the file or made; none where the file's were not given.
    pub(crate) fn triangles(&self, model: Option<&str>, assets: &Assets) -> Option<Arc<TriangleMesh>> {
        match self.file(model) {
            Some(path) => assets.mesh(path).cloned(),
            None => Some(self.made?.mesh(self.text.as_deref().unwrap_or_default())),
        }
    }

    /// A mesh of this content, as large as the scene wants it and where it wants it.
    pub(crate) fn placed(&self, content: &TriangleMesh) -> TriangleMesh {
        let (low, high) = content.bounds().unwrap_or_default();
        let factor = self.factor(f64::from((high - low).max_element()));
        let scaled = |x: Vec3| (x.as_dvec3() * factor).as_vec3();
        let (low, high) = (scaled(low), scaled(high));
        let middle = 0.5 * (low + high);
        let shift = self.center(middle, 0.5 * (high.y - low.y)) - middle;
        content.clone().mapped(|x| scaled(x) + shift)
    }

    /// Where the scene wants the centre of its box, if that is at `own` and reaches `half_height` up and down.
    pub(crate) fn center(&self, own: Vec3, half_height: f32) -> Vec3 {
        let vec3 = |t: Triple| Vec3::from_array(t.map(|c| c as f32));
        match (self.center, self.base, self.translate) {
            (Some(center), ..) => vec3(center),
            (_, Some(base), _) => vec3(base) + Vec3::Y * half_height,
            (.., Some(by)) => own + vec3(by),
            _ => own,
        }
    }

    /// The factor of lengths for a mesh with this largest extent.
    pub(crate) fn factor(&self, extent: f64) -> f64 {
        match self.size {
            Some(size) if extent > 0.0 => size / extent,
            _ => self.scale.unwrap_or(1.0),
        }
    }
}

/// A mesh file that a scene names.
#[derive(Debug)]
pub struct MeshFile<'a> {
    /// The field that names it.
    pub field: String,
    /// Its path, as the scene gives it.
    pub path: &'a mut String,
}

impl Scene {
    /// The mesh files that the scene needs. Whoever reads them may change the paths, for example from the scene's folder
    /// to any folder, and hands the meshes over as [`Assets`] under the changed paths.
    pub fn mesh_files(&mut self) -> Vec<MeshFile<'_>> {
        let has_model = self.model.is_some();
        let sections = self.emitter.iter_mut().enumerate().filter_map(|(i, e)| match &mut e.nozzle {
            Nozzle::Section(section) => {
                Some((format!("emitter[{i}].nozzle.section.mesh.path"), &mut section.mesh))
            }
            _ => None,
        });
        let all = meshes("fluid", self.fluid.iter_mut().map(|f| &mut f.shape))
            .chain(meshes("boundary", self.boundary.iter_mut().map(|b| &mut b.shape)))
            .chain(meshes("grip", self.grip.iter_mut().map(|g| &mut g.shape)))
            .chain(meshes("body", self.body.iter_mut().map(|b| &mut b.shape)))
            .chain(sections);
        let mut files = Vec::new();
        let mut model_used = false;
        for (field, mesh) in all {
            if mesh.model && has_model {
                model_used = true;
            } else if let Some(path) = &mut mesh.path {
                files.push(MeshFile { field, path });
            }
        }
        if let Some(path) = self.model.as_mut().filter(|_| model_used) {
            files.push(MeshFile { field: "model".into(), path });
        }
        files
    }
}

/// The meshes among shapes, with the fields of their paths.
fn meshes<'a>(
    key: &str,
    shapes: impl Iterator<Item = &'a mut Shape>,
) -> impl Iterator<Item = (String, &'a mut Mesh)> {
    shapes.enumerate().filter_map(move |(i, shape)| match shape {
        Shape::Mesh(mesh) => Some((format!("{key}[{i}].shape.mesh.path"), mesh)),
        _ => None,
    })
}
