//! The formats of particle frames.

use std::path::Path;
use std::str::FromStr;

/// A format of particle frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Binary little-endian PLY.
    Ply,
    /// VTK XML PolyData, with a ParaView collection `frames.pvd`.
    Vtp,
    /// Houdini's classic binary geometry.
    Bgeo,
    /// Binary USD, with a stage `particles.usda` that plays all frames.
    Usd,
}

impl Format {
    /// Every format that can be written.
    pub const ALL: [Self; 4] = [Self::Ply, Self::Vtp, Self::Bgeo, Self::Usd];

    /// The formats that can be read back, the most exact first.
    pub const READABLE: [Self; 3] = [Self::Ply, Self::Vtp, Self::Bgeo];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Vtp => "vtp",
            Self::Bgeo => "bgeo",
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

    /// The format that a file's name stands for. `.usd` is binary USD, too; `.bgeo.gz` is BGEO.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let (_, extension) = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?;
        Self::ALL.into_iter().find(|f| extension == f.extension() || extension == f.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        Self::ALL.into_iter().find(|f| f.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("unknown format, expected one of: {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_lead_to_the_format() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            let name = format!("a.b/particles_000000.{}", format.extension());
            assert_eq!(Format::of_path(Path::new(&name)), Some(format));
        }
        assert_eq!(Format::of_path(Path::new("a.BGEO.gz")), Some(Format::Bgeo));
        assert_eq!(Format::of_path(Path::new("a.usd")), Some(Format::Usd));
        assert_eq!(Format::of_path(Path::new("ply")), None);
        assert!("usdc".parse::<Format>().unwrap_err().ends_with("ply, vtp, bgeo, usd"));
    }
}
