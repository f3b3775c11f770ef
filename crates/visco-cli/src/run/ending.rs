//! What a run says at its end.

use super::report::{Reporter, Status};
use super::resume::Resumed;
use super::{Plan, Run, again};
use crate::{console, text};
use anyhow::{Result, anyhow};
use std::process::ExitCode;
use visco::StepError;

/// A run whose last frame has been written before has nothing to do.
pub(super) fn tell_finished(plan: Plan, resumed: &Resumed, reporter: &mut Reporter) -> Result<ExitCode> {
    let status = Status { frames: plan.scene.time.frames, ..resumed.status() };
    reporter.finished(&status);
    if !plan.args.quiet && !plan.args.json {
        let root = plan.output.folder().root().display();
        let frames = text::counted(status.written.into(), "frame");
        console::print(format_args!("{root} is finished: {frames} (000000 to {:06})", status.number))?;
        if !plan.args.part {
            let command = again::command(plan.args, Some(2 * status.written), &["--resume"]);
            console::print(format_args!("Next: {command}   for more"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Run<'_> {
    /// Tells what was written and what to do next.
    pub(super) fn tell_end(self) -> Result<ExitCode> {
        let args = self.plan.args;
        let interrupted = self.status.written < self.status.frames;
        self.reporter.end(&self.status, &self.files, self.checkpoints.last().as_deref(), interrupted);
        if !args.quiet && !args.json {
            console::print(self.summary(interrupted))?;
        }
        Ok(if interrupted { ExitCode::from(console::INTERRUPTED) } else { ExitCode::SUCCESS })
    }

    /// An error, with what there is in spite of it and how to go on.
    pub(super) fn failure(&self, error: &anyhow::Error) -> anyhow::Error {
        let mut lines = vec![console::reason(error), self.written_text()];
        let mut more = Vec::new();
        match self.checkpoints.last() {
            None => lines.push("no checkpoint was written before".into()),
            Some(path) => {
                lines.push(format!("the last good checkpoint is {}", path.display()));
                more.push("--resume");
            }
        }
        // The same steps would end in the same way.
        let shorter = self.plan.scene.half_step().filter(|_| error.is::<StepError>());
        if let Some(step) = &shorter {
            if !more.is_empty() {
                more.push("--allow-changes");
            }
            more.extend(["--set", step]);
        }
        lines.push(format!("Next: {}", again::command(self.plan.args, self.plan.args.frames, &more)));
        anyhow!("{}", lines.join("\n"))
    }

    fn summary(&self, interrupted: bool) -> String {
        let mut lines = vec![format!(
            "{}{}, {}, {}",
            if interrupted { "interrupted: " } else { "" },
            self.written_text(),
            text::counted(self.status.particles as u64, "particle"),
            text::duration(self.reporter.seconds()),
        )];
        if self.watch.has_advised() {
            lines.push(format!(
                "The velocity solve missed its tolerance in {} of {}",
                text::count(self.watch.missed()),
                text::counted(self.watch.steps(), "step"),
            ));
        }
        if self.plan.args.part {
            return lines.join("\n");
        }
        if self.plan.args.preview {
            let root = self.folder.root();
            lines.push(format!("film: {}", root.join("film.mp4").display()));
            lines.push(format!("nine frames: {}", root.join("contact-sheet.png").display()));
        }
        let ply = self.folder.frame(self.status.number, visco_io::Format::Ply);
        let shown = if self.files.contains(&ply) {
            ply.display().to_string()
        } else {
            self.folder.root().display().to_string()
        };
        lines.push(format!("Next: visco info {}", again::quoted(&shown)));
        let out = again::quoted(&self.folder.root().display().to_string());
        if self.plan.args.format.iter().any(|format| visco_io::Format::READABLE.contains(format)) {
            if !self.plan.args.preview {
                lines.push(format!("      visco render {out}   for pictures and a film"));
            }
            lines.push(format!("      visco mesh {out}   for surfaces"));
        }
        if let Some(path) = self.frames.collection() {
            lines.push(format!("      open {} in ParaView", path.display()));
        }
        if let Some(path) = self.frames.stage() {
            lines.push(format!("      open {} in Blender, Houdini or usdview", path.display()));
        }
        if self.plan.args.format == [visco_io::Format::Ply] {
            lines.push(format!(
                "      visco convert {out} {out} --format vtp   for ParaView; bgeo or usd for others"
            ));
        }
        if interrupted && self.checkpoints.last().is_some() {
            lines.push(format!(
                "      {}   to go on",
                again::command(self.plan.args, self.plan.args.frames, &["--resume"])
            ));
        }
        lines.join("\n")
    }

    /// `12 of 150 frames (000000 to 000011) written to out/honey`.
    fn written_text(&self) -> String {
        let out = self.folder.root().display();
        let Status { written, frames, .. } = self.status;
        match written {
            0 => format!("no frame written to {out}"),
            _ if written == frames => format!("{} written to {out}", text::counted(written.into(), "frame")),
            _ => format!(
                "{} of {} (000000 to {:06}) written to {out}",
                text::count(written.into()),
                text::counted(frames.into(), "frame"),
                self.status.number
            ),
        }
    }
}
