//! The frames of a run, in the formats asked for.

use crate::layout::{Format, RunFolder, frame_name};
use crate::{Error, Result, ply, pvd, vtp};
use std::fs;
use std::io;
use std::path::PathBuf;
use visco::Frame;

/// Writes frames to `OUT/frames`.
#[derive(Debug)]
pub struct FrameWriter {
    folder: RunFolder,
    formats: Vec<Format>,
    /// Time and file name of the frames written, for `frames.pvd`.
    collection: Vec<(f64, String)>,
}

impl FrameWriter {
    /// A writer into `out_dir`, whose folder `frames` it creates.
    pub fn new(out_dir: impl Into<PathBuf>, formats: &[Format]) -> Result<Self> {
        let folder = RunFolder::new(out_dir);
        fs::create_dir_all(folder.frames()).map_err(Error::file("create", &folder.frames()))?;
        let mut formats = formats.to_vec();
        formats.sort_unstable();
        formats.dedup();
        Ok(Self { folder, formats, collection: Vec::new() })
    }

    /// A writer that goes on after the frame with this number: what was written after it is removed, and the
    /// collection lists the frames that are there.
    pub fn resume(
        out_dir: impl Into<PathBuf>,
        formats: &[Format],
        (number, fps): (u32, f64),
    ) -> Result<Self> {
        let mut writer = Self::new(out_dir, formats)?;
        writer.folder.remove_frames_after(number)?;
        let path = writer.folder.collection();
        // An earlier one lists what was removed just now.
        if writer.collection().is_some() || path.is_file() {
            let frames = writer.folder.existing_frames()?;
            let vtp = frames.into_iter().filter(|(_, format)| *format == Format::Vtp);
            writer.collection = vtp.map(|(n, format)| (f64::from(n) / fps, frame_name(n, format))).collect();
            pvd::write(&path, &writer.collection)?;
        }
        Ok(writer)
    }

    /// Writes a frame in every format and returns its files; `frames.pvd` is brought up to date.
    pub fn write(&mut self, frame: &Frame) -> Result<Vec<PathBuf>> {
        let mut files = Vec::with_capacity(self.formats.len());
        for &format in &self.formats {
            let path = self.folder.frame(frame.number, format);
            match format {
                Format::Ply => ply::write(&path, frame)?,
                Format::Vtp => vtp::write(&path, frame)?,
            }
            files.push(path);
        }
        if let Some(path) = self.collection() {
            let name = frame_name(frame.number, Format::Vtp);
            self.collection.push((frame.time, name));
            pvd::write(&path, &self.collection)?;
        }
        Ok(files)
    }

    /// `OUT/frames/frames.pvd`, if VTP frames are written.
    pub fn collection(&self) -> Option<PathBuf> {
        self.formats.contains(&Format::Vtp).then(|| self.folder.collection())
    }
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
        let mut writer = FrameWriter::new(&out, &[Format::Vtp, Format::Ply, Format::Vtp]).unwrap();
        for number in [0, 1] {
            let frame = Frame { number, time: 0.5 * f64::from(number), ..frame(3, true) };
            let files = writer.write(&frame).unwrap();
            assert_eq!(files[0], out.join(format!("frames/particles_00000{number}.ply")));
            assert_eq!(files[1], out.join(format!("frames/particles_00000{number}.vtp")));
            assert_eq!(ply::read(&files[0]).unwrap(), frame);
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
}
