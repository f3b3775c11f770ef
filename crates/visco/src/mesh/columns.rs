//! The points of a lattice inside a mesh: every column of the lattice meets the mesh once.

use super::TriangleMesh;
use glam::{DVec2, DVec3, Vec3};

/// Columns are moved by these parts of a spacing, so that they do not run through vertices and edges of meshes that
/// have the lattice's symmetry.
const ASIDE: DVec2 = DVec2::new(1.618_034e-6, 2.718_282e-6);

/// A crossing of a column and a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Crossing {
    column: u64,
    /// Along x, in spacings from the first point of the column.
    at: f64,
    /// 1 where the column enters, −1 where it leaves.
    step: i32,
}

/// How far the volume of the points may be from the mesh's before another place of the lattice is tried.
const CLOSE: f64 = 2e-3;

/// The points, inside a closed mesh about the origin with these half extents and this volume, of a cubic lattice. Of the
/// eight lattices that are symmetric about the origin it is the one whose number of points stands best for the volume:
/// in a plate the next one has a layer more or less. Where closed parts overlap, inside is what lies in at least one.
pub(super) fn lattice_inside(mesh: &TriangleMesh, half: Vec3, volume: f64, spacing: f32) -> Vec<Vec3> {
    let rows = (half * (2.0 / spacing)).ceil() + 1.0;
    let mut best: Option<(f64, Columns)> = None;
    for place in 0..8 {
        let more = Vec3::new((place & 1) as f32, (place >> 1 & 1) as f32, (place >> 2) as f32);
        let count = rows + more;
        let origin = -0.5 * (count - 1.0) * spacing;
        let columns = Columns::new(mesh, origin, spacing, count.to_array().map(|n| n as u32));
        let error = (columns.len() as f64 * f64::from(spacing).powi(3) / volume - 1.0).abs();
        if best.as_ref().is_none_or(|(least, _)| error < *least) {
            best = Some((error, columns));
        }
        if error < CLOSE {
            break;
        }
    }
    best.map(|(_, columns)| columns.points()).unwrap_or_default()
}

/// The lattice `origin + spacing · (i, j, k)`, for i, j and k from 0 up to `count`, and where its columns along x cross
/// a mesh.
struct Columns {
    origin: Vec3,
    spacing: f32,
    count: [u32; 3],
    crossings: Vec<Crossing>,
}

impl Columns {
    fn new(mesh: &TriangleMesh, origin: Vec3, spacing: f32, count: [u32; 3]) -> Self {
        let mut crossings = Vec::new();
        for t in 0..mesh.triangles.len() {
            let corners = mesh.corners(t).map(|x| (x.as_dvec3() - origin.as_dvec3()) / f64::from(spacing));
            cross(mesh.triangles[t], corners, count, &mut crossings);
        }
        crossings.sort_unstable_by(|a, b| {
            a.column.cmp(&b.column).then(a.at.total_cmp(&b.at)).then(a.step.cmp(&b.step))
        });
        Self { origin, spacing, count, crossings }
    }

    /// The runs of points inside: column, first and one past the last i.
    fn runs(&self) -> impl Iterator<Item = (u64, u32, u32)> {
        let last = f64::from(self.count[0]);
        self.crossings.chunk_by(|a, b| a.column == b.column).flat_map(move |column| {
            let mut depth = 0;
            column.windows(2).filter_map(move |pair| {
                depth += pair[0].step;
                let at = |crossing: &Crossing| crossing.at.ceil().clamp(0.0, last) as u32;
                (depth > 0).then(|| (pair[0].column, at(&pair[0]), at(&pair[1])))
            })
        })
    }

    fn len(&self) -> usize {
        self.runs().map(|(_, from, to)| (to - from) as usize).sum()
    }

    /// The points, ordered by k, j and i.
    fn points(&self) -> Vec<Vec3> {
        let columns = u64::from(self.count[1]);
        let point = |i: u32, column: u64| {
            let index = Vec3::new(i as f32, (column % columns) as f32, (column / columns) as f32);
            self.origin + index * self.spacing
        };
        self.runs().flat_map(|(column, from, to)| (from..to).map(move |i| point(i, column))).collect()
    }
}

/// Adds the crossings of one triangle, whose corners are in lattice coordinates.
fn cross(indices: [u32; 3], corners: [DVec3; 3], count: [u32; 3], crossings: &mut Vec<Crossing>) {
    let flat = corners.map(|x| DVec2::new(x.y, x.z) - ASIDE);
    let low = flat[0].min(flat[1]).min(flat[2]).ceil().max(DVec2::ZERO);
    let last = DVec2::new(f64::from(count[1]) - 1.0, f64::from(count[2]) - 1.0);
    let high = flat[0].max(flat[1]).max(flat[2]).floor().min(last);
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    if normal.x == 0.0 || low.x > high.x || low.y > high.y {
        return;
    }
    // Both triangles of an edge compute its side from the same numbers, so that a column crosses one of them.
    let side = |k: usize, p: DVec2| {
        let (a, b) = (k, (k + 1) % 3);
        let (a, b, sign) = if indices[a] < indices[b] { (a, b, 1.0) } else { (b, a, -1.0) };
        let side = (flat[b] - flat[a]).perp_dot(p - flat[a]);
        if side >= 0.0 { sign } else { -sign }
    };
    for k in low.y as u64..=high.y as u64 {
        for j in low.x as u64..=high.x as u64 {
            let p = DVec2::new(j as f64, k as f64);
            let turn = side(0, p);
            if turn != side(1, p) || turn != side(2, p) {
                continue;
            }
            let offset = (p - flat[0]).extend(0.0);
            let at = corners[0].x - (normal.y * offset.x + normal.z * offset.y) / normal.x;
            let step = if normal.x < 0.0 { 1 } else { -1 };
            crossings.push(Crossing { column: k * u64::from(count[1]) + j, at, step });
        }
    }
}
