//! When a run writes checkpoints, and which of them stay.

use anyhow::Result;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use visco::Simulation;
use visco_io::{RunFolder, checkpoints};

/// Wall-clock time after which a frame is followed by a checkpoint.
const INTERVAL: Duration = Duration::from_secs(30);
/// Where writing one is slow, the run works at least so many times as long in between.
const LEAST_WORK: u32 = 20;
/// Checkpoints that stay: the last, and one for the case that it is damaged.
pub(super) const KEPT: usize = 2;

/// Writes and removes the checkpoints of a run.
pub(super) struct Checkpoints {
    folder: RunFolder,
    /// Frames from one to the next; `None`: by the clock.
    every: Option<u32>,
    /// Frames of those that stay, the newest last.
    kept: Vec<u32>,
    last: Instant,
    /// How long the last took to write.
    cost: Duration,
}

/// A checkpoint that was written.
pub(super) struct Written {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    pub(super) seconds: f64,
}

impl Checkpoints {
    /// Of a run that begins, or goes on after the checkpoint of frame `resumed`.
    pub(super) fn new(folder: RunFolder, every: Option<u32>, resumed: Option<u32>) -> Self {
        let kept = resumed.into_iter().collect();
        Self { folder, every, kept, last: Instant::now(), cost: Duration::ZERO }
    }

    /// Whether one should follow a frame: because it is time, or because the run ends there.
    pub(super) fn is_due(&self, frame: u32, ends: bool) -> bool {
        let due = match self.every {
            Some(0) => return false,
            Some(n) => frame > 0 && frame.is_multiple_of(n),
            None => self.last.elapsed() >= INTERVAL.max(LEAST_WORK * self.cost),
        };
        (due || ends) && self.kept.last() != Some(&frame)
    }

    /// Writes one after a frame; all but the last two are removed.
    pub(super) fn write(&mut self, simulation: &Simulation, frame: u32) -> Result<Written> {
        let start = Instant::now();
        let path = self.folder.checkpoint(frame);
        // Only the first creates the folder: one that vanishes during a run is an error.
        if self.kept.is_empty() {
            let folder = self.folder.checkpoints();
            fs::create_dir_all(&folder)
                .map_err(|error| anyhow::anyhow!("cannot create {}: {error}", folder.display()))?;
        }
        let bytes = checkpoints::write(&path, &simulation.checkpoint())?;
        self.kept.push(frame);
        self.kept.drain(..self.kept.len().saturating_sub(KEPT));
        self.folder.remove_checkpoints_but(&self.kept)?;
        (self.cost, self.last) = (start.elapsed(), Instant::now());
        Ok(Written { path, bytes, seconds: self.cost.as_secs_f64() })
    }

    /// The last good one.
    pub(super) fn last(&self) -> Option<PathBuf> {
        self.kept.last().map(|frame| self.folder.checkpoint(*frame))
    }
}
