//! A coarse correction for the velocity solve: trilinear grids over the particles.
//!
//! Block-diagonal conjugate gradients carry information one kernel an iteration; a stiff rope needs it from end to end.
//! The residual is gathered to the nodes of a grid of cells H = 2d, solved there by a V-cycle over ever coarser grids,
//! and interpolated back: P⁻¹ r = D⁻¹ r/θ + P V(Pᵀ r).
//!
//! On every level the matrix is that of trilinear elements: a cell weighs what its particles resist with, times one of
//! a few constant 24×24 matrices; masses are lumped, and held particles drag their nodes. Where space repeats the cells
//! are stretched so that a whole number of them fits.

mod cholesky;
mod element;
mod level;

use super::contact::Hold;
use super::system::VelocitySystem;
use crate::math::Sym3;
use crate::parallel;
use cholesky::Cholesky;
use element::weight;
use glam::{Vec3, Vec3A};
use level::{Content, Layout, Level, Place};
use rayon::prelude::*;

/// The finest cells, in spacings.
const CELL: f32 = 2.0;
/// Largest eigenvalue of the block-diagonal part's share.
const THETA: f32 = 1.4;
/// Nodes of a level that is solved directly.
const FEW_NODES: usize = 60;
/// Sweeps on a coarsest level that is too large for that: fluid scattered so widely that grids do not shrink.
const COARSEST_SWEEPS: usize = 20;

/// The grids of a step.
pub(crate) struct Multilevel {
    levels: Vec<Level>,
    coarsest: Option<Cholesky>,
    /// For each particle its cell, and where in the cell it is.
    cell_of: Vec<(u32, Vec3)>,
    /// Particles by cell.
    order: Vec<u32>,
    start: Vec<u32>,
}

impl Multilevel {
    /// Builds the grids.
    pub(crate) fn new(system: &VelocitySystem, holds: &[Hold]) -> Self {
        let step = system.setting;
        let layout = finest(step.domain.extent(), CELL * step.kernel.spacing());
        let origin = step.domain.origin();
        let mut keyed: Vec<(Place, u32)> = step
            .x0
            .par_iter()
            .enumerate()
            .map(|(i, &x)| {
                let place = ((x - origin) / layout.size).floor().as_ivec3().to_array();
                (layout.wrap(place), i as u32)
            })
            .collect();
        keyed.par_sort_unstable();
        let order: Vec<u32> = keyed.iter().map(|k| k.1).collect();
        let (mut places, mut start): (Vec<Place>, Vec<u32>) = (vec![], vec![]);
        let mut cell_of = vec![(0, Vec3::ZERO); order.len()];
        for (at, &(place, i)) in keyed.iter().enumerate() {
            if places.last() != Some(&place) {
                places.push(place);
                start.push(at as u32);
            }
            let x = (step.x0[i as usize] - origin) / layout.size;
            cell_of[i as usize] = (places.len() as u32 - 1, (x - x.floor()).clamp(Vec3::ZERO, Vec3::ONE));
        }
        start.push(order.len() as u32);
        let mut contents = vec![Content::default(); places.len()];
        let within = |c: usize| &order[start[c] as usize..start[c + 1] as usize];
        // A body resists deformation at least as the stiffest fluid does, though no matrix says so.
        let n = step.x0.len();
        let stiffest = Content {
            shear: parallel::max(n, 0.0, |i| system.resistance[i].shear),
            bulk: parallel::max(n, 0.0, |i| system.resistance[i].bulk),
        };
        parallel::fill(&mut contents, |c| {
            let content = |i: &u32| {
                let r = &system.resistance[*i as usize];
                match step.body(*i as usize) {
                    None => Content { shear: r.shear, bulk: r.bulk },
                    Some(_) => stiffest,
                }
            };
            within(c).iter().map(content).fold(Content::default(), Content::add)
        });
        let drags = drags(system, holds);
        let first = Level::new(layout, places, contents, |level| {
            let mut own = vec![Sym3::ZERO; level.nodes.len()];
            parallel::fill(&mut own, |node| {
                let mut sum = Sym3::ZERO;
                for &(c, k) in level.around(node) {
                    for &i in within(c as usize) {
                        sum += drags[i as usize] * weight(k.into(), cell_of[i as usize].1);
                    }
                }
                sum
            });
            own
        });
        let mut levels = vec![first];
        loop {
            let last = levels.len() - 1;
            if levels[last].nodes.len() <= FEW_NODES {
                break;
            }
            let next = levels[last].coarser();
            if next.nodes.len() >= levels[last].nodes.len() {
                break;
            }
            levels.push(next);
        }
        let last = &levels[levels.len() - 1];
        let coarsest = (last.nodes.len() <= FEW_NODES).then(|| Cholesky::new(last.dense())).flatten();
        Self { levels, coarsest, cell_of, order, start }
    }

    /// z = D⁻¹ r/θ + P V(Pᵀ r), on the free components.
    pub(crate) fn apply(
        &self,
        residual: &[Vec3A],
        diagonal: impl Fn(usize, Vec3A) -> Vec3A + Sync,
        free: impl Fn(usize, Vec3A) -> Vec3A + Sync,
        out: &mut [Vec3A],
    ) {
        let level = &self.levels[0];
        let mut right = vec![Vec3A::ZERO; level.nodes.len()];
        parallel::fill(&mut right, |node| {
            let mut sum = Vec3A::ZERO;
            for &(c, k) in level.around(node) {
                let range = self.start[c as usize] as usize..self.start[c as usize + 1] as usize;
                for &i in &self.order[range] {
                    sum += residual[i as usize] * weight(k.into(), self.cell_of[i as usize].1);
                }
            }
            sum
        });
        let solution = self.cycle(0, &right);
        parallel::fill(out, |i| {
            let (cell, x) = self.cell_of[i];
            let corners = level.corners(cell as usize);
            let coarse: Vec3A = (0..8).map(|k| solution[corners[k] as usize] * weight(k, x)).sum();
            diagonal(i, residual[i]) / THETA + free(i, coarse)
        });
    }

    /// One V-cycle from zero.
    fn cycle(&self, l: usize, right: &[Vec3A]) -> Vec<Vec3A> {
        let level = &self.levels[l];
        let last = l + 1 == self.levels.len();
        if let (true, Some(direct)) = (last, &self.coarsest) {
            return direct.solve(right);
        }
        let mut x = level.first_sweep(right);
        if last {
            (0..COARSEST_SWEEPS).for_each(|_| level.sweep(right, &mut x));
            return x;
        }
        let coarse = level.restrict(&level.residual(right, &x), self.levels[l + 1].nodes.len());
        level.prolong(&self.cycle(l + 1, &coarse), &mut x);
        level.sweep(right, &mut x);
        x
    }
}

/// Cells of about `size` that fit a repeating box.
fn finest(extent: [Option<f32>; 3], size: f32) -> Layout {
    let cells = extent.map(|e| e.map(|e| (e / size).round().max(1.0)));
    let along = |k: usize| match (extent[k], cells[k]) {
        (Some(extent), Some(cells)) => extent / cells,
        _ => size,
    };
    Layout { size: Vec3::new(along(0), along(1), along(2)), period: cells.map(|c| c.map(|c| c as i32)) }
}

/// Mass of every particle, and the drag with which walls and holds slow its nodes: what is held cannot follow them.
fn drags(system: &VelocitySystem, holds: &[Hold]) -> Vec<Sym3> {
    let (step, gradients) = (system.setting, system.gradients);
    let d2 = step.kernel.spacing().powi(2);
    let mut drags = vec![Sym3::ZERO; system.mass.len()];
    parallel::fill(&mut drags, |i| {
        let free = if step.is_free(i) { holds[i].free } else { Sym3::ZERO };
        let shear = system.resistance[i].shear;
        let wall = gradients.wall(i).map_or(Sym3::ZERO, |wall| wall.squares(gradients.correction(i)));
        (Sym3::IDENTITY - free) * (shear / d2) + wall * shear + Sym3::isotropic(system.mass[i])
    });
    drags
}
