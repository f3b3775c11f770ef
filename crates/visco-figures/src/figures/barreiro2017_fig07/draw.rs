//! Plots and pictures of the spinning block.

use super::{CORRECTED, FORMS, Form, SECONDS, STEPS, TIMES, floor};
use crate::experiments::Sample;
use crate::figures::jobs::Outcome;
use crate::figures::sheet;
use crate::{Figure, FigureError, Lens, Plot, RgbImage, Series, Style, View};
use glam::Vec3;
use visco::methods::dcpbd::Integrator;

/// The plots.
pub(super) fn figure(runs: &[Vec<Outcome>; 2]) -> Figure {
    let each = || STEPS.iter().zip(runs);
    let momentum = each().map(|(&(dt, name, _), outcomes)| {
        let mut series = curves(outcomes, |s| s.angular);
        for (integrator, name, gray) in
            [(Integrator::Dcpbd, "floor", 60), (Integrator::Pbd, "floor, positions only", 150)]
        {
            let times = (0..=100).map(|k| SECONDS * f64::from(k) / 100.0);
            series.push(Series {
                name: name.into(),
                points: times.map(|t| (t, floor(integrator, dt, t))).collect(),
                style: Style::Dashed,
                color: Some([gray; 3]),
            });
        }
        Plot {
            title: format!("Angular momentum, Δt = {name}"),
            x_label: "time (s)".into(),
            y_label: "L/L₀".into(),
            series,
            x_range: Some((0.0, SECONDS)),
            y_range: Some((0.0, 1.05)),
            ..Plot::default()
        }
    });
    let drift = each().map(|(&(_, name, _), outcomes)| Plot {
        title: format!("Deformation, Δt = {name}"),
        x_label: "time (s)".into(),
        y_label: "RMS drift (spacings)".into(),
        log_y: true,
        series: curves(outcomes, |s| s.drift),
        x_range: Some((0.0, SECONDS)),
        y_range: Some((1e-5, 1.0)),
        ..Plot::default()
    });
    Figure {
        title: "A spinning block, with and without the corotational form".into(),
        panels: momentum.chain(drift).collect(),
        columns: 2,
    }
}

fn curves(outcomes: &[Outcome], value: fn(&Sample) -> f64) -> Vec<Series> {
    let drawn = FORMS.iter().zip(outcomes).filter(|(form, _)| form.ink.is_some());
    let series = |(form, outcome): (&Form, &Outcome)| Series {
        name: form.name.into(),
        points: outcome.curve(value),
        style: Style::Line,
        color: form.ink,
    };
    drawn.map(series).collect()
}

/// The pictures.
pub(super) fn picture(outcomes: &[Outcome]) -> Result<RgbImage, FigureError> {
    let look = sheet::Look {
        view: View {
            eye: Vec3::new(0.0, 3.2, 1.2),
            target: Vec3::new(0.0, 0.25, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.42),
        },
        radius: 0.058,
        ground: None,
        size: (220, 176),
    };
    let drawn = || FORMS.iter().zip(outcomes).filter(|(form, _)| form.ink.is_some());
    let columns: Vec<String> = TIMES.iter().map(|t| format!("t = {t} s")).collect();
    // One end of the block is dark, so that half a turn can be told from none.
    let stripe = |x: &Vec3| if x.x > 0.3 { [60, 66, 78] } else { [226, 180, 92] };
    let start = outcomes[CORRECTED].snapshots.first();
    let colors: Vec<[u8; 3]> = start.into_iter().flatten().map(stripe).collect();
    // The long names do not fit beside the pictures.
    let short = |form: &Form| match form.column {
        "printed_not_corotational" => "not corotational".to_owned(),
        "printed_positions" => "positions only".to_owned(),
        _ => form.name.to_owned(),
    };
    let rows: Vec<String> = drawn().take(4).map(|(form, _)| short(form)).collect();
    let mut cells = Vec::new();
    for (_, outcome) in drawn().take(4) {
        for k in 0..TIMES.len() {
            let snapshot = outcome.snapshots.get(k);
            cells.push(snapshot.map(|positions| sheet::Cell { positions, colors: &colors }));
        }
    }
    sheet::draw(&look, (&rows, &columns), &cells)
}
