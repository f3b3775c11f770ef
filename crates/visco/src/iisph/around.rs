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
use crate::neighbors::{Neighbors, Points};
use crate::parallel;
use glam::Vec3;

/// The boundary particles of walls where they are at one moment.
#[derive(Clone, Debug)]
pub(crate) struct WallPoints {
    pub(crate) positions: Vec<Vec3>,
    /// Mean velocities over the step, in m/s.
    pub(crate) velocities: Vec<Vec3>,
    /// Ψ.
    weights: Vec<f32>,
    sorted: Points,
}

impl WallPoints {
    /// Those of all walls; what `last` knows is taken from there where nothing has moved.
    pub(crate) fn place(
        samples: &WallSamples,
        boundary: &Boundary,
        moment: Moment,
        (kernel, domain): (&Kernel, &Domain),
        last: Option<Self>,
    ) -> Self {
        let (positions, velocities) = samples.place(boundary, moment);
        if let Some(last) = last.filter(|last| last.positions == positions) {
            return Self { velocities, ..last };
        }
        let near = Neighbors::find(&positions, kernel.support(), domain);
        let mut weights = vec![0.0; positions.len()];
        let whole = Layer::new(kernel).weight;
        parallel::fill(&mut weights, |b| {
            let w = |&k: &u32| kernel.w(domain.nearest(positions[b] - positions[k as usize]).length());
            whole / (kernel.w(0.0) + near.of(b).iter().map(w).sum::<f32>())
        });
        let sorted = Points::new(&positions, kernel.support(), domain);
        Self { positions, velocities, weights, sorted }
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
    pub(crate) gradients: Vec<Vec3>,
    /// Ψ_b ∇W_ib, in the layout of `near_walls`.
    pub(crate) wall_gradients: Vec<Vec3>,
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
        if let Some(last) = last
            && last.positions == positions
            && last.walls.positions == walls.positions
        {
            return Self { walls, ..last };
        }
        let near = Neighbors::find(positions, kernel.support(), domain);
        let near_walls = walls.sorted.near(positions);
        Self::among(positions, walls, (near, near_walls), (kernel, domain))
    }

    /// The same neighbours after they have moved, though others may have come near since. Walls have moved as well.
    pub(crate) fn moved(&self, positions: &[Vec3], walls: WallPoints, place: (&Kernel, &Domain)) -> Self {
        Self::among(positions, walls, (self.near.clone(), self.near_walls.clone()), place)
    }

    fn among(
        positions: &[Vec3],
        walls: WallPoints,
        (near, near_walls): (Neighbors, Neighbors),
        (kernel, domain): (&Kernel, &Domain),
    ) -> Self {
        let unit = 1.0 / kernel.lattice_sum();
        // The kernel's value and its gradient at x_i − y.
        let at = |e: Vec3| {
            let e = domain.nearest(e);
            let r = e.length();
            (kernel.w(r), e * (kernel.gradient_over_r(r) * unit))
        };
        let mut gradients = vec![Vec3::ZERO; near.pairs()];
        let fluid = near.fill_lists(&mut gradients, |i, list, gradients| {
            let (mut sum, mut density) = (Vec3::ZERO, 0.0);
            for (gradient, &j) in gradients.iter_mut().zip(list) {
                let (w, g) = at(positions[i] - positions[j as usize]);
                *gradient = g;
                sum += g;
                density += w;
            }
            (sum, density)
        });
        let mut wall_gradients = vec![Vec3::ZERO; near_walls.pairs()];
        let wall = near_walls.fill_lists(&mut wall_gradients, |i, list, gradients| {
            let (mut sum, mut density) = (Vec3::ZERO, 0.0);
            for (gradient, &b) in gradients.iter_mut().zip(list) {
                let weight = walls.weights[b as usize];
                let (w, g) = at(positions[i] - walls.positions[b as usize]);
                *gradient = g * weight;
                sum += *gradient;
                density += weight * w;
            }
            (sum, density)
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
    pub(crate) fn pairs(&self, i: usize) -> impl Iterator<Item = (usize, Vec3)> + '_ {
        let gradients = &self.gradients[self.near.range(i)];
        self.near.of(i).iter().zip(gradients).map(|(&j, &g)| (j as usize, g))
    }

    /// The boundary particles near a particle with the weighted gradients.
    #[inline]
    pub(crate) fn wall_pairs(&self, i: usize) -> impl Iterator<Item = (usize, Vec3)> + '_ {
        let gradients = &self.wall_gradients[self.near_walls.range(i)];
        self.near_walls.of(i).iter().zip(gradients).map(|(&b, &g)| (b as usize, g))
    }
}
