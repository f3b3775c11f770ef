//! A coarse correction for the velocity projection: trilinear grids over the particles.
//!
//! Block-diagonal conjugate gradients carry information one kernel an iteration; a stiff rope needs it from end to end.
//! The residual is gathered to the nodes of a grid of cells H = 2d, solved there by a V-cycle over ever coarser grids,
//! and interpolated back: P⁻¹ r = D⁻¹ r/θ + P V(Pᵀ r).
//!
//! On every level the matrix is that of trilinear elements: a cell of n particles weighs Δt Σ E V/H² times one constant
//! 24×24 matrix; masses are lumped, and held particles drag their nodes. Space that repeats has no such grid yet.

use super::Step;
use super::contact::Hold;
use super::gradient::Gradients;
use crate::math::Sym3;
use crate::parallel;
use glam::{IVec3, Mat3, Vec3, Vec3A};

/// The finest cells, in spacings.
const CELL: f32 = 2.0;
/// Largest eigenvalue of the block-diagonal part's share.
const THETA: f32 = 1.4;
/// Nodes of a level that is small enough to be smoothed to the end.
const FEW_NODES: usize = 40;
/// Sweeps on the coarsest level.
const COARSEST_SWEEPS: usize = 30;

/// Blocks A_pq of the element matrix between the corners of a unit cell, without the factor Δt E V/H².
struct Element {
    blocks: [[Mat3; 8]; 8],
    /// Largest eigenvalue of D⁻¹A, which bounds that of every mesh of such elements.
    largest: f32,
}

fn corner(k: usize) -> Vec3 {
    Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2 & 1) as f32)
}

/// Trilinear weights of the corners at a point of the unit cell.
fn weights(x: Vec3) -> [f32; 8] {
    std::array::from_fn(|k| {
        let c = corner(k);
        (c * x + (Vec3::ONE - c) * (Vec3::ONE - x)).to_array().iter().product()
    })
}

fn weight_gradient(k: usize, x: Vec3) -> Vec3 {
    let (c, sign) = (corner(k), corner(k) * 2.0 - 1.0);
    let n = c * x + (Vec3::ONE - c) * (Vec3::ONE - x);
    Vec3::new(sign.x * n.y * n.z, n.x * sign.y * n.z, n.x * n.y * sign.z)
}

impl Element {
    /// The element of energy E V (|dev D|² + b/3 (tr D)²), by Gauss points.
    fn new(bulk: f32) -> Self {
        let mut blocks = [[Mat3::ZERO; 8]; 8];
        let offset = 0.5 / 3.0_f32.sqrt();
        for g in 0..8 {
            let x = Vec3::splat(0.5) + (corner(g) * 2.0 - 1.0) * offset;
            let a: [Vec3; 8] = std::array::from_fn(|k| weight_gradient(k, x));
            for p in 0..8 {
                for q in 0..8 {
                    let outer = |u: Vec3, v: Vec3| Mat3::from_cols(u * v.x, u * v.y, u * v.z);
                    let isotropic = Mat3::from_diagonal(Vec3::splat(a[p].dot(a[q])));
                    let volume = outer(a[p], a[q]) * (2.0 / 3.0 * (bulk - 1.0));
                    blocks[p][q] += (isotropic + outer(a[q], a[p]) + volume) * 0.125;
                }
            }
        }
        let mut element = Self { blocks, largest: 1.0 };
        element.largest = element.largest_eigenvalue();
        element
    }

    fn largest_eigenvalue(&self) -> f32 {
        let mut v: [Vec3; 8] = std::array::from_fn(|k| Vec3::new(1.0, -0.7, 0.3) * (1.0 + k as f32).sin());
        let mut value = 1.0;
        for _ in 0..100 {
            let image: [Vec3; 8] = std::array::from_fn(|p| {
                let sum: Vec3 = (0..8).map(|q| self.blocks[p][q] * v[q]).sum();
                self.blocks[p][p].inverse() * sum
            });
            value = image.iter().map(|x| x.length_squared()).sum::<f32>().sqrt();
            v = image.map(|x| x / value);
        }
        value
    }
}

/// A grid of one cell size.
struct Level {
    /// Nodes by position, sorted.
    nodes: Vec<[i32; 3]>,
    /// Corners of the cells, as node indices, with their weight Δt Σ E V/H².
    cells: Vec<([u32; 8], f32)>,
    /// For each node the cells around it and which corner it is, flat.
    around: Vec<(u32, u8)>,
    around_start: Vec<u32>,
    /// Mass and drag of the nodes.
    own: Vec<Sym3>,
    /// Inverse diagonal blocks.
    inverse: Vec<Sym3>,
    /// Nodes of the next level with their weights.
    parents: Vec<[(u32, f32); 8]>,
    children: Vec<(u32, f32)>,
    children_start: Vec<u32>,
}

/// The grids of a step.
pub(crate) struct Multilevel {
    element: Element,
    levels: Vec<Level>,
    /// For each particle its cell's corners and weights.
    corners: Vec<([u32; 8], [f32; 8])>,
    /// For each node of the finest level its particles and weights, flat.
    particles: Vec<(u32, f32)>,
    particles_start: Vec<u32>,
}

/// Turns a list of (key, value), in any order, into a flat list by key.
fn by_key<T: Copy>(count: usize, entries: &[(u32, T)]) -> (Vec<u32>, Vec<T>) {
    let mut start = vec![0_u32; count + 1];
    for (k, _) in entries {
        start[*k as usize + 1] += 1;
    }
    for k in 0..count {
        start[k + 1] += start[k];
    }
    let mut next = start.clone();
    let Some(&(_, first)) = entries.first() else {
        return (start, vec![]);
    };
    let mut values = vec![first; entries.len()];
    for &(k, v) in entries {
        values[next[k as usize] as usize] = v;
        next[k as usize] += 1;
    }
    (start, values)
}

impl Multilevel {
    /// Builds the grids; `stiffness` is Δt E V and `mass` the mass of each particle.
    pub(crate) fn new(
        step: &Step,
        gradients: &Gradients,
        holds: &[Hold],
        (stiffness, mass): (&[f32], &[f32]),
    ) -> Self {
        let size = CELL * step.kernel.spacing();
        let n = step.x0.len();
        let cell_of: Vec<[i32; 3]> =
            step.x0.iter().map(|&x| (x / size).floor().as_ivec3().to_array()).collect();
        let mut weight: std::collections::BTreeMap<[i32; 3], f32> = std::collections::BTreeMap::new();
        for i in 0..n {
            *weight.entry(cell_of[i]).or_default() += stiffness[i] / (size * size);
        }
        let cells: Vec<([i32; 3], f32)> = weight.into_iter().collect();
        let nodes = nodes_of(&cells);
        let mut own = vec![Sym3::ZERO; nodes.len()];
        let mut corners = Vec::with_capacity(n);
        let mut entries = Vec::with_capacity(8 * n);
        for i in 0..n {
            let base = IVec3::from_array(cell_of[i]);
            let w = weights(step.x0[i] / size - base.as_vec3());
            let index = corner_indices(cell_of[i], &nodes);
            // What is held cannot follow its node: the node feels it as drag.
            let free = if step.is_free(i) { holds[i].free } else { Sym3::ZERO };
            let wall = gradients.correction(i).mul_vec(gradients.wall(i).gradient).length_squared();
            let held = (Sym3::IDENTITY - free) * (stiffness[i] / step.kernel.spacing().powi(2));
            let drag = held + Sym3::isotropic(stiffness[i] * wall + mass[i]);
            for k in 0..8 {
                own[index[k] as usize] += drag * w[k];
                entries.push((index[k], (i as u32, w[k])));
            }
            corners.push((index, w));
        }
        let (particles_start, particles) = by_key(nodes.len(), &entries);
        let element = Element::new(step.bulk());
        let mut levels = vec![Level::new(&element, nodes, &cells, own)];
        let mut fine = cells;
        while levels.last().is_some_and(|l| l.nodes.len() > FEW_NODES) {
            let mut coarse: std::collections::BTreeMap<[i32; 3], f32> = std::collections::BTreeMap::new();
            for (cell, w) in &fine {
                // Twice the size: Σ E V/H² falls to a quarter.
                *coarse.entry(cell.map(|c| c.div_euclid(2))).or_default() += 0.25 * w;
            }
            let cells: Vec<([i32; 3], f32)> = coarse.into_iter().collect();
            let nodes = nodes_of(&cells);
            let last = levels.len() - 1;
            if nodes.len() >= levels[last].nodes.len() {
                break;
            }
            let own = levels[last].attach(&nodes);
            levels.push(Level::new(&element, nodes, &cells, own));
            fine = cells;
        }
        Self { element, levels, corners, particles, particles_start }
    }

    /// z = D⁻¹ r/θ + P V(Pᵀ r), on the free components.
    pub(crate) fn apply(
        &self,
        residual: &[Vec3A],
        diagonal: impl Fn(usize, Vec3A) -> Vec3A + Sync,
        free: impl Fn(usize, Vec3A) -> Vec3A + Sync,
        out: &mut [Vec3A],
    ) {
        let mut right = vec![Vec3::ZERO; self.levels[0].nodes.len()];
        parallel::fill(&mut right, |k| {
            let range = self.particles_start[k] as usize..self.particles_start[k + 1] as usize;
            self.particles[range].iter().map(|&(i, w)| Vec3::from(residual[i as usize]) * w).sum()
        });
        let solution = self.cycle(0, &right);
        parallel::fill(out, |i| {
            let (index, w) = &self.corners[i];
            let coarse: Vec3 = index.iter().zip(w).map(|(&k, &w)| solution[k as usize] * w).sum();
            diagonal(i, residual[i]) / THETA + free(i, coarse.into())
        });
    }

    /// One V-cycle from zero.
    fn cycle(&self, l: usize, right: &[Vec3]) -> Vec<Vec3> {
        let level = &self.levels[l];
        // The first sweep starts from zero: its residual is the right-hand side.
        let mut x = vec![Vec3::ZERO; right.len()];
        parallel::fill(&mut x, |i| level.inverse[i].mul_vec(right[i]) * self.damping());
        if l + 1 == self.levels.len() {
            for _ in 0..COARSEST_SWEEPS {
                self.smooth(l, right, &mut x);
            }
            return x;
        }
        let residual = level.residual(&self.element, right, &x);
        let coarse_count = self.levels[l + 1].nodes.len();
        let mut coarse = vec![Vec3::ZERO; coarse_count];
        parallel::fill(&mut coarse, |k| {
            let range = level.children_start[k] as usize..level.children_start[k + 1] as usize;
            level.children[range].iter().map(|&(i, w)| residual[i as usize] * w).sum()
        });
        let correction = self.cycle(l + 1, &coarse);
        parallel::for_each(&mut x, |i, x| {
            for &(k, w) in &level.parents[i] {
                *x += correction[k as usize] * w;
            }
        });
        self.smooth(l, right, &mut x);
        x
    }

    /// A damped block-Jacobi sweep; the element's bound makes it converge on every mesh.
    fn smooth(&self, l: usize, right: &[Vec3], x: &mut [Vec3]) {
        let level = &self.levels[l];
        let residual = level.residual(&self.element, right, x);
        parallel::for_each(x, |i, x| *x += level.inverse[i].mul_vec(residual[i]) * self.damping());
    }

    fn damping(&self) -> f32 {
        4.0 / 3.0 / self.element.largest
    }
}

fn nodes_of(cells: &[([i32; 3], f32)]) -> Vec<[i32; 3]> {
    let mut nodes: Vec<[i32; 3]> = cells
        .iter()
        .flat_map(|(c, _)| (0..8).map(move |k| (IVec3::from_array(*c) + corner(k).as_ivec3()).to_array()))
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

fn corner_indices(cell: [i32; 3], nodes: &[[i32; 3]]) -> [u32; 8] {
    std::array::from_fn(|k| {
        let node = (IVec3::from_array(cell) + corner(k).as_ivec3()).to_array();
        nodes.binary_search(&node).unwrap_or(0) as u32
    })
}

impl Level {
    fn new(element: &Element, nodes: Vec<[i32; 3]>, cells: &[([i32; 3], f32)], mut own: Vec<Sym3>) -> Self {
        let cells: Vec<([u32; 8], f32)> =
            cells.iter().map(|(c, w)| (corner_indices(*c, &nodes), *w)).collect();
        let mut entries = Vec::with_capacity(8 * cells.len());
        for (c, (index, w)) in cells.iter().enumerate() {
            for k in 0..8 {
                entries.push((index[k], (c as u32, k as u8)));
                // A little of everything on the diagonal keeps lonely nodes solvable in single precision.
                own[index[k] as usize] += Sym3::isotropic(1e-3 * w);
            }
        }
        let (around_start, around) = by_key(nodes.len(), &entries);
        let mut level = Self {
            nodes,
            cells,
            around,
            around_start,
            own,
            inverse: vec![],
            parents: vec![],
            children: vec![],
            children_start: vec![],
        };
        level.inverse = (0..level.nodes.len())
            .map(|i| {
                let mut block = level.own[i];
                for &(c, k) in level.around(i) {
                    let diagonal = element.blocks[k as usize][k as usize] * level.cells[c as usize].1;
                    block += Sym3::symmetric_part(&diagonal);
                }
                block.inverse()
            })
            .collect();
        level
    }

    fn around(&self, i: usize) -> &[(u32, u8)] {
        &self.around[self.around_start[i] as usize..self.around_start[i + 1] as usize]
    }

    fn residual(&self, element: &Element, right: &[Vec3], x: &[Vec3]) -> Vec<Vec3> {
        let mut residual = vec![Vec3::ZERO; right.len()];
        parallel::fill(&mut residual, |i| {
            let mut image = self.own[i].mul_vec(x[i]);
            for &(c, k) in self.around(i) {
                let (index, w) = &self.cells[c as usize];
                let row = &element.blocks[k as usize];
                let sum: Vec3 = (0..8).map(|q| row[q] * x[index[q] as usize]).sum();
                image += sum * *w;
            }
            right[i] - image
        });
        residual
    }

    /// Links this level to the nodes of the next, and returns their masses and drags.
    fn attach(&mut self, coarse: &[[i32; 3]]) -> Vec<Sym3> {
        let mut entries = Vec::new();
        let mut own = vec![Sym3::ZERO; coarse.len()];
        self.parents = self
            .nodes
            .iter()
            .enumerate()
            .map(|(i, node)| {
                let cell = node.map(|c| c.div_euclid(2));
                let x = Vec3::from_array(node.map(|c| 0.5 * c.rem_euclid(2) as f32));
                let w = weights(x);
                std::array::from_fn(|k| {
                    let parent = (IVec3::from_array(cell) + corner(k).as_ivec3()).to_array();
                    let index = coarse.binary_search(&parent).unwrap_or(0) as u32;
                    if w[k] > 0.0 {
                        entries.push((index, (i as u32, w[k])));
                        own[index as usize] += self.own[i] * w[k];
                    }
                    (index, w[k])
                })
            })
            .collect();
        (self.children_start, self.children) = by_key(coarse.len(), &entries);
        own
    }
}
