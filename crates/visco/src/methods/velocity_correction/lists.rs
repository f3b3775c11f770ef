//! Lists of partners and lengths at rest, of a chunk of particles, each with room for more.
//!
//! Partners and lengths stand apart, and lists are filled up to a multiple of [`LANES`] with connections of a particle
//! with itself that are never longer than at rest: so they are read in whole vectors.

use crate::lanes::LANES;

/// Vectors of connections that a list has room for at least when it is made, more than it needs.
const SPARE: usize = 1;

/// A list.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    /// In whole vectors.
    all: (&'a [[u32; LANES]], &'a [[f32; LANES]]),
    len: usize,
}

impl<'a> List<'a> {
    /// Partners and lengths at rest.
    pub(super) fn iter(self) -> impl Iterator<Item = (u32, f32)> + 'a {
        self.partners().iter().copied().zip(self.all.1.as_flattened().iter().copied())
    }

    #[inline]
    pub(super) fn partners(self) -> &'a [u32] {
        &self.all.0.as_flattened()[..self.len]
    }

    /// The same in vectors, filled up.
    #[inline(always)]
    pub(super) fn vectors(self) -> impl Iterator<Item = (&'a [u32; LANES], &'a [f32; LANES])> {
        self.all.0.iter().zip(self.all.1)
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
    partners: Vec<[u32; LANES]>,
    rests: Vec<[f32; LANES]>,
    /// How many vectors belong to no list any more.
    left: usize,
}

impl Lists {
    /// Those of particles from one on.
    pub(super) fn from(first: usize) -> Self {
        Self { first: first as u32, ..Self::default() }
    }

    /// Number of particles.
    pub(super) fn particles(&self) -> usize {
        self.places.len()
    }

    #[inline]
    pub(super) fn of(&self, k: usize) -> List<'_> {
        let Place { start, len, .. } = self.places[k];
        let vectors = start as usize..start as usize + (len as usize).div_ceil(LANES);
        List { all: (&self.partners[vectors.clone()], &self.rests[vectors]), len: len as usize }
    }

    /// Adds the list of another particle, with room for some connections that may follow.
    pub(super) fn push(&mut self, list: impl Iterator<Item = (u32, f32)>) {
        let start = self.partners.len() as u32;
        self.places.push(Place { start, limit: start, len: 0 });
        let k = self.places.len() - 1;
        for (partner, rest) in list {
            if (self.places[k].len as usize).is_multiple_of(LANES) {
                self.add_vectors(1);
                self.places[k].limit += 1;
            }
            self.write(k, partner, rest);
        }
        self.make_room(k);
        self.fill_up(k);
    }

    fn add_vectors(&mut self, count: usize) {
        self.partners.resize(self.partners.len() + count, [0; LANES]);
        self.rests.resize(self.rests.len() + count, [0.0; LANES]);
    }

    /// Gives a list that ends where all end room for more.
    fn make_room(&mut self, k: usize) {
        let vectors = (self.places[k].len as usize).div_ceil(LANES);
        self.add_vectors(vectors / 4 + SPARE);
        self.places[k].limit = self.partners.len() as u32;
    }

    /// Writes behind a list, in which there is room for it.
    #[inline]
    fn write(&mut self, k: usize, partner: u32, rest: f32) {
        let Place { start, len, .. } = &mut self.places[k];
        let (vector, lane) = (*start as usize + *len as usize / LANES, *len as usize % LANES);
        self.partners[vector][lane] = partner;
        self.rests[vector][lane] = rest;
        *len += 1;
    }

    /// Fills up the last vector of a list.
    #[inline]
    fn fill_up(&mut self, k: usize) {
        let Place { start, len, .. } = self.places[k];
        let used = len as usize % LANES;
        if used > 0 {
            let last = start as usize + len as usize / LANES;
            self.partners[last][used..].fill(self.first + k as u32);
            self.rests[last][used..].fill(f32::MAX);
        }
    }

    /// Appends to a list; one that has no room for it is moved behind all others.
    #[inline]
    pub(super) fn append(&mut self, k: usize, partner: u32, rest: f32) {
        let Place { start, limit, len } = self.places[k];
        if len as usize == (limit - start) as usize * LANES {
            self.move_to_the_end(k);
        }
        self.write(k, partner, rest);
        self.fill_up(k);
    }

    #[cold]
    fn move_to_the_end(&mut self, k: usize) {
        if self.left > self.partners.len() / 2 {
            self.close_up();
        }
        let Place { start, limit, len } = self.places[k];
        let moved = self.partners.len() as u32;
        let vectors = start as usize..start as usize + (len as usize).div_ceil(LANES);
        self.partners.extend_from_within(vectors.clone());
        self.rests.extend_from_within(vectors);
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

    /// Keeps of a list only some, in their order.
    pub(super) fn retain(&mut self, k: usize, keep: impl Fn(u32) -> bool) {
        let Place { start, len, .. } = self.places[k];
        self.places[k].len = 0;
        for at in 0..len as usize {
            let (vector, lane) = (start as usize + at / LANES, at % LANES);
            let (partner, rest) = (self.partners[vector][lane], self.rests[vector][lane]);
            if keep(partner) {
                self.write(k, partner, rest);
            }
        }
        self.fill_up(k);
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
                    lists.retain(k, |partner| partner % 3 != 1);
                    wanted.retain(|(partner, _)| partner % 3 != 1);
                }
            }
            for (k, wanted) in wanted.iter().enumerate() {
                assert_eq!(content(lists.of(k)), *wanted, "round {round}, list {k}");
            }
        }
        assert!(lists.left <= lists.partners.len());
    }

    #[test]
    fn lists_are_filled_up_with_the_particle_itself() {
        let (mut lists, _) = some(&[5, 8, 9]);
        lists.append(1, 7, 0.5);
        lists.retain(2, |partner| partner > 0);
        for (k, padding) in [(0, 3), (1, 7), (2, 0)] {
            let list = lists.of(k);
            assert_eq!(list.padding(), padding);
            let all: Vec<(u32, f32)> =
                list.vectors().flat_map(|(p, r)| p.iter().copied().zip(r.iter().copied())).collect();
            assert_eq!(all.len(), list.len() + padding);
            assert!(all[list.len()..].iter().all(|&filled| filled == (40 + k as u32, f32::MAX)));
        }
    }
}
