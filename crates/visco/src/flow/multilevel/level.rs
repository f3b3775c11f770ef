//! A grid of one cell size.

use super::element::{Element, corner, weight};
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Vec3, Vec3A};
use rayon::prelude::*;

/// Buckets of the ratio of bulk to shear, in powers of two.
const RATIOS: std::ops::RangeInclusive<i32> = -6..=20;

/// Coordinates of a cell or node.
pub(super) type Place = [i32; 3];

/// Where cells lie and how they repeat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Size of a cell.
    pub(super) size: Vec3,
    /// Number of cells along an axis that repeats.
    pub(super) period: [Option<i32>; 3],
}

impl Layout {
    pub(super) fn wrap(&self, mut place: Place) -> Place {
        for (c, period) in place.iter_mut().zip(self.period) {
            if let Some(period) = period {
                *c = c.rem_euclid(period);
            }
        }
        place
    }

    /// By what power of two the next grid is coarser along each axis: an odd number of repeating cells stays.
    fn halves(&self) -> [bool; 3] {
        self.period.map(|p| p.is_none_or(|cells| cells % 2 == 0))
    }

    fn coarser(&self) -> Self {
        let halves = self.halves();
        let factor = Vec3::from_array(halves.map(|h| if h { 2.0 } else { 1.0 }));
        let period = std::array::from_fn(|k| self.period[k].map(|p| if halves[k] { p / 2 } else { p }));
        Self { size: self.size * factor, period }
    }
}

/// What the fluid in a cell resists with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Content {
    pub(super) shear: f32,
    pub(super) bulk: f32,
}

impl Content {
    pub(super) fn add(self, o: Self) -> Self {
        Self { shear: self.shear + o.shear, bulk: self.bulk + o.bulk }
    }

    fn bucket(self) -> i32 {
        let ratio = self.bulk.max(f32::MIN_POSITIVE) / self.shear.max(f32::MIN_POSITIVE);
        (ratio.log2().round() as i32).clamp(*RATIOS.start(), *RATIOS.end())
    }
}

/// A cell with fluid in it.
struct Cell {
    /// Its corners among the nodes.
    corners: [u32; 8],
    /// Shear and bulk, together.
    stiffness: f32,
    /// Which element matrix.
    element: u32,
}

/// A link between grids, with its weight.
pub(super) type Link = (u32, f32);

pub(super) struct Level {
    layout: Layout,
    places: Vec<Place>,
    contents: Vec<Content>,
    pub(super) nodes: Vec<Place>,
    cells: Vec<Cell>,
    elements: Vec<Element>,
    /// For each node the cells around it and which corner it is, flat.
    around: Flat<(u32, u8)>,
    /// Mass and drag of the nodes.
    own: Vec<Sym3>,
    /// Inverse diagonal blocks.
    inverse: Vec<Sym3>,
    /// Nodes of the next level with their weights.
    parents: Vec<[Link; 8]>,
    children: Flat<Link>,
}

/// Lists by key, one after the other.
pub(super) struct Flat<T> {
    start: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy> Flat<T> {
    /// From (key, value) in any order; values of a key keep their order.
    pub(super) fn new(count: usize, entries: &[(u32, T)]) -> Self {
        let mut start = vec![0_u32; count + 1];
        for (k, _) in entries {
            start[*k as usize + 1] += 1;
        }
        for k in 0..count {
            start[k + 1] += start[k];
        }
        let mut next = start.clone();
        let mut values: Vec<T> = entries.iter().map(|e| e.1).collect();
        for &(k, v) in entries {
            values[next[k as usize] as usize] = v;
            next[k as usize] += 1;
        }
        Self { start, values }
    }

    pub(super) fn of(&self, k: usize) -> &[T] {
        &self.values[self.start[k] as usize..self.start[k + 1] as usize]
    }
}

impl Level {
    /// A level over occupied cells, in order; `own` gives mass and drag of its nodes once they are known.
    pub(super) fn new(
        layout: Layout,
        places: Vec<Place>,
        contents: Vec<Content>,
        own: impl FnOnce(&Self) -> Vec<Sym3>,
    ) -> Self {
        let neighbor = |c: &Place, k: usize| {
            let step = corner(k).as_ivec3().to_array();
            layout.wrap(std::array::from_fn(|a| c[a] + step[a]))
        };
        let mut nodes: Vec<Place> =
            places.par_iter().flat_map_iter(|c| (0..8).map(move |k| neighbor(c, k))).collect();
        nodes.par_sort_unstable();
        nodes.dedup();
        let (elements, element_of) = elements(&layout, &contents);
        let find = |place: &Place| nodes.binary_search(place).unwrap_or(0) as u32;
        let cells: Vec<Cell> = places
            .par_iter()
            .enumerate()
            .map(|(c, place)| Cell {
                corners: std::array::from_fn(|k| find(&neighbor(place, k))),
                stiffness: contents[c].shear + contents[c].bulk,
                element: element_of[c],
            })
            .collect();
        let mut entries = Vec::with_capacity(8 * cells.len());
        for (c, cell) in cells.iter().enumerate() {
            entries.extend((0..8).map(|k| (cell.corners[k], (c as u32, k as u8))));
        }
        let around = Flat::new(nodes.len(), &entries);
        let (own_none, inverse, parents) = (vec![], vec![], vec![]);
        let children = Flat { start: vec![0], values: vec![] };
        let mut level = Self {
            layout,
            places,
            contents,
            nodes,
            cells,
            elements,
            around,
            own: own_none,
            inverse,
            parents,
            children,
        };
        level.own = own(&level);
        level.invert_blocks();
        level
    }

    fn invert_blocks(&mut self) {
        let mut inverse = vec![Sym3::ZERO; self.own.len()];
        parallel::fill(&mut inverse, |i| {
            let mut block = self.own[i];
            for &(c, k) in self.around.of(i) {
                let cell = &self.cells[c as usize];
                let diagonal = self.elements[cell.element as usize].block(k.into(), k.into());
                block += Sym3::symmetric_part(&Mat3::from(diagonal * cell.stiffness));
            }
            block.inverse()
        });
        self.inverse = inverse;
    }

    /// The cells around a node, and which corner of them it is.
    pub(super) fn around(&self, node: usize) -> &[(u32, u8)] {
        self.around.of(node)
    }

    pub(super) fn corners(&self, cell: usize) -> &[u32; 8] {
        &self.cells[cell].corners
    }

    /// How much of a Jacobi sweep converges on every mesh of such elements.
    fn damping(&self) -> f32 {
        4.0 / 3.0 / self.elements.iter().map(|e| e.largest).fold(1.0, f32::max)
    }

    #[inline]
    fn image(&self, x: &[Vec3A], i: usize) -> Vec3A {
        let mut image = self.own[i].mul_vec3a(x[i]);
        for &(c, k) in self.around.of(i) {
            let cell = &self.cells[c as usize];
            image += self.elements[cell.element as usize].row(k.into(), x, &cell.corners) * cell.stiffness;
        }
        image
    }

    /// The first sweep from zero, whose residual is the right-hand side.
    pub(super) fn first_sweep(&self, right: &[Vec3A]) -> Vec<Vec3A> {
        let damping = self.damping();
        let mut x = vec![Vec3A::ZERO; right.len()];
        parallel::fill(&mut x, |i| self.inverse[i].mul_vec3a(right[i]) * damping);
        x
    }

    /// A damped block-Jacobi sweep.
    pub(super) fn sweep(&self, right: &[Vec3A], x: &mut [Vec3A]) {
        let residual = self.residual(right, x);
        let damping = self.damping();
        parallel::for_each(x, |i, x| *x += self.inverse[i].mul_vec3a(residual[i]) * damping);
    }

    pub(super) fn residual(&self, right: &[Vec3A], x: &[Vec3A]) -> Vec<Vec3A> {
        let mut residual = vec![Vec3A::ZERO; right.len()];
        parallel::fill(&mut residual, |i| right[i] - self.image(x, i));
        residual
    }

    /// Gathers a residual to the next level, which has `count` nodes.
    pub(super) fn restrict(&self, residual: &[Vec3A], count: usize) -> Vec<Vec3A> {
        let mut coarse = vec![Vec3A::ZERO; count];
        parallel::fill(&mut coarse, |k| {
            self.children.of(k).iter().map(|&(i, w)| residual[i as usize] * w).sum()
        });
        coarse
    }

    /// Adds the next level's correction.
    pub(super) fn prolong(&self, correction: &[Vec3A], x: &mut [Vec3A]) {
        parallel::for_each(x, |i, x| {
            for &(k, w) in &self.parents[i] {
                *x += correction[k as usize] * w;
            }
        });
    }

    /// The next level, linked to this one.
    pub(super) fn coarser(&mut self) -> Self {
        let (halves, layout) = (self.layout.halves(), self.layout.coarser());
        let coarse = |c: &Place| -> Place {
            std::array::from_fn(|a| if halves[a] { c[a].div_euclid(2) } else { c[a] })
        };
        let mut keyed: Vec<(Place, Content)> =
            self.places.iter().zip(&self.contents).map(|(c, content)| (coarse(c), *content)).collect();
        // Stable: the sum of a cell is added in one order.
        keyed.sort_by_key(|(c, _)| *c);
        let (mut places, mut contents): (Vec<Place>, Vec<Content>) = (vec![], vec![]);
        for (c, content) in keyed {
            if places.last() == Some(&c) {
                let last = contents.len() - 1;
                contents[last] = contents[last].add(content);
            } else {
                places.push(c);
                contents.push(content);
            }
        }
        Self::new(layout, places, contents, |next| self.link(next, halves))
    }

    /// Links the nodes to those of the next level; returns its masses and drags.
    fn link(&mut self, next: &Self, halves: [bool; 3]) -> Vec<Sym3> {
        let mut parents = vec![[(0, 0.0); 8]; self.nodes.len()];
        parallel::fill(&mut parents, |i| {
            let node = self.nodes[i];
            let (mut base, mut x) = (node, [0.0; 3]);
            for a in 0..3 {
                if halves[a] {
                    base[a] = node[a].div_euclid(2);
                    x[a] = 0.5 * node[a].rem_euclid(2) as f32;
                }
            }
            std::array::from_fn(|k| {
                let w = weight(k, Vec3::from_array(x));
                let step = corner(k).as_ivec3().to_array();
                let parent = next.layout.wrap(std::array::from_fn(|a| base[a] + step[a]));
                (next.nodes.binary_search(&parent).unwrap_or(0) as u32, w)
            })
        });
        let mut entries = Vec::with_capacity(4 * parents.len());
        let mut own = vec![Sym3::ZERO; next.nodes.len()];
        for (i, links) in parents.iter().enumerate() {
            for &(k, w) in links.iter().filter(|(_, w)| *w > 0.0) {
                entries.push((k, (i as u32, w)));
                own[k as usize] += self.own[i] * w;
            }
        }
        self.parents = parents;
        self.children = Flat::new(next.nodes.len(), &entries);
        own
    }

    /// The whole matrix, row by row.
    pub(super) fn dense(&self) -> Vec<f64> {
        let n = 3 * self.nodes.len();
        let mut matrix = vec![0.0; n * n];
        let mut add = |i: usize, j: usize, block: Mat3| {
            for r in 0..3 {
                for c in 0..3 {
                    matrix[(3 * i + r) * n + 3 * j + c] += f64::from(block.col(c)[r]);
                }
            }
        };
        for i in 0..self.nodes.len() {
            add(i, i, self.own[i].to_mat3());
            for &(c, p) in self.around.of(i) {
                let cell = &self.cells[c as usize];
                for q in 0..8 {
                    let block = self.elements[cell.element as usize].block(p.into(), q) * cell.stiffness;
                    add(i, cell.corners[q] as usize, block.into());
                }
            }
        }
        // What rounding leaves of rigid motions of a body that nothing holds must not be negative.
        (0..n).for_each(|k| matrix[k * n + k] *= 1.0 + 1e-6);
        matrix
    }
}

/// The element matrices that the cells need, and which cell needs which.
fn elements(layout: &Layout, contents: &[Content]) -> (Vec<Element>, Vec<u32>) {
    let mut buckets: Vec<i32> = contents.iter().map(|c| c.bucket()).collect();
    let all = buckets.clone();
    buckets.sort_unstable();
    buckets.dedup();
    let index = |b: &i32| buckets.binary_search(b).unwrap_or(0) as u32;
    let of = all.iter().map(index).collect();
    let scale = layout.size;
    (buckets.iter().map(|&b| Element::new(scale, 2.0_f32.powi(b))).collect(), of)
}
