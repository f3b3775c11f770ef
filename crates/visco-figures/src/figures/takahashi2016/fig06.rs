//! Fig. 6: a ball dropped onto the ground, by a corotational Maxwell stress and by velocity corrections.

use super::Found;
use super::draw::{self, Row};
use super::measure::{fluid, lumps};
use super::take::{Take, Taken};
use crate::figures::sheet::Look;
use crate::figures::{FigureReport, FigureSpec, Making, Progress, Statement};
use crate::runner::run_all;
use crate::{Figure, FigureError, Lens, Plot, Series, Style, View};
use std::path::Path;
use visco::Simulation;
use visco::glam::Vec3;
use visco::scene::Override;

pub(in super::super) const SPEC: FigureSpec = FigureSpec {
    name: "takahashi2016-fig06",
    title: "large deformation, beside a Maxwell stress by SPH",
    source: "Takahashi et al. 2016, Fig. 6",
    claim: "The paper (section 4.1, Fig. 6) drops a ball by the corotational Maxwell model of Mao and Yang, a stress by \
            SPH, and by velocity corrections. The stress fails to restore the ball after a large deformation, and breaks it \
            into lumps; velocity corrections restore it.",
    run: Making::Settable(run),
};

const SCENE: &str = include_str!("../../../scenes/takahashi2016-fig06.toml");
/// Methods, with shear modulus and viscosity, in Pa and Pa·s. A Maxwell stress is noisy with a thinner solvent.
const RUNS: [(&str, &str, [f64; 2]); 3] = [
    ("maxwell, 1 kPa", "maxwell", [1000.0, 11.0]),
    ("maxwell, 20 kPa", "maxwell", [20_000.0, 48.0]),
    ("velocity_correction", "velocity_correction", [1000.0, 0.5]),
];
const DRAWN: [u32; 4] = [0, 7, 11, 24];

/// The shape of the ball.
struct Shape {
    /// Vertical over horizontal RMS size: 1 of a ball.
    roundness: f64,
    lumps: usize,
}

fn measure(run: &Simulation) -> Shape {
    let x = fluid(run);
    let middle = x.iter().sum::<Vec3>() / x.len() as f32;
    let square = x.iter().map(|&x| (x - middle) * (x - middle)).sum::<Vec3>();
    let roundness = (2.0 * square.y / (square.x + square.z)).sqrt();
    Shape { roundness: f64::from(roundness), lumps: lumps(run).len() }
}

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let take = |(name, method, [modulus, solvent]): (&str, &str, [f64; 2])| {
        let own = [
            format!("method=\"{method}\""),
            format!("material.0.shear_modulus={modulus}"),
            format!("material.0.solvent_viscosity={solvent}"),
        ];
        Take::new(name, SCENE, (&own, asked), &DRAWN, measure)
    };
    let takes = RUNS.map(take).into_iter().collect::<Result<Vec<_>, _>>()?;
    let taken = run_all(&takes, progress);
    let rows: Vec<Row<'_, Shape>> =
        takes.iter().zip(&taken).map(|(take, taken)| Row { take, taken, solids: &[] }).collect();
    let look = Look {
        view: View {
            eye: Vec3::new(0.2, 0.4, 1.3),
            target: Vec3::new(0.0, 0.19, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.42),
        },
        radius: 0.6 * takes[0].scene.spacing as f32,
        ground: Some(0.0),
        size: (250, 220),
    };
    let curves = ["maxwell_1kPa", "maxwell_20kPa", "velocity_correction"]
        .iter()
        .zip(&taken)
        .map(|(name, t)| (format!("roundness_{name}"), t.curve(|m| m.roundness)));
    Found {
        name: SPEC.name,
        plot: (figure(&taken), "Height over width of the ball."),
        picture: (
            draw::picture(&look, &draw::times(&DRAWN, takes[0].scene.time.fps), (0.001, 0.02), &rows)?,
            "The ball by Maxwell stresses and by velocity corrections (below).",
        ),
        curves: curves.collect(),
        statements: statements(&taken),
        remark: "A ball of radius 0.12 m falls 0.2 m on a plane that lets it slide. `maxwell` has a shear modulus of \
                 1 kPa, about that of connections with c = 0.02 in these steps, or of 20 kPa, a solvent of \
                 11 or 48 Pa·s, without which its noise alone tears it, and relaxes in 1000 s; it is \
                 explicit, and divides its steps as it needs, also for as much of that solvent as steadies it (6.6 and \
                 29.5 Pa·s). As soft as the connections it goes to pieces; twenty times as stiff it is flattened less, and \
                 comes back. Height over width is 1 of a ball (RMS sizes), and less at rest \
                 under its weight; a lump has at least 3 % of the particles. The paper's pictures have no numbers; the \
                 limits are ours.",
    }
    .publish(out)
}

fn statements(taken: &[Taken<Shape>]) -> Vec<Statement> {
    // The first place where the ball is flattest, and what of the lost height comes back after it.
    let lowest = |t: &Taken<Shape>| {
        let rises = t.samples.windows(2).position(|pair| pair[1].1.roundness > 1e-3 + pair[0].1.roundness);
        let low = rises.unwrap_or(t.samples.len() - 1);
        (low, t.samples[low].1.roundness)
    };
    let restored = |t: &Taken<Shape>| {
        let (low, flat) = lowest(t);
        let after = t.samples[low..].iter().map(|(_, m)| m.roundness).fold(0.0, f64::max);
        (after - flat) / (1.0 - flat)
    };
    let lumps = |t: &Taken<Shape>| t.most(|m| m.lumps as f64);
    let corrected = taken.last().expect("several runs");
    let mut found = vec![
        Statement::above(
            "velocity_correction: part of the lost height that comes back",
            (restored(corrected), ""),
            0.25,
        ),
        Statement::below("velocity_correction: most lumps", (lumps(corrected), ""), 2.0),
    ];
    found.push(Statement::above("maxwell, 1 kPa: most lumps", (lumps(&taken[0]), ""), 1.0));
    found.push(Statement::note(
        "maxwell, 20 kPa, which is flattened less: most lumps",
        lumps(&taken[1]).to_string(),
    ));
    for t in taken {
        found.push(Statement::note(
            format!(
                "{}: height over width when flat; part of the loss that comes back, in lumps or whole",
                t.name
            ),
            format!("{:.3}; {:.3}", lowest(t).1, restored(t)),
        ));
        found.extend(t.statements());
    }
    found
}

fn figure(taken: &[Taken<Shape>]) -> Figure {
    Figure::single(Plot {
        title: "Height over width of the ball".into(),
        x_label: "time (s)".into(),
        y_label: "height over width".into(),
        series: taken.iter().map(|t| Series::new(&*t.name, t.curve(|m| m.roundness), Style::Line)).collect(),
        ..Plot::default()
    })
}
