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

/// The connections of a chunk of particles: lists, one after the other.
#[derive(Clone, Debug, Default)]
struct Lists {
    /// Where each list ends.
    ends: Vec<u32>,
    all: Vec<Connection>,
}

impl Lists {
    #[inline]
    fn of(&self, k: usize) -> &[Connection] {
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.all[start as usize..self.ends[k] as usize]
    }

    /// Makes a list of what has been added since the last.
    fn close(&mut self) {
        self.ends.push(self.all.len() as u32);
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.all.clear();
    }
}

/// The connections of all particles. A step that changes lists makes anew those of their chunks alone.
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
        for lists in &from.chunks {
            let first = stored.list.len();
            stored.start.extend(lists.ends.iter().map(|&end| first + end as usize));
            stored.list.extend_from_slice(&lists.all);
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

impl Connections {
    #[inline]
    pub(crate) fn of(&self, i: usize) -> &[Connection] {
        self.chunks[i / CHUNK].of(i % CHUNK)
    }

    fn particles(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.ends.len())
    }

    /// Adds the list of a new particle.
    fn push(&mut self, list: impl Iterator<Item = Connection>) {
        if self.particles().is_multiple_of(CHUNK) {
            self.chunks.push(Lists::default());
        }
        if let Some(last) = self.chunks.last_mut() {
            last.all.extend(list);
            last.close();
        }
    }

    /// Number of connections of particles with particles, and with walls.
    pub(crate) fn count(&self) -> (usize, usize) {
        let mut counts = (0, 0);
        for lists in &self.chunks {
            let walls = lists.all.iter().filter(|c| c.partner & WALL != 0).count();
            counts = (counts.0 + lists.all.len() - walls, counts.1 + walls);
        }
        (counts.0 / 2, counts.1)
    }

    /// Whether the lists are those of so many particles and boundary particles.
    pub(crate) fn are_of(&self, particles: usize, samples: usize) -> bool {
        let known = |c: &Connection| match c.partner() {
            Partner::Particle(j) => j < particles,
            Partner::Wall(b) => b < samples,
        };
        let fits = |lists: &Lists| lists.all.iter().all(|c| known(c) && c.rest >= 0.0);
        self.particles() == particles && self.chunks.iter().all(fits)
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
                lists.all.extend(self.of(old as usize).iter().filter_map(moved));
                lists.close();
            }
            lists
        };
        self.chunks = order.par_chunks(CHUNK).map(reordered).collect();
    }

    /// Algorithm 1, and what the connections that remain pull with: parts what is too far apart, connects what is near
    /// enough. Returns the energy that the connections store, in J.
    pub(super) fn update(&mut self, step: &Step, around: &Around, ends: &Ends, pulls: &mut [Pull]) -> f64 {
        let energies: Vec<f64> = self
            .chunks
            .par_iter_mut()
            .zip(pulls.par_chunks_mut(CHUNK))
            .enumerate()
            .map_init(<(Seen, Lists)>::default, |(seen, spare), (c, (lists, pulls))| {
                lists.update((step, around), ends, (seen, spare), (c * CHUNK, pulls))
            })
            .collect();
        energies.iter().sum()
    }
}

impl Lists {
    /// Updates the lists of the particles from `first` on; the new ones are made in `spare`. Returns the energy stored.
    fn update(
        &mut self,
        (step, around): (&Step, &Around),
        ends: &Ends,
        (seen, spare): (&mut Seen, &mut Self),
        (first, pulls): (usize, &mut [Pull]),
    ) -> f64 {
        let (mut energy, mut changed) = (0.0, false);
        for (k, pull) in pulls.iter_mut().enumerate() {
            let i = first + k;
            *pull = Pull::default();
            let old = self.of(k);
            let (near, parted) = ends.pull((step, i), old, pull);
            energy += f64::from(pull.energy);
            // All that is near is connected if as many connections are as near as neighbours there are.
            let whole = step.connects_all && near == around.near.count(i) + around.near_walls.count(i);
            if whole && !parted || !step.may_connect(i) {
                if changed {
                    spare.all.extend_from_slice(old);
                    spare.close();
                }
                continue;
            }
            if !changed {
                changed = true;
                spare.clear();
                spare.ends.extend_from_slice(&self.ends[..k]);
                spare.all.extend_from_slice(&self.all[..spare.ends.last().map_or(0, |&end| end as usize)]);
            }
            connect((step, around), (ends, seen), (i, old), &mut spare.all);
            spare.close();
        }
        if changed {
            std::mem::swap(self, spare);
        }
        energy
    }
}

/// Appends the connections of a particle that remain of the old ones, and those that it makes.
fn connect(
    (step, around): (&Step, &Around),
    (ends, seen): (&Ends, &mut Seen),
    (i, old): (usize, &[Connection]),
    list: &mut Vec<Connection>,
) {
    let h = step.kernel.support();
    for c in old {
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
