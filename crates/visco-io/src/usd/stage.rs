//! The stage that plays the frames of a folder: a layer in text, with the frames as value clips.

use super::prim::Played;
use super::{Attribute, PARTICLES, attributes};
use crate::layout::{STAGE, frame_name};
use crate::{Format, Result};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// What a stage plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Numbers of the frames, ascending; they are the time codes.
    pub frames: Vec<u32>,
    /// Frames a second.
    pub fps: f64,
    /// Whether the frames have conformations.
    pub conformation: bool,
}

impl Stage {
    /// Writes the stage to a file beside the frames, completely or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        crate::atomic::write(path, |w| self.write_to(w))
    }

    /// Writes the stage.
    pub fn write_to(&self, w: &mut impl Write) -> io::Result<()> {
        let file = |number| frame_name(number, Format::Usd);
        let played = Played { stage: STAGE, frames: &self.frames, fps: self.fps, file: &file };
        PARTICLES.write_stage(w, &played, attributes(self.conformation).map(Attribute::declared))
    }
}

/// Whether the stage in a file has conformations; `None` if it cannot be read.
pub fn declares_conformation(path: &Path) -> Option<bool> {
    fs::read_to_string(path).ok().map(|text| text.contains("primvars:conformation"))
}
