//! What is wrong with a mesh, and where.

use thiserror::Error;

/// Why a mesh bounds no volume. Places are in the mesh's own coordinates.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshError {
    /// It has no triangles.
    #[error("the mesh has no triangles")]
    Empty,
    /// A triangle names a vertex that there is not.
    #[error("triangle {triangle} names vertex {vertex}, and there are {vertices}")]
    NoVertex {
        /// The triangle, counted from 0.
        triangle: usize,
        /// The vertex that it names.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A vertex is not a number.
    #[error("vertex {vertex} is at {at:?}: not a finite number")]
    NotFinite {
        /// The vertex, counted from 0.
        vertex: usize,
        /// Where it is said to be.
        at: [f32; 3],
    },
    /// Edges with one triangle only.
    #[error(
        "the mesh is open: {edges} of its edges have one triangle only, one of them near {at:?}; close its holes"
    )]
    Open {
        /// How many.
        edges: usize,
        /// The middle of one of them.
        at: [f32; 3],
    },
    /// Neighbouring triangles that are turned in opposite ways.
    #[error(
        "neighbouring triangles are turned in opposite ways at {edges} edges, one of them near {at:?}; \
         orient them all outwards"
    )]
    Turned {
        /// How many edges.
        edges: usize,
        /// The middle of one of them.
        at: [f32; 3],
    },
    /// Edges with three or more triangles that do not pair up.
    #[error(
        "the mesh is not manifold: at {edges} edges three or more triangles meet that do not pair up, one of them \
         near {at:?}; remove inner faces and doubled triangles"
    )]
    NotManifold {
        /// How many edges.
        edges: usize,
        /// The middle of one of them.
        at: [f32; 3],
    },
    /// All normals point inwards.
    #[error(
        "the mesh is inside out: its volume is {volume:.3e} m³; turn its triangles, for example with flip = true"
    )]
    InsideOut {
        /// The volume, which is negative.
        volume: f64,
    },
    /// It bounds nothing.
    #[error("the mesh is flat: it bounds no volume")]
    Flat,
}
