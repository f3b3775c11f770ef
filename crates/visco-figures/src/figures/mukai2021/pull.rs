//! A cube between plates that is pulled until it parts, and what is measured of it.

use crate::experiments::thread::{Plates, Thread, ThreadSample};
use crate::figures::report::digits;
use crate::figures::sheet::Cell;
use crate::figures::table;
use crate::particles::HONEY;
use crate::runner::Task;
use crate::{FigureError, Plot, Series, Style};
use std::ops::ControlFlow;
use std::path::PathBuf;
use visco::glam::Vec3;
use visco::particles::Motion;
use visco::scene::{BuiltinScene, Override};
use visco::{Scene, Simulation};

const PLATE: [u8; 3] = [150, 155, 165];

/// A cube to be pulled.
pub(super) struct Pull {
    pub(super) name: String,
    pub(super) scene: Scene,
    /// Frames that are kept to be drawn.
    drawn: Vec<u32>,
}

impl Pull {
    /// The scene `spinnability` with changes.
    pub(super) fn new(name: &str, changes: &[&str], drawn: &[u32]) -> Self {
        let changes: Vec<Override> =
            changes.iter().map(|text| Override::parse(text).expect("a change")).collect();
        let builtin = BuiltinScene::find("spinnability").expect("a built-in scene");
        let scene = builtin.scene(&changes).expect("a built-in scene is valid");
        Self { name: name.into(), scene, drawn: drawn.to_vec() }
    }
}

/// What came of it.
#[derive(Default)]
pub(super) struct Pulled {
    pub(super) thread: Thread,
    pictures: Vec<(Vec<Vec3>, Vec<[u8; 3]>)>,
    /// When sides met, by the method `mps`, in s.
    pub(super) rupture: Option<f64>,
    pub(super) failure: Option<String>,
}

impl Pulled {
    /// Way of the plate until the fluid parted, in mm.
    pub(super) fn stretched(&self) -> Option<f64> {
        self.thread.parted().map(|s| 1e3 * s.way)
    }

    /// The picture of the `k`th frame that is drawn, if it came so far.
    pub(super) fn cell(&self, k: usize) -> Option<Cell<'_>> {
        self.pictures.get(k).map(|(positions, colors)| Cell { positions, colors })
    }

    /// Stretched length and shrinking time, in words.
    pub(super) fn told(&self) -> String {
        let or = |value: Option<f64>, unit: &str| {
            value.map_or("never".into(), |v| format!("{} {unit}", digits(v)))
        };
        format!("{}, {}", or(self.stretched(), "mm"), or(self.shrinking(), "ms"))
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
        f64::from(self.scene.time.frames) * self.scene.spacing.powi(-3)
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
            if self.drawn.contains(&number) {
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

/// Heights and sections of all, over the time.
pub(super) fn panels(names: &[String], pulled: &[Pulled]) -> [Plot; 2] {
    let panel = |title: &str, y: &str, value: fn(&ThreadSample) -> f64| Plot {
        title: title.into(),
        x_label: "time (s)".into(),
        y_label: y.into(),
        series: names
            .iter()
            .zip(pulled)
            .map(|(name, p)| Series::new(name.clone(), p.thread.curve(value), Style::Line))
            .collect(),
        ..Plot::default()
    };
    [
        panel("The lower piece", "height above its plate (mm)", |s| 1e3 * s.piece),
        panel("Narrowest section", "particles, over those at the start", |s| s.narrowest),
    ]
}

/// Writes the same as a table.
pub(super) fn write(csv: PathBuf, names: &[String], pulled: &[Pulled]) -> Result<PathBuf, FigureError> {
    let mut curves = Vec::new();
    for (name, p) in names.iter().zip(pulled) {
        let name = name.replace(" = ", "").replace(',', "").replace(' ', "_");
        curves.push((format!("piece_mm_{name}"), p.thread.curve(|s| 1e3 * s.piece)));
        curves.push((format!("narrowest_{name}"), p.thread.curve(|s| s.narrowest)));
    }
    table::write_curves(csv, &curves)
}
