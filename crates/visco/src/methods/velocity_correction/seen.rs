//! Marks of partners that a particle is connected with.

use super::connections::{BODY, WALL};
use super::lists::List;
use std::cell::RefCell;

/// Which partners have been seen, for one particle at a time. Threads keep their marks, as to make them takes longer than
/// to use them; a mark counts only for the particle that it was made for.
#[derive(Default)]
pub(super) struct Seen {
    /// When each particle was last seen.
    particles: Vec<u32>,
    /// The same of boundary particles of walls.
    walls: Vec<u32>,
    now: u32,
}

thread_local! {
    static KEPT: RefCell<Seen> = RefCell::default();
}

impl Seen {
    /// Gives a thread its marks, of so many particles and boundary particles, with none set.
    #[inline]
    pub(super) fn with<T>((particles, walls): (usize, usize), f: impl FnOnce(&mut Self) -> T) -> T {
        KEPT.with_borrow_mut(|seen| {
            if seen.now == u32::MAX {
                *seen = Self::default();
            }
            if seen.particles.len() < particles || seen.walls.len() < walls {
                seen.particles.resize(particles, 0);
                seen.walls.resize(walls, 0);
            }
            seen.now += 1;
            f(seen)
        })
    }

    /// Marks particles; those of connections that lists are filled up with too.
    #[inline]
    pub(super) fn mark_particles(&mut self, list: List) {
        for &j in list.vectors().iter().flat_map(|eight| &eight.partners) {
            self.particles[j as usize] = self.now;
        }
    }

    /// Marks partners of any kind.
    pub(super) fn mark(&mut self, list: List) {
        for (partner, _) in list.iter() {
            match partner & WALL {
                0 => self.particles[(partner & !BODY) as usize] = self.now,
                _ => self.walls[(partner & !WALL) as usize] = self.now,
            }
        }
    }

    /// Whether a particle is marked.
    #[inline]
    pub(super) fn has_particle(&self, j: u32) -> bool {
        self.particles[j as usize] == self.now
    }

    /// Whether a boundary particle of a wall is marked.
    #[inline]
    pub(super) fn has_wall(&self, b: u32) -> bool {
        self.walls[b as usize] == self.now
    }
}

#[cfg(test)]
mod tests {
    use super::super::lists::Lists;
    use super::*;

    fn list(partner: u32) -> Lists {
        let mut lists = Lists::default();
        lists.push([(partner, 1.0)].into_iter());
        lists
    }

    #[test]
    fn marks_count_for_one_particle_and_tell_walls_from_particles() {
        Seen::with((800, 400), |seen| {
            seen.mark_particles(list(700).of(0));
            seen.mark(list(3 | WALL).of(0));
            assert!(seen.has_particle(700) && seen.has_wall(3));
            assert!(!seen.has_particle(3) && !seen.has_wall(399));
        });
        assert!(Seen::with((900, 10), |seen| !seen.has_particle(700) && !seen.has_wall(3)));
    }

    #[test]
    fn the_particle_of_a_body_is_the_same_with_and_without_its_mark() {
        assert!(Seen::with((6, 0), |seen| {
            seen.mark(list(5 | BODY).of(0));
            seen.has_particle(5)
        }));
    }
}
