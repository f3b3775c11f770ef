//! Iterations of the velocity solve over the number of particles.

use super::{COUPLED, Case, METHODS, Section, Variant, columns, pale, run_all};
use crate::experiments::{Attempt, Block};
use crate::figures::{Progress, Statement, report::digits};
use crate::plot::PALETTE;
use crate::{Plot, Series, Style};
use visco::flow::Preconditioner;
use visco::methods::{coupled, dcpbd};
use visco::scene::{Material, Method, Solver};

/// Particles along an edge.
const SIDES: [u32; 3] = [10, 20, 40];
/// Viscosities with their names, in Pa·s.
const VISCOSITIES: [(f64, &str); 3] = [(1.0, "1"), (1e3, "10³"), (1e6, "10⁶")];
/// Edge of the block, in m.
const EDGE: f64 = 0.4;
/// Time step, in s.
const DT: f64 = 1.0 / 240.0;
/// Steps over which the mean is taken, the first included.
const STEPS: f64 = 5.0;
/// Most iterations of a step.
const MOST: u32 = 1000;
/// The multilevel preconditioner may take this many times the iterations with 64 times the particles, or so few that it
/// does not matter.
const GROWTH: f64 = 2.0;
const FEW: f64 = 10.0;

const PRECONDITIONERS: [Preconditioner; 2] = [Preconditioner::Block, Preconditioner::Multilevel];

fn word(preconditioner: Preconditioner) -> &'static str {
    match preconditioner {
        Preconditioner::Block => "block",
        Preconditioner::Multilevel => "multilevel",
    }
}

fn solver(preconditioner: Preconditioner, method: Method) -> Solver {
    let max_velocity_iterations = MOST;
    match method {
        Method::Dcpbd => {
            let defaults = dcpbd::Params::default();
            Solver::Dcpbd(dcpbd::Params { max_velocity_iterations, preconditioner, ..defaults })
        }
        Method::Coupled => {
            let defaults = coupled::Params::default();
            Solver::Coupled(coupled::Params { max_velocity_iterations, preconditioner, ..defaults })
        }
        // They have no velocity solve with a choice of preconditioners.
        _ => Solver::of(method),
    }
}

/// A line of the panel: method, preconditioner, viscosity.
type Line = (&'static Variant, Preconditioner, (f64, &'static str));

fn lines() -> impl Iterator<Item = Line> {
    METHODS
        .iter()
        .flat_map(|v| PRECONDITIONERS.map(|p| (v, p)))
        .flat_map(|(v, p)| VISCOSITIES.map(|viscosity| (v, p, viscosity)))
}

fn particles(side: u32) -> f64 {
    f64::from(side).powi(3)
}

fn case((variant, preconditioner, (viscosity, name)): Line, side: u32) -> Case<'static, Attempt> {
    let block = Block::default();
    let block = Block {
        count: [side; 3],
        spacing: EDGE / f64::from(side),
        height: Some(0.0),
        dt: DT,
        solver: solver(preconditioner, variant.method),
        material: Material { viscosity: Some(viscosity), ..block.material },
        ..block
    };
    Case {
        name: format!("{side}³ particles, η = {name} Pa·s, {}, {}", word(preconditioner), variant.name),
        work: particles(side) * variant.cost(),
        run: Box::new(move || block.attempt(STEPS * DT, |_| {})),
    }
}

/// Mean over the steps that were asked for; not a number if it ended before.
fn iterations(attempt: &Attempt) -> f64 {
    match attempt.failure {
        Some(_) => f64::NAN,
        None => attempt.samples.iter().map(|s| f64::from(s.velocity_iterations)).sum::<f64>() / STEPS,
    }
}

pub(super) fn section(progress: &mut Progress<'_>) -> Section {
    let cases: Vec<Case<'_, Attempt>> = lines().flat_map(|line| SIDES.map(|side| case(line, side))).collect();
    let attempts = run_all(&cases, progress);
    let counts: Vec<[f64; 3]> =
        attempts.chunks(SIDES.len()).map(|three| [0, 1, 2].map(|k| iterations(&three[k]))).collect();
    let found: Vec<(Line, [f64; 3])> = lines().zip(counts).collect();
    let row = |side: usize| {
        let mut row = vec![particles(SIDES[side])];
        row.extend(found.iter().map(|(_, counts)| counts[side]));
        row
    };
    let mut names = vec!["particles".to_owned()];
    names.extend(found.iter().map(|((v, p, (eta, _)), _)| format!("{}_{}_{eta}", v.column, word(*p))));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Section {
        panels: vec![panel(&found)],
        statements: found.iter().map(statement).collect(),
        table: columns(&names, &[row(0), row(1), row(2)]),
        remark: "**Iterations.** A cube of 0.4 m rests on a frictionless plane under gravity; Δt = 1/240 s, tolerance 10⁻³, \
                 mean over the first five steps. With little diffusion in a step (η = 1 Pa·s) `coupled` leaves the grids \
                 out.",
    }
}

fn statement((line, counts): &(Line, [f64; 3])) -> Statement {
    let (variant, preconditioner, (_, eta)) = line;
    let text = format!(
        "iterations with 1k, 8k, 64k particles, {}, {}, η = {eta} Pa·s",
        variant.name,
        word(*preconditioner)
    );
    let told = Statement::note(text, counts.map(digits).join(", "));
    match preconditioner {
        Preconditioner::Block => told,
        Preconditioner::Multilevel => Statement {
            expected: format!("64k: < {GROWTH} × 1k, or < {FEW}"),
            holds: Some(counts[2] < FEW || counts[2] < GROWTH * counts[0]),
            ..told
        },
    }
}

/// The panel has room for one method; the table has them all.
fn panel(found: &[(Line, [f64; 3])]) -> Plot {
    let colors = [PALETTE[5], COUPLED.color, PALETTE[6]];
    let drawn = found.iter().filter(|((v, _, _), _)| v.column == COUPLED.column);
    let series = drawn.map(|((_, preconditioner, (viscosity, eta)), counts)| {
        let k = VISCOSITIES.iter().position(|(v, _)| v == viscosity).unwrap_or(0);
        let block = *preconditioner == Preconditioner::Block;
        Series {
            name: format!("{}, η = {eta}", word(*preconditioner)),
            points: SIDES.iter().map(|&n| particles(n)).zip(*counts).collect(),
            style: if block { Style::Dashed } else { Style::LineMarkers },
            color: Some(if block { pale(colors[k]) } else { colors[k] }),
        }
    });
    Plot {
        title: format!("Iterations of a step, {}", COUPLED.name),
        x_label: "particles".into(),
        y_label: "iterations".into(),
        log_x: true,
        log_y: true,
        series: series.collect(),
        y_range: Some((1.0, 200.0)),
        notes: vec![
            "Block on a floor, η in Pa·s, Δt = 1/240 s, tolerance 10⁻³; mean over five steps.".into(),
        ],
        ..Plot::default()
    }
}
