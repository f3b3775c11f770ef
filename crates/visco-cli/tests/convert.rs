//! `visco convert`: frames from one format to others.

mod common;

use common::Place;
use std::fs;
use visco_io::particles;

/// A place with a run of three frames as PLY.
fn with_run() -> Place {
    let place = Place::new();
    place.visco("run drop.toml -o a --quiet").ends_with(0);
    place
}

#[test]
fn a_file_is_converted_by_its_name() {
    let place = with_run();
    let source = particles::read(&place.path("a/frames/particles_000002.ply")).unwrap();
    for name in ["b/one.vtp", "b/one.bgeo", "b/one.usdc", "b/one.ply"] {
        let done = place.visco(&format!("convert a/frames/particles_000002.ply {name}")).ends_with(0);
        assert!(
            done.stdout.starts_with(&format!("{name}: ")) && done.stdout.contains("particles"),
            "{done:?}"
        );
        if name != "b/one.usdc" {
            let back = particles::read(&place.path(name)).unwrap();
            assert_eq!(
                (&back.positions, &back.velocities, &back.ids),
                (&source.positions, &source.velocities, &source.ids)
            );
            assert!(place.visco(&format!("info {name}")).ends_with(0).stdout.contains("spacing"));
        }
    }
    let back = place.visco("convert b/one.bgeo b/two.ply --quiet").ends_with(0);
    assert_eq!(back.stdout, "");
    assert_eq!(particles::read(&place.path("b/two.ply")).unwrap().positions, source.positions);
}

#[test]
fn wrong_use_is_refused_and_nothing_is_written() {
    let place = with_run();
    let frame = "a/frames/particles_000000.ply";
    for (args, reason) in [
        (format!("{frame} b.xyz"), "ends in none of"),
        (format!("{frame} b.bgeo.gz"), "read, not written"),
        (format!("{frame} {frame}"), "is the file to convert"),
        (format!("{frame} a"), "is a folder"),
        (format!("{frame} b.ply --format vtp,ply"), "one format"),
        ("a b".into(), "which format"),
        (format!("a {frame} --format vtp"), "is a file"),
        ("nothing b --format vtp".into(), "no such file"),
        ("a/checkpoints b --format vtp".into(), "holds no frames"),
    ] {
        let done = place.visco(&format!("convert {args}")).ends_with(2);
        assert!(done.stderr.contains(reason), "{args}: {done:?}");
    }
    let done = place.visco("convert a/scene.toml b.ply").ends_with(1);
    assert!(done.stderr.contains("a/scene.toml: not a frame of particles"), "{done:?}");
    assert_eq!(place.list("."), ["a", "drop.toml"]);
}

#[test]
fn a_run_is_converted_in_place_or_elsewhere_and_gone_on_with() {
    let place = with_run();
    let done = place.visco("convert a b --format bgeo,usd,vtp").ends_with(0);
    assert!(done.stdout.starts_with("3 frames written as bgeo, usd, vtp in b/frames\n"), "{done:?}");
    let names = place.list("b/frames");
    assert_eq!(names.len(), 11, "{names:?}");
    let stage = place.read("b/frames/particles.usda");
    assert!(stage.contains("endTimeCode = 2\n    timeCodesPerSecond = 100\n"), "{stage}");
    assert!(
        place
            .read("b/frames/frames.pvd")
            .contains("timestep=\"0.02\" part=\"0\" file=\"particles_000002.vtp\"")
    );

    let before = fs::metadata(place.path("b/frames/particles_000000.bgeo")).unwrap().modified().unwrap();
    fs::remove_file(place.path("b/frames/particles_000001.bgeo")).unwrap();
    let done = place.visco("convert a b --format bgeo").ends_with(0);
    assert!(done.stdout.starts_with("1 frame written, 2 up to date as bgeo"), "{done:?}");
    assert_eq!(
        fs::metadata(place.path("b/frames/particles_000000.bgeo")).unwrap().modified().unwrap(),
        before
    );

    // From frames without a scene, through single precision, to what a run would have written.
    fs::remove_dir_all(place.path("c")).ok();
    place.visco("convert b/frames c --format usd --quiet").ends_with(0);
    assert_eq!(place.read("c/particles.usda"), stage);
    for name in ["particles_000000.usdc", "particles_000002.usdc"] {
        let [b, c] = ["b/frames", "c"].map(|folder| fs::read(place.path(folder).join(name)).unwrap());
        assert!(b == c, "{name}");
    }
    place.visco("convert a a --format vtp").ends_with(0);
    assert_eq!(place.list("a/frames").len(), 7);
    let done = place.visco("convert a a --format ply").ends_with(0);
    assert!(done.stdout.starts_with("0 frames written, 3 up to date"), "{done:?}");
}

#[test]
fn a_run_writes_every_format_beside_each_other() {
    let place = Place::new();
    let done = place.visco("run drop.toml -o a --frames 2 --format ply,vtp,bgeo,usd").ends_with(0);
    assert!(done.stdout.contains("open a/frames/particles.usda in Blender"), "{done:?}");
    assert_eq!(
        place.list("a/frames"),
        [
            "frames.pvd",
            "particles.usda",
            "particles_000000.bgeo",
            "particles_000000.ply",
            "particles_000000.usdc",
            "particles_000000.vtp",
            "particles_000001.bgeo",
            "particles_000001.ply",
            "particles_000001.usdc",
            "particles_000001.vtp",
        ]
    );
    // A later run leaves nothing of this one.
    place.visco("run drop.toml -o a --frames 1 --quiet").ends_with(0);
    assert_eq!(place.list("a/frames"), ["particles_000000.ply"]);
}

#[test]
fn bad_frames_are_named_and_refused_or_left_out() {
    let place = with_run();
    let frames = place.path("a/frames");
    fs::remove_file(frames.join("particles_000001.ply")).unwrap();
    let done = place.visco("convert a b --format bgeo").ends_with(1);
    assert!(done.stderr.contains("1 frame missing in a/frames: 000001"), "{done:?}");
    assert!(!place.path("b").exists());

    let whole = fs::read(frames.join("particles_000000.ply")).unwrap();
    fs::write(frames.join("particles_000001.ply"), &whole[..whole.len() - 9]).unwrap();
    fs::write(frames.join("particles_000003.ply"), "foreign").unwrap();
    fs::write(frames.join("particles_000004.usdc"), "unreadable").unwrap();
    let done = place.visco("convert a b --format bgeo,usd").ends_with(1);
    assert!(done.stderr.contains("particles_000001.ply: the file ends after"), "{done:?}");
    assert!(done.stderr.contains("1 frame before it"), "{done:?}");
    assert_eq!(place.list("b/frames"), ["particles_000000.bgeo", "particles_000000.usdc"]);

    let done = place.visco("convert a b --format bgeo,usd --skip-bad").ends_with(0);
    for bad in ["particles_000001.ply", "particles_000003.ply", "frame 000004 is there as USD only"] {
        assert!(done.stderr.contains(bad), "{done:?}");
    }
    assert!(done.stdout.starts_with("1 frame written, 1 up to date, 3 left out as bgeo, usd"), "{done:?}");
    assert_eq!(
        place.list("b/frames"),
        [
            "particles.usda",
            "particles_000000.bgeo",
            "particles_000000.usdc",
            "particles_000002.bgeo",
            "particles_000002.usdc"
        ]
    );
}
