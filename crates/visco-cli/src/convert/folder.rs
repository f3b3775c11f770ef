//! The frames of a folder, converted one after the other.

use super::{create_folder, is_same};
use crate::args::ConvertArgs;
use crate::console::{self, Usage};
use crate::progress::Progress;
use crate::{gaps, interrupt, text};
use anyhow::{Context, Result, anyhow, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;
use visco::{Frame, Scene};
use visco_io::layout::{frame_name, frames_in};
use visco_io::{Format, RunFolder, list_frames, particles, usd};

/// Frames a second where neither scene nor frames tell.
const DEFAULT_FPS: f64 = 24.0;

/// What is read from where.
struct Source {
    folder: PathBuf,
    /// The format to read a frame from; `None` if there is none that can be read.
    frames: BTreeMap<u32, Option<Format>>,
    /// Frames a second, if the scene tells.
    fps: Option<f64>,
}

/// What was done.
#[derive(Default)]
struct Tally {
    written: usize,
    kept: usize,
    left_out: usize,
    conformation: Option<bool>,
    /// Frames a second by the time of a frame.
    fps: Option<f64>,
}

/// Converts the frames of a run, or of a folder of frames.
pub(super) fn convert(args: &ConvertArgs) -> Result<ExitCode> {
    if args.format.is_empty() {
        return Err(
            Usage("which format? Add --format, with one or more of ply, vtp, bgeo, usd".into()).into()
        );
    }
    if args.output.is_file() {
        let message = format!("{} is a file; the frames of a folder need a folder", args.output.display());
        return Err(Usage(message).into());
    }
    let (source, is_run) = Source::find(&args.input)?;
    let output = if is_run { RunFolder::new(&args.output).frames() } else { args.output.clone() };
    let mut progress = Progress::new("convert", args.quiet);
    source.check_gaps(args.skip_bad, &progress)?;
    create_folder(Some(&output))?;

    let tally = source.convert(args, &output, &mut progress)?;
    drop(progress);
    let mut lists = Vec::new();
    if args.format.iter().any(|f| matches!(f, Format::Vtp | Format::Usd)) {
        let fps = source.fps.or(tally.fps).or_else(|| source.fps_of_frames()).unwrap_or(DEFAULT_FPS);
        let conformation = tally.conformation.or_else(|| source.has_conformation(&output)).unwrap_or(false);
        lists = list_frames(&output, fps, conformation)?;
    }
    let done = tally.written + tally.kept + tally.left_out;
    let interrupted = done < source.frames.len();
    if !args.quiet {
        console::print(tally.text(&args.format, &output, interrupted))?;
        for list in lists {
            console::print(format_args!("all frames: {}", list.display()))?;
        }
    }
    Ok(if interrupted { ExitCode::from(console::INTERRUPTED) } else { ExitCode::SUCCESS })
}

impl Source {
    /// The frames of a folder, and whether it is that of a run.
    fn find(input: &Path) -> Result<(Self, bool)> {
        let run = RunFolder::new(input);
        let is_run = run.is_run() || run.frames().is_dir();
        let folder = if is_run { run.frames() } else { input.to_owned() };
        let mut frames = BTreeMap::new();
        for (number, format) in frames_in(&folder)? {
            // Formats come in the order of their exactness.
            let best = frames.entry(number).or_insert(None);
            *best = best.or(Some(format).filter(|f| Format::READABLE.contains(f)));
        }
        if frames.is_empty() {
            let message = format!("{} holds no frames (particles_000000.ply, .vtp, .bgeo)", folder.display());
            return Err(Usage(message).into());
        }
        let toml = fs::read_to_string(run.scene()).ok();
        let scene = toml.and_then(|text| Scene::from_toml_with(&text, &[]).ok());
        Ok((Self { folder, frames, fps: scene.map(|s| s.time.fps) }, is_run))
    }

    /// Frames that are missing between others are named; unless they may be, nothing is converted.
    fn check_gaps(&self, skip: bool, progress: &Progress) -> Result<()> {
        let Some(message) = gaps::told(&self.folder, self.frames.keys().copied()) else {
            return Ok(());
        };
        if skip {
            progress.warn(&message);
            return Ok(());
        }
        bail!("{message}\nNothing was written; --skip-bad converts the others")
    }

    fn convert(&self, args: &ConvertArgs, output: &Path, progress: &mut Progress) -> Result<Tally> {
        let mut tally = Tally::default();
        for (done, &number) in self.frames.keys().enumerate() {
            if interrupt::requested() {
                break;
            }
            let targets = self.targets(args, output, number)?;
            if targets.is_empty() {
                tally.kept += 1;
            } else {
                match self.read(number) {
                    Ok(frame) => {
                        for &target in &targets {
                            particles::write(&output.join(frame_name(number, target)), &frame, target)?;
                        }
                        tally.add(&frame);
                    }
                    Err(error) if args.skip_bad => {
                        progress.warn(&format!("left out: {}", console::reason(&error)));
                        tally.left_out += 1;
                    }
                    Err(error) => {
                        let kept = text::counted((tally.written + tally.kept) as u64, "frame");
                        return Err(anyhow!(
                            "{}\n{kept} before it converted; --skip-bad leaves out what cannot be read",
                            console::reason(&error)
                        ));
                    }
                }
            }
            progress.tell((done + 1) as f64 / self.frames.len() as f64, &format!("frame {number:06}"));
        }
        Ok(tally)
    }

    /// The file of a frame that is read.
    fn path(&self, number: u32) -> Option<PathBuf> {
        let format = (*self.frames.get(&number)?)?;
        Some(self.folder.join(frame_name(number, format)))
    }

    fn read(&self, number: u32) -> Result<Frame> {
        let Some(path) = self.path(number) else {
            bail!("frame {number:06} is there as USD only, which is written, not read");
        };
        let frame = particles::read(&path)?;
        // The name counts: in USD a frame is found by its number.
        Ok(Frame { number, ..frame })
    }

    /// The formats in which a frame is not there, or older than what it is made from.
    fn targets(&self, args: &ConvertArgs, output: &Path, number: u32) -> Result<Vec<Format>> {
        let Some(source) = self.path(number) else {
            return Ok(args.format.clone());
        };
        let modified = |path: &Path| -> std::io::Result<SystemTime> { fs::metadata(path)?.modified() };
        let read = modified(&source).with_context(|| format!("cannot read {}", source.display()))?;
        let is_due = |format: &Format| {
            let target = output.join(frame_name(number, *format));
            !is_same(&source, &target) && modified(&target).map_or(true, |written| written < read)
        };
        Ok(args.format.iter().copied().filter(|format| is_due(format)).collect())
    }

    /// Frames a second by the time of the last frame.
    fn fps_of_frames(&self) -> Option<f64> {
        let last = *self.frames.keys().next_back()?;
        fps_of(&self.read(last).ok()?)
    }

    /// What the stage of an earlier conversion says, or the first frame.
    fn has_conformation(&self, output: &Path) -> Option<bool> {
        let stage = output.join("particles.usda");
        usd::declares_conformation(&stage)
            .or_else(|| self.read(*self.frames.keys().next()?).ok().map(|f| f.conformations.is_some()))
    }
}

impl Tally {
    fn add(&mut self, frame: &Frame) {
        self.written += 1;
        self.conformation = Some(frame.conformations.is_some());
        self.fps = fps_of(frame).or(self.fps);
    }

    fn text(&self, formats: &[Format], output: &Path, interrupted: bool) -> String {
        let names: Vec<&str> = formats.iter().map(|f| f.name()).collect();
        let mut parts = vec![format!("{} written", text::counted(self.written as u64, "frame"))];
        if self.kept > 0 {
            parts.push(format!("{} up to date", text::count(self.kept as u64)));
        }
        if self.left_out > 0 {
            parts.push(format!("{} left out", text::count(self.left_out as u64)));
        }
        let start = if interrupted { "interrupted: " } else { "" };
        format!("{start}{} as {} in {}", parts.join(", "), names.join(", "), output.display())
    }
}

/// Frames a second by a frame's number and time, which a file may hold in single precision.
fn fps_of(frame: &Frame) -> Option<f64> {
    let fps = f64::from(frame.number) / frame.time;
    let rounded = (fps * 1000.0).round() / 1000.0;
    let close = if (fps - rounded).abs() < 1e-5 * fps { rounded } else { fps };
    (close.is_finite() && close > 0.0).then_some(close)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_a_second_follow_from_number_and_time() {
        let fps = |number, time| fps_of(&Frame { number, time, ..Frame::default() });
        assert_eq!(fps(12, 0.4), Some(30.0));
        assert_eq!(fps(7, f64::from(7.0_f32 / 24.0)), Some(24.0));
        assert_eq!(fps(30, 30.0 / 23.976), Some(23.976));
        assert_eq!([fps(0, 0.0), fps(3, 0.0), fps(0, 1.0)], [None; 3]);
    }
}
