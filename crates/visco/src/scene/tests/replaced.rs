//! Overrides and variants.

use super::{SCENE, error_of, read_with};
use crate::scene::{Override, Scene, Shape, Solver};

fn scene(sets: &[&str]) -> Scene {
    read_with(SCENE, sets).unwrap_or_else(|error| panic!("{sets:?}:\n{error}"))
}

#[test]
fn values_are_toml_or_else_strings() {
    let value = |text| Override::parse(text).expect("an override").value;
    assert_eq!(value("a=1e-4"), 1e-4.into());
    assert_eq!(value("a = 3 "), 3.into());
    assert_eq!(value("a=true"), true.into());
    assert_eq!(value("a=dcpbd"), "dcpbd".into());
    assert_eq!(value("a=\"small\""), "small".into());
    assert_eq!(value("a=b=c"), "b=c".into());
    assert_eq!(value("a="), "".into());
    assert_eq!(value("a=[1, 2]"), vec![1, 2].into());
    assert_eq!(value("a=/tmp/x y.obj"), "/tmp/x y.obj".into());
    for wrong in ["", "spacing", "=1", "a..b=1", "a[x]=1"] {
        let message = Override::parse(wrong).expect_err(wrong);
        assert!(message.contains(&format!("`{}", wrong.split('=').next().unwrap_or(""))));
    }
}

#[test]
fn overrides_reach_every_kind_of_field() {
    assert_eq!(scene(&["spacing=0.05"]).spacing, 0.05);
    assert_eq!(scene(&["method=coupled"]), scene(&[]));
    assert_eq!(scene(&["spacing=0.05", "spacing=0.025"]).spacing, 0.025);
    for path in ["material.0", "material[0]", "material.honey", "material.\"honey\""] {
        let set = format!("{path}.viscosity=3");
        assert_eq!(scene(&[&set]).material[0].viscosity, Some(3.0), "{path}");
    }
    // Fields that the text leaves out: the other components are the defaults.
    assert_eq!(scene(&["gravity.1=-1.62"]).gravity, [0.0, -1.62, 0.0]);
    assert_eq!(scene(&["fluid.0.velocity[2]=4"]).fluid[0].velocity, [0.0, 0.0, 4.0]);
    let solver = scene(&["solver.max_velocity_iterations=7"]).solver;
    assert!(matches!(solver, Solver::Coupled(s) if s.max_velocity_iterations == 7));
    // A setting that only the paper's method has chooses it.
    let solver = scene(&["solver.position_iterations=7"]).solver;
    assert_eq!(solver.as_dcpbd().map(|s| s.position_iterations), Some(7));
    assert_eq!(scene(&["emitter[0].active[1][1]=9"]).emitter[0].active, Some(vec![[0.0, 1.0], [2.0, 9.0]]));
    let no_solver = SCENE.replace("[solver]\ntolerance = 1e-3\n", "");
    let scene = read_with(&no_solver, &["solver.tolerance=0.5"]).expect("valid");
    assert_eq!(scene.solver.velocity_tolerance(), 0.5);
}

#[test]
fn a_shape_can_be_changed_or_replaced() {
    let shape = |sets: &[&str]| scene(sets).fluid[0].shape.clone();
    let changed = Shape::Box { min: [0.0; 3], max: [1.0, 5.0, 1.0] };
    assert_eq!(shape(&["fluid.0.shape.box.max.1=5"]), changed);
    let ball = Shape::Sphere { center: [0.0; 3], radius: 1.0 };
    assert_eq!(shape(&["fluid.0.shape={ sphere = { center = [0, 0, 0], radius = 1 } }"]), ball);
    let parts = ["fluid.0.shape.sphere.radius=1", "fluid.0.shape.sphere.center=[0, 0, 0]"];
    assert_eq!(shape(&parts), ball);
}

#[test]
fn an_override_takes_the_place_of_its_rivals() {
    let time = scene(&["time.dt=0.001"]).time;
    assert_eq!((time.steps_per_frame, time.dt), (None, Some(0.001)));
    let emitter = scene(&["emitter.0.flow_rate=0.1"]).emitter.remove(0);
    assert_eq!((emitter.speed, emitter.flow_rate), (None, Some(0.1)));
    let jelly = scene(&["material.jelly.viscosity=3"]).material.remove(1);
    assert_eq!((jelly.viscosity, jelly.shear_modulus), (Some(3.0), None));
    let error = error_of(SCENE, &["time.dt=0.001", "time.cfl=0.5"]);
    assert!(error.to_string().contains("dt and cfl are given"), "{error}");
}

#[test]
fn a_wrong_override_is_named_as_such() {
    let cases = [
        ("solver.tolerance=5", "--set solver.tolerance=5: must be between 1e-12 and 1"),
        ("solver.tolerence=1", "--set solver.tolerence=1: unknown field; did you mean `tolerance`?"),
        ("spacing=abc", "--set spacing=\"abc\": expected a number, found the string \"abc\""),
        ("spacing.x=1", "--set spacing.x=1: spacing = 1: has no field `x`"),
        (
            "material.honye.viscosity=1",
            "--set material.honye.viscosity=1: material = 1: has no material `honye`; did you mean `honey`?",
        ),
        (
            "material.honey.viscosity=-1",
            "--set material.honey.viscosity=-1: material[0].viscosity = -1: must be at least 0",
        ),
        ("fluid[1].jitter=0", "--set fluid[1].jitter=0: fluid = 0: has no entry 1: its entries are 0 to 0"),
        ("fluid.honey.jitter=0", "--set fluid.honey.jitter=0: fluid = 0: `honey` is no index"),
        ("gravity[3]=0", "--set gravity[3]=0: gravity = 0: has no entry 3"),
        (
            "emitter.0.speed={}",
            "--set emitter.0.speed={}: emitter[0].speed = {}: expected a number, found a table",
        ),
        ("time={ frames = 3 }", "--set time={ frames = 3 }: time: needs exactly one of"),
        ("fluid=[]", ""),
        ("variant.small.spacing=1", "--set variant.small.spacing=1: variants belong to the scene's text"),
        ("quality=tiny", "--set quality=\"tiny\": unknown quality; known: `full`, `small`"),
        (
            "fluid.0.shape.sphere.size=1",
            "--set fluid.0.shape.sphere.size=1: fluid[0].shape.sphere.size = 1: unknown field; known: `center`, `radius`",
        ),
        (
            "fluid.0.shape.sphere.radius=1",
            "--set fluid.0.shape.sphere.radius=1: fluid[0].shape.sphere.center: missing",
        ),
    ];
    for (set, expected) in cases {
        if expected.is_empty() {
            assert!(read_with(SCENE, &[set]).is_ok(), "{set}");
            continue;
        }
        let error = error_of(SCENE, &[set]);
        assert_eq!(error.problems.len(), 1, "{set}:\n{error}");
        let found = error.display_with("a.toml");
        assert!(found.starts_with(expected), "expected: {expected}\nfound:    {found}");
    }
    let no_boundary = &SCENE[..SCENE.find("[[boundary]]").expect("a boundary")];
    let error = error_of(no_boundary, &["boundary[0].friction=1"]);
    assert!(error.to_string().ends_with("the scene has no `boundary` to change"), "{error}");
}

#[test]
fn the_file_yields_to_the_variant_and_that_to_overrides() {
    let small = scene(&["quality=small"]);
    assert_eq!((small.spacing, small.time.frames), (0.2, 5));
    let both = scene(&["spacing=0.3", "quality=\"small\""]);
    assert_eq!((both.spacing, both.time.frames), (0.3, 5));
    let in_text = SCENE.replace("spacing = 0.1", "quality = \"small\"\nspacing = 0.1");
    assert_eq!(Scene::from_toml(&in_text), Ok(small.clone()));
    let full = read_with(&in_text, &["quality=full"]).expect("valid");
    assert_eq!(full, scene(&[]));
    // The variant has become part of the scene.
    assert_eq!((small.quality.as_str(), small.variant.len()), ("full", 0));
    assert_eq!(Scene::from_toml(&small.to_toml()), Ok(small));
}

#[test]
fn variants_take_paths_and_tables() {
    let entries = [
        ("\"time.frames\" = 7\n\"material.honey.viscosity\" = 2", ""),
        ("time = { frames = 7 }\nmaterial.honey = { viscosity = 2 }", ""),
        ("material.0.viscosity = 2", "\n[variant.small.time]\nframes = 7"),
    ];
    for (entries, after) in entries {
        let entries = format!("{entries}{after}");
        let text = SCENE.replace("spacing = 0.2\ntime.frames = 5", &entries);
        let scene = read_with(&text, &["quality=small"]).unwrap_or_else(|e| panic!("{entries}\n{e}"));
        assert_eq!((scene.time.frames, scene.time.steps_per_frame), (7, Some(4)), "{entries}");
        assert_eq!(scene.material[0].viscosity, Some(2.0), "{entries}");
    }
    let ball = "fluid.0.shape = { sphere = { center = [0, 0, 0], radius = 1 } }\ntime.cfl = 0.5";
    let text = SCENE.replace("spacing = 0.2", ball);
    let scene = read_with(&text, &["quality=small"]).unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(scene.fluid[0].shape, Shape::Sphere { .. }));
    assert_eq!((scene.time.steps_per_frame, scene.time.cfl), (None, Some(0.5)));
}

#[test]
fn a_wrong_value_of_a_variant_has_the_line_of_its_entry() {
    let text = SCENE.replace("spacing = 0.2", "\"solver.tolerance\" = 5");
    assert!(Scene::from_toml(&text).is_ok(), "values of variants are checked when chosen");
    let error = error_of(&text, &["quality=small"]);
    assert_eq!(error.display_with("x.toml"), "x.toml:43: solver.tolerance = 5: must be between 1e-12 and 1");
}

#[test]
fn another_method_leaves_out_what_it_does_not_have() {
    let text = SCENE.replace("tolerance = 1e-3", "tolerance = 1e-2\nposition_iterations = 7");
    let scene = read_with(&text, &["method=coupled"]).expect("valid");
    assert_eq!(scene.solver.velocity_tolerance(), f64::from(1e-2_f32));
    let notes: Vec<String> = scene.notes().iter().map(ToString::to_string).collect();
    let ignored = "solver.position_iterations = 7: ignored: method = \"coupled\" has no such setting";
    assert!(notes.iter().any(|n| n == ignored), "{notes:?}");
    // What the user writes for the method himself must be one of its settings.
    let error = read_with(SCENE, &["method=coupled", "solver.position_iterations=7"]).expect_err("unknown");
    assert!(error.to_string().contains("unknown field"), "{error}");
    let own = text.replace("spacing = 0.1", "spacing = 0.1\nmethod = \"coupled\"");
    assert!(read_with(&own, &[]).is_err());
    // A setting of a variant belongs to the variant's method.
    let variant = SCENE.replace("spacing = 0.2", "solver.position_iterations = 7");
    let scene = read_with(&variant, &["quality=small", "method=coupled"]).expect("valid");
    assert!(scene.notes().iter().any(|n| n.to_string() == ignored));
    let chosen = SCENE.replace("spacing = 0.2", "solver.position_iterations = 7\nmethod = \"coupled\"");
    assert!(read_with(&chosen, &["quality=small"]).is_err());
}
