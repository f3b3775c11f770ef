//! How a poured rope coils, over the frames of a run.

use super::{Column, Finding, Run, RunError, RunReport};
use crate::experiments::coil_under;
use visco::Frame;

/// Turns in which the rope finds its way: they do not count.
const FIRST_TURNS: f64 = 1.5;
/// Turns that must follow.
const LEAST_TURNS: f64 = 1.0;

/// Turns, radius and height of the settled rope in every frame; frequency and radius once it coils steadily.
pub(super) fn measure(run: &Run) -> Result<RunReport, RunError> {
    let world = &run.world;
    let emitter = match world.emitters.as_slice() {
        [] => return Err(unfit("the scene has no emitter: without a nozzle there is no rope that coils")),
        [emitter] => emitter,
        several => {
            let message =
                format!("the scene has {} emitters; coiling is measured on the rope of one", several.len());
            return Err(RunError::Unfit(message));
        }
    };
    let [x, y, z] = run.gravity;
    if y >= 0.0 || x != 0.0 || z != 0.0 {
        return Err(unfit("coiling is seen from above, along y: gravity must point along −y"));
    }
    if emitter.flow.motion.is_some() && emitter.flow.active.len() > 1 {
        return Err(unfit(
            "the nozzle moves and opens more than once: where it was for each layer is not known",
        ));
    }
    // Ids of the nozzle's particles follow those of the fluid that was there at the start.
    let before = world.particles.len() as u32;
    let [time, turns, radius, height] = run.course(|frame| {
        let found = coil_under(&since(frame, before), emitter);
        [frame.time, found.turns, found.radius, found.height]
    })?;
    // Once the nozzle has closed, nothing coils any more.
    let open = time.partition_point(|t| *t <= emitter.closes());
    let Some(steady) = Steady::find(&time[..open], &turns[..open], &radius[..open]) else {
        let most = turns.iter().fold(0.0_f64, |m, t| m.max(t.abs()));
        let message = format!(
            "the rope has turned {most:.1} times in {} frames; the first {FIRST_TURNS} do not count, and at \
             least {LEAST_TURNS} more is needed",
            time.len()
        );
        return Err(RunError::Unfit(message));
    };
    let Steady { frequency, radius: steady_radius, sense, turns: done, .. } = steady;
    let findings = vec![
        Finding { name: "frequency", value: frequency.0, scatter: frequency.1, unit: "1/s" },
        Finding { name: "radius", value: steady_radius.0, scatter: steady_radius.1, unit: "m" },
        Finding { name: "direction", value: sense, scatter: None, unit: "" },
        Finding { name: "turns", value: turns.last().map_or(0.0, |t| t.abs()), scatter: None, unit: "" },
        Finding { name: "turns_counted", value: done, scatter: None, unit: "" },
    ];
    let columns = vec![
        Column { name: "time", unit: "s", values: time },
        Column { name: "turns", unit: "", values: turns },
        Column { name: "radius", unit: "m", values: radius },
        Column { name: "height", unit: "m", values: height },
    ];
    Ok(RunReport { findings, columns, panels: vec![("turns", vec![1]), ("length", vec![2, 3])] })
}

/// A rope that coils steadily, after its first turns. Values come with their standard deviation, where there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Steady {
    /// Turns a second; their deviation is that of whole turns.
    pub(crate) frequency: (f64, Option<f64>),
    /// Radius, in m.
    pub(crate) radius: (f64, Option<f64>),
    /// 1 counter-clockwise seen from above, −1 clockwise.
    pub(crate) sense: f64,
    /// Turns that count.
    pub(crate) turns: f64,
    /// Index of the first sample that counts.
    pub(crate) start: usize,
}

impl Steady {
    /// Finds it in a course over time, unless too few turns follow the first ones.
    pub(crate) fn find(time: &[f64], turns: &[f64], radius: &[f64]) -> Option<Self> {
        let sense = turns.last()?.signum();
        let start = turns.iter().position(|t| t * sense >= FIRST_TURNS)?;
        let counted: Vec<(f64, f64)> =
            time[start..].iter().zip(&turns[start..]).map(|(&t, &n)| (t, n * sense)).collect();
        let done = counted.last()?.1 - counted[0].1;
        let each = frequencies_of_turns(&counted);
        let radius = &radius[start..];
        (done >= LEAST_TURNS).then(|| Self {
            frequency: (slope(&counted), deviation(&each)),
            radius: (mean(radius), deviation(radius)),
            sense,
            turns: done,
            start,
        })
    }
}

fn unfit(message: &str) -> RunError {
    RunError::Unfit(message.into())
}

/// The particles with ids from `first` on.
fn since(frame: &Frame, first: u32) -> Frame {
    let from = frame.ids.partition_point(|&id| id < first);
    Frame {
        spacing: frame.spacing,
        positions: frame.positions[from..].to_vec(),
        velocities: frame.velocities[from..].to_vec(),
        ..Frame::default()
    }
}

/// Slope of the best line.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let product: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    product / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

/// One over the time that each whole turn took.
fn frequencies_of_turns(points: &[(f64, f64)]) -> Vec<f64> {
    let reached = |turns: f64| {
        let pair = points.windows(2).find(|w| w[0].1 <= turns && w[1].1 > turns)?;
        let part = (turns - pair[0].1) / (pair[1].1 - pair[0].1);
        Some(pair[0].0 + part * (pair[1].0 - pair[0].0))
    };
    let first = points[0].1;
    let times: Vec<f64> = (0..).map_while(|k| reached(first + f64::from(k))).collect();
    times.windows(2).map(|w| 1.0 / (w[1] - w[0])).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Standard deviation, of at least two values.
fn deviation(values: &[f64]) -> Option<f64> {
    let m = mean(values);
    let square = values.iter().map(|v| (v - m).powi(2)).sum::<f64>();
    (values.len() > 1).then(|| (square / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequency_and_scatter_of_turns() {
        let steady: Vec<(f64, f64)> =
            (0..200).map(|k| (0.02 * f64::from(k), 2.0 * 0.02 * f64::from(k))).collect();
        assert!((slope(&steady) - 2.0).abs() < 1e-9);
        let each = frequencies_of_turns(&steady);
        assert_eq!(each.len(), 7, "{each:?}");
        assert!(deviation(&each).unwrap() < 1e-9);
        // Every other turn takes twice as long.
        let uneven: Vec<(f64, f64)> =
            vec![(0.0, 0.0), (1.0, 1.0), (3.0, 2.0), (4.0, 3.0), (6.0, 4.0), (7.0, 5.0)];
        let each = frequencies_of_turns(&uneven);
        assert_eq!(each, [1.0, 0.5, 1.0, 0.5]);
        assert!((deviation(&each).unwrap() - 0.25 * (4.0_f64 / 3.0).sqrt()).abs() < 1e-9);
        assert_eq!(deviation(&[1.0]), None);
    }
}
