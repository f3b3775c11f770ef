//! `visco mesh` on the folder of a real run, and on files.

mod common;

use common::{Place, wait_for};
use serde_json::Value;
use std::fs;
use std::path::Path;
use visco_io::surfaces::{Surface, SurfaceFormat};

/// Honey falls from a nozzle that opens after the first frame, beside a cube, onto a plate.
const POUR: &str = r#"
name = "pour"
spacing = 0.005
[time]
fps = 25
frames = 4
steps_per_frame = 2
[[material]]
name = "honey"
look = "honey"
viscosity = 20
density = 1400
[[emitter]]
material = "honey"
nozzle = { disc = { radius = 0.015 } }
position = [0, 0.06, 0]
direction = [0, -1, 0]
speed = 0.5
active = [[0.001, 1.0]]
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
[[boundary]]
shape = { box = { min = [-0.02, 0, -0.02], max = [0.02, 0.01, 0.02] } }
[camera]
position = [0.1, 0.2, 0.3]
target = [0, 0.02, 0]
fov = 40
"#;

fn run() -> Place {
    let place = Place::new();
    fs::write(place.path("pour.toml"), POUR).unwrap();
    place.visco("run pour.toml -o out --quiet").ends_with(0);
    place
}

fn index(place: &Place, folder: &str) -> Value {
    serde_json::from_str(&place.read(&format!("{folder}/index.json"))).unwrap()
}

fn surface(place: &Place, number: u32) -> Surface {
    Surface::read(&place.path(&format!("out/mesh/surface_{number:06}.ply"))).unwrap()
}

#[test]
fn every_frame_has_a_surface_and_the_index_lists_them() {
    let place = run();
    let text = place.visco("mesh out").ends_with(0).stdout;
    assert!(text.contains("4 surfaces made in out/mesh"), "{text}");
    let names = place.list("out/mesh");
    assert_eq!(names[0..2], ["index.json", "settings.json"]);
    assert_eq!(names[2..4], ["solids_000000.ply", "surface_000000.ply"]);
    assert_eq!(names.len(), 7);
    // The nozzle is shut at first.
    assert!(surface(&place, 0).positions.is_empty());
    let last = surface(&place, 3);
    assert!(last.triangles.len() > 100 && last.time > 0.1 && last.number == 3);
    assert!(last.velocities.iter().all(|v| v.y < 0.0), "it falls");

    let info = place.visco("info out/mesh/surface_000003.ply").ends_with(0).stdout;
    assert!(info.contains("closed, "), "{info}");

    let index = index(&place, "out/mesh");
    assert_eq!((index["format"].as_str(), index["version"].as_u64()), (Some("visco surfaces"), Some(1)));
    assert_eq!((index["scene"].as_str(), index["fps"].as_f64()), (Some("pour"), Some(25.0)));
    let frames = index["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 4);
    assert_eq!(frames[3]["file"], "surface_000003.ply");
    assert_eq!(frames[3]["vertices"].as_u64(), Some(last.positions.len() as u64));
    assert_eq!(frames[3]["time"].as_f64(), Some(last.time));
    assert_eq!(index["materials"][0]["name"], "honey");
    assert_eq!(index["materials"][0]["opaque"], false);
    assert!(index["materials"][0]["absorption"][2].as_f64().unwrap() > 10.0);
    assert!((index["camera"]["fov"].as_f64().unwrap() - 40.0).abs() < 1e-3);
    assert_eq!(index["solids"][0]["file"], "solids_000000.ply");
    assert_eq!((&index["stage"], &index["ground"]), (&Value::Null, &Value::from(0.0)));
    let solids = Surface::read(&place.path("out/mesh/solids_000000.ply")).unwrap();
    assert_eq!(solids.triangles.len(), 12);
    assert_eq!(solids.scalars.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["red", "green", "blue"]);
}

#[test]
fn surfaces_are_kept_unless_frame_or_settings_change() {
    let place = run();
    let said = |args: &str| place.visco(args).ends_with(0).stdout;
    said("mesh out --every 3");
    assert_eq!(index(&place, "out/mesh")["frames"].as_array().unwrap().len(), 2);
    let text = said("mesh out");
    assert!(text.contains("2 surfaces made") && text.contains("2 up to date"), "{text}");
    let text = said("mesh out --format ply,obj,vtp,usd");
    assert!(text.contains("surfaces.pvd") && text.contains("surface.usda"), "{text}");
    assert_eq!(place.list("out/mesh").iter().filter(|name| name.starts_with("surface_")).count(), 16);
    assert_eq!(index(&place, "out/mesh")["stage"], "surface.usda");
    assert!(said("mesh out --format obj").contains("0 surfaces made"));
    assert_eq!(index(&place, "out/mesh")["frames"][2]["file"], "surface_000002.ply");

    let before = surface(&place, 3);
    let text = said("mesh out --cell 0.8");
    assert!(text.contains("4 surfaces made"), "{text}");
    assert!(surface(&place, 3).positions.len() < before.positions.len());
    assert!(!place.path("out/mesh/surface.usda").exists(), "it would play what is gone");

    let frame = place.path("out/frames/particles_000001.ply");
    fs::write(&frame, fs::read(&frame).unwrap()).unwrap();
    let text = said("mesh out --cell 0.8");
    assert!(text.contains("1 surface made") && text.contains("3 up to date"), "{text}");
    // A run with fewer frames.
    place.visco("run pour.toml -o out --frames 2 --quiet").ends_with(0);
    said("mesh out --cell 0.8");
    assert_eq!(place.list("out/mesh").iter().filter(|name| name.starts_with("surface_")).count(), 2);
}

#[test]
fn a_bad_or_missing_frame_is_named_or_left_out() {
    let place = run();
    let frame = place.path("out/frames/particles_000002.ply");
    let bytes = fs::read(&frame).unwrap();
    let is_listed = || {
        let index = index(&place, "out/mesh");
        let numbers: Vec<u64> =
            index["frames"].as_array().unwrap().iter().filter_map(|f| f["number"].as_u64()).collect();
        numbers.contains(&2)
    };
    for content in [&bytes[..bytes.len() / 2], b"not a frame"] {
        fs::write(&frame, content).unwrap();
        let error = place.visco("mesh out").ends_with(1).stderr;
        assert!(error.contains("particles_000002.ply") && error.contains("--skip-bad"), "{error}");
        assert!(!place.path("out/mesh/surface_000002.ply").exists() && !is_listed());
        let ended = place.visco("mesh out --skip-bad").ends_with(1);
        assert!(ended.stderr.contains("1 frame could not be read"), "{}", ended.stderr);
        assert!(ended.stderr.contains("particles_000002.ply"), "{}", ended.stderr);
    }
    fs::remove_file(&frame).unwrap();
    let error = place.visco("mesh out").ends_with(1).stderr;
    assert!(error.contains("1 frame missing") && error.contains("000002"), "{error}");
    let ended = place.visco("mesh out --skip-bad").ends_with(0);
    assert!(ended.stderr.contains("000002"), "{}", ended.stderr);
    fs::write(&frame, &bytes).unwrap();
    place.visco("mesh out").ends_with(0);
    assert!(is_listed());
}

#[test]
fn too_large_is_refused_with_the_cell_that_fits() {
    let place = run();
    let error = place.visco("mesh out --cell 0.05 --memory 40MB").ends_with(2).stderr;
    assert!(error.contains("of memory") && error.contains("(it is 0.05)"), "{error}");
    let cell = error.split("--cell ").nth(1).unwrap().split(' ').next().unwrap();
    place.visco(&format!("mesh out --cell {cell} --memory 40MB")).ends_with(0);
    assert!(surface(&place, 3).triangles.len() > 1000);
    let error = place.visco("mesh out --memory 1MB").ends_with(2).stderr;
    assert!(error.contains("no cell that shows anything would fit"), "{error}");
}

#[test]
fn a_kill_leaves_nothing_half_written_and_the_next_call_goes_on() {
    let place = run();
    place.visco("run pour.toml -o out --frames 12 --quiet").ends_with(0);
    let mut child = place.command("mesh out --cell 0.06 --quiet").spawn().unwrap();
    wait_for("the first surface", || place.path("out/mesh/surface_000001.ply").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    for name in place.list("out/mesh").iter().filter(|name| name.starts_with("surface_")) {
        Surface::read(&place.path(&format!("out/mesh/{name}"))).unwrap();
    }
    fs::write(place.path("out/mesh/.surface_000009.ply.tmp"), "half").unwrap();
    place.visco("mesh out --cell 0.5").ends_with(0);
    let names = place.list("out/mesh");
    assert!(names.iter().all(|name| !name.ends_with(".tmp")), "{names:?}");
    assert_eq!(index(&place, "out/mesh")["frames"].as_array().unwrap().len(), 12);
    assert!(surface(&place, 11).positions.len() < 20_000, "made with the cells of the last call");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_after_the_frames_under_way_and_the_next_call_goes_on() {
    use common::Done;
    use std::process::{Command, Stdio};
    let place = Place::new();
    fs::write(place.path("pour.toml"), POUR).unwrap();
    place.visco("run pour.toml -o out --frames 30 --quiet").ends_with(0);
    let mut command = place.command("mesh out --cell 0.1");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("the first surface", || place.path("out/mesh/surface_000001.ply").exists());
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let done = Done::from(child.wait_with_output().unwrap()).ends_with(130);
    assert!(done.stderr.contains("interrupted: ") && done.stderr.contains("goes on"), "{done:?}");
    let made = place.list("out/mesh").iter().filter(|name| name.starts_with("surface_")).count();
    assert_eq!(index(&place, "out/mesh")["frames"].as_array().unwrap().len(), made);
    let text = place.visco("mesh out --cell 0.1 --every 29").ends_with(0).stdout;
    assert!(text.contains("1 surface made") && text.contains("1 up to date"), "{text}");
}

#[test]
fn one_file_of_particles_of_any_program() {
    let place = run();
    place.visco("mesh out").ends_with(0);
    let frame = "out/frames/particles_000003.ply";
    let text = place.visco(&format!("mesh {frame} -o a/surface.ply")).ends_with(0).stdout;
    assert!(text.contains("triangles around") && text.contains("0.00500 m apart"), "{text}");
    let one = Surface::read(&place.path("a/surface.ply")).unwrap();
    assert_eq!(one, surface(&place, 3));
    for format in SurfaceFormat::ALL {
        let name = format!("surface.{}", format.extension());
        place.visco(&format!("mesh {frame} -o {name} --quiet")).ends_with(0);
        assert!(place.path(&name).is_file());
    }
    // A file of another program tells no spacing.
    let cloud = "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n\
                 end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n";
    fs::write(place.path("cloud.ply"), cloud).unwrap();
    let volume = |args: &str| {
        place.visco(&format!("mesh cloud.ply -o cloud-surface.ply {args}")).ends_with(0);
        volume(&Surface::read(&place.path("cloud-surface.ply")).unwrap())
    };
    let of_eight = volume("--radius 0.5");
    assert!((of_eight - 7.0).abs() < 1.5, "{of_eight}");
    assert!(volume("--spacing 1.3") > volume("--spacing 1"));
}

fn volume(surface: &Surface) -> f32 {
    let of = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|i| surface.positions[i as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    surface.triangles.iter().map(of).sum()
}

#[test]
fn wrong_use_is_told() {
    let place = run();
    let frame = "out/frames/particles_000003.ply";
    for (args, word) in [
        ("mesh nowhere".to_owned(), "no such file or folder"),
        ("mesh .".to_owned(), "neither the folder of a visco run"),
        ("mesh out --cell 0".to_owned(), "from 0.01 to 1.5"),
        ("mesh out --format stl".to_owned(), "expected one of: ply, obj, vtp, usd"),
        (format!("mesh {frame}"), "Add -o"),
        (format!("mesh {frame} -o out"), "is a folder"),
        (format!("mesh {frame} -o a.stl"), "ends in none of"),
        (format!("mesh {frame} -o {frame}"), "is the file of the particles"),
        (format!("mesh {frame} -o a.ply --spacing 1 --radius 1"), "cannot be used with"),
    ] {
        let error = place.visco(&args).ends_with(2).stderr;
        assert!(error.contains(word), "{args}: {error}");
    }
    assert!(Path::new(&place.path(frame)).is_file());
}
