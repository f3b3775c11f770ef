//! Facts about a mesh file.

use super::Facts;
use crate::text;
use serde_json::json;
use std::path::Path;
use visco::mesh::{Solid, TriangleMesh};

/// Size, extent and volume of a mesh, and whether it can be a shape.
pub(super) fn facts(path: &Path, mesh: &TriangleMesh) -> Facts {
    let (low, high) = mesh.bounds().unwrap_or_default();
    let extent = (high - low).to_array();
    let checked = Solid::new(mesh);
    let state = match &checked {
        Ok(solid) => format!("closed, {} m³ inside", text::short(solid.volume())),
        Err(error) => error.to_string(),
    };
    let triple = |v: [f32; 3]| v.map(|c| text::short(f64::from(c))).join(" × ");
    let corner = |v: [f32; 3]| format!("[{}]", v.map(|c| text::short(f64::from(c))).join(", "));
    let lines = vec![
        ("file", path.display().to_string()),
        ("triangles", text::count(mesh.triangles.len() as u64)),
        ("vertices", text::count(mesh.positions.len() as u64)),
        ("box", format!("{} to {} m", corner(low.to_array()), corner(high.to_array()))),
        ("size", format!("{} m", triple(extent))),
        ("mesh", state),
    ];
    let json = json!({
        "kind": "mesh",
        "file": path.to_string_lossy(),
        "triangles": mesh.triangles.len(),
        "vertices": mesh.positions.len(),
        "min": low.to_array(),
        "max": high.to_array(),
        "closed": checked.is_ok(),
        "volume": checked.as_ref().ok().map(Solid::volume),
        "problem": checked.err().map(|error| error.to_string()),
    });
    Facts::new(lines, json)
}
