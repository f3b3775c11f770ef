//! Plots and pictures of the drift.

use super::{ITERATIONS, MOST, PICTURED, PRINTED, Results, SECONDS, SOLVERS, STEPS, Solver};
use crate::figures::sheet;
use crate::{Figure, FigureError, Lens, Plot, RgbImage, Series, Style, View};
use glam::Vec3;

/// The plots.
pub(super) fn figure(results: &Results) -> Figure {
    let mut panels: Vec<Plot> = STEPS.iter().map(|&step| over_time(results, step)).collect();
    panels.push(over_iterations(results));
    Figure {
        title: "Drift of a cube that should stay rigid, by solver, time step and iterations K".into(),
        panels,
        columns: 3,
    }
}

/// Fewer iterations are paler.
fn tint(color: [u8; 3], k: u32) -> [u8; 3] {
    let strength = match k {
        ..=10 => 0.4,
        11..=20 => 0.65,
        _ => 1.0,
    };
    color.map(|c| (255.0 - (255.0 - f64::from(c)) * strength) as u8)
}

fn over_time(results: &Results, step: u32) -> Plot {
    let series = (results.cases.iter().zip(&results.means)).filter(|(case, _)| case.step == step);
    let series = series.map(|(case, mean)| Series {
        // The shades of one colour are told apart by the note.
        name: if case.iterations == MOST { case.solver.name().into() } else { String::new() },
        points: mean.curve.clone(),
        style: if PRINTED.contains(&case.solver) { Style::Dashed } else { Style::Line },
        color: Some(tint(case.solver.color(), case.iterations)),
    });
    Plot {
        title: format!("Δt = {step} ms"),
        x_label: "time (s)".into(),
        y_label: "RMS drift (spacings)".into(),
        log_y: true,
        series: series.collect(),
        x_range: Some((0.0, SECONDS)),
        y_range: Some((0.003, 50.0)),
        notes: vec!["From pale to dark: K = 10, 20, 40 iterations a step. Printed equations: K = 40.".into()],
        ..Plot::default()
    }
}

fn over_iterations(results: &Results) -> Plot {
    let mut series = Vec::new();
    for step in STEPS {
        for solver in SOLVERS {
            let at = |&k: &u32| (f64::from(k), results.mean(solver, step, k).end());
            series.push(Series {
                name: format!("{}, {step} ms", solver.name()),
                points: ITERATIONS.iter().map(at).collect(),
                style: Style::LineMarkers,
                color: Some(if step == 30 { solver.color() } else { tint(solver.color(), 20) }),
            });
        }
    }
    Plot {
        title: format!("After {SECONDS} s"),
        x_label: "iterations a step, K".into(),
        y_label: "RMS drift (spacings)".into(),
        log_y: true,
        series,
        notes: vec!["Means over five drop heights.".into()],
        x_range: Some((5.0, 45.0)),
        y_range: Some((0.003, 50.0)),
        ..Plot::default()
    }
}

/// The pictures.
pub(super) fn picture(results: &Results) -> Result<RgbImage, FigureError> {
    let look = sheet::Look {
        view: View {
            eye: Vec3::new(2.2, 2.4, 5.0),
            target: Vec3::new(0.0, 0.4, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.5),
        },
        radius: 0.06,
        ground: Some(0.0),
        size: (400, 300),
    };
    let rows = STEPS.map(|step| format!("Δt = {step} ms"));
    let columns = SOLVERS.map(|solver| solver.name().to_owned());
    let colors = SOLVERS.map(Solver::color);
    let mut cells = Vec::new();
    for step in STEPS {
        for (solver, color) in SOLVERS.iter().zip(&colors) {
            let run = &results.runs[results.of(*solver, step, 40)][PICTURED];
            let cell = run
                .snapshots
                .first()
                .map(|positions| sheet::Cell { positions, colors: std::slice::from_ref(color) });
            cells.push(cell);
        }
    }
    sheet::draw(&look, (&rows, &columns), &cells)
}
