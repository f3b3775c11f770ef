//! How a fluid is pulled until it parts, over the frames of a run.

use super::{Column, Finding, Run, RunError, RunReport};
use crate::experiments::thread::{Plates, Thread, ThreadSample};

/// Way of the plate, narrowest section and height of the piece that is left, in every frame; stretched length and shrinking
/// time.
pub(super) fn measure(run: &Run) -> Result<RunReport, RunError> {
    let Some(plates) = Plates::find(&run.world) else {
        let message = format!(
            "a pull is measured between two grips that move apart, with free fluid between them; grips in the scene: {}",
            run.world.grips.len()
        );
        return Err(RunError::Unfit(message));
    };
    let sample = |s: ThreadSample| [s.time, s.way, s.piece, s.narrowest, f64::from(u8::from(s.parted))];
    let [time, way, piece, narrowest, parted] =
        run.course(|frame| sample(plates.sample(frame.time, &frame.ids, &frame.positions)))?;
    let samples = (0..time.len()).map(|k| ThreadSample {
        time: time[k],
        way: way[k],
        piece: piece[k],
        narrowest: narrowest[k],
        parted: parted[k] > 0.0,
    });
    let thread = Thread { samples: samples.collect(), height: plates.height() };
    let find = |name, value, unit| Finding { name, value, scatter: None, unit };
    let mut findings = vec![find("way", way.last().copied().unwrap_or(0.0), "m")];
    findings.extend(thread.last_whole().map(|s| find("narrowest_before_it_parts", s.narrowest, "")));
    findings.extend(thread.parted().map(|s| find("stretched_length", s.way, "m")));
    findings.extend(thread.shrinking().map(|time| find("shrinking_time", time, "s")));
    let columns = vec![
        Column { name: "time", unit: "s", values: time },
        Column { name: "way", unit: "m", values: way },
        Column { name: "piece", unit: "m", values: piece },
        Column { name: "narrowest", unit: "", values: narrowest },
    ];
    let panels = vec![("length", vec![1, 2]), ("narrowest section, over that at the start", vec![3])];
    Ok(RunReport { findings, columns, panels })
}
