//! Mean drift of runs that may end early.

use super::{HEIGHTS, Results, STEPS, Solver};
use crate::figures::jobs::Outcome;
use crate::figures::report::digits;
use crate::figures::table::rounded;

/// The mean of runs from several heights.
#[derive(Clone, Debug)]
pub(super) struct Mean {
    /// Time and mean drift, as long as all runs go on: a mean over the survivors would look better than
    /// the method is.
    pub(super) curve: Vec<(f64, f64)>,
    /// Smallest and largest drift at the end of the curve, in spacings.
    pub(super) range: [f64; 2],
    /// Runs that blew up.
    pub(super) failures: usize,
    /// Iterations of the velocity projection, mean over all steps.
    pub(super) velocity_iterations: f64,
}

impl Mean {
    /// Drift where the curve ends, in spacings.
    pub(super) fn end(&self) -> f64 {
        self.curve.last().map_or(f64::NAN, |p| p.1)
    }

    /// Mean and range over the heights where the curve ends.
    pub(super) fn text(&self) -> String {
        let [least, most] = self.range.map(digits);
        let mut text = format!("{} d ({least} to {most})", digits(self.end()));
        if self.failures > 0 {
            let time = self.curve.last().map_or(0.0, |p| p.0);
            text += &format!(" at {time:.2} s, then {} of {} blow up", self.failures, HEIGHTS.len());
        }
        text
    }

    /// Drift of this and of another at the last time that both reached, and that time.
    pub(super) fn compared(&self, other: &Self) -> (f64, f64, f64) {
        let shared = self.curve.iter().zip(&other.curve).next_back();
        shared.map_or((f64::NAN, f64::NAN, 0.0), |(a, b)| (a.1, b.1, a.0))
    }
}

/// Averages runs of the same time step.
pub(super) fn average(runs: &[Outcome]) -> Mean {
    let length = runs.iter().map(|r| r.samples.len()).min().unwrap_or(0);
    let mean = |k: usize| runs.iter().map(|r| r.samples[k].drift).sum::<f64>() / runs.len() as f64;
    let ends = || runs.iter().map(|r| r.samples[length - 1].drift);
    // The start is no step.
    let steps = || runs.iter().flat_map(|r| &r.samples[1..]);
    let iterations: f64 = steps().map(|s| f64::from(s.velocity_iterations)).sum();
    Mean {
        curve: (0..length).map(|k| (runs[0].samples[k].time, mean(k))).collect(),
        range: [ends().fold(f64::INFINITY, f64::min), ends().fold(0.0, f64::max)],
        failures: runs.iter().filter(|r| r.failure.is_some()).count(),
        velocity_iterations: iterations / steps().count().max(1) as f64,
    }
}

/// Drift where every run ended, and when: a row for each time step, number of iterations and height.
pub(super) fn ends(results: &Results, solvers: &[Solver], iterations: &[u32]) -> Vec<(String, Vec<f64>)> {
    let mut names = ["dt", "iterations", "height"].map(str::to_owned).to_vec();
    for solver in solvers {
        names.extend(["drift", "time"].map(|what| format!("{}_{what}", solver.column())));
    }
    let mut columns: Vec<(String, Vec<f64>)> = names.into_iter().map(|name| (name, Vec::new())).collect();
    for step in STEPS {
        for &k in iterations {
            for (h, height) in HEIGHTS.iter().enumerate() {
                let mut row = vec![f64::from(step) * 1e-3, f64::from(k), *height];
                for &solver in solvers {
                    let last = results.runs[results.of(solver, step, k)][h].last();
                    row.extend([rounded(last.drift), rounded(last.time)]);
                }
                for (column, value) in columns.iter_mut().zip(row) {
                    column.1.push(value);
                }
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::super::{cases, statements, write_tables};
    use super::*;
    use crate::experiments::{Block, Sample};
    use crate::figures::jobs::{Job, run_all};
    use glam::DVec3;
    use visco::methods::dcpbd::Params;
    use visco::scene;

    fn outcome(drifts: &[f64], failure: Option<&str>) -> Outcome {
        let sample = |(k, &drift): (usize, &f64)| Sample {
            time: 0.1 * k as f64,
            center: DVec3::ZERO,
            spread: 0.4,
            drift,
            angular: 1.0,
            momentum: DVec3::ZERO,
            velocity_iterations: 3,
            conformation: [1.0; 2],
        };
        Outcome {
            samples: drifts.iter().enumerate().map(sample).collect(),
            failure: failure.map(str::to_owned),
            snapshots: vec![],
        }
    }

    #[test]
    fn a_mean_ends_with_the_first_run_that_blows_up() {
        let mean = average(&[outcome(&[0.0, 1.0, 2.0], None), outcome(&[0.0, 3.0], Some("runs away"))]);
        assert_eq!(mean.curve, [(0.0, 0.0), (0.1, 2.0)]);
        assert_eq!(mean.text(), "2.00 d (1.00 to 3.00) at 0.10 s, then 1 of 5 blow up");
        assert_eq!((mean.failures, mean.end(), mean.velocity_iterations), (1, 2.0, 3.0));
        let whole = average(&[outcome(&[0.0, 4.0, 5.0], None)]);
        assert_eq!(whole.compared(&mean), (4.0, 2.0, 0.1));
    }

    #[test]
    fn a_blow_up_is_a_statement_and_the_tables_stay_finite() {
        let cases = cases();
        let of = |case: &super::super::Case| {
            let blown = case.solver == Solver::Positions && case.step == 60;
            let run = |h: usize| match (blown, h) {
                (true, 3) => outcome(&[0.0], Some("in the first step")),
                (true, 1) => outcome(&[0.0, 9.0], Some("later")),
                _ => outcome(&[0.0, 1.0, 2.0], None),
            };
            (0..HEIGHTS.len()).map(run).collect::<Vec<_>>()
        };
        let runs: Vec<Vec<Outcome>> = cases.iter().map(of).collect();
        let results = Results { means: runs.iter().map(|r| average(r)).collect(), cases, runs };
        let told: Vec<String> =
            statements(&results).iter().map(|s| format!("{}: {}", s.text, s.measured)).collect();
        let expected =
            "60 ms, all K: runs blown up with positions only; Jacobi; CG: 6 of 15; 0 of 15; 0 of 15";
        assert!(told.iter().any(|s| s == expected), "{told:#?}");
        let folder = tempfile::tempdir().unwrap();
        for file in write_tables(folder.path(), &results).unwrap() {
            let text = std::fs::read_to_string(&file).unwrap();
            let cells = text.lines().skip(1).flat_map(|line| line.split(',')).filter(|c| !c.is_empty());
            assert!(cells.map(|c| c.parse::<f64>().unwrap()).all(f64::is_finite), "{}", file.display());
        }
    }

    #[test]
    fn a_real_blow_up_keeps_what_came_before() {
        let mut block = Block { count: [5; 3], dt: 0.06, ..Block::default() };
        // Twice the relaxation that Jacobi bears.
        let params = Params { relaxation: Some(10.0), ..Solver::Jacobi.params(40) };
        block.solver = scene::Solver::Dcpbd(params);
        let job = Job { name: String::new(), block, seconds: 1.5, snapshots: vec![1.5] };
        let outcome = run_all(&[job], &mut |_, _| {}).remove(0);
        assert!(outcome.failure.is_some(), "it was to blow up");
        assert!(outcome.snapshots.is_empty());
        assert!(outcome.samples.len() > 1);
        assert!(outcome.samples.iter().all(|s| s.drift.is_finite()));
    }
}
