//! All that a rheometer tells of a material: a table, plots and curves.

use super::{Course, Extension, Oscillation, Rheometer, RheometerError, SteadyShear, Theory};
use crate::FigureError;
use crate::plot::short;
use crate::runner::{Task, run_all};
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};
use thiserror::Error;
use visco::scene::{Material, Method, Override};

/// Time steps in a relaxation time, or in a second for a fluid that has none.
const STEPS: f64 = 100.0;
/// Time steps in a period of an oscillation.
const STEPS_A_PERIOD: f64 = 120.0;
/// Strain of the oscillation.
const STRAIN: f64 = 0.02;
/// ωλ of the oscillations.
pub(super) const FREQUENCIES: [f64; 3] = [0.3, 1.0, 3.0];
/// γ̇λ of the steady flows, and ε̇λ of the bars. Where λ ε̇ = 0.1 the stress of a bar becomes steady, at 1 it hardens.
const RATES: [f64; 3] = [0.1, 0.3, 1.0];
/// Hencky strain of the bars: beyond it they lose stress, and come apart.
const STRETCHED: f64 = 0.6;
/// Relaxation times that start-up lasts, and after which shear stops for the relaxation.
const LASTS: f64 = 4.0;
const SHEARED: f64 = 2.0;

/// A quantity that was measured, beside what theory says.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// What it is, and when.
    pub name: String,
    /// Its unit; empty for a ratio.
    pub unit: &'static str,
    /// As measured.
    pub measured: f64,
    /// As theory says.
    pub theory: f64,
    /// What errors are relative to: the theory, or where that is 0 the shear stress or modulus beside it.
    pub scale: f64,
}

impl Quantity {
    /// Difference from theory over the scale.
    pub fn error(&self) -> f64 {
        (self.measured - self.theory) / self.scale.abs()
    }
}

/// What was measured, and the files that show it.
#[derive(Clone, Debug, PartialEq)]
pub struct RheometerReport {
    /// The material, with all changes.
    pub theory: Theory,
    /// The method that was measured.
    pub method: Method,
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
    Extension(f64),
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
    Extension(Extension),
}

/// What all experiments gave.
#[derive(Default)]
pub(super) struct Results {
    pub(super) start_up: Course,
    pub(super) relaxation: Course,
    pub(super) oscillations: Vec<Oscillation>,
    pub(super) steady: Vec<SteadyShear>,
    pub(super) extensions: Vec<Extension>,
}

/// Measures a material and writes plots and tables to a folder; `progress` is told the part that is done.
pub fn measure(
    material: &Material,
    overrides: &[Override],
    out: &Path,
    progress: &mut dyn FnMut(f64, &str),
) -> Result<RheometerReport, ReportError> {
    // The scene knows the material with all changes; its time step does not matter yet.
    let scene = Rheometer::suited(material.clone(), overrides.to_vec(), 1.0)?.scene("");
    let scene = scene.map_err(RheometerError::from)?;
    let theory = Theory::of(&scene.material[0])?;
    let time = theory.time();
    // Without memory all rates of stretching are the same experiment.
    let stretched = if theory.relaxation_time > 0.0 { &RATES[..] } else { &RATES[2..] };
    let mut experiments = vec![Experiment::StartUp, Experiment::Relaxation];
    experiments.extend(FREQUENCIES.map(|x| Experiment::Oscillation(x / time)));
    experiments.extend(RATES.map(|x| Experiment::SteadyShear(x / time)));
    experiments.extend(stretched.iter().map(|x| Experiment::Extension(x / time)));
    let jobs: Vec<Job> =
        experiments.into_iter().map(|experiment| Job { experiment, material, overrides, time }).collect();
    let mut results = Results::default();
    for outcome in run_all(&jobs, progress) {
        match outcome? {
            Outcome::StartUp(course) => results.start_up = course,
            Outcome::Relaxation(course) => results.relaxation = course,
            Outcome::Oscillation(o) => results.oscillations.push(o),
            Outcome::SteadyShear(s) => results.steady.push(s),
            Outcome::Extension(e) => results.extensions.push(e),
        }
    }
    let files = results.write((&material.name, &theory), out)?;
    Ok(RheometerReport { theory, method: scene.method, quantities: results.quantities(&theory), files })
}

impl Task for Job<'_> {
    type Outcome = Result<Outcome, RheometerError>;

    fn name(&self) -> String {
        let name = match self.experiment {
            Experiment::StartUp => "start-up of shear",
            Experiment::Relaxation => "relaxation",
            Experiment::Oscillation(_) => "oscillation",
            Experiment::SteadyShear(_) => "steady shear",
            Experiment::Extension(_) => "extension",
        };
        name.into()
    }

    /// Steps between the plates; a step of a bar costs as much as some of them.
    fn work(&self) -> f64 {
        match self.experiment {
            Experiment::StartUp | Experiment::Relaxation => LASTS * STEPS,
            Experiment::Oscillation(_) => 4.0 * STEPS_A_PERIOD,
            Experiment::SteadyShear(_) => 9.0 * STEPS,
            Experiment::Extension(_) => 7.0 * STEPS,
        }
    }

    fn run(&self, _: &mut dyn FnMut(f64)) -> Self::Outcome {
        let time = self.time;
        let with = |dt: f64| Rheometer::suited(self.material.clone(), self.overrides.to_vec(), dt);
        let rheometer = with(time / STEPS)?;
        Ok(match self.experiment {
            Experiment::StartUp => Outcome::StartUp(rheometer.start_up_shear(1.0 / time, LASTS * time)?),
            Experiment::Relaxation => {
                Outcome::Relaxation(rheometer.relaxation(1.0 / time, SHEARED * time, LASTS * time)?)
            }
            Experiment::Oscillation(omega) => {
                Outcome::Oscillation(with(TAU / omega / STEPS_A_PERIOD)?.oscillation(omega, STRAIN)?)
            }
            Experiment::SteadyShear(rate) => Outcome::SteadyShear(rheometer.steady_shear(rate)?),
            Experiment::Extension(rate) => Outcome::Extension(rheometer.extension(rate, STRETCHED)?),
        })
    }
}

impl Results {
    fn quantities(&self, theory: &Theory) -> Vec<Quantity> {
        let (lambda, time) = (theory.relaxation_time, theory.time());
        // A rate or frequency, with what it is in relaxation times.
        let number = |symbol: &str, value: f64, unit: &str, name: &str| match lambda {
            0.0 => format!("{symbol} = {} {unit}", short(value)),
            _ => format!("{symbol} = {} {unit}, {name} = {}", short(value), short(value * lambda)),
        };
        let mut list = Vec::new();
        let mut push = |name: String, unit, (measured, theory): (f64, f64), beside: f64| {
            let scale = if theory == 0.0 { beside } else { theory };
            list.push(Quantity { name, unit, measured, theory, scale });
        };
        let start = number("γ̇", 1.0 / time, "1/s", "Wi");
        for after in [1.0, 3.0] {
            let (m, t) = self.start_up.at(after * time);
            let at = format!("{} s after shear starts ({start})", short(after * time));
            push(format!("σ_xy {at}"), "Pa", (m.shear, t.shear), t.shear);
            push(format!("N₁ {at}"), "Pa", (m.normal, t.normal), t.shear);
        }
        let sheared = self.relaxation.at(SHEARED * time).1.shear;
        for after in [0.5, 1.5] {
            let (m, t) = self.relaxation.at((SHEARED + after) * time);
            let at = format!("{} s after it stops at {} s", short(after * time), short(SHEARED * time));
            push(format!("σ_xy {at}"), "Pa", (m.shear, t.shear), sheared);
            push(format!("N₁ {at}"), "Pa", (m.normal, t.normal), sheared);
        }
        for o in &self.oscillations {
            let at = number("at ω", o.omega, "rad/s", "De");
            push(format!("G′ {at}"), "Pa", (o.measured.storage, o.theory.storage), o.theory.loss);
            push(format!("G″ {at}"), "Pa", (o.measured.loss, o.theory.loss), o.theory.loss);
        }
        for s in &self.steady {
            let at = number("at γ̇", s.rate, "1/s", "Wi");
            push(format!("η {at}"), "Pa·s", (s.measured.0, s.theory.0), s.theory.0);
            push(format!("N₁ {at}"), "Pa", (s.measured.1, s.theory.1), s.theory.0 * s.rate);
        }
        for e in &self.extensions {
            let rate = number("at ε̇", e.rate, "1/s", "Wi");
            let end = e.measured.len() - 1;
            for k in [end / 2, end] {
                let (m, t) = (&e.measured[k], &e.theory[k]);
                let at = format!("{rate}, ε = {}", short(e.strain(m)));
                if k == end {
                    push(format!("η_E {at}"), "Pa·s", (e.viscosity(m), e.viscosity(t)), e.viscosity);
                }
                push(format!("η_E/η {at}"), "", (e.trouton(m), e.trouton(t)), 1.0);
            }
        }
        list
    }
}
