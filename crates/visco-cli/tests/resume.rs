//! `visco run --resume`: after whatever happened, the same frames as those of one run.
#![cfg(unix)]

mod common;

use common::{Place, wait_for};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A polymer that is poured, so that every part of the state matters.
const POUR: &str = r#"
name = "pour"
spacing = 0.01
time = { fps = 60, frames = 40, steps_per_frame = 2 }
material = [{ name = "slime", viscosity = 20, relaxation_time = 0.1 }]
[[emitter]]
material = "slime"
nozzle = { disc = { radius = 0.02 } }
position = [0, 0.1, 0]
direction = [0, -1, 0]
speed = 0.5
active = [[0.0, 0.1], [0.2, 0.4]]
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
"#;

fn place() -> Place {
    let place = Place::new();
    fs::write(place.path("pour.toml"), POUR).unwrap();
    place
}

/// Rows without the columns that are seconds of the clock.
fn rows(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|row| row.split(',').take(18).collect::<Vec<_>>().join(",")).collect()
}

/// Two folders of finished runs hold the same frames, collection and diagnostics.
#[track_caller]
fn assert_same(place: &Place, a: &str, b: &str) {
    let frames = place.list(&format!("{a}/frames"));
    assert_eq!(place.list(&format!("{b}/frames")), frames);
    for name in frames {
        let read = |run: &str| fs::read(place.path(run).join("frames").join(&name)).unwrap();
        assert!(read(a) == read(b), "{name} differs");
    }
    let diagnostics = |run: &str| rows(&place.path(run).join("diagnostics.csv"));
    assert_eq!(diagnostics(a), diagnostics(b));
}

/// Kills a run at random moments and resumes it, until it has been killed often enough and is finished.
fn kill_and_resume(kills: u32) {
    let place = place();
    let args = "--format ply,vtp,bgeo,usd --quiet --checkpoint-every 2";
    let start = Instant::now();
    place.visco(&format!("run pour.toml -o whole {args}")).ends_with(0);
    // Most lives are shorter than a run, some end before the first frame.
    let longest = start.elapsed().as_secs_f32() * 0.4;
    let mut random = visco::random::Random::new(kills.into());
    let mut killed = 0;
    let mut finished = 0;
    while killed < kills || finished == 0 {
        let mut command = place.command(&format!("run pour.toml -o parts --resume {args}"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        if killed < kills {
            sleep(Duration::from_secs_f32(longest * random.unit()));
            child.kill().unwrap();
        }
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            None => killed += 1,
            Some(code) => {
                assert_eq!(code, 0, "{}", String::from_utf8_lossy(&output.stderr));
                finished += 1;
                assert_same(&place, "whole", "parts");
                assert!(place.list("parts/checkpoints").len() <= 2);
                fs::remove_dir_all(place.path("parts")).unwrap();
            }
        }
    }
}

#[test]
fn a_run_that_is_killed_anywhere_continues_with_the_same_bits() {
    kill_and_resume(5);
}

mod slow {
    #[test]
    fn fifty_kills_at_random_moments() {
        super::kill_and_resume(50);
    }
}

#[test]
fn ctrl_c_writes_a_checkpoint_and_names_the_command_that_goes_on() {
    let place = place();
    let mut command = place.command("run pour.toml -o parts --frames 100000");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let frame = place.path("parts/frames/particles_000003.ply");
    wait_for("a frame", || frame.is_file());
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let done = common::Done::from(child.wait_with_output().unwrap()).ends_with(130);
    let next = "visco run pour.toml -o parts --frames 100000 --resume   to go on";
    assert!(done.stdout.contains(next), "{done:?}");
    let last = place.list("parts/frames").len() - 1;
    assert_eq!(place.list("parts/checkpoints"), [format!("{last:06}.visco")]);
    let more = format!("--frames {}", last + 4);
    let done = place.visco(&format!("run pour.toml -o parts --resume {more}")).ends_with(0);
    assert!(done.stderr.contains(&format!("resuming after frame {last:06}")), "{done:?}");
    place.visco(&format!("run pour.toml -o whole --quiet {more}")).ends_with(0);
    assert_same(&place, "whole", "parts");
}

#[test]
fn without_a_checkpoint_it_starts_afresh_and_a_finished_run_is_left_alone() {
    let place = place();
    let done = place.visco("run pour.toml -o a --frames 4 --resume").ends_with(0);
    assert!(done.stdout.contains("4 frames written to a"), "{done:?}");
    assert_eq!(place.list("a/checkpoints"), ["000003.visco"]);
    let before = fs::metadata(place.path("a/scene.toml")).unwrap().modified().unwrap();
    let done = place.visco("run pour.toml -o a --frames 4 --resume").ends_with(0);
    assert!(done.stdout.contains("a is finished: 4 frames (000000 to 000003)"), "{done:?}");
    assert!(done.stdout.contains("visco run pour.toml -o a --frames 8 --resume   for more"), "{done:?}");
    assert_eq!(fs::metadata(place.path("a/scene.toml")).unwrap().modified().unwrap(), before);
    let done = place.visco("run pour.toml -o a --frames 4 --resume --json").ends_with(0);
    let event: serde_json::Value = serde_json::from_str(done.stdout.trim()).unwrap();
    assert_eq!((&event["event"], &event["frame"]), (&"end".into(), &3.into()));

    // What a run leaves that is killed before it has tidied up: one checkpoint too many, another half-written.
    for name in ["000001.visco", "000002.visco", ".000003.visco.tmp"] {
        fs::write(place.path("a/checkpoints").join(name), "").unwrap();
    }
    place.visco("run pour.toml -o a --frames 4 --resume").ends_with(0);
    assert_eq!(place.list("a/checkpoints"), ["000002.visco", "000003.visco"]);

    // More frames are no other scene.
    place.visco("run pour.toml -o whole --frames 9").ends_with(0);
    place.visco("run pour.toml -o a --frames 9 --resume").ends_with(0);
    assert_same(&place, "whole", "a");
    assert_eq!(place.read("a/scene.toml"), place.read("whole/scene.toml"));

    // Without --resume, everything begins anew, checkpoints too.
    place.visco("run pour.toml -o a --frames 2 --checkpoint-every 0").ends_with(0);
    assert_eq!(place.list("a/frames").len(), 2);
    assert_eq!(place.list("a/checkpoints").len(), 0);
    place.visco("run pour.toml -o a --allow-changes").ends_with(2);
}

#[test]
fn a_bad_checkpoint_is_named_and_the_one_before_is_used() {
    let place = place();
    place.visco("run pour.toml -o whole --frames 9").ends_with(0);
    let whole = fs::read(place.path("whole/checkpoints/000008.visco")).unwrap();
    let flipped = {
        let mut bytes = whole.clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        bytes
    };
    place.visco("run pour.toml -o other --frames 9 --set gravity.1=-5").ends_with(0);
    let foreign = fs::read(place.path("other/checkpoints/000008.visco")).unwrap();
    for (bytes, reason) in [
        (&whole[..whole.len() / 2], "is cut off: its end is missing"),
        (&flipped, "is damaged: a checksum is wrong"),
        (b"ply\n", "is not a checkpoint of visco"),
        (&foreign, "is of another scene: gravity[1] was -5, is now -9.81"),
    ] {
        place.visco("run pour.toml -o a --frames 9 --checkpoint-every 5").ends_with(0);
        assert_eq!(place.list("a/checkpoints"), ["000005.visco", "000008.visco"]);
        fs::write(place.path("a/checkpoints/000008.visco"), bytes).unwrap();
        let done = place.visco("run pour.toml -o a --frames 9 --resume").ends_with(0);
        let warning = format!("warning: a/checkpoints/000008.visco {reason}; using the one before");
        assert!(done.stderr.contains(&warning), "{done:?}");
        assert!(done.stderr.contains("resuming after frame 000005"), "{done:?}");
        assert_same(&place, "whole", "a");
        assert_eq!(fs::read(place.path("a/checkpoints/000008.visco")).unwrap(), whole);
    }
    // Where none is left, nothing is lost.
    for name in place.list("a/checkpoints") {
        fs::write(place.path("a/checkpoints").join(name), &foreign).unwrap();
    }
    let done = place.visco("run pour.toml -o a --frames 9 --resume").ends_with(2);
    assert!(done.stderr.contains("no checkpoint can be used"), "{done:?}");
    assert!(done.stderr.contains("that of another frame than its name says"), "{done:?}");
    assert!(done.stderr.contains("--allow-changes"), "{done:?}");
    assert_same(&place, "whole", "a");
}

#[test]
fn a_changed_scene_is_refused_unless_that_is_asked_for() {
    let place = place();
    place.visco("run pour.toml -o a --frames 5").ends_with(0);
    let changed = "run pour.toml -o a --frames 9 --resume --set material.slime.viscosity=30";
    let done = place.visco(changed).ends_with(2);
    assert!(done.stderr.contains("material[0].viscosity was 20, is now 30"), "{done:?}");
    assert_eq!(place.list("a/frames").len(), 5);
    place.visco(&format!("{changed} --allow-changes")).ends_with(0);
    assert_eq!(place.list("a/frames").len(), 9);
}

#[test]
fn info_tells_about_checkpoints() {
    let place = place();
    place.visco("run pour.toml -o a --frames 9 --checkpoint-every 5").ends_with(0);
    let done = place.visco("info a/checkpoints/000005.visco").ends_with(0);
    for line in ["scene        pour", "after frame  000005", "step         10", "visco 0.1.0, format 4"] {
        assert!(done.stdout.contains(line), "{line}: {done:?}");
    }
    fs::write(place.path("a/checkpoints/000008.visco"), "x").unwrap();
    let done = place.visco("info a").ends_with(0);
    assert!(done.stdout.contains("000005 (t 0.083 s), 000008 (cannot be used)"), "{done:?}");
    let done = place.visco("info a/checkpoints/000008.visco").ends_with(1);
    assert!(done.stderr.contains("000008.visco is not a checkpoint of visco"), "{done:?}");
    let done = place.visco("info a --json").ends_with(0);
    let facts: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(facts["checkpoints"][0]["step"], 10);
}
