//! Fig. 9 and 10: pressure iterations under a press, by springs and by velocity corrections.

use super::Found;
use super::draw::{self, Row};
use super::fig07::{Pressed, SCENE, look, measure};
use super::take::{Take, Taken};
use crate::figures::report::digits;
use crate::figures::{FigureReport, FigureSpec, Making, Progress, Statement};
use crate::runner::run_all;
use crate::{Figure, FigureError, Plot, Series, Style};
use std::ops::Range;
use std::path::Path;
use visco::scene::Override;

pub(in super::super) const SPEC: FigureSpec = FigureSpec {
    name: "takahashi2016-fig09",
    title: "pressure iterations under a press, beside springs",
    source: "Takahashi et al. 2016, Fig. 9 and 10",
    claim: "The paper (section 4.2, Fig. 9 and 10) presses a ball by the springs of Clavet et al., which move positions \
            after the neighbours were found, and by velocity corrections. The results look alike, but the springs are \
            likely to need more iterations to a density error of 0.01 %, above all while the ball is pressed.",
    run: Making::Settable(run),
};

/// Methods, with what is short enough to stand beside a picture.
const METHODS: [(&str, &str); 2] = [("springs", "springs"), ("velocity_correction", "corrections")];
/// Coefficients, the first as the paper has it and the second that of Fig. 7, with the shear moduli of springs that let the
/// ball become about as wide, in Pa.
const STIFF: [(f64, f64); 2] = [(0.001, 160.0), (0.01, 1000.0)];
const DRAWN: [u32; 4] = [0, 12, 20, 36];

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let finer = asked.iter().any(|change| change.path == "quality" && change.value.as_str() == Some("full"));
    let take = |((method, short), (correction, modulus)): ((&str, &str), (f64, f64))| {
        let mut own = vec![
            format!("method=\"{method}\""),
            format!("material.0.connections.correction={correction}"),
            format!("material.0.shear_modulus={modulus}"),
            // Relaxed Jacobi, as in the paper.
            "solver.pressure_spread=1".into(),
        ];
        if finer {
            // As stiff as with fewer particles.
            own.extend(["spacing=0.01".into(), "time.steps_per_frame=38".into()]);
        }
        Take::new(format!("{short}, c = {correction}"), SCENE, (&own, asked), &DRAWN, measure)
    };
    let both = STIFF.iter().flat_map(|&stiff| METHODS.map(|method| (method, stiff)));
    let takes = both.map(take).collect::<Result<Vec<_>, _>>()?;
    let taken = run_all(&takes, progress);
    let rows: Vec<Row<'_, Pressed>> =
        takes.iter().zip(&taken).map(|(take, taken)| Row { take, taken, solids: &[] }).collect();
    let scene = &takes[0].scene;
    let curves = taken.iter().flat_map(|t| {
        let name = t.name.replace(", c = ", "_");
        [(format!("iterations_{name}"), t.iterations()), (format!("spread_{name}"), t.curve(|m| m.spread))]
    });
    Found {
        name: SPEC.name,
        plot: (figure(&taken), "Pressure iterations a step, and RMS distance from the axis."),
        picture: (
            draw::picture(&look(scene.spacing), &draw::times(&DRAWN, scene.time.fps), (0.001, 0.01), &rows)?,
            "The ball by springs, and below by velocity corrections, for either coefficient; the board is not drawn.",
        ),
        curves: curves.collect(),
        statements: statements(&taken),
        remark: "The press of Fig. 7, with the coefficient that the paper says it mostly uses, and with one ten times as \
                 large. With the first the ball gives way to its weight before the board is low, and both methods need \
                 about as many iterations; the paper's seconds per frame (3.35 and 3.13) are in the ratio 1.07. Springs \
                 have a shear modulus with which the ball becomes about as wide at most, though it swings more, and do not \
                 yield in that time. They also push where they are shorter than at rest, which connections do not, and \
                 what pulls without pushing has to be borne by pressure: the stiffer the ball, the more iterations \
                 connections need beside springs, but for steps in which springs have brought particles to less than half \
                 a spacing from each other.",
    }
    .publish(out)
}

fn statements(taken: &[Taken<Pressed>]) -> Vec<Statement> {
    let mut found = Vec::new();
    for (pair, (c, _)) in taken.chunks(METHODS.len()).zip(STIFF) {
        let [sprung, corrected] = pair else { unreachable!("two methods") };
        let wide = |t: &Taken<Pressed>| t.most(|m| m.spread);
        let most = |t: &Taken<Pressed>| t.iterations().iter().map(|p| p.1).fold(0.0, f64::max);
        let ratio = |time: Range<f64>| {
            let total = |t: &Taken<Pressed>| -> f64 {
                t.iterations().iter().filter(|p| time.contains(&p.0)).map(|p| p.1).sum()
            };
            total(sprung) / total(corrected)
        };
        let name = |what: &str| format!("c = {c}: {what}");
        let wider = wide(sprung) / wide(corrected);
        let more = sprung.mean_iterations() / corrected.mean_iterations();
        found.extend([
            Statement::within(name("largest spread, springs over corrections"), (wider, ""), (1.0, 0.1)),
            Statement::above(name("iterations a step, springs over corrections"), (more, ""), 1.0),
            Statement::note(
                name("the same while the board comes down (0.1 to 0.7 s), and after that"),
                format!("{}, {}", digits(ratio(0.1..0.7)), digits(ratio(0.7..f64::INFINITY))),
            ),
            Statement::note(
                name("iterations in the dearest frame, springs; corrections"),
                format!("{:.1}; {:.1}", most(sprung), most(corrected)),
            ),
        ]);
    }
    found.extend(taken.iter().flat_map(Taken::statements));
    found
}

fn figure(taken: &[Taken<Pressed>]) -> Figure {
    let panel = |title: &str, y: &str, series: Vec<Series>| Plot {
        title: title.into(),
        x_label: "time (s)".into(),
        y_label: y.into(),
        series,
        ..Plot::default()
    };
    let iterations = taken.iter().map(|t| Series::new(&*t.name, t.iterations(), Style::Line));
    let spread = taken.iter().map(|t| Series::new(&*t.name, t.curve(|m| m.spread), Style::Line));
    Figure {
        title: "A ball under a press".into(),
        panels: vec![
            panel("Pressure iterations", "iterations a step", iterations.collect()),
            panel("Spread", "RMS radius (m)", spread.collect()),
        ],
        columns: 2,
    }
}
