//! The scenes of Barreiro et al. 2017 with the numbers of its table 1: coarse, and no longer than it takes to land.

mod common;

use common::mean;
use std::ops::ControlFlow;
use visco::scene::{BuiltinScene, Override};
use visco::{Frame, Simulation, StepError};

/// A scene's printed variant and what physics allows.
struct Case<'a> {
    scene: &'a str,
    /// Overrides that make it coarse, or take something away.
    set: &'a [&'a str],
    seconds: f64,
    /// Faster than anything can fall or be pressed out, in m/s.
    fastest: f64,
    /// Largest distance from the origin, in m.
    farthest: f32,
}

const BLOCKS: Case<'static> =
    Case { scene: "blocks", set: &["spacing=0.133"], seconds: 0.8, fastest: 12.0, farthest: 12.0 };
const HONEY: Case<'static> =
    Case { scene: "honey", set: &["spacing=0.002"], seconds: 0.6, fastest: 1.6, farthest: 0.12 };
const ICE_CREAM: Case<'static> =
    Case { scene: "ice-cream", set: &["spacing=0.0045"], seconds: 0.9, fastest: 2.0, farthest: 0.25 };
const WAFFLE: Case<'static> =
    Case { scene: "waffle", set: &["spacing=0.0024"], seconds: 0.6, fastest: 2.0, farthest: 0.2 };
const BOWL: Case<'static> =
    Case { scene: "bowl", set: &["spacing=0.008"], seconds: 0.8, fastest: 3.0, farthest: 0.3 };
const ARMADILLOS: Case<'static> =
    Case { scene: "armadillos", set: &["spacing=0.014"], seconds: 0.6, fastest: 6.0, farthest: 1.0 };

const COILING: Case<'static> =
    Case { scene: "coiling", set: &["spacing=0.0024"], seconds: 0.5, fastest: 2.0, farthest: 0.25 };
const CAKE: Case<'static> =
    Case { scene: "cake", set: &["spacing=0.004"], seconds: 0.8, fastest: 2.0, farthest: 0.2 };

/// Runs the case to its end and returns its last frame and its largest speed.
fn run(case: &Case) -> Result<(Frame, f64), StepError> {
    let set: Vec<Override> = ["quality=printed"]
        .iter()
        .chain(case.set)
        .map(|text| Override::parse(text).expect("an override"))
        .collect();
    let scene = BuiltinScene::find(case.scene).expect("built in").scene(&set).expect("valid");
    let mut simulation = Simulation::new(&scene).expect("a world");
    let mut fastest = 0.0_f64;
    while simulation.time() < case.seconds - 1e-9 {
        simulation.advance_frame(|report| {
            fastest = fastest.max(report.max_speed);
            ControlFlow::Continue(())
        })?;
    }
    Ok((simulation.frame(), fastest))
}

/// The case's last frame, if nothing has run away.
fn settled(case: &Case) -> Frame {
    let (frame, fastest) = run(case).unwrap_or_else(|error| panic!("{}: {error}", case.scene));
    assert!(fastest < case.fastest, "{}: {fastest} m/s", case.scene);
    let farthest = frame.positions.iter().map(|p| p.length()).fold(0.0, f32::max);
    assert!(farthest < case.farthest, "{}: a particle is {farthest} m away", case.scene);
    frame
}

/// What nozzles of `area` (m²) have delivered at `speed` (m/s), over what they should have.
fn delivered(case: &Case, frame: &Frame, area: f64, speed: f64) -> f64 {
    frame.positions.len() as f64 * f64::from(frame.spacing).powi(3) / (area * speed * case.seconds)
}

/// Area of a star of six points.
fn star(outer: f64, inner: f64) -> f64 {
    6.0 * outer * inner * (std::f64::consts::PI / 6.0).sin()
}

fn height(frame: &Frame, of: impl Fn(usize) -> bool) -> f64 {
    let chosen: Vec<f32> = (0..frame.len()).filter(|&i| of(i)).map(|i| frame.positions[i].y).collect();
    chosen.iter().map(|&y| f64::from(y)).sum::<f64>() / chosen.len() as f64
}

#[test]
fn blocks_sag_and_splash() {
    let frame = settled(&BLOCKS);
    let [_, viscous, runny] = [0, 1, 2].map(|m| height(&frame, |i| frame.materials[i] == m));
    assert!(viscous > 0.3 && viscous < 0.55, "the viscous cube stands {viscous} m high on average");
    assert!(runny < 0.2, "the runny cube stands {runny} m high on average");
}

#[test]
fn honey_piles_up_below_its_nozzle() {
    let frame = settled(&HONEY);
    let flow = delivered(&HONEY, &frame, std::f64::consts::PI * 0.004_f64.powi(2), 0.1);
    assert!((flow - 1.0).abs() < 0.15, "{flow} of the volume");
    let off = mean(&frame, |i| frame.positions[i].x.hypot(frame.positions[i].z));
    assert!(off < 0.02, "{off} m from the axis");
}

#[test]
fn ice_cream_gathers_in_the_cornet() {
    let frame = settled(&ICE_CREAM);
    let flow = delivered(&ICE_CREAM, &frame, star(0.01, 0.006), 0.15);
    assert!((flow - 1.0).abs() < 0.15, "{flow} of the volume");
    let inside = frame.positions.iter().filter(|p| p.x.hypot(p.z) < 0.04).count();
    assert_eq!(inside, frame.len(), "some left the cornet");
}

#[test]
fn both_creams_lie_on_their_waffles() {
    let frame = settled(&WAFFLE);
    let flow = delivered(&WAFFLE, &frame, 2.0 * star(0.005, 0.0032), 0.18);
    assert!((flow - 1.0).abs() < 0.15, "{flow} of the volume");
    let far = |i: usize| {
        let center = if frame.materials[i] == 0 { -0.07 } else { 0.07 };
        (frame.positions[i].x - center).abs() > 0.06
    };
    let astray = (0..frame.len()).filter(|&i| far(i)).count();
    assert!(astray * 50 < frame.len(), "{astray} of {} beside their waffle", frame.len());
}

#[test]
fn eight_ropes_reach_the_plate() {
    let frame = settled(&COILING);
    for rope in 0..8 {
        let of_rope = |i: &usize| frame.materials[*i] == rope;
        let lowest = (0..frame.len()).filter(of_rope).map(|i| frame.positions[i].y).fold(1.0, f32::min);
        assert!(lowest < 1.5 * frame.spacing, "rope {rope} ends {lowest} m above the plate");
    }
}

#[test]
fn cream_stays_on_the_cake() {
    let frame = settled(&CAKE);
    assert!(frame.positions.iter().all(|p| p.y > 0.03 && p.x.hypot(p.z) < 0.1), "some left the cake");
}

#[test]
fn batter_gathers_in_the_bowl() {
    let frame = settled(&BOWL);
    let flow = delivered(&BOWL, &frame, std::f64::consts::PI * 0.014_f64.powi(2), 0.4);
    assert!((flow - 1.0).abs() < 0.15, "{flow} of the volume");
    assert!(frame.positions.iter().all(|p| p.x.hypot(p.z) < 0.14), "some left the bowl");
}

#[test]
fn armadillos_slump_on_each_other() {
    let frame = settled(&ARMADILLOS);
    let height = height(&frame, |_| true);
    assert!((0.015..0.12).contains(&height), "{height} m");
}

/// What the two first corrections are for: without either, particles leave.
#[test]
fn without_its_corrections_the_printed_form_runs_away() {
    for (corrections, seconds) in [
        ("solver.corrections=[\"bounded_memory\"]", 0.5),
        ("solver.corrections=[\"bounded_relaxation\"]", 0.6),
        ("solver.corrections=[]", 0.4),
    ] {
        let set = ["spacing=0.011", corrections, "solver.relaxation=5", "solver.length_unit=1"];
        match run(&Case { set: &set, seconds, ..ARMADILLOS }) {
            Err(StepError::Runaway { .. } | StepError::NonFinite { .. }) => {}
            Ok((_, fastest)) => assert!(fastest > 2.0 * ARMADILLOS.fastest, "{corrections}: {fastest} m/s"),
        }
    }
}
