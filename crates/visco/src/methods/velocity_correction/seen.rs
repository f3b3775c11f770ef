//! Marks of partners that a particle is connected with.

use super::connections::{BODY, WALL};
use std::cell::RefCell;

/// Which partners have been seen, for one particle at a time. Threads keep their marks, as to make them takes longer than
/// to use them; a mark counts only for the particle that it was made for.
#[derive(Default)]
pub(super) struct Seen {
    /// When each partner was last seen: particles, and boundary particles of walls.
    when: [Vec<u32>; 2],
    now: u32,
}

thread_local! {
    static KEPT: RefCell<Seen> = RefCell::default();
}

impl Seen {
    /// Gives a thread its marks, with none set.
    pub(super) fn with<T>(f: impl FnOnce(&mut Self) -> T) -> T {
        KEPT.with_borrow_mut(|seen| {
            if seen.now == u32::MAX {
                *seen = Self::default();
            }
            seen.now += 1;
            f(seen)
        })
    }

    /// Marks a partner.
    pub(super) fn mark(&mut self, partner: u32) {
        let now = self.now;
        let (of_walls, k) = split(partner);
        let when = &mut self.when[of_walls];
        if when.len() <= k {
            when.resize((2 * k).max(256), 0);
        }
        when[k] = now;
    }

    /// Whether a partner is marked.
    pub(super) fn has(&self, partner: u32) -> bool {
        let (of_walls, k) = split(partner);
        self.when[of_walls].get(k) == Some(&self.now)
    }
}

/// Whether a partner is a wall's, and its index.
fn split(partner: u32) -> (usize, usize) {
    (usize::from(partner & WALL != 0), (partner & !(WALL | BODY)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_count_for_one_particle_and_tell_walls_from_particles() {
        let first = Seen::with(|seen| {
            seen.mark(700);
            seen.mark(3 | WALL);
            [700, 3 | WALL, 700 | WALL, 3, 9999].map(|partner| seen.has(partner))
        });
        assert_eq!(first, [true, true, false, false, false]);
        assert!(Seen::with(|seen| !seen.has(700) && !seen.has(3 | WALL)));
    }

    #[test]
    fn the_particle_of_a_body_is_the_same_with_and_without_its_mark() {
        assert!(Seen::with(|seen| {
            seen.mark(5 | BODY);
            seen.has(5)
        }));
    }
}
