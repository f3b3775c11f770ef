//! Ctrl-C and SIGTERM: the first asks for an end after the current frame, the second ends at once.

use crate::console;
use anyhow::{Context, Result};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Watches for signals from now on.
pub(crate) fn install() -> Result<()> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            visco_io::atomic::abandon();
            process::exit(console::INTERRUPTED.into());
        }
    })
    .context("cannot watch for Ctrl-C")
}

/// Whether the user wants an end.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
