//! A free block that spins: angular momentum.

use super::{Case, METHODS, Section, Variant, pale, run_all, theory};
use crate::experiments::{Attempt, Block};
use crate::figures::{Progress, Statement, table};
use crate::{Plot, Series, Style};
use std::f64::consts::TAU;
use visco::scene::{Material, Solver};

/// Time steps with their names, in s; the first is drawn dark.
const STEPS: [(f64, &str); 2] = [(1.0 / 240.0, "1/240 s"), (1.0 / 60.0, "1/60 s")];
/// Simulated length, in s: one turn.
const SECONDS: f64 = 1.0;
/// Part of the angular momentum that must be left.
const KEPT: f64 = 0.98;

fn case(variant: &Variant, (dt, name): (f64, &str)) -> Case<'static, Attempt> {
    let block = Block::default();
    let block = Block {
        count: [10, 5, 5],
        height: None,
        dt,
        spin: [0.0, TAU, 0.0],
        solver: Solver::of(variant.method),
        material: Material { viscosity: Some(1e5), ..block.material },
        ..block
    };
    Case {
        name: format!("Δt = {name}, {}", variant.name),
        work: variant.cost() / dt,
        run: Box::new(move || block.attempt(SECONDS, |_| {})),
    }
}

/// L/L₀ that a rigid body is left with where velocities are taken from positions, to first order.
fn first_order(dt: f64, time: f64) -> f64 {
    1.0 / (1.0 + TAU * TAU * dt * time).sqrt()
}

pub(super) fn section(progress: &mut Progress<'_>) -> Section {
    let every = || METHODS.iter().flat_map(|v| STEPS.map(|s| (v, s)));
    let cases: Vec<Case<'_, Attempt>> = every().map(|(v, s)| case(v, s)).collect();
    let attempts = run_all(&cases, progress);
    let (mut series, mut statements, mut notes, mut columns) = (vec![], vec![], vec![], vec![]);
    for ((variant, (dt, name)), attempt) in every().zip(&attempts) {
        let points: Vec<(f64, f64)> = attempt.samples.iter().map(|s| (s.time, s.angular)).collect();
        let end = points.last().map_or(f64::NAN, |p| p.1);
        let about = format!("spinning block, {}, Δt = {name}", variant.name);
        statements.push(Statement::above(format!("{about}: L/L₀ after a turn"), (end, ""), KEPT));
        if let Some(why) = &attempt.failure {
            statements.push(Statement::failed(format!("{about}: ended early"), why.to_string()));
        }
        notes.push(format!("{}, {name}: {end:.4}", variant.name));
        let rate = (1.0 / dt).round();
        columns.push((format!("{}_{rate}hz_time", variant.column), column(&points, |p| p.0)));
        columns.push((format!("{}_{rate}hz", variant.column), column(&points, |p| p.1)));
        series.push(Series {
            name: format!("{}, {name}", variant.name),
            points,
            style: Style::Line,
            color: Some(if name == STEPS[0].1 { variant.color } else { pale(variant.color) }),
        });
    }
    // The dark lines last, on top.
    series.sort_by_key(|s: &Series| s.name.ends_with(STEPS[0].1));
    for (k, (dt, _)) in STEPS.into_iter().enumerate() {
        let curve = (0..=50).map(|k| SECONDS * f64::from(k) / 50.0);
        let name = if k == 0 { "first order" } else { "" };
        series.push(theory(name, curve.map(|t| (t, first_order(dt, t))).collect()));
    }
    let panel = Plot {
        title: "Spinning block: angular momentum".into(),
        x_label: "time (s)".into(),
        y_label: "L/L₀".into(),
        series,
        x_range: Some((0.0, SECONDS)),
        y_range: Some((0.6, 1.05)),
        notes: vec![format!("After a turn: {}.", notes.join("; "))],
        ..Plot::default()
    };
    Section {
        panels: vec![panel],
        statements,
        table: columns,
        remark: "**Spin.** A free block of 10 × 5 × 5 particles, d = 0.1 m, η = 10⁵ Pa·s, turns once a second. Velocities \
                 that are taken from positions, as in the paper, cost a rigid body 1 − 1/√(1 + ω²Δt t) of its angular \
                 momentum (dashed, for both steps); `dcpbd` here turns bodies to second order, and `coupled` solves for \
                 velocities.",
    }
}

fn column(points: &[(f64, f64)], value: fn(&(f64, f64)) -> f64) -> Vec<f64> {
    points.iter().map(|p| table::rounded(value(p))).collect()
}
