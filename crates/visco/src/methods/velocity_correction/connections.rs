//! Connections between particles, made and removed by Algorithm 1.
//!
//! The lists of two connected particles both have the connection, with the same length at rest; nothing has to be
//! scattered. Particles are named by their index, which changes when they are brought into another order, boundary
//! particles of walls by theirs, which never does.

use super::corrections::{Ends, Pull};
use super::setting::Step;
use crate::checkpoint::{offsets, raw};
use crate::iisph::Around;
use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Marks the index of a wall's boundary particle.
const WALL: u32 = 1 << 31;
/// Marks the index of a body's particle.
const BODY: u32 = 1 << 30;
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
            0 => Partner::Particle((self.partner & !BODY) as usize),
            _ => Partner::Wall((self.partner & !WALL) as usize),
        }
    }

    /// The partner, where it is fluid.
    #[inline]
    pub(super) fn fluid_partner(&self) -> Option<usize> {
        (self.partner & (WALL | BODY) == 0).then_some(self.partner as usize)
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

/// Marks of partners that have been seen, for one particle at a time. Most steps need none.
#[derive(Default)]
struct Seen {
    particles: Vec<u32>,
    walls: Vec<u32>,
}

impl Seen {
    fn mark(&mut self, partner: Partner) -> &mut u32 {
        let (marks, k) = match partner {
            Partner::Particle(j) => (&mut self.particles, j),
            Partner::Wall(b) => (&mut self.walls, b),
        };
        if marks.len() <= k {
            marks.resize((2 * k).max(CHUNK), u32::MAX);
        }
        &mut marks[k]
    }
}

/// What a chunk of particles has become: the lengths of its lists, and the lists where they have changed.
struct Updated {
    counts: Vec<u32>,
    list: Option<Vec<Connection>>,
    energy: f64,
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
            Partner::Particle(j) => Some(Connection { partner: new_index[j] | c.partner & BODY, ..*c }),
        };
        let mut new = Self { start: Vec::with_capacity(order.len() + 1), ..Self::default() };
        new.list.reserve(self.list.len());
        new.start.push(0);
        for &old in order {
            new.list.extend(self.of(old as usize).iter().filter_map(moved));
            new.start.push(new.list.len());
        }
        *self = new;
    }

    /// Algorithm 1, and what the connections that remain pull with: parts what is too far apart, connects what is near
    /// enough. Returns the energy that the connections store, in J.
    pub(super) fn update(&mut self, step: &Step, around: &Around, ends: &Ends, pulls: &mut [Pull]) -> f64 {
        let chunks: Vec<Updated> = pulls
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map_init(Seen::default, |seen, (c, pulls)| {
                self.update_chunk((step, around), ends, seen, (c * CHUNK, pulls))
            })
            .collect();
        let energy = chunks.iter().map(|chunk| chunk.energy).sum();
        if chunks.iter().any(|chunk| chunk.list.is_some()) {
            let mut new = Self { start: Vec::with_capacity(self.start.len()), ..Self::default() };
            new.list.reserve(self.list.len() + self.list.len() / 8);
            new.start.push(0);
            let mut first = 0;
            for Updated { counts, list, .. } in &chunks {
                let last = first + counts.len();
                let old = &self.list[self.start[first]..self.start[last]];
                new.list.extend_from_slice(list.as_deref().unwrap_or(old));
                for &count in counts {
                    new.start.push(new.start.last().copied().unwrap_or(0) + count as usize);
                }
                first = last;
            }
            *self = new;
        }
        energy
    }

    fn update_chunk(
        &self,
        (step, around): (&Step, &Around),
        ends: &Ends,
        seen: &mut Seen,
        (first, pulls): (usize, &mut [Pull]),
    ) -> Updated {
        let mut updated = Updated { counts: Vec::with_capacity(pulls.len()), list: None, energy: 0.0 };
        for (k, pull) in pulls.iter_mut().enumerate() {
            let i = first + k;
            *pull = Pull::default();
            let old = self.of(i);
            let (near, parted) = ends.pull((step, i), old, pull);
            updated.energy += f64::from(pull.energy);
            // All that is near is connected if as many connections are as near as neighbours there are.
            let whole = step.connects_all && near == around.near.count(i) + around.near_walls.count(i);
            let before = updated.list.as_ref().map(Vec::len);
            if whole && !parted || !step.may_connect(i) {
                if let Some(list) = &mut updated.list {
                    list.extend_from_slice(old);
                }
                updated.counts.push(old.len() as u32);
            } else {
                let list =
                    updated.list.get_or_insert_with(|| self.list[self.start[first]..self.start[i]].to_vec());
                let before = before.unwrap_or(list.len());
                self.connect((step, around), ends, seen, (i, list));
                updated.counts.push((list.len() - before) as u32);
            }
        }
        updated
    }

    /// Appends the connections of a particle that remain, and those that it makes.
    fn connect(
        &self,
        (step, around): (&Step, &Around),
        ends: &Ends,
        seen: &mut Seen,
        (i, list): (usize, &mut Vec<Connection>),
    ) {
        let h = step.kernel.support();
        for c in self.of(i) {
            let partner = c.partner();
            *seen.mark(partner) = i as u32;
            let apart = ends.away(step, i, partner).length_squared();
            if step.link(i, partner).is_some_and(|link| apart <= (link.split * h).powi(2)) {
                list.push(*c);
            }
        }
        let mut connect = |partner: Partner, name: u32| {
            let mark = seen.mark(partner);
            if *mark != i as u32
                && let Some(link) = step.link(i, partner)
            {
                let rest = ends.away(step, i, partner).length();
                if rest < link.merge * h {
                    list.push(Connection { partner: name, rest });
                }
            }
        };
        let body = |j: u32| if step.is_solid(j as usize) { BODY } else { 0 };
        around.near.of(i).iter().for_each(|&j| connect(Partner::Particle(j as usize), j | body(j)));
        around.near_walls.of(i).iter().for_each(|&b| connect(Partner::Wall(b as usize), b | WALL));
    }
}
