//! Ctrl-C and SIGTERM during a run.
#![cfg(unix)]

mod common;

use common::{Done, Place, wait_for};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use visco_io::ply;

fn start(place: &Place, args: &str) -> Child {
    let mut command = place.command(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn send(signal: &str, child: &Child) {
    let pid = child.id().to_string();
    // Fails when the program has ended in between, which the test sees elsewhere.
    let _ = Command::new("kill").args([signal, &pid]).stderr(Stdio::null()).status();
}

#[test]
fn the_first_signal_ends_the_run_after_the_current_frame() {
    for signal in ["-INT", "-TERM"] {
        let place = Place::new();
        let child = start(&place, "run drop.toml -o a --frames 1000000");
        let second = place.path("a/frames/particles_000001.ply");
        wait_for("the second frame", || second.is_file());
        send(signal, &child);
        let done = Done::from(child.wait_with_output().unwrap()).ends_with(130);
        assert!(done.stdout.contains("interrupted: "), "{done:?}");
        assert!(done.stdout.contains("Next: visco info a/frames/"), "{done:?}");

        let names = place.list("a/frames");
        for (number, name) in names.iter().enumerate() {
            assert_eq!(*name, format!("particles_{number:06}.ply"));
        }
        let last = place.path("a/frames").join(names.last().unwrap());
        assert_eq!(ply::read(&last).unwrap().number as usize, names.len() - 1);
        // Two steps a frame, every one of them in the diagnostics.
        let rows = place.read("a/diagnostics.csv").lines().count() - 1;
        assert_eq!(rows, 2 * (names.len() - 1));
    }
}

#[test]
fn json_says_that_the_run_was_interrupted() {
    let place = Place::new();
    let child = start(&place, "run drop.toml -o a --frames 1000000 --json");
    let second = place.path("a/frames/particles_000001.ply");
    wait_for("the second frame", || second.is_file());
    send("-INT", &child);
    let done = Done::from(child.wait_with_output().unwrap()).ends_with(130);
    let last: serde_json::Value = serde_json::from_str(done.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], "end");
    assert_eq!(last["interrupted"], true);
}

#[test]
fn the_second_signal_ends_the_run_at_once() {
    let place = Place::new();
    let long = "--set time.steps_per_frame=1000000 --set time.fps=1";
    let mut child = start(&place, &format!("run drop.toml -o a --frames 2 {long}"));
    let first = place.path("a/frames/particles_000000.ply");
    wait_for("the first frame", || first.is_file());
    let mut status = None;
    wait_for("the end", || {
        send("-INT", &child);
        sleep(Duration::from_millis(100));
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().code(), Some(130));
    assert_eq!(place.list("a/frames"), ["particles_000000.ply"]);
}

#[test]
fn a_conversion_that_is_interrupted_leaves_whole_frames_and_goes_on() {
    let place = Place::new();
    place.visco("run drop.toml -o a --frames 1 --quiet").ends_with(0);
    let first = place.path("a/frames/particles_000000.ply");
    for number in 1..2000 {
        fs::hard_link(&first, place.path(&format!("a/frames/particles_{number:06}.ply"))).unwrap();
    }
    let child = start(&place, "convert a b --format bgeo,usd");
    let second = place.path("b/frames/particles_000001.usdc");
    wait_for("the second frame", || second.is_file());
    send("-INT", &child);
    let done = Done::from(child.wait_with_output().unwrap()).ends_with(130);
    assert!(done.stdout.starts_with("interrupted: "), "{done:?}");
    let names = place.list("b/frames");
    assert!(names.len() % 2 == 1 && names.len() < 4000, "{}", names.len());
    for name in &names {
        assert!(name.starts_with("particles"), "{name}");
    }
    // What is there is not written again.
    let kept = (names.len() - 1) / 2;
    for number in kept as u32 + 3..2000 {
        fs::remove_file(place.path(&format!("a/frames/particles_{number:06}.ply"))).unwrap();
    }
    let done = place.visco("convert a b --format bgeo,usd").ends_with(0);
    assert!(done.stdout.starts_with(&format!("3 frames written, {} up to date", text(kept))), "{done:?}");
    assert_eq!(place.list("b/frames").len(), names.len() + 6);
}

/// A number below a million as the program tells it.
fn text(n: usize) -> String {
    if n < 1000 { n.to_string() } else { format!("{},{:03}", n / 1000, n % 1000) }
}

#[test]
fn a_reader_of_events_that_goes_away_does_not_end_the_run() {
    let place = Place::new();
    let mut child = start(&place, "run drop.toml -o a --json");
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    Done::from(output).ends_with(0);
    assert_eq!(place.list("a/frames").len(), 3);
}

#[test]
fn a_comparison_that_is_interrupted_says_the_whole_command_that_goes_on() {
    let place = Place::new();
    let args = "compare drop.toml --methods coupled,pbf --frames 1000000 --threads 1 --set gravity.1=-2 -o c";
    let child = start(&place, args);
    let second = place.path("c/coupled/frames/particles_000001.ply");
    wait_for("the second frame", || second.is_file());
    send("-INT", &child);
    let done = Done::from(child.wait_with_output().unwrap()).ends_with(130);
    let command = "visco compare drop.toml --methods coupled,pbf -o c --frames 1000000 --threads 1 --set gravity.1=-2 --resume";
    assert!(done.stdout.contains(&format!("interrupted; to go on: {command}")), "{done:?}");
}
