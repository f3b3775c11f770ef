//! Pictures while a run is under way.

use super::album::Album;
use super::paint::{Painter, Wish};
use anyhow::Result;
use std::path::PathBuf;
use visco::world::World;
use visco::{Frame, Scene};
use visco_figures::save_png_quickly;
use visco_io::RunFolder;

/// Draws the frames of a run as they come.
pub(crate) struct Preview {
    painter: Painter,
    album: Album,
    fps: f64,
    /// What the user should know.
    pub(crate) note: Option<String>,
}

impl Preview {
    /// Begins with the first frame, or goes on with pictures that are there.
    pub(crate) fn new(
        folder: &RunFolder,
        (scene, world): (&Scene, &World),
        first: &Frame,
        goes_on: bool,
    ) -> Result<Self> {
        let (painter, note) = Painter::new(&Wish::default(), (scene, world), std::slice::from_ref(first))?;
        let album = Album::at(folder.root());
        album.folder()?;
        if !goes_on {
            album.clear()?;
        }
        Ok(Self { painter, album, fps: scene.time.fps, note })
    }

    /// Draws a frame.
    pub(crate) fn draw(&mut self, frame: &Frame) -> Result<PathBuf> {
        let path = self.album.picture(frame.number);
        save_png_quickly(&self.painter.draw(frame)?, &path)?;
        Ok(path)
    }

    /// Makes the film and the contact sheet of the pictures up to a frame.
    pub(crate) fn bind(&self, last: u32) -> Result<Vec<PathBuf>> {
        let pictures: Vec<PathBuf> =
            (0..=last).map(|n| self.album.picture(n)).filter(|p| p.is_file()).collect();
        self.album.bind(&pictures, self.fps)
    }
}
