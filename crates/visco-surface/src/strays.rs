//! Pieces of a surface that are too small to be seen as more than noise.

use crate::Mesh;

/// Takes away the pieces that enclose less than a volume. Cavities enclose less than nothing, and the same holds for
/// them.
pub(crate) fn remove(mesh: &mut Mesh, least: f32) {
    let pieces = pieces(mesh);
    let volumes = volumes(mesh, &pieces);
    let stays = |corner: u32| volumes[pieces[corner as usize] as usize].abs() >= f64::from(least);
    let mut renamed = vec![u32::MAX; mesh.positions.len()];
    let mut kept = 0;
    for i in 0..mesh.positions.len() {
        if stays(i as u32) {
            renamed[i] = kept;
            mesh.positions[kept as usize] = mesh.positions[i];
            kept += 1;
        }
    }
    mesh.positions.truncate(kept as usize);
    mesh.triangles.retain(|corners| stays(corners[0]));
    mesh.triangles.iter_mut().flatten().for_each(|i| *i = renamed[*i as usize]);
}

/// For every corner the piece that it belongs to: the number of one of its corners.
fn pieces(mesh: &Mesh) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    for &[a, b, c] in &mesh.triangles {
        let root = root(&mut parents, a);
        for other in [b, c] {
            let other = self::root(&mut parents, other);
            parents[other as usize] = root;
        }
    }
    (0..parents.len() as u32).map(|i| root(&mut parents, i)).collect()
}

fn root(parents: &mut [u32], mut i: u32) -> u32 {
    while parents[i as usize] != i {
        let above = parents[parents[i as usize] as usize];
        parents[i as usize] = above;
        i = above;
    }
    i
}

/// Volume that each piece encloses, under the number of its piece.
fn volumes(mesh: &Mesh, pieces: &[u32]) -> Vec<f64> {
    let mut volumes = vec![0.0; pieces.len()];
    for corners in &mesh.triangles {
        let piece = pieces[corners[0] as usize] as usize;
        // From a corner of the piece, so that what is far away keeps its digits.
        let origin = mesh.positions[piece];
        let [a, b, c] = corners.map(|i| (mesh.positions[i as usize] - origin).as_dvec3());
        volumes[piece] += a.dot(b.cross(c)) / 6.0;
    }
    volumes
}
