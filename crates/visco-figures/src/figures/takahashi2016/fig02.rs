//! Fig. 2: a ball with different coefficients is dropped onto the ground.

use super::Found;
use super::draw::{self, Row, shade};
use super::measure::{Place, place, rebound};
use super::take::{Take, Taken};
use crate::figures::sheet::Look;
use crate::figures::{FigureReport, FigureSpec, Making, Progress, Statement};
use crate::runner::run_all;
use crate::{Figure, FigureError, Lens, Plot, Series, Style, View};
use std::path::Path;
use visco::glam::Vec3;
use visco::scene::Override;

pub(in super::super) const SPEC: FigureSpec = FigureSpec {
    name: "takahashi2016-fig02",
    title: "a ball of three stiffnesses is dropped",
    source: "Takahashi et al. 2016, Fig. 2",
    claim: "The paper (section 3.2.1, Fig. 2) drops a ball onto the ground with three values of the velocity correction \
            coefficient c: a lower c leads to a softer material, a higher c to a stiffer one.",
    run: Making::Settable(run),
};

const SCENE: &str = include_str!("../../../scenes/takahashi2016-fig02.toml");
/// c of the balls.
const COEFFICIENTS: [f64; 3] = [0.0025, 0.008, 0.025];
const RANGE: (f64, f64) = (COEFFICIENTS[0], COEFFICIENTS[2]);
/// Frames that are drawn.
const DRAWN: [u32; 4] = [0, 9, 14, 30];

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let take = |c: f64| {
        let own = [format!("material.0.connections.correction={c}")];
        Take::new(format!("c = {c}"), SCENE, (&own, asked), &DRAWN, place)
    };
    let takes = COEFFICIENTS.map(take).into_iter().collect::<Result<Vec<_>, _>>()?;
    let taken = run_all(&takes, progress);
    let rows: Vec<Row<'_, Place>> =
        takes.iter().zip(&taken).map(|(take, taken)| Row { take, taken, solids: &[] }).collect();
    let look = Look {
        view: View {
            eye: Vec3::new(0.3, 0.55, 1.9),
            target: Vec3::new(0.0, 0.28, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.42),
        },
        radius: 0.6 * takes[0].scene.spacing as f32,
        ground: Some(0.0),
        size: (250, 220),
    };
    let mut curves = Vec::new();
    for (c, t) in COEFFICIENTS.iter().zip(&taken) {
        curves.push((format!("height_c{c}"), t.curve(|m| m.height)));
        curves.push((format!("spread_c{c}"), t.curve(|m| m.spread)));
    }
    Found {
        name: SPEC.name,
        plot: (figure(&taken), "Height of the centre, and RMS distance from the vertical axis."),
        picture: (
            draw::picture(&look, &draw::times(&DRAWN, takes[0].scene.time.fps), RANGE, &rows)?,
            "The balls, from a small (cyan) to a large coefficient (dark cyan).",
        ),
        curves,
        statements: statements(&taken),
        remark: "A ball of radius 0.18 m falls 0.3 m on a plane that lets it slide. The rebound is the highest rise of \
                 its centre above the lowest point before, the spread the largest RMS distance of its particles from the \
                 vertical axis through the centre.",
    }
    .publish(out)
}

fn statements(taken: &[Taken<Place>]) -> Vec<Statement> {
    let rise = |k: usize| rebound(taken[k].samples.iter().map(|(_, m)| m.height));
    let wide = |k: usize| taken[k].most(|m| m.spread);
    let ratio = |what: &str, (a, b): (usize, usize)| {
        format!("{what}: c = {} over c = {}", COEFFICIENTS[a], COEFFICIENTS[b])
    };
    let mut found = Vec::new();
    for pair in [(1, 0), (2, 1)] {
        found.push(Statement::below(ratio("spread", pair), (wide(pair.0) / wide(pair.1), ""), 0.95));
        found.push(Statement::above(ratio("rebound", pair), (rise(pair.0) / rise(pair.1), ""), 1.05));
    }
    for (k, t) in taken.iter().enumerate() {
        found.push(Statement::note(
            format!("{}: rebound; spread", t.name),
            format!("{:.3} m; {:.3} m", rise(k), wide(k)),
        ));
        found.extend(t.statements());
    }
    found
}

fn figure(taken: &[Taken<Place>]) -> Figure {
    let panel = |title: &str, y: &str, value: fn(&Place) -> f64| Plot {
        title: title.into(),
        x_label: "time (s)".into(),
        y_label: y.into(),
        series: COEFFICIENTS
            .iter()
            .zip(taken)
            .map(|(&c, t)| Series {
                name: t.name.clone(),
                points: t.curve(value),
                style: Style::Line,
                color: Some(shade(c, RANGE)),
            })
            .collect(),
        ..Plot::default()
    };
    Figure {
        title: "A ball is dropped".into(),
        panels: vec![
            panel("Height of the centre", "height (m)", |m| m.height),
            panel("Spread", "RMS radius (m)", |m| m.spread),
        ],
        columns: 2,
    }
}
