//! What a run tells while it goes: a bar on a terminal, lines in a log, JSON for programs, or nothing.

use super::checkpoints::Written;
use super::pace::Pace;
use crate::{console, text};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;
use visco::Scene;
use visco::scene::Estimate;
use visco_io::Format;

/// Where a run stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Status {
    /// Frames written so far.
    pub(super) written: u32,
    /// Frames in all.
    pub(super) frames: u32,
    /// Number of the last frame written.
    pub(super) number: u32,
    /// Simulated seconds.
    pub(super) time: f64,
    pub(super) particles: usize,
    pub(super) step: u64,
    /// Steps whose velocity solve missed its tolerance.
    pub(super) steps_above_tolerance: u64,
}

/// What is known at the start.
pub(super) struct Start<'a> {
    pub(super) scene: &'a Scene,
    pub(super) estimate: Estimate,
    pub(super) out: &'a Path,
    pub(super) formats: &'a [Format],
    pub(super) status: &'a Status,
}

/// Tells the user about the run.
pub(super) struct Reporter {
    mode: Mode,
    pace: Pace,
    stopping: bool,
}

enum Mode {
    Quiet,
    Json,
    Bar(ProgressBar),
    Lines { last: Instant },
}

impl Status {
    /// Frames that are not written yet.
    fn remaining(self) -> u32 {
        self.frames.saturating_sub(self.written)
    }
}

impl Reporter {
    pub(super) fn new(quiet: bool, json: bool) -> Self {
        let mode = if quiet {
            Mode::Quiet
        } else if json {
            Mode::Json
        } else if io::stderr().is_terminal() {
            // Hidden until the start, so that a refused scene leaves no empty bar.
            Mode::Bar(ProgressBar::hidden())
        } else {
            Mode::Lines { last: Instant::now() }
        };
        Self { mode, pace: Pace::start(), stopping: false }
    }

    /// The scene is built and the output is open.
    pub(super) fn start(&mut self, start: &Start<'_>, checkpoint: Option<&Path>) {
        self.pace = Pace::start();
        let Start { scene, status, .. } = start;
        let threads = rayon::current_num_threads();
        let line = format!(
            "{}: {}, {}, {}, to {}",
            scene.name,
            text::counted(status.particles as u64, "particle"),
            text::counted(status.frames.into(), "frame"),
            text::counted(threads as u64, "thread"),
            start.out.display()
        );
        match &self.mode {
            Mode::Quiet => {}
            Mode::Json => {
                let estimate = start.estimate;
                emit(json!({
                    "event": "start",
                    "scene": scene.name,
                    "out": start.out.to_string_lossy(),
                    "formats": start.formats.iter().map(|f| f.name()).collect::<Vec<_>>(),
                    "frames": status.frames,
                    "particles": status.particles,
                    "particles_expected": estimate.particles,
                    "bytes_expected": estimate.bytes,
                    "threads": threads,
                    "resumed_from": checkpoint.map(Path::to_string_lossy),
                }));
            }
            Mode::Bar(bar) => {
                console::tell(&line);
                console::show_bar(bar, status.frames.into());
            }
            Mode::Lines { .. } => console::tell(&line),
        }
    }

    /// A step is done.
    pub(super) fn step(&mut self, status: &Status) {
        self.pace.step();
        let due = match &self.mode {
            Mode::Bar(_) => true,
            Mode::Lines { last } => last.elapsed() >= console::LINE_INTERVAL,
            Mode::Quiet | Mode::Json => false,
        };
        if due {
            self.show(status);
        }
    }

    /// A frame is written.
    pub(super) fn frame(&mut self, status: &Status, files: &[PathBuf]) {
        self.pace.frame(status.written > 1);
        match &self.mode {
            Mode::Quiet | Mode::Lines { .. } => {}
            Mode::Json => {
                let mut event = self.status_json("frame", status);
                event["eta"] = json!(self.pace.eta(status.remaining()));
                event["files"] = json!(names(files));
                emit(event);
            }
            Mode::Bar(bar) => {
                bar.set_position(status.written.into());
                self.show(status);
            }
        }
    }

    /// A checkpoint is written.
    pub(super) fn checkpoint(&mut self, status: &Status, written: &Written) {
        if let Mode::Json = &self.mode {
            emit(json!({
                "event": "checkpoint",
                "frame": status.number,
                "file": written.path.to_string_lossy(),
                "bytes": written.bytes,
                "seconds_taken": written.seconds,
            }));
        }
    }

    /// A line for the user that is no error.
    pub(super) fn note(&mut self, message: &str) {
        match &self.mode {
            Mode::Quiet => {}
            Mode::Json => emit(json!({ "event": "warning", "message": message })),
            Mode::Bar(bar) if !bar.is_hidden() => bar.println(message),
            Mode::Bar(_) | Mode::Lines { .. } => console::tell(message),
        }
    }

    /// The user asked for an end; says once that it is coming.
    pub(super) fn stopping(&mut self) {
        if !std::mem::replace(&mut self.stopping, true) {
            self.note("stopping after this frame; Ctrl-C again stops at once");
        }
    }

    /// The run is over.
    pub(super) fn end(
        &mut self,
        status: &Status,
        files: &[PathBuf],
        checkpoint: Option<&Path>,
        interrupted: bool,
    ) {
        match &self.mode {
            Mode::Quiet => {}
            Mode::Json => {
                let mut event = self.status_json("end", status);
                event["interrupted"] = json!(interrupted);
                event["steps_above_tolerance"] = json!(status.steps_above_tolerance);
                event["files"] = json!(names(files));
                event["checkpoint"] = json!(checkpoint.map(Path::to_string_lossy));
                emit(event);
            }
            Mode::Bar(bar) => bar.finish_and_clear(),
            Mode::Lines { .. } => self.show(status),
        }
    }

    /// The run was over before it began.
    pub(super) fn finished(&mut self, status: &Status) {
        if let Mode::Json = &self.mode {
            self.end(status, &[], None, false);
        }
    }

    /// The run failed; the message itself goes to standard error at the end of the program.
    pub(super) fn error(&mut self, error: &anyhow::Error) {
        match &self.mode {
            Mode::Quiet | Mode::Lines { .. } => {}
            Mode::Json => emit(json!({
                "event": "error",
                "message": console::reason(error),
                "exit_code": console::exit_code(error),
                "seconds": self.seconds(),
            })),
            Mode::Bar(bar) => bar.finish_and_clear(),
        }
    }

    /// Wall-clock seconds since the start.
    pub(super) fn seconds(&self) -> f64 {
        self.pace.seconds()
    }

    fn status_json(&self, event: &str, status: &Status) -> Value {
        json!({
            "event": event,
            "frame": status.number,
            "frames": status.frames,
            "time": status.time,
            "particles": status.particles,
            "step": status.step,
            "seconds": self.seconds(),
        })
    }

    /// Brings the bar up to date, or prints a line.
    fn show(&mut self, status: &Status) {
        let line = self.line(status);
        match &mut self.mode {
            Mode::Bar(bar) => bar.set_message(line),
            Mode::Lines { last } => {
                *last = Instant::now();
                console::tell(&line);
            }
            Mode::Quiet | Mode::Json => {}
        }
    }

    /// `frame 12/150 · t 0.400 s · 5,321 particles · 24.1 steps/s · ETA 1:23`.
    fn line(&self, status: &Status) -> String {
        let mut parts = vec![
            format!("frame {}/{}", status.written, status.frames),
            format!("t {:.3} s", status.time),
            text::counted(status.particles as u64, "particle"),
        ];
        if let Some(rate) = self.pace.rate() {
            parts.push(format!("{rate:.1} steps/s"));
        }
        let to_come = status.remaining();
        if to_come > 0
            && let Some(eta) = self.pace.eta(to_come)
        {
            parts.push(format!("ETA {}", text::clock(eta)));
        }
        parts.join(" · ")
    }
}

/// Prints an event. If nobody reads any more, the run goes on: its product is the frames.
fn emit(event: Value) {
    let _ = console::print(event);
}

fn names(files: &[PathBuf]) -> Vec<String> {
    let text = |path: &PathBuf| path.to_string_lossy().into_owned();
    files.iter().map(text).collect()
}
