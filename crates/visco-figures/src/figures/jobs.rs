//! Runs many experiments at once and keeps what the figures draw.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use super::Progress;
use crate::experiments::{Block, Sample, center, spread};
use glam::{DVec3, Vec3};
use visco::{Frame, Simulation};

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

/// A worker's news: the job, and what part of it is done.
type News = (usize, f64);

/// Runs the jobs on all cores, the first first, and returns their outcomes in order. Small blocks do not
/// fill the cores by themselves; the engine's results do not depend on the number of threads.
pub(super) fn run_all(jobs: &[Job], progress: &mut Progress<'_>) -> Vec<Outcome> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
    let next = AtomicUsize::new(0);
    let (sender, news) = channel::<News>();
    let work = |sender: Sender<News>| {
        let mut done = Vec::new();
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(k) else {
                return done;
            };
            // If nobody listens any more, the result still counts.
            let tell = |part| {
                let _ = sender.send((k, part));
            };
            done.push((k, run(job, tell)));
        }
    };
    let mut outcomes: Vec<(usize, Outcome)> = std::thread::scope(|scope| {
        let start = |sender: Sender<News>| scope.spawn(|| work(sender));
        let handles: Vec<_> = (0..workers).map(|_| start(sender.clone())).collect();
        drop(sender);
        let total: f64 = jobs.iter().map(Job::work).sum();
        let mut parts = vec![0.0; jobs.len()];
        for (k, part) in news {
            parts[k] = part;
            let done: f64 = jobs.iter().zip(&parts).map(|(job, part)| part * job.work()).sum();
            progress(done / total, &jobs[k].name);
        }
        handles.into_iter().flat_map(|h| h.join().expect("an experiment does not panic")).collect()
    });
    outcomes.sort_by_key(|(k, _)| *k);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

impl Job {
    /// A measure of its cost: particles times steps times iterations of the dearer stage.
    fn work(&self) -> f64 {
        let particles: f64 = self.block.count.iter().map(|&n| f64::from(n)).product();
        particles * self.seconds / self.block.dt * f64::from(2 + self.block.params.position_iterations)
    }
}

fn run(job: &Job, mut tell: impl FnMut(f64)) -> Outcome {
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
    tell(1.0);
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
