//! Surfaces: polygons, with what their corners have as point data.

use super::write::{Array, Layout, block, bytes, field};
use crate::surfaces::Surface;
use std::io::{self, Write};

/// Writes a surface as VTK XML PolyData of triangles.
pub(crate) fn write_to(w: &mut impl Write, surface: &Surface) -> io::Result<()> {
    let (n, polygons) = (surface.positions.len(), surface.triangles.len());
    let mut layout = Layout::default();
    writeln!(w, r#"<?xml version="1.0"?>"#)?;
    writeln!(w, r#"<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">"#)?;
    writeln!(w, "<PolyData>\n<FieldData>")?;
    field(w, "Float64", "TimeValue", surface.time)?;
    field(w, "UInt32", "frame", surface.number)?;
    writeln!(w, "</FieldData>")?;
    writeln!(
        w,
        r#"<Piece NumberOfPoints="{n}" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="{polygons}">"#
    )?;
    writeln!(w, r#"<PointData Normals="normal" Vectors="velocity">"#)?;
    layout.array(w, n, &Array::new("Float32", "normal", 12).components(3))?;
    layout.array(w, n, &Array::new("Float32", "velocity", 12).components(3))?;
    layout.array(w, n, &Array::new("UInt8", "material", 1))?;
    for scalar in &surface.scalars {
        layout.array(w, n, &Array::new("Float32", &scalar.name, 4))?;
    }
    writeln!(w, "</PointData>\n<Points>")?;
    layout.array(w, n, &Array::new("Float32", "Points", 12).components(3))?;
    writeln!(w, "</Points>\n<Polys>")?;
    layout.array(w, 3 * polygons, &Array::new("Int64", "connectivity", 8))?;
    layout.array(w, polygons, &Array::new("Int64", "offsets", 8))?;
    writeln!(w, "</Polys>\n</Piece>\n</PolyData>")?;
    write!(w, "<AppendedData encoding=\"raw\">\n_")?;
    append(w, surface)?;
    writeln!(w, "\n</AppendedData>\n</VTKFile>")
}

/// The arrays of the header, in the same order.
fn append(w: &mut impl Write, surface: &Surface) -> io::Result<()> {
    block(w, &surface.normals, |n| bytes::<3, 12>(n.to_array()))?;
    block(w, &surface.velocities, |v| bytes::<3, 12>(v.to_array()))?;
    block(w, &surface.materials, |m| [*m])?;
    for scalar in &surface.scalars {
        block(w, &scalar.values, |v| v.to_le_bytes())?;
    }
    block(w, &surface.positions, |x| bytes::<3, 12>(x.to_array()))?;
    block(w, surface.triangles.as_flattened(), |i| u64::from(*i).to_le_bytes())?;
    let ends: Vec<u64> = (1..=surface.triangles.len() as u64).map(|i| 3 * i).collect();
    block(w, &ends, |end| end.to_le_bytes())
}
