//! Triangle meshes from files: OBJ, STL, PLY, glTF and GLB.
//!
//! Only triangles are read: no colours, no textures, no animation. Polygons are cut into triangles from their first
//! corner. Whether a mesh is closed is for [`visco::mesh::Solid`] to check.

mod gltf;
mod obj;
mod ply;
mod stl;
#[cfg(test)]
mod tests;

use crate::{Error, Result};
use std::fs;
use std::path::Path;
use visco::mesh::TriangleMesh;

/// Extensions of the files that can be read.
pub const EXTENSIONS: [&str; 5] = ["obj", "stl", "ply", "gltf", "glb"];

/// What is wrong with the content of a mesh file.
#[derive(Debug, thiserror::Error)]
pub enum MeshFileError {
    /// The name does not end as those of mesh files do.
    #[error("not a mesh file by its name: .obj, .stl, .ply, .gltf and .glb are read")]
    Extension,
    /// The content is damaged, or of a kind that is not read.
    #[error("{0}")]
    Content(String),
    /// The file has no triangles.
    #[error("holds no triangles")]
    Empty,
}

/// Result of a reader: what is wrong, in words.
type Parsed<T> = std::result::Result<T, String>;

/// Reads the triangles of a file; the name's extension says of which kind it is.
pub fn read(path: &Path) -> Result<TriangleMesh> {
    let wrong = |source| Error::Mesh { path: path.to_owned(), source };
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let Some(extension) = extension.filter(|e| EXTENSIONS.contains(&e.as_str())) else {
        return Err(wrong(MeshFileError::Extension));
    };
    let bytes = fs::read(path).map_err(Error::file("read", path))?;
    let mesh = match extension.as_str() {
        "obj" => obj::parse(&bytes),
        "stl" => stl::parse(&bytes),
        "ply" => ply::parse(&bytes),
        _ => gltf::parse(&bytes, path.parent().unwrap_or(Path::new(""))),
    };
    match mesh {
        Ok(mesh) if mesh.triangles.is_empty() => Err(wrong(MeshFileError::Empty)),
        Ok(mesh) => Ok(mesh),
        Err(message) => Err(wrong(MeshFileError::Content(message))),
    }
}

/// Cuts a polygon into triangles from its first corner.
pub(crate) fn fan(corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    triangles.extend(corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]));
}

/// The bytes from `at` on that a value of `N` bytes takes.
fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}
