//! Surfaces as PLY: the elements `vertex` (x y z, nx ny nz, vx vy vz, material, then scalars) and `face`. Time and number
//! of the frame are in comment lines.

use super::{Scalar, Surface};
use crate::mesh::fan;
use crate::ply::elements::{Element, Numbers, header};
use glam::Vec3;
use std::io::{self, Write};

/// Properties of three floats each, in the order of the file.
const VECTORS: [[&str; 3]; 3] = [["x", "y", "z"], ["nx", "ny", "nz"], ["vx", "vy", "vz"]];
const MATERIAL: &str = "material";

/// Writes a surface as binary little-endian PLY.
pub(super) fn write_to(w: &mut impl Write, surface: &Surface) -> io::Result<()> {
    writeln!(w, "ply\nformat binary_little_endian 1.0")?;
    writeln!(w, "comment surface of visco, SI units")?;
    writeln!(w, "comment time {}", surface.time)?;
    writeln!(w, "comment frame {}", surface.number)?;
    writeln!(w, "element vertex {}", surface.positions.len())?;
    for name in VECTORS.iter().flatten() {
        writeln!(w, "property float {name}")?;
    }
    writeln!(w, "property uchar {MATERIAL}")?;
    for scalar in &surface.scalars {
        writeln!(w, "property float {}", scalar.name)?;
    }
    writeln!(w, "element face {}", surface.triangles.len())?;
    writeln!(w, "property list uchar uint vertex_indices\nend_header")?;
    let mut row = Vec::with_capacity(64);
    for i in 0..surface.positions.len() {
        row.clear();
        for vector in [surface.positions[i], surface.normals[i], surface.velocities[i]] {
            row.extend(vector.to_array().into_iter().flat_map(f32::to_le_bytes));
        }
        row.push(surface.materials[i]);
        row.extend(surface.scalars.iter().flat_map(|s| s.values[i].to_le_bytes()));
        w.write_all(&row)?;
    }
    for corners in &surface.triangles {
        row.clear();
        row.push(3);
        row.extend(corners.iter().flat_map(|i| i.to_le_bytes()));
        w.write_all(&row)?;
    }
    Ok(())
}

/// Reads a surface of any program.
pub(super) fn parse(bytes: &[u8]) -> Result<Surface, String> {
    let (elements, mut numbers) = header(bytes)?;
    let mut surface = Surface {
        number: comment(bytes, "frame").and_then(|word| word.parse().ok()).unwrap_or(0),
        time: comment(bytes, "time").and_then(|word| word.parse().ok()).unwrap_or(0.0),
        ..Surface::default()
    };
    let mut has_normals = false;
    for element in &elements {
        let cut = |row| format!("ends in {} {row} of {}: it was cut off", element.name, element.count);
        if element.name == "vertex" {
            let columns = vertices(element, &mut numbers).map_err(cut)?;
            has_normals = take(&mut surface, columns)?;
        } else {
            faces(element, &mut numbers, &mut surface.triangles).map_err(cut)?;
        }
    }
    let corners = surface.positions.len();
    if let Some(corner) = surface.triangles.iter().flatten().find(|&&i| i as usize >= corners) {
        return Err(format!("has a triangle with corner {corner} of {corners}"));
    }
    if !has_normals {
        surface.normals = Surface::area_normals(&surface.positions, &surface.triangles);
    }
    Ok(surface)
}

/// What follows a word in a comment line of the header.
fn comment<'a>(bytes: &'a [u8], word: &str) -> Option<&'a str> {
    let lines = bytes.split(|b| *b == b'\n').map(|line| line.trim_ascii());
    lines.take_while(|line| line != b"end_header").find_map(|line| {
        let words = str::from_utf8(line).ok()?.strip_prefix("comment")?;
        words.trim_start().strip_prefix(word)?.strip_prefix(' ')
    })
}

/// Numbers of the corners, by the names of their properties; the row that is not whole, if there is one.
fn vertices<'a>(element: &'a Element, numbers: &mut Numbers) -> Result<Vec<(&'a str, Vec<f32>)>, usize> {
    let names = element.properties.iter().filter(|p| p.list.is_none());
    let mut columns: Vec<(&str, Vec<f32>)> = names.map(|p| (p.name.as_str(), Vec::new())).collect();
    for row in 0..element.count {
        let mut column = columns.iter_mut();
        for property in &element.properties {
            match property.list {
                None => {
                    let value = numbers.next(property.kind).ok_or(row)? as f32;
                    column.next().ok_or(row)?.1.push(value);
                }
                Some(length) => {
                    for _ in 0..numbers.next(length).ok_or(row)? as usize {
                        numbers.next(property.kind).ok_or(row)?;
                    }
                }
            }
        }
    }
    Ok(columns)
}

/// Makes the corners of a surface of their numbers; whether there were normals.
fn take(surface: &mut Surface, mut columns: Vec<(&str, Vec<f32>)>) -> Result<bool, String> {
    let mut vectors = VECTORS.map(|names| {
        let parts = names.map(|name| columns.iter().position(|(found, _)| *found == name));
        let [Some(x), Some(y), Some(z)] = parts else {
            return None;
        };
        let of = |at: usize| columns[at].1.iter().copied();
        Some(of(x).zip(of(y)).zip(of(z)).map(|((x, y), z)| Vec3::new(x, y, z)).collect::<Vec<_>>())
    });
    let [positions, normals, velocities] = &mut vectors;
    surface.positions = positions.take().ok_or("has no positions x, y and z")?;
    let count = surface.positions.len();
    surface.velocities = velocities.take().unwrap_or_else(|| vec![Vec3::ZERO; count]);
    let material = columns.iter().find(|(name, _)| *name == MATERIAL);
    surface.materials = match material {
        Some((_, values)) => values.iter().map(|m| *m as u8).collect(),
        None => vec![0; count],
    };
    columns.retain(|(name, _)| *name != MATERIAL && !VECTORS.iter().flatten().any(|known| known == name));
    surface.scalars =
        columns.into_iter().map(|(name, values)| Scalar { name: name.to_owned(), values }).collect();
    let found = normals.is_some();
    surface.normals = normals.take().unwrap_or_default();
    Ok(found)
}

/// Reads faces, or past anything else; the row that is not whole, if there is one.
fn faces(element: &Element, numbers: &mut Numbers, triangles: &mut Vec<[u32; 3]>) -> Result<(), usize> {
    let mut corners = Vec::new();
    for row in 0..element.count {
        for property in &element.properties {
            let is_face = element.name == "face"
                && property.list.is_some()
                && ["vertex_indices", "vertex_index"].contains(&property.name.as_str());
            let count = match property.list {
                None => 1,
                Some(length) => numbers.next(length).ok_or(row)? as usize,
            };
            corners.clear();
            for _ in 0..count {
                corners.push(numbers.next(property.kind).ok_or(row)? as u32);
            }
            if is_face {
                fan(&corners, triangles);
            }
        }
    }
    Ok(())
}
