//! `visco run`: what it writes, says and returns.

mod common;

use common::{Done, Place};
use serde_json::Value;
use std::fs;
use visco_io::ply;

const FRAMES: [&str; 3] = ["particles_000000.ply", "particles_000001.ply", "particles_000002.ply"];

fn events(done: &Done) -> Vec<Value> {
    let lines = done.stdout.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_writes_scene_frames_and_diagnostics() {
    let place = Place::new();
    let done = place.visco("run drop.toml").ends_with(0);
    assert!(done.stdout.contains("3 frames written to out/drop"), "{done:?}");
    assert!(done.stdout.contains("Next: visco info out/drop/frames/particles_000002.ply"));
    assert!(done.stdout.contains("visco render out/drop ") && done.stdout.contains("visco mesh out/drop "));
    assert!(done.stderr.contains("frame 3/3 · t 0.020 s"), "{done:?}");
    assert_eq!(place.list("out/drop"), ["checkpoints", "diagnostics.csv", "frames", "scene.toml"]);
    assert_eq!(place.list("out/drop/frames"), FRAMES);

    for (number, name) in FRAMES.iter().enumerate() {
        let frame = ply::read(&place.path("out/drop/frames").join(name)).unwrap();
        assert_eq!(frame.number as usize, number);
        assert!((frame.time - 0.01 * number as f64).abs() < 1e-9);
        assert!((frame.spacing - 0.01).abs() < 1e-9);
        assert!(!frame.is_empty());
    }

    let csv = place.read("out/drop/diagnostics.csv");
    assert!(csv.starts_with(
        "step,time,dt,particles,velocity_iterations,velocity_residual,position_iterations,\
         density_error_mean,density_error_max,kinetic_energy,potential_energy,elastic_energy,\
         momentum_x,momentum_y,momentum_z,angular_x,angular_y,angular_z,\
         seconds_neighbors,seconds_velocity,seconds_position,seconds_total"
    ));
    let steps: Vec<&str> = csv.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(steps, ["1", "2", "3", "4"]);
}

#[test]
fn the_written_scene_can_be_run_again_in_its_place() {
    let place = Place::new();
    place.visco("run drop.toml -o a --set time.fps=50").ends_with(0);
    let scene = place.read("a/scene.toml");
    let frame = fs::read(place.path("a/frames/particles_000002.ply")).unwrap();
    place.visco("run a/scene.toml -o a").ends_with(0);
    assert_eq!(place.read("a/scene.toml"), scene);
    assert_eq!(fs::read(place.path("a/frames/particles_000002.ply")).unwrap(), frame);
}

#[test]
fn frames_formats_and_threads_are_as_asked() {
    let place = Place::new();
    let args = "run drop.toml -o a --frames 2 --threads 1 --format ply,vtp --backend cpu";
    let done = place.visco(args).ends_with(0);
    assert!(done.stdout.contains("open a/frames/frames.pvd in ParaView"), "{done:?}");
    assert_eq!(
        place.list("a/frames"),
        [
            "frames.pvd",
            "particles_000000.ply",
            "particles_000000.vtp",
            "particles_000001.ply",
            "particles_000001.vtp"
        ]
    );
    place.visco("run drop.toml -o b --frames 1 --format vtp").ends_with(0);
    assert_eq!(place.list("b/frames"), ["frames.pvd", "particles_000000.vtp"]);
    for wrong in ["--format obj", "--frames 0", "--threads 0", "--backend gpu", "--quiet --json"] {
        let done = place.visco(&format!("run drop.toml -o c {wrong}")).ends_with(2);
        assert!(!done.stderr.is_empty());
    }
    assert!(!place.path("c").exists());
}

#[test]
fn quiet_is_quiet() {
    let place = Place::new();
    for _ in 0..2 {
        let done = place.visco("run drop.toml --quiet").ends_with(0);
        assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("", ""));
    }
    let done = place.visco("run drop.toml --quiet --set spacing=-1").ends_with(2);
    assert!(!done.stderr.is_empty());
}

#[test]
fn json_is_one_event_a_line() {
    let place = Place::new();
    let done = place.visco("run drop.toml -o a --json").ends_with(0);
    assert_eq!(done.stderr, "");
    let events = events(&done);
    let kinds: Vec<&str> = events.iter().map(|e| e["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["start", "frame", "frame", "frame", "checkpoint", "end"]);
    assert_eq!(events[0]["scene"], "drop");
    let last = &events[3];
    assert_eq!(last["frame"], 2);
    assert_eq!(last["step"], 4);
    assert!((last["time"].as_f64().unwrap() - 0.02).abs() < 1e-9);
    assert!(last["particles"].as_u64().unwrap() > 0);
    assert!(last["seconds"].is_number() && last["eta"].is_number());
    assert_eq!(events[4]["file"], "a/checkpoints/000002.visco");
    assert_eq!(events[5]["checkpoint"], "a/checkpoints/000002.visco");
    let files = events[5]["files"].as_array().unwrap();
    assert_eq!(files.len(), 5);
    for file in files {
        assert!(place.path(file.as_str().unwrap()).is_file(), "{file}");
    }
}

#[test]
fn json_tells_errors_and_warnings_too() {
    let place = Place::new();
    let done = place.visco("run drop.toml -o a --json --set spacing=-1").ends_with(2);
    let events_of_failure = events(&done);
    assert_eq!(events_of_failure.len(), 1);
    assert_eq!(events_of_failure[0]["event"], "error");
    assert_eq!(events_of_failure[0]["exit_code"], 2);
    place.visco("run drop.toml -o a --json").ends_with(0);
    let done = place.visco("run drop.toml -o a --json").ends_with(0);
    assert_eq!(events(&done)[0]["event"], "warning");
}

#[test]
fn notes_come_at_the_start_unless_quiet() {
    let place = Place::new();
    let run = |more: &str| {
        let change = "--set material.syrup.relaxation_time=0.002";
        place.visco(&format!("run drop.toml --frames 2 {change} {more}")).ends_with(0)
    };
    let done = run("-o a");
    let notes: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("note: ")).collect();
    assert_eq!(notes.len(), 1, "{done:?}");
    assert!(notes[0].contains("time.steps_per_frame = 15"), "{done:?}");
    let done = run("-o b --json");
    let events = events(&done);
    assert_eq!(events[1]["event"], "warning");
    assert!(events[1]["message"].as_str().unwrap().contains("relaxation_time = 0.002"), "{done:?}");
    assert_eq!(run("-o c --quiet").stderr, "");
}

#[test]
fn a_solve_that_stays_above_its_tolerance_is_told_once_and_at_the_end() {
    let place = Place::new();
    let run = |more: &str| {
        place.visco(&format!("run honey --set quality=small --frames 9 -o out {more}")).ends_with(0)
    };
    let poor = "--set solver.max_velocity_iterations=1";
    let done = run(poor);
    let warnings: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert_eq!(warnings.len(), 1, "{done:?}");
    assert!(warnings[0].contains("(tolerance 1e-3)"), "{done:?}");
    assert!(warnings[0].contains("try --set solver.max_velocity_iterations=200 or --set "), "{done:?}");
    assert!(done.stdout.contains("The velocity solve missed its tolerance in "), "{done:?}");
    assert!(done.stdout.contains(" of 48 steps"), "{done:?}");
    let end = events(&run(&format!("{poor} --json"))).pop().unwrap();
    assert!(end["steps_above_tolerance"].as_u64().unwrap() > 24, "{end}");
    let done = run("--set solver.max_velocity_iterations=1000");
    assert!(!done.stderr.contains("warning") && !done.stdout.contains("tolerance"), "{done:?}");
}

#[test]
fn a_scene_that_is_refused_writes_nothing() {
    let place = Place::new();
    // The last would need more memory than any machine has.
    for change in
        ["material.syrup.viscosity=1e20", "spacing=-1", "time.frames=0", "no_such_field=1", "spacing=1.1e-6"]
    {
        let done = place.visco(&format!("run drop.toml --set {change}")).ends_with(2);
        assert!(done.stdout.is_empty() && !done.stderr.is_empty());
    }
    assert_eq!(place.list("."), ["drop.toml"]);
}

#[test]
fn an_unknown_scene_suggests_one() {
    let place = Place::new();
    let done = place.visco("run hony").ends_with(2);
    assert!(done.stderr.contains("did you mean \"honey\""), "{done:?}");
    assert!(done.stderr.contains("built-in scenes: "), "{done:?}");
    assert_eq!(place.list("."), ["drop.toml"]);
}

#[test]
fn a_second_run_replaces_the_first_and_keeps_other_files() {
    let place = Place::new();
    place.visco("run drop.toml -o a --format ply,vtp").ends_with(0);
    fs::write(place.path("a/frames/notes.txt"), "mine").unwrap();
    fs::write(place.path("a/frames/.particles_000009.ply.tmp"), "from a crash").unwrap();
    let done = place.visco("run drop.toml -o a --frames 2").ends_with(0);
    let lines = done.stderr.lines().filter(|l| l.contains("earlier run")).count();
    assert_eq!(lines, 1, "{done:?}");
    assert_eq!(place.list("a/frames"), ["notes.txt", "particles_000000.ply", "particles_000001.ply"]);
    assert_eq!(place.read("a/diagnostics.csv").lines().count(), 1 + 2);
}

#[test]
fn a_refused_scene_leaves_the_earlier_run_alone() {
    let place = Place::new();
    place.visco("run drop.toml -o a").ends_with(0);
    place.visco("run drop.toml -o a --set spacing=-1").ends_with(2);
    assert_eq!(place.list("a/frames"), FRAMES);
}

#[test]
fn a_folder_or_file_of_the_user_is_not_touched() {
    let place = Place::new();
    // The user's own scene.toml beside the output must not be overwritten.
    fs::create_dir(place.path("mine")).unwrap();
    fs::copy(place.path("drop.toml"), place.path("mine/scene.toml")).unwrap();
    let done = place.visco("run mine/scene.toml -o mine").ends_with(2);
    assert!(done.stderr.contains("mine") && done.stderr.contains("-o"), "{done:?}");
    assert_eq!(place.read("mine/scene.toml"), common::SCENE);
    assert_eq!(place.list("mine"), ["scene.toml"]);

    let done = place.visco("run drop.toml -o drop.toml").ends_with(2);
    assert!(done.stderr.contains("drop.toml is a file"), "{done:?}");
    assert_eq!(place.read("drop.toml"), common::SCENE);
    fs::create_dir(place.path("empty")).unwrap();
    place.visco("run drop.toml -o empty").ends_with(0);
}

#[test]
fn an_output_that_cannot_be_written_fails_with_its_path() {
    let place = Place::new();
    fs::write(place.path("file"), "in the way").unwrap();
    let done = place.visco("run drop.toml -o file/below").ends_with(1);
    assert!(done.stderr.contains("file"), "{done:?}");
    place.visco("run drop.toml -o a").ends_with(0);
    fs::remove_dir_all(place.path("a/frames")).unwrap();
    fs::write(place.path("a/frames"), "in the way").unwrap();
    let done = place.visco("run drop.toml -o a").ends_with(1);
    assert!(done.stderr.contains("frames"), "{done:?}");
}

#[test]
fn every_built_in_scene_starts() {
    for scene in visco::scene::builtin_scenes() {
        let place = Place::new();
        let done = place.visco(&format!("run {} --set quality=small --frames 2 --quiet -o out", scene.name));
        assert_eq!(done.code, Some(0), "{}: {}", scene.name, done.stderr);
        assert!(place.path("out/frames/particles_000001.ply").is_file(), "{}", scene.name);
    }
}
