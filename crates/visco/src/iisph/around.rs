//! Who is near whom, densities and kernel gradients, with boundary particles (Akinci et al. 2012).
//!
//! Densities are in units of that at rest, ρ/ρ₀ = Σ_j W_ij + Σ_b Ψ_b W_ib with W in units of Σ W over the rest lattice.
//! A boundary particle of a wall weighs Ψ_b = ψ/Σ_k W_bk, the sum over boundary particles near it: the more of them
//! stand together, the less each one counts. ψ and the depth of the layer that they stand in are such that the lattice
//! of a fluid at rest before a flat wall has the density at rest, and is in balance where the pressure is uniform. The
//! particles of a body fill it on the lattice, and count like fluid that is not free to move.

use crate::boundary::Boundary;
use crate::boundary::samples::{Moment, WallSamples};
use crate::domain::Domain;
use crate::kernel::Kernel;
use crate::lanes::{self, LANES, Vec3x8, dispatch, level};
use crate::neighbors::{Neighbors, Points};
use crate::parallel;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};
use glam::{Vec3, Vec3A, Vec4};
use std::ops::Deref;
use std::sync::Arc;

/// Boundary particles where they are at one moment.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) positions: Vec<Vec3>,
    /// Positions, with Ψ.
    pub(crate) weighted: Vec<Vec4>,
    sorted: Points,
}

/// The boundary particles of walls at one moment.
#[derive(Clone, Debug)]
pub(crate) struct WallPoints {
    /// Mean velocities over the step, in m/s.
    pub(crate) velocities: Vec<Vec3>,
    /// Walls that stand have the same from step to step.
    placed: Arc<Placed>,
}

impl Deref for WallPoints {
    type Target = Placed;

    fn deref(&self) -> &Placed {
        &self.placed
    }
}

impl WallPoints {
    /// Those of all walls; what `last` knows is taken from there where nothing has moved.
    pub(crate) fn place(
        samples: &WallSamples,
        boundary: &Boundary,
        moment: Moment,
        place: (&Kernel, &Domain),
        last: Option<&Self>,
    ) -> Self {
        let (positions, velocities) = samples.place(boundary, moment);
        let placed = match last {
            Some(last) if last.positions == positions => last.placed.clone(),
            _ => Arc::new(Placed::new(positions, place)),
        };
        Self { velocities, placed }
    }
}

impl Placed {
    fn new(positions: Vec<Vec3>, (kernel, domain): (&Kernel, &Domain)) -> Self {
        let near = Neighbors::find(&positions, kernel.support(), domain);
        let mut weighted = vec![Vec4::ZERO; positions.len()];
        let whole = Layer::new(kernel).weight;
        parallel::fill(&mut weighted, |b| {
            let w = |&k: &u32| kernel.w(domain.nearest(positions[b] - positions[k as usize]).length());
            positions[b].extend(whole / (kernel.w(0.0) + near.of(b).iter().map(w).sum::<f32>()))
        });
        let sorted = Points::new(&positions, kernel.support(), domain);
        Self { positions, weighted, sorted }
    }
}

/// The layer of boundary particles below a flat surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    /// Depth below the surface, in m.
    pub(crate) depth: f32,
    /// ψ.
    weight: f32,
}

impl Layer {
    /// The layer that completes the rest lattice, Ψ L(z) = Σ_k L(kd), and balances it at uniform pressure, where fluid
    /// pushes with P_i + P_j but a wall with P_i alone: Ψ L′(z) = 2 Σ_k L′(kd). L(z) is the kernel's sum over a layer of
    /// the lattice at the distance z, which the layer has from the first one of the fluid.
    pub(crate) fn new(kernel: &Kernel) -> Self {
        let (d, h) = (kernel.spacing(), kernel.support());
        let layers = (h / d).ceil() as i32;
        let slope = |z: f32| kernel.layer(z).gradient * z;
        let sum = |f: &dyn Fn(f32) -> f32| (1..=layers).map(|k| f(k as f32 * d)).sum::<f32>();
        let behind = sum(&|z| kernel.layer(z).w);
        let steepness = 2.0 * sum(&slope) / behind;
        // L′/L falls without bound towards the end of the support.
        let (mut low, mut high) = (d, 0.999 * h);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            match slope(middle) > steepness * kernel.layer(middle).w {
                true => low = middle,
                false => high = middle,
            }
        }
        Self { depth: low - 0.5 * d, weight: behind / kernel.layer(low).w * kernel.layer(0.0).w }
    }
}

/// Sums over what is near a particle.
struct Sums<'a> {
    kernel: &'a Kernel,
    domain: &'a Domain,
    /// What gradients are measured in: one over the kernel's sum over the rest lattice.
    unit: f32,
}

impl Sums<'_> {
    /// Writes the weighted gradients of a list of neighbours, of points with weights. Returns their sum, and that of the
    /// weighted kernel.
    #[inline(always)]
    fn over<S: Simd>(
        &self,
        simd: S,
        x: Vec3,
        (list, points): (&[u32], &[Vec4]),
        gradients: &mut [Vec3A],
    ) -> (Vec3, f32) {
        let (mut sum, mut density) = (Vec3x8::splat(simd, Vec3::ZERO), f32x8::splat(simd, 0.0));
        let (batches, rest) = list.as_chunks::<LANES>();
        let (of_batches, of_rest) = gradients.as_chunks_mut::<LANES>();
        for (batch, gradients) in batches.iter().zip(of_batches) {
            let (g, w) = self.of_eight(simd, x, |k| &points[batch[k] as usize]);
            sum += g;
            density += w;
            g.write(simd, gradients);
        }
        if !rest.is_empty() {
            // Lanes that are left weigh nothing.
            let nothing = x.extend(0.0);
            let other = |k: usize| rest.get(k).map_or(&nothing, |&j| &points[j as usize]);
            let (g, w) = self.of_eight(simd, x, other);
            sum += g;
            density += w;
            g.write(simd, of_rest);
        }
        (sum.sum(), lanes::sum(density))
    }

    /// The weighted gradients and kernels of eight neighbours.
    #[inline(always)]
    fn of_eight<'a, S: Simd>(
        &self,
        simd: S,
        x: Vec3,
        other: impl Fn(usize) -> &'a Vec4,
    ) -> (Vec3x8<S>, f32x8<S>) {
        let (others, weights) = Vec3x8::with_numbers(simd, other);
        let e = self.domain.nearest_lanes(Vec3x8::splat(simd, x) - others);
        let (value, slope) = self.kernel.value_and_slope(e.length_squared().sqrt());
        (e * (slope * (weights * self.unit)), value * weights)
    }
}

/// The neighbourhoods of all particles at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) walls: WallPoints,
    /// Neighbours among the particles.
    pub(crate) near: Neighbors,
    /// Boundary particles near each.
    pub(crate) near_walls: Neighbors,
    /// ∇W_ij, in the layout of `near`.
    pub(crate) gradients: Vec<Vec3A>,
    /// Ψ_b ∇W_ib, in the layout of `near_walls`.
    pub(crate) wall_gradients: Vec<Vec3A>,
    /// Sum of both gradients of a particle.
    pub(crate) sums: Vec<Vec3>,
    /// ρ/ρ₀.
    pub(crate) densities: Vec<f32>,
}

impl Around {
    /// Finds them; what `last` knows is taken from there where nothing has moved.
    pub(crate) fn find(
        positions: &[Vec3],
        walls: WallPoints,
        (kernel, domain): (&Kernel, &Domain),
        last: Option<Self>,
    ) -> Self {
        let (lists, gradients) = match last {
            Some(last) if last.positions == positions && last.walls.positions == walls.positions => {
                return Self { walls, ..last };
            }
            // Only the memory is used again.
            Some(last) => ((last.near, last.near_walls), [last.gradients, last.wall_gradients]),
            None => Default::default(),
        };
        let near = lists.0.found_again(positions, kernel.support(), domain);
        let near_walls = walls.sorted.near(positions, lists.1);
        Self::among(positions, walls, (near, near_walls), gradients, (kernel, domain))
    }

    /// The same neighbours after they have moved, though others may have come near since. Walls have moved as well.
    pub(crate) fn moved(&self, positions: &[Vec3], walls: WallPoints, place: (&Kernel, &Domain)) -> Self {
        let lists = (self.near.clone(), self.near_walls.clone());
        Self::among(positions, walls, lists, Default::default(), place)
    }

    fn among(
        positions: &[Vec3],
        walls: WallPoints,
        (near, near_walls): (Neighbors, Neighbors),
        [mut gradients, mut wall_gradients]: [Vec<Vec3A>; 2],
        (kernel, domain): (&Kernel, &Domain),
    ) -> Self {
        let unit = 1.0 / kernel.lattice_sum();
        let sums = Sums { kernel, domain, unit };
        let mut weighted = vec![Vec4::ZERO; positions.len()];
        parallel::fill(&mut weighted, |i| positions[i].extend(1.0));
        gradients.resize(near.pairs(), Vec3A::ZERO);
        let fluid = near.fill_lists(&mut gradients, |i, list, gradients| {
            dispatch!(level(), simd => sums.over(simd, positions[i], (list, &weighted), gradients))
        });
        wall_gradients.resize(near_walls.pairs(), Vec3A::ZERO);
        let wall = near_walls.fill_lists(&mut wall_gradients, |i, list, gradients| {
            dispatch!(level(), simd => sums.over(simd, positions[i], (list, &walls.weighted), gradients))
        });
        let n = positions.len();
        let (mut sums, mut densities) = (vec![Vec3::ZERO; n], vec![0.0; n]);
        parallel::for_each2(&mut sums, &mut densities, |i, sum, density| {
            *sum = fluid[i].0 + wall[i].0;
            *density = (kernel.w(0.0) + fluid[i].1 + wall[i].1) * unit;
        });
        Self {
            positions: positions.to_vec(),
            walls,
            near,
            near_walls,
            gradients,
            wall_gradients,
            sums,
            densities,
        }
    }

    /// The neighbours of a particle with the gradients.
    #[inline]
    pub(crate) fn pairs(&self, i: usize) -> impl Iterator<Item = (usize, Vec3A)> + '_ {
        let gradients = &self.gradients[self.near.range(i)];
        self.near.of(i).iter().zip(gradients).map(|(&j, &g)| (j as usize, g))
    }

    /// A sum over the neighbours of a particle. Four parts of it grow side by side, so that none waits for the last one.
    #[inline(always)]
    pub(crate) fn sum(&self, i: usize, of: impl Fn(usize, Vec3A) -> Vec3A) -> Vec3A {
        let (fours, rest) = self.near.of(i).as_chunks::<4>();
        let (of_fours, of_rest) = self.gradients[self.near.range(i)].as_chunks::<4>();
        let mut sums = [Vec3A::ZERO; 4];
        for (four, gradients) in fours.iter().zip(of_fours) {
            for (sum, (&j, &g)) in sums.iter_mut().zip(four.iter().zip(gradients)) {
                *sum += of(j as usize, g);
            }
        }
        for (sum, (&j, &g)) in sums.iter_mut().zip(rest.iter().zip(of_rest)) {
            *sum += of(j as usize, g);
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// The boundary particles near a particle with the weighted gradients.
    #[inline]
    pub(crate) fn wall_pairs(&self, i: usize) -> impl Iterator<Item = (usize, Vec3)> + '_ {
        let gradients = &self.wall_gradients[self.near_walls.range(i)];
        self.near_walls.of(i).iter().zip(gradients).map(|(&b, &g)| (b as usize, g.into()))
    }
}
