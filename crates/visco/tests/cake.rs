//! The scene `cake`, coarse and short: two fluids from nozzles that move, a rigid letter and a soft flower in one solve.

mod common;

use common::advance;
use visco::glam::Vec3;
use visco::scene::{BuiltinScene, Override};
use visco::{Frame, Simulation};

const TOP: f32 = 0.03;
const SPACING: f32 = 0.0045;

/// Three dollops of cream, a spoonful of syrup, then a letter on the syrup and a flower on the cream.
const CHANGES: [&str; 7] = [
    "quality=small",
    "spacing=0.0045",
    "time.steps_per_frame=3",
    "emitter.0.active=[[0, 0.9]]",
    "emitter.1.active=[[0, 0.9]]",
    "emitter.1.motion={ angular_velocity = [0, -7, 0], about = [0, 0, 0] }",
    "body=[\
     { release = 0.9, density = 1100, rotate = { axis = [1, 0, 0], degrees = -90 }, \
       shape = { mesh = { made = \"letters\", text = \"I\", size = 0.05, center = [0, 0.065, 0] } } }, \
     { release = 0.9, kind = \"soft\", density = 400, youngs_modulus = 2e5, iterations = 60, \
       motion = { keys = [{ time = 0.5, translate = [0, 0.1, 0] }, { time = 0.9, translate = [0, 0, 0] }] }, \
       shape = { mesh = { made = \"flower\", size = 0.07, center = [0.044, 0.07, -0.044] } } }]",
];

fn of(frame: &Frame, material: u8) -> Vec<Vec3> {
    (0..frame.len()).filter(|&i| frame.materials[i] == material).map(|i| frame.positions[i]).collect()
}

/// Largest change of a distance between two particles, relative to the largest distance.
fn distortion(before: &[Vec3], after: &[Vec3]) -> f32 {
    let (mut change, mut size) = (0.0_f32, 0.0_f32);
    for i in 0..before.len() {
        for j in 0..i {
            let distance = before[i].distance(before[j]);
            change = change.max((distance - after[i].distance(after[j])).abs());
            size = size.max(distance);
        }
    }
    change / size
}

#[test]
fn the_cake_is_decorated_and_nothing_is_lost() {
    let sets = CHANGES.map(|set| Override::parse(set).expect("an override"));
    let scene = BuiltinScene::find("cake").expect("built in").scene(&sets).unwrap_or_else(|e| panic!("{e}"));
    let mut run = Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    let start = run.frame();
    let mut fastest = 0.0_f64;
    let mut advance = |run: &mut Simulation, frames| {
        let reports = advance(run, frames);
        fastest = reports.iter().map(|r| r.max_speed).fold(fastest, f64::max);
    };
    advance(&mut run, 28);
    let poured = run.frame();
    advance(&mut run, 16);
    let end = run.frame();

    // As much as the nozzles gave: a star of 6 · 10 mm · 6 mm · sin 30°, a disc of 5 mm radius.
    let volume = |area: f64, speed: f64| area * speed * 0.9 / f64::from(SPACING).powi(3);
    for (material, expected) in [(0, volume(180e-6, 0.18)), (1, volume(std::f64::consts::PI * 25e-6, 0.3))] {
        let count = of(&poured, material).len();
        assert!((count as f64 / expected - 1.0).abs() < 0.04, "{material}: {count} of {expected}");
    }
    assert_eq!(end.ids, poured.ids, "none is lost");
    // Free fall from the higher nozzle ends with 1 m/s; the petals of the flower whip when it lands.
    assert!(fastest < 2.0, "{fastest} m/s");
    for x in &end.positions {
        assert!(x.y > TOP && x.y < 0.08 && x.x.hypot(x.z) < 0.1, "{x}: on the cake");
    }
    let height =
        |material| of(&end, material).iter().map(|x| x.y).sum::<f32>() / of(&end, material).len() as f32;
    assert!(height(0) > TOP + 0.008, "the cream stands: {}", height(0));
    // It is poured within 2.5 cm of the middle.
    let width = of(&end, 1).iter().map(|x| x.x.hypot(x.z)).fold(0.0, f32::max);
    assert!(width > 0.035, "the syrup spreads to {width}");

    let [letter, flower] = [2, 3].map(|m| distortion(&of(&start, m), &of(&end, m)));
    assert!(letter < 1e-4, "the letter is bent by {letter}");
    assert!(flower < 0.1, "the flower is bent by {flower}");
    for material in [2, 3] {
        let velocity = |i: usize| end.velocities[i].length();
        let speed =
            (0..end.len()).filter(|&i| end.materials[i] == material).map(velocity).fold(0.0, f32::max);
        assert!(speed < 0.02, "body {material} rests: {speed} m/s");
    }
    let under = of(&end, 3).iter().map(|x| x.y).fold(1.0, f32::min);
    assert!(under > TOP + 0.5 * SPACING, "the flower lies on the cream: {under}");
}
