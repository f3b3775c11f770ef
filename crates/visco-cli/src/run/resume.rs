//! Where a run goes on: the newest checkpoint that can be used.

use super::checkpoints::KEPT;
use super::report::{Reporter, Status};
use crate::console::Usage;
use crate::text;
use anyhow::Result;
use std::path::PathBuf;
use visco::checkpoint::Header;
use visco::{Changes, Checkpoint, CheckpointError, Scene, Simulation};
use visco_io::{DiagnosticsWriter, Error, Format, FrameWriter, RunFolder, checkpoints};

/// The checkpoint that a simulation goes on from.
pub(super) struct Resumed {
    pub(super) path: PathBuf,
    pub(super) header: Header,
}

/// A checkpoint that can be used, by its place among those of a folder, and why newer ones cannot.
pub(super) struct Newest {
    at: usize,
    resumed: Resumed,
    refused: Vec<String>,
}

/// Brings a simulation to the newest checkpoint of a folder that can be used. `None` if there is none; if there are some
/// but none can be used, that is an error, which tells what to do `instead`: a run from the beginning would remove its
/// frames.
pub(super) fn newest(
    folder: &RunFolder,
    simulation: &mut Simulation,
    (changes, instead): (Changes, &str),
) -> Result<Option<Newest>> {
    let mut refused = Vec::new();
    let mut of_another_scene = false;
    let numbers = folder.existing_checkpoints()?;
    for (at, &number) in numbers.iter().enumerate().rev() {
        let path = folder.checkpoint(number);
        let restored = checkpoints::read(&path).and_then(|checkpoint| {
            let restored = restore(simulation, &checkpoint, number, changes);
            restored.map_err(|source| Error::Checkpoint { path: path.clone(), source })?;
            Ok(checkpoint.header().clone())
        });
        match restored {
            Ok(header) => return Ok(Some(Newest { at, resumed: Resumed { path, header }, refused })),
            Err(error) => {
                let other = |source: &CheckpointError| matches!(source, CheckpointError::OtherScene(_));
                of_another_scene |= matches!(&error, Error::Checkpoint { source, .. } if other(source));
                refused.push(error.to_string());
            }
        }
    }
    if refused.is_empty() {
        return Ok(None);
    }
    let mut message = format!("no checkpoint can be used\n{}", refused.join("\n"));
    if of_another_scene && changes == Changes::Refused {
        message += "\n--allow-changes goes on with the changed scene, where the state still fits";
    }
    Err(Usage(format!("{message}\n{instead}")).into())
}

/// The same for a run that then goes on. Checkpoints that cannot be used are named. What a crash left is removed:
/// checkpoints too many, and half-written ones.
pub(super) fn resume(
    folder: &RunFolder,
    simulation: &mut Simulation,
    changes: Changes,
    reporter: &mut Reporter,
) -> Result<Option<Resumed>> {
    let instead = "without --resume the run starts from the beginning and replaces what is there";
    let newest = newest(folder, simulation, (changes, instead))?;
    let Some(Newest { at, resumed, refused }) = newest else { return Ok(None) };
    note_refused(&refused, reporter);
    // A run that is killed right after it wrote one has not removed the oldest.
    let numbers = folder.existing_checkpoints()?;
    folder.remove_checkpoints_but(&numbers[(at + 1).saturating_sub(KEPT)..])?;
    Ok(Some(resumed))
}

fn restore(
    simulation: &mut Simulation,
    checkpoint: &Checkpoint,
    number: u32,
    changes: Changes,
) -> Result<(), CheckpointError> {
    if checkpoint.header().frame != number {
        return Err(CheckpointError::Damaged("it is that of another frame than its name says"));
    }
    simulation.restore(checkpoint, changes)
}

fn note_refused(refused: &[String], reporter: &mut Reporter) {
    for refusal in refused {
        reporter.note(&format!("warning: {refusal}; using the one before"));
    }
}

impl Resumed {
    /// Where the run stands.
    pub(super) fn status(&self) -> Status {
        let Header { frame, step, time, particles, .. } = self.header;
        let particles = particles as usize;
        Status { written: frame + 1, number: frame, time, step, particles, ..Status::default() }
    }

    /// Opens what was written before, without what came after the checkpoint. Says what is missing.
    pub(super) fn open(
        &self,
        folder: &RunFolder,
        (scene, formats): (&Scene, &[Format]),
        reporter: &mut Reporter,
    ) -> Result<(FrameWriter, DiagnosticsWriter)> {
        let Header { frame, step, time, program, .. } = &self.header;
        reporter
            .note(&format!("resuming after frame {frame:06}, t {time:.3} s, from {}", self.path.display()));
        let own = env!("CARGO_PKG_VERSION");
        if program != own {
            reporter.note(&format!(
                "warning: that was written by visco {program}, this is {own}: frames may differ from those of one run"
            ));
        }
        let frames = FrameWriter::resume(folder.root(), formats, (*frame, scene.time.fps))?;
        let existing = folder.existing_frames()?;
        for format in formats {
            let missing = u64::from(frame + 1) - existing.iter().filter(|(_, f)| f == format).count() as u64;
            if missing > 0 {
                let missing = text::counted(missing, "frame");
                let name = format.name();
                reporter.note(&format!(
                    "warning: {missing} up to {frame:06} not there as {name}, only later ones will be"
                ));
            }
        }
        let (diagnostics, last) = DiagnosticsWriter::resume(&folder.diagnostics(), *step)?;
        if last < *step {
            let path = folder.diagnostics();
            reporter.note(&format!(
                "warning: {} has no rows of steps {} to {step}",
                path.display(),
                last + 1
            ));
        }
        Ok((frames, diagnostics))
    }
}
