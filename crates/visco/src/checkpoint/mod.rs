//! Checkpoints: everything of a simulation that survives a step, so that it can go on later as if it had not stopped.
//!
//! What follows from the scene and the time alone (walls, nozzles, materials) is not stored: it is built again. The
//! scene is, but for what does not change the motion, so that a checkpoint is not taken for that of another scene.
//!
//! ```
//! use visco::{Changes, Checkpoint, Scene, Simulation};
//! # let scene = Scene::from_toml(r#"
//! #     name = "drop"
//! #     spacing = 0.005
//! #     time = { fps = 60, frames = 5, steps_per_frame = 2 }
//! #     material = [{ name = "honey", viscosity = 10, density = 1400 }]
//! #     fluid = [{ material = "honey", shape = { sphere = { center = [0, 0.03, 0], radius = 0.02 } } }]
//! # "#)?;
//! let mut simulation = Simulation::new(&scene)?;
//! simulation.step(0.01)?;
//! let mut file = Vec::new();
//! simulation.checkpoint().write(&mut file)?;
//!
//! let mut resumed = Simulation::new(&scene)?;
//! resumed.restore(&Checkpoint::read(&file[..])?, Changes::Refused)?;
//! assert_eq!(resumed.step(0.01)?.kinetic_energy, simulation.step(0.01)?.kinetic_energy);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `visco`, then bytes that a transfer as text would change |
//! | 4 | version of the format, little-endian as all numbers |
//! | 4 | length of the header |
//! | 4 | CRC-32 of the header |
//! | … | header: [`Header`] and the lengths and checksums of the blocks, as postcard |
//! | … | state, as postcard, in blocks compressed with LZ4 |

mod blocks;
pub(crate) mod deltas;
pub(crate) mod offsets;
pub(crate) mod raw;
mod state;
#[cfg(test)]
mod tests;
mod world;

pub(crate) use state::expect;
pub use state::{StateReader, StateWriter};

use blocks::Index;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use thiserror::Error;

/// Version of the format. A change of what is stored, in any type, needs the next one.
pub const FORMAT: u32 = 4;

/// First bytes of a checkpoint.
pub const MAGIC: [u8; 8] = *b"visco\r\n\x1a";

/// Why a checkpoint cannot be used. The text continues a sentence that begins with the file's name.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("is not a checkpoint of visco")]
    NotACheckpoint,
    /// It is of another version.
    #[error("has format {0}; this version of visco reads format {FORMAT}")]
    Format(u32),
    /// Its end is missing.
    #[error("is cut off: its end is missing")]
    Truncated,
    /// It is not as it was written.
    #[error("is damaged: {0}")]
    Damaged(&'static str),
    /// The scene has changed since.
    #[error("is of another scene: {}", list(.0))]
    OtherScene(Vec<String>),
}

/// The first few of several.
fn list(changes: &[String]) -> String {
    const SHOWN: usize = 4;
    let mut text = changes.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
    if changes.len() > SHOWN {
        text += &format!("; and {} more", changes.len() - SHOWN);
    }
    text
}

/// What a checkpoint says about itself.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Header {
    /// Version of visco that wrote it.
    pub program: String,
    /// Name of the scene.
    pub name: String,
    /// What of the scene decides how the fluid moves, as TOML.
    pub scene: String,
    /// Number of the frame that was reached.
    pub frame: u32,
    /// Steps made.
    pub step: u64,
    /// Simulated time, in s.
    pub time: f64,
    /// Number of particles.
    pub particles: u64,
}

/// A simulation at rest in memory, to be written or continued.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    header: Header,
    state: Vec<u8>,
}

impl Checkpoint {
    pub(crate) fn new(header: Header, state: StateWriter) -> Self {
        Self { header, state: state.into_bytes() }
    }

    /// What it says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the state before compression.
    pub fn state_bytes(&self) -> usize {
        self.state.len()
    }

    /// Writes it. The writer is best a buffered one.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let (index, blocks) = blocks::compress(&self.state);
        to.write_all(&head(&self.header, &index))?;
        blocks::write(&blocks, &mut to)
    }

    /// Reads one, to its end, and checks every checksum.
    pub fn read(mut from: impl Read) -> Result<Self, CheckpointError> {
        let (header, index) = read_head(&mut from)?;
        let state = blocks::read(&index, &mut from)?;
        Ok(Self { header, state })
    }

    /// Reads with `load` the parts that were put into the state.
    pub(crate) fn load(
        &self,
        load: impl FnOnce(&mut StateReader) -> Result<(), CheckpointError>,
    ) -> Result<(), CheckpointError> {
        let mut reader = StateReader::new(&self.state);
        load(&mut reader)?;
        reader.finish()
    }
}

impl Header {
    /// Reads the header alone; the rest is not looked at.
    pub fn read(mut from: impl Read) -> Result<Self, CheckpointError> {
        read_head(&mut from).map(|(header, _)| header)
    }
}

/// Everything before the blocks.
fn head(header: &Header, index: &Index) -> Vec<u8> {
    let header = postcard::to_allocvec(&(header, index)).expect("a header has no odd parts");
    let mut bytes = MAGIC.to_vec();
    for number in [FORMAT, header.len() as u32, crc32fast::hash(&header)] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(header);
    bytes
}

fn read_head(from: &mut impl Read) -> Result<(Header, Index), CheckpointError> {
    let mut magic = [0; MAGIC.len()];
    read_exact(from, &mut magic, CheckpointError::NotACheckpoint)?;
    if magic != MAGIC {
        return Err(CheckpointError::NotACheckpoint);
    }
    let mut number = || -> Result<u32, CheckpointError> {
        let mut bytes = [0; 4];
        read_exact(from, &mut bytes, CheckpointError::Truncated)?;
        Ok(u32::from_le_bytes(bytes))
    };
    let format = number()?;
    if format != FORMAT {
        return Err(CheckpointError::Format(format));
    }
    let (length, checksum) = (number()?, number()?);
    let mut header = Vec::new();
    from.take(length.into()).read_to_end(&mut header)?;
    if header.len() < length as usize {
        return Err(CheckpointError::Truncated);
    }
    expect(crc32fast::hash(&header) == checksum, "the checksum of its header is wrong")?;
    postcard::from_bytes(&header).map_err(|_| CheckpointError::Damaged("its header cannot be read"))
}

/// Fills `bytes`, or says that the end came too early.
fn read_exact(from: &mut impl Read, bytes: &mut [u8], early: CheckpointError) -> Result<(), CheckpointError> {
    from.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => early,
        _ => error.into(),
    })
}
