//! Which pairs of neighbours act on each other.
//!
//! Two bodies that approach would stop each other at the kernel's reach, a cushion of nothing: the gradient sees the
//! gap close and the pressure resists. So a pair is connected only if it was before, if it is as near as touching
//! particles are, or if it has enough connected neighbours in common, as within one body. Bodies of the scene push each
//! other while they touch, and part without sticking.

use crate::checkpoint::{deltas, offsets};
use crate::flow::Setting;
use crate::neighbors::Neighbors;
use glam::Vec3A;
use serde::{Deserialize, Serialize};

/// Particles nearer than this touch, in spacings.
const TOUCHING: f32 = 1.15;
/// What counts as touching where there is no past: in the first step and at nozzles.
const TOUCHING_AT_FIRST: f32 = 1.9;
/// Bodies that move apart by more than this in a step do not hold each other, in spacings.
const PARTING: f32 = 0.01;
/// Connected neighbours that a new pair must have in common.
const COMMON: usize = 5;

/// The connections of the last step, by id: sorted lists, one after the other.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Connections {
    #[serde(with = "offsets")]
    start: Vec<usize>,
    #[serde(with = "deltas")]
    ids: Vec<u32>,
}

impl Connections {
    fn of(&self, i: usize) -> &[u32] {
        &self.ids[self.start[i]..self.start[i + 1]]
    }

    /// Whether the lists are those of so many particles.
    pub(crate) fn is_of(&self, particles: usize) -> bool {
        self.start.len() == particles + 1 && self.start.last() == Some(&self.ids.len())
    }

    /// New particles (at the end) are connected with none.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.start.resize(particles + 1, self.ids.len());
    }

    /// Brings the lists into the order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        let mut new =
            Self { start: Vec::with_capacity(order.len() + 1), ids: Vec::with_capacity(self.ids.len()) };
        new.start.push(0);
        for &i in order {
            new.ids.extend_from_slice(self.of(i as usize));
            new.start.push(new.ids.len());
        }
        *self = new;
    }

    /// Which pairs of `neighbors` are connected now, in their layout; this becomes the past of the next step.
    pub(crate) fn update(
        &mut self,
        step: &Setting,
        neighbors: &Neighbors,
        (ids, u_star): (&[u32], &[Vec3A]),
        first: bool,
    ) -> Vec<bool> {
        let d = step.kernel.spacing();
        let mut connected = vec![false; neighbors.pairs()];
        let past = &*self;
        neighbors.fill_pairs(&mut connected, |i, j| {
            match (step.body(i), step.body(j)) {
                (Some(a), Some(b)) if a == b => return true,
                (Some(_), Some(_)) => return bodies_touch(step, u_star, (i, j)),
                _ => {}
            }
            let driven = |i: usize| !step.is_free(i) && step.body(i).is_none();
            let fresh = first || driven(i) || driven(j);
            let touching = if fresh { TOUCHING_AT_FIRST } else { TOUCHING };
            step.offset(i, j).length_squared() < (touching * d).powi(2)
                || past.of(i).binary_search(&ids[j]).is_ok()
                || in_common(past.of(i), past.of(j)) >= COMMON
        });
        *self = Self::from_pairs(neighbors, &connected, ids);
        if first {
            // Once more, now that touching particles have neighbours in common: lattices differ by direction.
            let past = &*self;
            neighbors.fill_pairs(&mut connected, |i, j| {
                if let (Some(a), Some(b)) = (step.body(i), step.body(j)) {
                    return a == b || bodies_touch(step, u_star, (i, j));
                }
                past.of(i).binary_search(&ids[j]).is_ok() || in_common(past.of(i), past.of(j)) >= COMMON
            });
            *self = Self::from_pairs(neighbors, &connected, ids);
        }
        connected
    }

    fn from_pairs(neighbors: &Neighbors, connected: &[bool], ids: &[u32]) -> Self {
        let particles = ids.len();
        let mut new =
            Self { start: Vec::with_capacity(particles + 1), ids: Vec::with_capacity(connected.len()) };
        new.start.push(0);
        for i in 0..particles {
            let list = neighbors.of(i).iter().zip(&connected[neighbors.range(i)]);
            new.ids.extend(list.filter(|(_, c)| **c).map(|(&j, _)| ids[j as usize]));
            new.start.push(new.ids.len());
        }
        let mut rest = new.ids.as_mut_slice();
        let mut lists = Vec::with_capacity(particles);
        for i in 0..particles {
            let (list, tail) = rest.split_at_mut(new.start[i + 1] - new.start[i]);
            lists.push(list);
            rest = tail;
        }
        crate::parallel::for_each(&mut lists, |_, list| list.sort_unstable());
        new
    }
}

/// Whether particles of two bodies push each other: they touch, and do not part.
fn bodies_touch(step: &Setting, u_star: &[Vec3A], (i, j): (usize, usize)) -> bool {
    let (e, d) = (step.offset(i, j), step.kernel.spacing());
    let distance = e.length();
    let parting = (u_star[j] - u_star[i]).dot(e.into()) * step.dt;
    distance < TOUCHING * d && parting < PARTING * d * distance
}

/// How many entries two sorted lists share, counted to [`COMMON`].
fn in_common(a: &[u32], b: &[u32]) -> usize {
    let (mut p, mut q, mut count) = (0, 0, 0);
    while p < a.len() && q < b.len() && count < COMMON {
        match a[p].cmp(&b[q]) {
            std::cmp::Ordering::Less => p += 1,
            std::cmp::Ordering::Greater => q += 1,
            std::cmp::Ordering::Equal => (p, q, count) = (p + 1, q + 1, count + 1),
        }
    }
    count
}
