//! Fig. 2 and 3 of Barreiro et al. 2017: very viscous blocks by other people's viscosity in position-based fluids.

use std::f64::consts::TAU;
use std::path::Path;

use super::jobs::{Job, Outcome, run_all};
use super::report::digits;
use super::{FigureReport, FigureSpec, Making, Progress, Statement, sheet, table};
use crate::experiments::Block;
use crate::plot::PALETTE;
use crate::{Figure, FigureError, Lens, Plot, Series, Style, View, save, save_png};
use glam::Vec3;
use visco::flow::DensityConstraint;
use visco::methods::dcpbd;
use visco::methods::pbf::{Params, Viscosity};
use visco::scene::{Material, Method, Solver};

pub(super) const FIG02: FigureSpec = FigureSpec {
    name: "barreiro2017-fig02",
    title: "a viscous block on the ground, by conformation and by length constraints",
    source: "Barreiro et al. 2017, Fig. 2",
    claim: "The paper (section 2, Fig. 2) drops a block of highly viscous material with its own method and with the \
            viscous position-based fluids of Takahashi et al. 2014, which keep the lengths between neighbours. Theirs \
            do not prevent drift, unless they make the block elastic.",
    run: Making::Fixed(|out, progress| DROPPED.make(out, progress)),
};

pub(super) const FIG03: FigureSpec = FigureSpec {
    name: "barreiro2017-fig03",
    title: "a spinning viscous beam, by constraints and by velocities alone",
    source: "Barreiro et al. 2017, Fig. 3",
    claim: "The paper (section 2, Fig. 3) lets a beam of highly viscous material turn about the vertical axis without \
            forces, with its own method and with a viscosity after Peer et al. 2015 in position-based fluids. That one \
            makes velocities rigid, but does not remove the drift of positions.",
    run: Making::Fixed(|out, progress| SPINNING.make(out, progress)),
};

/// Viscosity, in Pa·s: at these sizes and times nothing should flow.
const VISCOSITY: f64 = 1e6;
/// Time step, in s.
const STEP: f64 = 1.0 / 240.0;

/// A method beside the others.
struct Contender {
    name: &'static str,
    column: &'static str,
    solver: fn() -> Solver,
    color: [u8; 3],
}

const CONTENDERS: [Contender; 3] = [
    Contender { name: "dcpbd", column: "dcpbd", solver: dcpbd, color: PALETTE[0] },
    Contender {
        name: "coupled",
        column: "coupled",
        solver: || Solver::of(Method::Coupled),
        color: PALETTE[2],
    },
    Contender {
        name: "pbf, XSPH",
        column: "pbf_xsph",
        solver: || pbf_equality(Viscosity::Xsph, 10),
        color: PALETTE[3],
    },
];

/// What holds a beam together that spins: density as an equality, softened so that it is stable.
fn pbf_equality(viscosity: Viscosity, iterations: u32) -> Solver {
    let density = DensityConstraint::Equality;
    Solver::Pbf(Params { viscosity, iterations, density, softness: 1.0, ..Params::default() })
}

/// What leaves a block on the ground as it is but for its viscosity: nothing that pulls particles together, or apart.
fn pbf_lengths(iterations: u32) -> Solver {
    let viscosity = Viscosity::Lengths;
    Solver::Pbf(Params { viscosity, iterations, tensile_strength: 0.0, ..Params::default() })
}

/// The paper's method, with as many position iterations as it takes.
fn dcpbd() -> Solver {
    Solver::Dcpbd(dcpbd::Params { position_iterations: 20, ..dcpbd::Params::default() })
}

/// One of the two figures.
struct Comparison {
    spec: &'static FigureSpec,
    block: fn() -> Block,
    /// Length of what is shown, in s.
    seconds: f64,
    /// Times of the pictures, in s.
    times: [f64; 3],
    /// What ours are compared with.
    others: &'static [Contender],
    view: fn() -> (View, Option<f32>),
    remark: &'static str,
}

const DROPPED: Comparison = Comparison {
    spec: &FIG02,
    block: || Block { height: Some(0.5), ..Block::default() },
    seconds: 1.5,
    times: [0.3, 0.6, 1.5],
    others: &[
        Contender {
            name: "pbf, lengths, 10 iterations",
            column: "pbf_lengths_10",
            solver: || pbf_lengths(10),
            color: PALETTE[1],
        },
        Contender {
            name: "pbf, lengths, 40 iterations",
            column: "pbf_lengths_40",
            solver: || pbf_lengths(40),
            color: PALETTE[4],
        },
        Contender {
            name: "pbf, lengths, 200 iterations",
            column: "pbf_lengths_200",
            solver: || pbf_lengths(200),
            color: PALETTE[5],
        },
    ],
    view: || {
        let eye = Vec3::new(2.2, 1.6, 4.2);
        let target = Vec3::new(0.0, 0.45, 0.0);
        (View { eye, target, up: Vec3::Y, lens: Lens::Perspective(0.42) }, Some(0.0))
    },
    remark: "A cube of 1000 particles (d = 0.1 m, 1000 kg/m³, 10⁶ Pa·s) falls 0.5 m on a frictionless plane, \
             Δt = 1/240 s, 1.5 s. Drift is the RMS distance from the best rigid fit of the undeformed cube. Lengths are \
             those at the start of a step, kept fully (k = 1 at this viscosity), in the same iterations as density, without \
             anything that pulls particles together or apart; with 200 iterations a step they keep the block nearly in shape. \
             `dcpbd` has no compliance, as in the paper, 20 position iterations, and at most 60 of the velocities.",
};

const SPINNING: Comparison = Comparison {
    spec: &FIG03,
    // An equality of the density draws a lattice together at its surface, which is no drift by the spin: the measure begins
    // with what that has left.
    block: || Block {
        count: [20, 4, 4],
        height: None,
        spin: [0.0, TAU, 0.0],
        settles: 1.0,
        ..Block::default()
    },
    seconds: 1.0,
    times: [0.25, 0.5, 1.0],
    others: &[
        Contender {
            name: "pbf, velocities, 10 iterations",
            column: "pbf_reconstruction_10",
            solver: || pbf_equality(Viscosity::Reconstruction, 10),
            color: PALETTE[1],
        },
        Contender {
            name: "pbf, velocities, 40 iterations",
            column: "pbf_reconstruction_40",
            solver: || pbf_equality(Viscosity::Reconstruction, 40),
            color: PALETTE[4],
        },
    ],
    view: || {
        let eye = Vec3::new(0.0, 3.6, 2.6);
        (View { eye, target: Vec3::new(0.0, 0.2, 0.0), up: Vec3::Y, lens: Lens::Perspective(0.5) }, None)
    },
    remark: "A beam of 20 × 4 × 4 particles (d = 0.1 m, 1000 kg/m³, 10⁶ Pa·s) turns once a second in free space, \
             Δt = 1/240 s; drift and angular momentum are measured in the second turn, from what the beam is after the \
             first, in which the equality of the density draws it together at its surface, turning or not. Velocities are \
             reconstructed from the gradient without its shear (ξ ≈ 0 at this viscosity) after every density solve, which \
             is an equality (ε = 1): without that the beam flies apart. By XSPH it has flown apart in the first turn, out of \
             the picture. `dcpbd` has no compliance, as in the paper, and 20 position iterations.",
};

impl Comparison {
    fn contenders(&self) -> Vec<&Contender> {
        CONTENDERS[..2].iter().chain(self.others).chain(&CONTENDERS[2..]).collect()
    }

    fn make(&self, out: &Path, progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
        let contenders = self.contenders();
        let job = |c: &&Contender| Job {
            name: c.name.into(),
            block: Block {
                dt: STEP,
                material: Material {
                    density: Some(1000.0),
                    viscosity: Some(match (c.solver)() {
                        Solver::Dcpbd(_) => f64::INFINITY,
                        _ => VISCOSITY,
                    }),
                    ..Material::named("material")
                },
                solver: (c.solver)(),
                ..(self.block)()
            },
            seconds: self.seconds,
            snapshots: self.times.to_vec(),
        };
        let jobs: Vec<Job> = contenders.iter().map(job).collect();
        let outcomes = run_all(&jobs, progress);
        let base = out.join(self.spec.name);
        let [svg, png] = save(&self.figure(&contenders, &outcomes), &base)?;
        let columns = contenders.iter().zip(&outcomes).flat_map(|(c, o)| {
            [
                (format!("{}_drift", c.column), o.curve(|s| s.drift)),
                (format!("{}_height", c.column), o.curve(|s| s.center.y)),
            ]
        });
        let csv =
            table::write_curves(out.join(format!("{}.csv", self.spec.name)), &columns.collect::<Vec<_>>())?;
        let pictures = out.join(format!("{}-particles.png", self.spec.name));
        save_png(&self.picture(&contenders, &outcomes)?, &pictures)?;
        Ok(FigureReport {
            files: vec![csv, svg, png.clone(), pictures.clone()],
            pictures: vec![
                (png, "Drift over time.".into()),
                (pictures, "The particles, coloured by where they were at the start.".into()),
            ],
            statements: self.statements(&contenders, &outcomes),
            remarks: vec![self.remark.into()],
        })
    }

    fn statements(&self, contenders: &[&Contender], outcomes: &[Outcome]) -> Vec<Statement> {
        let mut found = Vec::new();
        let drift = |o: &Outcome| if o.failure.is_some() { f64::NAN } else { o.last().drift };
        for (c, o) in contenders.iter().zip(outcomes) {
            let spins = if o.last().angular.is_finite() { "; L/L₀" } else { "" };
            let mut values = format!("{} d", digits(drift(o)));
            if !spins.is_empty() {
                values += &format!("; {}", digits(o.last().angular));
            }
            found.push(Statement::note(format!("{}: drift at the end{spins}", c.name), values));
            if let Some(why) = &o.failure {
                found.push(Statement::failed(format!("{}: ended early", c.name), why));
            }
        }
        for (c, o) in contenders.iter().zip(outcomes).take(2) {
            found.push(Statement::below(format!("{}: drift at the end", c.name), (drift(o), " d"), 0.1));
        }
        // Not `f64::min`, to which what has no number is no hindrance.
        let less = |a: f64, b: f64| if a.is_nan() || a < b { a } else { b };
        let best = outcomes[2..CONTENDERS.len() + self.others.len() - 1].iter().map(drift).reduce(less);
        let best = best.expect("there are others");
        for (c, o) in contenders.iter().zip(outcomes).take(2) {
            let text = format!("drift of the best of the others over that of {}", c.name);
            found.push(Statement::above(text, (best / drift(o), ""), 2.0));
        }
        found
    }

    fn figure(&self, contenders: &[&Contender], outcomes: &[Outcome]) -> Figure {
        let series = contenders.iter().zip(outcomes).map(|(c, o)| Series {
            name: c.name.into(),
            points: o.curve(|s| s.drift.max(1e-5)),
            style: Style::Line,
            color: Some(c.color),
        });
        Figure::single(Plot {
            title: "Drift from a rigid motion".into(),
            x_label: "time (s)".into(),
            y_label: "RMS drift (spacings)".into(),
            log_y: true,
            series: series.collect(),
            x_range: Some((0.0, self.seconds)),
            ..Plot::default()
        })
    }

    fn picture(
        &self,
        contenders: &[&Contender],
        outcomes: &[Outcome],
    ) -> Result<crate::RgbImage, FigureError> {
        let (view, ground) = (self.view)();
        let block = (self.block)();
        let look = sheet::Look { view, radius: 0.55 * block.spacing as f32, ground, size: (300, 220) };
        let colors = layers(&block);
        let rows: Vec<String> = contenders.iter().map(|c| c.name.replace(" iterations", "")).collect();
        let columns = self.times.map(|t| format!("t = {t} s"));
        let cell = |o: &'_ Outcome, k: usize| o.snapshots.get(k).cloned();
        let snapshots: Vec<Option<Vec<Vec3>>> =
            outcomes.iter().flat_map(|o| (0..self.times.len()).map(move |k| cell(o, k))).collect();
        let cells: Vec<Option<sheet::Cell<'_>>> = snapshots
            .iter()
            .map(|s| s.as_ref().map(|positions| sheet::Cell { positions, colors: &colors }))
            .collect();
        sheet::draw(&look, (&rows, &columns), &cells)
    }
}

/// A colour for every other layer along x, so that drift inside shows.
fn layers(block: &Block) -> Vec<[u8; 3]> {
    let [nx, ny, nz] = block.count.map(|n| n as usize);
    let frame = visco::Simulation::new(&block.scene(block.dt)).expect("a block overlaps nothing").frame();
    let width = nx as f32 * block.spacing as f32;
    debug_assert_eq!(frame.len(), nx * ny * nz);
    let layer = |x: &Vec3| ((x.x + 0.5 * width) / block.spacing as f32) as usize;
    frame
        .positions
        .iter()
        .map(|x| if layer(x).is_multiple_of(2) { [214, 60, 145] } else { [250, 205, 45] })
        .collect()
}
