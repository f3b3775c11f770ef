//! `visco render` on the folder of a real run.

mod common;

use common::Place;
use std::fs;
use visco_io::surfaces::{Surface, SurfaceFormat};

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
    // Another look of a material is another picture.
    let scene = place.read("out/scene.toml");
    let changed = scene.replacen("look = \"honey\"", "look = \"water\"", 1);
    assert_ne!(changed, scene);
    fs::write(place.path("out/scene.toml"), changed).unwrap();
    let painted = place.visco("render out --size 160x90 --show speed").ends_with(0).stdout;
    assert!(painted.contains("4 pictures drawn"), "{painted}");
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
fn surfaces_are_drawn_where_they_are_and_else_asked_for() {
    let place = run();
    let error = place.visco("render out --size 160x90 --show mesh").ends_with(1).stderr;
    assert!(error.contains("surface_000000.ply") && error.contains("run `visco mesh out` first"), "{error}");
    // A tetrahedron in frame 0, nothing in frame 1.
    let positions: Vec<_> =
        [[0.0, 0.0, 0.0], [0.03, 0.0, 0.0], [0.0, 0.04, 0.0], [0.0, 0.0, 0.03]].map(glam::Vec3::from).into();
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let surface = Surface {
        normals: Surface::area_normals(&positions, &triangles),
        velocities: vec![glam::Vec3::ZERO; 4],
        materials: vec![0; 4],
        positions,
        triangles,
        ..Surface::default()
    };
    fs::create_dir_all(place.path("out/mesh")).unwrap();
    surface.write(&place.path("out/mesh/surface_000000.ply"), SurfaceFormat::Ply).unwrap();
    Surface::default().write(&place.path("out/mesh/surface_000001.ply"), SurfaceFormat::Ply).unwrap();
    let ended = place.visco("render out --size 160x90 --show mesh --skip-bad").ends_with(1);
    assert!(ended.stdout.contains("2 pictures drawn"), "{}", ended.stdout);
    let [drawn, empty] =
        ["0", "1"].map(|n| fs::read(place.path(&format!("out/render/frame_00000{n}.png"))).unwrap());
    assert_ne!(drawn, empty);
    let error = place.visco("render out --show mesh --software").ends_with(2).stderr;
    assert!(error.contains("not in software"), "{error}");
}

/// Positions alone, as any program writes them.
const CLOUD: &str = "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n\
                     end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n";

#[test]
fn particles_of_other_programs_are_drawn_and_meshed() {
    let place = Place::new();
    fs::create_dir(place.path("foreign")).unwrap();
    for name in ["fluid7.ply", "fluid8.ply"] {
        fs::write(place.path("foreign").join(name), CLOUD).unwrap();
    }
    let text = place.visco("render foreign --size 160x90").ends_with(0).stdout;
    assert!(text.contains("2 pictures drawn"), "{text}");
    assert_eq!(place.list("foreign/render"), ["frame_000007.png", "frame_000008.png", "settings.json"]);
    let text = place.visco("mesh foreign").ends_with(0).stdout;
    assert!(text.contains("2 surfaces made"), "{text}");
    place.visco("render foreign --size 160x90 --show mesh -o elsewhere").ends_with(0);
    assert!(
        is_png(&place, "elsewhere/render/frame_000008.png") && place.path("elsewhere/film.mp4").is_file()
    );
    let text = place.visco("render foreign/fluid7.ply -o one.png --size 160x90").ends_with(0).stdout;
    assert!(text.contains("8 particles") && is_png(&place, "one.png"), "{text}");

    fs::write(place.path("foreign/other8.ply"), CLOUD).unwrap();
    let error = place.visco("render foreign").ends_with(2).stderr;
    assert!(error.contains("fluid8.ply") && error.contains("other8.ply"), "{error}");
    fs::rename(place.path("foreign/other8.ply"), place.path("foreign/fluid10.ply")).unwrap();
    let error = place.visco("render foreign --size 160x90").ends_with(1).stderr;
    assert!(error.contains("1 frame missing") && error.contains("--skip-bad"), "{error}");
    place.visco("render foreign --size 160x90 --skip-bad").ends_with(0);
}

#[test]
fn stress_needs_conformations() {
    let place = run();
    let told = place.visco("render out --size 160x90 --show stress").ends_with(0);
    assert!(told.stdout.contains("4 pictures drawn"), "{}", told.stdout);
    assert!(told.stderr.contains("no material has a relaxation time"), "{}", told.stderr);
    let text = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n\
                end_header\n0 0 0\n0.005 0 0\n";
    fs::write(place.path("out/frames/particles_000000.ply"), text).unwrap();
    let error = place.visco("render out --size 160x90 --show stress").ends_with(2).stderr;
    assert!(error.contains("conformations") && error.contains("frame 0"), "{error}");
}

#[test]
fn wrong_use_is_told() {
    let place = run();
    for (args, word) in [
        ("render nowhere", "no such file or folder"),
        ("render .", "neither the folder of a visco run"),
        ("render out/frames/particles_000000.ply", "Add -o"),
        ("render out/frames/particles_000000.ply -o a.jpg", "end it in .png"),
        ("render out/frames/particles_000000.ply -o a.png --show mesh", "after `visco mesh`"),
        ("render out --size 12", "WIDTHxHEIGHT"),
        ("render out --show smell", "possible values"),
    ] {
        let error = place.visco(args).ends_with(2).stderr;
        assert!(error.contains(word), "{args}: {error}");
    }
}
