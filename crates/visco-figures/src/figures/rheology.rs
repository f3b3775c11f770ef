//! Every flow with an analytic solution, by every method, beside that solution.
//!
//! A section a file: it runs its experiments and returns panels, statements and a table.

mod channel;
mod couette;
mod extension;
mod iterations;
mod oscillation;
mod shear;
mod spin;
mod start_up;

use std::path::Path;

use super::{FigureReport, FigureSpec, Making, Progress, Statement, report::digits, table};
use crate::plot::PALETTE;
use crate::runner::{Task, run_all};
use crate::{Figure, FigureError, Plot, Series, Style, save};
use visco::scene::{Method, Override};

pub(super) const SPEC: FigureSpec = FigureSpec {
    name: "rheology",
    title: "flows with an analytic solution",
    source: "Analytic rheology",
    claim: "A material is given by what a rheometer measures, and must behave so at any time step, spacing and \
            tolerance: the viscosity entered is the one of a channel flow, a plate drags the fluid as Couette's \
            series says, a polymer starts up, relaxes, oscillates and overshoots as an Oldroyd-B fluid does, and a \
            bar that is pulled resists with 3 η ε̇ and keeps its volume.",
    run: Making::Fixed(run),
};

/// Grey of theory.
const THEORY: [u8; 3] = [70; 3];
/// Grey of limits.
const LIMIT: [u8; 3] = [185; 3];

/// A method, with what else is set of the scene.
#[derive(Clone, Copy, Debug)]
struct Variant {
    /// What the legend says.
    name: &'static str,
    /// What the tables say.
    column: &'static str,
    method: Method,
    /// `FIELD=VALUE` as for `--set`; the material is called `fluid`.
    settings: &'static [&'static str],
    color: [u8; 3],
}

const COUPLED: Variant = Variant {
    name: "coupled",
    column: "coupled",
    method: Method::Coupled,
    settings: &["method=coupled"],
    color: PALETTE[0],
};
const DCPBD: Variant = Variant {
    name: "dcpbd",
    column: "dcpbd",
    method: Method::Dcpbd,
    settings: &["method=dcpbd"],
    color: PALETTE[1],
};

const COUPLED_LINEAR: Variant = Variant {
    name: "coupled, linear",
    column: "coupled_linear",
    settings: &["method=coupled", "material.fluid.model=linear"],
    color: PALETTE[2],
    ..COUPLED
};

/// The methods.
const METHODS: &[Variant] = &[COUPLED, DCPBD];
/// The methods with the models of a polymer.
const MODELS: &[Variant] = &[COUPLED, COUPLED_LINEAR, DCPBD];

impl Variant {
    fn overrides(&self) -> Vec<Override> {
        self.settings.iter().map(|s| Override::parse(s).expect("a setting is FIELD=VALUE")).collect()
    }

    /// A rough cost of a step beside that of the other methods.
    fn cost(&self) -> f64 {
        match self.method {
            Method::Dcpbd => 1.8,
            _ => 1.0,
        }
    }
}

/// An experiment to run, as part of a section.
struct Case<'a, T> {
    name: String,
    work: f64,
    run: Box<dyn Fn() -> T + Sync + 'a>,
}

impl<T: Send> Task for Case<'_, T> {
    type Outcome = T;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn work(&self) -> f64 {
        self.work
    }

    fn run(&self, _: &mut dyn FnMut(f64)) -> T {
        (self.run)()
    }
}

/// Named columns of a table.
type Columns = Vec<(String, Vec<f64>)>;

/// What a section shows.
#[derive(Default)]
struct Section {
    panels: Vec<Plot>,
    statements: Vec<Statement>,
    table: Columns,
    /// How it was measured.
    remark: &'static str,
}

/// Runs a section.
type Run = fn(&mut Progress<'_>) -> Section;

/// Names of the sections' tables, with a part of the work.
const SECTIONS: [(&str, f64, Run); 8] = [
    ("channel", 0.2, channel::section),
    ("couette", 0.1, couette::section),
    ("start-up", 0.15, start_up::section),
    ("shear", 0.1, shear::section),
    ("oscillation", 0.1, oscillation::section),
    ("extension", 0.15, extension::section),
    ("spin", 0.05, spin::section),
    ("iterations", 0.15, iterations::section),
];

fn run(out: &Path, progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let (mut panels, mut statements, mut tables, mut remarks) = (vec![], vec![], vec![], vec![]);
    let mut done = 0.0;
    for (name, part, section) in SECTIONS {
        let section = section(&mut |within, what| progress(done + part * within, &format!("{name}: {what}")));
        done += part;
        panels.extend(section.panels);
        statements.extend(section.statements);
        remarks.push(section.remark.to_owned());
        let path = out.join(format!("{}-{name}.csv", SPEC.name));
        table::write_columns(&path, &section.table)?;
        tables.push(path);
    }
    let figure = Figure { title: "Flows with an analytic solution".into(), panels, columns: 3 };
    let [svg, png] = save(&figure, out.join(SPEC.name))?;
    let mut files = vec![svg, png.clone()];
    files.extend(tables);
    Ok(FigureReport {
        files,
        pictures: vec![(png, "Measured (colours) and theory (dashed).".into())],
        statements,
        remarks,
    })
}

/// A colour mixed with white.
fn pale(color: [u8; 3]) -> [u8; 3] {
    color.map(|c| 255 - (255 - c) / 5 * 2)
}

fn theory(name: &str, points: Vec<(f64, f64)>) -> Series {
    Series { name: name.into(), points, style: Style::Dashed, color: Some(THEORY) }
}

fn limit(points: Vec<(f64, f64)>) -> Series {
    Series { name: String::new(), points, style: Style::Dashed, color: Some(LIMIT) }
}

/// A range around an exact value that holds a part of it and all points.
fn around(exact: f64, part: f64, values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let most = values.filter(|v| v.is_finite()).map(|v| (v - exact).abs()).fold(part * exact, f64::max);
    Some((exact - 1.08 * most, exact + 1.08 * most))
}

/// A number as percent.
fn percent(part: f64) -> String {
    format!("{} %", digits(100.0 * part))
}

/// `coupled 1.2 %, dcpbd 3.4 %`.
fn listed<'a>(errors: impl Iterator<Item = (&'a str, f64)>) -> String {
    errors.map(|(name, error)| format!("{name} {}", percent(error))).collect::<Vec<_>>().join(", ")
}

/// The largest of some values; not a number if one is not.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most, v| if v.is_nan() || v > most { v } else { most })
}

/// Columns of rows that all have the same numbers.
fn columns(names: &[&str], rows: &[Vec<f64>]) -> Columns {
    let column = |k: usize| rows.iter().map(|row| table::rounded(row[k])).collect();
    names.iter().enumerate().map(|(k, name)| ((*name).to_owned(), column(k))).collect()
}
