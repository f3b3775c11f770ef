//! A cube between plates that is pulled until it parts, and what is measured of it.

use super::DRAWN;
use crate::experiments::thread::{Plates, Thread};
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

/// What came of it.
#[derive(Default)]
pub(super) struct Pulled {
    pub(super) thread: Thread,
    pub(super) pictures: Vec<(Vec<Vec3>, Vec<[u8; 3]>)>,
    /// When sides met, by the method `mps`, in s.
    pub(super) rupture: Option<f64>,
    pub(super) failure: Option<String>,
}

impl Pulled {
    /// Way of the plate until the fluid parted, in mm.
    pub(super) fn stretched(&self) -> Option<f64> {
        self.thread.parted().map(|s| 1e3 * s.way)
    }

    /// In ms.
    pub(super) fn shrinking(&self) -> Option<f64> {
        self.thread.shrinking().map(|time| 1e3 * time)
    }

    pub(super) fn narrowest_at(&self, time: f64) -> f64 {
        self.thread.samples.iter().find(|s| s.time >= time - 1e-6).map_or(f64::NAN, |s| s.narrowest)
    }
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
        let plates = Plates::find(run.world()).expect("plates that part");
        let sample = |run: &Simulation| {
            let p = &run.world().particles;
            plates.sample(run.time(), &p.ids, &p.positions)
        };
        let mut pulled = Pulled::default();
        pulled.thread.height = plates.height();
        pulled.thread.samples.push(sample(&run));
        for number in 1..self.scene.time.frames {
            if let Err(error) = run.advance_frame(|_| ControlFlow::Continue(())) {
                pulled.failure = Some(error.to_string());
                break;
            }
            pulled.thread.samples.push(sample(&run));
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
