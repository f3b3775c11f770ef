//! Fig. 13: a stream swells behind a die.

use super::Found;
use super::draw::{self, Row};
use super::measure::fluid;
use super::take::{Take, Taken};
use crate::figures::sheet::Look;
use crate::figures::{FigureReport, FigureSpec, Making, Progress, Statement};
use crate::runner::run_all;
use crate::{Figure, FigureError, Lens, Plot, Series, Style, View};
use std::path::Path;
use visco::Simulation;
use visco::glam::Vec3;
use visco::scene::{Override, Shape};

pub(in super::super) const SPEC: FigureSpec = FigureSpec {
    name: "takahashi2016-fig13",
    title: "a stream swells behind a die",
    source: "Takahashi et al. 2016, Fig. 13",
    claim: "The paper (section 4.4, Fig. 13) lets a viscoelastic material go through an opening: behind it the stream is \
            wider than the opening (Barus effect), because viscoelasticity restores the shape from before.",
    run: Making::Settable(run),
};

const SCENE: &str = include_str!("../../../scenes/takahashi2016-fig13.toml");
const COEFFICIENTS: [f64; 4] = [0.0, 0.0001, 0.0005, 0.0045];
/// Those of them up to which the swell grows: the last is stiffer than it takes.
const GROWING: usize = 3;
const RANGE: (f64, f64) = (COEFFICIENTS[1], COEFFICIENTS[3]);
const DRAWN: [u32; 3] = [12, 24, 36];
/// Heights between which the stream is measured: below the opening, and inside it, in m.
const BELOW: (f32, f32) = (-0.28, -0.14);
const INSIDE: (f32, f32) = (-0.1, -0.02);

/// Times between which the swell is averaged, in s: from when the stream is long enough.
const STEADY: (f64, f64) = (0.6, 1.2);

/// RMS distance from the axis of what is below the opening, over that of what is inside.
fn swell(run: &Simulation) -> f64 {
    let x = fluid(run);
    let width = |(low, high): (f32, f32)| {
        let squares =
            x.iter().filter(|x| (low..high).contains(&x.y)).map(|x| f64::from(x.x * x.x + x.z * x.z));
        (squares.clone().sum::<f64>() / squares.count() as f64).sqrt()
    };
    width(BELOW) / width(INSIDE)
}

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let take = |c: f64| {
        let own = [
            format!("material.0.connections.correction={c}"),
            format!("material.0.connections.least_correction={}", f64::min(c, 1e-4)),
        ];
        Take::new(format!("c = {c}"), SCENE, (&own, asked), &DRAWN, swell)
    };
    let takes = COEFFICIENTS.map(take).into_iter().collect::<Result<Vec<_>, _>>()?;
    let taken = run_all(&takes, progress);
    let d = takes[0].scene.spacing;
    let die = [-1.0, 1.0].map(|side: f64| {
        let (a, b) = (side * 0.1, side * 0.4);
        Shape::Box { min: [a.min(b), -0.12, -d], max: [a.max(b), 0.0, d] }
    });
    let tank = [-1.0, 1.0].map(|side: f64| {
        let (a, b) = (side * 0.2, side * 0.25);
        Shape::Box { min: [a.min(b), 0.0, -d], max: [a.max(b), 0.32, d] }
    });
    let solids = [die, tank].concat();
    let rows: Vec<Row<'_, f64>> =
        takes.iter().zip(&taken).map(|(take, taken)| Row { take, taken, solids: &solids }).collect();
    let look = Look {
        view: View {
            eye: Vec3::new(0.0, -0.2, 3.0),
            target: Vec3::new(0.0, -0.28, 0.0),
            up: Vec3::Y,
            lens: Lens::Orthographic(1.25),
        },
        radius: 0.6 * d as f32,
        ground: None,
        size: (220, 300),
    };
    let curves = COEFFICIENTS.iter().zip(&taken).map(|(c, t)| (format!("swell_c{c}"), t.curve(|m| *m)));
    Found {
        name: SPEC.name,
        plot: (figure(&taken), "Width of the stream below the opening over that inside, over time and by c."),
        picture: (
            draw::picture(&look, &draw::times(&DRAWN, takes[0].scene.time.fps), RANGE, &rows)?,
            "The stream from the side, with a section of tank and die.",
        ),
        curves: curves.collect(),
        statements: statements(&taken),
        remark: "Without gravity, a piston presses the fluid at 0.16 m/s out of a tank 0.4 m wide through an opening of \
                 0.2 m × 0.2 m, 0.12 m long; all walls let slide. The swell is the RMS distance from the axis of \
                 what is 0.02 to 0.16 m below the opening, over that of what is inside it, the mean from 0.6 to 1.2 s: a \
                 stream has waves. It swells the more the larger c is, while what is pressed out, at 0.64 m/s, is faster than \
                 its elastic waves, √c d/Δt (0.09, 0.21 and 0.63 m/s); beyond, it takes the shape from before, however stiff \
                 it is. Without connections it runs out in a star. The paper's fluid is a ball that goes through an opening; its \
                 numbers are not given.",
    }
    .publish(out)
}

fn steady(taken: &Taken<f64>) -> f64 {
    let of: Vec<f64> = taken
        .curve(|m| *m)
        .into_iter()
        .filter(|(time, _)| (STEADY.0 - 1e-3..STEADY.1 + 1e-3).contains(time))
        .map(|(_, swell)| swell)
        .collect();
    of.iter().sum::<f64>() / of.len() as f64
}

fn statements(taken: &[Taken<f64>]) -> Vec<Statement> {
    let mut found = Vec::new();
    for (k, t) in taken.iter().enumerate().take(GROWING).skip(1) {
        let text = format!("{}: swell over that of {}", t.name, taken[k - 1].name);
        found.push(Statement::above(text, (steady(t) / steady(&taken[k - 1]), ""), 1.0));
    }
    for t in &taken[GROWING - 1..] {
        found.push(Statement::above(format!("{}: swell", t.name), (steady(t), ""), 1.0));
    }
    for t in taken {
        found.push(Statement::note(
            format!("{}: swell; at the end", t.name),
            format!("{:.3}; {:.3}", steady(t), t.last()),
        ));
        found.extend(t.statements());
    }
    found
}

fn figure(taken: &[Taken<f64>]) -> Figure {
    let label = |title: &str, x: &str, series: Vec<Series>| Plot {
        title: title.into(),
        x_label: x.into(),
        y_label: "width over that inside the opening".into(),
        series,
        ..Plot::default()
    };
    let over_time = COEFFICIENTS.iter().zip(taken).map(|(&c, t)| Series {
        name: t.name.clone(),
        points: t.curve(|m| *m),
        style: Style::Line,
        color: Some(if c > 0.0 { draw::shade(c, RANGE) } else { [130; 3] }),
    });
    let by_c = COEFFICIENTS.iter().zip(taken).map(|(&c, t)| (c, steady(t))).collect();
    Figure {
        title: "Barus effect".into(),
        panels: vec![
            label("Width below the opening", "time (s)", over_time.collect()),
            label("Its mean from 0.6 to 1.2 s", "c", vec![Series::new("", by_c, Style::LineMarkers)]),
        ],
        columns: 2,
    }
}
