//! Checkpoints of a run on the disk: `OUT/checkpoints/000120.visco`.

use crate::layout::names_in;
use crate::{Error, Result, RunFolder, atomic};
use std::fs::{self, File};
use std::io::{BufReader, Seek};
use std::path::{Path, PathBuf};
use visco::Checkpoint;
use visco::checkpoint::Header;

impl RunFolder {
    /// `OUT/checkpoints`.
    pub fn checkpoints(&self) -> PathBuf {
        self.root().join("checkpoints")
    }

    /// `OUT/checkpoints/000120.visco`, after the frame with this number.
    pub fn checkpoint(&self, frame: u32) -> PathBuf {
        self.checkpoints().join(name(frame))
    }

    /// The checkpoints that are there, by the number of their frame.
    pub fn existing_checkpoints(&self) -> Result<Vec<u32>> {
        let mut numbers: Vec<u32> =
            names_in(&self.checkpoints())?.iter().filter_map(|name| parse_name(name)).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Removes all checkpoints but those after the frames `keep`, and what a crash left half-written; returns how many
    /// files that were.
    pub fn remove_checkpoints_but(&self, keep: &[u32]) -> Result<usize> {
        let is_old = |name: &str| match atomic::unfinished_name(name) {
            Some(unfinished) => parse_name(unfinished).is_some(),
            None => parse_name(name).is_some_and(|number| !keep.contains(&number)),
        };
        let old: Vec<String> = names_in(&self.checkpoints())?.into_iter().filter(|n| is_old(n)).collect();
        for name in &old {
            let path = self.checkpoints().join(name);
            fs::remove_file(&path).map_err(Error::file("remove", &path))?;
        }
        Ok(old.len())
    }
}

/// `000120.visco`.
fn name(frame: u32) -> String {
    format!("{frame:06}.visco")
}

/// The number of the frame, if it is a name that [`name`] gives.
fn parse_name(text: &str) -> Option<u32> {
    let number = text.strip_suffix(".visco")?.parse().ok()?;
    (name(number) == text).then_some(number)
}

/// Writes a checkpoint under its final name, completely or not at all. Returns its size in bytes.
pub fn write(path: &Path, checkpoint: &Checkpoint) -> Result<u64> {
    let mut bytes = 0;
    atomic::write(path, |w| {
        checkpoint.write(&mut *w)?;
        bytes = w.stream_position()?;
        Ok(())
    })?;
    Ok(bytes)
}

/// Reads a checkpoint and checks all of it.
pub fn read(path: &Path) -> Result<Checkpoint> {
    let file = File::open(path).map_err(Error::file("read", path))?;
    Checkpoint::read(BufReader::new(file)).map_err(Error::checkpoint(path))
}

/// Reads what a checkpoint says about itself, without checking the rest.
pub fn read_header(path: &Path) -> Result<Header> {
    let file = File::open(path).map_err(Error::file("read", path))?;
    Header::read(BufReader::new(file)).map_err(Error::checkpoint(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use visco::{Scene, Simulation};

    #[test]
    fn checkpoints_are_written_found_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::new(folder.path().join("out"));
        assert_eq!(run.existing_checkpoints().unwrap(), [0_u32; 0]);
        fs::create_dir_all(run.checkpoints()).unwrap();
        let scene = Scene::from_toml(
            "name = \"a\"\nspacing = 0.01\ntime = { frames = 2, dt = 0.01 }\nmaterial = [{ name = \"w\", viscosity = 1 }]
             fluid = [{ material = \"w\", shape = { sphere = { center = [0, 0, 0], radius = 0.02 } } }]",
        );
        let checkpoint = Simulation::new(&scene.unwrap()).unwrap().checkpoint();
        for number in [7, 120, 9] {
            let path = run.checkpoint(number);
            assert_eq!(write(&path, &checkpoint).unwrap(), fs::read(&path).unwrap().len() as u64);
            assert_eq!(read(&path).unwrap(), checkpoint);
            assert_eq!(read_header(&path).unwrap(), *checkpoint.header());
        }
        for name in ["mine.visco", "7.visco", "notes.txt", ".000130.visco.tmp", ".notes.tmp"] {
            fs::write(run.checkpoints().join(name), "x").unwrap();
        }
        assert_eq!(run.existing_checkpoints().unwrap(), [7, 9, 120]);
        assert_eq!(run.remove_checkpoints_but(&[9, 120]).unwrap(), 2);
        assert_eq!(run.existing_checkpoints().unwrap(), [9, 120]);
        assert_eq!(fs::read_dir(run.checkpoints()).unwrap().count(), 6);
        let told = read(&run.checkpoints().join("mine.visco")).unwrap_err().to_string();
        assert!(told.ends_with("mine.visco is not a checkpoint of visco"), "{told}");
    }
}
