//! Runs blocks and keeps what the figures draw.

use crate::experiments::{Block, Sample, center, spread};
use crate::runner::Task;
use glam::{DVec3, Vec3};
use visco::scene::Solver;
use visco::{Frame, Simulation};

pub(super) use crate::runner::run_all;

/// An experiment to run.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// What the user reads while it runs.
    pub(super) name: String,
    pub(super) block: Block,
    /// Simulated length, in s.
    pub(super) seconds: f64,
    /// Times at which the particles are kept, ascending, in s.
    pub(super) snapshots: Vec<f64>,
}

/// What came of an experiment.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// The state at the start and after every step that succeeded: never empty.
    pub(super) samples: Vec<Sample>,
    /// Why it ended early, if it did.
    pub(super) failure: Option<String>,
    /// Particles at the times asked for; fewer if it ended early.
    pub(super) snapshots: Vec<Vec<Vec3>>,
}

impl Outcome {
    /// The last state that was reached.
    pub(super) fn last(&self) -> &Sample {
        self.samples.last().expect("the start is always there")
    }

    /// A curve over time.
    pub(super) fn curve(&self, value: impl Fn(&Sample) -> f64) -> Vec<(f64, f64)> {
        self.samples.iter().map(|s| (s.time, value(s))).collect()
    }
}

impl Task for Job {
    type Outcome = Outcome;

    fn name(&self) -> String {
        self.name.clone()
    }

    /// Particles times steps times iterations of the dearer stage.
    fn work(&self) -> f64 {
        let particles: f64 = self.block.count.iter().map(|&n| f64::from(n)).product();
        let iterations = match &self.block.solver {
            Solver::Dcpbd(params) => 2 + params.position_iterations,
            Solver::Coupled(_) => 4,
            Solver::VelocityCorrection(_)
            | Solver::Mps(_)
            | Solver::Springs(_)
            | Solver::ShapeMatching(_)
            | Solver::Maxwell(_) => 20,
            Solver::Pbf(params) => params.iterations,
            // It divides steps: this is but a guess.
            Solver::Sph(_) => 10,
        };
        particles * self.seconds / self.block.dt * f64::from(iterations)
    }

    fn run(&self, tell: &mut dyn FnMut(f64)) -> Outcome {
        run(self, tell)
    }
}

fn run(job: &Job, tell: &mut dyn FnMut(f64)) -> Outcome {
    let mut outcome = Outcome { samples: vec![start(&job.block)], ..Outcome::default() };
    let mut asked = job.snapshots.iter().copied().peekable();
    let mut keep = |positions: &[Vec3], time: f64| {
        while asked.next_if(|t| *t <= time + 0.5 * job.block.dt).is_some() {
            outcome.snapshots.push(positions.to_vec());
        }
    };
    keep(&first_frame(&job.block).positions, 0.0);
    let attempt = job.block.attempt(job.seconds, |frame| {
        keep(&frame.positions, frame.time);
        tell(frame.time / job.seconds);
    });
    outcome.samples.extend(attempt.samples);
    outcome.failure = attempt.failure.map(|e| e.to_string());
    outcome
}

fn first_frame(block: &Block) -> Frame {
    Simulation::new(&block.scene(block.dt)).expect("a block overlaps nothing").frame()
}

/// The state before the first step, which [`Block::attempt`] does not measure.
fn start(block: &Block) -> Sample {
    let frame = first_frame(block);
    Sample {
        time: 0.0,
        center: center(&frame.positions),
        spread: spread(&frame.positions),
        drift: 0.0,
        angular: 1.0,
        momentum: DVec3::ZERO,
        velocity_iterations: 0,
        conformation: [1.0; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_keep_their_order_and_begin_at_the_start() {
        let job = |n: u32| Job {
            name: n.to_string(),
            block: Block { count: [n; 3], height: Some(0.1), dt: 0.01, ..Block::default() },
            seconds: 0.03,
            snapshots: vec![0.0, 0.02],
        };
        let mut last = 0.0;
        let outcomes = run_all(&[job(3), job(2), job(4)], &mut |part, _| last = part);
        let counts: Vec<usize> = outcomes.iter().map(|o| o.snapshots[1].len()).collect();
        assert_eq!(counts, [27, 8, 64]);
        for outcome in &outcomes {
            assert_eq!((outcome.samples.len(), outcome.snapshots.len()), (4, 2));
            assert!(outcome.samples[0].center.y > outcome.last().center.y, "it falls");
        }
        assert!((last - 1.0_f64).abs() < 1e-9, "{last}");
    }
}
