//! Runs of one scene by several methods, side by side.

use super::{Run, RunError, extent};
use crate::experiments::measure::drift_and_turn;
use crate::files::{FigureError, write_csv};
use crate::plot::{Figure, Plot, Series, Style, save};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use visco::Frame;
use visco::glam::{Quat, Vec3};
use visco::particles::Motion;
use visco_io::{DiagnosticsTable, RunFolder, ply};

/// What one method made of the scene, over its frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// The method.
    pub name: String,
    /// Times of the frames, in s.
    pub time: Vec<f64>,
    /// RMS distance of the fluid that was there at the start from the best rigid motion of each of its materials, in
    /// spacings. Empty where there was none.
    pub drift: Vec<f64>,
    /// Volume that the particles occupy by their densities, over that at rest: what compression leaves of it.
    pub volume: Vec<f64>,
    /// Σ m/ρ over that of the first frame, in which fluid less dense than at rest counts too. Empty where fluid comes or
    /// goes.
    pub plain_volume: Vec<f64>,
    /// Mean density error in the frame.
    pub density_error: Vec<f64>,
    /// Kinetic, potential and elastic energy, in J.
    pub energy: Vec<f64>,
    /// Iterations of all solves in a step, a mean over the frame.
    pub iterations: Vec<f64>,
    /// Seconds of computing since the start.
    pub seconds: Vec<f64>,
    /// Steps since the start.
    pub steps: Vec<f64>,
}

/// One scene by several methods.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The methods, as they were given.
    pub sides: Vec<Side>,
}

/// A quantity of a [`Side`]: its name in files, title and axis of its plot, and where it is.
type Quantity = (&'static str, &'static str, &'static str, fn(&Side) -> &[f64]);

const QUANTITIES: [Quantity; 7] = [
    ("drift", "Drift from a rigid motion", "drift (spacings)", |s| &s.drift),
    ("volume", "Volume left by compression", "occupied volume / volume at rest", |s| &s.volume),
    ("plain_volume", "Volume by plain Σ m/ρ", "Σ m/ρ over that at the start", |s| &s.plain_volume),
    ("density_error", "Density error", "mean error", |s| &s.density_error),
    ("energy", "Energy: kinetic, potential, elastic", "energy (J)", |s| &s.energy),
    ("iterations", "Iterations", "iterations in a step", |s| &s.iterations),
    ("seconds", "Time to compute", "seconds since the start", |s| &s.seconds),
];

/// Reads the runs of one scene by several methods, given by name and folder. A run that ended early counts as far as it
/// came.
pub fn compare_runs(runs: &[(String, PathBuf)]) -> Result<Comparison, RunError> {
    let sides = runs.iter().map(|(name, folder)| side(name, folder)).collect::<Result<_, _>>()?;
    Ok(Comparison { sides })
}

fn side(name: &str, folder: &Path) -> Result<Side, RunError> {
    let run = Run::open(folder, 1)?;
    let mut side = Side { name: name.into(), ..Side::default() };
    let mut shapes = Vec::new();
    let mut counts = BTreeSet::new();
    for path in &run.frames {
        let frame = ply::read(path)?;
        if side.time.is_empty() {
            shapes = Shape::of_materials(&run, &frame);
        }
        side.time.push(frame.time);
        side.drift.extend(drift(&mut shapes, &frame));
        side.volume.push(extent::occupied_part(&run, &frame));
        side.plain_volume.push(extent::plain_part(&run, &frame));
        counts.insert(frame.len());
    }
    match side.plain_volume.first().copied() {
        Some(first) if counts.len() == 1 => side.plain_volume.iter_mut().for_each(|v| *v /= first),
        _ => side.plain_volume.clear(),
    }
    let table = DiagnosticsTable::read(&RunFolder::new(folder).diagnostics())?;
    side.add_steps(&table);
    Ok(side)
}

impl Side {
    /// What the rows of the steps say, frame by frame. The first frame is before all steps.
    fn add_steps(&mut self, table: &DiagnosticsTable) {
        let column = |name: &str| table.column(name).unwrap_or_default();
        let (time, dt) = (column("time"), column("dt"));
        let energies = ["kinetic_energy", "potential_energy", "elastic_energy"].map(column);
        let iterations = ["velocity_iterations", "position_iterations"].map(column);
        let (seconds, error) = (column("seconds_total"), column("density_error_mean"));
        let (mut from, mut spent) = (0, 0.0);
        for &end in &self.time {
            // Half a step of room: time is a sum of steps.
            let count =
                time[from..].iter().zip(&dt[from..]).take_while(|(t, dt)| **t < end + 0.5 * **dt).count();
            let rows = from..from + count;
            let sum = |values: &[f64]| values[rows.clone()].iter().sum::<f64>();
            let mean = |values: &[f64]| sum(values) / count as f64;
            spent += sum(seconds);
            self.iterations.push(iterations.iter().map(|values| mean(values)).sum());
            self.density_error.push(mean(error));
            let last = rows.end.checked_sub(1).filter(|_| count > 0);
            self.energy.push(last.map_or(f64::NAN, |k| energies.iter().map(|e| e[k]).sum()));
            self.seconds.push(spent);
            self.steps.push(rows.end as f64);
            from = rows.end;
        }
    }

    fn curve(&self, values: &[f64]) -> Vec<(f64, f64)> {
        let finite = |p: &(f64, f64)| p.1.is_finite();
        self.time.iter().copied().zip(values.iter().copied()).filter(finite).collect()
    }

    /// The last value of a quantity that is a number.
    pub fn last(values: &[f64]) -> Option<f64> {
        values.iter().copied().rfind(|x| x.is_finite())
    }

    /// The mean of the values that are numbers.
    pub fn mean(values: &[f64]) -> Option<f64> {
        let finite = || values.iter().filter(|x| x.is_finite());
        let count = finite().count();
        (count > 0).then(|| finite().sum::<f64>() / count as f64)
    }
}

/// The fluid of one material that is there at the start.
struct Shape {
    ids: Vec<u32>,
    rest: Vec<Vec3>,
    turn: Quat,
}

impl Shape {
    fn of_materials(run: &Run, first: &Frame) -> Vec<Self> {
        let particles = &run.world.particles;
        let fluid = (0..particles.len()).filter(|&i| !matches!(particles.motions[i], Motion::Body(_)));
        let mut members: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
        for i in fluid {
            members.entry(particles.materials[i]).or_default().push(particles.ids[i]);
        }
        let shape = |ids: Vec<u32>| {
            let (ids, rest) = ids.iter().filter_map(|id| Some((*id, place(first, *id)?))).unzip();
            Self { ids, rest, turn: Quat::IDENTITY }
        };
        members.into_values().map(shape).collect()
    }

    /// Number of particles, and their RMS distance from the best rigid motion, in m.
    fn drift(&mut self, frame: &Frame) -> (f64, f64) {
        let there = self.ids.iter().zip(&self.rest).filter_map(|(id, x)| Some((place(frame, *id)?, *x)));
        let (positions, rest): (Vec<Vec3>, Vec<Vec3>) = there.unzip();
        let (drift, turn) = drift_and_turn(&positions, &rest, self.turn);
        self.turn = turn;
        (positions.len() as f64, drift)
    }
}

/// RMS over all shapes, in spacings.
fn drift(shapes: &mut [Shape], frame: &Frame) -> Option<f64> {
    let (mut count, mut squares) = (0.0, 0.0);
    for (n, drift) in shapes.iter_mut().map(|shape| shape.drift(frame)) {
        count += n;
        squares += n * drift * drift;
    }
    (count > 0.0).then(|| (squares / count).sqrt() / f64::from(frame.spacing))
}

fn place(frame: &Frame, id: u32) -> Option<Vec3> {
    frame.ids.binary_search(&id).ok().map(|k| frame.positions[k])
}

impl Comparison {
    /// Writes `compare.csv` and the plots `compare.svg` and `compare.png` into a folder, and returns the files.
    pub fn save(&self, title: &str, folder: &Path) -> Result<Vec<PathBuf>, FigureError> {
        let csv = folder.join("compare.csv");
        let longest = self.sides.iter().map(|s| &s.time[..]).max_by_key(|t| t.len()).unwrap_or_default();
        let mut columns: Vec<(String, &[f64])> = vec![("time".into(), longest)];
        for (name, .., of) in QUANTITIES {
            for side in &self.sides {
                let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
                let side_name: String = side.name.replace(", ", "_").chars().map(plain).collect();
                columns.push((format!("{name}_{side_name}"), of(side)));
            }
        }
        let columns: Vec<(&str, &[f64])> = columns.iter().map(|(name, v)| (name.as_str(), *v)).collect();
        write_csv(&csv, &columns)?;
        let [svg, png] = save(&self.figure(title), folder.join("compare"))?;
        Ok(vec![csv, png, svg])
    }

    fn figure(&self, title: &str) -> Figure {
        let panel = |(_, title, label, of): &Quantity| {
            let drawn = self.sides.iter().filter(|side| !of(side).is_empty());
            Plot {
                title: (*title).into(),
                x_label: "time (s)".into(),
                y_label: (*label).into(),
                series: drawn.map(|s| Series::new(s.name.clone(), s.curve(of(s)), Style::Line)).collect(),
                ..Plot::default()
            }
        };
        let panels = QUANTITIES.iter().map(panel).filter(|plot| !plot.series.is_empty()).collect();
        Figure { title: title.into(), panels, columns: 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_gathered_into_the_frames_that_they_lead_to() {
        let text = "step,time,dt,velocity_iterations,position_iterations,density_error_mean,kinetic_energy,\
                    potential_energy,elastic_energy,seconds_total\n\
                    1,0.1,0.1,3,1,0.01,5,1,0,2\n\
                    2,0.2,0.1,5,1,0.03,4,1,0.5,4\n\
                    3,0.30000000000000004,0.1,7,1,0.02,3,1,0,8\n";
        let table = DiagnosticsTable::parse(text).expect("a table");
        let mut side = Side { time: vec![0.0, 0.2, 0.3, 0.4], ..Side::default() };
        side.add_steps(&table);
        assert_eq!(side.iterations[1..3], [5.0, 8.0]);
        assert_eq!(side.energy[1..3], [5.5, 4.0]);
        assert_eq!(side.seconds, [0.0, 6.0, 14.0, 14.0]);
        assert_eq!(side.steps, [0.0, 2.0, 3.0, 3.0]);
        // Without steps there is nothing to tell: before the first, and where the run ended.
        assert!(side.iterations[0].is_nan() && side.energy[3].is_nan());
        assert_eq!(Side::last(&side.energy), Some(4.0));
        assert_eq!(Side::mean(&side.density_error), Some(0.02));
        assert_eq!(side.curve(&side.energy), [(0.2, 5.5), (0.3, 4.0)]);
    }
}
