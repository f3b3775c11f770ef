//! The rules of meshes in a scene.

use super::{Check, triple};
use crate::mesh::{Made, made};
use crate::scene::Mesh;
use crate::scene::path::{child, number};

impl Check<'_> {
    /// Checks a mesh that must extend by at least `extent`.
    pub(super) fn mesh(&mut self, at: &str, mesh: &Mesh, extent: f64) {
        match (&mesh.path, mesh.made) {
            (None, None) => {
                self.report(at, None, "needs one of path (a file) and made (a mesh that visco makes)");
            }
            (Some(path), Some(_)) => {
                let message = "give path or made, not both";
                self.report(&child(at, "path"), Some(format!("{path:?}")), message);
            }
            _ => {}
        }
        self.text(at, mesh);
        if let (Some(size), Some(scale)) = (mesh.size, mesh.scale) {
            let message = format!("give size (here {}) or scale, not both", number(size));
            self.report_number(&child(at, "scale"), scale, message);
        }
        if let Some(size) = mesh.size.filter(|size| *size < extent * (1.0 - 1e-6)) {
            let message = format!("must be at least one spacing, {}", number(extent));
            self.report_number(&child(at, "size"), size, message);
        }
        let places = [("center", &mesh.center), ("base", &mesh.base), ("translate", &mesh.translate)];
        let mut given = places.iter().filter_map(|(name, place)| Some((name, place.as_ref()?)));
        if let (Some((first, _)), Some((second, place))) = (given.next(), given.next()) {
            let message = format!("give {first} or {second}, not both");
            self.report(&child(at, second), Some(triple(place)), message);
        }
    }

    fn text(&mut self, at: &str, mesh: &Mesh) {
        let field = child(at, "text");
        let spells = mesh.made == Some(Made::Letters);
        match &mesh.text {
            None if spells => self.report(&field, None, "missing; made = \"letters\" needs what they spell"),
            Some(text) if !spells => {
                self.report(&field, Some(format!("{text:?}")), "only for made = \"letters\"");
            }
            Some(text) => {
                let value = Some(format!("{text:?}"));
                if let Some(c) = text.chars().find(|c| !made::is_letter(*c)) {
                    let message = format!("has {c:?}; letters A to Z, digits, spaces and - + ! . are known");
                    self.report(&field, value, message);
                } else if text.trim().is_empty() {
                    self.report(&field, value, "must hold more than spaces");
                }
            }
            None => {}
        }
    }
}
