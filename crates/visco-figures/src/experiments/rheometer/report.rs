//! All that a rheometer tells of a material: a table, plots and curves.

use super::{Course, Moduli, Oscillation, Rheometer, RheometerError, ShearStress, SteadyShear, Theory};
use crate::runner::{Task, run_all};
use crate::{Figure, FigureError, Plot, Series, Style, save, write_csv};
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};
use thiserror::Error;
use visco::scene::{Material, Override};

/// Time steps in a relaxation time, or in a second for a fluid that has none.
const STEPS: f64 = 100.0;
/// Time steps in a period of an oscillation.
const STEPS_A_PERIOD: f64 = 120.0;
/// Strain of the oscillation.
const STRAIN: f64 = 0.02;
/// ωλ of the oscillations.
const FREQUENCIES: [f64; 3] = [0.3, 1.0, 3.0];
/// γ̇λ of the steady flows.
const RATES: [f64; 3] = [0.1, 0.3, 1.0];

/// A quantity that was measured, beside what theory says.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// What it is, and when.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// As measured.
    pub measured: f64,
    /// As theory says.
    pub theory: f64,
}

/// What was measured, and the files that show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RheometerReport {
    /// The quantities.
    pub quantities: Vec<Quantity>,
    /// Plots and tables.
    pub files: Vec<PathBuf>,
}

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// Nothing was measured.
    #[error(transparent)]
    Rheometer(#[from] RheometerError),
    /// A file was not written.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

/// An experiment.
#[derive(Clone, Copy, Debug)]
enum Experiment {
    StartUp,
    Relaxation,
    Oscillation(f64),
    SteadyShear(f64),
}

/// An experiment with a material.
struct Job<'a> {
    experiment: Experiment,
    material: &'a Material,
    overrides: &'a [Override],
    /// Relaxation time, or what stands for it, in s.
    time: f64,
}

enum Outcome {
    StartUp(Course),
    Relaxation(Course),
    Oscillation(Oscillation),
    SteadyShear(SteadyShear),
}

/// What all experiments gave.
#[derive(Default)]
struct Results {
    start_up: Course,
    relaxation: Course,
    oscillations: Vec<Oscillation>,
    steady: Vec<SteadyShear>,
}

/// Measures a material and writes plots and tables to a folder; `progress` is told the part that is done.
pub fn measure(
    material: &Material,
    overrides: &[Override],
    out: &Path,
    progress: &mut dyn FnMut(f64, &str),
) -> Result<RheometerReport, ReportError> {
    let rheometer =
        Rheometer::suited(material.clone(), overrides.to_vec(), Theory::of(material)?.time() / STEPS)?;
    let theory = rheometer.theory()?;
    let time = theory.time();
    let mut experiments = vec![Experiment::StartUp, Experiment::Relaxation];
    experiments.extend(FREQUENCIES.map(|x| Experiment::Oscillation(x / time)));
    experiments.extend(RATES.map(|x| Experiment::SteadyShear(x / time)));
    let jobs: Vec<Job> =
        experiments.into_iter().map(|experiment| Job { experiment, material, overrides, time }).collect();
    let mut results = Results::default();
    for outcome in run_all(&jobs, progress) {
        match outcome? {
            Outcome::StartUp(course) => results.start_up = course,
            Outcome::Relaxation(course) => results.relaxation = course,
            Outcome::Oscillation(o) => results.oscillations.push(o),
            Outcome::SteadyShear(s) => results.steady.push(s),
        }
    }
    let files = results.write((&material.name, &theory), out)?;
    Ok(RheometerReport { quantities: results.quantities(), files })
}

impl Task for Job<'_> {
    type Outcome = Result<Outcome, RheometerError>;

    fn name(&self) -> String {
        let name = match self.experiment {
            Experiment::StartUp => "start-up of shear",
            Experiment::Relaxation => "relaxation",
            Experiment::Oscillation(_) => "oscillation",
            Experiment::SteadyShear(_) => "steady shear",
        };
        name.into()
    }

    fn work(&self) -> f64 {
        1.0
    }

    fn run(&self, _: &mut dyn FnMut(f64)) -> Self::Outcome {
        let time = self.time;
        let with = |dt: f64| Rheometer::suited(self.material.clone(), self.overrides.to_vec(), dt);
        let rheometer = with(time / STEPS)?;
        Ok(match self.experiment {
            Experiment::StartUp => Outcome::StartUp(rheometer.start_up_shear(1.0 / time, 4.0 * time)?),
            Experiment::Relaxation => {
                Outcome::Relaxation(rheometer.relaxation(1.0 / time, 2.0 * time, 4.0 * time)?)
            }
            Experiment::Oscillation(omega) => {
                Outcome::Oscillation(with(TAU / omega / STEPS_A_PERIOD)?.oscillation(omega, STRAIN)?)
            }
            Experiment::SteadyShear(rate) => Outcome::SteadyShear(rheometer.steady_shear(rate)?),
        })
    }
}

impl Results {
    fn quantities(&self) -> Vec<Quantity> {
        let mut list = Vec::new();
        let mut push = |name: String, unit, (measured, theory)| {
            list.push(Quantity { name, unit, measured, theory });
        };
        for (what, course) in [("start-up", &self.start_up), ("relaxation", &self.relaxation)] {
            let end = course.measured.len().saturating_sub(1);
            for k in [end / 4, end * 3 / 4] {
                let (m, t) = (course.measured[k], course.theory[k]);
                let at = format!("{what}, t = {:.3} s", m.time);
                push(format!("σ_xy in {at}"), "Pa", (m.shear, t.shear));
                push(format!("N₁ in {at}"), "Pa", (m.normal, t.normal));
            }
        }
        for o in &self.oscillations {
            let at = format!("at ω = {:.3} rad/s", o.omega);
            push(format!("G′ {at}"), "Pa", (o.measured.storage, o.theory.storage));
            push(format!("G″ {at}"), "Pa", (o.measured.loss, o.theory.loss));
        }
        for s in &self.steady {
            let at = format!("at γ̇ = {:.3} 1/s", s.rate);
            push(format!("η {at}"), "Pa·s", (s.measured.0, s.theory.0));
            push(format!("N₁ {at}"), "Pa", (s.measured.1, s.theory.1));
        }
        list
    }

    fn write(&self, (name, theory): (&str, &Theory), out: &Path) -> Result<Vec<PathBuf>, FigureError> {
        let figure = Figure {
            title: format!("{name} in the rheometer"),
            panels: vec![
                course_plot("Start-up of shear", &self.start_up),
                course_plot("Relaxation after shear", &self.relaxation),
                self.moduli_plot(theory),
                self.steady_plot(),
            ],
            columns: 2,
        };
        let mut files = save(&figure, out.join("rheometer"))?.to_vec();
        for (file, course) in [("start-up.csv", &self.start_up), ("relaxation.csv", &self.relaxation)] {
            let column = |of: &[ShearStress], f: fn(&ShearStress) -> f64| of.iter().map(f).collect();
            let columns: [(&str, Vec<f64>); 5] = [
                ("time", column(&course.measured, |s| s.time)),
                ("shear_stress", column(&course.measured, |s| s.shear)),
                ("shear_stress_theory", column(&course.theory, |s| s.shear)),
                ("normal_stress", column(&course.measured, |s| s.normal)),
                ("normal_stress_theory", column(&course.theory, |s| s.normal)),
            ];
            files.push(table(out.join(file), &columns)?);
        }
        let column = |f: fn(&Oscillation) -> f64| self.oscillations.iter().map(f).collect();
        files.push(table(
            out.join("oscillation.csv"),
            &[
                ("omega", column(|o| o.omega)),
                ("storage", column(|o| o.measured.storage)),
                ("storage_theory", column(|o| o.theory.storage)),
                ("loss", column(|o| o.measured.loss)),
                ("loss_theory", column(|o| o.theory.loss)),
            ],
        )?);
        let column = |f: fn(&SteadyShear) -> f64| self.steady.iter().map(f).collect();
        files.push(table(
            out.join("steady-shear.csv"),
            &[
                ("rate", column(|s| s.rate)),
                ("viscosity", column(|s| s.measured.0)),
                ("viscosity_theory", column(|s| s.theory.0)),
                ("normal_stress", column(|s| s.measured.1)),
                ("normal_stress_theory", column(|s| s.theory.1)),
            ],
        )?);
        Ok(files)
    }

    fn moduli_plot(&self, theory: &Theory) -> Plot {
        let points = |f: fn(&Oscillation) -> f64| self.oscillations.iter().map(|o| (o.omega, f(o))).collect();
        let [low, .., high] = FREQUENCIES.map(|x| x / theory.time());
        let omega = |k: i32| low * (high / low).powf(f64::from(k) / 60.0);
        let curve = |f: fn(&Moduli) -> f64| {
            (0..=60).map(|k| (omega(k), f(&theory.moduli(omega(k))))).collect::<Vec<_>>()
        };
        Plot {
            title: "Small oscillations".into(),
            x_label: "ω (rad/s)".into(),
            y_label: "modulus (Pa)".into(),
            log_x: true,
            log_y: true,
            series: vec![
                Series::new("G′", points(|o| o.measured.storage), Style::Markers),
                Series::new("G″", points(|o| o.measured.loss), Style::Markers),
                Series::new("G′, theory", curve(|m| m.storage), Style::Dashed),
                Series::new("G″, theory", curve(|m| m.loss), Style::Dashed),
            ],
            ..Plot::default()
        }
    }

    fn steady_plot(&self) -> Plot {
        let points = |f: fn(&SteadyShear) -> f64| self.steady.iter().map(|s| (s.rate, f(s))).collect();
        Plot {
            title: "Steady shear".into(),
            x_label: "γ̇ (1/s)".into(),
            y_label: "η (Pa·s), N₁ (Pa)".into(),
            log_x: true,
            log_y: true,
            series: vec![
                Series::new("η", points(|s| s.measured.0), Style::Markers),
                Series::new("N₁", points(|s| s.measured.1), Style::Markers),
                Series::new("η, theory", points(|s| s.theory.0), Style::Dashed),
                Series::new("N₁, theory", points(|s| s.theory.1), Style::Dashed),
            ],
            ..Plot::default()
        }
    }
}

fn course_plot(title: &str, course: &Course) -> Plot {
    let curve = |of: &[ShearStress], f: fn(&ShearStress) -> f64| of.iter().map(|s| (s.time, f(s))).collect();
    Plot {
        title: title.into(),
        x_label: "time (s)".into(),
        y_label: "stress (Pa)".into(),
        series: vec![
            Series::new("σ_xy", curve(&course.measured, |s| s.shear), Style::Line),
            Series::new("N₁", curve(&course.measured, |s| s.normal), Style::Line),
            Series::new("σ_xy, theory", curve(&course.theory, |s| s.shear), Style::Dashed),
            Series::new("N₁, theory", curve(&course.theory, |s| s.normal), Style::Dashed),
        ],
        ..Plot::default()
    }
}

fn table(path: PathBuf, columns: &[(&str, Vec<f64>)]) -> Result<PathBuf, FigureError> {
    let columns: Vec<(&str, &[f64])> = columns.iter().map(|(name, v)| (*name, v.as_slice())).collect();
    write_csv(&path, &columns)?;
    Ok(path)
}
