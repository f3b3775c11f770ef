//! The experiments behind the figures and behind the tests that assert them.

mod block;
mod measure;

pub use block::{Attempt, Block, Sample};
pub use measure::{center, drift, spread};
