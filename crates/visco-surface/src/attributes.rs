//! What the corners of a surface have from the particles around them.

use crate::Mesh;
use crate::cells::{Cells, Near};
use crate::reconstruct::REACH;
use glam::Vec3;
use rayon::prelude::*;
use visco::Frame;
use visco_io::surfaces::Surface;

/// Particles within the reach of a point at a surface, where it is smoothed in full: a flat one has 14.
const FLAT: f32 = 11.0;

/// Corners handled together.
const CHUNK: usize = 512;

/// Value of a particle by its index.
type Value<'a> = Box<dyn Fn(usize) -> f32 + Sync + 'a>;

/// The numbers of particles that a surface has, with their names.
pub(crate) fn scalars(frame: &Frame) -> impl Iterator<Item = (String, Value<'_>)> {
    let density: (String, Value) = ("density".into(), Box::new(|i| frame.densities[i]));
    let stretch = frame.conformations.as_ref().map(|q| -> (String, Value) {
        ("stretch".into(), Box::new(|i| (q[i][0] + q[i][1] + q[i][2]) / 3.0))
    });
    std::iter::once(density).chain(stretch)
}

/// Particles with what they give.
pub(crate) struct Source<'a> {
    frame: &'a Frame,
    members: &'a [u32],
    cells: Cells,
    values: Vec<Value<'a>>,
    /// The materials of the particles.
    seen: Vec<u8>,
}

/// What some corners have.
struct Corners {
    velocities: Vec<Vec3>,
    materials: Vec<u8>,
    scalars: Vec<Vec<f32>>,
}

impl<'a> Source<'a> {
    /// Some particles of a frame, with their positions.
    pub(crate) fn new(frame: &'a Frame, members: &'a [u32], positions: &[Vec3]) -> Self {
        let mut seen: Vec<u8> = members.iter().map(|&i| frame.materials[i as usize]).collect();
        seen.sort_unstable();
        seen.dedup();
        let cells = Cells::new(positions, REACH * frame.spacing);
        let values = scalars(frame).map(|(_, value)| value).collect();
        Self { frame, members, cells, values, seen }
    }

    /// How many particles are around each point: 1 at a flat surface, near 0 at a strand.
    pub(crate) fn crowding(&self, points: &[Vec3]) -> Vec<f32> {
        let most = (REACH * self.frame.spacing).powi(2);
        let chunk = |chunk: &[Vec3]| {
            let mut near = Near::default();
            let one = |x: &Vec3| {
                let mut count = 0.0_f32;
                self.cells.around(*x, &mut near, |_, other| {
                    count += f32::from(u8::from(x.distance_squared(other) < most));
                });
                (count / FLAT).min(1.0).powi(2)
            };
            chunk.iter().map(one).collect::<Vec<_>>()
        };
        points.par_chunks(CHUNK).flat_map_iter(chunk).collect()
    }

    /// Adds a mesh around the particles to a surface, with all that corners have.
    pub(crate) fn append(&self, mesh: Mesh, surface: &mut Surface) {
        let base = surface.positions.len() as u32;
        let chunks: Vec<Corners> = mesh.positions.par_chunks(CHUNK).map(|chunk| self.at(chunk)).collect();
        for mut chunk in chunks {
            surface.velocities.append(&mut chunk.velocities);
            surface.materials.append(&mut chunk.materials);
            for (scalar, values) in surface.scalars.iter_mut().zip(&mut chunk.scalars) {
                scalar.values.append(values);
            }
        }
        surface.normals.extend(Surface::area_normals(&mesh.positions, &mesh.triangles));
        surface.positions.extend(mesh.positions);
        surface.triangles.extend(mesh.triangles.into_iter().map(|corners| corners.map(|i| base + i)));
    }

    /// The means of the particles around each point, by their kernels; material is the one that weighs most.
    fn at(&self, points: &[Vec3]) -> Corners {
        let mut near = Near::default();
        let mut found = Corners {
            velocities: Vec::with_capacity(points.len()),
            materials: Vec::with_capacity(points.len()),
            scalars: vec![Vec::with_capacity(points.len()); self.values.len()],
        };
        let inverse = 1.0 / (REACH * self.frame.spacing).powi(2);
        let mut weights = vec![0.0_f32; self.seen.len()];
        let mut sums = vec![0.0_f32; self.values.len()];
        for &x in points {
            let (mut all, mut velocity) = (0.0, Vec3::ZERO);
            weights.fill(0.0);
            sums.fill(0.0);
            self.cells.around(x, &mut near, |member, position| {
                // (1 − r²/R²)³, a kernel without roots.
                let left = 1.0 - x.distance_squared(position) * inverse;
                if left <= 0.0 {
                    return;
                }
                let weight = left * left * left;
                let i = self.members[member] as usize;
                all += weight;
                velocity += weight * self.frame.velocities[i];
                sums.iter_mut().zip(&self.values).for_each(|(sum, value)| *sum += weight * value(i));
                if let Ok(kind) = self.seen.binary_search(&self.frame.materials[i]) {
                    weights[kind] += weight;
                }
            });
            let inverse = if all > 0.0 { 1.0 / all } else { 0.0 };
            found.velocities.push(velocity * inverse);
            found.scalars.iter_mut().zip(&sums).for_each(|(values, sum)| values.push(sum * inverse));
            let heaviest = (0..weights.len()).rev().max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
            found.materials.push(heaviest.map_or(0, |kind| self.seen[kind]));
        }
        found
    }
}
