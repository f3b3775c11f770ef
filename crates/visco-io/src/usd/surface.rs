//! Surfaces: a `Mesh` at `/surface`, whose triangles change from frame to frame, as its corners do.

use super::corners;
use super::layer::{Layer, Rep};
use super::prim::{Declared, Played, Prim};
use crate::layout::{SURFACE_STAGE, surface_name};
use crate::surfaces::{Surface, SurfaceFormat};
use std::io::{self, Write};

const SURFACE: Prim = Prim { name: "surface", kind: "Mesh", uniforms: &[("subdivisionScheme", "none")] };

fn of_mesh(name: &'static str, kind: &'static str) -> Declared {
    Declared { name: name.into(), kind, interpolation: None }
}

fn of_corners(name: &str, kind: &'static str) -> Declared {
    Declared { name: name.to_owned().into(), kind, interpolation: Some("vertex") }
}

/// The attributes of surfaces with some scalars.
fn declared<'a>(scalars: impl Iterator<Item = &'a str>) -> impl Iterator<Item = Declared> {
    [
        of_mesh("points", "point3f[]"),
        of_corners("normals", "normal3f[]"),
        of_mesh("velocities", "vector3f[]"),
        of_mesh("faceVertexCounts", "int[]"),
        of_mesh("faceVertexIndices", "int[]"),
        of_mesh("extent", "float3[]"),
        of_corners("primvars:material", "int[]"),
    ]
    .into_iter()
    .chain(scalars.map(|name| of_corners(&format!("primvars:{name}"), "float[]")))
}

/// Writes a surface as a binary layer.
pub(crate) fn write_to(w: &mut impl Write, surface: &Surface) -> io::Result<()> {
    let mut layer = Layer::new();
    let corners_of_triangles: Vec<i32> = surface.triangles.iter().flatten().map(|i| *i as i32).collect();
    let materials: Vec<i32> = surface.materials.iter().map(|m| i32::from(*m)).collect();
    let mut values: Vec<Rep> = vec![
        layer.vectors(&surface.positions),
        layer.vectors(&surface.normals),
        layer.vectors(&surface.velocities),
        layer.ints(&vec![3; surface.triangles.len()]),
        layer.ints(&corners_of_triangles),
        layer.vectors(&corners(&surface.positions, 0.0)),
        layer.ints(&materials),
    ];
    values.extend(surface.scalars.iter().map(|s| layer.floats(&s.values)));
    let attributes: Vec<(Declared, Rep)> =
        declared(surface.scalars.iter().map(|s| s.name.as_str())).zip(values).collect();
    SURFACE.write_layer(w, layer, (surface.number, &attributes))
}

/// Writes the stage that plays the surfaces of frames with these numbers, which have these scalars.
pub(crate) fn write_stage(
    w: &mut impl Write,
    (frames, fps): (&[u32], f64),
    scalars: &[String],
) -> io::Result<()> {
    let file = |number| surface_name(number, SurfaceFormat::Usd);
    let played = Played { stage: SURFACE_STAGE, frames, fps, file: &file };
    SURFACE.write_stage(w, &played, declared(scalars.iter().map(String::as_str)))
}
