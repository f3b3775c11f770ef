//! The writer.

use crate::Result;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use visco::Frame;

/// Writes a frame to a file, completely or not at all.
pub fn write(path: &Path, frame: &Frame) -> Result<()> {
    crate::atomic::write(path, |w| write_to(w, frame))
}

/// Writes a frame as VTK XML PolyData with one vertex cell for every particle.
///
/// Point data: `velocity`, `id`, `material`, `density` and, if present, `conformation`, with the six
/// components in VTK's order xx yy zz xy yz xz, which its tensor filters take for a symmetric tensor.
pub fn write_to(w: &mut impl Write, frame: &Frame) -> io::Result<()> {
    crate::frames::check_lengths(frame)?;
    let n = frame.len();
    let mut layout = Layout::default();
    writeln!(w, r#"<?xml version="1.0"?>"#)?;
    writeln!(w, r#"<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">"#)?;
    writeln!(w, "<PolyData>")?;
    writeln!(w, "<FieldData>")?;
    field(w, "Float64", "TimeValue", frame.time)?;
    field(w, "Float32", "spacing", frame.spacing)?;
    field(w, "UInt32", "frame", frame.number)?;
    writeln!(w, "</FieldData>")?;
    writeln!(
        w,
        r#"<Piece NumberOfPoints="{n}" NumberOfVerts="{n}" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="0">"#
    )?;
    writeln!(w, r#"<PointData Scalars="density" Vectors="velocity">"#)?;
    layout.array(w, n, &Array::new("Float32", "velocity", 12).components(3))?;
    layout.array(w, n, &Array::new("UInt32", "id", 4))?;
    layout.array(w, n, &Array::new("UInt8", "material", 1))?;
    layout.array(w, n, &Array::new("Float32", "density", 4))?;
    if frame.conformations.is_some() {
        let mut array = Array::new("Float32", "conformation", 24).components(6);
        for (i, name) in ["xx", "yy", "zz", "xy", "yz", "xz"].iter().enumerate() {
            array.attributes += &format!(r#" ComponentName{i}="{name}""#);
        }
        layout.array(w, n, &array)?;
    }
    writeln!(w, "</PointData>\n<Points>")?;
    layout.array(w, n, &Array::new("Float32", "Points", 12).components(3))?;
    writeln!(w, "</Points>\n<Verts>")?;
    layout.array(w, n, &Array::new("Int64", "connectivity", 8))?;
    layout.array(w, n, &Array::new("Int64", "offsets", 8))?;
    writeln!(w, "</Verts>\n</Piece>\n</PolyData>")?;
    write!(w, "<AppendedData encoding=\"raw\">\n_")?;
    append(w, frame)?;
    writeln!(w, "\n</AppendedData>\n</VTKFile>")
}

/// A number of the whole frame.
pub(super) fn field(w: &mut impl Write, kind: &str, name: &str, value: impl Display) -> io::Result<()> {
    writeln!(
        w,
        r#"<DataArray type="{kind}" Name="{name}" NumberOfTuples="1" format="ascii">{value}</DataArray>"#
    )
}

/// The arrays of the header, in the same order.
fn append(w: &mut impl Write, frame: &Frame) -> io::Result<()> {
    block(w, &frame.velocities, |v| bytes::<3, 12>(v.to_array()))?;
    block(w, &frame.ids, |id| id.to_le_bytes())?;
    block(w, &frame.materials, |m| [*m])?;
    block(w, &frame.densities, |d| d.to_le_bytes())?;
    if let Some(q) = &frame.conformations {
        block(w, q, |&[xx, yy, zz, xy, xz, yz]| bytes::<6, 24>([xx, yy, zz, xy, yz, xz]))?;
    }
    block(w, &frame.positions, |x| bytes::<3, 12>(x.to_array()))?;
    let n = frame.len() as u64;
    block(w, &(0..n).collect::<Vec<_>>(), |i| i.to_le_bytes())?;
    block(w, &(1..=n).collect::<Vec<_>>(), |i| i.to_le_bytes())
}

/// Writes an array with its length in bytes before it.
pub(super) fn block<T, const B: usize>(
    w: &mut impl Write,
    values: &[T],
    encode: impl Fn(&T) -> [u8; B],
) -> io::Result<()> {
    w.write_all(&((values.len() * B) as u64).to_le_bytes())?;
    values.iter().try_for_each(|value| w.write_all(&encode(value)))
}

/// N floats as little-endian bytes, B = 4 N.
pub(super) fn bytes<const N: usize, const B: usize>(values: [f32; N]) -> [u8; B] {
    let mut bytes = [0; B];
    for (to, value) in bytes.chunks_exact_mut(4).zip(values) {
        to.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// An array as its header describes it.
pub(super) struct Array<'a> {
    kind: &'static str,
    name: &'a str,
    /// Bytes for every particle.
    size: usize,
    attributes: String,
}

impl<'a> Array<'a> {
    pub(super) fn new(kind: &'static str, name: &'a str, size: usize) -> Self {
        Self { kind, name, size, attributes: String::new() }
    }

    pub(super) fn components(mut self, n: usize) -> Self {
        self.attributes += &format!(r#" NumberOfComponents="{n}""#);
        self
    }
}

/// Where the next array begins in the appended data.
#[derive(Default)]
pub(super) struct Layout {
    offset: usize,
}

impl Layout {
    pub(super) fn array(&mut self, w: &mut impl Write, n: usize, array: &Array) -> io::Result<()> {
        let (kind, name, attributes) = (array.kind, array.name, &array.attributes);
        writeln!(
            w,
            r#"<DataArray type="{kind}" Name="{name}"{attributes} format="appended" offset="{}"/>"#,
            self.offset
        )?;
        self.offset += size_of::<u64>() + n * array.size;
        Ok(())
    }
}
