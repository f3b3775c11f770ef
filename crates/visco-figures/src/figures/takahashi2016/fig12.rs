//! Fig. 12: a free cube is pulled to a wall by a ball that sticks to both.

use super::Found;
use super::draw::{self, Row};
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
    name: "takahashi2016-fig12",
    title: "a cube is pulled to a wall",
    source: "Takahashi et al. 2016, Fig. 12",
    claim: "The paper (section 4.3, Fig. 12) throws a ball at a free solid cube; the fluid is connected with the cube and \
            with a wall, and gradually pulls the cube toward the wall. Pressure and viscosity alone cannot do this.",
    run: Making::Settable(run),
};

const SCENE: &str = include_str!("../../../scenes/takahashi2016-fig12.toml");
const DRAWN: [u32; 5] = [0, 4, 8, 20, 42];
/// With connections to solids, and without.
const NAMES: [&str; 2] = ["connected", "not connected"];
/// Length of the time at the end over which distances are averaged, in s: the ball swings.
const LATE: f64 = 0.4;

/// How far the cube is from the wall, in m.
fn gap(run: &Simulation) -> f64 {
    let body = &run.world().bodies[0];
    let p = &run.world().particles;
    let cube = (0..p.len()).filter(|&i| p.materials[i] == body.material).map(|i| p.positions[i].x);
    f64::from(cube.fold(f32::INFINITY, f32::min) - 0.5 * run.world().spacing)
}

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let take = |name: &'static str| {
        let own = [format!("material.0.connections.solids={}", name == NAMES[0])];
        Take::new(name, SCENE, (&own, asked), &DRAWN, gap)
    };
    let takes = NAMES.map(take).into_iter().collect::<Result<Vec<_>, _>>()?;
    let taken = run_all(&takes, progress);
    let d = takes[0].scene.spacing;
    let wall = [Shape::Box { min: [-d, 0.0, -0.4], max: [0.0, 0.6, 0.4] }];
    let rows: Vec<Row<'_, f64>> =
        takes.iter().zip(&taken).map(|(take, taken)| Row { take, taken, solids: &wall }).collect();
    let look = Look {
        view: View {
            eye: Vec3::new(1.1, 0.9, 2.1),
            target: Vec3::new(0.45, 0.2, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.48),
        },
        radius: 0.6 * d as f32,
        ground: Some(0.0),
        size: (250, 200),
    };
    Found {
        name: SPEC.name,
        plot: (figure(&taken), "Distance of the cube from the wall."),
        picture: (
            draw::picture(&look, &draw::times(&DRAWN, takes[0].scene.time.fps), (0.001, 0.02), &rows)?,
            "The ball and the cube, with connections to solids (above) and without (below).",
        ),
        curves: vec![
            ("gap_connected".into(), taken[0].curve(|m| *m)),
            ("gap_not_connected".into(), taken[1].curve(|m| *m)),
        ],
        statements: statements(&taken),
        remark: "A ball of radius 0.2 m touches a wall without slip and is thrown at 1.5 m/s at a cube of 600 kg/m³ with an \
                 edge of 0.2 m, which stands 0.48 m from the wall on a floor that lets it slide. Its connections part where they \
                 are 0.13 m long: at 6 supports (β), or at 3 in the smaller ball, whose supports are twice as large. With 3 \
                 the larger one tears off the wall, and the cube is not pulled back.",
    }
    .publish(out)
}

/// Mean over the last [`LATE`] seconds.
fn late(taken: &Taken<f64>) -> f64 {
    let end = taken.samples.last().expect("the start is always there").0;
    let of: Vec<f64> =
        taken.samples.iter().filter(|(time, _)| *time > end - LATE).map(|(_, gap)| *gap).collect();
    of.iter().sum::<f64>() / of.len() as f64
}

/// The largest distance and the least after it.
fn swing(taken: &Taken<f64>) -> (f64, f64) {
    let gaps = taken.curve(|m| *m);
    let most = (0..gaps.len()).max_by(|&a, &b| gaps[a].1.total_cmp(&gaps[b].1)).unwrap_or(0);
    (gaps[most].1, gaps[most..].iter().map(|(_, gap)| *gap).fold(f64::INFINITY, f64::min))
}

fn statements(taken: &[Taken<f64>]) -> Vec<Statement> {
    let [connected, alone] = taken else { unreachable!("two runs") };
    let (start, (most, least)) = (connected.samples[0].1, swing(connected));
    let mut found = vec![
        Statement::below(
            "connected: least distance from the wall, over the largest before",
            (least / most, ""),
            0.8,
        ),
        Statement::below(
            "connected: mean distance at the end over that at the start",
            (late(connected) / start, ""),
            1.0,
        ),
        Statement::above(
            "not connected: mean distance at the end over that at the start",
            (late(alone) / alone.samples[0].1, ""),
            1.0,
        ),
        Statement::note(
            "connected: distance at the start; largest; least after it; mean of the last 0.4 s",
            format!("{start:.3} m; {most:.3} m; {least:.3} m; {:.3} m", late(connected)),
        ),
    ];
    found.extend(taken.iter().flat_map(Taken::statements));
    found
}

fn figure(taken: &[Taken<f64>]) -> Figure {
    Figure::single(Plot {
        title: "The cube's distance from the wall".into(),
        x_label: "time (s)".into(),
        y_label: "distance (m)".into(),
        series: taken.iter().map(|t| Series::new(&*t.name, t.curve(|m| *m), Style::Line)).collect(),
        ..Plot::default()
    })
}
