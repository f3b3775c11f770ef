//! How far a conversion is: a bar on a terminal, lines in a log, or nothing.

use crate::console;
use indicatif::ProgressBar;
use std::io::{self, IsTerminal};
use std::time::Instant;

/// Tells the user how far the conversion is.
pub(super) struct Progress {
    mode: Mode,
    frames: usize,
}

enum Mode {
    Quiet,
    Bar(ProgressBar),
    Lines { last: Instant },
}

impl Progress {
    pub(super) fn new(quiet: bool, frames: usize) -> Self {
        let mode = if quiet {
            Mode::Quiet
        } else if io::stderr().is_terminal() {
            let bar = ProgressBar::hidden();
            console::show_bar(&bar, frames as u64);
            Mode::Bar(bar)
        } else {
            Mode::Lines { last: Instant::now() }
        };
        Self { mode, frames }
    }

    /// So many frames are done, the last with this number.
    pub(super) fn show(&mut self, done: usize, number: u32) {
        let text = format!("{done} of {} frames, at {number:06}", self.frames);
        match &mut self.mode {
            Mode::Quiet => {}
            Mode::Bar(bar) => {
                bar.set_position(done as u64);
                bar.set_message(text);
            }
            Mode::Lines { last } => {
                if last.elapsed() >= console::LINE_INTERVAL {
                    *last = Instant::now();
                    eprintln!("{text}");
                }
            }
        }
    }

    /// What is left out is told even to those who want quiet.
    pub(super) fn warn(&self, text: &str) {
        match &self.mode {
            Mode::Bar(bar) => bar.suspend(|| eprintln!("warning: {text}")),
            Mode::Quiet | Mode::Lines { .. } => eprintln!("warning: {text}"),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Mode::Bar(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }
}
