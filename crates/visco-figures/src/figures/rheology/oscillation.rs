//! Small oscillations: storage and loss modulus.

use super::shear::{LAMBDA, material};
use super::{Case, MODELS, Section, Variant, columns, largest, listed, run_all, theory};
use crate::experiments::rheometer::{Moduli, Oscillation, Rheometer};
use crate::figures::{Progress, Statement};
use crate::{Plot, Series, Style};
use std::f64::consts::TAU;

/// ωλ.
const FREQUENCIES: [f64; 5] = [0.2, 0.5, 1.0, 3.0, 10.0];
/// Steps in the shorter of λ and 1/ω, about; the first is drawn.
const STEPS: [f64; 2] = [16.0, 4.0];
/// Strain.
const STRAIN: f64 = 0.02;
/// Error of a modulus that is allowed.
const ALLOWED: f64 = 0.03;

type Run = Result<Oscillation, String>;
/// A modulus, by its name.
type Modulus = (&'static str, fn(&Moduli) -> f64);

const MODULI: [Modulus; 2] = [("G′", |m| m.storage), ("G″", |m| m.loss)];

fn case(variant: &Variant, steps: f64, frequency: f64) -> Case<'static, Run> {
    let (omega, overrides) = (frequency / LAMBDA, variant.overrides());
    // A period is a whole number of steps.
    let in_period = (TAU * steps * frequency.recip().max(1.0)).round();
    let run = move || {
        let rheometer = Rheometer::suited(material(), overrides.clone(), TAU / omega / in_period)?;
        rheometer.oscillation(omega, STRAIN)
    };
    Case {
        name: format!("ωλ = {frequency}, {}, {}", time_step(steps), variant.name),
        // Two periods, and those in which the start is forgotten.
        work: in_period * (3.0 + frequency) * variant.cost(),
        run: Box::new(move || run().map_err(|e| e.to_string())),
    }
}

fn time_step(steps: f64) -> String {
    format!("Δt = min(λ, 1/ω)/{steps}")
}

fn error(o: &Oscillation, modulus: fn(&Moduli) -> f64) -> f64 {
    (modulus(&o.measured) / modulus(&o.theory) - 1.0).abs()
}

pub(super) fn section(progress: &mut Progress<'_>) -> Section {
    let groups = || MODELS.iter().flat_map(|v| STEPS.map(|s| (v, s)));
    let cases: Vec<Case<'_, Run>> = groups().flat_map(|(v, s)| FREQUENCIES.map(|f| case(v, s, f))).collect();
    let mut outcomes = run_all(&cases, progress).into_iter();
    let runs: Vec<((&Variant, f64), Vec<Run>)> =
        groups().map(|group| (group, outcomes.by_ref().take(FREQUENCIES.len()).collect())).collect();
    let mut rows = Vec::new();
    for (k, ((_, steps), group)) in runs.iter().enumerate() {
        for o in group.iter().flatten() {
            let (m, t) = (o.measured, o.theory);
            let which = (k / STEPS.len()) as f64;
            rows.push(vec![which, *steps, o.omega, m.storage, t.storage, m.loss, t.loss]);
        }
    }
    Section {
        statements: runs.iter().flat_map(statements).collect(),
        panels: vec![panel(&runs)],
        table: columns(
            &["method", "steps", "omega", "storage", "storage_theory", "loss", "loss_theory"],
            &rows,
        ),
        remark: "**Oscillation.** The same polymer and gap, with a strain 0.02 sin ωt; moduli are fitted to the last two \
                 periods, after six relaxation times, those of the solvent to the middles of the steps, whose mean rate they have; the time step is a part of the shorter of λ and 1/ω. Theory: G′ = η_p λ ω²/(1 + λ²ω²), \
                 G″ = η_s ω + η_p ω/(1 + λ²ω²).",
    }
}

fn statements(((variant, steps), group): &((&Variant, f64), Vec<Run>)) -> Vec<Statement> {
    let about = format!("oscillation, {}, {}", variant.name, time_step(*steps));
    let mut list = Vec::new();
    for (name, modulus) in MODULI {
        let errors = group.iter().flatten().map(|o| (o, error(o, modulus)));
        if let Some((o, _)) = errors.max_by(|a, b| a.1.total_cmp(&b.1)) {
            let text = format!("{about}: {name}/theory, worst at ωλ = {}", o.omega * LAMBDA);
            let ratio = modulus(&o.measured) / modulus(&o.theory);
            list.push(Statement::within(text, (ratio, ""), (1.0, ALLOWED)));
        }
    }
    let failures = group.iter().filter_map(|run| run.as_ref().err());
    list.extend(failures.map(|why| Statement::failed(about.clone(), why)));
    list
}

fn panel(runs: &[((&'static Variant, f64), Vec<Run>)]) -> Plot {
    let drawn: Vec<(&'static Variant, Vec<&Oscillation>)> = runs
        .iter()
        .step_by(STEPS.len())
        .map(|((variant, _), group)| (*variant, group.iter().flatten().collect()))
        .collect();
    let mut series = Vec::new();
    let rheometer = Rheometer::suited(material(), vec![], LAMBDA);
    if let Ok(exact) = rheometer.and_then(|r| r.theory()) {
        let [low, .., high] = FREQUENCIES;
        let omega = |k: i32| low * (high / low).powf(f64::from(k) / 60.0);
        for (k, (_, modulus)) in MODULI.iter().enumerate() {
            let curve = (0..=60).map(|i| (omega(i), modulus(&exact.moduli(omega(i) / LAMBDA))));
            series.push(theory(if k == 0 { "theory" } else { "" }, curve.collect()));
        }
    }
    for (variant, group) in &drawn {
        for (name, modulus) in MODULI {
            series.push(Series {
                name: format!("{name}, {}", variant.name),
                points: group.iter().map(|o| (o.omega * LAMBDA, modulus(&o.measured))).collect(),
                style: Style::Markers,
                color: Some(variant.color),
            });
        }
    }
    let note = |(name, modulus): Modulus| {
        let worst = drawn.iter().map(|(v, group)| (v.name, largest(group.iter().map(|o| error(o, modulus)))));
        format!("{name}: {}", listed(worst))
    };
    Plot {
        title: "Small oscillations: storage and loss modulus".into(),
        x_label: "frequency ωλ".into(),
        y_label: "modulus (Pa)".into(),
        log_x: true,
        log_y: true,
        series,
        notes: vec![format!("{}. Largest error: {}.", time_step(STEPS[0]), MODULI.map(note).join("; "))],
        ..Plot::default()
    }
}
