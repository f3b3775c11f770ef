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

const METHODS: [&str; 2] = ["springs", "velocity_correction"];
const DRAWN: [u32; 4] = [0, 12, 20, 36];

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let finer = asked.iter().any(|change| change.path == "quality");
    let take = |method: &str| {
        let mut own = vec![format!("method=\"{method}\"")];
        if finer {
            own.push("spacing=0.01".into());
        }
        Take::new(method, SCENE, (&own, asked), &DRAWN, measure)
    };
    let takes = METHODS.map(take).into_iter().collect::<Result<Vec<_>, _>>()?;
    let taken = run_all(&takes, progress);
    let rows: Vec<Row<'_, Pressed>> =
        takes.iter().zip(&taken).map(|(take, taken)| Row { take, taken, solids: &[] }).collect();
    let scene = &takes[0].scene;
    let curves = taken.iter().map(|t| (format!("iterations_{}", t.name), t.iterations()));
    Found {
        name: SPEC.name,
        plot: (figure(&taken), "Pressure iterations a step, and RMS distance from the axis."),
        picture: (
            draw::picture(&look(scene.spacing), &draw::times(&DRAWN, scene.time.fps), (0.001, 0.01), &rows)?,
            "The ball by springs (above) and by velocity corrections (below); the board is not drawn.",
        ),
        curves: curves.collect(),
        statements: statements(&taken),
        remark: "The press of Fig. 7. Springs have a shear modulus of 1000 Pa on the rest lattice, about that of the \
                 connections in these steps, and do not yield in that time. They also push where they are shorter than at \
                 rest, which connections do not: that leaves less to the pressure, and a small ball needs fewer iterations \
                 with them. In a large one they bring particles to less than half a spacing from each other, where relaxed \
                 Jacobi stalls between two states until ω is halved. With ω fixed, as the paper has it, single steps of \
                 both methods take any number of iterations, which says nothing about the methods.",
    }
    .publish(out)
}

fn statements(taken: &[Taken<Pressed>]) -> Vec<Statement> {
    let [sprung, corrected] = taken else { unreachable!("two methods") };
    let wide = |t: &Taken<Pressed>| t.most(|m| m.spread);
    let most = |t: &Taken<Pressed>| t.iterations().iter().map(|p| p.1).fold(0.0, f64::max);
    let ratio = |time: Range<f64>| {
        let total = |t: &Taken<Pressed>| -> f64 {
            t.iterations().iter().filter(|p| time.contains(&p.0)).map(|p| p.1).sum()
        };
        total(sprung) / total(corrected)
    };
    let mut found = vec![
        Statement::within(
            "largest spread: springs over velocity_correction",
            (wide(sprung) / wide(corrected), ""),
            (1.0, 0.1),
        ),
        Statement::above(
            "iterations a step: springs over velocity_correction",
            (sprung.mean_iterations() / corrected.mean_iterations(), ""),
            1.0,
        ),
        Statement::note(
            "the same while the board presses (0.1 to 0.7 s), and while it is let go",
            format!("{}, {}", digits(ratio(0.1..0.7)), digits(ratio(0.7..f64::INFINITY))),
        ),
        Statement::note(
            "iterations in the dearest frame: springs; velocity_correction",
            format!("{:.1}; {:.1}", most(sprung), most(corrected)),
        ),
    ];
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
