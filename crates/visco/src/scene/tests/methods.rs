//! Settings of the methods: what each refuses, and what each says that it ignores.

use super::{SCENE, error_of, read_with};

#[test]
fn settings_of_pbf_and_sph_are_checked() {
    #[rustfmt::skip] // one case a line
    let cases: &[(&[&str], &str)] = &[
        (&["method=pbf", "solver.iterations=0"], "solver.iterations = 0: must be between 1 and 10000"),
        (&["method=pbf", "solver.density_tolerance=1"], "solver.density_tolerance = 1: must be between 1e-6 and 0.1"),
        (&["method=pbf", "solver.xsph=nan"], "solver.xsph = nan: must be a finite number"),
        (&["method=pbf", "solver.tensile_distance=1"], "solver.tensile_distance = 1: must be between 0 and 0.9"),
        (&["method=pbf", "solver.tensile_power=0"], "solver.tensile_power = 0: must be between 1 and 16"),
        (&["method=pbf", "solver.vorticity_confinement=-1"], "solver.vorticity_confinement = -1: must be between 0 and 1000"),
        (&["method=pbf", "solver.density=both"], "solver.density = \"both\": expected \"unilateral\" or \"equality\""),
        (&["method=pbf", "solver.xspj=0.1"], "solver.xspj = 0.1: unknown field; did you mean `xsph`?"),
        (
            &["method=pbf", "solver.iterations=9", "solver.density_tolerance=1e-3", "solver.max_iterations=5"],
            "solver.max_iterations = 5: must be at least solver.iterations, 9",
        ),
        (&["method=pbf", "material.honey.viscosity=inf"], "method = \"pbf\" needs a finite viscosity"),
        (&["method=sph", "solver.courant=2"], "solver.courant = 2: must be between 0.01 and 1"),
        (&["method=sph", "solver.sound_speed=0"], "solver.sound_speed = 0: must be between 0.001 and 100000"),
        (&["method=sph", "solver.iterations=4"], "solver.iterations = 4: unknown field"),
        (&["method=sph", "material.honey.viscosity=inf"], "method = \"sph\" needs a finite viscosity"),
    ];
    for (sets, message) in cases {
        // Of what comes by --set the error quotes that.
        let (value, rule) = message.split_once(": ").unwrap_or(("", message));
        let field = value.split(" = ").next().unwrap_or_default();
        let error = error_of(SCENE, sets).to_string();
        assert!(error.contains(field) && error.contains(rule), "{sets:?}: {error}");
    }
    // Without a tolerance the most does not matter.
    assert!(read_with(SCENE, &["method=pbf", "solver.iterations=9", "solver.max_iterations=5"]).is_ok());
}

#[test]
fn methods_without_memory_tell_what_they_ignore() {
    let notes = |sets: &[&str]| -> Vec<String> {
        let scene = read_with(SCENE, sets).unwrap_or_else(|error| panic!("{sets:?}: {error}"));
        scene.notes().iter().map(ToString::to_string).collect()
    };
    let pbf = notes(&["method=pbf"]);
    let memory = |method: &str| {
        format!(
            "material[1].relaxation_time = 2: ignored: method = \"{method}\" has no memory; the fluid is Newtonian, of \
             20000 Pa·s"
        )
    };
    assert!(pbf.contains(&memory("pbf")), "{pbf:?}");
    let felt = pbf.iter().find(|n| n.starts_with("material[1].shear_modulus = 10000: XSPH")).expect("a note");
    assert!(felt.ends_with("is felt"), "{felt}");
    assert!(pbf[0].starts_with("solver.tolerance = 0.001: ignored"), "{pbf:?}");
    assert_eq!(pbf.len(), 3, "{pbf:?}");
    let sph = notes(&["method=sph", "material.jelly.connections={}"]);
    assert!(sph.contains(&memory("sph")), "{sph:?}");
    let divided =
        sph.iter().find(|n| n.starts_with("material[1].shear_modulus = 10000: stable")).expect("a note");
    assert!(divided.ends_with("are divided"), "{divided}");
    assert!(sph.iter().any(|n| n.starts_with("material[1].connections")), "{sph:?}");
    let preset = notes(&["method=pbf", "material.jelly={ name = \"jelly\", preset = \"egg-white\" }"]);
    let told =
        "material[1].preset = \"egg-white\" (relaxation_time 0.05): ignored: method = \"pbf\" has no memory";
    assert!(preset.iter().any(|n| n.starts_with(told)), "{preset:?}");
}

#[test]
fn settings_of_the_comparisons_are_checked() {
    for method in ["springs", "shape_matching", "maxwell"] {
        let chosen = format!("method={method}");
        let error = |set: &str| error_of(SCENE, &[&chosen, set]).to_string();
        let tolerance = error("solver.density_tolerance=1");
        assert!(tolerance.contains("must be between 1e-6 and 0.1"), "{tolerance}");
        let support = error("solver.support=nan");
        assert!(support.contains("must be a finite number"), "{support}");
        let unknown = error("solver.suport=2.5");
        assert!(unknown.contains("did you mean `support`?"), "{unknown}");
        let rigid = error("material.honey.viscosity=inf");
        assert!(rigid.contains(&format!("method = \"{method}\" needs a finite viscosity")), "{rigid}");
    }
}

#[test]
fn the_comparisons_tell_what_they_ignore() {
    let notes = |sets: &[&str]| -> Vec<String> {
        let scene = read_with(SCENE, sets).unwrap_or_else(|error| panic!("{sets:?}: {error}"));
        scene.notes().iter().map(ToString::to_string).collect()
    };
    let tables =
        ["material.jelly.connections={}", "material.jelly.springs={}", "material.jelly.shape_matching={}"];
    let told = |method: &str| notes(&[&[method][..], &tables[..]].concat());
    let ignored = |told: &[String]| -> Vec<bool> {
        let starts = ["connections = {", "springs = {", "shape_matching = {"];
        starts.map(|s| told.iter().any(|n| n.starts_with(&format!("material[1].{s}")))).to_vec()
    };
    assert_eq!(ignored(&told("method=springs")), [true, false, true]);
    assert_eq!(ignored(&told("method=shape_matching")), [true, true, false]);
    assert_eq!(ignored(&told("method=maxwell")), [true, true, true]);
    assert_eq!(ignored(&told("method=velocity_correction")), [false, true, true]);
    assert_eq!(ignored(&told("method=coupled")), [true, true, true]);
    // What a table says counts, not what the material says too.
    for (method, field, value) in [("springs", "stiffness", 100), ("shape_matching", "weight", 1)] {
        let table = format!("material.jelly.{method}={{ {field} = {value}, plasticity = 1 }}");
        let twice = notes(&[&format!("method={method}"), &table]);
        for note in [
            format!(
                "shear_modulus = 10000: the polymer's part is ignored: `{method}.{field}` is given in its place"
            ),
            format!("relaxation_time = 2: ignored: `{method}.plasticity` is given in its place"),
        ] {
            assert!(twice.contains(&format!("material[1].{note}")), "{note}: {twice:?}");
        }
        let once = told(&format!("method={method}"));
        assert!(!once.iter().any(|n| n.contains("in its place")), "{once:?}");
    }
    // A stress that is stiff divides steps.
    let divided = notes(&["method=maxwell", "material.jelly.shear_modulus=1e9"]);
    let note = divided.iter().find(|n| n.starts_with("material[1].shear_modulus")).expect("a note");
    assert!(note.contains("are divided"), "{note}");
    let thin = notes(&["method=maxwell"]);
    assert!(thin.iter().any(|n| n.starts_with("material[1].solvent_viscosity = 0: thin")), "{thin:?}");
    // What an explicit step does not carry.
    let felt = notes(&["method=springs", "material.honey.viscosity=500000"]);
    assert!(felt.iter().any(|n| n.contains("method = \"springs\" is explicit")), "{felt:?}");
}

#[test]
fn a_coefficient_that_may_overshoot_is_told() {
    let told = |set: &str| {
        let scene = read_with(SCENE, &["method=velocity_correction", set]).unwrap();
        let notes: Vec<String> = scene.notes().iter().map(ToString::to_string).collect();
        notes
            .iter()
            .any(|n| n.starts_with("material[1].connections.correction = ") && n.contains("overshoot"))
    };
    assert!(told("material.jelly.connections={correction=0.15}"));
    assert!(!told("material.jelly.connections={correction=0.05}"));
}
