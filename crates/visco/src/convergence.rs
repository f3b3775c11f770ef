//! Whether the velocity solve keeps reaching its tolerance, and what to try where it does not.

use crate::flow::Preconditioner;
use crate::methods::{coupled, dcpbd, mps};
use crate::report::StepReport;
use crate::scene::{Scene, Solver};
use std::collections::VecDeque;
use std::fmt;

/// Steps that are looked back on.
const WINDOW: usize = 50;

/// Steps before anything is said: the first are hard in many scenes.
const FEWEST: usize = 25;

/// Watches the residuals of a run.
#[derive(Clone, Debug)]
pub struct ConvergenceWatch {
    tolerance: f64,
    /// Residuals of the last steps, the newest at the end.
    recent: VecDeque<f64>,
    missed: u64,
    steps: u64,
    advised: bool,
}

/// The velocity solve does not reach its tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// Median residual of the steps that missed the tolerance.
    pub residual: f64,
    /// The tolerance.
    pub tolerance: f64,
    /// Steps that missed it.
    pub missed: usize,
    /// Steps looked back on.
    pub steps: usize,
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The tolerance was given in single precision.
        let (residual, tolerance) = (self.residual, self.tolerance as f32);
        let (missed, steps) = (self.missed, self.steps);
        write!(
            f,
            "the velocity solve ended at a residual of {residual:.1e} (tolerance {tolerance:e}) in {missed} of the \
             last {steps} steps"
        )
    }
}

impl ConvergenceWatch {
    /// A watch for a run with this tolerance, that of [`Solver::velocity_tolerance`].
    pub fn new(tolerance: f64) -> Self {
        Self { tolerance, recent: VecDeque::with_capacity(WINDOW), missed: 0, steps: 0, advised: false }
    }

    /// Takes a step into account. Once in a run, when more than half of the last steps missed the tolerance, it
    /// says so.
    pub fn add(&mut self, step: &StepReport) -> Option<Shortfall> {
        self.steps += 1;
        self.missed += u64::from(step.velocity_residual > self.tolerance);
        if self.recent.len() == WINDOW {
            self.recent.pop_front();
        }
        self.recent.push_back(step.velocity_residual);
        if self.advised || self.recent.len() < FEWEST {
            return None;
        }
        let shortfall = self.shortfall().filter(|s| 2 * s.missed > s.steps);
        self.advised = shortfall.is_some();
        shortfall
    }

    /// Steps so far that missed the tolerance.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether [`ConvergenceWatch::add`] has said so.
    pub fn has_advised(&self) -> bool {
        self.advised
    }

    fn shortfall(&self) -> Option<Shortfall> {
        let mut above: Vec<f64> = self.recent.iter().copied().filter(|r| *r > self.tolerance).collect();
        above.sort_by(f64::total_cmp);
        let residual = *above.get(above.len() / 2)?;
        Some(Shortfall { residual, tolerance: self.tolerance, missed: above.len(), steps: self.recent.len() })
    }
}

/// Twice as many iterations as a setting of the solver has, if there may be more.
fn twice(setting: &str, iterations: u32) -> Option<String> {
    let more = iterations.saturating_mul(2).min(MOST_ITERATIONS);
    (more > iterations).then(|| format!("solver.{setting}={more}"))
}

impl Scene {
    /// Changes, in the form that [`crate::scene::Override::parse`] reads, each of which helps a velocity solve that
    /// does not reach its tolerance.
    pub fn convergence_remedies(&self) -> Vec<String> {
        let mut remedies = match &self.solver {
            Solver::Dcpbd(params) => self.dcpbd_remedies(params),
            Solver::Coupled(params) => coupled_remedies(params),
            Solver::VelocityCorrection(params)
            | Solver::Springs(params)
            | Solver::ShapeMatching(params)
            | Solver::Maxwell(params) => {
                twice("max_pressure_iterations", params.max_pressure_iterations).into_iter().collect()
            }
            Solver::Pbf(params) => twice("max_iterations", params.max_iterations).into_iter().collect(),
            Solver::Sph(_) => vec![],
            Solver::Mps(params) => {
                let usual = mps::Params::default().max_velocity_iterations;
                more_iterations(params.max_velocity_iterations, usual).into_iter().collect()
            }
        };
        remedies.extend(self.half_step());
        remedies
    }

    fn dcpbd_remedies(&self, params: &dcpbd::Params) -> Vec<String> {
        let mut remedies = Vec::new();
        let by_gradients = params.velocity_solver == dcpbd::VelocitySolver::Cg;
        if !by_gradients {
            remedies.push("solver.velocity_solver=cg".to_owned());
        }
        let usual = dcpbd::Params::default().max_velocity_iterations;
        remedies.extend(more_iterations(params.max_velocity_iterations, usual));
        // Conjugate gradients on velocities alone have a preconditioner, and they need compliance.
        let rigid = self.material.iter().any(|m| m.viscosity == Some(f64::INFINITY));
        if params.preconditioner == Preconditioner::Block
            && params.formulation == dcpbd::Formulation::Corrected
            && by_gradients
            && !rigid
        {
            remedies.push("solver.preconditioner=multilevel".to_owned());
        }
        remedies
    }

    /// The change that halves the time step, as `--set` takes it.
    pub fn half_step(&self) -> Option<String> {
        let time = &self.time;
        match (time.steps_per_frame, time.dt, time.cfl) {
            (Some(steps), _, _) => Some(format!("time.steps_per_frame={}", steps.saturating_mul(2))),
            (_, Some(dt), _) => Some(format!("time.dt={}", 0.5 * dt)),
            (_, _, Some(cfl)) => Some(format!("time.cfl={}", 0.5 * cfl)),
            _ => None,
        }
    }
}

fn coupled_remedies(params: &coupled::Params) -> Vec<String> {
    let mut remedies = Vec::new();
    if params.preconditioner == Preconditioner::Block {
        remedies.push("solver.preconditioner=multilevel".to_owned());
    }
    let usual = coupled::Params::default().max_velocity_iterations;
    remedies.extend(more_iterations(params.max_velocity_iterations, usual));
    remedies
}

/// Most iterations that a scene may ask for.
const MOST_ITERATIONS: u32 = 100_000;

/// Twice the iterations, and no fewer than usual.
fn more_iterations(now: u32, usual: u32) -> Option<String> {
    let more = now.saturating_mul(2).clamp(usual, MOST_ITERATIONS);
    (more > now).then(|| format!("solver.max_velocity_iterations={more}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BuiltinScene, Override};

    fn step(velocity_residual: f64) -> StepReport {
        StepReport { velocity_residual, ..StepReport::default() }
    }

    #[test]
    fn a_run_that_converges_is_left_alone() {
        let mut watch = ConvergenceWatch::new(1e-3);
        // Every second step misses: that is not more than half.
        for i in 0..200 {
            assert_eq!(watch.add(&step(if i % 2 == 0 { 1e-3 } else { 2e-3 })), None);
        }
        assert_eq!((watch.missed(), watch.steps(), watch.has_advised()), (100, 200, false));
    }

    #[test]
    fn a_run_that_does_not_is_told_once() {
        let mut watch = ConvergenceWatch::new(f64::from(1e-3_f32));
        let told: Vec<(usize, Shortfall)> = (0..200)
            .filter_map(|i| Some((i, watch.add(&step(if i < 3 { 1e-4 } else { 1.3e-2 }))?)))
            .collect();
        let [(at, shortfall)] = told[..] else { panic!("{told:?}") };
        assert_eq!(at, FEWEST - 1);
        assert_eq!((shortfall.missed, shortfall.steps), (22, 25));
        assert_eq!(
            shortfall.to_string(),
            "the velocity solve ended at a residual of 1.3e-2 (tolerance 1e-3) in 22 of the last 25 steps"
        );
        assert!(watch.has_advised());
        assert_eq!(watch.missed(), 197);
    }

    #[test]
    fn trouble_that_comes_late_is_noticed_and_early_trouble_forgotten() {
        let mut watch = ConvergenceWatch::new(1e-3);
        for i in 0..100 {
            assert_eq!(watch.add(&step(if i < 12 { 1.0 } else { 0.0 })), None, "step {i}");
        }
        let at = (0..100).find(|_| watch.add(&step(0.5)).is_some());
        assert_eq!(at, Some(WINDOW / 2));
    }

    #[test]
    fn remedies_can_be_set_and_fit_the_scene() {
        let honey = BuiltinScene::find("honey").expect("built in");
        let remedies = |sets: &[&str]| {
            let sets = ["method=dcpbd"].iter().chain(sets);
            let sets: Vec<Override> = sets.map(|s| Override::parse(s).expect("an override")).collect();
            let remedies = honey.scene(&sets).expect("valid").convergence_remedies();
            for remedy in &remedies {
                let mut sets = sets.clone();
                sets.push(Override::parse(remedy).expect("an override"));
                honey.scene(&sets).unwrap_or_else(|error| panic!("{remedy}: {error}"));
            }
            remedies
        };
        let usual = remedies(&["time.steps_per_frame=4"]);
        assert_eq!(
            usual,
            [
                "solver.max_velocity_iterations=120",
                "solver.preconditioner=multilevel",
                "time.steps_per_frame=8"
            ]
        );
        let multilevel = remedies(&["solver.preconditioner=multilevel"]);
        assert!(!multilevel.iter().any(|r| r.contains("preconditioner")), "{multilevel:?}");
        let jacobi = remedies(&["solver.velocity_solver=jacobi", "solver.max_velocity_iterations=100000"]);
        assert_eq!(jacobi[0], "solver.velocity_solver=cg");
        assert!(!jacobi.iter().any(|r| r.contains("iterations") || r.contains("multilevel")), "{jacobi:?}");
        let few = remedies(&["solver.max_velocity_iterations=1"]);
        assert_eq!(few[0], "solver.max_velocity_iterations=60");
        let rigid = remedies(&["material.0.viscosity=inf"]);
        assert!(!rigid.iter().any(|r| r.contains("multilevel")), "{rigid:?}");
    }
}
