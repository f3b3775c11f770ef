//! `visco measure` on the folders of real runs.

mod common;

use common::Place;
use serde_json::Value;
use std::fs;

/// A thin rope of thick fluid that falls a short way onto a plate, in few particles.
const ROPE: &str = r#"
name = "rope"
spacing = 0.002
[time]
fps = 50
frames = 130
steps_per_frame = 2
[[material]]
name = "honey"
viscosity = 20
density = 1400
[[emitter]]
material = "honey"
nozzle = { disc = { radius = 0.0035 } }
position = [0, 0.05, 0]
direction = [0, -1, 0]
speed = 0.12
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
"#;

fn json(place: &Place, args: &str) -> Value {
    serde_json::from_str(&place.visco(args).ends_with(0).stdout).unwrap()
}

#[test]
fn a_rope_coils() {
    let place = Place::new();
    fs::write(place.path("rope.toml"), ROPE).unwrap();
    place.visco("run rope.toml -o out --quiet").ends_with(0);
    let text = place.visco("measure coiling out").ends_with(0).stdout;
    for word in ["frequency ", "radius ", "direction ", "clockwise, seen from above", "turns counted "] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert_eq!(place.list("out/measure"), ["coiling.csv", "coiling.png", "coiling.svg"]);
    let found = json(&place, "measure coiling out --json");
    let value = |name: &str| found["findings"][name]["value"].as_f64().unwrap();
    // Q = πa²U, radius at the plate about a: viscous coiling of such a rope takes a few turns a second.
    assert!((0.8..8.0).contains(&value("frequency")), "{found}");
    assert!((0.002..0.015).contains(&value("radius")), "{found}");
    assert!(value("turns") - value("turns_counted") > 1.4, "{found}");
    assert_eq!(found["frames"]["time"].as_array().unwrap().len(), 130);
    // The whole rope, counted by what the nozzle has poured.
    let volume = json(&place, "measure volume out --json");
    let poured = std::f64::consts::PI * 0.0035_f64.powi(2) * 0.12 * 129.0 / 50.0;
    let ratio = volume["findings"]["volume"]["value"].as_f64().unwrap() / poured;
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
}

#[test]
fn volume_and_spread_of_a_falling_block() {
    let place = Place::new();
    place.visco("run drop.toml -o out --quiet --set time.frames=30").ends_with(0);
    let volume = json(&place, "measure volume out --json");
    let value = |name: &str| volume["findings"][name]["value"].as_f64().unwrap();
    assert!((value("volume") / 1.25e-4 - 1.0).abs() < 1e-6, "{volume}");
    assert!((0.9..=1.0).contains(&value("smallest_occupied_part")), "{volume}");
    let spread = json(&place, "measure spread out --json");
    let value = |name: &str| spread["findings"][name]["value"].as_f64().unwrap();
    assert!((value("extent_at_start") - 0.05).abs() < 1e-6, "{spread}");
    assert!((value("height_at_start") - 0.05).abs() < 1e-6, "{spread}");
    // It lands and spreads.
    assert!(value("extent") > 0.052 && value("height") < 0.049, "{spread}");
    let heights = spread["frames"]["center_y"].as_array().unwrap();
    assert!((heights[0].as_f64().unwrap() - 0.035).abs() < 1e-6, "{spread}");
    assert!(value("center_y") < 0.03, "{spread}");
    let text = place.visco("measure spread out").ends_with(0).stdout;
    assert!(text.contains("largest extent") && text.contains("center_y (m)"), "{text}");
    let csv = place.read("out/measure/spread.csv");
    assert!(csv.starts_with("time,extent,height,center_x,center_y,center_z\n"), "{csv}");
    assert_eq!(csv.lines().count(), 31);
}

#[test]
fn a_cube_that_is_pulled_gets_thinner() {
    let place = Place::new();
    place.visco("run spinnability --set quality=printed-small -o out --quiet --frames 6").ends_with(0);
    let found = json(&place, "measure pull out --json");
    let value = |name: &str| found["findings"][name]["value"].as_f64();
    // 18 mm/s for a tenth of a second.
    assert!((value("way").unwrap() - 0.0018).abs() < 1e-6, "{found}");
    assert!((0.7..0.95).contains(&value("narrowest_before_it_parts").unwrap()), "{found}");
    assert_eq!((value("stretched_length"), value("shrinking_time")), (None, None), "{found}");
    assert!(place.read("out/measure/pull.csv").starts_with("time,way,piece,narrowest\n"));
}

#[test]
fn what_cannot_be_measured_is_said() {
    let place = Place::new();
    let message = |args: &str| place.visco(&format!("measure {args}")).ends_with(2).stderr;
    fs::create_dir(place.path("empty")).unwrap();
    assert!(message("volume empty").contains("empty is not the folder of a visco run"));
    assert!(message("spread nothing-there").contains("not the folder of a visco run"));
    place.visco("run drop.toml -o one --quiet --frames 1").ends_with(0);
    assert!(message("spread one").contains("one has 1 PLY frames; at least 2 are needed"));
    place.visco("run drop.toml -o vtp --quiet --format vtp").ends_with(0);
    assert!(message("volume vtp").contains("run with --format ply"));
    place.visco("run drop.toml -o block --quiet").ends_with(0);
    assert!(message("coiling block").contains("the scene has no emitter"));
    assert!(message("pull block").contains("two grips that move apart"));
    fs::write(place.path("rope.toml"), ROPE.replace("frames = 130", "frames = 3")).unwrap();
    place.visco("run rope.toml -o short --quiet").ends_with(0);
    assert!(message("coiling short").contains("the rope has turned 0.0 times in 3 frames"));
    let two = ROPE.replace("frames = 130", "frames = 2")
        + &ROPE[ROPE.find("[[emitter]]").unwrap()..ROPE.find("[[boundary]]").unwrap()]
            .replace("[0, 0.05", "[0.1, 0.05");
    fs::write(place.path("two.toml"), two).unwrap();
    place.visco("run two.toml -o two --quiet").ends_with(0);
    assert!(message("coiling two").contains("2 emitters"));
    assert!(!place.path("two/measure").exists());
}
