//! A cube between plates that is pulled until it parts, and what is measured of it.

use super::{DRAWN, SPEED};
use crate::particles::HONEY;
use crate::runner::Task;
use std::ops::ControlFlow;
use visco::glam::Vec3;
use visco::particles::Motion;
use visco::{Scene, Simulation};

const PLATE: [u8; 3] = [150, 155, 165];

/// A cube to be pulled.
pub(super) struct Pull {
    pub(super) name: String,
    pub(super) scene: Scene,
}

/// A moment of a run.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// In s.
    pub(super) time: f64,
    /// Height of the top of the lower piece, in mm; that of the plate while the fluid is whole.
    pub(super) top: f64,
    /// Particles in the narrowest section, over those at the start.
    pub(super) narrowest: f64,
    /// Whether a gap parts the fluid.
    pub(super) parted: bool,
}

/// What came of it.
#[derive(Default)]
pub(super) struct Pulled {
    pub(super) samples: Vec<Sample>,
    /// Height of the fluid at the start, in mm.
    height: f64,
    pub(super) pictures: Vec<(Vec<Vec3>, Vec<[u8; 3]>)>,
    /// When sides met, by the method `mps`, in s.
    pub(super) rupture: Option<f64>,
    pub(super) failure: Option<String>,
}

impl Pulled {
    pub(super) fn curve(&self, value: impl Fn(&Sample) -> f64) -> Vec<(f64, f64)> {
        self.samples.iter().map(|s| (s.time, value(s))).collect()
    }

    /// When the fluid parted, in s.
    pub(super) fn parted(&self) -> Option<f64> {
        self.samples.iter().find(|s| s.parted).map(|s| s.time)
    }

    /// Way of the plate until the fluid parted, in mm.
    pub(super) fn stretched(&self) -> Option<f64> {
        self.parted().map(|t| SPEED * t)
    }

    /// Time from the parting until the lower piece is no higher than the fluid was at the start, in ms.
    pub(super) fn shrinking(&self) -> Option<f64> {
        let parted = self.parted()?;
        let low = self.samples.iter().find(|s| s.time >= parted && s.top <= self.height)?;
        Some(1e3 * (low.time - parted))
    }

    pub(super) fn narrowest_at(&self, time: f64) -> f64 {
        self.samples.iter().find(|s| s.time >= time - 1e-6).map_or(f64::NAN, |s| s.narrowest)
    }
}

/// Half the thickness of sections, in spacings.
const SECTION: f32 = 2.0;
/// Gap that parts a fluid, in spacings: the radius of influence.
const GAP: f32 = 2.1;

/// Top of the lower piece in m, particles of the narrowest section, and whether the fluid is parted.
fn measure(run: &Simulation) -> (f32, f32, bool) {
    let p = &run.world().particles;
    let d = run.world().spacing;
    let mut heights: Vec<f32> = p.positions.iter().map(|x| x.y).collect();
    heights.sort_by(f32::total_cmp);
    let held = |grip: u16| {
        let of = (0..p.len()).filter(move |&i| p.motions[i] == Motion::Gripped(grip));
        of.map(|i| p.positions[i].y)
    };
    let (floor, plate) = (held(0).fold(0.0, f32::max), held(1).fold(f32::INFINITY, f32::min));
    let parted = heights.windows(2).find(|y| y[1] - y[0] > GAP * d);
    let half = SECTION * d;
    let section = |at: f32| heights.iter().map(|y| (1.0 - (y - at).abs() / half).max(0.0)).sum::<f32>();
    let (first, last) = (floor + half, plate - half);
    let sections = ((last - first) / (0.5 * d)) as usize;
    let narrowest = (0..=sections).map(|k| section(first + 0.5 * d * k as f32)).fold(f32::INFINITY, f32::min);
    (parted.map_or(plate, |gap| gap[0]), narrowest, parted.is_some())
}

impl Task for Pull {
    type Outcome = Pulled;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn work(&self) -> f64 {
        1.0
    }

    fn run(&self, tell: &mut dyn FnMut(f64)) -> Pulled {
        let mut run = Simulation::new(&self.scene).expect("a built-in scene can be built");
        let mut pulled = Pulled::default();
        let (_, at_start, _) = measure(&run);
        let p = &run.world().particles;
        let free = (0..p.len()).filter(|&i| p.motions[i] == Motion::Free).map(|i| p.positions[i].y);
        pulled.height = 1e3 * f64::from(free.fold(0.0, f32::max));
        let sample = |run: &Simulation| {
            let (top, section, parted) = measure(run);
            let narrowest = if parted { 0.0 } else { f64::from(section / at_start) };
            Sample { time: run.time(), top: 1e3 * f64::from(top), narrowest, parted }
        };
        pulled.samples.push(sample(&run));
        for number in 1..self.scene.time.frames {
            if let Err(error) = run.advance_frame(|_| ControlFlow::Continue(())) {
                pulled.failure = Some(error.to_string());
                break;
            }
            pulled.samples.push(sample(&run));
            if DRAWN.iter().any(|(frame, _)| *frame == number) {
                let p = &run.world().particles;
                let color = |m: &Motion| if *m == Motion::Free { HONEY } else { PLATE };
                pulled.pictures.push((p.positions.clone(), p.motions.iter().map(color).collect()));
            }
            tell(f64::from(number) / f64::from(self.scene.time.frames));
        }
        pulled.rupture = run.rupture();
        pulled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_begins_with_the_parting_and_ends_at_the_height_of_the_start() {
        let sample = |k: i32| {
            let time = 0.01 * f64::from(k);
            let top = if time < 1.0 { 10.0 + 18.0 * time } else { 28.0 * (-(time - 1.0)).exp() };
            Sample { time, top, narrowest: 0.5, parted: time >= 1.0 }
        };
        let pulled = Pulled { samples: (0..300).map(sample).collect(), height: 10.0, ..Pulled::default() };
        assert!((pulled.stretched().expect("parted") - 18.0).abs() < 0.3);
        // 28 e^(−t) = 10.
        let time = pulled.shrinking().expect("it shrinks");
        assert!((time - 1030.0).abs() < 15.0, "{time}");
        let whole = Pulled { samples: (0..90).map(sample).collect(), height: 10.0, ..Pulled::default() };
        assert_eq!((whole.stretched(), whole.shrinking()), (None, None));
    }
}
