//! The folder that a run writes to.

use super::report::Reporter;
use crate::console::Usage;
use crate::text;
use anyhow::Result;
use std::path::{Path, PathBuf};
use visco::Scene;
use visco_io::RunFolder;

/// A folder that may be written to.
pub(super) struct Output {
    folder: RunFolder,
}

impl Output {
    /// Accepts a folder that is new, empty, or holds an earlier run of visco; changes nothing yet.
    pub(super) fn check(path: PathBuf) -> Result<Self> {
        let folder = RunFolder::new(path);
        let root = folder.root();
        if root.exists() && !root.is_dir() {
            let message = "is a file; the frames need a folder, choose another with -o";
            return Err(Usage(format!("{} {message}", root.display())).into());
        }
        if !folder.is_empty()? && !folder.is_run() {
            let message = "holds other files than a run of visco; choose another folder with -o";
            return Err(Usage(format!("{} {message}", root.display())).into());
        }
        Ok(Self { folder })
    }

    /// The folder.
    pub(super) fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Keeps the earlier run, and writes the scene: it may have more frames now.
    pub(super) fn resume(&self, scene: &Scene) -> Result<RunFolder> {
        self.folder.write_scene(&scene.to_toml())?;
        Ok(self.folder.clone())
    }

    /// Removes the earlier run, if there is one, and writes the scene.
    pub(super) fn open(&self, scene: &Scene, reporter: &mut Reporter) -> Result<RunFolder> {
        if self.folder.is_run() {
            let removed = self.folder.remove_old_run()?;
            if removed > 0 {
                reporter.note(&format!(
                    "replacing an earlier run in {}: removed {}",
                    self.folder.root().display(),
                    text::counted(removed as u64, "file"),
                ));
            }
        }
        self.folder.write_scene(&scene.to_toml())?;
        Ok(self.folder.clone())
    }
}

/// `out/NAME`, where a name cannot lead out of `out`.
pub(crate) fn default_folder(name: &str) -> PathBuf {
    let safe: String =
        name.chars().map(|c| if c.is_control() || r#"/\:*?"<>|"#.contains(c) { '_' } else { c }).collect();
    let safe = safe.trim_matches(['.', ' ']);
    Path::new("out").join(if safe.is_empty() { "scene" } else { safe })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_lead_out_of_the_folder() {
        assert_eq!(default_folder("ice-cream"), Path::new("out/ice-cream"));
        assert_eq!(default_folder("../../etc/a:b"), Path::new("out/_.._etc_a_b"));
        assert_eq!(default_folder(".."), Path::new("out/scene"));
    }
}
