//! For every particle the list of its partners, with something that is known of each. The lists of both partners have
//! each other, so that nothing has to be scattered.

use crate::checkpoint::{offsets, raw};
use crate::neighbors::Neighbors;
use bytemuck::Pod;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Particles handled together.
const CHUNK: usize = 256;

/// The lists, one after the other, each in the order of the partners' indices.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(bound = "T: Pod")]
pub(crate) struct Partners<T> {
    #[serde(with = "offsets")]
    start: Vec<usize>,
    #[serde(with = "raw")]
    partners: Vec<u32>,
    #[serde(with = "raw")]
    known: Vec<T>,
}

impl<T> Default for Partners<T> {
    fn default() -> Self {
        Self { start: vec![0], partners: vec![], known: vec![] }
    }
}

impl<T: Pod + Send + Sync> Partners<T> {
    /// The partners of a particle, with what is known of each.
    #[inline]
    pub(crate) fn of(&self, i: usize) -> impl Iterator<Item = (usize, T)> + '_ {
        let range = self.start[i]..self.start[i + 1];
        self.partners[range.clone()].iter().zip(&self.known[range]).map(|(&j, &known)| (j as usize, known))
    }

    /// Number of partners of a particle.
    #[inline]
    pub(crate) fn count(&self, i: usize) -> usize {
        self.start[i + 1] - self.start[i]
    }

    /// What a particle knows of a partner.
    #[inline]
    pub(crate) fn find(&self, i: usize, j: usize) -> Option<T> {
        let range = self.start[i]..self.start[i + 1];
        let at = self.partners[range.clone()].binary_search(&(j as u32)).ok()?;
        Some(self.known[range.start + at])
    }

    /// Whether the lists are those of so many particles.
    pub(crate) fn are_of(&self, particles: usize) -> bool {
        let Self { start, partners, known } = self;
        let whole = start.len() == particles + 1
            && start.first() == Some(&0)
            && start.is_sorted()
            && start.last() == Some(&partners.len())
            && known.len() == partners.len();
        let ordered = |i: usize| {
            let list = &partners[start[i]..start[i + 1]];
            list.is_sorted_by(|a, b| a < b) && list.last().is_none_or(|&j| (j as usize) < particles)
        };
        whole && (0..particles).all(ordered)
    }

    /// What is known of all partners.
    pub(crate) fn known(&self) -> &[T] {
        &self.known
    }

    /// New particles (at the end) have no partners.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.start.resize(particles + 1, self.partners.len());
    }

    /// Brings the lists into the order of the particles; those that vanish are nobody's partners.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        let mut new_index = vec![None; self.start.len() - 1];
        for (new, &old) in order.iter().enumerate() {
            new_index[old as usize] = Some(new as u32);
        }
        *self = Self::new(order.len(), |new, list| {
            list.extend(
                self.of(order[new] as usize).filter_map(|(j, known)| new_index[j].map(|j| (j, known))),
            );
        });
    }

    /// Keeps of all partners what `keep` makes of them, and takes in those neighbours that `make` makes some of.
    pub(crate) fn update(
        &mut self,
        near: &Neighbors,
        keep: impl Fn(usize, usize, T) -> Option<T> + Sync,
        make: impl Fn(usize, usize) -> Option<T> + Sync,
    ) {
        *self = Self::new(self.start.len() - 1, |i, list| {
            list.extend(self.of(i).filter_map(|(j, known)| keep(i, j, known).map(|known| (j as u32, known))));
            let old = &self.partners[self.start[i]..self.start[i + 1]];
            for &j in near.of(i) {
                if old.binary_search(&j).is_err()
                    && let Some(known) = make(i, j as usize)
                {
                    list.push((j, known));
                }
            }
        });
    }

    /// The lists that `fill` gives to `n` particles.
    fn new(n: usize, fill: impl Fn(usize, &mut Vec<(u32, T)>) + Sync) -> Self {
        let chunk = |first: usize| {
            let (mut counts, mut whole, mut list) = (Vec::with_capacity(CHUNK), Vec::new(), Vec::new());
            for i in first..(first + CHUNK).min(n) {
                fill(i, &mut list);
                list.sort_unstable_by_key(|(j, _)| *j);
                counts.push(list.len());
                whole.append(&mut list);
            }
            (counts, whole)
        };
        let chunks: Vec<_> = (0..n.div_ceil(CHUNK)).into_par_iter().map(|c| chunk(c * CHUNK)).collect();
        let mut new = Self::default();
        for (counts, list) in chunks {
            for count in counts {
                new.start.push(new.start.last().copied().unwrap_or(0) + count);
            }
            new.partners.extend(list.iter().map(|(j, _)| *j));
            new.known.extend(list.iter().map(|(_, known)| *known));
        }
        new
    }
}
