//! The surfaces of a run.

use super::check_room;
use super::index::{Index, describe};
use super::room::Room;
use super::solids::Walls;
use super::workers::{Job, Outcome, Workshop};
use crate::args::MeshArgs;
use crate::console;
use crate::progress::Progress;
use crate::sequence::Sequence;
use crate::{interrupt, memory, render, text};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use visco::Frame;
use visco_io::atomic::unfinished_name;
use visco_io::layout::{SURFACE_COLLECTION, SURFACE_STAGE, parse_surface_name, surface_name};
use visco_io::surfaces::{SurfaceFormat, list_surfaces};
use visco_io::{RunFolder, particles};
use visco_surface::Size;

/// Time between two writes of the lists, while surfaces come.
const LISTS: Duration = Duration::from_secs(1);

/// Frames that a camera is fitted to, where the scene has none, and the size of the picture.
const SAMPLES: usize = 9;
const PICTURE: (u32, u32) = (1280, 720);

/// Makes the surfaces of a run.
pub(super) fn mesh(args: &MeshArgs) -> Result<ExitCode> {
    let mut progress = Progress::new("mesh", args.quiet);
    let sequence = Sequence::find(&args.input, args.skip_bad, |message| progress.warn(message))?;
    let (run, frames, loaded) = (RunFolder::new(&args.input), sequence.every(args.every), &sequence.loaded);
    let simulation = loaded.build()?;
    let folder = args.out.clone().unwrap_or_else(|| run.mesh());
    let settings = args.settings(loaded.scene.material.len());
    let most = args.memory.or_else(memory::available).unwrap_or(u64::MAX);
    let samples: Vec<Frame> = samples(&frames).into_iter().map(|frame| args.spaced(frame)).collect();
    let sizes: Vec<(u32, Size)> = samples.iter().map(|frame| (frame.number, Size::of(frame))).collect();
    check_room(&settings, most, &sizes)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    remove_old(&folder, &sequence.frames, &settings_text(args, settings.apart_from))?;

    let formats = args.formats();
    let mut index = Index::read(&folder);
    let jobs: Vec<Job> = frames.iter().filter_map(|frame| due(&folder, frame, &formats, &index)).collect();
    index.entries.retain(|number, _| {
        frames.iter().any(|(n, _)| n == number) && !jobs.iter().any(|job| job.number == *number)
    });
    let kept = index.entries.len();
    let walls = Walls::new((&loaded.scene, simulation.world()), &folder);
    let camera = render::camera(&loaded.scene, &samples, PICTURE);
    let mut rest = describe(&loaded.scene, &camera);
    rest["ground"] = json!(walls.ground());
    let mut lists = Lists { folder: &folder, formats: &formats, walls, rest, fps: loaded.scene.time.fps };

    let workshop = Workshop { args, settings, folder: &folder, room: Room::new(most) };
    let (start, mut last, mut left_out) = (Instant::now(), Instant::now(), 0);
    let result = workshop.run(&jobs, |number, outcome| {
        match outcome {
            Outcome::Made(entry, scalars) => {
                index.entries.insert(number, entry);
                index.scalars = scalars;
            }
            Outcome::Bad(error) if args.skip_bad => {
                progress.warn(&format!("left out: {}", console::reason(&error)));
                left_out += 1;
            }
            Outcome::Bad(error) => return Err(error.context("--skip-bad leaves such frames out")),
            Outcome::Failed(error) => return Err(error),
        }
        if last.elapsed() >= LISTS {
            last = Instant::now();
            lists.write(&index)?;
        }
        let done = index.entries.len() + left_out;
        progress.tell(done as f64 / frames.len() as f64, &format!("frame {number:06}"));
        Ok(())
    });
    drop(progress);
    let written = lists.write(&index)?;
    result?;

    let made = index.entries.len() - kept;
    let rest = jobs.len() - made - left_out;
    if !args.quiet {
        let what = text::counted(made as u64, "surface");
        let also =
            if kept > 0 { format!(", {} up to date", text::count(kept as u64)) } else { String::new() };
        let took = text::duration(start.elapsed().as_secs_f64());
        console::print(format_args!("{what} made in {}{also}, {took}", folder.display()))?;
        for path in written {
            console::print(format_args!("all frames: {}", path.display()))?;
        }
    }
    if rest > 0 && interrupt::requested() {
        console::tell(format_args!(
            "interrupted: {} left; the same command goes on",
            text::counted(rest as u64, "frame")
        ));
        return Ok(ExitCode::from(console::INTERRUPTED));
    }
    if left_out > 0 {
        console::tell(format_args!(
            "{} could not be read and left out",
            text::counted(left_out as u64, "frame")
        ));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// What decides how a surface looks.
fn settings_text(args: &MeshArgs, apart_from: usize) -> String {
    let settings = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "cell": args.cell,
        "smoothing": args.smoothing,
        "strays": args.strays,
        "anisotropic": args.anisotropic,
        "apart_from": apart_from,
        "spacing": args.spacing.or(args.radius.map(|r| 2.0 * r)),
    });
    format!("{settings:#}\n")
}

/// Removes surfaces of frames that are gone, what a kill left half-written and, if surfaces were made in another way, all
/// of them; and notes how they are made.
fn remove_old(folder: &Path, frames: &[(u32, PathBuf)], settings: &str) -> Result<()> {
    let note = folder.join("settings.json");
    let same = fs::read_to_string(&note).is_ok_and(|old| old == settings);
    let is_old = |name: &str| {
        let is_list = [SURFACE_COLLECTION, SURFACE_STAGE].contains(&name);
        match parse_surface_name(name) {
            Some((number, _)) => !same || !frames.iter().any(|(n, _)| *n == number),
            // Walls follow the scene, which may be another now.
            None => is_list && !same || name.starts_with("solids_") && name.ends_with(".ply"),
        }
    };
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let half_written = unfinished_name(&name).is_some_and(|name| name.starts_with("surface"));
        if half_written || is_old(&name) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    // After the old ones are gone: a kill in between must not make them look new.
    if !same {
        visco_io::atomic::write(&note, |file| file.write_all(settings.as_bytes()))?;
    }
    Ok(())
}

/// What is to be made of a frame; nothing if all is there, listed and not older.
fn due(
    folder: &Path,
    (number, frame): &(u32, PathBuf),
    formats: &[SurfaceFormat],
    index: &Index,
) -> Option<Job> {
    let is_due = |format: &SurfaceFormat| {
        let listed = index.entries.contains_key(number);
        !(listed && render::is_newer(&folder.join(surface_name(*number, *format)), frame))
    };
    let formats: Vec<SurfaceFormat> = formats.iter().copied().filter(is_due).collect();
    (!formats.is_empty()).then(|| Job { number: *number, frame: frame.clone(), formats })
}

/// Some frames that can be read, the largest among them.
fn samples(frames: &[(u32, PathBuf)]) -> Vec<Frame> {
    let files: Vec<PathBuf> = frames.iter().map(|(_, path)| path.clone()).collect();
    let largest = files.iter().max_by_key(|path| fs::metadata(path).map_or(0, |m| m.len()));
    let chosen = render::chosen(&files, SAMPLES).chain(largest);
    chosen.filter_map(|path| particles::read(path).ok()).collect()
}

/// What lies beside surfaces and lists them.
struct Lists<'a> {
    folder: &'a Path,
    formats: &'a [SurfaceFormat],
    walls: Walls<'a>,
    /// The part of the index that stays.
    rest: Value,
    fps: f64,
}

impl Lists<'_> {
    /// Brings index, collection and stage up to date; returns what plays the surfaces.
    fn write(&mut self, index: &Index) -> Result<Vec<PathBuf>> {
        let surfaces: Vec<(u32, f64)> = index.entries.iter().map(|(n, entry)| (*n, entry.time)).collect();
        let mut files = Vec::new();
        for &format in self.formats {
            files.extend(list_surfaces(self.folder, format, (&surfaces, self.fps), &index.scalars)?);
        }
        let has_stage = self.folder.join(SURFACE_STAGE).is_file();
        self.rest["stage"] = json!(has_stage.then_some(SURFACE_STAGE));
        self.rest["solids"] = self.walls.write(surfaces.iter().copied())?.into();
        index.write(self.folder, self.rest.clone())?;
        Ok(files)
    }
}
