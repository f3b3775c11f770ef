//! The layout of an output folder: what is called how, and what belongs to visco.

use crate::atomic::unfinished_name;
use crate::surfaces::SurfaceFormat;
use crate::{Error, Format, Result};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The scene as run.
const SCENE: &str = "scene.toml";

/// The ParaView collection and the USD stage beside the frames.
pub(crate) const COLLECTION: &str = "frames.pvd";
pub(crate) const STAGE: &str = "particles.usda";

/// The ParaView collection beside surfaces.
pub const SURFACE_COLLECTION: &str = "surfaces.pvd";
/// The USD stage beside surfaces.
pub const SURFACE_STAGE: &str = "surface.usda";

/// First words of a written `scene.toml`. They tell a run of visco from a folder of the user's own.
const SCENE_MARK: &str = "# visco run:";

/// The folder of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    root: PathBuf,
}

impl RunFolder {
    /// The run in `root`; nothing is read or created.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `OUT/scene.toml`.
    pub fn scene(&self) -> PathBuf {
        self.root.join(SCENE)
    }

    /// `OUT/diagnostics.csv`.
    pub fn diagnostics(&self) -> PathBuf {
        self.root.join("diagnostics.csv")
    }

    /// `OUT/frames`.
    pub fn frames(&self) -> PathBuf {
        self.root.join("frames")
    }

    /// `OUT/frames/frames.pvd`.
    pub fn collection(&self) -> PathBuf {
        self.frames().join(COLLECTION)
    }

    /// `OUT/frames/particles.usda`.
    pub fn stage(&self) -> PathBuf {
        self.frames().join(STAGE)
    }

    /// `OUT/frames/particles_000012.ply`.
    pub fn frame(&self, number: u32, format: Format) -> PathBuf {
        self.frames().join(frame_name(number, format))
    }

    /// `OUT/mesh`, where surfaces lie.
    pub fn mesh(&self) -> PathBuf {
        self.root.join("mesh")
    }

    /// `OUT/mesh/surface_000012.ply`.
    pub fn surface(&self, number: u32, format: SurfaceFormat) -> PathBuf {
        self.mesh().join(surface_name(number, format))
    }

    /// The surfaces that are there, by number, then format.
    pub fn existing_surfaces(&self) -> Result<Vec<(u32, SurfaceFormat)>> {
        surfaces_in(&self.mesh())
    }

    /// Whether visco has written a run here.
    pub fn is_run(&self) -> bool {
        let marked = || -> io::Result<bool> {
            let mut start = vec![0; SCENE_MARK.len()];
            fs::File::open(self.scene())?.read_exact(&mut start)?;
            Ok(start == SCENE_MARK.as_bytes())
        };
        marked().unwrap_or(false)
    }

    /// Whether the folder is not there, or holds nothing but what a run left that was killed at its very start.
    pub fn is_empty(&self) -> Result<bool> {
        let is_left = |name: &OsStr| name.to_str().and_then(unfinished_name) == Some(SCENE);
        let only_left = || -> io::Result<bool> {
            for entry in fs::read_dir(&self.root)? {
                if !is_left(&entry?.file_name()) {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        match only_left() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
            other => other.map_err(Error::file("read", &self.root)),
        }
    }

    /// Writes `scene.toml`, the scene as run, which also marks the folder as a run of visco.
    pub fn write_scene(&self, toml: &str) -> Result<PathBuf> {
        fs::create_dir_all(&self.root).map_err(Error::file("create", &self.root))?;
        let path = self.scene();
        crate::atomic::write(&path, |w| {
            writeln!(w, "{SCENE_MARK} the scene as it was run, with every default filled in")?;
            w.write_all(toml.as_bytes())
        })?;
        Ok(path)
    }

    /// The frames that are there, by number, then format.
    pub fn existing_frames(&self) -> Result<Vec<(u32, Format)>> {
        frames_in(&self.frames())
    }

    /// Removes what an earlier run of visco wrote (checkpoints, frames, collection, diagnostics, what a crash left
    /// half-written) and nothing else; returns how many files that were.
    pub fn remove_old_run(&self) -> Result<usize> {
        // Checkpoints first: one whose frames are gone must not be resumed.
        let checkpoints = self.remove_checkpoints_but(&[])?;
        let frames = self.remove_from_frames(|name| {
            let name = unfinished_name(name).unwrap_or(name);
            is_of_frames(name)
        })?;
        let diagnostics = self.diagnostics();
        let has_diagnostics = diagnostics.is_file();
        if has_diagnostics {
            fs::remove_file(&diagnostics).map_err(Error::file("remove", &diagnostics))?;
        }
        Ok(checkpoints + frames + usize::from(has_diagnostics))
    }

    /// Removes the frames after the one with this number, and what a crash left half-written; returns how many files
    /// that were.
    pub fn remove_frames_after(&self, number: u32) -> Result<usize> {
        self.remove_from_frames(|name| match unfinished_name(name) {
            Some(unfinished) => is_of_frames(unfinished),
            None => parse_frame_name(name).is_some_and(|(found, _)| found > number),
        })
    }

    fn remove_from_frames(&self, is_old: impl Fn(&str) -> bool) -> Result<usize> {
        let names: Vec<String> = names_in(&self.frames())?.into_iter().filter(|name| is_old(name)).collect();
        for name in &names {
            let path = self.frames().join(name);
            fs::remove_file(&path).map_err(Error::file("remove", &path))?;
        }
        Ok(names.len())
    }
}

/// The frames in a folder of frames, by number, then format.
pub fn frames_in(folder: &Path) -> Result<Vec<(u32, Format)>> {
    let mut frames: Vec<_> = names_in(folder)?.iter().filter_map(|name| parse_frame_name(name)).collect();
    frames.sort_unstable();
    Ok(frames)
}

/// Whether a file beside the frames is a frame or lists them.
fn is_of_frames(name: &str) -> bool {
    parse_frame_name(name).is_some() || name == COLLECTION || name == STAGE
}

/// `particles_000012.ply`.
pub fn frame_name(number: u32, format: Format) -> String {
    format!("particles_{number:06}.{}", format.extension())
}

/// Number and format, if `name` is one that [`frame_name`] gives.
fn parse_frame_name(name: &str) -> Option<(u32, Format)> {
    let (stem, extension) = name.strip_prefix("particles_")?.split_once('.')?;
    let format = Format::ALL.into_iter().find(|f| f.extension() == extension)?;
    let found = (stem.parse().ok()?, format);
    (frame_name(found.0, found.1) == name).then_some(found)
}

/// The surfaces in a folder, by number, then format.
pub fn surfaces_in(folder: &Path) -> Result<Vec<(u32, SurfaceFormat)>> {
    let mut surfaces: Vec<_> = names_in(folder)?.iter().filter_map(|name| parse_surface_name(name)).collect();
    surfaces.sort_unstable();
    Ok(surfaces)
}

/// `surface_000012.ply`.
pub fn surface_name(number: u32, format: SurfaceFormat) -> String {
    format!("surface_{number:06}.{}", format.extension())
}

/// Number and format, if `name` is one that [`surface_name`] gives.
pub fn parse_surface_name(name: &str) -> Option<(u32, SurfaceFormat)> {
    let (stem, extension) = name.strip_prefix("surface_")?.split_once('.')?;
    let format = SurfaceFormat::ALL.into_iter().find(|f| f.extension() == extension)?;
    let found = (stem.parse().ok()?, format);
    (surface_name(found.0, found.1) == name).then_some(found)
}

/// Names of the files in a folder; none if there is no folder. Names that are not Unicode are not ours.
pub(crate) fn names_in(folder: &Path) -> Result<Vec<String>> {
    let read = || -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        Ok(names)
    };
    match read() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        other => other.map_err(Error::file("read", folder)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_frames_are_recognised_and_no_others() {
        assert_eq!(frame_name(12, Format::Ply), "particles_000012.ply");
        assert_eq!(parse_frame_name("particles_000012.vtp"), Some((12, Format::Vtp)));
        assert_eq!(parse_frame_name("particles_000012.usdc"), Some((12, Format::Usd)));
        assert_eq!(parse_frame_name("particles_1234567.ply"), Some((1_234_567, Format::Ply)));
        for other in [
            "particles_12.ply",
            "particles_+00012.ply",
            "particles_000012.obj",
            "particles_.ply",
            "particles_000012.usd",
            "my_particles_000012.ply",
            ".particles_000012.ply.tmp",
        ] {
            assert_eq!(parse_frame_name(other), None, "{other}");
        }
    }

    #[test]
    fn an_old_run_is_removed_and_the_users_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::new(folder.path().join("out"));
        assert!(run.is_empty().unwrap() && !run.is_run());
        fs::create_dir(run.root()).unwrap();
        fs::write(run.root().join(".scene.toml.tmp"), "from a kill").unwrap();
        assert!(run.is_empty().unwrap() && !run.is_run());
        run.write_scene("name = \"a\"\n").unwrap();
        assert!(!run.is_empty().unwrap() && run.is_run());
        fs::create_dir(run.frames()).unwrap();
        let ours = ["particles_000000.ply", "frames.pvd", "particles.usda", ".particles_000001.ply.tmp"];
        for name in ours.iter().chain(&["notes.txt", ".notes.tmp", "particles_1.ply"]) {
            fs::write(run.frames().join(name), "x").unwrap();
        }
        fs::write(run.diagnostics(), "x").unwrap();
        assert_eq!(run.existing_frames().unwrap(), [(0, Format::Ply)]);
        assert_eq!(run.remove_frames_after(0).unwrap(), 1);
        assert_eq!(run.existing_frames().unwrap(), [(0, Format::Ply)]);
        assert_eq!(run.remove_old_run().unwrap(), 4);
        let mut left = names_in(&run.frames()).unwrap();
        left.sort();
        assert_eq!(left, [".notes.tmp", "notes.txt", "particles_1.ply"]);
        assert!(run.is_run());
    }

    #[test]
    fn a_users_scene_is_no_run() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("scene.toml"), "# visco\nname = \"mine\"\n").unwrap();
        assert!(!RunFolder::new(folder.path()).is_run());
        fs::write(folder.path().join("scene.toml"), "").unwrap();
        assert!(!RunFolder::new(folder.path()).is_run());
    }
}
