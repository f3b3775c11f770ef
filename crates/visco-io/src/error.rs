//! What can go wrong with a file, always with its path.

use std::io;
use std::path::{Path, PathBuf};

/// A file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried: `write`, `read`, `create`, `remove`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The content is not a frame of visco.
    #[error("{}: {source}", path.display())]
    Ply {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: crate::ply::PlyError,
    },
    /// The content is not a frame of particles.
    #[error("{}: {source}", path.display())]
    Frame {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: crate::particles::FrameFileError,
    },
    /// The content is not a mesh.
    #[error("{}: {source}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: crate::mesh::MeshFileError,
    },
    /// The content is not a whole checkpoint.
    #[error("{} {source}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: visco::CheckpointError,
    },
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// For `map_err`: an I/O error at `path` while doing `action`.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { action, path: path.to_owned(), source }
    }

    /// For `map_err`: the checkpoint at `path` cannot be used.
    pub(crate) fn checkpoint(path: &Path) -> impl FnOnce(visco::CheckpointError) -> Self {
        move |source| Self::Checkpoint { path: path.to_owned(), source }
    }
}
