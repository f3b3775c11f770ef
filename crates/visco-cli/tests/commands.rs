//! The commands that do not run anything: check, scenes, schema, info, help.

mod common;

use common::{Place, SCENE};
use serde_json::Value;
use std::fs;
use std::process::Stdio;

#[test]
fn check_tells_the_size_of_a_scene() {
    let place = Place::new();
    let done = place.visco("check drop.toml").ends_with(0);
    assert!(done.stdout.starts_with("drop: ok — about "), "{done:?}");
    assert!(done.stdout.contains("particles at the end and "));
    assert!(done.stdout.ends_with("3 frames of 1/100 s\n"), "{done:?}");
    let done = place.visco("check drop.toml --set time.frames=7").ends_with(0);
    assert!(done.stdout.contains("7 frames"), "{done:?}");
}

#[test]
fn check_and_info_tell_what_the_time_step_does_not_resolve() {
    let place = Place::new();
    assert_eq!(place.visco("check drop.toml").ends_with(0).stderr, "");
    let done = place.visco("check drop.toml --set material.syrup.relaxation_time=0.002").ends_with(0);
    assert!(done.stdout.starts_with("drop: ok — "), "{done:?}");
    assert!(done.stderr.starts_with("note: material[0].relaxation_time = 0.002: shorter than the time step"));
    assert!(done.stderr.ends_with("time.steps_per_frame = 15 or more would do\n"), "{done:?}");
    let elastic = common::SCENE.replace("density", "relaxation_time = 0.002\ndensity");
    fs::write(place.path("elastic.toml"), elastic).unwrap();
    let info: Value =
        serde_json::from_str(&place.visco("info elastic.toml --json").ends_with(0).stdout).unwrap();
    assert_eq!(info["notes"].as_array().unwrap().len(), 1, "{info}");
}

#[test]
fn a_bad_scene_is_refused_with_its_file() {
    let place = Place::new();
    let negative = common::SCENE.replace("spacing = 0.01", "spacing = -1");
    fs::write(place.path("negative.toml"), negative).unwrap();
    let done = place.visco("check negative.toml").ends_with(2);
    assert!(done.stderr.contains("negative.toml:") && done.stderr.contains("spacing"), "{done:?}");
    let done = place.visco("check drop.toml --set spacing=-1").ends_with(2);
    assert!(done.stderr.contains("spacing"), "{done:?}");
    fs::write(place.path("bad.toml"), "name = \"a\"\nspacing = = 1\n").unwrap();
    let done = place.visco("check bad.toml").ends_with(2);
    assert!(done.stderr.contains("bad.toml:2"), "{done:?}");
    fs::write(place.path("binary.toml"), [0xff, 0xfe, 0]).unwrap();
    let done = place.visco("check binary.toml").ends_with(2);
    assert!(done.stderr.contains("not a text file"), "{done:?}");
    let done = place.visco("check drop.toml --set spacing").ends_with(2);
    assert!(done.stderr.contains("--set spacing"), "{done:?}");
}

#[test]
fn scenes_are_listed_and_each_can_be_printed_and_checked() {
    let place = Place::new();
    let list = place.visco("scenes").ends_with(0).stdout;
    assert!(list.lines().any(|line| line.starts_with("honey ")), "{list}");
    let toml = place.visco("scenes honey").ends_with(0).stdout;
    fs::write(place.path("mine.toml"), toml).unwrap();
    place.visco("check mine.toml").ends_with(0);
    place.visco("check honey").ends_with(0);
    let done = place.visco("scenes hony").ends_with(2);
    assert!(done.stderr.contains("did you mean \"honey\""), "{done:?}");
}

#[test]
fn materials_are_listed_with_their_sources_in_100_columns() {
    let list = Place::new().visco("materials").ends_with(0).stdout;
    assert!(list.lines().all(|line| line.chars().count() <= 100), "{list}");
    for preset in visco::material::PRESETS {
        let mut lines = list.lines().skip_while(|line| !line.starts_with(&format!("{} ", preset.name)));
        let values = lines.next().unwrap_or_else(|| panic!("{}: {list}", preset.name));
        assert!(values.contains(&format!(" {} Pa·s", preset.viscosity)), "{values}");
        let source: Vec<&str> = lines.take_while(|line| line.starts_with(' ')).map(str::trim).collect();
        assert_eq!(source.join(" "), preset.source);
    }
}

#[test]
fn a_file_wins_over_a_built_in_scene() {
    let place = Place::new();
    fs::copy(place.path("drop.toml"), place.path("honey")).unwrap();
    assert!(place.visco("check honey").ends_with(0).stdout.starts_with("drop: ok"));
    fs::create_dir(place.path("coiling")).unwrap();
    assert!(!place.visco("check coiling").stdout.starts_with("drop"));
}

#[test]
fn the_schema_is_json() {
    let text = Place::new().visco("schema").ends_with(0).stdout;
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert!(schema["properties"]["spacing"].is_object());
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    let mut child = place.command("schema").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn info_tells_about_a_frame_a_run_and_a_scene() {
    let place = Place::new();
    place.visco("run drop.toml -o out --quiet").ends_with(0);
    let text = place.visco("info out/frames/particles_000002.ply").ends_with(0).stdout;
    for word in ["particles", "time", "box", "speed", "density", "materials"] {
        assert!(text.lines().any(|line| line.starts_with(word)), "{word}: {text}");
    }
    let json =
        |args: &str| -> Value { serde_json::from_str(&place.visco(args).ends_with(0).stdout).unwrap() };
    let frame = json("info out/frames/particles_000002.ply --json");
    assert_eq!(frame["kind"], "frame");
    assert_eq!(frame["frame"], 2);
    assert!((frame["time"].as_f64().unwrap() - 0.02).abs() < 1e-9);
    assert!(frame["particles"].as_u64().unwrap() > 0);
    let run = json("info out --json");
    assert_eq!(run["kind"], "run");
    assert_eq!(run["scene"], "drop");
    assert_eq!(run["frames"], serde_json::json!([0, 1, 2]));
    assert_eq!(run["last_step"]["step"], 4);
    assert!(place.visco("info out").ends_with(0).stdout.contains("3 of 3"));
    assert_eq!(json("info drop.toml --json")["kind"], "scene");
    assert!(place.visco("info drop.toml").ends_with(0).stdout.contains("drop: ok"));
}

#[test]
fn info_says_what_it_cannot_read() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).unwrap();
    fs::write(place.path("note.txt"), "hello").unwrap();
    fs::write(place.path("cut.ply"), "ply\nformat binary_little_endian 1.0\n").unwrap();
    let message = |args: &str, code| place.visco(args).ends_with(code).stderr;
    assert!(message("info empty", 2).contains("not the folder of a visco run"));
    assert!(message("info note.txt", 2).contains("expected a frame (.ply, .vtp, .bgeo)"));
    fs::write(place.path("cut.usdc"), "PXR-USDC").unwrap();
    assert!(message("info cut.usdc", 1).contains("cut.usdc: USD is written, not read"));
    assert!(message("info nothing-there", 2).contains("nothing-there"));
    assert!(message("info cut.ply", 1).contains("cut.ply: the file ends inside its header"));
}

#[test]
fn figures_are_listed_and_a_wrong_name_is_answered_with_the_nearest() {
    let place = Place::new();
    let list = place.visco("figure").ends_with(0).stdout;
    assert!(list.lines().any(|line| line.starts_with("barreiro2017-fig04 ")), "{list}");
    assert_eq!(place.visco("figure --list").ends_with(0).stdout, list);
    let done = place.visco("figure bareiro2017-fig4").ends_with(2);
    assert!(done.stderr.contains("did you mean \"barreiro2017-fig04\""), "{done:?}");
    assert!(done.stderr.contains("barreiro2017-fig07"), "{done:?}");
    let done = place.visco("figure barreiro2017").ends_with(2);
    assert!(done.stderr.contains("several figures begin with \"barreiro2017\""), "{done:?}");
    place.visco("figure barreiro2017-fig04 --all").ends_with(2);
    let done = place.visco("figure barreiro2017-fig04 --set quality=full").ends_with(2);
    assert!(done.stderr.contains("barreiro2017-fig04 takes no settings"), "{done:?}");
    let done = place.visco("figure takahashi2016-fig05 --set gravty=1").ends_with(2);
    assert!(done.stderr.contains("gravty"), "{done:?}");
    let done = place.visco("figure takahashi2016-fig11 --set model=nowhere.obj").ends_with(2);
    assert!(done.stderr.contains("nowhere.obj"), "{done:?}");
    let done = place.visco("figure --set quality=full").ends_with(2);
    assert!(done.stderr.contains("--set: name a figure"), "{done:?}");
    let done = place.visco("figure --all --set method=coupled").ends_with(2);
    assert!(done.stderr.contains("a figure has its own methods"), "{done:?}");
    let done = place.visco("figure barreiro2017-fig04 -o drop.toml").ends_with(2);
    assert!(done.stderr.contains("drop.toml is a file"), "{done:?}");
    assert!(!place.path("out").exists());
}

#[test]
fn the_rheometer_says_what_it_can_measure() {
    let place = Place::new();
    let message = |args: &str| place.visco(&format!("measure rheometer {args}")).ends_with(2).stderr;
    assert!(message("hony").contains("there is no preset \"hony\"; give one of egg-white, golden-syrup"));
    assert!(message("drop.toml:honey").contains("no material \"honey\"; it has syrup"));
    assert!(message("honey --set solver.tolerance=5").contains("must be between 1e-12 and 1"));
    assert!(message("honey -o drop.toml").contains("drop.toml is a file"));
    let rigid = std::fs::read_to_string(place.path("drop.toml")).unwrap().replace("= 10.0", "= inf");
    fs::write(place.path("rigid.toml"), rigid).unwrap();
    assert!(message("rigid.toml:syrup").contains("no finite viscosity"));
    assert!(!place.path("out").exists());
}

#[test]
fn the_rheometer_measures_the_viscosity_of_honey() {
    let place = Place::new();
    let done = place.visco("measure rheometer honey").ends_with(0).stdout;
    let viscosity = done.lines().find(|line| line.starts_with("η at")).expect("a viscosity");
    assert!(viscosity.ends_with("0.0 %"), "{done}");
    assert!(done.starts_with("honey: η = 10.0 Pa·s, Newtonian, ρ = 1400 kg/m³; method coupled"), "{done}");
    assert!(done.contains("\nη_E/η at ε̇ = 1 1/s, ε = 0.6"), "{done}");
    for file in ["rheometer.png", "rheometer.svg", "oscillation.csv", "start-up.csv", "extension.csv"] {
        assert!(place.path("out/rheometer-honey").join(file).is_file(), "{file}");
    }
}

#[test]
fn wrong_use_is_2_and_help_is_0() {
    let place = Place::new();
    for args in ["", "dance", "run", "run drop.toml --fast", "check", "info"] {
        place.visco(args).ends_with(2);
    }
    for command in ["run", "check", "scenes", "materials", "schema", "info", "figure", "measure rheometer"] {
        let help = place.visco(&format!("{command} --help")).ends_with(0).stdout;
        assert!(help.contains(&format!("visco {command}")), "{help}");
        assert!(help.contains("Example"), "{help}");
    }
    let help = place.visco("run --help").stdout;
    assert!(help.contains("130"), "{help}");
    place.visco("--version").ends_with(0);
}

/// A box of fluid, as a mesh in a file beside the scene.
const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

#[test]
fn meshes_lie_beside_the_scene_or_are_given_as_its_model() {
    let place = Place::new();
    fs::create_dir(place.path("models")).unwrap();
    fs::write(place.path("models/cube.obj"), CUBE).unwrap();
    let shape = "mesh = { path = \"cube.obj\", size = 0.05, base = [0, 0.01, 0] }";
    let scene = SCENE.replace("box = { min = [0, 0.01, 0], max = [0.05, 0.06, 0.05] }", shape);
    fs::write(place.path("models/scene.toml"), &scene).unwrap();
    let run = "run models/scene.toml --frames 2 --quiet -o out";
    place.visco(run).ends_with(0);
    // The scene as run finds its mesh from wherever it lies.
    let again = place.visco("check out/scene.toml").ends_with(0);
    assert!(again.stdout.contains("125 particles"), "{}", again.stdout);

    let model = scene.replace("path = \"cube.obj\"", "model = true, made = \"torus\"");
    fs::write(place.path("models/model.toml"), model).unwrap();
    let made = place.visco("check models/model.toml").ends_with(0);
    assert!(!made.stdout.contains("125 particles"), "{}", made.stdout);
    let typed = place.visco("check models/model.toml --set model=models/cube.obj").ends_with(0);
    assert!(typed.stdout.contains("125 particles"), "{}", typed.stdout);
}

#[test]
fn a_mesh_that_does_not_do_is_refused_with_its_line() {
    let place = Place::new();
    let shape = "mesh = { path = \"cube.obj\", size = 0.05, base = [0, 0.01, 0] }";
    let scene = SCENE.replace("box = { min = [0, 0.01, 0], max = [0.05, 0.06, 0.05] }", shape);
    fs::write(place.path("mesh.toml"), scene).unwrap();
    let refused = |expected: &str| {
        let done = place.visco("check mesh.toml").ends_with(2);
        assert!(done.stderr.contains("mesh.toml:17: fluid[0].shape.mesh"), "{}", done.stderr);
        assert!(done.stderr.contains(expected), "{expected}: {}", done.stderr);
    };
    refused("cannot read");
    fs::write(place.path("cube.obj"), CUBE.replace("f 4 1 5 8\n", "")).unwrap();
    refused("the mesh is open: 4 of its edges have one triangle only, one of them near [0.0");
    let turned = CUBE.replace("f 4 3 2 1", "f 1 2 3 4");
    fs::write(place.path("cube.obj"), turned).unwrap();
    refused("neighbouring triangles are turned in opposite ways at 4 edges");
    fs::write(place.path("cube.obj"), "f 1 2 3\n").unwrap();
    refused("not a readable OBJ file");
}

#[test]
fn info_tells_whether_a_mesh_is_closed() {
    let place = Place::new();
    fs::write(place.path("cube.obj"), CUBE).unwrap();
    fs::write(place.path("open.obj"), CUBE.replace("f 4 1 5 8\n", "")).unwrap();
    let told = place.visco("info cube.obj").ends_with(0).stdout;
    assert!(told.contains("triangles  12") && told.contains("closed, 1.00 m³ inside"), "{told}");
    let json: Value = serde_json::from_str(&place.visco("info open.obj --json").ends_with(0).stdout).unwrap();
    assert_eq!((&json["kind"], &json["closed"]), (&"mesh".into(), &false.into()), "{json}");
    assert!(json["problem"].as_str().is_some_and(|text| text.contains("4 of its edges")), "{json}");
}

#[test]
fn methods_are_compared_side_by_side() {
    let place = Place::new();
    let methods = "coupled,pbf,pbf:viscosity=lengths:iterations=6";
    let done = place.visco(&format!("compare drop.toml --methods {methods} -o c")).ends_with(0);
    assert_eq!(
        place.list("c"),
        ["compare.csv", "compare.png", "compare.svg", "coupled", "pbf", "pbf-viscosity=lengths-iterations=6"]
    );
    for words in ["drift (d)", "iterations/step", "\ncoupled ", "\npbf, viscosity=lengths, iterations=6 "] {
        assert!(done.stdout.contains(words), "{words}: {}", done.stdout);
    }
    let table = place.read("c/compare.csv");
    let head = table.lines().next().unwrap();
    assert!(head.starts_with("time,drift_coupled,"), "{head}");
    for what in ["drift", "volume", "energy", "iterations", "seconds"] {
        for method in ["coupled", "pbf", "pbf_viscosity_lengths_iterations_6"] {
            assert!(
                head.split(',').any(|column| column == format!("{what}_{method}")),
                "{what}, {method}: {head}"
            );
        }
    }
    // Before the first step there is no energy of a step.
    for line in table.lines().skip(2) {
        assert!(line.split(',').all(|value| value.parse::<f64>().is_ok_and(f64::is_finite)), "{line}");
    }
    assert_eq!(table.lines().count(), 1 + 3);
    assert!(place.read("c/pbf-viscosity=lengths-iterations=6/scene.toml").contains("iterations = 6"));
    // Finished runs are kept.
    let again = place.visco(&format!("compare drop.toml --methods {methods} -o c --resume")).ends_with(0);
    assert!(again.stdout.contains("c/pbf is finished"), "{again:?}");
}

#[test]
fn what_cannot_be_compared_is_refused_before_anything_is_run() {
    let place = Place::new();
    for (args, words) in [
        ("--methods coupled,honey", "expected \"dcpbd\""),
        ("--methods coupled,coupled", "named twice"),
        ("--methods coupled --set method=pbf", "no place beside --methods"),
        ("--methods coupled,pbf:viscosity=thick", "solver.viscosity"),
        ("", "--methods"),
    ] {
        let done = place.visco(&format!("compare drop.toml {args}")).ends_with(2);
        assert!(done.stderr.contains(words), "{args}: {}", done.stderr);
    }
    assert!(!place.path("out").exists());
    // What is in the way is found before the first method has run.
    fs::write(place.path("file"), "in the way").unwrap();
    fs::create_dir_all(place.path("other/pbf")).unwrap();
    fs::write(place.path("other/pbf/scene.toml"), "name = \"not of visco\"").unwrap();
    for (out, words) in [
        ("file", "file is a file, not a folder"),
        ("other", "other/pbf holds other files than a run of visco"),
    ] {
        let done = place.visco(&format!("compare drop.toml --methods coupled,pbf -o {out}")).ends_with(2);
        assert!(done.stderr.contains(words), "{out}: {}", done.stderr);
    }
    assert_eq!(place.list("other"), ["pbf"]);
}

#[test]
fn a_method_that_fails_at_once_leaves_the_comparison_of_the_others() {
    let place = Place::new();
    // Jacobi's iterations diverge with so much relaxation, and particles run away in the first step.
    let methods = "pbf,dcpbd:velocity_solver=jacobi:relaxation=10:max_velocity_iterations=5000";
    let set = "--set material.0.viscosity=1e5";
    let done = place.visco(&format!("compare drop.toml --methods {methods} -o c {set}")).ends_with(1);
    assert!(done.stderr.contains("not to the end: dcpbd"), "{}", done.stderr);
    assert!(place.list("c").contains(&"compare.png".to_owned()), "{done:?}");
    assert!(done.stdout.contains("\ndcpbd, velocity_solver=jacobi"), "{}", done.stdout);
}

#[test]
fn a_reader_of_messages_that_goes_away_does_not_end_a_run() {
    let place = Place::new();
    let mut child = place
        .command("run drop.toml -o out")
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(place.list("out/frames").iter().filter(|name| name.ends_with(".ply")).count(), 3);
}

#[test]
fn settings_that_no_figure_takes_are_refused_before_any_is_made() {
    let place = Place::new();
    let done = place.visco("figure --all --set nosuch=1 -o figures").ends_with(2);
    assert!(done.stderr.contains("nosuch"), "{}", done.stderr);
    assert!(!place.path("figures").exists());
}
