//! How fast a run goes, and how long it will take.

use std::time::{Duration, Instant};

/// Time over which steps are counted: long enough to be steady, short enough to follow changes.
const WINDOW: Duration = Duration::from_secs(2);

/// Share of the newest frame in the expected length of the next: frames get longer as fluid pours.
const NEWEST: f64 = 0.3;

/// Keeps the time of a run.
#[derive(Debug)]
pub(super) struct Pace {
    start: Instant,
    window_start: Instant,
    window_steps: u32,
    rate: Option<f64>,
    frame_start: Instant,
    frame_seconds: Option<f64>,
}

impl Pace {
    pub(super) fn start() -> Self {
        let now = Instant::now();
        Self {
            start: now,
            window_start: now,
            window_steps: 0,
            rate: None,
            frame_start: now,
            frame_seconds: None,
        }
    }

    /// Wall-clock seconds since the start.
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// A step is done.
    pub(super) fn step(&mut self) {
        self.window_steps += 1;
        let elapsed = self.window_start.elapsed();
        // The first value comes early, so that the user soon sees one.
        if elapsed >= WINDOW || (self.rate.is_none() && elapsed >= WINDOW / 10) {
            self.rate = Some(f64::from(self.window_steps) / elapsed.as_secs_f64());
            self.window_steps = 0;
            self.window_start = Instant::now();
        }
    }

    /// A frame is done and written; `computed` unless it is the initial state.
    pub(super) fn frame(&mut self, computed: bool) {
        let seconds = self.frame_start.elapsed().as_secs_f64();
        self.frame_start = Instant::now();
        if computed {
            let expected = self.frame_seconds.unwrap_or(seconds);
            self.frame_seconds = Some(expected + NEWEST * (seconds - expected));
        }
    }

    /// Steps per second of late.
    pub(super) fn rate(&self) -> Option<f64> {
        self.rate
    }

    /// Seconds that the coming frames will take, less what the one under way has taken.
    pub(super) fn eta(&self, frames_to_come: u32) -> Option<f64> {
        let frame = self.frame_seconds?;
        let under_way = self.frame_start.elapsed().as_secs_f64().min(frame);
        Some((f64::from(frames_to_come) * frame - under_way).max(0.0))
    }
}
