//! What a picture shows.

use crate::solids::Solids;
use crate::{Camera, Look};
use glam::Vec3;

/// How the surface of a fluid is smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Smoothing {
    /// Times a bilateral filter is applied, first.
    pub bilateral: u32,
    /// Steps of curvature flow (van der Laan et al. 2009), then, where a spacing is six pixels wide. What a step smooths
    /// is counted in pixels, so there are more of them where it is wider.
    pub curvature_flow: u32,
}

impl Smoothing {
    /// The particles' spheres as they are.
    pub const NONE: Self = Self { bilateral: 0, curvature_flow: 0 };
}

impl Default for Smoothing {
    fn default() -> Self {
        Self { bilateral: 2, curvature_flow: 40 }
    }
}

/// Particles drawn as a fluid.
#[derive(Clone, Copy, Debug)]
pub struct Fluid<'a> {
    /// For each particle the index of its look.
    pub kinds: &'a [u8],
    /// The looks; an index without one has a colour of its own.
    pub looks: &'a [Look],
    /// How the surface is smoothed.
    pub smoothing: Smoothing,
}

/// A fluid's surface as triangles, closed and counterclockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    /// Normals of the corners, out of the fluid; as many as there are positions.
    pub normals: &'a [Vec3],
    /// For each corner the index of its look. Where corners differ, looks meet half-way between them.
    pub kinds: &'a [u8],
    /// Corners of the triangles. Those with a corner that is not there or not finite are left out.
    pub triangles: &'a [[u32; 3]],
    /// The looks; an index without one has a colour of its own.
    pub looks: &'a [Look],
}

/// Particles drawn one by one.
#[derive(Clone, Copy, Debug)]
pub struct Balls<'a> {
    /// Colour of each, as in a picture.
    pub colors: &'a [[u8; 3]],
    /// Radius, in spacings.
    pub radius: f32,
}

/// What the positions of a picture are, and how they are drawn.
#[derive(Clone, Copy, Debug)]
pub enum Shown<'a> {
    /// Particles, as a fluid.
    Fluid(Fluid<'a>),
    /// Corners of a surface, as a fluid.
    Mesh(Mesh<'a>),
    /// Particles, one by one.
    Balls(Balls<'a>),
}

impl Shown<'_> {
    /// The look of an index.
    pub(crate) fn look(&self, index: usize) -> Look {
        let given = match self {
            Self::Fluid(fluid) => fluid.looks,
            Self::Mesh(mesh) => mesh.looks,
            Self::Balls(_) => &[],
        };
        given.get(index).copied().unwrap_or_else(|| Look::palette(index))
    }
}

/// A picture to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Width and height, in pixels.
    pub size: (u32, u32),
    /// Samples along each side of a pixel.
    pub samples: u32,
    /// Where it is taken from.
    pub camera: Camera,
    /// Positions of particles or of the corners of a surface, in m; those that are not finite are left out.
    pub positions: &'a [Vec3],
    /// Spacing of particles, in m.
    pub spacing: f32,
    /// What they are.
    pub shown: Shown<'a>,
    /// What is solid.
    pub solids: &'a Solids,
}
