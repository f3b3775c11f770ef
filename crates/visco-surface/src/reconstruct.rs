//! The surface by splashsurf: marching cubes over the sum of the particles' kernels.

use crate::{Mesh, Settings, SurfaceError};
use glam::Vec3;
use splashsurf_lib::mesh::TriMesh3d;
use splashsurf_lib::nalgebra::Vector3;
use splashsurf_lib::{GridDecompositionParameters, Parameters, SpatialDecomposition, reconstruct_surface};

/// Reach of the kernel, in spacings.
pub(crate) const REACH: f32 = 2.0;

/// Value of the field at the surface: a flat surface then lies half a spacing outside of the outermost particles.
const THRESHOLD: f32 = 0.6;

/// Cells along a side of the blocks that splashsurf works on.
const BLOCK: u32 = 64;

/// The surface around particles of distance `d`.
pub(crate) fn isotropic(positions: &[Vec3], d: f32, settings: &Settings) -> Result<Mesh, SurfaceError> {
    if positions.is_empty() {
        return Ok(Mesh::default());
    }
    let parameters = Parameters {
        iso_surface_threshold: THRESHOLD,
        // Without blocks the order of sums depends on threads.
        spatial_decomposition: SpatialDecomposition::UniformGrid(GridDecompositionParameters {
            subdomain_num_cubes_per_dim: BLOCK,
            auto_disable: false,
        }),
        ..Parameters::new(d / 2.0, REACH * d, settings.cell * d)
    };
    let points: Vec<Vector3<f32>> = positions.iter().map(|x| x.to_array().into()).collect();
    let found = reconstruct_surface::<i64, f32>(&points, &parameters)
        .map_err(|error| refused(positions, settings.cell * d, &error))?;
    Ok(found.mesh.into())
}

/// What splashsurf says of grids that it cannot number.
pub(crate) fn refused(positions: &[Vec3], cell: f32, error: &dyn std::error::Error) -> SurfaceError {
    let (low, high) = bounds(positions);
    let cause = std::iter::successors(Some(error), |e| e.source()).last().map(ToString::to_string);
    SurfaceError::Reconstruction {
        extent: (high - low).max_element(),
        cell,
        reason: cause.unwrap_or_default(),
    }
}

/// Corners of the box around points.
pub(crate) fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    positions.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), x| (low.min(*x), high.max(*x)))
}

impl From<TriMesh3d<f32>> for Mesh {
    fn from(mesh: TriMesh3d<f32>) -> Self {
        Self {
            positions: mesh.vertices.iter().map(|x| Vec3::new(x.x, x.y, x.z)).collect(),
            triangles: mesh.triangles.iter().map(|corners| corners.map(|i| i as u32)).collect(),
        }
    }
}
