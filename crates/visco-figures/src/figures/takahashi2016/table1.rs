//! Table 1: seconds per frame of the paper's scenes at its numbers of particles.

use super::take::Take;
use crate::figures::report::digits;
use crate::figures::{FigureReport, FigureSpec, Making, Progress, Statement, table};
use crate::files::write_atomically;
use crate::{Figure, FigureError, Plot, Series, Style, save};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use visco::scene::Override;

mod rows;

pub(in super::super) const SPEC: FigureSpec = FigureSpec {
    name: "takahashi2016-table1",
    title: "seconds per frame",
    source: "Takahashi et al. 2016, Table 1",
    claim: "The paper (Table 1) tells the simulation time per frame of its scenes, on four cores of an Intel Core i7 at \
            3.4 GHz, and that velocity corrections are about 1.3 % of it. A frame is taken to be 1/30 s. The aim here: \
            three times faster per frame on two cores, with corrections (eqs. 5 to 11) below 5 % of a step. To make and \
            remove connections (Algorithm 1) is told apart.",
    run: Making::Settable(run),
};

/// Frames that are timed, from the contact on: half a second.
const TIMED: u32 = 15;

/// What makes the pressure solve that of the paper: relaxed Jacobi.
const RELAXED: &str = "solver.pressure_spread=1";

/// The part of a step that velocity corrections are to stay below, in %.
const MOST_CORRECTIONS: f64 = 5.0;

/// What a scene took.
struct Timing {
    fluid: usize,
    seconds: f64,
    /// Seconds of all cores, where the system tells.
    processor: Option<f64>,
    steps: f64,
    iterations: f64,
    /// Part of the time that velocity corrections took.
    corrections: f64,
    /// Part of it that making and removing connections took.
    connections: f64,
    failure: Option<String>,
}

impl Timing {
    /// Part of the time that corrections and connections took.
    fn both(&self) -> f64 {
        self.corrections + self.connections
    }
}

fn run(out: &Path, asked: &[Override], progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let all = |more: &[&str]| -> Result<Vec<Take<()>>, FigureError> {
        let mut changes = vec![Override::parse("quality=full").expect("a change")];
        changes.extend_from_slice(asked);
        changes.extend(more.iter().map(|change| Override::parse(change).expect("a change")));
        let take = |row: &rows::Row| {
            let own: Vec<String> = row.changes.iter().map(|&change| change.to_owned()).collect();
            Take::new(row.figure, row.text, (&own, &changes), &[], |_| ())
        };
        rows::ROWS.iter().map(take).collect()
    };
    let (takes, published) = (all(&[])?, all(&[RELAXED])?);
    let work: Vec<f64> = takes.iter().map(|take| take.start().particle_count() as f64).collect();
    let whole: f64 = work.iter().sum();
    let mut timings = Vec::new();
    for (k, (row, take)) in rows::ROWS.iter().zip(&takes).enumerate() {
        let done = work[..k].iter().sum::<f64>();
        progress(done / whole, &take.name);
        let ours = time(take, row.before);
        // What the paper compares with is not told apart by its pressure solve.
        let relaxed = (!row.is_compared_with()).then(|| {
            progress((done + 0.5 * work[k]) / whole, &format!("{}, relaxed Jacobi", take.name));
            time(&published[k], row.before)
        });
        timings.push((ours, relaxed));
    }
    publish(out, &timings)
}

/// Seconds of all threads of this process so far.
fn processor_seconds() -> Option<f64> {
    // Fields 14 and 15, counted after the name in parentheses, in hundredths of a second.
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

/// The processor's name, where the system tells.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn time(take: &Take<()>, before: u32) -> Timing {
    let mut run = take.start().clone();
    let mut timing = Timing {
        fluid: take.fluid(),
        seconds: f64::NAN,
        processor: None,
        steps: 0.0,
        iterations: 0.0,
        corrections: 0.0,
        connections: 0.0,
        failure: None,
    };
    let (mut clock, mut used) = (Instant::now(), processor_seconds());
    let mut inside = 0.0;
    for number in 0..before + TIMED {
        if number == before {
            (clock, used) = (Instant::now(), processor_seconds());
        }
        let done = run.advance_frame(|report| {
            if number >= before {
                timing.steps += 1.0;
                timing.iterations += f64::from(report.velocity_iterations);
                timing.corrections += report.seconds_corrections - report.seconds_connections;
                timing.connections += report.seconds_connections;
                inside += report.seconds_total;
            }
            ControlFlow::Continue(())
        });
        if let Err(error) = done {
            timing.failure = Some(error.to_string());
            return timing;
        }
    }
    let frames = f64::from(TIMED);
    timing.seconds = clock.elapsed().as_secs_f64() / frames;
    timing.processor = used.zip(processor_seconds()).map(|(a, b)| (b - a) / frames);
    timing.iterations /= timing.steps.max(1.0);
    timing.steps /= frames;
    let inside = inside.max(f64::MIN_POSITIVE);
    timing.corrections /= inside;
    timing.connections /= inside;
    timing
}

/// A scene by our pressure solve, and by the paper's.
type Pair = (Timing, Option<Timing>);

/// The table as text: a row for each scene, with empty cells where nothing was measured.
fn rows_of(timings: &[Pair]) -> String {
    const COLUMNS: [&str; 15] = [
        "figure",
        "fluid_particles",
        "paper_seconds_per_frame",
        "seconds_per_frame",
        "processor_seconds_per_frame",
        "steps_per_frame",
        "iterations_per_step",
        "part_of_corrections",
        "part_of_connections",
        "relaxed_jacobi_seconds_per_frame",
        "relaxed_jacobi_processor_seconds_per_frame",
        "relaxed_jacobi_steps_per_frame",
        "relaxed_jacobi_iterations_per_step",
        "relaxed_jacobi_part_of_corrections",
        "relaxed_jacobi_part_of_connections",
    ];
    let cell = |value: f64| match value.is_finite() {
        true => table::rounded(value).to_string(),
        false => String::new(),
    };
    let mut text = COLUMNS.join(",") + "\n";
    for (row, (ours, relaxed)) in rows::ROWS.iter().zip(timings) {
        // Nothing is corrected in what the paper compares with.
        let of = |t: &Timing| {
            let parts = if row.is_compared_with() { [f64::NAN; 2] } else { [t.corrections, t.connections] };
            [t.seconds, t.processor.unwrap_or(f64::NAN), t.steps, t.iterations, parts[0], parts[1]].map(cell)
        };
        let mut cells = vec![row.figure.to_owned(), ours.fluid.to_string(), cell(row.seconds)];
        cells.extend(of(ours));
        cells.extend(relaxed.as_ref().map_or_else(Default::default, of));
        text += &(cells.join(",") + "\n");
    }
    text
}

fn publish(out: &Path, timings: &[Pair]) -> Result<FigureReport, FigureError> {
    let [svg, png] = save(&figure(timings), out.join(SPEC.name))?;
    let csv = out.join(format!("{}.csv", SPEC.name));
    write_atomically(&csv, rows_of(timings).as_bytes())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let name = processor().map_or(String::new(), |name| format!(" ({name})"));
    Ok(FigureReport {
        files: vec![csv, svg, png.clone()],
        pictures: vec![(png, "Seconds per frame of the paper and here.".into())],
        statements: rows::ROWS
            .iter()
            .zip(timings)
            .flat_map(|(row, pair)| statements(row, pair))
            .chain(speed_together(timings))
            .chain(parts_of_all(
                "part of velocity corrections (paper: 1.3 %)",
                own(timings).map(|(_, t, _)| t),
            ))
            .chain(parts_of_all(
                "by relaxed Jacobi, as published: part of velocity corrections",
                own(timings).filter_map(|(_, _, relaxed)| relaxed),
            ))
            .collect(),
        remarks: vec![
            format!(
                "Measured on {cores} cores{name}, whatever else ran on them; processor seconds are of all threads. Each \
                 scene is timed once by either pressure solve, over {TIMED} frames of 1/30 s at the paper's number of \
                 fluid particles, beginning with the contact: things start near what they meet, with the speed that they \
                 meet it with. The spheres of Fig. 11 meet a figure made by code while they are timed; Fig. 7 and 9 are \
                 timed from 0.2 s, as the board comes down, and Fig. 13 as the stream comes out. Boundary particles are made only where fluid comes near. The paper's speeds, time steps and \
                 coefficients are not given; those here are of the pages of these figures, with ρ = 1000 kg/m³ and 0.5 Pa·s, and Δt is \
                 1/960 s (1/1140 s of Fig. 9, 1/1080 s of Fig. 13), and steps in which a particle would \
                 move more than 0.8 spacings are divided. Iterations are Chebyshev's after the first four, but for the rows \
                 that say relaxed Jacobi: that is the paper's pressure solve, and a step with it takes longer. For Fig. 7 the \
                 paper used 100 pressure iterations; here they end with the criterion, as everywhere. Fig. 6 (top), \
                 7 (middle) and 9 (middle) are of what the paper compares with: a corotational Maxwell stress of 1 kPa, here \
                 on the same implicit SPH, shape matching with w = 0.9, and springs. Velocity corrections are all that \
                 eqs. 5 to 11 ask for: ends of connections are copied, their pulls summed, velocities and coefficients \
                 changed. To make and remove connections is Algorithm 1. The paper does not say whether its 1.3 % has both. \
                 Each thread takes the time of either for each of its chunks of particles; the time of the loop is divided \
                 in that proportion. Lists of connections that are sorted with the particles, every 20 steps, count as \
                 search of neighbours."
            ),
            "Corrections read every connection once a step, whatever else a step takes: their part is the larger, the fewer \
             iterations there are, and depends on the processor. Over the two \
             frames after the contact, on an AMD EPYC, it was 1.5 to 5.2 %, with 11 of 13 below 5 %, and 3.4 % of all \
             together. The Maxwell stress of Fig. 6 (top) is explicit here as there; its time \
             step is not known."
                .into(),
        ],
    })
}

fn statements(row: &rows::Row, (t, relaxed): &Pair) -> Vec<Statement> {
    if let Some(why) = &t.failure {
        return vec![Statement::failed(format!("Fig. {}: ended early", row.figure), why)];
    }
    let speed = Statement::above(
        format!("Fig. {}: the paper's {} s over ours", row.figure, row.seconds),
        (row.seconds / t.seconds, ""),
        3.0,
    );
    let used = t.processor.map_or(String::new(), |s| format!("; {} s of processor", digits(s)));
    let frame = Statement::note(
        format!("Fig. {}: a frame, {} particles (paper: {})", row.figure, t.fluid, row.fluid),
        format!(
            "{} s{used}; {} steps of {} ms; {} iterations",
            digits(t.seconds),
            digits(t.steps),
            digits(1e3 * t.seconds / t.steps),
            digits(t.iterations)
        ),
    );
    let mut found = vec![speed];
    if !row.is_compared_with() {
        let part = format!("Fig. {}: part of velocity corrections", row.figure);
        found.push(Statement::below(part, (100.0 * t.corrections, " %"), MOST_CORRECTIONS));
        found.push(Statement::note(
            format!("Fig. {}: with making and removing connections", row.figure),
            format!("{} %", digits(100.0 * t.both())),
        ));
    }
    found.extend(relaxed.as_ref().map(|relaxed| {
        let what = format!("Fig. {}: the same by relaxed Jacobi, as published", row.figure);
        match &relaxed.failure {
            Some(why) => Statement::failed(what, why),
            None => Statement::note(
                what,
                format!(
                    "{} %, {} %; {} iterations; {} s a frame",
                    digits(100.0 * relaxed.corrections),
                    digits(100.0 * relaxed.both()),
                    digits(relaxed.iterations),
                    digits(relaxed.seconds)
                ),
            ),
        }
    }));
    found.push(frame);
    found
}

/// The rows of the method itself, with their timings.
fn own(timings: &[Pair]) -> impl Iterator<Item = (&'static rows::Row, &Timing, Option<&Timing>)> {
    let all = rows::ROWS.iter().zip(timings).map(|(row, (t, relaxed))| (row, t, relaxed.as_ref()));
    all.filter(|(row, ..)| !row.is_compared_with())
}

/// How much faster all scenes of the method that came to their end are, taken together.
fn speed_together(timings: &[Pair]) -> Option<Statement> {
    let done: Vec<(f64, f64)> = own(timings)
        .filter(|(_, t, _)| t.failure.is_none())
        .map(|(row, t, _)| (row.seconds, t.seconds))
        .collect();
    let (paper, ours) = done.iter().fold((0.0, 0.0), |sum, (paper, ours)| (sum.0 + paper, sum.1 + ours));
    (!done.is_empty()).then(|| {
        let what = format!(
            "{} scenes with velocity corrections together: the paper's {} s over ours",
            done.len(),
            digits(paper)
        );
        Statement::note(what, digits(paper / ours))
    })
}

/// The part of velocity corrections in the time of all scenes that came to their end, without and with connections.
fn parts_of_all<'a>(what: &str, timings: impl Iterator<Item = &'a Timing>) -> Vec<Statement> {
    let done: Vec<&Timing> = timings.filter(|t| t.failure.is_none()).collect();
    if done.is_empty() {
        return vec![];
    }
    let whole: f64 = done.iter().map(|t| t.seconds).sum();
    let part = |more: &str, value: fn(&Timing) -> f64| {
        let part = done.iter().map(|t| value(t) * t.seconds).sum::<f64>() / whole;
        let text = format!("{} scenes together: {what}{more}", done.len());
        Statement::below(text, (100.0 * part, " %"), MOST_CORRECTIONS)
    };
    vec![part("", |t| t.corrections), part(", with making and removing connections", Timing::both)]
}

fn figure(timings: &[Pair]) -> Figure {
    let points = |value: &dyn Fn(usize) -> (f64, f64)| (0..timings.len()).map(value).collect::<Vec<_>>();
    let series =
        |name: &str, value: &dyn Fn(usize) -> (f64, f64)| Series::new(name, points(value), Style::Markers);
    let fluid = |k: usize| timings[k].0.fluid as f64;
    Figure::single(Plot {
        title: "Seconds per frame".into(),
        x_label: "particles of fluid".into(),
        y_label: "seconds".into(),
        log_x: true,
        log_y: true,
        series: vec![
            series("Takahashi et al. 2016, four cores", &|k| (fluid(k), rows::ROWS[k].seconds)),
            series("visco", &|k| (fluid(k), timings[k].0.seconds)),
        ],
        ..Plot::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scenes_have_the_paper_s_numbers_of_particles() {
        for row in rows::ROWS {
            let own: Vec<String> = row.changes.iter().map(|&change| change.to_owned()).collect();
            let full = [Override::parse("quality=full").unwrap()];
            let take = Take::new(row.figure, row.text, (&own, &full), &[], |_| ()).unwrap();
            let given = 1e3 * row.fluid.trim_end_matches('k').parse::<f64>().unwrap();
            let ratio = take.fluid() as f64 / given;
            assert!((0.97..1.03).contains(&ratio), "Fig. {}: {} for {given}", row.figure, take.fluid());
        }
    }
}
