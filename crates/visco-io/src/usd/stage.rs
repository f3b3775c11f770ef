//! The stage that plays the frames of a folder: a layer in text, with the frames as value clips.

use super::{PRIM, attributes};
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

    /// Writes the stage. It is its own manifest: it says itself which attributes the clips have. They are listed one by
    /// one: a template would need a dot before the number.
    pub fn write_to(&self, w: &mut impl Write) -> io::Result<()> {
        let Self { frames, fps, conformation } = self;
        let (first, last) = (frames.first().unwrap_or(&0), frames.last().unwrap_or(&0));
        let assets = listed(frames.iter().map(|&n| format!("@./{}@", frame_name(n, Format::Usd))));
        let active = listed(frames.iter().enumerate().map(|(i, n)| format!("({n}, {i})")));
        write!(
            w,
            r#"#usda 1.0
(
    defaultPrim = "{PRIM}"
    startTimeCode = {first}
    endTimeCode = {last}
    timeCodesPerSecond = {fps}
    framesPerSecond = {fps}
    metersPerUnit = 1
    upAxis = "Y"
)

def Points "{PRIM}" (
    clips = {{
        dictionary default = {{
            asset manifestAssetPath = @./{STAGE}@
            string primPath = "/{PRIM}"
            asset[] assetPaths = [{assets}]
            double2[] active = [{active}]
            double2[] times = [({first}, {first}), ({last}, {last})]
        }}
    }}
)
{{
"#
        )?;
        for attribute in attributes(*conformation) {
            write!(w, "    {} {}", attribute.kind, attribute.name)?;
            match attribute.interpolation {
                Some(interpolation) => writeln!(w, " (interpolation = \"{interpolation}\")")?,
                None => writeln!(w)?,
            }
        }
        writeln!(w, "}}")
    }
}

fn listed(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// Whether the stage in a file has conformations; `None` if it cannot be read.
pub fn declares_conformation(path: &Path) -> Option<bool> {
    fs::read_to_string(path).ok().map(|text| text.contains("primvars:conformation"))
}
