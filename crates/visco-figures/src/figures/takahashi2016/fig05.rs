//! Fig. 5: a cube is thrown at a wall, without and with connections to it.

use super::Found;
use super::draw::{self, Row};
use super::measure::{Place, place, touching};
use super::take::{Take, Taken};
use crate::figures::sheet::Look;
use crate::figures::{FigureReport, FigureSpec, Making, Progress, Statement};
use crate::runner::run_all;
use crate::{Figure, FigureError, Lens, View};
use std::path::Path;
use visco::Simulation;
use visco::glam::Vec3;
use visco::scene::{Override, Shape};

pub(in super::super) const SPEC: FigureSpec = FigureSpec {
    name: "takahashi2016-fig05",
    title: "a cube is thrown at a wall",
    source: "Takahashi et al. 2016, Fig. 5",
    claim: "The paper (section 3.2.4, Fig. 5) throws a cube at a wall. Without connections between fluid and solid \
            particles it falls off; with them it sticks.",
    run: Making::Settable(run),
};

const SCENE: &str = include_str!("../../../scenes/takahashi2016-fig05.toml");
const DRAWN: [u32; 4] = [0, 4, 10, 30];
/// Index of the wall.
const WALL: usize = 1;

/// Where the cube is, and what part of it is at the wall.
struct Stuck {
    place: Place,
    touching: f64,
}

fn measure(run: &Simulation) -> Stuck {
    Stuck { place: place(run), touching: touching(run, WALL) }
}

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let take = |name: &str, solids: bool| {
        let own = [format!("material.0.connections.solids={solids}")];
        Take::new(name, SCENE, (&own, asked), &DRAWN, measure)
    };
    let takes = [take("without coupling", false)?, take("with coupling", true)?];
    let taken = run_all(&takes, progress);
    let d = takes[0].scene.spacing;
    let wall = [Shape::Box { min: [-d, 0.0, -0.4], max: [0.0, 0.8, 0.4] }];
    let rows: Vec<Row<'_, Stuck>> =
        takes.iter().zip(&taken).map(|(take, taken)| Row { take, taken, solids: &wall }).collect();
    let look = Look {
        view: View {
            eye: Vec3::new(1.9, 0.9, 1.7),
            target: Vec3::new(0.1, 0.34, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.4),
        },
        radius: 0.6 * d as f32,
        ground: Some(0.0),
        size: (260, 230),
    };
    let mut curves = Vec::new();
    for (name, t) in ["without", "with"].iter().zip(&taken) {
        curves.push((format!("height_{name}"), t.curve(|m| m.place.height)));
        curves.push((format!("touching_{name}"), t.curve(|m| m.touching)));
    }
    Found {
        name: SPEC.name,
        plot: (figure(&taken), "Height of the cube's centre, and what part of it is at the wall."),
        picture: (
            draw::picture(&look, &draw::times(&DRAWN, takes[0].scene.time.fps), (0.001, 0.01), &rows)?,
            "The cube without (above) and with connections to the wall (below).",
        ),
        curves,
        statements: statements(&taken),
        remark: "A cube with an edge of 0.24 m is thrown at 2.5 m/s, 0.4 m above a floor without slip. The wall has \
                 none, either; without coupling the cube only feels its pressure and viscosity, with coupling it is \
                 connected with it as within itself. At the wall are particles not farther from it than 1.5 spacings.",
    }
    .publish(out)
}

fn statements(taken: &[Taken<Stuck>]) -> Vec<Statement> {
    let [without, with] = taken else { unreachable!("two runs") };
    let mut found = vec![
        Statement::below(
            "without coupling: lowest particle at the end",
            (without.last().place.lowest, " m"),
            0.05,
        ),
        Statement::above("with coupling: lowest particle at the end", (with.last().place.lowest, " m"), 0.05),
        Statement::above(
            "with coupling: part of the cube at the wall at the end, over the most before",
            (with.last().touching / with.most(|m| m.touching), ""),
            0.5,
        ),
        Statement::note(
            "height of the centre at the end: without; with",
            format!("{:.3} m; {:.3} m", without.last().place.height, with.last().place.height),
        ),
    ];
    found.extend(taken.iter().flat_map(Taken::statements));
    found
}

fn figure(taken: &[Taken<Stuck>]) -> Figure {
    let panel = |title: &str, y: &str, value: fn(&Stuck) -> f64| draw::panel(taken, (title, y), value);
    Figure {
        title: "A cube is thrown at a wall".into(),
        panels: vec![
            panel("Height of the centre", "height (m)", |m| m.place.height),
            panel("At the wall", "part of the cube", |m| m.touching),
        ],
        columns: 2,
    }
}
