//! Notes: what is told about values that the time step does not resolve.

use super::{SCENE, read_with};
use crate::scene::{BuiltinScene, Method, Override};

fn notes(sets: &[&str]) -> Vec<String> {
    let scene = read_with(SCENE, sets).unwrap_or_else(|error| panic!("{sets:?}: {error}"));
    scene.notes().iter().map(ToString::to_string).collect()
}

#[test]
fn a_scene_that_is_resolved_has_no_notes() {
    assert_eq!(notes(&[]), [""; 0]);
    assert_eq!(notes(&["material.jelly.relaxation_time=0.0084"]), [""; 0]);
}

#[test]
fn a_relaxation_time_below_the_step_is_told_with_the_steps_that_resolve_it() {
    let told = |tau: &str, time: &str| notes(&[&format!("material.jelly.relaxation_time={tau}"), time]);
    assert_eq!(
        told("0.004", "time.frames=9"),
        [
            "material[1].relaxation_time = 0.004: shorter than the time step, 0.0083 s: what is elastic about the \
          fluid is not resolved; time.steps_per_frame = 25 or more would do"
        ]
    );
    assert_eq!(notes(&["material.jelly.relaxation_time=0.004", "time.steps_per_frame=25"]), [""; 0]);
    assert_eq!(
        told("1e-4", "time={ frames = 9, dt = 0.01 }"),
        [
            "material[1].relaxation_time = 0.0001: less than a tenth of the time step, 0.0083 s: the fluid flows as if \
          it were Newtonian; time.dt = 3.3e-5 would do"
        ]
    );
    let cfl = told("1e-4", "time={ frames = 9, cfl = 0.5 }");
    assert!(cfl[0].ends_with("time.dt = 3.3e-5 in place of time.cfl would do"), "{cfl:?}");
    let never = told("1e-9", "time.frames=9");
    assert!(never[0].ends_with("relaxation_time = 0 is the same"), "{never:?}");
}

#[test]
fn a_preset_is_told_about_by_its_name() {
    let sets = [
        "material.honey={ name = \"honey\", preset = \"egg-white\" }",
        "time={ frames = 9, fps = 10, dt = 0.1 }",
    ];
    let told = notes(&sets);
    assert!(
        told[0].starts_with("material[0].preset = \"egg-white\" (relaxation_time 0.05): shorter"),
        "{told:?}"
    );
}

#[test]
fn a_viscosity_that_nothing_feels_is_told_with_one_that_would_count() {
    assert_eq!(
        notes(&["material.honey.viscosity=0.001"]),
        [
            "material[0].viscosity = 0.001: too small to be felt at this spacing and time step: the fluid flows as if \
          inviscid; 0.12 or more would count"
        ]
    );
    assert_eq!(notes(&["material.honey.viscosity=0.12"]), [""; 0]);
    assert_eq!(notes(&["material.honey.viscosity=0"]), [""; 0], "an inviscid fluid is meant to be one");
    // In a slow flow the same viscosity rules.
    assert_eq!(notes(&["material.honey.viscosity=0.001", "gravity=[0, 0, 0]"]), [""; 0]);
}

#[test]
fn surface_tension_that_divides_the_steps_is_told() {
    let sets = ["material.honey.surface_tension=0.07", "material.honey.viscosity=0.12", "spacing=0.001"];
    let told = notes(&sets);
    let divided = "material[0].surface_tension = 0.07: stable in steps of 0.0031 s or less at this spacing: the \
                   scene's, 0.0083 s, are divided";
    assert!(told.contains(&divided.to_string()), "{told:?}");
    assert_eq!(notes(&sets[..1]), [""; 0], "a wider spacing needs no shorter steps");
}

#[test]
fn no_built_in_scene_of_viscous_fluid_has_notes() {
    for name in ["honey", "blocks", "coiling", "ice-cream", "waffle", "bowl", "armadillos", "cake"] {
        for quality in ["full", "small"] {
            let set = Override::parse(&format!("quality={quality}")).expect("an override");
            let scene = BuiltinScene::find(name).expect("built in").scene(&[set]).expect("valid");
            assert_eq!(scene.notes(), [], "{name}, {quality}");
        }
    }
}

#[test]
fn a_lattice_that_is_pulled_is_told() {
    let scene = |more: &str| {
        let text = format!(
            "name = \"bar\"\nspacing = 0.01\ntime = {{ frames = 2, steps_per_frame = 1 }}\n\
             material = [{{ name = \"gum\", viscosity = 100 }}]\n\
             grip = [{{ velocity = [0, 0.1, 0], shape = {{ box = {{ min = [0, 0.08, 0], max = [0.1, 0.1, 0.1] }} }} }}]\n\
             [[fluid]]\nmaterial = \"gum\"\nshape = {{ box = {{ min = [0, 0, 0], max = [0.1, 0.1, 0.1] }} }}\n{more}\n"
        );
        crate::Scene::from_toml(&text).unwrap().notes()
    };
    let found = scene("");
    assert!(
        found.len() == 1 && found[0].to_string().starts_with("fluid[0].packing = \"lattice\""),
        "{found:?}"
    );
    assert_eq!(scene("packing = \"relaxed\""), []);
}

#[test]
fn velocity_corrections_tell_what_they_ignore() {
    let told = notes(&["method=velocity_correction", "time.steps_per_frame=1000"]);
    let ignored = "ignored: method = \"velocity_correction\" has";
    assert!(told.iter().any(|n| n.starts_with("solver.tolerance = 0.001: ignored")), "{told:?}");
    let instead = format!("{ignored} `connections` in place of a polymer");
    let relaxation = format!(
        "material[1].relaxation_time = 2: {instead}; of its viscosity the solvent's, 0 Pa·s, is felt"
    );
    let modulus = format!("material[1].shear_modulus = 10000: {instead}");
    assert!(told.contains(&relaxation) && told.contains(&modulus), "{told:?}");
    assert_eq!(told.len(), 3, "{told:?}");
    let given = ["method=velocity_correction", "time.steps_per_frame=1000", "material.jelly.connections={}"];
    assert_eq!(notes(&given), told, "connections do not make a polymer felt");
    let preset =
        notes(&["method=velocity_correction", "material.jelly={ name = \"jelly\", preset = \"egg-white\" }"]);
    let of_preset = format!("material[1].preset = \"egg-white\" (relaxation_time 0.05): {instead}");
    assert!(preset.iter().any(|n| n.starts_with(&of_preset)), "{preset:?}");
    let slow = notes(&["method=velocity_correction", "material.honey.viscosity=500000"]);
    let felt = slow.iter().find(|n| n.starts_with("material[0].viscosity = 500000")).expect("a note");
    assert!(felt.contains("no more than 120 is felt"), "{felt}");
    let other = notes(&["material.jelly.connections={}"]);
    assert!(other[0].starts_with("material[1].connections = { correction = 0.001 … }: ignored"), "{other:?}");
}

#[test]
fn mps_tells_what_it_has_no_counterpart_for() {
    let told = notes(&["method=mps", "boundary[0].friction=0.4", "material.honey.connections={}"]);
    for note in [
        "material[0].connections = { correction = 0.001 … }: ignored",
        "material[1].relaxation_time = 2: nothing relaxes in method = \"mps\": its elastic stress is β times that of the \
         shear modulus 10000 Pa, for ever; β grows to solver.elastic_share = 0.05",
        "boundary[0].friction = 0.4: felt only by particles that the wall itself stops",
    ] {
        assert!(told.iter().any(|n| n.starts_with(note)), "{note}: {told:?}");
    }
    let preset = notes(&["method=mps", "material.jelly={ name = \"jelly\", preset = \"egg-white\" }"]);
    let note =
        "material[1].preset = \"egg-white\" (relaxation_time 0.05): nothing relaxes in method = \"mps\"";
    assert!(preset.iter().any(|n| n.starts_with(note)), "{preset:?}");
}

#[test]
fn a_model_that_is_not_the_method_s_own_is_ignored() {
    let told = |method: &str, model: &str| {
        let note = format!(
            "material[1].model = \"{model}\": ignored: only method = \"coupled\" has a choice of models"
        );
        let sets = [format!("method={method}"), format!("material.jelly.model={model}")];
        notes(&sets.each_ref().map(String::as_str)).contains(&note)
    };
    assert!(!told("coupled", "linear") && !told("coupled", "oldroyd_b") && !told("dcpbd", "linear"));
    for method in Method::ALL.map(Method::name).into_iter().filter(|name| *name != "coupled") {
        assert!(told(method, "oldroyd_b"), "{method}");
    }
}

#[test]
fn reconstructed_velocities_want_something_that_holds_the_fluid_together() {
    let reconstruction = ["method=pbf", "solver.viscosity=reconstruction"];
    let told = notes(&reconstruction);
    let expected = "solver.viscosity = \"reconstruction\": makes velocities rigid";
    assert!(told.iter().any(|note| note.starts_with(expected)), "{told:?}");
    let held = notes(&[&reconstruction[..], &["solver.density=equality", "solver.softness=1"]].concat());
    assert!(held.iter().all(|note| !note.contains("holds it together")), "{held:?}");
}
