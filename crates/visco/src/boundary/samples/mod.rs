//! Boundary particles: points about a spacing apart in a layer at some depth below the surface of walls.
//!
//! Flat surfaces have lattices without end or of any extent; of these, points are made in tiles, where fluid has come
//! near. Other shapes have all their points from the start. A point keeps its index for ever.

mod patch;
mod scattered;

use super::{Boundary, Shape, Wall};
use crate::checkpoint::{CheckpointError, expect};
use crate::domain::Domain;
use glam::Vec3;
use patch::{Patch, TILE};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};

/// Particles that are looked at together.
const CHUNK: usize = 1024;

/// A point of a wall, in the frame of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WallPoint {
    wall: u16,
    local: Vec3,
}

/// A square of lattice points of a patch.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub(crate) struct Tile {
    patch: u16,
    at: [i32; 2],
}

/// The boundary particles of a world.
#[derive(Clone, Debug)]
pub(crate) struct WallSamples {
    patches: Vec<Patch>,
    domain: Domain,
    /// The tiles that have been made, in their order.
    tiles: Vec<Tile>,
    known: HashSet<Tile>,
    points: Vec<WallPoint>,
    /// Points that are in no tile; they come first.
    scattered: usize,
}

/// The moment of a step at which walls are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Its start.
    Start,
    /// Its end.
    End,
}

impl WallSamples {
    /// The walls' points that no fluid has to come near to, at a depth below the surface.
    pub(crate) fn new(boundary: &Boundary, (spacing, depth): (f32, f32), domain: &Domain) -> Self {
        let mut made = Self {
            patches: vec![],
            domain: *domain,
            tiles: vec![],
            known: HashSet::new(),
            points: vec![],
            scattered: 0,
        };
        for (index, wall) in boundary.walls.iter().enumerate() {
            match &wall.shape {
                Shape::Plane { .. } | Shape::Box { .. } => {
                    made.patches.extend(Patch::of_wall(index as u16, wall, (spacing, depth), domain));
                }
                shape => {
                    let points = scattered::points(shape, wall.contains, (spacing, depth));
                    made.points
                        .extend(points.into_iter().map(|local| WallPoint { wall: index as u16, local }));
                }
            }
        }
        made.scattered = made.points.len();
        made
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// Index of the wall of a point.
    pub(crate) fn wall(&self, point: usize) -> usize {
        usize::from(self.points[point].wall)
    }

    /// Makes the points that are closer than `reach` to a particle.
    pub(crate) fn cover(&mut self, boundary: &Boundary, positions: &[Vec3], reach: f32, moment: Moment) {
        let mut new = BTreeSet::new();
        for (index, patch) in self.patches.iter().enumerate() {
            let wall = &boundary.walls[usize::from(patch.wall)];
            let found: Vec<[i32; 2]> = positions
                .par_chunks(CHUNK)
                .flat_map_iter(|chunk| {
                    let mut near = Vec::new();
                    for &x in chunk {
                        let mut visit = |x: Vec3| {
                            patch.tiles_near(wall.to_shape(x, moment), reach, |tile| {
                                if near.last() != Some(&tile) && !near.contains(&tile) {
                                    near.push(tile);
                                }
                            });
                        };
                        visit(x);
                        self.domain.images(x, reach, visit);
                    }
                    near
                })
                .collect();
            let tiles = found.into_iter().map(|at| Tile { patch: index as u16, at });
            new.extend(tiles.filter(|tile| !self.known.contains(tile)));
        }
        new.into_iter().for_each(|tile| self.add(tile));
    }

    fn add(&mut self, tile: Tile) {
        let patch = &self.patches[usize::from(tile.patch)];
        self.tiles.push(tile);
        self.known.insert(tile);
        patch.points(tile.at, |local| self.points.push(WallPoint { wall: patch.wall, local }));
    }

    /// Where the points are, and their mean velocities over the step.
    pub(crate) fn place(&self, boundary: &Boundary, moment: Moment) -> (Vec<Vec3>, Vec<Vec3>) {
        let place = |p: &WallPoint| {
            let wall = &boundary.walls[usize::from(p.wall)];
            let x = wall.to_space(p.local, moment);
            (self.domain.wrap(x), wall.velocity_at(x, moment))
        };
        self.points.par_iter().map(place).unzip()
    }

    /// The tiles, as they are stored.
    pub(crate) fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Makes the points of stored tiles in place of those that are there.
    pub(crate) fn restore(&mut self, tiles: Vec<Tile>) -> Result<(), CheckpointError> {
        let fits = |tile: &Tile| {
            let patch = self.patches.get(usize::from(tile.patch));
            patch.is_some_and(|patch| {
                tile.at.iter().all(|at| at.abs() < i32::MAX / TILE) && patch.has(tile.at)
            })
        };
        expect(tiles.iter().all(fits), "a part of a wall in it is not in the scene")?;
        expect(
            tiles.iter().collect::<HashSet<_>>().len() == tiles.len(),
            "a part of a wall in it is there twice",
        )?;
        self.tiles.clear();
        self.known.clear();
        self.points.truncate(self.scattered);
        tiles.into_iter().for_each(|tile| self.add(tile));
        Ok(())
    }
}

impl Wall {
    fn to_shape(&self, x: Vec3, moment: Moment) -> Vec3 {
        match (&self.motion, moment) {
            (None, _) => x,
            (Some(m), Moment::Start) => m.start.to_shape(x),
            (Some(m), Moment::End) => m.end.to_shape(x),
        }
    }

    fn to_space(&self, x: Vec3, moment: Moment) -> Vec3 {
        match (&self.motion, moment) {
            (None, _) => x,
            (Some(m), Moment::Start) => m.start.to_space(x),
            (Some(m), Moment::End) => m.end.to_space(x),
        }
    }

    fn velocity_at(&self, x: Vec3, moment: Moment) -> Vec3 {
        let carried = match (&self.motion, moment) {
            (None, _) => Vec3::ZERO,
            (Some(m), Moment::Start) => m.start.velocity_at(x),
            (Some(m), Moment::End) => m.end.velocity_at(x),
        };
        self.velocity + carried
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::{Cone, WallFriction};
    use crate::neighbors::Neighbors;
    use glam::Quat;

    fn boundary(shape: Shape, contains: bool) -> Boundary {
        let wall =
            Wall { shape, contains, friction: WallFriction::NoSlip, velocity: Vec3::ZERO, motion: None };
        Boundary { walls: vec![wall] }
    }

    /// All points lie at their depth below the surface, about a spacing apart, and leave no gap.
    #[test]
    fn points_cover_the_layer_below_the_surface() {
        let d = 0.05_f32;
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 0.5).normalize(), 0.6);
        let ring = crate::mesh::Solid::new(&crate::mesh::Made::Torus.mesh("")).expect("closed");
        let shapes = [
            Shape::Box { center: Vec3::X * 0.2, half: Vec3::new(0.3, 0.2, 0.4), rotation: turn },
            Shape::Sphere { center: Vec3::Z * 0.1, radius: 0.4 },
            Shape::Cylinder { center: Vec3::ZERO, axis: turn * Vec3::Y, half_length: 0.3, radius: 0.25 },
            Shape::Cone(Cone { center: Vec3::ZERO, axis: Vec3::Y, half_length: 0.3, radii: [0.3, 0.15] }),
            Shape::Capsule { center: Vec3::Y * 0.1, half_axis: turn * Vec3::Z * 0.2, radius: 0.2 },
            Shape::Mesh { solid: std::sync::Arc::new(ring), center: Vec3::X * 0.1, rotation: turn },
        ];
        for shape in shapes {
            for contains in [false, true] {
                let walls = boundary(shape.clone(), contains);
                let mut samples = WallSamples::new(&walls, (d, d), &Domain::UNBOUNDED);
                // Fluid everywhere, so that all tiles are made.
                let far: Vec<Vec3> = (0..4096)
                    .map(|k| Vec3::new((k % 16) as f32, (k / 16 % 16) as f32, (k / 256) as f32) * 0.1 - 0.8)
                    .collect();
                samples.cover(&walls, &far, 0.2, Moment::Start);
                let (points, _) = samples.place(&walls, Moment::Start);
                let side = if contains { -1.0 } else { 1.0 };
                for &x in &points {
                    let depth = -side * shape.outside(x).distance / d;
                    assert!((0.85..1.25).contains(&depth), "{shape:?}, {contains}: {depth}");
                }
                let near = Neighbors::find(&points, 1.6 * d, &Domain::UNBOUNDED);
                let distance = |i: usize, j: &u32| points[i].distance(points[*j as usize]) / d;
                for i in 0..points.len() {
                    let nearest = near.of(i).iter().map(|j| distance(i, j)).fold(9.0, f32::min);
                    assert!((0.7..1.3).contains(&nearest), "{shape:?}, {contains}: {nearest}");
                    assert!((2..=14).contains(&near.count(i)), "{shape:?}: {}", near.count(i));
                }
            }
        }
    }

    #[test]
    fn a_plane_has_points_where_fluid_is_and_keeps_their_order() {
        let walls = boundary(Shape::Plane { point: Vec3::Y * 0.1, normal: Vec3::Y }, false);
        let mut samples = WallSamples::new(&walls, (0.1, 0.05), &Domain::UNBOUNDED);
        assert_eq!(samples.len(), 0);
        samples.cover(&walls, &[Vec3::new(0.35, 0.15, 0.35), Vec3::new(9.0, 1.0, 0.0)], 0.22, Moment::Start);
        assert_eq!(samples.len(), 64);
        let (first, _) = samples.place(&walls, Moment::Start);
        samples.cover(&walls, &[Vec3::new(40.0, 0.2, 0.0)], 0.22, Moment::Start);
        let (points, _) = samples.place(&walls, Moment::Start);
        assert!(points.len() > 64 && points[..64] == first[..]);
        assert!(points.iter().all(|x| (x.y - 0.05).abs() < 1e-6));
        let near = |x: f32, z: f32| points.iter().any(|p| (p.x - x).abs() < 1e-4 && (p.z - z).abs() < 1e-4);
        assert!(near(0.35, 0.35) && near(40.05, 0.05), "the lattice of the fluid goes on in the wall");
        let mut again = WallSamples::new(&walls, (0.1, 0.05), &Domain::UNBOUNDED);
        again.restore(samples.tiles().to_vec()).expect("tiles of the same walls");
        assert_eq!(again.place(&walls, Moment::Start).0, points);
        assert!(again.restore(vec![Tile { patch: 3, at: [0, 0] }]).is_err());
    }

    #[test]
    fn a_periodic_plane_has_every_point_once() {
        let domain = Domain::periodic(Vec3::ZERO, Vec3::new(1.2, 1.0, 1.2), [true, false, true]);
        let walls = boundary(Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y }, false);
        let mut samples = WallSamples::new(&walls, (0.1, 0.05), &domain);
        let fluid: Vec<Vec3> =
            (0..144).map(|k| Vec3::new((k % 12) as f32 + 0.5, 0.5, (k / 12) as f32 + 0.5) * 0.1).collect();
        samples.cover(&walls, &fluid, 0.22, Moment::Start);
        assert_eq!(samples.len(), 144);
    }
}
