//! How far a command is.

use crate::console;
use indicatif::ProgressBar;
use std::io::{self, IsTerminal};
use std::time::Instant;

/// Parts of a whole that the bar can show.
const RESOLUTION: f64 = 1000.0;

/// A bar on a terminal, lines in a log, or nothing.
pub(crate) enum Progress {
    Quiet,
    Bar(ProgressBar),
    Lines { name: &'static str, last: Instant },
}

impl Progress {
    pub(crate) fn new(name: &'static str, quiet: bool) -> Self {
        if quiet {
            return Self::Quiet;
        }
        if !io::stderr().is_terminal() {
            return Self::Lines { name, last: Instant::now() };
        }
        console::tell(name);
        let bar = ProgressBar::hidden();
        console::show_bar(&bar, RESOLUTION as u64);
        Self::Bar(bar)
    }

    /// So much is done, and what comes now.
    pub(crate) fn tell(&mut self, part: f64, what: &str) {
        let line = format!("{:3.0} % · {what}", 100.0 * part);
        match self {
            Self::Quiet => {}
            Self::Bar(bar) => {
                bar.set_position((part * RESOLUTION) as u64);
                bar.set_message(line);
            }
            Self::Lines { name, last } => {
                if last.elapsed() >= console::LINE_INTERVAL {
                    *last = Instant::now();
                    console::tell(format_args!("{name}: {line}"));
                }
            }
        }
    }

    /// What is left out is told even to those who want quiet.
    pub(crate) fn warn(&self, text: &str) {
        match self {
            Self::Bar(bar) => bar.suspend(|| console::tell(format_args!("warning: {text}"))),
            Self::Quiet | Self::Lines { .. } => console::tell(format_args!("warning: {text}")),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
