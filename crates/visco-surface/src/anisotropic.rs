//! The surface by kernels that follow the shape of the fluid: Yu and Turk 2013, "Reconstructing surfaces of
//! particle-based fluids using anisotropic kernels".
//!
//! Each particle's kernel is as wide, along each axis, as its neighbours are spread. Three things differ from the paper:
//! centres are smoothed there and back (a mean alone would draw a rope of a few particles into its axis), volumes are
//! those that make the field 1 at every centre, and where a particle is all but alone its kernel is round and half as wide.

use crate::cells::{Cells, Near};
use crate::reconstruct::{bounds, refused};
use crate::{Mesh, Settings, SurfaceError};
use glam::{IVec3, Vec3};
use rayon::prelude::*;
use splashsurf_lib::density_map::OwnedDensityMap;
use splashsurf_lib::marching_cubes::triangulate_density_map;
use splashsurf_lib::nalgebra::Vector3;
use splashsurf_lib::{Aabb3d, DensityMap, UniformGrid};
use visco::math::Sym3;

/// How far neighbours are looked for, and the reach of a round kernel, in spacings.
const NEIGHBORS: f32 = 3.0;
const REACH: f32 = 2.0;

/// Part of the way to the mean of its neighbours that a centre moves, and then back.
const FORTH: f32 = 0.9;
const BACK: f32 = -0.9;

/// Largest ratio of two axes of a kernel, k_r of the paper.
const RATIO: f32 = 4.0;

/// Smallest width of a kernel, in reaches: a sheet of one layer is then about a spacing thick.
const LEAST: f32 = 0.5;

/// Fewest neighbours for a kernel that follows them, N_ε of the paper, and the width of others.
const FEWEST: usize = 12;
const ALONE: f32 = 0.5;

/// Variance of weighted neighbours along an axis where they are all around, for a search radius of 1.
const VARIANCE: f32 = 0.15;

/// Value of the field at the surface.
const THRESHOLD: f32 = 0.4;

/// Points of the grid along a side of a block.
const BLOCK: i32 = 16;

/// A particle's kernel: W(‖G (x − center)‖) det G, in units of its reach.
#[derive(Clone, Copy)]
struct Kernel {
    center: Vec3,
    /// G of the paper.
    shape: Sym3,
    /// Volume of the particle times det G.
    weight: f32,
    /// Half the sides of the box around its reach.
    half: Vec3,
}

/// The surface around particles of distance `d`.
pub(crate) fn reconstruct(positions: &[Vec3], d: f32, settings: &Settings) -> Result<Mesh, SurfaceError> {
    if positions.is_empty() {
        return Ok(Mesh::default());
    }
    let cell = settings.cell * d;
    let kernels = kernels(positions, d);
    let (mut low, mut high) = bounds(positions);
    for kernel in &kernels {
        low = low.min(kernel.center - kernel.half);
        high = high.max(kernel.center + kernel.half);
    }
    let margin = Vec3::splat(2.0 * cell);
    let vector = |x: Vec3| Vector3::from(x.to_array());
    let grid =
        UniformGrid::<i64, f32>::from_aabb(&Aabb3d::new(vector(low - margin), vector(high + margin)), cell)
            .map_err(|error| refused(positions, cell, &error))?;
    let origin = grid.aabb().min();
    let field = Field { kernels: &kernels, origin: Vec3::new(origin.x, origin.y, origin.z), cell };
    let map = field.map(&grid);
    triangulate_density_map(&grid, &map, THRESHOLD)
        .map(Mesh::from)
        .map_err(|error| refused(positions, cell, &error))
}

/// The kernels of particles.
fn kernels(positions: &[Vec3], d: f32) -> Vec<Kernel> {
    let there = moved(positions, d, FORTH);
    let centers = moved(&there, d, BACK);
    let cells = Cells::new(&centers, NEIGHBORS * d);
    let mut kernels: Vec<Kernel> = per_particle(&centers, |x, near| shaped(x, &cells, near, d));
    let widest = kernels.iter().map(|k| k.half.max_element()).fold(0.0, f32::max);
    let cells = Cells::new(&centers, widest.max(d));
    let sums = per_particle(&centers, |x, near| {
        let mut sum = 0.0;
        cells.around(x, near, |j, _| sum += kernels[j].at(x));
        sum
    });
    kernels.iter_mut().zip(sums).for_each(|(kernel, sum)| kernel.weight /= sum);
    kernels
}

/// `f` of every particle, in parallel.
fn per_particle<T: Send>(positions: &[Vec3], f: impl Fn(Vec3, &mut Near) -> T + Sync) -> Vec<T> {
    let chunk = |chunk: &[Vec3]| {
        let mut near = Near::default();
        chunk.iter().map(|x| f(*x, &mut near)).collect::<Vec<T>>()
    };
    positions.par_chunks(256).flat_map_iter(chunk).collect()
}

/// 1 − (r/R)³, the weight of a neighbour; eq. 11 of the paper.
fn weight(offset: Vec3, d: f32) -> f32 {
    let q = offset.length() / (NEIGHBORS * d);
    (1.0 - q * q * q).max(0.0)
}

/// Positions moved by a part of the way to the mean of their neighbours; eq. 6 of the paper.
fn moved(positions: &[Vec3], d: f32, part: f32) -> Vec<Vec3> {
    let cells = Cells::new(positions, NEIGHBORS * d);
    per_particle(positions, |x, near| {
        let (mut sum, mut all) = (Vec3::ZERO, 0.0);
        cells.around(x, near, |_, other| {
            let w = weight(other - x, d);
            sum += w * (other - x);
            all += w;
        });
        x + part * sum / all
    })
}

/// The kernel of a particle by the spread of its neighbours; eq. 9 to 16 of the paper.
fn shaped(center: Vec3, cells: &Cells, near: &mut Near, d: f32) -> Kernel {
    let (mut all, mut sum, mut squares, mut count) = (0.0, Vec3::ZERO, Sym3::ZERO, 0);
    cells.around(center, near, |_, other| {
        let offset = other - center;
        let w = weight(offset, d);
        if w > 0.0 {
            all += w;
            sum += w * offset;
            squares += Sym3::outer(offset) * w;
            count += 1;
        }
    });
    let reach = REACH * d;
    if count <= FEWEST {
        let half = ALONE * reach;
        return Kernel {
            center,
            shape: Sym3::isotropic(1.0 / half),
            weight: half.powi(-3),
            half: Vec3::splat(half),
        };
    }
    let mean = sum / all;
    let spread = (squares * (1.0 / all) - Sym3::outer(mean)) * (1.0 / (VARIANCE * (NEIGHBORS * d).powi(2)));
    let (values, axes) = spread.eigen();
    let largest = values.into_iter().fold(f32::MIN_POSITIVE, f32::max);
    let axes = [axes.x_axis, axes.y_axis, axes.z_axis];
    let (mut shape, mut half, mut weight) = (Sym3::ZERO, Vec3::ZERO, 1.0);
    for (value, axis) in values.into_iter().zip(axes) {
        let width = reach * value.max(largest / RATIO).max(LEAST);
        shape += Sym3::outer(axis) * (1.0 / width);
        half += (axis * width) * (axis * width);
        weight /= width;
    }
    Kernel { center, shape, weight, half: half.map(f32::sqrt) }
}

impl Kernel {
    #[inline]
    fn at(&self, x: Vec3) -> f32 {
        let left = 1.0 - self.shape.mul_vec(x - self.center).length_squared();
        if left > 0.0 { self.weight * left * left * left } else { 0.0 }
    }
}

/// The sum of kernels over the points of a grid.
struct Field<'a> {
    kernels: &'a [Kernel],
    origin: Vec3,
    cell: f32,
}

impl Field<'_> {
    /// The values at all points that a kernel reaches.
    fn map(&self, grid: &UniformGrid<i64, f32>) -> OwnedDensityMap<i64, f32> {
        let mut touched: Vec<([i32; 3], u32)> = Vec::new();
        for (i, kernel) in self.kernels.iter().enumerate() {
            let (low, high) = self.points(kernel);
            let (low, high) = (low.div_euclid(IVec3::splat(BLOCK)), high.div_euclid(IVec3::splat(BLOCK)));
            for x in low.x..=high.x {
                for y in low.y..=high.y {
                    touched.extend((low.z..=high.z).map(|z| ([x, y, z], i as u32)));
                }
            }
        }
        touched.sort_unstable();
        let blocks: Vec<&[([i32; 3], u32)]> = touched.chunk_by(|a, b| a.0 == b.0).collect();
        let values: Vec<Vec<(i64, f32)>> =
            blocks.into_par_iter().map(|block| self.block(block, grid)).collect();
        let mut map = OwnedDensityMap::default();
        if let DensityMap::Standard(map) = &mut map {
            map.reserve(values.iter().map(Vec::len).sum());
            map.extend(values.into_iter().flatten());
        }
        map
    }

    /// The first and the last point of the grid in the box around a kernel.
    fn points(&self, kernel: &Kernel) -> (IVec3, IVec3) {
        let at = kernel.center - self.origin;
        let low = ((at - kernel.half) / self.cell).ceil().as_ivec3();
        let high = ((at + kernel.half) / self.cell).floor().as_ivec3();
        (low, high)
    }

    /// The values of a block, with the numbers of their points.
    fn block(&self, block: &[([i32; 3], u32)], grid: &UniformGrid<i64, f32>) -> Vec<(i64, f32)> {
        let corner = IVec3::from_array(block[0].0) * BLOCK;
        let place = |p: IVec3| ((p.x * BLOCK + p.y) * BLOCK + p.z) as usize;
        let mut values = vec![0.0; (BLOCK * BLOCK * BLOCK) as usize];
        for kernel in block.iter().map(|(_, i)| &self.kernels[*i as usize]) {
            let (low, high) = self.points(kernel);
            let (low, high) = (low.max(corner), high.min(corner + (BLOCK - 1)));
            for x in low.x..=high.x {
                for y in low.y..=high.y {
                    for z in low.z..=high.z {
                        let point = IVec3::new(x, y, z);
                        values[place(point - corner)] += kernel.at(self.origin + self.cell * point.as_vec3());
                    }
                }
            }
        }
        let mut found = Vec::new();
        for (i, value) in values.into_iter().enumerate().filter(|(_, value)| *value > 0.0) {
            let i = i as i32;
            let p = corner + IVec3::new(i / (BLOCK * BLOCK), i / BLOCK % BLOCK, i % BLOCK);
            let [x, y, z] = p.to_array().map(i64::from);
            found.push((grid.flatten_point_indices(x, y, z), value));
        }
        found
    }
}
