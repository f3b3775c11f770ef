//! Files that are either complete or not there.

use crate::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Temporary files that are being written, so that [`abandon`] can remove them.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    // The list is valid after any panic: it is only pushed to and removed from.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file under a temporary name in the same folder, syncs it, then gives it its name.
///
/// On failure the temporary file is removed and what `path` held before is untouched.
pub fn write(path: &Path, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<()> {
    let temporary = Temporary::create(path)?;
    temporary.fill(content).map_err(Error::file("write", path))?;
    temporary.rename_to(path)?;
    sync_folder_of(path);
    Ok(())
}

/// Removes the temporary files of unfinished writes and holds up every later one, for ever.
///
/// For a program that is about to exit at once, from any thread.
pub fn abandon() {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        // The program is exiting: there is nobody left to tell.
        let _ = fs::remove_file(path);
    }
    // Keeping the lock keeps writers from starting a new file, or renaming this one, before the exit.
    std::mem::forget(unfinished);
}

/// The name of the file that [`write()`] was writing, if `name` is its temporary name.
pub fn unfinished_name(name: &str) -> Option<&str> {
    name.strip_prefix('.')?.strip_suffix(".tmp")
}

/// Name under which `path` is written: fixed, so that a later run overwrites what a crash left.
fn temporary_path(path: &Path) -> io::Result<PathBuf> {
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not a file name"))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".tmp");
    Ok(path.with_file_name(hidden))
}

/// A registered temporary file, removed on drop unless renamed.
struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    fn create(target: &Path) -> Result<Self> {
        let path = temporary_path(target).map_err(Error::file("write", target))?;
        let mut list = unfinished();
        let file = File::create(&path).map_err(Error::file("write", target))?;
        list.push(path.clone());
        Ok(Self { path, file })
    }

    fn fill(&self, content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
        let mut writer = BufWriter::with_capacity(1 << 18, self.file.try_clone()?);
        content(&mut writer)?;
        writer.flush()?;
        self.file.sync_all()
    }

    fn rename_to(&self, target: &Path) -> Result<()> {
        let mut list = unfinished();
        fs::rename(&self.path, target).map_err(Error::file("write", target))?;
        list.retain(|p| *p != self.path);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut list = unfinished();
        if let Some(at) = list.iter().position(|p| *p == self.path) {
            list.remove(at);
            // A failure here comes after the one that is being reported.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Makes the new name survive a power cut, where the system can do that for folders.
fn sync_folder_of(path: &Path) {
    if cfg!(unix)
        && let Some(folder) = path.parent()
    {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // The file is complete and synced; some file systems refuse to sync a folder.
        let _ = File::open(folder).and_then(|f| f.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_and_replaces_without_leaving_anything_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for text in ["first, which is longer", "second"] {
            write(&path, |w| w.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_keeps_the_old_file_and_names_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, |w| w.write_all(b"old")).unwrap();
        let error = write(&path, |w| {
            w.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        })
        .unwrap_err()
        .to_string();
        assert!(error.contains("a.txt") && error.contains("disk is full"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error_with_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no/such/a.txt");
        let error = write(&path, |_| Ok(())).unwrap_err().to_string();
        assert!(error.contains("a.txt"), "{error}");
        assert!(write(Path::new("/"), |_| Ok(())).is_err());
    }

    #[test]
    fn a_panic_in_the_content_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let result = std::panic::catch_unwind(|| write(&path, |_| panic!("on purpose")));
        assert!(result.is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
