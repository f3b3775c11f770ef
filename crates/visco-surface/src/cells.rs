//! Particles sorted by cell, to find those near any point.

use glam::{IVec3, Vec3};

/// Particles in cells as wide as the largest distance that is asked for.
pub(crate) struct Cells {
    width: f32,
    /// The cells that hold particles, sorted, z running fastest.
    keys: Vec<[i32; 3]>,
    /// Where the particles of each cell begin, and the end.
    starts: Vec<u32>,
    /// Index and position of the particles, by cell.
    particles: Vec<(u32, Vec3)>,
}

/// Where the particles around a cell lie, kept from one query to the next.
#[derive(Default)]
pub(crate) struct Near {
    cell: Option<IVec3>,
    runs: Vec<(u32, u32)>,
}

impl Cells {
    pub(crate) fn new(positions: &[Vec3], width: f32) -> Self {
        let mut named: Vec<([i32; 3], u32)> =
            positions.iter().enumerate().map(|(i, x)| (cell(*x, width).to_array(), i as u32)).collect();
        named.sort_unstable();
        let (mut keys, mut starts) = (Vec::new(), Vec::new());
        for (at, (key, _)) in named.iter().enumerate() {
            if keys.last() != Some(key) {
                keys.push(*key);
                starts.push(at as u32);
            }
        }
        starts.push(named.len() as u32);
        let particles = named.into_iter().map(|(_, i)| (i, positions[i as usize])).collect();
        Self { width, keys, starts, particles }
    }

    /// The cells that hold particles.
    pub(crate) fn occupied(&self) -> &[[i32; 3]] {
        &self.keys
    }

    /// Calls `f(index, position)` for every particle in the cells around a point: all that are nearer than the width,
    /// and some others. Always in the same order.
    pub(crate) fn around(&self, x: Vec3, near: &mut Near, mut f: impl FnMut(usize, Vec3)) {
        let here = cell(x, self.width);
        if near.cell != Some(here) {
            near.cell = Some(here);
            self.find_runs(here, &mut near.runs);
        }
        for &(from, to) in &near.runs {
            for &(i, position) in &self.particles[from as usize..to as usize] {
                f(i as usize, position);
            }
        }
    }

    fn find_runs(&self, here: IVec3, runs: &mut Vec<(u32, u32)>) {
        runs.clear();
        for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
            let row = [here.x.saturating_add(x), here.y.saturating_add(y)];
            let first = [row[0], row[1], here.z.saturating_sub(1)];
            let last = [row[0], row[1], here.z.saturating_add(1)];
            let from = self.keys.partition_point(|key| *key < first);
            let to = from + self.keys[from..].iter().take_while(|key| **key <= last).count();
            if to > from {
                runs.push((self.starts[from], self.starts[to]));
            }
        }
    }
}

fn cell(x: Vec3, width: f32) -> IVec3 {
    (x / width).floor().as_ivec3()
}
