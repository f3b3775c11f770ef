//! A closed mesh with its signed distance.

use super::bvh::{Bvh, Foot};
use super::closest::Part;
use super::columns::lattice_inside;
use super::connectivity::Connectivity;
use super::far::FarField;
use super::{MeshError, TriangleMesh};
use crate::boundary::SurfacePoint;
use glam::{Vec3, Vec3A};
use std::sync::OnceLock;

/// The volume inside a closed mesh. Its coordinates are the mesh's, about the centre of its box.
#[derive(Debug)]
pub struct Solid {
    mesh: TriangleMesh,
    center: Vec3,
    volume: f64,
    pub(super) bvh: Bvh,
    pub(super) connectivity: Connectivity,
    /// Found when a wall first needs it; a volume of fluid never does.
    far: OnceLock<FarField>,
}

impl Solid {
    /// Checks a mesh: it must be closed, its triangles turned outwards.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, MeshError> {
        check_numbers(mesh)?;
        let mesh = mesh.welded();
        let Some((low, high)) = mesh.bounds() else {
            return Err(MeshError::Empty);
        };
        let center = 0.5 * (low + high);
        Connectivity::new(&mesh)?;
        let mesh = mesh.mapped(|x| x - center);
        let volume = mesh.volume();
        if volume.abs() <= 1e-9 * f64::from((high - low).length()).powi(3) {
            return Err(MeshError::Flat);
        }
        if volume < 0.0 {
            return Err(MeshError::InsideOut { volume });
        }
        let corners: Vec<[Vec3; 3]> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
        let normals: Vec<Vec3> =
            corners.iter().map(|[a, b, c]| (b - a).cross(c - a).normalize_or_zero()).collect();
        let (bvh, order) = Bvh::new(&corners, &normals);
        let triangles = order.iter().map(|&t| mesh.triangles[t as usize]).collect();
        let mesh = TriangleMesh { triangles, ..mesh };
        let connectivity = Connectivity::new(&mesh)?;
        Ok(Self { mesh, center, volume, bvh, connectivity, far: OnceLock::new() })
    }

    /// Its triangles, about the centre of their box.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// The centre of its box, in the coordinates of the mesh that it was made from.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Half of its extents.
    pub fn half(&self) -> Vec3 {
        self.bvh.bounds().1.into()
    }

    /// Its volume, in m³.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The nearest point of the surface: its distance, negative inside, and the direction away from the solid.
    pub fn signed_distance(&self, x: Vec3) -> SurfacePoint {
        match self.bvh.nearest(x.into(), f32::INFINITY) {
            Some(foot) => self.surface_point(x.into(), &foot),
            // A solid has triangles, so this is a point that is not a number.
            None => SurfacePoint { distance: f32::NAN, normal: Vec3::Y },
        }
    }

    /// The points of a cubic lattice inside: as many as their spacing's cube goes into the volume, as nearly as the
    /// lattice allows.
    pub fn lattice(&self, spacing: f32) -> Vec<Vec3> {
        lattice_inside(&self.mesh, self.half(), self.volume, spacing)
    }

    /// Whether a point lies outside and farther than `range` from the surface.
    pub fn is_clear(&self, x: Vec3, range: f32) -> bool {
        if self.far().is_clear(x, range, 1.0) {
            return true;
        }
        match self.bvh.nearest(x.into(), range * range) {
            Some(_) => false,
            None => self.is_outside_far(x, range),
        }
    }

    /// The first triangle that a way crosses from outside to inside (`side` 1) or the other way (−1): its normal.
    pub fn crossing(&self, from: Vec3, to: Vec3, side: f32) -> Option<Vec3> {
        let way = Vec3A::from(to - from);
        let mut first: Option<(f32, u32)> = None;
        self.bvh.crossings(from.into(), to.into(), |triangle, t| {
            let against = way.dot(self.connectivity.faces[triangle as usize]) * side < 0.0;
            if against && first.is_none_or(|best| (t, triangle) < best) {
                first = Some((t, triangle));
            }
        });
        first.map(|(_, triangle)| (self.connectivity.faces[triangle as usize] * side).into())
    }

    /// Whether a point with no surface within `range` is outside.
    pub(super) fn is_outside_far(&self, x: Vec3, range: f32) -> bool {
        self.far().side(x, range).unwrap_or_else(|| self.signed_distance(x).distance > 0.0)
    }

    pub(super) fn far(&self) -> &FarField {
        self.far.get_or_init(|| FarField::new(self))
    }

    /// The normal that tells inside from outside at a nearest point.
    pub(super) fn pseudo_normal(&self, foot: &Foot) -> Vec3A {
        let (c, t) = (&self.connectivity, foot.triangle as usize);
        match foot.part {
            Part::Face => c.faces[t],
            Part::Edge(k) => c.edges[c.triangle_edges[t][k as usize] as usize],
            Part::Corner(k) => c.corners[self.mesh.triangles[t][k as usize] as usize],
        }
    }

    pub(super) fn surface_point(&self, x: Vec3A, foot: &Foot) -> SurfacePoint {
        let pseudo = self.pseudo_normal(foot);
        let away = x - foot.point;
        let sign = if away.dot(pseudo) >= 0.0 { 1.0 } else { -1.0 };
        let length = foot.distance_squared.sqrt();
        // On the surface itself the difference has no direction.
        let exact = length > 1e-6 * self.bvh.bounds().1.max_element();
        let normal = match foot.part {
            Part::Face => pseudo,
            _ if exact => away * (sign / length),
            _ => pseudo.normalize_or(Vec3A::Y),
        };
        SurfacePoint { distance: sign * length, normal: normal.into() }
    }
}

fn check_numbers(mesh: &TriangleMesh) -> Result<(), MeshError> {
    if let Some(vertex) = mesh.positions.iter().position(|x| !x.is_finite()) {
        return Err(MeshError::NotFinite { vertex, at: mesh.positions[vertex].to_array() });
    }
    let vertices = mesh.positions.len();
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|v| **v as usize >= vertices) {
            return Err(MeshError::NoVertex { triangle, vertex, vertices });
        }
    }
    Ok(())
}
