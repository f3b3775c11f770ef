//! Particle frames as binary little-endian PLY.
//!
//! One `vertex` element with the properties `x y z vx vy vz` (float), `id` (uint), `material`
//! (uchar), `density` (float) and, where the method has conformations, `qxx qyy qzz qxy qxz qyz`
//! (float). Time, number and spacing of the frame are in comment lines. [`crate::particles::read`] reads point clouds of
//! other programs, too.

pub(crate) mod elements;
mod foreign;
mod header;
mod read;
mod write;

pub(crate) use foreign::parse;
pub use read::{read, read_from};
pub use write::{write, write_to};

/// What is wrong with a PLY file.
#[derive(Debug, thiserror::Error)]
pub enum PlyError {
    /// The system refused to read on.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file does not begin as PLY files do.
    #[error("not a PLY file")]
    NotPly,
    /// The file is PLY of a kind that visco does not write.
    #[error("PLY in {0} format: visco reads binary_little_endian only")]
    Encoding(String),
    /// The header makes no sense, or does not describe particles of visco.
    #[error("line {line} of the PLY header: {message}")]
    Header {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A property has another type than visco's.
    #[error("property {name} is of type {found}, expected {expected}")]
    Type {
        /// The property.
        name: &'static str,
        /// Its type in the file.
        found: String,
        /// Its type in files of visco.
        expected: &'static str,
    },
    /// A property is missing.
    #[error("not a particle frame of visco: property {0} is missing")]
    Missing(&'static str),
    /// The file ends inside the header.
    #[error("the file ends inside its header: it was cut off")]
    CutHeader,
    /// The file ends before its last particle.
    #[error("the file ends after {found} of {expected} particles: it was cut off")]
    Cut {
        /// Particles that are complete.
        found: usize,
        /// Particles that the header announces.
        expected: usize,
    },
    /// There are bytes after the last particle.
    #[error("the file goes on after its last particle: its header does not belong to it")]
    TooLong,
}

/// A property of a particle in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Property {
    name: &'static str,
    kind: Kind,
}

/// The types that visco writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Float,
    Uint,
    Uchar,
}

impl Kind {
    /// Its name in a header.
    const fn name(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Uint => "uint",
            Self::Uchar => "uchar",
        }
    }
}

const fn property(name: &'static str, kind: Kind) -> Property {
    Property { name, kind }
}

/// What every particle has, in the order of the file.
const BASIC: [Property; 9] = [
    property("x", Kind::Float),
    property("y", Kind::Float),
    property("z", Kind::Float),
    property("vx", Kind::Float),
    property("vy", Kind::Float),
    property("vz", Kind::Float),
    property("id", Kind::Uint),
    property("material", Kind::Uchar),
    property("density", Kind::Float),
];

/// The conformation tensor, after [`BASIC`].
const CONFORMATION: [Property; 6] = [
    property("qxx", Kind::Float),
    property("qyy", Kind::Float),
    property("qzz", Kind::Float),
    property("qxy", Kind::Float),
    property("qxz", Kind::Float),
    property("qyz", Kind::Float),
];

#[cfg(test)]
mod tests;
