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

use std::collections::BTreeMap;
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

/// The part of a scene that has one material, under the name `fluid`.
fn material_table(material: &Material) -> String {
    let named = Material { name: "fluid".into(), ..material.clone() };
    let part = BTreeMap::from([("material", [named])]);
    toml::to_string(&part).expect("a material is a table of TOML")
}

#[cfg(test)]
mod tests {
    use super::*;
    use visco::Scene;

    #[test]
    fn a_material_with_tables_of_its_own_is_one_of_a_scene() {
        let scene = |material: &str| {
            let text = format!(
                "name = \"one\"\nspacing = 0.01\nmethod = \"velocity_correction\"\ntime = {{ fps = 60, frames = 2, steps_per_frame = 4 }}\n\
                 [[fluid]]\nmaterial = \"fluid\"\nshape = {{ box = {{ min = [0, 0, 0], max = [0.1, 0.1, 0.1] }} }}\n{material}"
            );
            Scene::from_toml(&text).unwrap_or_else(|error| panic!("{error}"))
        };
        let first = scene(
            "[[material]]\nname = \"fluid\"\nviscosity = 2\nconnections = { correction = 0.004 }\nshape_matching = { weight = 0.5 }\n\
             keys = [{ time = 1, viscosity = 3 }]",
        );
        assert_eq!(scene(&material_table(&first.material[0])).material, first.material);
    }
}
