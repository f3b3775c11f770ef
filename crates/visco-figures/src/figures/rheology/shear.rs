//! Shear that starts and stops: shear stress, first normal stress difference, relaxation.

use super::{Case, Columns, MODELS, Section, Variant, largest, listed, pale, run_all, theory};
use crate::experiments::Block;
use crate::experiments::rheometer::{Course, Rheometer, ShearStress};
use crate::figures::{Progress, Statement, table::rounded};
use crate::{Plot, Series, Style};
use visco::scene::Material;

/// Relaxation time, in s.
pub(super) const LAMBDA: f64 = 0.5;
/// γ̇λ.
const WEISSENBERG: f64 = 1.0;
/// Shear stops after so many relaxation times.
const SHEARED: f64 = 5.0;
/// Length, in relaxation times.
const UNTIL: f64 = 8.0;
/// Steps in a relaxation time; the first is drawn dark, the last pale.
const STEPS: [f64; 3] = [100.0, 30.0, 10.0];
/// Errors that are allowed: of shear stress and of N₁, over the largest of theory.
const ALLOWED: [f64; 2] = [0.03, 0.05];
/// Rows of the table in a relaxation time.
const ROWS: f64 = 10.0;

/// η_p = 9, η_s = 1 Pa·s, 1000 kg/m³.
pub(super) fn material() -> Material {
    Material {
        viscosity: Some(10.0),
        relaxation_time: Some(LAMBDA),
        solvent_viscosity: Some(1.0),
        ..Block::default().material
    }
}

type Run = Result<Course, String>;
/// A stress, as a part of its steady value.
type Part = fn(&ShearStress) -> f64;

/// What is drawn, over its steady value η γ̇ or 2 η_p λ γ̇².
const QUANTITIES: [(&str, &str, Part); 2] = [
    ("shear stress", "σ_xy / (η γ̇)", |s| s.shear * LAMBDA / (10.0 * WEISSENBERG)),
    ("first normal stress difference", "N₁ / (2 η_p λ γ̇²)", |s| {
        s.normal * LAMBDA / (18.0 * WEISSENBERG * WEISSENBERG)
    }),
];

fn case(variant: &Variant, steps: f64) -> Case<'static, Run> {
    let overrides = variant.overrides();
    let run = move || {
        let rheometer = Rheometer::suited(material(), overrides.clone(), LAMBDA / steps)?;
        rheometer.relaxation(WEISSENBERG / LAMBDA, SHEARED * LAMBDA, UNTIL * LAMBDA)
    };
    Case {
        name: format!("Δt = λ/{steps}, {}", variant.name),
        work: steps * variant.cost(),
        run: Box::new(move || run().map_err(|e| e.to_string())),
    }
}

/// Largest difference from theory during shear, or after it.
fn error(course: &Course, part: Part, sheared: bool) -> f64 {
    let stop = (SHEARED + 1e-6) * LAMBDA;
    let pairs = course.measured.iter().zip(&course.theory).filter(|(m, _)| (m.time <= stop) == sheared);
    largest(pairs.map(|(m, t)| (part(m) - part(t)).abs())) / largest(course.theory.iter().map(part))
}

pub(super) fn section(progress: &mut Progress<'_>) -> Section {
    let every = || MODELS.iter().flat_map(|v| STEPS.map(|s| (v, s)));
    let cases: Vec<Case<'_, Run>> = every().map(|(v, s)| case(v, s)).collect();
    let runs: Vec<((&Variant, f64), Run)> = every().zip(run_all(&cases, progress)).collect();
    Section {
        statements: runs.iter().flat_map(|((v, steps), run)| statements(v, *steps, run)).collect(),
        panels: QUANTITIES.iter().map(|q| panel(q, &runs)).collect(),
        table: table(&runs),
        remark: "**Shear.** A polymer of η_p = 9, η_s = 1 Pa·s, λ = 0.5 s in a gap of eight particles, narrow enough that \
                 inertia does not count, is sheared with γ̇ = 1/λ for 5 λ; then the plate stops. Stress is the mean over \
                 all particles. Errors are the largest differences from σ_xy = η_s γ̇ + η_p γ̇ (1 − e^(−t/λ)) and \
                 N₁ = 2 η_p λ γ̇² [1 − e^(−t/λ)(1 + t/λ)], and from the decay e^(−t/λ) after the stop, over the largest \
                 values of theory. N₁ is of second order in the strain: a polymer that is linear within a step (`dcpbd`, and \
                 `coupled, linear`) has it to first order in Δt.",
    }
}

fn statements(variant: &Variant, steps: f64, run: &Run) -> Vec<Statement> {
    let about = format!("shear, {}, Δt = λ/{steps}", variant.name);
    let course = match run {
        Ok(course) => course,
        Err(why) => return vec![Statement::failed(about, why)],
    };
    let statement = |(what, sheared, k): (&str, bool, usize)| {
        let error = error(course, QUANTITIES[k].2, sheared);
        Statement::below(format!("{about}: error of {what}"), (100.0 * error, " %"), 100.0 * ALLOWED[k])
    };
    let rows = [
        ("σ_xy in start-up", true, 0),
        ("N₁ in start-up", true, 1),
        ("σ_xy in relaxation", false, 0),
        ("N₁ in relaxation", false, 1),
    ];
    rows.map(statement).to_vec()
}

fn panel((title, label, part): &(&str, &str, Part), runs: &[((&Variant, f64), Run)]) -> Plot {
    let curve = |stresses: &[ShearStress]| {
        stresses.iter().map(|s| (s.time / LAMBDA, part(s))).collect::<Vec<(f64, f64)>>()
    };
    let at = |k: usize| runs.iter().skip(k).step_by(STEPS.len());
    let mut series = Vec::new();
    for (k, faint) in [(STEPS.len() - 1, true), (0, false)] {
        for ((variant, steps), run) in at(k) {
            let points = run.as_ref().map_or(vec![], |course| curve(&course.measured));
            let color = if faint { pale(variant.color) } else { variant.color };
            let name = format!("{}, λ/{steps}", variant.name);
            series.push(Series { name, points, style: Style::Line, color: Some(color) });
        }
    }
    if let Some(course) = at(0).find_map(|(_, run)| run.as_ref().ok()) {
        series.push(theory("theory", curve(&course.theory)));
    }
    let worst = |((v, _), run): &((&Variant, f64), Run)| {
        let most = |c: &Course| error(c, *part, true).max(error(c, *part, false));
        (v.name, run.as_ref().map_or(f64::NAN, most))
    };
    let notes: Vec<String> = (STEPS.iter().enumerate())
        .map(|(k, steps)| format!("Δt = λ/{steps}: {}", listed(at(k).map(worst))))
        .collect();
    Plot {
        title: format!("Start and stop of shear: {title}"),
        x_label: "time t/λ".into(),
        y_label: (*label).into(),
        series,
        x_range: Some((0.0, UNTIL)),
        notes: vec![format!("Largest error. {}.", notes.join("; "))],
        ..Plot::default()
    }
}

fn table(runs: &[((&Variant, f64), Run)]) -> Columns {
    let times: Vec<f64> = (1..=(UNTIL * ROWS) as u32).map(|k| f64::from(k) / ROWS).collect();
    let mut columns = vec![("time_over_lambda".to_owned(), times)];
    let mut add = |name: &str, steps: f64, stresses: &[ShearStress]| {
        let every = (steps / ROWS).round() as usize;
        for ((_, _, part), what) in QUANTITIES.iter().zip(["shear", "normal"]) {
            let values = stresses.iter().skip(every - 1).step_by(every).map(|s| rounded(part(s)));
            columns.push((format!("{name}_{what}"), values.collect()));
        }
    };
    for (k, ((variant, steps), run)) in runs.iter().enumerate() {
        let Ok(course) = run else { continue };
        if k == 0 {
            add("theory", *steps, &course.theory);
        }
        add(&format!("{}_{steps}", variant.column), *steps, &course.measured);
    }
    columns
}
