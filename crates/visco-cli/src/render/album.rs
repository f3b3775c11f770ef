//! The pictures of a run on the disk, and what is made of them: a film and a contact sheet.

use anyhow::{Context, Result};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use visco_figures::{RgbImage, contact_sheet, load_png, save_png, shrink};
use visco_render::Film;

/// Pictures on a contact sheet, and how many of them stand side by side.
pub(super) const SHEET: (usize, usize) = (9, 3);
/// Width of a picture on it.
const SHEET_WIDTH: u32 = 480;

/// Where pictures of a run go.
#[derive(Clone, Debug)]
pub(crate) struct Album {
    root: PathBuf,
}

impl Album {
    /// Pictures go to `root/render`, film and contact sheet beside that.
    pub(crate) fn at(root: &Path) -> Self {
        Self { root: root.into() }
    }

    /// The folder of the pictures, made if it is not there.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        let folder = self.root.join("render");
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(folder)
    }

    /// Removes the pictures of an earlier run.
    pub(crate) fn clear(&self) -> Result<()> {
        let folder = self.folder()?;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("frame_") && name.ends_with(".png") {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// The picture of a frame.
    pub(crate) fn picture(&self, frame: u32) -> PathBuf {
        self.root.join("render").join(format!("frame_{frame:06}.png"))
    }

    /// Makes the film and the contact sheet of pictures; returns where they are.
    pub(crate) fn bind(&self, pictures: &[PathBuf], fps: f64) -> Result<Vec<PathBuf>> {
        let Some(first) = pictures.first() else {
            return Ok(vec![]);
        };
        let size = load_png(first)?.dimensions();
        let mut film = Film::new(size, fps)?;
        let mut small: Vec<RgbImage> = Vec::new();
        let on_sheet: Vec<&PathBuf> = chosen(pictures, SHEET.0).collect();
        for path in pictures {
            let picture = load_png(path)?;
            film.push(&picture).with_context(|| format!("{} is of another size", path.display()))?;
            if on_sheet.contains(&path) {
                small.push(if picture.width() > SHEET_WIDTH {
                    shrink(&picture, SHEET_WIDTH)
                } else {
                    picture
                });
            }
        }
        let (film_path, sheet) = (self.root.join("film.mp4"), self.root.join("contact-sheet.png"));
        let bytes = film.finish()?;
        visco_io::atomic::write(&film_path, |file| file.write_all(&bytes))?;
        save_png(&contact_sheet(&small, SHEET.1), &sheet)?;
        Ok(vec![film_path, sheet])
    }
}

/// Evenly chosen files, the first and the last among them.
pub(crate) fn chosen(files: &[PathBuf], count: usize) -> impl Iterator<Item = &PathBuf> {
    let count = count.min(files.len());
    (0..count).map(move |k| &files[k * (files.len() - 1) / (count - 1).max(1)])
}

/// Whether a picture is there and not older than its frame.
pub(crate) fn is_newer(picture: &Path, frame: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
    matches!((time(picture), time(frame)), (Some(picture), Some(frame)) if picture >= frame)
}
