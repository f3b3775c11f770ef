//! The experiments behind the figures and behind the tests that assert them.

mod block;
mod coil;
mod measure;
pub mod rheometer;

pub use block::{Attempt, Block, Sample};
pub use coil::{Coil, coil};
pub use measure::{center, drift, spread};
