//! Memory that several surfaces share.

use std::sync::{Condvar, Mutex, PoisonError};

/// Lets as many surfaces be made at a time as there is room for, and always one.
pub(super) struct Room {
    /// Bytes in all.
    pub(super) most: u64,
    taken: Mutex<u64>,
    freed: Condvar,
}

/// A part of the room, given back when it goes.
pub(super) struct Part<'a> {
    room: &'a Room,
    bytes: u64,
}

impl Room {
    pub(super) fn new(most: u64) -> Self {
        Self { most, taken: Mutex::new(0), freed: Condvar::new() }
    }

    /// Waits until there is so much room.
    pub(super) fn take(&self, bytes: u64) -> Part<'_> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken > 0 && taken.saturating_add(bytes) > self.most {
            taken = self.freed.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken += bytes;
        Part { room: self, bytes }
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        *self.room.taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.room.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn no_more_is_taken_than_there_is_and_what_is_too_large_comes_alone() {
        let (room, now) = (Room::new(10), AtomicU64::new(0));
        thread::scope(|scope| {
            for bytes in [4, 5, 6, 30, 3, 7] {
                let (room, now) = (&room, &now);
                scope.spawn(move || {
                    let _part = room.take(bytes);
                    let taken = now.fetch_add(bytes, Ordering::SeqCst) + bytes;
                    assert!(taken <= 10 || taken == 30, "{taken}");
                    thread::sleep(Duration::from_millis(5));
                    now.fetch_sub(bytes, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(*room.taken.lock().unwrap(), 0);
    }
}
