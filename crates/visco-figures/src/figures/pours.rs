//! Pours from the nozzles of a scene, one at a time, and keeps what the figures draw.

use crate::experiments::{Coil, coil_under};
use crate::runner::Task;
use crate::runs::Steady;
use std::ops::ControlFlow;
use visco::{Frame, Scene, Simulation};

/// A scene with one nozzle and nothing else that flows.
#[derive(Clone, Debug)]
pub(super) struct Pour {
    /// What the user reads while it runs.
    pub(super) name: String,
    pub(super) scene: Scene,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Poured {
    /// A sample for every frame that was reached, the start included.
    pub(super) samples: Vec<Sample>,
    /// The last frame that was reached.
    pub(super) frame: Frame,
    /// When the nozzle closes, in s.
    pub(super) closes: f64,
    /// Why it ended early, if it did.
    pub(super) failure: Option<String>,
}

/// What was measured on a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sample {
    /// In s.
    pub(super) time: f64,
    pub(super) coil: Coil,
}

/// The scene with one of its nozzles alone.
pub(super) fn alone(scene: &Scene, emitter: usize) -> Scene {
    Scene { emitter: vec![scene.emitter[emitter].clone()], ..scene.clone() }
}

impl Poured {
    /// A curve over time.
    pub(super) fn curve(&self, value: impl Fn(&Sample) -> f64) -> Vec<(f64, f64)> {
        self.samples.iter().map(|s| (s.time, value(s))).collect()
    }

    /// How it coils, if it does, once it has found its way and while the nozzle is open.
    pub(super) fn steady(&self) -> Option<Steady> {
        let open = self.samples.partition_point(|s| s.time <= self.closes);
        let of = |value: fn(&Sample) -> f64| self.samples[..open].iter().map(value).collect::<Vec<f64>>();
        Steady::find(&of(|s| s.time), &of(|s| s.coil.turns), &of(|s| s.coil.radius))
    }

    /// Median distance of the turns from an even turning, once it coils steadily and while the nozzle is open, in turns.
    /// Where the rope passes over itself, the count is off by a turn for a frame or two, which the mean square would show.
    pub(super) fn unevenness(&self) -> Option<f64> {
        let steady = self.steady()?;
        let open = self.samples.partition_point(|s| s.time <= self.closes);
        let rate = steady.frequency.0 * steady.sense;
        let ahead = self.samples[steady.start..open].iter().map(|s| s.coil.turns - rate * s.time);
        let ahead: Vec<f64> = ahead.collect();
        let mean = ahead.iter().sum::<f64>() / ahead.len() as f64;
        median(&ahead.iter().map(|turns| (turns - mean).abs()).collect::<Vec<f64>>())
    }

    /// Mean over the samples from `start` on.
    pub(super) fn mean(&self, start: usize, value: impl Fn(&Sample) -> f64) -> f64 {
        let rest = &self.samples[start.min(self.samples.len())..];
        rest.iter().map(value).sum::<f64>() / rest.len() as f64
    }
}

/// The middle of some values.
fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    let upper = *sorted.get(half)?;
    Some(if sorted.len().is_multiple_of(2) { 0.5 * (sorted[half - 1] + upper) } else { upper })
}

impl Task for Pour {
    type Outcome = Poured;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn work(&self) -> f64 {
        self.scene.estimate().particles as f64
    }

    fn run(&self, tell: &mut dyn FnMut(f64)) -> Poured {
        let mut simulation = Simulation::new(&self.scene).expect("a built-in scene can be built");
        let closes = simulation.world().emitters[0].closes();
        let mut poured = Poured { samples: vec![Sample::default()], closes, ..Poured::default() };
        for number in 1..self.scene.time.frames {
            if let Err(error) = simulation.advance_frame(|_| ControlFlow::Continue(())) {
                poured.failure = Some(error.to_string());
                break;
            }
            poured.frame = simulation.frame();
            let coil = coil_under(&poured.frame, &simulation.world().emitters[0]);
            poured.samples.push(Sample { time: poured.frame.time, coil });
            tell(f64::from(number) / f64::from(self.scene.time.frames));
        }
        poured
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::run_all;

    #[test]
    fn each_nozzle_pours_alone() {
        let text = "name = \"two\"\nspacing = 0.002\ntime = { fps = 30, frames = 13, steps_per_frame = 2 }\n\
                    material = [{ name = \"a\", viscosity = 100 }, { name = \"b\", viscosity = 200 }]\n\
                    boundary = [{ shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } } }]\n\
                    [[emitter]]\nmaterial = \"a\"\nnozzle = { disc = { radius = 0.004 } }\n\
                    position = [0, 0.02, 0]\ndirection = [0, -1, 0]\nspeed = 0.1\n\
                    [[emitter]]\nmaterial = \"b\"\nnozzle = { disc = { radius = 0.004 } }\n\
                    position = [0.1, 0.02, 0]\ndirection = [0, -1, 0]\nspeed = 0.2\n";
        let scene = Scene::from_toml(text).unwrap();
        let pours = [0, 1].map(|k| Pour { name: k.to_string(), scene: alone(&scene, k) });
        let poured = run_all(&pours, &mut |_, _| ());
        for (k, p) in poured.iter().enumerate() {
            assert_eq!((p.samples.len(), &p.failure), (13, &None));
            assert!(p.frame.materials.iter().all(|&m| usize::from(m) == k));
            assert!(p.frame.positions.iter().all(|x| (x.x - 0.1 * k as f32).abs() < 0.05));
            assert!(p.samples[12].coil.height > 0.0, "it has landed: {:?}", p.samples[12]);
            assert_eq!(p.steady(), None, "it has not turned yet");
        }
        assert!(poured[1].frame.len() > poured[0].frame.len() * 3 / 2);
    }

    #[test]
    fn a_steady_turn_is_found() {
        let sample = |k: u32| Sample {
            time: 0.1 * f64::from(k),
            coil: Coil { turns: -0.2 * f64::from(k), radius: 0.01, ..Coil::default() },
        };
        let samples: Vec<Sample> = (0..40).map(sample).collect();
        let poured = Poured { samples, closes: 4.0, ..Poured::default() };
        let steady = poured.steady().unwrap();
        assert!((steady.frequency.0 - 2.0).abs() < 1e-9 && steady.sense < 0.0, "{steady:?}");
        assert!(poured.unevenness().unwrap() < 1e-9);
        let jerky = |k: u32| {
            let mut s = sample(k);
            s.coil.turns += if k.is_multiple_of(2) { 0.3 } else { -0.3 };
            s
        };
        let poured = Poured { samples: (0..40).map(jerky).collect(), ..poured };
        assert!((poured.unevenness().unwrap() - 0.3).abs() < 0.02, "{:?}", poured.unevenness());
        // A turn that is not counted in one frame.
        let mut samples: Vec<Sample> = (0..40).map(sample).collect();
        samples[30].coil.turns += 1.0;
        let poured = Poured { samples, ..poured };
        assert!(poured.unevenness().unwrap() < 0.05, "{:?}", poured.unevenness());
        assert!((poured.mean(38, |s| s.time) - 3.85).abs() < 1e-9);
    }
}
