//! `visco render`: pictures of the frames of a run, and a film and a contact sheet.

mod album;
mod paint;
mod preview;
mod show;

pub(crate) use album::{chosen, is_newer};
pub(crate) use paint::camera;
pub(crate) use preview::Preview;

use crate::args::{RenderArgs, Show};
use crate::console::{self, Usage};
use crate::progress::Progress;
use crate::sequence::{self, Sequence};
use crate::{interrupt, text};
use album::{Album, SHEET};
use anyhow::{Result, anyhow};
use paint::{Painter, Wish};
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use visco::{Frame, Scene};
use visco_figures::save_png_quickly;
use visco_io::surfaces::{Surface, SurfaceFormat};
use visco_io::{RunFolder, particles};

/// Draws what is asked for.
pub(crate) fn render(args: &RenderArgs) -> Result<ExitCode> {
    interrupt::install()?;
    if args.run.is_file() {
        return render_file(args);
    }
    if !args.run.is_dir() {
        return Err(Usage(format!("{}: no such file or folder", args.run.display())).into());
    }
    let sequence = Sequence::find(&args.run, args.skip_bad, |message| {
        console::tell(format_args!("warning: {message}"));
    })?;
    let (folder, frames, loaded) =
        (RunFolder::new(&sequence.root), sequence.every(args.every), &sequence.loaded);
    let simulation = loaded.build()?;
    let files: Vec<PathBuf> = frames.iter().map(|(_, path)| path.clone()).collect();
    let mut read = Reader { skip_bad: args.skip_bad, bad: 0 };
    let samples: Vec<Frame> =
        chosen(&files, SHEET.0).filter_map(|path| read.frame(path).transpose()).collect::<Result<_>>()?;
    read.bad = 0;
    let (mut painter, note) = Painter::new(&Wish::from(args), (&loaded.scene, simulation.world()), &samples)?;
    if let Some(note) = note.filter(|_| !args.quiet) {
        console::tell(format_args!("note: {note}"));
    }
    let album = Album::at(args.out.as_deref().unwrap_or(folder.root()));
    let out = album.folder()?;
    let fresh = settle(&album, &painter.settings(args, &loaded.scene))?;
    let start = Instant::now();
    let mut progress = Progress::new("render", args.quiet);
    let mut drawn = 0;
    let mut pictures = Vec::new();
    for (k, (number, path)) in frames.iter().enumerate() {
        progress.tell(k as f64 / frames.len() as f64, &format!("frame {} of {}", k + 1, frames.len()));
        let picture = album.picture(*number);
        if interrupt::requested() {
            drop(progress);
            let rest = text::counted((frames.len() - k) as u64, "frame");
            console::tell(format_args!("interrupted: {rest} left; the same command goes on"));
            return Ok(ExitCode::from(console::INTERRUPTED));
        }
        let surface = (args.show == Show::Mesh).then(|| folder.surface(*number, SurfaceFormat::Ply));
        if !(fresh && is_newer(&picture, surface.as_ref().unwrap_or(path))) {
            let image = match surface {
                Some(path) => read.surface(&path)?.map(|surface| painter.draw_surface(&surface)),
                None => read.frame(path)?.map(|frame| painter.draw(&frame)),
            };
            let Some(image) = image else {
                continue;
            };
            save_png_quickly(&image?, &picture)?;
            drawn += 1;
        }
        pictures.push(picture);
    }
    progress.tell(1.0, "film");
    let bound = album.bind(&pictures, loaded.scene.time.fps / f64::from(args.every))?;
    drop(progress);
    if !args.quiet {
        let (count, took) = (text::counted(drawn, "picture"), text::duration(start.elapsed().as_secs_f64()));
        console::print(format_args!("{count} drawn to {} with {}, {took}", out.display(), painter.name()))?;
        for path in bound {
            console::print(format_args!("also {}", path.display()))?;
        }
    }
    match read.bad {
        0 => Ok(ExitCode::SUCCESS),
        n => {
            console::tell(format_args!("{} could not be read and left out", text::counted(n, "frame")));
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Draws one file of particles.
fn render_file(args: &RenderArgs) -> Result<ExitCode> {
    let Some(out) = &args.out else {
        return Err(Usage("where to? Add -o with the picture, such as -o picture.png".into()).into());
    };
    if args.show == Show::Mesh {
        return Err(Usage("--show mesh draws the surfaces of a folder, after `visco mesh`".into()).into());
    }
    if out.is_dir() || out.extension().is_none_or(|e| !e.eq_ignore_ascii_case("png")) {
        return Err(Usage(format!("{} is not the name of a picture: end it in .png", out.display())).into());
    }
    let frame = particles::read(&args.run)?;
    let loaded = sequence::plain(&frame)?;
    let samples = [frame];
    let simulation = loaded.build()?;
    let (mut painter, note) = Painter::new(&Wish::from(args), (&loaded.scene, simulation.world()), &samples)?;
    if let Some(note) = note.filter(|_| !args.quiet) {
        console::tell(format_args!("note: {note}"));
    }
    save_png_quickly(&painter.draw(&samples[0])?, out)?;
    if !args.quiet {
        let count = text::counted(samples[0].len() as u64, "particle");
        console::print(format_args!("{}: {count}, drawn with {}", out.display(), painter.name()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Notes how pictures are drawn, and tells whether those that are there were drawn so too: else they are removed, as a
/// kill would leave them among new ones.
fn settle(album: &Album, settings: &serde_json::Value) -> Result<bool> {
    let path = album.folder()?.join("settings.json");
    let text = format!("{settings:#}\n");
    let same = fs::read_to_string(&path).is_ok_and(|old| old == text);
    if !same {
        album.clear()?;
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
    fn frame(&mut self, path: &Path) -> Result<Option<Frame>> {
        self.or_left_out(particles::read(path).map_err(Into::into))
    }

    fn surface(&mut self, path: &Path) -> Result<Option<Surface>> {
        let surface = match path.is_file() {
            true => Surface::read(path).map_err(Into::into),
            false => {
                let run = path.ancestors().nth(2).unwrap_or(path).display();
                Err(anyhow!("there is no surface {}: run `visco mesh {run}` first", path.display()))
            }
        };
        self.or_left_out(surface)
    }

    fn or_left_out<T>(&mut self, read: Result<T>) -> Result<Option<T>> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error) if self.skip_bad => {
                self.bad += 1;
                console::tell(format_args!("left out: {error}"));
                Ok(None)
            }
            Err(error) => Err(error.context("--skip-bad leaves such frames out")),
        }
    }
}

impl Painter {
    /// What decides how a picture looks.
    fn settings(&self, args: &RenderArgs, scene: &Scene) -> serde_json::Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "show": format!("{:?}", args.show),
            "size": [args.size.0, args.size.1],
            "samples": args.samples,
            "drawn_by": self.name(),
            "camera": self.camera_text(),
            "range": self.range(),
            "looks": {
                "materials": scene.material.iter().map(|m| json!([m.look, m.preset])).collect::<Vec<_>>(),
                "bodies": scene.body.iter().map(|b| json!(b.look)).collect::<Vec<_>>(),
                "walls": scene.boundary,
            },
        })
    }
}
