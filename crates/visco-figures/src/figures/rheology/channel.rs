//! Channel flow: the viscosity measured over the one entered.

use super::{Case, Columns, METHODS, Section, Variant, around, limit, listed, run_all, theory};
use crate::experiments::channel::Channel;
use crate::figures::{Progress, Statement, table::rounded};
use crate::{Plot, Series, Style};

/// How far from the viscosity entered.
const ALLOWED: f64 = 0.05;

/// What is varied, all else being as in [`base`].
struct Sweep {
    what: &'static str,
    column: &'static str,
    /// Begins with its space.
    unit: &'static str,
    log: bool,
    /// In that unit.
    values: &'static [f64],
    set: fn(Channel, f64) -> Channel,
}

const SWEEPS: [Sweep; 5] = [
    Sweep {
        what: "time step Δt",
        column: "dt_ms",
        unit: " ms",
        log: true,
        values: &[1.0, 3.0, 10.0, 30.0],
        set: |c, ms| Channel { dt: 1e-3 * ms, ..c },
    },
    Sweep {
        what: "spacing d",
        column: "spacing_mm",
        unit: " mm",
        log: true,
        values: &[5.0, 10.0, 20.0],
        set: |c, mm| Channel { spacing: 1e-3 * mm, ..c },
    },
    Sweep {
        what: "viscosity η",
        column: "viscosity",
        unit: " Pa·s",
        log: true,
        values: &[1.0, 10.0, 100.0, 1e3, 1e4],
        set: |c, viscosity| Channel { viscosity, ..c },
    },
    Sweep {
        what: "tolerance",
        column: "tolerance",
        unit: "",
        log: true,
        values: &[1e-5, 1e-4, 1e-3, 1e-2],
        set: |c, tolerance| Channel { tolerance, ..c },
    },
    Sweep {
        what: "jitter",
        column: "jitter",
        unit: " d",
        log: false,
        values: &[0.0, 0.15, 0.25],
        set: |c, jitter| Channel { jitter, ..c },
    },
];

fn base(variant: &Variant) -> Channel {
    Channel { dt: 0.01, overrides: variant.overrides(), ..Channel::default() }
}

/// Measured over entered, or why there is nothing.
type Ratio = Result<f64, String>;

fn case(variant: &Variant, sweep: &Sweep, value: f64) -> Case<'static, Ratio> {
    let channel = (sweep.set)(base(variant), value);
    Case {
        name: format!("{} {value}{}, {}", sweep.what, sweep.unit, variant.name),
        work: channel.particles() * f64::from(channel.steps_to_steady()) * variant.cost(),
        run: Box::new(move || channel.apparent_viscosity().map_err(|e| e.to_string())),
    }
}

pub(super) fn section(progress: &mut Progress<'_>) -> Section {
    let cases: Vec<Case<'_, Ratio>> = SWEEPS
        .iter()
        .flat_map(|sweep| METHODS.iter().map(move |variant| (sweep, variant)))
        .flat_map(|(sweep, variant)| sweep.values.iter().map(|&value| case(variant, sweep, value)))
        .collect();
    let mut ratios = run_all(&cases, progress).into_iter();
    let mut section = Section {
        remark: "**Channel.** Fluid between two plates with no slip, 0.1 m apart, driven by a body force to \
                 0.02 m/s on the axis, in a periodic cell of six by six spacings. The viscosity measured is that of a \
                 parabola with the same mean speed, after seven times the time that the flow needs to develop. \
                 Where nothing else is said: Δt = 10 ms, d = 10 mm, η = 10 Pa·s, 1000 kg/m³, tolerance 10⁻⁵, a \
                 lattice.",
        ..Section::default()
    };
    for sweep in &SWEEPS {
        let runs: Vec<(&Variant, Vec<Ratio>)> =
            METHODS.iter().map(|v| (v, ratios.by_ref().take(sweep.values.len()).collect())).collect();
        section.statements.extend(runs.iter().flat_map(|(v, found)| statements(v, sweep, found)));
        section.panels.push(panel(sweep, &runs));
        section.table.extend(columns(sweep, &runs));
    }
    section
}

fn error(ratio: &Ratio) -> f64 {
    ratio.as_ref().map_or(f64::NAN, |r| (r - 1.0).abs())
}

/// The worst of a sweep, and every run that failed.
fn statements(variant: &Variant, sweep: &Sweep, found: &[Ratio]) -> Vec<Statement> {
    let Sweep { what, unit, values, .. } = sweep;
    let range = format!("{}…{}{unit}", values[0], values[values.len() - 1]);
    let about = format!("channel, {}, {what} {range}", variant.name);
    let mut list = Vec::new();
    let worst = (0..found.len()).filter(|&k| found[k].is_ok());
    if let Some(k) = worst.max_by(|&a, &b| error(&found[a]).total_cmp(&error(&found[b]))) {
        let text = format!("{about}: η measured/entered, worst at {}{unit}", values[k]);
        let value = found[k].as_ref().map_or(f64::NAN, |r| *r);
        list.push(Statement::within(text, (value, ""), (1.0, ALLOWED)));
    }
    for (value, ratio) in values.iter().zip(found) {
        if let Err(why) = ratio {
            list.push(Statement::failed(format!("{about}: ended at {value}{unit}"), why));
        }
    }
    list
}

fn panel(sweep: &Sweep, runs: &[(&Variant, Vec<Ratio>)]) -> Plot {
    let value = |ratio: &Ratio| ratio.as_ref().map_or(f64::NAN, |r| *r);
    let values = runs.iter().flat_map(|(_, found)| found.iter().map(value));
    let [first, .., last] = *sweep.values else { unreachable!("a sweep has several values") };
    let across = |y: f64| vec![(first, y), (last, y)];
    let mut series =
        vec![limit(across(1.0 - ALLOWED)), limit(across(1.0 + ALLOWED)), theory("", across(1.0))];
    series.extend(runs.iter().map(|(variant, found)| Series {
        name: variant.name.into(),
        points: sweep.values.iter().copied().zip(found.iter().map(value)).collect(),
        style: Style::LineMarkers,
        color: Some(variant.color),
    }));
    let worst = runs.iter().map(|(v, found)| (v.name, super::largest(found.iter().map(error))));
    Plot {
        title: format!("Channel: {}", sweep.what),
        x_label: match sweep.unit.trim() {
            "" => sweep.what.into(),
            unit => format!("{} ({unit})", sweep.what),
        },
        y_label: "η measured / η entered".into(),
        log_x: sweep.log,
        series,
        y_range: around(1.0, 1.2 * ALLOWED, values),
        notes: vec![format!("Largest error: {}. Grey: ±5 %.", listed(worst))],
        ..Plot::default()
    }
}

fn columns(sweep: &Sweep, runs: &[(&Variant, Vec<Ratio>)]) -> Columns {
    let mut columns = vec![(sweep.column.to_owned(), sweep.values.to_vec())];
    for (variant, found) in runs {
        let ratios = found.iter().map(|r| r.as_ref().map_or(f64::NAN, |r| rounded(*r)));
        columns.push((format!("{}_{}", sweep.column, variant.column), ratios.collect()));
    }
    columns
}
