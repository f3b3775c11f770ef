//! Fig. 4 of Barreiro et al. 2017: cubes of three materials fall on the ground.

use std::path::Path;

use super::jobs::{Job, Outcome, run_all};
use super::{FigureReport, FigureSpec, Making, Progress, Statement, sheet, table};
use crate::experiments::Block;
use crate::{Figure, FigureError, Lens, Plot, Series, Style, View, save, save_png};
use glam::Vec3;
use visco::scene::Material;

pub(super) const SPEC: FigureSpec = FigureSpec {
    name: "barreiro2017-fig04",
    title: "a palette of materials",
    source: "Barreiro et al. 2017, Fig. 4",
    claim: "The paper (section 3.2, Fig. 4) drops cubes of one model on the ground and changes only its two \
            parameters, relaxation time τ and compliance α: a long τ makes an elastic body that bounces, a \
            short τ with little compliance a very viscous one that stays where it lands, and a short τ with \
            much compliance a liquid that splashes apart.",
    run: Making::Fixed(run),
};

/// Simulated length, in s.
const SECONDS: f64 = 1.5;
/// Edge of the cubes, in m.
const EDGE: f64 = 0.8;
/// Times of the pictures, in s.
const TIMES: [f64; 4] = [0.0, 0.35, 0.45, 0.6];
/// Particles along an edge: of the runs that are judged, and of those that show what resolution does.
const SIDES: [u32; 2] = [8, 16];

/// A material of the palette.
struct Entry {
    name: &'static str,
    legend: &'static str,
    modulus: Option<f64>,
    viscosity: Option<f64>,
    tau: f64,
    /// Of its curve: darker than the particles, to be seen on white.
    ink: [u8; 3],
    color: [u8; 3],
}

const PALETTE: [Entry; 3] = [
    Entry {
        name: "elastic",
        legend: "elastic: G = 10⁵ Pa, τ = 5 s",
        modulus: Some(1e5),
        viscosity: None,
        tau: 5.0,
        ink: [218, 160, 0],
        color: [250, 205, 45],
    },
    Entry {
        name: "viscous",
        legend: "viscous: η = 15 000 Pa·s, τ = 15 ms",
        modulus: None,
        viscosity: Some(15_000.0),
        tau: 0.015,
        ink: [190, 30, 120],
        color: [214, 60, 145],
    },
    Entry {
        name: "runny",
        legend: "runny: η = 1.5 Pa·s, τ = 15 ms",
        modulus: None,
        viscosity: Some(1.5),
        tau: 0.015,
        ink: [0, 150, 185],
        color: [50, 185, 215],
    },
];

fn job(entry: &Entry, side: u32) -> Job {
    let block = Block::default();
    Job {
        name: format!("{} cube, {side} particles a side", entry.name),
        block: Block {
            count: [side; 3],
            spacing: EDGE / f64::from(side),
            height: Some(0.5),
            dt: 1.0 / 240.0,
            material: Material {
                viscosity: entry.viscosity,
                shear_modulus: entry.modulus,
                relaxation_time: Some(entry.tau),
                ..block.material
            },
            ..block
        },
        seconds: SECONDS,
        snapshots: TIMES.to_vec(),
    }
}

fn run(out: &Path, progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    // The long runs first, so that no core waits for one at the end.
    let jobs: Vec<Job> = SIDES.iter().rev().flat_map(|&n| PALETTE.iter().map(move |e| job(e, n))).collect();
    let outcomes = run_all(&jobs, progress);
    let (fine, judged) = outcomes.split_at(PALETTE.len());

    let base = out.join(SPEC.name);
    let [svg, png] = save(&figure(judged, fine), &base)?;
    let mut curves = Vec::new();
    for (side, outcomes) in SIDES.iter().zip([judged, fine]) {
        for (entry, o) in PALETTE.iter().zip(outcomes) {
            curves.push((format!("{}_{side}_height", entry.name), o.curve(|s| s.center.y)));
            curves.push((format!("{}_{side}_spread", entry.name), o.curve(|s| s.spread)));
        }
    }
    let csv = table::write_curves(out.join(format!("{}.csv", SPEC.name)), &curves)?;
    let pictures = out.join(format!("{}-particles.png", SPEC.name));
    save_png(&picture(fine)?, &pictures)?;

    let mut statements = statements(judged, "");
    statements.extend(statements_of_resolution(fine));
    Ok(FigureReport {
        files: vec![csv, svg, png.clone(), pictures.clone()],
        pictures: vec![
            (png, "Height of the centre and horizontal RMS radius of the cubes.".into()),
            (pictures, "The same cubes with 16 particles a side.".into()),
        ],
        statements,
        remarks: vec![
            "A cube of 0.8 m with 8 particles a side (spacing 0.1 m, density 1000 kg/m³) falls 0.5 m on a \
             frictionless plane; Δt = 1/240 s, default solver (conjugate gradients), 1.5 s. The bounce is the \
             highest point of the centre above its lowest before. The dashed lines and the particle pictures \
             are the same cubes with 16 particles a side: materials are given in real units, so only the \
             spacing changes."
                .into(),
        ],
    })
}

/// Highest rise of the centre above its lowest point before, in m.
fn bounce(outcome: &Outcome) -> f64 {
    let mut lowest = f64::INFINITY;
    let mut most = 0.0_f64;
    for s in &outcome.samples {
        lowest = lowest.min(s.center.y);
        most = most.max(s.center.y - lowest);
    }
    most
}

fn statements(outcomes: &[Outcome], suffix: &str) -> Vec<Statement> {
    let [elastic, viscous, runny] = outcomes else { unreachable!("three materials") };
    let mut found = vec![
        Statement::above(format!("elastic: bounce{suffix}"), (bounce(elastic), " m"), 0.12),
        Statement::below(format!("viscous: bounce{suffix}"), (bounce(viscous), " m"), 0.02),
        Statement::below(format!("viscous: spread at the end{suffix}"), (viscous.last().spread, " m"), 0.36),
        Statement::above(format!("runny: spread at the end{suffix}"), (runny.last().spread, " m"), 1.5),
    ];
    for (entry, outcome) in PALETTE.iter().zip(outcomes) {
        if let Some(why) = &outcome.failure {
            found.push(Statement::failed(format!("{}: ended early{suffix}", entry.name), why));
        }
    }
    found
}

/// The finer runs are told, not judged.
fn statements_of_resolution(fine: &[Outcome]) -> Vec<Statement> {
    let told = |s: Statement| Statement { expected: String::new(), holds: None, ..s };
    statements(fine, ", 16 a side").into_iter().map(told).collect()
}

fn figure(judged: &[Outcome], fine: &[Outcome]) -> Figure {
    let panel = |title: &str, y: &str, value: fn(&crate::experiments::Sample) -> f64| {
        let dashed = PALETTE.iter().zip(fine).map(|(e, o)| Series {
            name: String::new(),
            points: o.curve(value),
            style: Style::Dashed,
            color: Some(e.color),
        });
        let solid = PALETTE.iter().zip(judged).map(|(e, o)| Series {
            name: e.legend.into(),
            points: o.curve(value),
            style: Style::Line,
            color: Some(e.ink),
        });
        Plot {
            title: title.into(),
            x_label: "time (s)".into(),
            y_label: y.into(),
            series: dashed.chain(solid).collect(),
            x_range: Some((0.0, SECONDS)),
            notes: vec!["Solid: 8 particles a side. Dashed: 16 a side.".into()],
            ..Plot::default()
        }
    };
    let height =
        Plot { y_range: Some((0.0, 1.0)), ..panel("Height of the centre", "height (m)", |s| s.center.y) };
    let spread = Plot {
        log_y: true,
        y_range: Some((0.25, 6.0)),
        ..panel("Spread: RMS distance from the vertical axis", "spread (m)", |s| s.spread)
    };
    Figure {
        title: "One model, three materials: cubes dropped from 0.5 m".into(),
        panels: vec![height, spread],
        columns: 2,
    }
}

fn picture(fine: &[Outcome]) -> Result<crate::RgbImage, FigureError> {
    let look = sheet::Look {
        view: View {
            eye: Vec3::new(1.9, 2.3, 4.6),
            target: Vec3::new(0.0, 0.5, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.45),
        },
        radius: (0.6 * EDGE / f64::from(SIDES[1])) as f32,
        ground: Some(0.0),
        size: (248, 198),
    };
    let rows: Vec<String> = PALETTE.iter().map(|e| e.name.to_owned()).collect();
    let columns: Vec<String> = TIMES.iter().map(|t| format!("t = {t} s")).collect();
    let cells: Vec<Option<sheet::Cell<'_>>> = PALETTE
        .iter()
        .zip(fine)
        .flat_map(|(e, o)| {
            let cell = move |k: usize| {
                let positions = o.snapshots.get(k)?;
                Some(sheet::Cell { positions, colors: std::slice::from_ref(&e.color) })
            };
            (0..TIMES.len()).map(cell)
        })
        .collect();
    sheet::draw(&look, (&rows, &columns), &cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::Sample;

    #[test]
    fn a_bounce_is_a_rise_after_the_lowest_point() {
        let sample = |y: f64| Sample {
            time: 0.0,
            center: glam::DVec3::new(0.0, y, 0.0),
            spread: 0.0,
            drift: 0.0,
            angular: 1.0,
            momentum: glam::DVec3::ZERO,
            velocity_iterations: 0,
            conformation: [1.0; 2],
        };
        let outcome = Outcome { samples: [0.9, 0.35, 0.5, 0.4].map(sample).to_vec(), ..Outcome::default() };
        assert!((bounce(&outcome) - 0.15).abs() < 1e-12);
    }
}
