//! The formats of surfaces.

use std::path::Path;
use std::str::FromStr;

/// A format of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SurfaceFormat {
    /// Binary little-endian PLY, which can be read back.
    Ply,
    /// Wavefront OBJ: positions, normals and triangles alone.
    Obj,
    /// VTK XML PolyData, with a ParaView collection `surfaces.pvd`.
    Vtp,
    /// Binary USD, with a stage `surface.usda` that plays all frames.
    Usd,
}

impl SurfaceFormat {
    /// Every format that can be written.
    pub const ALL: [Self; 4] = [Self::Ply, Self::Obj, Self::Vtp, Self::Usd];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Obj => "obj",
            Self::Vtp => "vtp",
            Self::Usd => "usd",
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Usd => "usdc",
            other => other.name(),
        }
    }

    /// The format that a file's name stands for.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        Self::ALL.into_iter().find(|f| extension == f.extension() || extension == f.name())
    }
}

impl FromStr for SurfaceFormat {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        Self::ALL.into_iter().find(|f| f.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("unknown format, expected one of: {names}")
        })
    }
}
