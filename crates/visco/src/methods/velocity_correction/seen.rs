//! Marks of partners that a particle is connected with.

use super::connections::{BODY, WALL};
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

    /// Marks particles.
    #[inline]
    pub(super) fn mark_particles(&mut self, particles: &[u32]) {
        for &j in particles {
            self.particles[j as usize] = self.now;
        }
    }

    /// Marks partners of any kind.
    pub(super) fn mark(&mut self, partners: &[u32]) {
        for &partner in partners {
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
    use super::*;

    #[test]
    fn marks_count_for_one_particle_and_tell_walls_from_particles() {
        Seen::with((800, 400), |seen| {
            seen.mark_particles(&[700]);
            seen.mark(&[3 | WALL]);
            assert!(seen.has_particle(700) && seen.has_wall(3));
            assert!(!seen.has_particle(3) && !seen.has_wall(399));
        });
        assert!(Seen::with((900, 10), |seen| !seen.has_particle(700) && !seen.has_wall(3)));
    }

    #[test]
    fn the_particle_of_a_body_is_the_same_with_and_without_its_mark() {
        assert!(Seen::with((6, 0), |seen| {
            seen.mark(&[5 | BODY]);
            seen.has_particle(5)
        }));
    }
}
