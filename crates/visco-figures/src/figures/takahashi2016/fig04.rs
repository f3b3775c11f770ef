//! Fig. 4: two balls merge; a ball is split by a column.

use super::Found;
use super::draw::{self, Row};
use super::measure::lumps;
use super::take::{Take, Taken};
use crate::figures::sheet::Look;
use crate::figures::{FigureReport, FigureSpec, Making, Progress, Statement};
use crate::runner::run_all;
use crate::{Figure, FigureError, Lens, Plot, Series, Style, View, contact_sheet};
use std::path::Path;
use visco::glam::Vec3;
use visco::scene::{Override, Shape};

pub(in super::super) const SPEC: FigureSpec = FigureSpec {
    name: "takahashi2016-fig04",
    title: "balls merge and split",
    source: "Takahashi et al. 2016, Fig. 4",
    claim: "The paper (section 3.2.3, Fig. 4) makes connections between particles that come near each other and removes \
            those that are too long: two balls that meet become one, and a ball that is thrown at a column is split into \
            three lumps.",
    run: Making::Settable(run),
};

const MERGE: &str = include_str!("../../../scenes/takahashi2016-fig04-merge.toml");
const SPLIT: &str = include_str!("../../../scenes/takahashi2016-fig04-split.toml");
/// Frames that are drawn of each.
const MERGE_DRAWN: [u32; 4] = [0, 4, 9, 24];
const SPLIT_DRAWN: [u32; 4] = [0, 3, 6, 9];

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let takes = [
        Take::new("two balls", MERGE, (&[], asked), &MERGE_DRAWN, lumps)?,
        Take::new("ball and column", SPLIT, (&[], asked), &SPLIT_DRAWN, lumps)?,
    ];
    let taken = run_all(&takes, progress);
    let column: Vec<Shape> = takes[1].scene.boundary[1..].iter().map(|b| b.shape.clone()).collect();
    let look = |eye: Vec3, target: Vec3| Look {
        view: View { eye, target, up: Vec3::Y, lens: Lens::Perspective(0.5) },
        radius: 0.6 * takes[0].scene.spacing as f32,
        ground: Some(0.0),
        size: (280, 220),
    };
    let looks = [
        look(Vec3::new(0.2, 0.5, 1.8), Vec3::new(0.0, 0.22, 0.0)),
        look(Vec3::new(0.2, 1.6, 2.9), Vec3::new(0.4, 0.45, 0.0)),
    ];
    let (range, solids) = ((0.001, 0.01), [&[][..], &column]);
    let drawn = [MERGE_DRAWN, SPLIT_DRAWN];
    let sheets = (0..2).map(|k| {
        let row = Row { take: &takes[k], taken: &taken[k], solids: solids[k] };
        draw::picture(&looks[k], &draw::times(&drawn[k], takes[k].scene.time.fps), range, &[row])
    });
    let sheets = sheets.collect::<Result<Vec<_>, _>>()?;
    Found {
        name: SPEC.name,
        plot: (figure(&taken), "Number of lumps."),
        picture: (contact_sheet(&sheets, 1), "Two balls merge, and a ball is split by a column."),
        curves: vec![
            ("lumps_two_balls".into(), taken[0].curve(|m| m.len() as f64)),
            ("lumps_ball_and_column".into(), taken[1].curve(|m| m.len() as f64)),
        ],
        statements: statements(&taken),
        remark: "Balls of radius 0.175 m. A lump is a part of the fluid with at least 3 % of its particles; particles \
                 nearer than the kernel's support (2.2 spacings) are of one part. The ball meets the column, 0.12 m \
                 thick and without slip, at 5 m/s; its connections part at 1.6 supports (β).",
    }
    .publish(out)
}

fn statements(taken: &[Taken<Vec<usize>>]) -> Vec<Statement> {
    let [merge, split] = taken else { unreachable!("two runs") };
    let exactly = |text: &str, value: usize, expected: usize| Statement {
        text: text.into(),
        measured: value.to_string(),
        expected: expected.to_string(),
        holds: Some(value == expected),
    };
    let mut found = vec![
        exactly("two balls: lumps at the start", merge.samples[0].1.len(), 2),
        exactly("two balls: lumps at the end", merge.last().len(), 1),
        exactly("ball and column: lumps at the start", split.samples[0].1.len(), 1),
        exactly("ball and column: lumps at the end", split.last().len(), 3),
    ];
    let sizes: Vec<String> = split.last().iter().map(usize::to_string).collect();
    found.push(Statement::note("ball and column: particles of the lumps", sizes.join(", ")));
    found.extend(taken.iter().flat_map(Taken::statements));
    found
}

fn figure(taken: &[Taken<Vec<usize>>]) -> Figure {
    let series = taken.iter().map(|t| Series::new(&*t.name, t.curve(|m| m.len() as f64), Style::LineMarkers));
    Figure::single(Plot {
        title: "Lumps".into(),
        x_label: "time (s)".into(),
        y_label: "number".into(),
        series: series.collect(),
        y_range: Some((0.0, 5.0)),
        ..Plot::default()
    })
}
