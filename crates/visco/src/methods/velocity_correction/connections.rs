//! Connections between particles, made and removed by Algorithm 1.
//!
//! The lists of two connected particles both have the connection, with the same length at rest; nothing has to be
//! scattered. Particles are named by their index, which changes when they are brought into another order, boundary
//! particles of walls by theirs, which never does.

use super::Step;
use super::around::Around;
use crate::checkpoint::{offsets, raw};
use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Marks the index of a wall's boundary particle.
const WALL: u32 = 1 << 31;
/// Particles handled together.
const CHUNK: usize = 256;

/// A connection of a particle.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Connection {
    partner: u32,
    /// Distance at which it was made, in m.
    pub(crate) rest: f32,
}

/// Whom a particle is connected with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partner {
    Particle(usize),
    /// A boundary particle of a wall.
    Wall(usize),
}

impl Connection {
    #[inline]
    pub(crate) fn partner(&self) -> Partner {
        match self.partner & WALL {
            0 => Partner::Particle(self.partner as usize),
            _ => Partner::Wall((self.partner & !WALL) as usize),
        }
    }
}

/// The connections of all particles: lists, one after the other.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Connections {
    #[serde(with = "offsets")]
    start: Vec<usize>,
    #[serde(with = "raw")]
    list: Vec<Connection>,
}

impl Default for Connections {
    fn default() -> Self {
        Self { start: vec![0], list: vec![] }
    }
}

/// Marks of partners that have been seen, for one particle at a time.
struct Seen {
    particles: Vec<u32>,
    walls: Vec<u32>,
}

impl Seen {
    fn mark(&mut self, partner: Partner) -> &mut u32 {
        match partner {
            Partner::Particle(j) => &mut self.particles[j],
            Partner::Wall(b) => &mut self.walls[b],
        }
    }
}

impl Connections {
    #[inline]
    pub(crate) fn of(&self, i: usize) -> &[Connection] {
        &self.list[self.start[i]..self.start[i + 1]]
    }

    /// Number of connections of particles with particles, and with walls.
    pub(crate) fn count(&self) -> (usize, usize) {
        let walls = self.list.iter().filter(|c| c.partner & WALL != 0).count();
        ((self.list.len() - walls) / 2, walls)
    }

    /// Whether the lists are those of so many particles and boundary particles.
    pub(crate) fn are_of(&self, particles: usize, samples: usize) -> bool {
        let whole = self.start.len() == particles + 1
            && self.start.first() == Some(&0)
            && self.start.is_sorted()
            && self.start.last() == Some(&self.list.len());
        let known = |c: &Connection| match c.partner() {
            Partner::Particle(j) => j < particles,
            Partner::Wall(b) => b < samples,
        };
        whole && self.list.iter().all(|c| known(c) && c.rest >= 0.0)
    }

    /// New particles (at the end) are connected with none.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.start.resize(particles + 1, self.list.len());
    }

    /// Brings the lists into the order of the particles; what was connected with particles that vanish is not any more.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        let mut new_index = vec![WALL; self.start.len() - 1];
        for (new, &old) in order.iter().enumerate() {
            new_index[old as usize] = new as u32;
        }
        let moved = |c: &Connection| match c.partner() {
            Partner::Wall(_) => Some(*c),
            Partner::Particle(j) if new_index[j] == WALL => None,
            Partner::Particle(j) => Some(Connection { partner: new_index[j], ..*c }),
        };
        *self = Self::collect(order.len(), || (), |(), i, list| {
            list.extend(self.of(order[i] as usize).iter().filter_map(moved));
        });
    }

    /// The lists of `count` particles; `add` appends those of one.
    fn collect<S: Send>(
        count: usize,
        scratch: impl Fn() -> S + Sync + Send,
        add: impl Fn(&mut S, usize, &mut Vec<Connection>) + Sync,
    ) -> Self {
        let chunks: Vec<(Vec<u32>, Vec<Connection>)> = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map_init(&scratch, |scratch, c| {
                let mut counts = Vec::with_capacity(CHUNK);
                let mut list = Vec::with_capacity(CHUNK * 48);
                for i in c * CHUNK..count.min((c + 1) * CHUNK) {
                    let before = list.len();
                    add(scratch, i, &mut list);
                    counts.push((list.len() - before) as u32);
                }
                (counts, list)
            })
            .collect();
        let mut new = Self::default();
        new.start.reserve(count);
        new.list.reserve(chunks.iter().map(|(_, list)| list.len()).sum());
        for (counts, list) in &chunks {
            for &count in counts {
                new.start.push(new.start.last().copied().unwrap_or(0) + count as usize);
            }
            new.list.extend_from_slice(list);
        }
        new
    }

    /// Algorithm 1: connects what is near enough, and parts what is too far apart.
    pub(super) fn update(&mut self, step: &Step, around: &Around) {
        let h = step.kernel.support();
        let particles = around.positions.len();
        let walls = around.walls.positions.len();
        let seen = || Seen { particles: vec![u32::MAX; particles], walls: vec![u32::MAX; walls] };
        *self = Self::collect(particles, seen, |seen, i, list| {
            if !step.may_connect(i) {
                return;
            }
            let old = self.of(i);
            for c in old {
                let partner = c.partner();
                *seen.mark(partner) = i as u32;
                let Some(link) = step.link(i, partner) else { continue };
                if step.distance(i, partner, around) <= link.split * h {
                    list.push(*c);
                }
            }
            let mut connect = |partner: Partner, name: u32| {
                if *seen.mark(partner) == i as u32 {
                    return;
                }
                let Some(link) = step.link(i, partner) else { return };
                let rest = step.distance(i, partner, around);
                if rest < link.merge * h {
                    list.push(Connection { partner: name, rest });
                }
            };
            around.near.of(i).iter().for_each(|&j| connect(Partner::Particle(j as usize), j));
            around.near_walls.of(i).iter().for_each(|&b| connect(Partner::Wall(b as usize), b | WALL));
        });
    }
}
