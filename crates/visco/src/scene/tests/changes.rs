//! What changes with time: motion, materials with keys; and the openings of nozzles.

use super::{SCENE, error_of};
use crate::scene::Scene;

const BOUNDARY: &str = "side = \"outside\"";
const EMITTER: &str = "speed = 0.5";
const MATERIAL: &str = "viscosity = 10";
const NOZZLE: &str = "disc = { radius = 0.2 }";

/// What is replaced in the scene, by what, and the only problem expected.
#[rustfmt::skip] // one case a line
const CASES: &[(&str, &str, &str)] = &[
    // Motion.
    (BOUNDARY, "motion = {}", "line 35: boundary[0].motion: needs keys, a velocity or an angular_velocity"),
    (BOUNDARY, "motion = { keys = [] }", "line 35: boundary[0].motion: needs keys, a velocity or an angular_velocity"),
    (BOUNDARY, "motion = { keys = [{ time = 1 }, { time = 1, translate = [1, 0, 0] }] }", "line 35: boundary[0].motion.keys[1].time = 1: must be above 1, the time of the key before it"),
    (BOUNDARY, "motion = { keys = [{ time = -1 }] }", "line 35: boundary[0].motion.keys[0].time = -1: must be between 0 and 1e9"),
    (BOUNDARY, "motion = { keys = [{ time = nan }] }", "line 35: boundary[0].motion.keys[0].time = nan: must be a finite number"),
    (BOUNDARY, "motion = { keys = [{ translate = [1, 0, 0] }] }", "line 35: boundary[0].motion.keys[0].time: missing"),
    (BOUNDARY, "motion = { keys = [{ time = 0, translate = [1, 0, inf] }] }", "line 35: boundary[0].motion.keys[0].translate[2] = inf: must be a finite number"),
    (BOUNDARY, "motion = { keys = [{ time = 0, rotate = { axis = [0, 0, 0], degrees = 9 } }] }", "line 35: boundary[0].motion.keys[0].rotate.axis = [0, 0, 0]: must not be zero"),
    (BOUNDARY, "motion = { keys = [{ time = 0, rotate = { axis = [0, 1, 0], degrees = 1e9 } }] }", "line 35: boundary[0].motion.keys[0].rotate.degrees = 1e9: must be between -1000000 and 1000000"),
    (BOUNDARY, "motion = { keys = [{ time = 0, position = [0, 0, 0] }] }", "line 35: boundary[0].motion.keys[0].position = [0, 0, 0]: unknown field"),
    (BOUNDARY, "motion = { velocity = [1, 0, 0], interpolation = \"cubic\" }", "line 35: boundary[0].motion.interpolation = \"cubic\": expected \"smooth\" or \"linear\""),
    (BOUNDARY, "motion = { velocity = [1, 0, 0], repeat = true }", "line 35: boundary[0].motion.repeat = true: needs at least two keys"),
    (BOUNDARY, "motion = { keys = [{ time = 0 }, { time = 1, translate = [1, 0, 0] }], repeat = true }", "line 35: boundary[0].motion.repeat = true: the last key must be the same pose as the first"),
    (BOUNDARY, "motion = { keys = [{ time = 0 }, { time = 1, rotate = { axis = [0, 1, 0], degrees = 300 } }], repeat = true }", "line 35: boundary[0].motion.repeat = true: the last key must be the same pose as the first"),
    (BOUNDARY, "motion = { velocity = [1, 0, 0] }\nvelocity = [1, 0, 0]", "line 36: boundary[0].velocity = [1, 0, 0]: give motion, which moves the wall through space, or velocity"),
    (EMITTER, "speed = 0.5\nmotion = { keys = [{ time = 2 }, { time = 1 }] }", "line 31: emitter[0].motion.keys[1].time = 1: must be above 2"),
    // Openings.
    (NOZZLE, "rectangle = { width = 0.09, height = 0.3 }", "line 27: emitter[0].nozzle.rectangle.width = 0.09: must be at least one spacing, 0.1"),
    (NOZZLE, "rectangle = { width = 0.3 }", "line 27: emitter[0].nozzle.rectangle.height: missing"),
    (NOZZLE, "star = { points = 5, outer_radius = 0.2, inner_radius = 0.2 }", "line 27: emitter[0].nozzle.star.inner_radius = 0.2: must be below outer_radius = 0.2"),
    (NOZZLE, "star = { points = 1, outer_radius = 0.2, inner_radius = 0.1 }", "line 27: emitter[0].nozzle.star.points = 1: must be between 2 and 1000"),
    (NOZZLE, "star = { points = 2, outer_radius = 0.05, inner_radius = 0.01 }", "line 27: emitter[0].nozzle.star: its area is 0.001 m²; it must be at least 0.0075"),
    (NOZZLE, "polygon = { points = [[0, 0], [1, 0]] }", "line 27: emitter[0].nozzle.polygon.points = [[0, 0], [1, 0]]: must have between 3 and 10000 entries, has 2"),
    (NOZZLE, "polygon = { points = [[0, 0], [1, 1], [1, 0], [0, 1]] }", "line 27: emitter[0].nozzle.polygon: edges 0 and 2 cross or touch"),
    (NOZZLE, "polygon = { points = [[0, 0], [1, 0], [1, 1]], holes = [[[0.5, 0.2], [2, 0.2], [0.8, 0.3]]] }", "line 27: emitter[0].nozzle.polygon: edges 1 and 3 cross or touch"),
    (NOZZLE, "polygon = { points = [[0, 0], [1, 0], [nan, 1]] }", "line 27: emitter[0].nozzle.polygon.points[2][0] = nan: must be a finite number"),
    (NOZZLE, "section = { point = [0, 0, 0], normal = [0, 1, 0] }", "line 27: emitter[0].nozzle.section.mesh: missing"),
    (NOZZLE, "section = { mesh = {}, point = [0, 0, 0], normal = [0, 1, 0] }", "line 27: emitter[0].nozzle.section.mesh: needs one of path (a file) and made (a mesh that visco makes)"),
    (NOZZLE, "section = { mesh = { made = 'torus' }, point = [0, 0, 0], normal = [0, 0, 0] }", "line 27: emitter[0].nozzle.section.normal = [0, 0, 0]: "),
    (NOZZLE, "section = { mesh = { made = 'torus' }, point = [0, 0, 0], normal = [0, 1, 0], up = [0, -2, 0] }", "line 27: emitter[0].nozzle.section.up = [0, -2, 0]: must not be parallel to the normal"),
    (NOZZLE, "polygon = { points = [[0, 0], [1, 0], [1, 0.01]] }", "line 27: emitter[0].nozzle.polygon: its area is 0.005 m²"),
    (NOZZLE, "rectangle = { width = 1, height = 1 } }\nup = [0, 2, 0]\n#", "line 28: emitter[0].up = [0, 2, 0]: must not be parallel to the direction"),
    (EMITTER, "speed = 0.5\nup = [0, 0, 0]", "line 31: emitter[0].up = [0, 0, 0]: must not be zero"),
    // Materials.
    (MATERIAL, "viscosity = 10\nkeys = [{ time = 0, viscosity = 1 }]", "line 14: material[0].keys[0].time = 0: must be above 0, where the material's own values hold"),
    (MATERIAL, "viscosity = 10\nkeys = [{ time = 2 }, { time = 1, viscosity = 1 }]", "line 14: material[0].keys[1].time = 1: must be above 2, the time of the key before it"),
    (MATERIAL, "viscosity = 10\nkeys = [{ time = 1, viscosity = -1 }]", "line 14: material[0].keys[0].viscosity = -1: must be between 0 and 1e15"),
    (MATERIAL, "viscosity = 10\nkeys = [{ time = 1, viscosity = inf }]", "line 14: material[0].keys[0].viscosity = inf: must be a finite number"),
    (MATERIAL, "viscosity = inf\nkeys = [{ time = 1, viscosity = 1 }]", "line 13: material[0].viscosity = inf: must be finite where the material has keys"),
    (MATERIAL, "viscosity = 10\nrelaxation_time = 1\nkeys = [{ time = 1, shear_modulus = 1 }]", "line 15: material[0].keys[0].shear_modulus = 1: give viscosity or shear_modulus, not both"),
    (MATERIAL, "viscosity = 10\nkeys = [{ time = 1, compliance = 1 }]", "line 14: material[0].keys[0].compliance = 1: only for solver.formulation = \"printed\""),
    (MATERIAL, "viscosity = 10\nsolvent_viscosity = 5\nkeys = [{ time = 1, viscosity = 1 }]", "line 15: material[0].keys[0].solvent_viscosity = 5: must be at most the viscosity, 1"),
    (MATERIAL, "viscosity = 10\nkeys = [{ time = 1, relaxation_time = 3 }, { time = 2, viscosity = 0 }]", "line 14: material[0].keys[1].relaxation_time = 3: must be 0 where nothing relaxes"),
    (MATERIAL, "viscosity = 10\nkeys = [{ time = 1, density = 3 }]", "line 14: material[0].keys[0].density = 3: unknown field"),
    (MATERIAL, "viscosity = 10\nkeys = [{ time = 1, viscosity = 1e12 }]", "line 14: material[0].keys[0].viscosity = 1e12: too stiff for single precision"),
];

#[test]
fn each_mistake_is_named_with_its_field_line_and_remedy() {
    let mut wrong = Vec::new();
    for (old, new, expected) in CASES {
        assert!(SCENE.contains(old), "the scene has no `{old}`");
        let error = error_of(&SCENE.replacen(old, new, 1), &[]);
        let found = error.to_string();
        if error.problems.len() != 1 || !found.starts_with(expected) {
            wrong.push(format!("{new}\nexpected: {expected}\nfound:    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_changes_with_time_passes_and_round_trips() {
    let text = SCENE
        .replace(
            MATERIAL,
            "viscosity = 10\nkeys = [{ time = 1 }, { time = 2, viscosity = 1, relaxation_time = 0.1 }]",
        )
        .replace(
            NOZZLE,
            "polygon = { points = [[0, 0], [1, 0], [1, 1]], holes = [[[0.5, 0.2], [0.8, 0.2], [0.8, 0.3]]] }",
        )
        .replace(EMITTER, "speed = 0.5\nup = [1, 0, 0]\nmotion = { angular_velocity = [0, 1, 0] }")
        .replace(
            BOUNDARY,
            "motion = { keys = [{ time = 0 }, { time = 3, rotate = { axis = [0, 0, 1], degrees = 720 } }], \
             repeat = true, interpolation = \"linear\", about = [1, 2, 3] }",
        );
    let scene = Scene::from_toml(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Scene::from_toml(&scene.to_toml()).as_ref(), Ok(&scene));
    assert!(crate::Simulation::new(&scene).is_ok());
}

#[test]
fn the_printed_formulation_changes_its_compliance() {
    let text = SCENE
        .replace("tolerance = 1e-3", "formulation = \"printed\"")
        .replace(MATERIAL, "compliance = 0.5\nkeys = [{ time = 1, compliance = 5 }]")
        .replace("shear_modulus = 1e4", "compliance = 0.1");
    assert!(Scene::from_toml(&text).is_ok());
    let error = error_of(&text.replace("{ time = 1, comp", "{ time = 1, viscosity = 3, comp"), &[]);
    assert!(error.to_string().contains("keys[0].viscosity = 3: not used by solver.formulation"), "{error}");
}
