//! The ParaView collection (`.pvd`): which file belongs to which time.

use crate::Result;
use std::io::Write;
use std::path::Path;

/// Writes a collection of (time in s, file name beside the collection), completely or not at all.
pub fn write(path: &Path, entries: &[(f64, String)]) -> Result<()> {
    crate::atomic::write(path, |w| {
        writeln!(w, r#"<?xml version="1.0"?>"#)?;
        writeln!(w, r#"<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">"#)?;
        writeln!(w, "<Collection>")?;
        for (time, file) in entries {
            writeln!(w, r#"<DataSet timestep="{time}" part="0" file="{file}"/>"#)?;
        }
        writeln!(w, "</Collection>\n</VTKFile>")
    })
}
