//! The meshes that a scene names, read by whoever can read files.

use super::TriangleMesh;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Meshes by the path that a scene names them by.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    meshes: BTreeMap<String, Arc<TriangleMesh>>,
}

impl Assets {
    /// No meshes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a mesh under the path that the scene names it by.
    pub fn insert(&mut self, path: impl Into<String>, mesh: TriangleMesh) {
        self.meshes.insert(path.into(), Arc::new(mesh));
    }

    /// The mesh of a path.
    pub fn mesh(&self, path: &str) -> Option<&Arc<TriangleMesh>> {
        self.meshes.get(path)
    }
}
