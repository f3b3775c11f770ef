//! Connections between particles, made and removed by Algorithm 1.
//!
//! The lists of two connected particles both have the connection, with the same length at rest; nothing has to be
//! scattered. Particles are named by their index, which changes when they are brought into another order, boundary
//! particles of walls by theirs, which never does.

use super::corrections::{Ends, Lengths};
use super::lists::Lists;
use super::seen::Seen;
use super::setting::Step;
use crate::checkpoint::{offsets, raw};
use crate::clock::Stopwatch;
use crate::iisph::Around;
use crate::lanes::{dispatch, level};
use bytemuck::{Pod, Zeroable};
use fearless_simd::Simd;
use glam::Vec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Marks the index of a wall's boundary particle.
pub(super) const WALL: u32 = 1 << 31;
/// Marks the index of a body's particle.
pub(super) const BODY: u32 = 1 << 30;
/// Particles handled together. With fewer, more time goes by before the first of a chunk are there; with more, threads wait
/// longer for the last.
const CHUNK: usize = 384;

/// A connection of a particle.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Connection {
    partner: u32,
    /// Distance at which it was made, in m.
    pub(crate) rest: f32,
}

/// Whom a particle is connected with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Partner {
    Particle(usize),
    /// A boundary particle of a wall.
    Wall(usize),
}

impl From<u32> for Partner {
    #[inline]
    fn from(marked: u32) -> Self {
        match marked & WALL {
            0 => Self::Particle((marked & !BODY) as usize),
            _ => Self::Wall((marked & !WALL) as usize),
        }
    }
}

impl Connection {
    #[inline]
    pub(crate) fn partner(&self) -> Partner {
        self.partner.into()
    }

    fn leads_to_solid(&self) -> bool {
        self.partner & (WALL | BODY) != 0
    }
}

/// Some particles of a chunk.
struct Picked {
    numbers: [u16; CHUNK],
    count: usize,
}

impl Default for Picked {
    fn default() -> Self {
        Self { numbers: [0; CHUNK], count: 0 }
    }
}

impl Picked {
    /// Adds a particle if `here`: without a jump, which a processor could not foresee.
    #[inline(always)]
    fn add(&mut self, k: usize, here: bool) {
        self.numbers[self.count % CHUNK] = k as u16;
        self.count += usize::from(here);
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.numbers[..self.count].iter().map(|&k| usize::from(k))
    }
}

/// The connections of a chunk of particles.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// With particles of fluid.
    fluid: Lists,
    /// With walls and bodies; partners are marked.
    solid: Lists,
}

impl Chunk {
    /// Of particles from one on.
    fn from(first: usize) -> Self {
        Self { fluid: Lists::from(first), solid: Lists::from(first) }
    }

    /// All connections of a particle.
    fn of(&self, k: usize) -> impl Iterator<Item = Connection> {
        let all = self.fluid.of(k).iter().chain(self.solid.of(k).iter());
        all.map(|(partner, rest)| Connection { partner, rest })
    }

    /// Adds a particle, with its connections.
    fn push(&mut self, all: impl Iterator<Item = Connection> + Clone) {
        let of = |solid: bool| {
            let those = all.clone().filter(move |c| c.leads_to_solid() == solid);
            those.map(|c| (c.partner, c.rest))
        };
        self.fluid.push(of(false));
        self.solid.push(of(true));
    }
}

/// The connections of all particles, in chunks.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub(crate) struct Connections {
    chunks: Vec<Chunk>,
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
        for i in 0..from.particles() {
            stored.list.extend(from.of(i));
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
    pub(crate) fn of(&self, i: usize) -> impl Iterator<Item = Connection> {
        self.chunks[i / CHUNK].of(i % CHUNK)
    }

    fn particles(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.fluid.particles())
    }

    /// All connections, from both ends.
    fn all(&self) -> impl Iterator<Item = Connection> {
        (0..self.particles()).flat_map(|i| self.of(i))
    }

    /// Adds a new particle with its connections.
    fn push(&mut self, all: impl Iterator<Item = Connection> + Clone) {
        let particles = self.particles();
        if particles.is_multiple_of(CHUNK) {
            self.chunks.push(Chunk::from(particles));
        }
        if let Some(last) = self.chunks.last_mut() {
            last.push(all);
        }
    }

    /// Number of connections of particles with particles, and with walls.
    pub(crate) fn count(&self) -> (usize, usize) {
        let walls = self.all().filter(|c| c.partner & WALL != 0).count();
        ((self.all().count() - walls) / 2, walls)
    }

    /// Whether the lists are those of so many particles and boundary particles.
    pub(crate) fn are_of(&self, particles: usize, samples: usize) -> bool {
        let known = |c: &Connection| match c.partner() {
            Partner::Particle(j) => j < particles,
            Partner::Wall(b) => b < samples,
        };
        self.particles() == particles && self.all().all(|c| known(&c) && c.rest >= 0.0)
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
        let moved = |c: Connection| match c.partner() {
            Partner::Wall(_) => Some(c),
            Partner::Particle(j) if new_index[j] == WALL => None,
            Partner::Particle(j) => Some(Connection { partner: new_index[j] | c.partner & BODY, ..c }),
        };
        let reordered = |(chunk, order): (usize, &[u32])| {
            let mut lists = Chunk::from(chunk * CHUNK);
            let mut all = Vec::new();
            for &old in order {
                all.clear();
                all.extend(self.of(old as usize).filter_map(moved));
                lists.push(all.iter().copied());
            }
            lists
        };
        self.chunks = order.par_chunks(CHUNK).enumerate().map(reordered).collect();
    }

    /// Algorithm 1, and what the connections that remain do to coefficients and velocities: parts what is too far apart,
    /// connects what is near enough.
    pub(super) fn update(
        &mut self,
        (step, around): (&Step, &Around),
        ends: &Ends,
        (coefficients, velocities): (&mut [f32], &mut [Vec3]),
    ) -> Updated {
        let clock = Stopwatch::start();
        let moved = coefficients.par_chunks_mut(CHUNK).zip(velocities.par_chunks_mut(CHUNK));
        // Small tasks: chunks beside walls take longer than others.
        let all: Vec<Updated> = (self.chunks.par_iter_mut().zip(moved).enumerate().with_max_len(2))
            .map(|(c, (chunk, moved))| chunk.update((step, around), ends, c * CHUNK, moved))
            .collect();
        let sum = |of: fn(&Updated) -> f64| all.iter().map(of).sum::<f64>();
        // Threads work side by side: together they take longer than the clock.
        let beside = (clock.seconds() / sum(|u| u.seconds).max(f64::MIN_POSITIVE)).min(1.0);
        Updated {
            energy: sum(|u| u.energy),
            seconds: beside * sum(|u| u.seconds),
            changing: beside * sum(|u| u.changing),
        }
    }
}

/// What came of an update.
#[derive(Default)]
pub(super) struct Updated {
    /// Energy that the connections store, in J.
    pub(super) energy: f64,
    /// Time that it took, in s.
    seconds: f64,
    /// Of this, what it took to make and remove connections.
    pub(super) changing: f64,
}

impl Chunk {
    /// Updates the connections of the particles from `first` on.
    fn update(
        &mut self,
        (step, around): (&Step, &Around),
        ends: &Ends,
        first: usize,
        moved: (&mut [f32], &mut [Vec3]),
    ) -> Updated {
        let clock = Stopwatch::start();
        // First all pulls, then all that is new: the processor does not wait for sums before it goes on.
        let mut found = [Lengths::default(); CHUNK];
        let found = &mut found[..self.fluid.particles()];
        let (c, v) = moved;
        let mut energy =
            dispatch!(level(), simd => self.pull::<_, false>(simd, (step, ends), first, (c, v), found));
        if !self.solid.is_empty() {
            energy +=
                dispatch!(level(), simd => self.pull::<_, true>(simd, (step, ends), first, (c, v), found));
        }
        let pulling = clock.seconds();
        self.change((step, around), ends, first, found);
        let seconds = clock.seconds();
        Updated { energy, seconds, changing: seconds - pulling }
    }

    /// Adds what connections with solids, or with fluid, do to velocities and coefficients, and finds how long they are.
    /// Returns the energy stored.
    #[inline(always)]
    fn pull<S: Simd, const BY_SOLIDS: bool>(
        &self,
        simd: S,
        (step, ends): (&Step, &Ends),
        first: usize,
        (coefficients, velocities): (&mut [f32], &mut [Vec3]),
        found: &mut [Lengths],
    ) -> f64 {
        let mut energy = 0.0;
        for (k, ((c, v), lengths)) in coefficients.iter_mut().zip(velocities).zip(found).enumerate() {
            let at = (step, first + k);
            let pull = match BY_SOLIDS {
                true => ends.pull_by_solids(simd, at, self.solid.of(k), lengths),
                false => Some(ends.pull_by_fluid(simd, at, self.fluid.of(k), lengths)),
            };
            if let Some(pull) = pull {
                energy += f64::from(pull.energy);
                pull.act(at, c, v);
            }
        }
        energy
    }

    /// Removes connections that are too long, and connects particles with what is near.
    fn change(&mut self, (step, around): (&Step, &Around), ends: &Ends, first: usize, found: &[Lengths]) {
        let (mut parting, mut lacking_one, mut lacking) =
            (Picked::default(), Picked::default(), Picked::default());
        for (k, lengths) in found.iter().enumerate() {
            let i = first + k;
            let (near, in_sight) = (lengths.near as usize, step.count_in_sight(around, i));
            // All that is near is connected if as many connections are as near as there are partners in sight.
            let complete = step.connects_all & (near == in_sight);
            let one = step.connects_all & lengths.are_joined & (near + 1 == in_sight);
            parting.add(k, (complete | one) & (lengths.parted.any() | lengths.parted_of_solids.any()));
            lacking_one.add(k, one);
            lacking.add(k, !complete & !one);
        }
        for k in parting.iter() {
            self.part((step, ends), (k, first + k), &found[k]);
        }
        // Where all but one are connected, it is what is left of all of them without the others.
        let mut last = [0; CHUNK];
        for (k, last) in lacking_one.iter().zip(&mut last) {
            *last = found[k].joined ^ step.joined_in_sight(around, first + k);
        }
        for (k, &last) in lacking_one.iter().zip(&last) {
            self.connect((step, ends), (k, first + k), step.marked(last));
        }
        for k in lacking.iter().filter(|k| step.may_connect(first + k)) {
            self.renew((step, around), ends, (k, first + k), &found[k]);
        }
    }

    /// Removes the connections of a particle that are too long, if there are any.
    #[inline]
    fn part(&mut self, (step, ends): (&Step, &Ends), (k, i): (usize, usize), lengths: &Lengths) {
        let Lengths { parted, parted_of_solids, .. } = *lengths;
        if parted.any() {
            let fluid = &mut self.fluid;
            dispatch!(level(), simd => fluid.remove(k, parted, |partners| ends.parting(simd, (step, i), partners)));
        }
        if parted_of_solids.any() {
            self.solid.remove(k, parted_of_solids, |partners| ends.parting_each((step, i), partners));
        }
    }

    /// Connects a particle with another, if they are near enough.
    #[inline]
    fn connect(&mut self, (step, ends): (&Step, &Ends), (k, i): (usize, usize), partner: u32) {
        if let Some(rest) = ends.new_rest(step, i, partner.into()) {
            let list = if partner & (WALL | BODY) == 0 { &mut self.fluid } else { &mut self.solid };
            list.append(k, partner, rest);
        }
    }

    /// Removes connections of a particle that are too long, and connects it with what is near that it was not connected
    /// with.
    #[inline(never)]
    fn renew(
        &mut self,
        (step, around): (&Step, &Around),
        ends: &Ends,
        (k, i): (usize, usize),
        lengths: &Lengths,
    ) {
        Seen::with(ends.counts(), |seen| {
            seen.mark_particles(self.fluid.of(k));
            seen.mark(self.solid.of(k));
            self.part((step, ends), (k, i), lengths);
            for &j in around.near.of(i) {
                if !seen.has_particle(j) {
                    self.connect((step, ends), (k, i), step.marked(j));
                }
            }
            let walls = if step.walls_hold { around.near_walls.of(i) } else { &[] };
            for &b in walls {
                if !seen.has_wall(b) {
                    self.connect((step, ends), (k, i), b | WALL);
                }
            }
        });
    }
}
