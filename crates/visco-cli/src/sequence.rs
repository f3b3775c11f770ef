//! Frames to draw or to mesh: of a run, or of a folder of particles that other programs wrote.

use crate::console::Usage;
use crate::gaps;
use crate::source::{self, Loaded};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use visco::Frame;
use visco_io::{Format, RunFolder, particles};

/// Frames by number, and the scene that they belong to.
pub(crate) struct Sequence {
    /// The folder of the run, or of the particles.
    pub(crate) root: PathBuf,
    /// The numbers of frames and their files, ascending.
    pub(crate) frames: Vec<(u32, PathBuf)>,
    /// For particles of other programs: a scene with nothing but their materials.
    pub(crate) loaded: Loaded,
}

impl Sequence {
    /// The frames of a folder. `warn` is told of those that are missing between others, if they may be left out.
    pub(crate) fn find(folder: &Path, skip_bad: bool, warn: impl FnOnce(&str)) -> Result<Self> {
        let run = RunFolder::new(folder);
        let frames = if run.is_run() { of_run(&run)? } else { of_others(folder)? };
        let Some((_, first)) = frames.first() else {
            let message = format!(
                "{} is neither the folder of a visco run with frames nor one of particles (ply, vtp or bgeo)",
                folder.display()
            );
            return Err(Usage(message).into());
        };
        if let Some(message) = gaps::told(first.parent().unwrap_or(folder), frames.iter().map(|(n, _)| *n)) {
            if !skip_bad {
                bail!("{message}\nNothing was written; --skip-bad leaves them out");
            }
            warn(&message);
        }
        let loaded = match run.is_run() {
            true => source::load(&run.scene().to_string_lossy(), &[])?,
            false => {
                let readable = frames.iter().map(|(_, path)| particles::read(path));
                // With --skip-bad the first that can be read, else the first.
                let mut readable = readable.filter(|read| read.is_ok() || !skip_bad);
                plain(&readable.next().context("none of the frames can be read")??)?
            }
        };
        Ok(Self { root: folder.to_owned(), frames, loaded })
    }

    /// Every nth frame.
    pub(crate) fn every(&self, n: u32) -> Vec<(u32, PathBuf)> {
        self.frames.iter().step_by(n as usize).cloned().collect()
    }
}

/// A scene with nothing but the materials and the spacing of particles.
pub(crate) fn plain(frame: &Frame) -> Result<Loaded> {
    let materials = frame.materials.iter().copied().max().unwrap_or(0);
    let material = |k| format!("[[material]]\nname = \"material {k}\"\nviscosity = 1\n");
    let materials: String = (0..=materials).map(material).collect();
    let d = frame.spacing;
    // A scene has something that fluid comes from; this nozzle never opens.
    let text = format!(
        "name = \"particles\"\nspacing = {d:?}\ntime = {{ frames = 1, steps_per_frame = 1, fps = 24 }}\n{materials}\
         [[emitter]]\nmaterial = \"material 0\"\nnozzle = {{ disc = {{ radius = {:?} }} }}\nposition = [0, 0, 0]\n\
         direction = [0, -1, 0]\nspeed = {d:?}\nactive = [[1e5, 2e5]]\n",
        2.0 * d
    );
    source::parse("particles", &text)
}

/// The frames of a run, one file for each, in a format that can be read.
fn of_run(run: &RunFolder) -> Result<Vec<(u32, PathBuf)>> {
    let mut frames = BTreeMap::new();
    for (number, format) in run.existing_frames()?.into_iter().filter(|(_, f)| Format::READABLE.contains(f)) {
        frames.entry(number).or_insert_with(|| run.frame(number, format));
    }
    Ok(frames.into_iter().collect())
}

/// The files of particles in a folder, by the numbers that end their names.
fn of_others(folder: &Path) -> Result<Vec<(u32, PathBuf)>> {
    let entries = fs::read_dir(folder)
        .map_err(|error| Usage(format!("cannot read the folder {}: {error}", folder.display())))?;
    let mut frames = BTreeMap::new();
    for entry in entries {
        let path = entry?.path();
        if !path.is_file() || !Format::of_path(&path).is_some_and(|f| Format::READABLE.contains(&f)) {
            continue;
        }
        if let Some(other) = frames.insert(particles::number_of(&path), path.clone()) {
            let (a, b) = if other < path { (other, path) } else { (path, other) };
            let message = format!(
                "{} and {} have the same number; leave one kind of file in the folder, numbered at the end of its name",
                a.display(),
                b.display()
            );
            return Err(Usage(message).into());
        }
    }
    Ok(frames.into_iter().collect())
}
