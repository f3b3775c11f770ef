//! Lists of partners and lengths at rest, of a chunk of particles, each with room for more.
//!
//! Lists are filled up to a multiple of [`LANES`] with connections of a particle with itself that are never longer than at
//! rest: so they are read in whole vectors. Partners and lengths of a vector are one line of the processor's memory.

use crate::lanes::LANES;

/// Vectors of connections that a list has room for at least when it is made, more than it needs.
const SPARE: usize = 1;

/// A vector of connections.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Eight {
    pub(super) partners: [u32; LANES],
    pub(super) rests: [f32; LANES],
}

impl Eight {
    /// What lists are filled up with.
    fn of_itself(itself: u32) -> Self {
        Self { partners: [itself; LANES], rests: [f32::MAX; LANES] }
    }
}

/// Marks of vectors in a list. Every 32nd shares one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u32);

impl Marks {
    /// All are marked.
    pub(super) const ALL: Self = Self(u32::MAX);

    /// Marks a vector if `here`.
    #[inline(always)]
    pub(super) fn set(&mut self, vector: u32, here: bool) {
        self.0 |= u32::from(here) << (vector % u32::BITS);
    }

    pub(super) fn any(self) -> bool {
        self.0 != 0
    }

    #[inline]
    fn has(self, vector: usize) -> bool {
        self.0 >> (vector as u32 % u32::BITS) & 1 == 1
    }
}

/// A list.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    /// In whole vectors.
    all: &'a [Eight],
    len: usize,
}

impl<'a> List<'a> {
    /// Partners and lengths at rest.
    pub(super) fn iter(self) -> impl Iterator<Item = (u32, f32)> + 'a {
        self.all.iter().flat_map(|eight| eight.partners.into_iter().zip(eight.rests)).take(self.len)
    }

    /// The same in vectors, filled up.
    #[inline(always)]
    pub(super) fn vectors(self) -> &'a [Eight] {
        self.all
    }

    /// Connections that it is filled up with.
    #[inline]
    pub(super) fn padding(self) -> usize {
        self.len.next_multiple_of(LANES) - self.len
    }

    pub(super) fn len(self) -> usize {
        self.len
    }
}

/// Where a list starts, and where its room ends, in vectors, and how long it is.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    limit: u32,
    len: u32,
}

/// The lists of particles that follow each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// Index of the first particle.
    first: u32,
    places: Vec<Place>,
    vectors: Vec<Eight>,
    /// How many vectors belong to no list any more.
    left: usize,
}

impl Lists {
    /// Those of particles from one on.
    pub(super) fn from(first: usize) -> Self {
        Self { first: first as u32, ..Self::default() }
    }

    /// Whether no list ever had anything.
    pub(super) fn is_empty(&self) -> bool {
        self.vectors.is_empty()
    }

    /// Number of particles.
    pub(super) fn particles(&self) -> usize {
        self.places.len()
    }

    #[inline]
    pub(super) fn of(&self, k: usize) -> List<'_> {
        let Place { start, len, .. } = self.places[k];
        let (start, len) = (start as usize, len as usize);
        List { all: &self.vectors[start..start + len.div_ceil(LANES)], len }
    }

    /// Adds the list of another particle, with room for some connections that may follow if it has any.
    pub(super) fn push(&mut self, list: impl Iterator<Item = (u32, f32)>) {
        let start = self.vectors.len() as u32;
        self.places.push(Place { start, limit: start, len: 0 });
        let k = self.places.len() - 1;
        for (partner, rest) in list {
            if (self.places[k].len as usize).is_multiple_of(LANES) {
                self.add_vectors(k, 1);
            }
            self.write(k, partner, rest);
        }
        if self.places[k].len > 0 {
            self.make_room(k);
        }
    }

    /// Gives a list that ends where all end more vectors.
    fn add_vectors(&mut self, k: usize, count: usize) {
        self.vectors.resize(self.vectors.len() + count, Eight::of_itself(self.first + k as u32));
        self.places[k].limit = self.vectors.len() as u32;
    }

    /// Gives a list that ends where all end room for more.
    fn make_room(&mut self, k: usize) {
        let vectors = (self.places[k].len as usize).div_ceil(LANES);
        self.add_vectors(k, vectors / 4 + SPARE);
    }

    /// Writes behind a list, in which there is room for it; a vector that it begins is filled up.
    #[inline]
    fn write(&mut self, k: usize, partner: u32, rest: f32) {
        let Place { start, len, .. } = &mut self.places[k];
        let (vector, lane) = (*start as usize + *len as usize / LANES, *len as usize % LANES);
        let eight = &mut self.vectors[vector];
        if lane == 0 {
            *eight = Eight::of_itself(self.first + k as u32);
        }
        eight.partners[lane] = partner;
        eight.rests[lane] = rest;
        *len += 1;
    }

    /// Appends to a list; one that has no room for it is moved behind all others.
    #[inline]
    pub(super) fn append(&mut self, k: usize, partner: u32, rest: f32) {
        let Place { start, limit, len } = self.places[k];
        if len as usize == (limit - start) as usize * LANES {
            self.move_to_the_end(k);
        }
        self.write(k, partner, rest);
    }

    #[cold]
    fn move_to_the_end(&mut self, k: usize) {
        if self.left > self.vectors.len() / 2 {
            self.close_up();
        }
        let Place { start, limit, len } = self.places[k];
        let moved = self.vectors.len() as u32;
        self.vectors.extend_from_within(start as usize..start as usize + (len as usize).div_ceil(LANES));
        self.places[k].start = moved;
        self.make_room(k);
        self.left += (limit - start) as usize;
    }

    /// Moves the lists together again.
    fn close_up(&mut self) {
        let mut together = Self::from(self.first as usize);
        for k in 0..self.particles() {
            together.push(self.of(k).iter());
        }
        *self = together;
    }

    /// Removes from a list those that `which` says of partners in a vector, as bits; the last take their places. Only
    /// vectors that are marked, as [`Marks`] are, can have any.
    #[inline(always)]
    pub(super) fn remove(&mut self, k: usize, marked: Marks, which: impl Fn(&[u32; LANES]) -> u64) {
        let Place { start, len, .. } = self.places[k];
        // From the end, so that what takes a place is to stay.
        for vector in (0..(len as usize).div_ceil(LANES)).rev().filter(|&vector| marked.has(vector)) {
            let there = (len as usize - vector * LANES).min(LANES);
            let mut bits = which(&self.vectors[start as usize + vector].partners) & ((1 << there) - 1);
            while bits != 0 {
                let lane = bits.ilog2() as usize;
                bits ^= 1 << lane;
                self.replace_by_last(k, vector * LANES + lane);
            }
        }
    }

    /// Removes one from a list; the last takes its place.
    fn replace_by_last(&mut self, k: usize, at: usize) {
        let Place { start, len, .. } = &mut self.places[k];
        *len -= 1;
        let place = |at: usize| (*start as usize + at / LANES, at % LANES);
        let ((to, to_lane), (from, from_lane)) = (place(at), place(*len as usize));
        let (partner, rest) = (self.vectors[from].partners[from_lane], self.vectors[from].rests[from_lane]);
        (self.vectors[to].partners[to_lane], self.vectors[to].rests[to_lane]) = (partner, rest);
        self.vectors[from].partners[from_lane] = self.first + k as u32;
        self.vectors[from].rests[from_lane] = f32::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(list: List) -> Vec<(u32, f32)> {
        list.iter().collect()
    }

    /// Lists of a few particles from the 40th on, and what they must contain.
    fn some(lengths: &[usize]) -> (Lists, Vec<Vec<(u32, f32)>>) {
        let mut lists = Lists::from(40);
        let wanted: Vec<Vec<(u32, f32)>> =
            lengths.iter().map(|&n| (0..n as u32).map(|p| (p, p as f32)).collect()).collect();
        wanted.iter().for_each(|list| lists.push(list.iter().copied()));
        (lists, wanted)
    }

    /// Says which of eight partners are to go.
    fn only(goes: impl Fn(u32) -> bool) -> impl Fn(&[u32; LANES]) -> u64 {
        move |partners| (0..LANES).filter(|&k| goes(partners[k])).map(|k| 1 << k).sum()
    }

    #[test]
    fn only_marked_vectors_are_looked_at() {
        let (mut lists, _) = some(&[20, 300]);
        let mut marks = Marks::default();
        marks.set(0, false);
        assert!(!marks.any());
        marks.set(1, true);
        marks.set(35, true);
        lists.remove(0, marks, only(|partner| partner % 5 == 0));
        // The last of all, 19 and 18, came to where 15 and 10 were.
        let left = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 18, 11, 12, 13, 14, 19, 16, 17];
        assert_eq!(content(lists.of(0)), left.map(|p| (p, p as f32)));
        // The vector with the numbers from 280 on has the mark of the one with those from 24 on.
        lists.remove(1, marks, only(|partner| [24, 31, 32, 281].contains(&partner)));
        let list = content(lists.of(1));
        assert_eq!(list.len(), 297);
        assert!(list.contains(&(32, 32.0)) && ![24, 31, 281].iter().any(|&p| list.contains(&(p, p as f32))));
    }

    #[test]
    fn lists_keep_what_they_get_however_much_is_added_and_removed() {
        let (mut lists, mut wanted) = some(&[0, 3, 8, 30, 17]);
        for round in 0..60_u32 {
            for (k, wanted) in wanted.iter_mut().enumerate() {
                for n in 0..(round + k as u32) % 5 {
                    let new = (100 * round + n, round as f32);
                    lists.append(k, new.0, new.1);
                    wanted.push(new);
                }
                if round % 7 == 3 {
                    lists.remove(k, Marks::ALL, only(|partner| partner % 3 == 1));
                    wanted.retain(|(partner, _)| partner % 3 != 1);
                }
            }
            for (k, wanted) in wanted.iter().enumerate() {
                // What is removed is replaced by the last: the order changes.
                let sorted = |mut list: Vec<(u32, f32)>| {
                    list.sort_unstable_by_key(|(partner, rest)| (*partner, rest.to_bits()));
                    list
                };
                assert_eq!(sorted(content(lists.of(k))), sorted(wanted.clone()), "round {round}, list {k}");
            }
        }
        assert!(lists.left <= lists.vectors.len());
    }

    #[test]
    fn lists_are_filled_up_with_the_particle_itself() {
        let (mut lists, _) = some(&[5, 8, 9]);
        lists.append(1, 7, 0.5);
        lists.remove(2, Marks::ALL, only(|partner| partner == 0));
        for (k, padding) in [(0, 3), (1, 7), (2, 0)] {
            let list = lists.of(k);
            assert_eq!(list.padding(), padding);
            let all: Vec<(u32, f32)> =
                list.vectors().iter().flat_map(|v| v.partners.into_iter().zip(v.rests)).collect();
            assert_eq!(all.len(), list.len() + padding);
            assert!(all[list.len()..].iter().all(|&filled| filled == (40 + k as u32, f32::MAX)));
        }
    }
}
