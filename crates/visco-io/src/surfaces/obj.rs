//! Surfaces as OBJ: positions, normals and triangles, as text that is exact when read back. OBJ has no room for the rest.

use super::Surface;
use std::io::{self, Write};

pub(super) fn write_to(w: &mut impl Write, surface: &Surface) -> io::Result<()> {
    writeln!(w, "# surface of visco, in m")?;
    writeln!(w, "# frame {}, time {} s", surface.number, surface.time)?;
    for x in &surface.positions {
        writeln!(w, "v {} {} {}", x.x, x.y, x.z)?;
    }
    for n in &surface.normals {
        writeln!(w, "vn {} {} {}", n.x, n.y, n.z)?;
    }
    for corners in &surface.triangles {
        let [a, b, c] = corners.map(|i| u64::from(i) + 1);
        writeln!(w, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    Ok(())
}
