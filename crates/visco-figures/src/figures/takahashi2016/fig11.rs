//! Fig. 11: spheres with different coefficients are thrown at a dragon.

use super::Found;
use super::draw::{self, Row};
use super::measure::{fluid, lumps, touching};
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
    name: "takahashi2016-fig11",
    title: "spheres are thrown at a solid figure",
    source: "Takahashi et al. 2016, Fig. 11",
    claim: "The paper (section 4.3, Fig. 11) throws spheres with different coefficients one after the other at a static \
            dragon: they merge with each other and adhere to the solid.",
    run: Making::Settable(run),
};

const SCENE: &str = include_str!("../../../scenes/takahashi2016-fig11.toml");
const DRAWN: [u32; 4] = [0, 9, 20, 45];
/// Index of the figure among the walls.
const FIGURE: usize = 1;
const MATERIALS: usize = 3;
/// Height above which fluid is held, in m: that of four particles in the small scene.
const ABOVE: f32 = 0.1;

/// What holds together, and what is where.
struct Stuck {
    lumps: usize,
    /// Part of the fluid at the figure.
    touching: f64,
    /// Part of the fluid that is held above the floor: higher than [`ABOVE`].
    held: f64,
}

fn measure(run: &Simulation) -> Stuck {
    let x = fluid(run);
    let high = x.iter().filter(|x| x.y > ABOVE).count();
    Stuck {
        lumps: lumps(run).len(),
        touching: touching(run, FIGURE),
        held: high as f64 / x.len().max(1) as f64,
    }
}

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let take = |name: &str, solids: bool| {
        let own: Vec<String> =
            (0..MATERIALS).map(|k| format!("material.{k}.connections.solids={solids}")).collect();
        Take::new(name, SCENE, (&own, asked), &DRAWN, measure)
    };
    let takes = [take("connected", true)?, take("not connected", false)?];
    let taken = run_all(&takes, progress);
    let figures = takes[0].scene.boundary.iter().filter(|b| matches!(b.shape, Shape::Mesh(_)));
    let solids: Vec<Shape> = figures.map(|b| b.shape.clone()).collect();
    let rows: Vec<Row<'_, Stuck>> =
        takes.iter().zip(&taken).map(|(take, taken)| Row { take, taken, solids: &solids }).collect();
    let look = Look {
        view: View {
            eye: Vec3::new(0.8, 1.5, 3.6),
            target: Vec3::new(0.0, 0.45, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.5),
        },
        radius: 0.6 * takes[0].scene.spacing as f32,
        ground: Some(0.0),
        size: (300, 260),
    };
    let mut curves = Vec::new();
    for (name, t) in ["connected", "not_connected"].iter().zip(&taken) {
        curves.push((format!("touching_{name}"), t.curve(|m| m.touching)));
        curves.push((format!("held_{name}"), t.curve(|m| m.held)));
        curves.push((format!("lumps_{name}"), t.curve(|m| m.lumps as f64)));
    }
    Found {
        name: SPEC.name,
        plot: (plot(&taken), "Fluid at the figure, fluid above the floor, and lumps."),
        picture: (
            draw::picture(&look, &draw::times(&DRAWN, takes[0].scene.time.fps), (0.002, 0.018), &rows)?,
            "The spheres, from a small (cyan) to a large coefficient (dark cyan), with and without connections to the \
             figure.",
        ),
        curves,
        statements: statements(&taken),
        remark: "Eight spheres of radius 0.18 m with c = 0.002, 0.006 and 0.018 meet a figure 0.9 m large: one made by code, or \
                 the mesh of `--set model=PATH` below, such as the Stanford dragon. At the figure are particles not \
                 farther from it than 1.5 spacings; held are those higher than 0.1 m above the floor. In the second \
                 run nothing is connected with figure and floor, whose pressure and viscosity the fluid feels all the same.",
    }
    .publish(out)
}

fn statements(taken: &[Taken<Stuck>]) -> Vec<Statement> {
    let [stuck, free] = taken else { unreachable!("two runs") };
    let mut found = vec![
        Statement::note("lumps at the start", stuck.samples[0].1.lumps.to_string()),
        Statement::below("connected: lumps at the end", (stuck.last().lumps as f64, ""), 3.0),
        Statement::above(
            "fluid held above the floor at the end: connected over not connected",
            (stuck.last().held / free.last().held, ""),
            1.1,
        ),
        Statement::above(
            "fluid at the figure at the end: connected over not connected",
            (stuck.last().touching / free.last().touching, ""),
            1.1,
        ),
    ];
    for t in taken {
        let last = t.last();
        let text = format!("{:.1} %; {:.1} %", 100.0 * last.touching, 100.0 * last.held);
        found.push(Statement::note(format!("{}: fluid at the figure; held above the floor", t.name), text));
        found.extend(t.statements());
    }
    found
}

fn plot(taken: &[Taken<Stuck>]) -> Figure {
    let panel = |title: &str, y: &str, value: fn(&Stuck) -> f64| draw::panel(taken, (title, y), value);
    Figure {
        title: "Spheres are thrown at a solid figure".into(),
        panels: vec![
            panel("At the figure", "part of the fluid", |m| m.touching),
            panel("Above the floor", "part of the fluid", |m| m.held),
            panel("Lumps", "number", |m| m.lumps as f64),
        ],
        columns: 3,
    }
}
