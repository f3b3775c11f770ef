//! Wavefront OBJ.

use super::Parsed;
use tobj::LoadOptions;
use visco::glam::Vec3;
use visco::mesh::TriangleMesh;

pub(super) fn parse(bytes: &[u8]) -> Parsed<TriangleMesh> {
    let options =
        LoadOptions { triangulate: true, single_index: true, ignore_points: true, ignore_lines: true };
    // Materials are not looked at, wherever they are.
    let no_materials = |_: &std::path::Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut &*bytes, &options, no_materials)
        .map_err(|e| format!("not a readable OBJ file: {e}"))?;
    let mut mesh = TriangleMesh::default();
    for model in models {
        let part = TriangleMesh {
            positions: model.mesh.positions.chunks_exact(3).map(Vec3::from_slice).collect(),
            triangles: model.mesh.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
        };
        mesh.append(&part);
    }
    Ok(mesh)
}
