//! The experiments behind the figures and behind the tests that assert them.

mod bar;
mod block;
pub mod channel;
mod coil;
pub(crate) mod measure;
pub mod rheometer;
mod rope;
pub(crate) mod thread;

pub use bar::{Bar, BarSample, Load};
pub use block::{Attempt, Block, Sample};
pub use coil::{Coil, coil, coil_under};
pub use measure::{center, drift, spread};
pub use rope::{Coiling, Rope};

use thiserror::Error;
use visco::scene::Material;
use visco::{SceneError, StepError};

/// Why an experiment has no result.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// The scene does not pass the check.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The run stopped.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// A material as a table of TOML, under the name `fluid`.
fn material_table(material: &Material) -> String {
    let named = Material { name: "fluid".into(), ..material.clone() };
    toml::to_string(&named).expect("a material is a table of TOML")
}
