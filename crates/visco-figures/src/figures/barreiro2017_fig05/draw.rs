//! Plots and pictures of the ropes.

use super::{ROW, Rope, SLENDER, VISCOUS, slender};
use crate::figures::sheet::{self, Cell, Look};
use crate::{Figure, FigureError, Lens, Plot, RgbImage, Series, Style, View, contact_sheet};
use visco::glam::Vec3;

/// The paper colours its ropes between the materials of its Fig. 4: from runny to viscous, from viscous to elastic.
const COLORS: [[u8; 3]; 2 * ROW] = [
    [50, 185, 215],
    [105, 143, 192],
    [159, 102, 168],
    [214, 60, 145],
    [214, 60, 145],
    [226, 108, 112],
    [238, 157, 78],
    [250, 205, 45],
];

pub(super) fn figure(ropes: &[Rope]) -> Figure {
    let (top, bottom) = (0..ROW, ROW..2 * ROW);
    let turns = |title: &str, row: std::ops::Range<usize>| Plot {
        y_label: "turns".into(),
        ..panel(title, series(ropes, row, |s| s.coil.turns.abs()))
    };
    let heights = |title: &str, row: std::ops::Range<usize>| Plot {
        y_label: "height of the pile (mm)".into(),
        ..panel(title, series(ropes, row, |s| 1e3 * s.coil.height))
    };
    let mut below = turns("Turns, η = 1000 Pa·s", bottom.clone());
    below.series.extend(reference(&ropes[VISCOUS]));
    Figure {
        title: "Ropes that coil".into(),
        panels: vec![
            turns("Turns, τ = 0.15 s", top.clone()),
            below,
            heights("Pile, τ = 0.15 s", top),
            heights("Pile, η = 1000 Pa·s", bottom),
        ],
        columns: 2,
    }
}

fn panel(title: &str, series: Vec<Series>) -> Plot {
    Plot { title: title.into(), x_label: "time (s)".into(), series, ..Plot::default() }
}

fn series(
    ropes: &[Rope],
    row: std::ops::Range<usize>,
    value: impl Fn(&crate::figures::pours::Sample) -> f64,
) -> Vec<Series> {
    let one = |k: usize| Series {
        name: ropes[k].label(k),
        points: ropes[k].poured.curve(&value),
        style: Style::Line,
        // Yellow and light blue are too faint for a line on white.
        color: Some(COLORS[k].map(|c| (f64::from(c) * 0.85) as u8)),
    };
    row.map(one).collect()
}

/// The slender rope's turns, from where the measured rope coils steadily.
fn reference(viscous: &Rope) -> Option<Series> {
    let start = viscous.poured.steady()?.start;
    let mut turns = viscous.poured.samples[start].coil.turns.abs();
    let mut points = vec![(viscous.poured.samples[start].time, turns)];
    for pair in viscous.poured.samples[start..].windows(2) {
        let fall = viscous.emitter.position[1] - pair[1].coil.height;
        let rate = slender(fall.clamp(SLENDER[0].0, SLENDER[SLENDER.len() - 1].0))?.0;
        turns += rate * (pair[1].time - pair[0].time);
        points.push((pair[1].time, turns));
    }
    let color = Some([70, 70, 70]);
    Some(Series { name: "slender rope, τ = 0".into(), points, style: Style::Dashed, color })
}

pub(super) fn picture(ropes: &[Rope]) -> Result<RgbImage, FigureError> {
    // Every rope is seen from the same place beside its nozzle.
    let centered: Vec<Vec<Vec3>> = ropes
        .iter()
        .map(|rope| {
            let [x, _, z] = rope.emitter.position;
            let nozzle = Vec3::new(x as f32, 0.0, z as f32);
            rope.poured.frame.positions.iter().map(|p| *p - nozzle).collect()
        })
        .collect();
    let look = Look {
        view: View {
            eye: Vec3::new(0.0, 0.12, 0.2),
            target: Vec3::new(0.0, 0.026, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.42),
        },
        radius: 0.6 * ropes[0].poured.frame.spacing,
        ground: Some(0.0),
        size: (250, 250),
    };
    let row = |row: std::ops::Range<usize>, name: &str| {
        let columns: Vec<String> = row.clone().map(|k| ropes[k].label(k)).collect();
        let cells: Vec<Option<Cell<'_>>> = row
            .map(|k| {
                let whole = ropes[k].poured.failure.is_none();
                whole.then(|| Cell { positions: &centered[k], colors: std::slice::from_ref(&COLORS[k]) })
            })
            .collect();
        sheet::draw(&look, (&[name.to_owned()], &columns), &cells)
    };
    Ok(contact_sheet(&[row(0..ROW, "τ = 0.15 s")?, row(ROW..2 * ROW, "η = 1000 Pa·s")?], 1))
}
