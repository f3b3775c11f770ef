//! `visco render` on the folder of a real run.

mod common;

use common::Place;
use std::fs;

const DROP: &str = r#"
name = "drop"
spacing = 0.005
[time]
fps = 30
frames = 4
steps_per_frame = 2
[[material]]
name = "honey"
look = "honey"
viscosity = 20
density = 1400
[[fluid]]
material = "honey"
shape = { sphere = { center = [0, 0.04, 0], radius = 0.02 } }
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
"#;

fn run() -> Place {
    let place = Place::new();
    fs::write(place.path("drop.toml"), DROP).unwrap();
    place.visco("run drop.toml -o out --quiet").ends_with(0);
    place
}

fn is_png(place: &Place, name: &str) -> bool {
    fs::read(place.path(name)).unwrap().starts_with(b"\x89PNG")
}

#[test]
fn every_frame_becomes_a_picture_and_is_kept() {
    let place = run();
    let text = place.visco("render out --size 160x90").ends_with(0).stdout;
    assert!(text.contains("4 pictures drawn"), "{text}");
    let names =
        ["frame_000000.png", "frame_000001.png", "frame_000002.png", "frame_000003.png", "settings.json"];
    assert_eq!(place.list("out/render"), names);
    assert!(is_png(&place, "out/render/frame_000003.png") && is_png(&place, "out/contact-sheet.png"));
    assert_eq!(&fs::read(place.path("out/film.mp4")).unwrap()[4..8], b"ftyp");
    let again = place.visco("render out --size 160x90").ends_with(0).stdout;
    assert!(again.contains("0 pictures drawn"), "{again}");
    let other = place.visco("render out --size 160x90 --show speed").ends_with(0).stdout;
    assert!(other.contains("4 pictures drawn"), "{other}");
}

#[test]
fn a_preview_ends_with_a_film_also_after_an_interruption() {
    let place = Place::new();
    fs::write(place.path("drop.toml"), DROP).unwrap();
    let text = place.visco("run drop.toml -o out --frames 3 --preview").ends_with(0).stdout;
    assert!(text.contains("film: out/film.mp4") && text.contains("out/contact-sheet.png"), "{text}");
    assert_eq!(place.list("out/render").len(), 3);
    let short = fs::metadata(place.path("out/film.mp4")).unwrap().len();
    place.visco("run drop.toml -o out --frames 4 --preview --resume").ends_with(0);
    assert_eq!(place.list("out/render").len(), 4);
    assert!(fs::metadata(place.path("out/film.mp4")).unwrap().len() > short);
    // A new run begins with an empty album.
    place.visco("run drop.toml -o out --frames 2 --preview").ends_with(0);
    assert_eq!(place.list("out/render"), ["frame_000000.png", "frame_000001.png"]);
}

#[test]
fn without_a_driver_particles_are_drawn() {
    let place = run();
    let text = place.visco("render out --size 160x90 --software --every 3").ends_with(0).stdout;
    assert!(text.contains("2 pictures drawn") && text.contains("software"), "{text}");
}

#[test]
fn a_bad_frame_is_named_or_left_out() {
    let place = run();
    let frame = place.path("out/frames/particles_000002.ply");
    let bytes = fs::read(&frame).unwrap();
    fs::write(&frame, &bytes[..bytes.len() / 2]).unwrap();
    let error = place.visco("render out --size 160x90").ends_with(1).stderr;
    assert!(error.contains("particles_000002.ply") && error.contains("--skip-bad"), "{error}");
    let ended = place.visco("render out --size 160x90 --skip-bad").ends_with(1);
    assert!(ended.stdout.contains("3 pictures drawn"), "{}", ended.stdout);
    assert!(ended.stderr.contains("1 frame could not be read"), "{}", ended.stderr);
}

#[test]
fn wrong_use_is_told() {
    let place = run();
    for (args, word) in [
        ("render nowhere", "is not the folder of a visco run"),
        ("render out --size 12", "WIDTHxHEIGHT"),
        ("render out --show smell", "possible values"),
    ] {
        let error = place.visco(args).ends_with(2).stderr;
        assert!(error.contains(word), "{args}: {error}");
    }
}
