//! A polymer in a channel starts to flow and overshoots.

use super::{Case, Columns, MODELS, Section, Variant, largest, listed, pale, run_all, theory};
use crate::experiments::channel::{AxisVelocity, Channel, waters_king};
use crate::figures::{Progress, Statement, table::rounded};
use crate::{Plot, Series, Style};

/// E = λη/(ρh²) and β = η_s/η.
const FLUID: (f64, f64) = (1.0, 1.0 / 9.0);
/// Length, in units of ρh²/η.
const UNTIL: f64 = 8.0;
/// Spacings, in mm, and steps in a unit of time; the first is drawn dark, the second pale.
const CASES: [(f64, f64); 4] = [(5.0, 80.0), (5.0, 20.0), (5.0, 40.0), (10.0, 80.0)];
/// Rows of the table in a unit of time.
const ROWS: f64 = 20.0;
/// Error that is allowed, over the largest velocity.
const ALLOWED: f64 = 0.05;

type Flow = Result<Vec<AxisVelocity>, String>;
/// What came of a variant in one of the cases.
type Run = ((&'static Variant, (f64, f64)), Flow);

fn case(variant: &Variant, (mm, steps): (f64, f64)) -> Case<'static, Flow> {
    let channel = Channel { spacing: 1e-3 * mm, overrides: variant.overrides(), ..Channel::default() };
    let channel = Channel { dt: channel.diffusion_time() / steps, ..channel };
    Case {
        name: format!("{}, {}", describe((mm, steps)), variant.name),
        work: channel.particles() * steps * variant.cost(),
        run: Box::new(move || channel.start_up(FLUID, UNTIL).map_err(|e| e.to_string())),
    }
}

fn describe((mm, steps): (f64, f64)) -> String {
    format!("d = {mm} mm, Δt = λ/{steps}")
}

/// Largest error over the largest velocity of theory.
fn error(flow: &[AxisVelocity]) -> f64 {
    largest(flow.iter().map(|v| (v.measured - v.theory).abs())) / largest(flow.iter().map(|v| v.theory))
}

pub(super) fn section(progress: &mut Progress<'_>) -> Section {
    let every = || MODELS.iter().flat_map(|v| CASES.map(|c| (v, c)));
    let cases: Vec<Case<'_, Flow>> = every().map(|(v, c)| case(v, c)).collect();
    let flows: Vec<Run> = every().zip(run_all(&cases, progress)).collect();
    let statement = |((variant, case), flow): &Run| {
        let text = format!("Waters & King, {}, {}: largest error", variant.name, describe(*case));
        match flow {
            Ok(flow) => Statement::below(text, (100.0 * error(flow), " % of the peak"), 100.0 * ALLOWED),
            Err(why) => Statement::failed(text, why),
        }
    };
    Section {
        statements: flows.iter().map(statement).collect(),
        panels: vec![panel(&flows)],
        table: table(&flows),
        remark: "**Waters & King.** An Oldroyd-B fluid at rest in the channel, λη/(ρh²) = 1 with h half the height, \
                 η_s = η/9, is driven by a body force. The mean velocity of the two layers next to the axis is compared \
                 with the series of Waters and King (1970) at their heights, after every step. The error falls with Δt, and with \
                 steps of λ/20 is above what is expected with every method.",
    }
}

fn panel(flows: &[Run]) -> Plot {
    let exact = (0..=400).map(|k| UNTIL * f64::from(k) / 400.0);
    let mut series = Vec::new();
    for which in [1, 0] {
        for ((variant, case), flow) in flows {
            if let (Ok(flow), true) = (flow, *case == CASES[which]) {
                series.push(Series {
                    name: format!("{}, Δt = λ/{}", variant.name, case.1),
                    points: flow.iter().map(|v| (v.time, v.measured)).collect(),
                    style: Style::Line,
                    color: Some(if which == 0 { variant.color } else { pale(variant.color) }),
                });
            }
        }
    }
    series.push(theory("series", exact.map(|t| (t, waters_king(0.0, t, FLUID))).collect()));
    let drawn = flows.iter().filter(|((_, case), _)| *case == CASES[0]);
    let errors = drawn.map(|((v, _), flow)| (v.name, flow.as_ref().map_or(f64::NAN, |flow| error(flow))));
    Plot {
        title: "Waters & King: start-up of a polymer in a channel".into(),
        x_label: "time tη/(ρh²)".into(),
        y_label: "velocity on the axis / steady mean".into(),
        series,
        x_range: Some((0.0, UNTIL)),
        y_range: Some((0.0, 2.8)),
        notes: vec![format!(
            "d = {} mm. Largest error over the peak, Δt = λ/{}: {}.",
            CASES[0].0,
            CASES[0].1,
            listed(errors)
        )],
        ..Plot::default()
    }
}

fn table(flows: &[Run]) -> Columns {
    let times: Vec<f64> = (1..=(UNTIL * ROWS) as u32).map(|k| f64::from(k) / ROWS).collect();
    let exact = times.iter().map(|&t| rounded(waters_king(0.0, t, FLUID))).collect();
    let mut columns = vec![("time".to_owned(), times), ("axis".to_owned(), exact)];
    for ((variant, (mm, steps)), flow) in flows {
        let every = (steps / ROWS).round() as usize;
        let values = flow.iter().flatten().skip(every - 1).step_by(every).map(|v| rounded(v.measured));
        columns.push((format!("{}_{mm}mm_{steps}", variant.column), values.collect()));
    }
    columns
}
