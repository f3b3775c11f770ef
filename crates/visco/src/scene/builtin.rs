//! The scenes that come with visco.

use super::{Override, Scene, SceneError};

/// A scene that comes with visco.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinScene {
    /// Its name.
    pub name: &'static str,
    /// Other names that it is found by.
    pub aliases: &'static [&'static str],
    /// Its text.
    pub toml: &'static str,
}

impl BuiltinScene {
    /// The scene with this name or alias.
    pub fn find(name: &str) -> Option<&'static Self> {
        builtin_scenes().iter().find(|scene| scene.name == name || scene.aliases.contains(&name))
    }

    /// What the scene shows, in a sentence.
    pub fn description(&self) -> String {
        let table: toml::Table = self.toml.parse().unwrap_or_default();
        let text = table.get("description").and_then(toml::Value::as_str);
        text.unwrap_or_default().to_owned()
    }

    /// Reads the scene, with values replaced.
    pub fn scene(&self, overrides: &[Override]) -> Result<Scene, SceneError> {
        Scene::from_toml_with(self.toml, overrides)
    }
}

/// The scenes that come with visco, in the order in which they are listed.
pub fn builtin_scenes() -> &'static [BuiltinScene] {
    &[
        BuiltinScene {
            name: "honey",
            aliases: &["barreiro2017-fig12"],
            toml: include_str!("../../../../scenes/honey.toml"),
        },
        BuiltinScene {
            name: "blocks",
            aliases: &["barreiro2017-fig04"],
            toml: include_str!("../../../../scenes/blocks.toml"),
        },
        BuiltinScene {
            name: "coiling",
            aliases: &["barreiro2017-fig05"],
            toml: include_str!("../../../../scenes/coiling.toml"),
        },
        BuiltinScene {
            name: "ice-cream",
            aliases: &["barreiro2017-fig08"],
            toml: include_str!("../../../../scenes/ice-cream.toml"),
        },
        BuiltinScene {
            name: "waffle",
            aliases: &["barreiro2017-fig09"],
            toml: include_str!("../../../../scenes/waffle.toml"),
        },
        BuiltinScene {
            name: "bowl",
            aliases: &["barreiro2017-fig10"],
            toml: include_str!("../../../../scenes/bowl.toml"),
        },
        BuiltinScene {
            name: "armadillos",
            aliases: &["barreiro2017-fig11"],
            toml: include_str!("../../../../scenes/armadillos.toml"),
        },
        BuiltinScene {
            name: "cake",
            aliases: &["barreiro2017-fig01"],
            toml: include_str!("../../../../scenes/cake.toml"),
        },
        BuiltinScene {
            name: "hydrostatic",
            aliases: &[],
            toml: include_str!("../../../../scenes/hydrostatic.toml"),
        },
        BuiltinScene {
            name: "dam-break",
            aliases: &[],
            toml: include_str!("../../../../scenes/dam-break.toml"),
        },
        BuiltinScene {
            name: "press",
            aliases: &["takahashi2016-fig07"],
            toml: include_str!("../../../../scenes/press.toml"),
        },
        BuiltinScene {
            name: "dragon",
            aliases: &["takahashi2016-fig11"],
            toml: include_str!("../../../../scenes/dragon.toml"),
        },
        BuiltinScene {
            name: "two-way",
            aliases: &["takahashi2016-fig12"],
            toml: include_str!("../../../../scenes/two-way.toml"),
        },
        BuiltinScene {
            name: "barus",
            aliases: &["takahashi2016-fig13"],
            toml: include_str!("../../../../scenes/barus.toml"),
        },
        BuiltinScene {
            name: "spinnability",
            aliases: &["mukai2021-fig02"],
            toml: include_str!("../../../../scenes/spinnability.toml"),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_passes_the_check_and_round_trips() {
        for builtin in builtin_scenes() {
            let mut sizes = Vec::new();
            for quality in ["full", "small"] {
                let set = Override::parse(&format!("quality={quality}")).expect("an override");
                let scene = builtin
                    .scene(&[set])
                    .unwrap_or_else(|error| panic!("{} ({quality}):\n{error}", builtin.name));
                assert_eq!(scene.name, builtin.name);
                let text = scene.to_toml();
                let again = Scene::from_toml(&text)
                    .unwrap_or_else(|error| panic!("{}:\n{error}\n{text}", builtin.name));
                assert_eq!(again, scene, "{text}");
                assert_eq!(again.to_toml(), text);
                sizes.push(scene.estimate().particles);
            }
            assert!(
                0 < sizes[1] && sizes[1] * 2 < sizes[0],
                "{}: the small version has {} particles of {}",
                builtin.name,
                sizes[1],
                sizes[0]
            );
        }
    }

    /// Table 1 of Barreiro et al. 2017.
    #[test]
    fn printed_variants_have_the_numbers_of_the_paper() {
        use crate::methods::dcpbd::{Formulation, VelocitySolver};
        use crate::scene::solver::Solver;
        let blocks = [5.0, 0.015, 0.015];
        let coiling = [0.15, 0.15, 0.15, 0.15, 0.0, 0.05, 0.2, 1.0];
        let cases: [(_, _, _, _, &[f64]); 8] = [
            ("blocks", 10e3, 240.0, 20, &blocks),
            ("coiling", 89e3, 240.0, 40, &coiling),
            ("honey", 105e3, 300.0, 10, &[0.0]),
            ("ice-cream", 15e3, 200.0, 8, &[0.1]),
            ("waffle", 80e3, 300.0, 40, &[0.1, 0.1]),
            ("bowl", 15e3, 200.0, 8, &[0.1]),
            // Of the table's 12 million: its spacing is in the scene, for those who have the memory.
            ("armadillos", 100e3, 150.0, 15, &[0.5]),
            ("cake", 150e3, 750.0, 15, &[0.1, 0.5]),
        ];
        for (name, particles, steps, iterations, tau) in cases {
            let set = Override::parse("quality=printed").expect("an override");
            let scene = BuiltinScene::find(name).expect("built in").scene(&[set]).expect("valid");
            let Solver::Dcpbd(params) = &scene.solver else { panic!("{name} is not of dcpbd") };
            assert_eq!(params.formulation, Formulation::Printed, "{name}");
            assert_eq!(params.velocity_solver, VelocitySolver::Jacobi, "{name}");
            assert_eq!(params.max_velocity_iterations, iterations, "{name}");
            let dt = scene
                .time
                .dt
                .unwrap_or(1.0 / scene.time.fps / f64::from(scene.time.steps_per_frame.unwrap_or(1)));
            assert!((dt * steps - 1.0).abs() < 1e-9, "{name}: {dt}");
            let times: Vec<f64> = scene.material.iter().filter_map(|m| m.relaxation_time).collect();
            assert_eq!(times, tau, "{name}");
            assert!(scene.material.iter().all(|m| m.compliance.is_some()), "{name}");
            let ratio = scene.estimate().particles as f64 / particles;
            assert!((ratio - 1.0).abs() < 0.12, "{name}: {ratio} of the particles");
        }
    }

    #[test]
    fn builtins_are_found_by_name_and_alias() {
        let mut names: Vec<&str> = builtin_scenes()
            .iter()
            .flat_map(|scene| scene.aliases.iter().copied().chain([scene.name]))
            .collect();
        for name in &names {
            assert!(BuiltinScene::find(name).is_some(), "{name}");
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "two scenes share a name");
        let figures = [
            ("fig04", "blocks"),
            ("fig05", "coiling"),
            ("fig08", "ice-cream"),
            ("fig09", "waffle"),
            ("fig10", "bowl"),
            ("fig11", "armadillos"),
            ("fig12", "honey"),
        ];
        for (figure, name) in figures {
            let found = BuiltinScene::find(&format!("barreiro2017-{figure}"));
            assert_eq!(found.map(|scene| scene.name), Some(name), "{figure}");
        }
        assert_eq!(BuiltinScene::find("nothing"), None);
    }

    #[test]
    fn every_builtin_has_a_description() {
        for builtin in builtin_scenes() {
            assert!(builtin.description().len() > 20, "{}", builtin.name);
        }
    }
}
