//! PLY meshes: the elements `vertex` and `face`, as text or binary in either order of bytes. Frames of particles are
//! read by [`crate::ply`].

use super::{Parsed, fan};
use crate::ply::elements::{Element, Numbers, header};
use visco::glam::Vec3;
use visco::mesh::TriangleMesh;

pub(super) fn parse(bytes: &[u8]) -> Parsed<TriangleMesh> {
    let (elements, mut numbers) = header(bytes)?;
    let mut mesh = TriangleMesh::default();
    for element in &elements {
        for row in 0..element.count {
            read_row(element, &mut numbers, &mut mesh)
                .ok_or_else(|| format!("{} {row} of {} cannot be read", element.name, element.count))?;
        }
    }
    Ok(mesh)
}

/// Reads one row; `None` where the file ends, or has no number.
fn read_row(element: &Element, numbers: &mut Numbers, mesh: &mut TriangleMesh) -> Option<()> {
    let mut position = [f32::NAN; 3];
    for property in &element.properties {
        let Some(length) = property.list else {
            let value = numbers.next(property.kind)?;
            if let Some(axis) = ["x", "y", "z"].iter().position(|name| *name == property.name) {
                position[axis] = value as f32;
            }
            continue;
        };
        let count = numbers.next(length)? as usize;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(numbers.next(property.kind)? as u32);
        }
        if element.name == "face" && ["vertex_indices", "vertex_index"].contains(&property.name.as_str()) {
            fan(&list, &mut mesh.triangles);
        }
    }
    if element.name == "vertex" {
        mesh.positions.push(Vec3::from_array(position));
    }
    Some(())
}
