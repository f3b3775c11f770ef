//! Which triangles meet where: checks that a mesh is closed, and finds the normals of its edges and corners.

use super::{MeshError, TriangleMesh};
use glam::Vec3A;
use std::collections::HashMap;

/// Lists of indices, one after the other.
#[derive(Clone, Debug, Default)]
struct Lists {
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Lists {
    /// From pairs of list and entry; entries of a list keep their order.
    fn new(lists: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; lists + 1];
        for &(list, _) in pairs {
            starts[list as usize + 1] += 1;
        }
        for i in 0..lists {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut entries = vec![0; pairs.len()];
        for &(list, entry) in pairs {
            entries[next[list as usize] as usize] = entry;
            next[list as usize] += 1;
        }
        Self { starts, entries }
    }

    fn of(&self, list: u32) -> &[u32] {
        let i = list as usize;
        &self.entries[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

/// The neighbourhood of every edge and corner, with normals weighted by angles, whose sign tells inside from outside
/// (Bærentzen and Aanæs 2005).
#[derive(Clone, Debug)]
pub(super) struct Connectivity {
    /// The edges of each triangle: k from corner k to k + 1.
    pub(super) triangle_edges: Vec<[u32; 3]>,
    /// Unit normals of the triangles; zero for one without area.
    pub(super) faces: Vec<Vec3A>,
    pub(super) edges: Vec<Vec3A>,
    pub(super) corners: Vec<Vec3A>,
    /// The corners opposite to an edge.
    across: Lists,
    /// The corners at the other ends of a corner's edges.
    around: Lists,
}

impl Connectivity {
    /// Of a welded mesh, which must be closed and oriented.
    pub(super) fn new(mesh: &TriangleMesh) -> Result<Self, MeshError> {
        let (triangle_edges, ends) = find_edges(mesh);
        check_edges(mesh, &triangle_edges, &ends)?;
        let faces: Vec<Vec3A> = (0..mesh.triangles.len())
            .map(|t| {
                let [a, b, c] = mesh.corners(t).map(|x| x.as_dvec3());
                (b - a).cross(c - a).normalize_or_zero().as_vec3a()
            })
            .collect();
        let mut edges = vec![Vec3A::ZERO; ends.len()];
        let mut corners = vec![Vec3A::ZERO; mesh.positions.len()];
        let mut across = Vec::new();
        for (t, triangle) in mesh.triangles.iter().enumerate() {
            let x = mesh.corners(t).map(Vec3A::from);
            for k in 0..3 {
                let edge = triangle_edges[t][k];
                edges[edge as usize] += faces[t];
                across.push((edge, triangle[(k + 2) % 3]));
                let (u, v) = (x[(k + 1) % 3] - x[k], x[(k + 2) % 3] - x[k]);
                let angle = u.cross(v).length().atan2(u.dot(v));
                corners[triangle[k] as usize] += faces[t] * angle;
            }
        }
        let around: Vec<(u32, u32)> = ends.iter().flat_map(|&[a, b]| [(a, b), (b, a)]).collect();
        Ok(Self {
            across: Lists::new(ends.len(), &across),
            around: Lists::new(corners.len(), &around),
            triangle_edges,
            faces,
            edges,
            corners,
        })
    }

    /// The corners opposite to an edge, one for each of its triangles.
    pub(super) fn across(&self, edge: u32) -> &[u32] {
        self.across.of(edge)
    }

    /// The neighbours of a corner.
    pub(super) fn around(&self, corner: u32) -> &[u32] {
        self.around.of(corner)
    }
}

/// The edges of each triangle, and the two ends of each edge, the smaller index first.
fn find_edges(mesh: &TriangleMesh) -> (Vec<[u32; 3]>, Vec<[u32; 2]>) {
    let mut known = HashMap::new();
    let mut ends = Vec::new();
    let mut edge = |a: u32, b: u32| {
        *known.entry([a.min(b), a.max(b)]).or_insert_with_key(|key| {
            ends.push(*key);
            ends.len() as u32 - 1
        })
    };
    let of = |&[a, b, c]: &[u32; 3]| [edge(a, b), edge(b, c), edge(c, a)];
    (mesh.triangles.iter().map(of).collect(), ends)
}

/// At every edge as many triangles must run one way as the other.
fn check_edges(mesh: &TriangleMesh, of: &[[u32; 3]], ends: &[[u32; 2]]) -> Result<(), MeshError> {
    let mut ways = vec![[0_u32; 2]; ends.len()];
    for (triangle, edges) in mesh.triangles.iter().zip(of) {
        for k in 0..3 {
            let backwards = triangle[k] > triangle[(k + 1) % 3];
            ways[edges[k] as usize][usize::from(backwards)] += 1;
        }
    }
    let (mut open, mut turned, mut tangled) = (Vec::new(), Vec::new(), Vec::new());
    for (edge, &[there, back]) in ways.iter().enumerate() {
        match (there, back) {
            (a, b) if a == b => {}
            (1, 0) | (0, 1) => open.push(edge),
            (2, 0) | (0, 2) => turned.push(edge),
            _ => tangled.push(edge),
        }
    }
    let middle = |edge: usize| {
        let [a, b] = ends[edge].map(|v| mesh.positions[v as usize]);
        (0.5 * (a + b)).to_array()
    };
    match (&open[..], &turned[..], &tangled[..]) {
        (_, _, [first, ..]) => Err(MeshError::NotManifold { edges: tangled.len(), at: middle(*first) }),
        ([first, ..], ..) => Err(MeshError::Open { edges: open.len(), at: middle(*first) }),
        (_, [first, ..], _) => Err(MeshError::Turned { edges: turned.len(), at: middle(*first) }),
        _ => Ok(()),
    }
}
