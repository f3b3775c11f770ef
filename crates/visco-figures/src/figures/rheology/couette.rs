//! A plate starts to drag the fluid.

use super::{Case, METHODS, Section, Variant, columns, listed, run_all, theory};
use crate::experiments::channel::{Channel, Profile, couette_start_up};
use crate::figures::{Progress, Statement};
use crate::{Plot, Series, Style};

/// Times of the profiles, in s, which is also νt/H² here.
const TIMES: [f64; 4] = [0.05, 0.1, 0.3, 1.0];
/// Spacings and time steps, the first of which are drawn, in mm and ms.
const CASES: [(f64, f64); 4] = [(5.0, 2.5), (5.0, 10.0), (10.0, 2.5), (10.0, 10.0)];
/// RMS error that is allowed, in speeds of the plate.
const ALLOWED: f64 = 0.03;

type Profiles = Result<Vec<Profile>, String>;

fn case(variant: &Variant, (mm, ms): (f64, f64)) -> Case<'static, Profiles> {
    let channel =
        Channel { spacing: 1e-3 * mm, dt: 1e-3 * ms, overrides: variant.overrides(), ..Channel::default() };
    Case {
        name: format!("d = {mm} mm, Δt = {ms} ms, {}", variant.name),
        work: channel.particles() / ms * variant.cost(),
        run: Box::new(move || channel.couette(&TIMES).map_err(|e| e.to_string())),
    }
}

pub(super) fn section(progress: &mut Progress<'_>) -> Section {
    let every = || METHODS.iter().flat_map(|v| CASES.map(|c| (v, c)));
    let cases: Vec<Case<'_, Profiles>> = every().map(|(v, c)| case(v, c)).collect();
    let outcomes = run_all(&cases, progress);
    let mut rows = Vec::new();
    let mut statements = Vec::new();
    let mut drawn = Vec::new();
    for (k, ((variant, (mm, ms)), outcome)) in every().zip(outcomes).enumerate() {
        let text = format!("Couette, {}, d = {mm} mm, Δt = {ms} ms: RMS error of u/U", variant.name);
        let profiles = match outcome {
            Ok(profiles) => profiles,
            Err(why) => {
                statements.push(Statement::failed(text, why));
                continue;
            }
        };
        let errors = profiles.iter().zip(TIMES).map(|(p, time)| (p.error().1, time));
        let (error, time) = errors.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::NAN, 0.0));
        let text = format!("{text}, worst at t = {time} s");
        statements.push(Statement::below(text, (100.0 * error, " %"), 100.0 * ALLOWED));
        for p in &profiles {
            let (mean, rms) = p.error();
            rows.push(vec![(k / CASES.len()) as f64, mm, ms, p.time, p.diffused, mean, rms]);
        }
        if (mm, ms) == CASES[0] {
            drawn.push((variant, profiles, error));
        }
    }
    Section {
        panels: vec![panel(&drawn)],
        statements,
        table: columns(
            &["method", "spacing_mm", "dt_ms", "time", "diffused", "mean_error", "rms_error"],
            &rows,
        ),
        remark: "**Couette.** The same fluid at rest, η = 10 Pa·s; the upper plate starts to move with U = 0.1 m/s. Every \
                 particle's velocity is compared with u/U = y/H + Σ (2/nπ)(−1)ⁿ sin(nπy/H) exp(−n²π²νt/H²). In the \
                 tables a method is its number in the legend, from 0.",
    }
}

fn panel(drawn: &[(&Variant, Vec<Profile>, f64)]) -> Plot {
    let mut series: Vec<Series> = TIMES
        .iter()
        .enumerate()
        .map(|(k, &t)| {
            let curve = (0..=80).map(|i| f64::from(i) / 80.0).map(|y| (y, couette_start_up(y, t)));
            theory(if k == 0 { "series" } else { "" }, curve.collect())
        })
        .collect();
    for (which, (variant, profiles, _)) in drawn.iter().enumerate() {
        // Layers take turns, so that no method hides another.
        let points = profiles.iter().flat_map(|p| layers(p).into_iter().skip(which).step_by(drawn.len()));
        series.push(Series {
            name: variant.name.into(),
            points: points.collect(),
            style: Style::Markers,
            color: Some(variant.color),
        });
    }
    let worst = drawn.iter().map(|(variant, _, error)| (variant.name, *error));
    Plot {
        title: "Couette: a plate starts to move".into(),
        x_label: "height y/H".into(),
        y_label: "velocity u/U".into(),
        series,
        x_range: Some((0.0, 1.0)),
        y_range: Some((-0.05, 1.05)),
        notes: vec![
            format!(
                "νt/H² = {}, from right to left. d = {} mm, Δt = {} ms.",
                TIMES.map(|t| t.to_string()).join(", "),
                CASES[0].0,
                CASES[0].1
            ),
            format!("Largest RMS error: {}; allowed {} %.", listed(worst), 100.0 * ALLOWED),
        ],
        ..Plot::default()
    }
}

/// Mean height and velocity of twenty layers.
fn layers(profile: &Profile) -> Vec<(f64, f64)> {
    const COUNT: usize = 20;
    let mut sums = [[0.0; 3]; COUNT];
    for &[y, u, _] in &profile.particles {
        let sum = &mut sums[((y * COUNT as f64) as usize).min(COUNT - 1)];
        *sum = [sum[0] + y, sum[1] + u, sum[2] + 1.0];
    }
    sums.iter().filter(|s| s[2] > 0.0).map(|s| (s[0] / s[2], s[1] / s[2])).collect()
}
