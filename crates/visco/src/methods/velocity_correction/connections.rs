//! Connections between particles, made and removed by Algorithm 1.
//!
//! The lists of two connected particles both have the connection, with the same length at rest; nothing has to be
//! scattered. Particles are named by their index, which changes when they are brought into another order, boundary
//! particles of walls by theirs, which never does.

use super::corrections::{Ends, Pull};
use super::seen::Seen;
use super::setting::Step;
use crate::checkpoint::{offsets, raw};
use crate::iisph::Around;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Marks the index of a wall's boundary particle.
pub(super) const WALL: u32 = 1 << 31;
/// Marks the index of a body's particle.
pub(super) const BODY: u32 = 1 << 30;
/// Particles handled together.
const CHUNK: usize = 256;

/// Connections that a list has room for at least when it is made.
const SPARE: usize = 8;

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

    /// One with a particle of fluid.
    #[cfg(test)]
    pub(super) fn with_fluid(partner: u32, rest: f32) -> Self {
        Self { partner, rest }
    }

    /// One with a particle of a body.
    #[cfg(test)]
    pub(super) fn with_body(partner: u32, rest: f32) -> Self {
        Self { partner: partner | BODY, rest }
    }

    /// Whether the partner is a wall or belongs to a body.
    #[inline]
    pub(super) fn leads_to_solid(&self) -> bool {
        self.partner & (WALL | BODY) != 0
    }

    /// The index of a partner that is fluid.
    #[inline]
    pub(super) fn index(&self) -> usize {
        self.partner as usize
    }
}

/// Where a list starts, ends, and where its room ends.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    end: u32,
    limit: u32,
}

/// The connections of a chunk of particles: lists, each with room for more.
#[derive(Clone, Debug, Default)]
struct Lists {
    places: Vec<Place>,
    all: Vec<Connection>,
    /// How much of `all` belongs to no list any more.
    left: usize,
}

impl Lists {
    #[inline]
    fn of(&self, k: usize) -> &[Connection] {
        let Place { start, end, .. } = self.places[k];
        &self.all[start as usize..end as usize]
    }

    /// Adds a list, with room for some that may follow.
    fn push(&mut self, list: impl Iterator<Item = Connection>) {
        let start = self.all.len() as u32;
        self.all.extend(list);
        let place = self.with_room(start);
        self.places.push(place);
    }

    /// The place of a list that starts there, ends where all end, and gets some room behind it.
    fn with_room(&mut self, start: u32) -> Place {
        let end = self.all.len();
        self.all.resize(end + (end - start as usize) / 4 + SPARE, Connection::zeroed());
        Place { start, end: end as u32, limit: self.all.len() as u32 }
    }

    /// Appends to a list; one that has no room for it is moved behind all others.
    fn append(&mut self, k: usize, list: &[Connection]) {
        let Place { start, end, limit } = self.places[k];
        if end as usize + list.len() <= limit as usize {
            self.all[end as usize..][..list.len()].copy_from_slice(list);
            self.places[k].end += list.len() as u32;
            return;
        }
        let moved = self.all.len() as u32;
        self.all.extend_from_within(start as usize..end as usize);
        self.all.extend_from_slice(list);
        self.places[k] = self.with_room(moved);
        self.left += (limit - start) as usize;
        if self.left > self.all.len() / 2 {
            self.close_up();
        }
    }

    /// Moves the lists together again.
    fn close_up(&mut self) {
        let mut together = Self::default();
        for k in 0..self.places.len() {
            together.push(self.of(k).iter().copied());
        }
        *self = together;
    }

    /// Keeps of a list only some, in their order.
    fn retain(&mut self, k: usize, keep: impl Fn(&Connection) -> bool) {
        let Place { start, end, .. } = self.places[k];
        let mut kept = start as usize;
        for at in start as usize..end as usize {
            self.all[kept] = self.all[at];
            kept += usize::from(keep(&self.all[at]));
        }
        self.places[k].end = kept as u32;
    }
}

/// The connections of all particles, in chunks.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub(crate) struct Connections {
    chunks: Vec<Lists>,
}

/// Connections as checkpoints have them: all lists, one after the other.
#[derive(Deserialize, Serialize)]
struct Stored {
    #[serde(with = "offsets")]
    start: Vec<usize>,
    #[serde(with = "raw")]
    list: Vec<Connection>,
}

impl From<Connections> for Stored {
    fn from(from: Connections) -> Self {
        let mut stored = Self { start: vec![0], list: vec![] };
        for list in from.lists() {
            stored.list.extend_from_slice(list);
            stored.start.push(stored.list.len());
        }
        stored
    }
}

impl TryFrom<Stored> for Connections {
    type Error = &'static str;

    fn try_from(Stored { start, list }: Stored) -> Result<Self, Self::Error> {
        let whole = start.first() == Some(&0) && start.is_sorted() && start.last() == Some(&list.len());
        if !whole {
            return Err("lists of connections do not fit what they list");
        }
        let mut connections = Self::default();
        for bounds in start.windows(2) {
            connections.push(list[bounds[0]..bounds[1]].iter().copied());
        }
        Ok(connections)
    }
}

impl Connections {
    #[inline]
    pub(crate) fn of(&self, i: usize) -> &[Connection] {
        self.chunks[i / CHUNK].of(i % CHUNK)
    }

    fn particles(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.places.len())
    }

    /// The lists of all particles.
    fn lists(&self) -> impl Iterator<Item = &[Connection]> {
        self.chunks.iter().flat_map(|lists| (0..lists.places.len()).map(|k| lists.of(k)))
    }

    /// Adds the list of a new particle.
    fn push(&mut self, list: impl Iterator<Item = Connection>) {
        if self.particles().is_multiple_of(CHUNK) {
            self.chunks.push(Lists::default());
        }
        if let Some(last) = self.chunks.last_mut() {
            last.push(list);
        }
    }

    /// Number of connections of particles with particles, and with walls.
    pub(crate) fn count(&self) -> (usize, usize) {
        let mut counts = (0, 0);
        for list in self.lists() {
            let walls = list.iter().filter(|c| c.partner & WALL != 0).count();
            counts = (counts.0 + list.len() - walls, counts.1 + walls);
        }
        (counts.0 / 2, counts.1)
    }

    /// Whether the lists are those of so many particles and boundary particles.
    pub(crate) fn are_of(&self, particles: usize, samples: usize) -> bool {
        let known = |c: &Connection| match c.partner() {
            Partner::Particle(j) => j < particles,
            Partner::Wall(b) => b < samples,
        };
        let fits = |c: &Connection| known(c) && c.rest >= 0.0;
        self.particles() == particles && self.lists().flatten().all(fits)
    }

    /// New particles (at the end) are connected with none.
    pub(crate) fn grow(&mut self, particles: usize) {
        for _ in self.particles()..particles {
            self.push(std::iter::empty());
        }
    }

    /// Brings the lists into the order of the particles; what was connected with particles that vanish is not any more.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        let mut new_index = vec![WALL; self.particles()];
        for (new, &old) in order.iter().enumerate() {
            new_index[old as usize] = new as u32;
        }
        let moved = |c: &Connection| match c.partner() {
            Partner::Wall(_) => Some(*c),
            Partner::Particle(j) if new_index[j] == WALL => None,
            Partner::Particle(j) => Some(Connection { partner: new_index[j] | c.partner & BODY, ..*c }),
        };
        let reordered = |order: &[u32]| {
            let mut lists = Lists::default();
            for &old in order {
                lists.push(self.of(old as usize).iter().filter_map(moved));
            }
            lists
        };
        self.chunks = order.par_chunks(CHUNK).map(reordered).collect();
    }

    /// Algorithm 1, and what the connections that remain do to coefficients and velocities: parts what is too far apart,
    /// connects what is near enough. Returns the energy that the connections store, in J.
    pub(super) fn update(
        &mut self,
        (step, around): (&Step, &Around),
        ends: &Ends,
        (coefficients, velocities): (&mut [f32], &mut [Vec3]),
    ) -> f64 {
        let moved = coefficients.par_chunks_mut(CHUNK).zip(velocities.par_chunks_mut(CHUNK));
        let energies: Vec<f64> = (self.chunks.par_iter_mut().zip(moved).enumerate())
            .map(|(c, (lists, moved))| lists.update((step, around), ends, c * CHUNK, moved))
            .collect();
        energies.iter().sum()
    }
}

impl Lists {
    /// Updates the lists of the particles from `first` on. Returns the energy stored.
    fn update(
        &mut self,
        (step, around): (&Step, &Around),
        ends: &Ends,
        first: usize,
        (coefficients, velocities): (&mut [f32], &mut [Vec3]),
    ) -> f64 {
        let mut energy = 0.0;
        let held_walls = |i: usize| if step.walls_hold { around.near_walls.count(i) } else { 0 };
        for (k, (c, v)) in coefficients.iter_mut().zip(velocities).enumerate() {
            let i = first + k;
            let mut pull = Pull::default();
            let (near, parted) = ends.pull((step, i), self.of(k), &mut pull);
            energy += f64::from(pull.energy);
            pull.act((step, i), c, v);
            // All that is near is connected if as many connections are as near as neighbours there are.
            let whole = step.connects_all && near == around.near.count(i) + held_walls(i);
            if whole && !parted || !step.may_connect(i) {
                continue;
            }
            let new = new_connections((step, around), ends, (i, self.of(k)));
            if parted {
                let h = step.kernel.support();
                self.retain(k, |c| {
                    let apart = ends.away(step, i, c.partner()).length_squared();
                    step.link(i, c.partner()).is_some_and(|link| apart <= (link.split * h).powi(2))
                });
            }
            self.append(k, &new);
        }
        energy
    }
}

/// The connections that a particle with some of them makes.
fn new_connections(
    (step, around): (&Step, &Around),
    ends: &Ends,
    (i, old): (usize, &[Connection]),
) -> Vec<Connection> {
    let h = step.kernel.support();
    let body = |j: u32| if step.is_solid(j as usize) { BODY } else { 0 };
    let near = around.near.of(i).iter().map(|&j| j | body(j));
    let walls = if step.walls_hold { around.near_walls.of(i) } else { &[] };
    Seen::with(|seen| {
        old.iter().for_each(|c| seen.mark(c.partner));
        let connect = |partner: u32| {
            let mut new = Connection { partner, rest: 0.0 };
            let link = step.link(i, new.partner())?;
            new.rest = ends.away(step, i, new.partner()).length();
            (new.rest < link.merge * h).then_some(new)
        };
        let named = near.chain(walls.iter().map(|&b| b | WALL));
        named.filter(|&partner| !seen.has(partner)).filter_map(connect).collect()
    })
}
