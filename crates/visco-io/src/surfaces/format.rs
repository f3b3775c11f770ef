//! The formats of surfaces.

/// A format of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SurfaceFormat {
    /// Binary little-endian PLY, which can be read back.
    Ply,
}

impl SurfaceFormat {
    /// Every format that can be written.
    pub const ALL: [Self; 1] = [Self::Ply];

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Ply => "ply",
        }
    }
}
