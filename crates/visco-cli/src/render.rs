//! `visco render`: pictures of the frames of a run, and a contact sheet.

mod paint;
mod show;

use crate::args::RenderArgs;
use crate::console::{self, Usage};
use crate::figure::Progress;
use crate::{interrupt, source, text};
use anyhow::Result;
use paint::Painter;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use visco::Frame;
use visco_figures::{RgbImage, contact_sheet, save_png};
use visco_io::{Format, RunFolder, particles};

/// Pictures on a contact sheet, and how many of them stand side by side.
const SHEET: (usize, usize) = (9, 3);
/// Width of a picture on it.
const SHEET_WIDTH: u32 = 480;

/// Draws what is asked for.
pub(crate) fn render(args: &RenderArgs) -> Result<ExitCode> {
    let folder = RunFolder::new(&args.run);
    if !args.run.is_dir() || !folder.is_run() {
        let message = format!("{} is not the folder of a visco run", args.run.display());
        return Err(Usage(message).into());
    }
    interrupt::install()?;
    let frames = frames(&folder, args.every as usize)?;
    let loaded = source::load(&folder.scene().to_string_lossy(), &[])?;
    let simulation = loaded.build()?;
    let mut read = Reader { skip_bad: args.skip_bad, bad: 0 };
    let samples: Vec<Frame> =
        chosen(&frames, SHEET.0).filter_map(|path| read.read(path).transpose()).collect::<Result<_>>()?;
    read.bad = 0;
    let (mut painter, note) = Painter::new(args, (&loaded.scene, simulation.world()), &samples)?;
    if let Some(note) = note.filter(|_| !args.quiet) {
        eprintln!("note: {note}");
    }
    let out = args.run.join("render");
    let fresh = settle(&out, &painter.settings(args))?;
    let start = Instant::now();
    let mut progress = Progress::new("render", args.quiet);
    let mut drawn = 0;
    for (k, path) in frames.iter().enumerate() {
        progress.tell(k as f64 / frames.len() as f64, &format!("frame {} of {}", k + 1, frames.len()));
        let picture = out.join(picture_name(path));
        if interrupt::requested() {
            progress.end();
            let rest = text::counted((frames.len() - k) as u64, "frame");
            eprintln!("interrupted: {rest} left; the same command goes on");
            return Ok(ExitCode::from(console::INTERRUPTED));
        }
        if fresh && is_newer(&picture, path) {
            continue;
        }
        if let Some(frame) = read.read(path)? {
            save_png(&painter.draw(&frame)?, &picture)?;
            drawn += 1;
        }
    }
    progress.end();
    let sheet = args.run.join("contact-sheet.png");
    save_png(&sheet_of(&mut painter, &samples)?, &sheet)?;
    if !args.quiet {
        let (count, took) = (text::counted(drawn, "picture"), text::duration(start.elapsed().as_secs_f64()));
        console::print(format_args!("{count} drawn to {} with {}, {took}", out.display(), painter.name()))?;
        console::print(format_args!("nine of them: {}", sheet.display()))?;
    }
    match read.bad {
        0 => Ok(ExitCode::SUCCESS),
        n => {
            eprintln!("{} could not be read and left out", text::counted(n, "frame"));
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Files of the frames of a run, every nth, one for each in a format that can be read.
fn frames(folder: &RunFolder, every: usize) -> Result<Vec<PathBuf>> {
    let mut frames = BTreeMap::new();
    for (number, format) in
        folder.existing_frames()?.into_iter().filter(|(_, format)| Format::READABLE.contains(format))
    {
        frames.entry(number).or_insert_with(|| folder.frame(number, format));
    }
    if frames.is_empty() {
        let message =
            format!("{} has no frames that can be read (ply, vtp or bgeo)", folder.root().display());
        return Err(Usage(message).into());
    }
    Ok(frames.into_values().step_by(every).collect())
}

/// Evenly chosen frames, the first and the last among them.
fn chosen(frames: &[PathBuf], count: usize) -> impl Iterator<Item = &PathBuf> {
    let count = count.min(frames.len());
    (0..count).map(move |k| &frames[k * (frames.len() - 1) / (count - 1).max(1)])
}

fn picture_name(frame: &Path) -> String {
    let stem = frame.file_stem().unwrap_or_default().to_string_lossy();
    format!("{}.png", stem.replacen("particles", "frame", 1))
}

fn is_newer(picture: &Path, frame: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
    matches!((time(picture), time(frame)), (Some(picture), Some(frame)) if picture >= frame)
}

/// Notes how pictures are drawn, and tells whether those that are there were drawn so too.
fn settle(out: &Path, settings: &serde_json::Value) -> Result<bool> {
    fs::create_dir_all(out)?;
    let path = out.join("settings.json");
    let text = format!("{settings:#}\n");
    let same = fs::read_to_string(&path).is_ok_and(|old| old == text);
    if !same {
        visco_io::atomic::write(&path, |file| file.write_all(text.as_bytes()))?;
    }
    Ok(same)
}

/// Reads frames, or leaves out those that cannot be read.
struct Reader {
    skip_bad: bool,
    bad: u64,
}

impl Reader {
    fn read(&mut self, path: &Path) -> Result<Option<Frame>> {
        match particles::read(path) {
            Ok(frame) => Ok(Some(frame)),
            Err(error) if self.skip_bad => {
                self.bad += 1;
                eprintln!("left out: {error}");
                Ok(None)
            }
            Err(error) => Err(anyhow::Error::from(error).context("--skip-bad leaves such frames out")),
        }
    }
}

fn sheet_of(painter: &mut Painter, samples: &[Frame]) -> Result<RgbImage> {
    let small =
        |frame: &Frame| -> Result<RgbImage> { Ok(paint::smaller(&painter.draw(frame)?, SHEET_WIDTH)) };
    let pictures = samples.iter().map(small).collect::<Result<Vec<_>>>()?;
    Ok(contact_sheet(&pictures, SHEET.1))
}

impl Painter {
    /// What decides how a picture looks.
    fn settings(&self, args: &RenderArgs) -> serde_json::Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "show": format!("{:?}", args.show),
            "size": [args.size.0, args.size.1],
            "samples": args.samples,
            "drawn_by": self.name(),
            "camera": self.camera_text(),
            "range": self.range(),
        })
    }
}
