//! The frames of a run, in the formats asked for.

use crate::layout::{COLLECTION, RunFolder, STAGE, frame_name, frames_in};
use crate::usd::{self, Stage};
use crate::{Error, Format, Result, particles, pvd};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use visco::Frame;

/// Writes frames to `OUT/frames`.
#[derive(Debug)]
pub struct FrameWriter {
    folder: RunFolder,
    formats: Vec<Format>,
    /// Frames a second.
    fps: f64,
    /// Time and file name of the frames written, for `frames.pvd`.
    collection: Vec<(f64, String)>,
    /// Numbers of the USD frames written, for `particles.usda`.
    played: Vec<u32>,
}

impl FrameWriter {
    /// A writer into `out_dir`, whose folder `frames` it creates, of so many frames a second.
    pub fn new(out_dir: impl Into<PathBuf>, formats: &[Format], fps: f64) -> Result<Self> {
        let folder = RunFolder::new(out_dir);
        fs::create_dir_all(folder.frames()).map_err(Error::file("create", &folder.frames()))?;
        let mut formats = formats.to_vec();
        formats.sort_unstable();
        formats.dedup();
        Ok(Self { folder, formats, fps, collection: Vec::new(), played: Vec::new() })
    }

    /// A writer that goes on after the frame with this number: what was written after it is removed, and collection and
    /// stage list the frames that are there.
    pub fn resume(
        out_dir: impl Into<PathBuf>,
        formats: &[Format],
        (number, fps): (u32, f64),
    ) -> Result<Self> {
        let mut writer = Self::new(out_dir, formats, fps)?;
        writer.folder.remove_frames_after(number)?;
        let frames = writer.folder.existing_frames()?;
        writer.collection = collection(&frames, fps);
        writer.played = played(&frames);
        // Earlier ones list what was removed just now.
        if writer.collection().is_some() || writer.folder.collection().is_file() {
            pvd::write(&writer.folder.collection(), &writer.collection)?;
        }
        if let Some(conformation) = usd::declares_conformation(&writer.folder.stage()) {
            Stage { frames: writer.played.clone(), fps, conformation }.write(&writer.folder.stage())?;
        }
        Ok(writer)
    }

    /// Writes a frame in every format and returns its files; `frames.pvd` and `particles.usda` are brought up to date.
    pub fn write(&mut self, frame: &Frame) -> Result<Vec<PathBuf>> {
        let mut files = Vec::with_capacity(self.formats.len());
        for &format in &self.formats {
            let path = self.folder.frame(frame.number, format);
            particles::write(&path, frame, format)?;
            files.push(path);
        }
        if let Some(path) = self.collection() {
            let name = frame_name(frame.number, Format::Vtp);
            self.collection.push((frame.time, name));
            pvd::write(&path, &self.collection)?;
        }
        if let Some(path) = self.stage() {
            self.played.push(frame.number);
            let conformation = frame.conformations.is_some();
            Stage { frames: self.played.clone(), fps: self.fps, conformation }.write(&path)?;
        }
        Ok(files)
    }

    /// `OUT/frames/frames.pvd`, if VTP frames are written.
    pub fn collection(&self) -> Option<PathBuf> {
        self.formats.contains(&Format::Vtp).then(|| self.folder.collection())
    }

    /// `OUT/frames/particles.usda`, if USD frames are written.
    pub fn stage(&self) -> Option<PathBuf> {
        self.formats.contains(&Format::Usd).then(|| self.folder.stage())
    }
}

/// Writes `frames.pvd` and `particles.usda` in a folder of frames, where it has frames for them, at so many frames a
/// second; returns the files.
pub fn list_frames(folder: &Path, fps: f64, conformation: bool) -> Result<Vec<PathBuf>> {
    let frames = frames_in(folder)?;
    let mut files = Vec::new();
    let collection = collection(&frames, fps);
    if !collection.is_empty() {
        files.push(folder.join(COLLECTION));
        pvd::write(&folder.join(COLLECTION), &collection)?;
    }
    let played = played(&frames);
    if !played.is_empty() {
        files.push(folder.join(STAGE));
        Stage { frames: played, fps, conformation }.write(&folder.join(STAGE))?;
    }
    Ok(files)
}

/// Time and file name of the VTP frames.
fn collection(frames: &[(u32, Format)], fps: f64) -> Vec<(f64, String)> {
    let vtp = frames.iter().filter(|(_, format)| *format == Format::Vtp);
    vtp.map(|&(n, format)| (f64::from(n) / fps, frame_name(n, format))).collect()
}

/// Numbers of the USD frames.
fn played(frames: &[(u32, Format)]) -> Vec<u32> {
    frames.iter().filter(|(_, format)| *format == Format::Usd).map(|(n, _)| *n).collect()
}

/// Refuses a frame whose arrays do not belong together, before a reader has to.
pub(crate) fn check_lengths(frame: &Frame) -> io::Result<()> {
    let n = frame.len();
    let same = [
        frame.velocities.len(),
        frame.ids.len(),
        frame.materials.len(),
        frame.densities.len(),
        frame.conformations.as_ref().map_or(n, Vec::len),
    ];
    if same.iter().all(|&length| length == n) {
        return Ok(());
    }
    let message = format!("the frame has {n} positions and other arrays of lengths {same:?}");
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_frames::frame;

    #[test]
    fn frames_lie_where_the_layout_says_and_the_collection_lists_them() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a/b");
        let mut writer = FrameWriter::new(&out, &[Format::Vtp, Format::Ply, Format::Vtp], 2.0).unwrap();
        for number in [0, 1] {
            let frame = Frame { number, time: 0.5 * f64::from(number), ..frame(3, true) };
            let files = writer.write(&frame).unwrap();
            assert_eq!(files[0], out.join(format!("frames/particles_00000{number}.ply")));
            assert_eq!(files[1], out.join(format!("frames/particles_00000{number}.vtp")));
            assert_eq!(crate::ply::read(&files[0]).unwrap(), frame);
        }
        let collection = fs::read_to_string(out.join("frames/frames.pvd")).unwrap();
        assert!(collection.contains(r#"timestep="0.5" part="0" file="particles_000001.vtp""#));
        assert_eq!(collection.matches("<DataSet").count(), 2);
        assert_eq!(fs::read_dir(out.join("frames")).unwrap().count(), 5);

        let mut resumed = FrameWriter::resume(&out, &[Format::Ply, Format::Vtp], (0, 2.0)).unwrap();
        assert_eq!(fs::read_dir(out.join("frames")).unwrap().count(), 3);
        resumed.write(&Frame { number: 1, time: 0.5, ..frame(3, true) }).unwrap();
        assert_eq!(fs::read_to_string(out.join("frames/frames.pvd")).unwrap(), collection);
    }

    #[test]
    fn the_stage_plays_the_frames_that_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let mut writer = FrameWriter::new(out, &[Format::Usd, Format::Bgeo], 30.0).unwrap();
        let stage = writer.stage().unwrap();
        let says = |text: &str| fs::read_to_string(&stage).unwrap().contains(text);
        for number in 0..3 {
            writer.write(&Frame { number, ..frame(number, true) }).unwrap();
            assert!(says(&format!("endTimeCode = {number}\n")) && says("conformation"));
        }
        assert_eq!(fs::read_dir(out.join("frames")).unwrap().count(), 7);
        let mut resumed = FrameWriter::resume(out, &[Format::Usd], (1, 30.0)).unwrap();
        assert!(says("startTimeCode = 0\n    endTimeCode = 1\n") && says("conformation"));
        assert_eq!(fs::read_dir(out.join("frames")).unwrap().count(), 5);
        resumed.write(&Frame { number: 2, ..frame(3, true) }).unwrap();
        assert!(says("endTimeCode = 2\n    timeCodesPerSecond = 30\n"));

        let frames = out.join("frames");
        fs::remove_file(frames.join("particles_000000.usdc")).unwrap();
        assert_eq!(list_frames(&frames, 24.0, false).unwrap(), std::slice::from_ref(&stage));
        assert!(says("startTimeCode = 1\n") && says("framesPerSecond = 24\n") && !says("conformation"));
    }
}
