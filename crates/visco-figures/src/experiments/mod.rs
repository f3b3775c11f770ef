//! The experiments behind the figures and behind the tests that assert them.

mod block;
mod coil;
mod measure;

pub use block::{Attempt, Block, Sample};
pub use coil::{Coil, coil};
pub use measure::{center, drift, spread};
