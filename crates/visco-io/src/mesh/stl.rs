//! STL, binary and as text.
//!
//! Binary files may begin with `solid` too, as text files do; their length tells them apart.

use super::{Parsed, bytes_at};
use visco::glam::Vec3;
use visco::mesh::TriangleMesh;

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn parse(bytes: &[u8]) -> Parsed<TriangleMesh> {
    let count = bytes_at(bytes, 80).map(|b| u32::from_le_bytes(b) as usize);
    let full = count.and_then(|n| n.checked_mul(TRIANGLE)?.checked_add(HEADER));
    match (count, full) {
        (Some(count), Some(full)) if full == bytes.len() => Ok(binary(&bytes[HEADER..], count)),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => text(bytes),
        (Some(count), Some(full)) if bytes.len() < full => {
            let found = (bytes.len() - HEADER) / TRIANGLE;
            Err(format!("ends after {found} of {count} triangles: it was cut off, or is no STL file"))
        }
        (Some(count), Some(_)) => Ok(binary(&bytes[HEADER..], count)),
        _ => Err("too short for an STL file".into()),
    }
}

fn binary(bytes: &[u8], count: usize) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for triangle in bytes.chunks_exact(TRIANGLE).take(count) {
        // The normal comes first; the corners tell it anyway.
        let corner = |k: usize| {
            let number =
                |c: usize| f32::from_le_bytes(bytes_at(triangle, 12 * k + 4 * c).unwrap_or_default());
            Vec3::new(number(0), number(1), number(2))
        };
        push(&mut mesh, [corner(1), corner(2), corner(3)]);
    }
    mesh
}

fn text(bytes: &[u8]) -> Parsed<TriangleMesh> {
    let text = str::from_utf8(bytes).map_err(|_| "neither a binary STL file nor text".to_owned())?;
    let mut mesh = TriangleMesh::default();
    let mut corners = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("vertex") => {
                let numbers: Vec<f32> = words.map_while(|w| w.parse().ok()).collect();
                let &[x, y, z] = &numbers[..] else {
                    return Err(format!("line {}: expected vertex and three numbers", number + 1));
                };
                corners.push(Vec3::new(x, y, z));
            }
            Some("endfacet") => {
                let &[a, b, c] = &corners[..] else {
                    return Err(format!("line {}: a facet with {} vertices", number + 1, corners.len()));
                };
                push(&mut mesh, [a, b, c]);
                corners.clear();
            }
            _ => {}
        }
    }
    match corners.is_empty() {
        true => Ok(mesh),
        false => Err("ends inside a facet: it was cut off".into()),
    }
}

fn push(mesh: &mut TriangleMesh, corners: [Vec3; 3]) {
    let first = mesh.positions.len() as u32;
    mesh.positions.extend(corners);
    mesh.triangles.push([first, first + 1, first + 2]);
}
