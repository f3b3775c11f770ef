//! Runs scenes and keeps what the figures draw.

use crate::FigureError;
use crate::figures::Statement;
use crate::figures::report::digits;
use crate::runner::Task;
use std::ops::ControlFlow;
use std::path::Path;
use visco::mesh::Assets;
use visco::scene::{Override, Shape};
use visco::{Frame, Scene, Simulation};

/// A scene to run.
#[derive(Clone, Debug)]
pub(super) struct Take<M> {
    /// What the user reads while it runs.
    pub(super) name: String,
    pub(super) scene: Scene,
    assets: Assets,
    start: Simulation,
    /// Frames that are kept.
    kept: Vec<u32>,
    /// What is measured after every frame.
    measure: fn(&Simulation) -> M,
}

/// What came of it.
#[derive(Clone, Debug)]
pub(super) struct Taken<M> {
    pub(super) name: String,
    /// Time, in s, and what was measured, for the start and every frame that was reached.
    pub(super) samples: Vec<(f64, M)>,
    /// The frames asked for, as far as they were reached.
    pub(super) kept: Vec<Frame>,
    /// Particles of fluid.
    pub(super) fluid: usize,
    /// Largest mean density error of a step.
    density_error: f64,
    /// Iterations of the pressure solve, and steps, frame by frame.
    iterations: Vec<(u64, u64)>,
    failure: Option<String>,
}

impl<M> Take<M> {
    /// Prepares a scene: `own` are the changes that the figure makes to its text, `asked` those of the user, which must be of
    /// other fields: what a figure compares with, and tells, is its own.
    pub(super) fn new(
        name: impl Into<String>,
        text: &str,
        (own, asked): (&[String], &[Override]),
        kept: &[u32],
        measure: fn(&Simulation) -> M,
    ) -> Result<Self, FigureError> {
        let chosen = asked.iter().any(|change| change.path == "quality");
        let quality = (!chosen).then(|| "quality=small".to_owned());
        let own: Vec<Override> =
            quality.iter().chain(own).map(|text| Override::parse(text).expect("a change")).collect();
        let changes = [&own, asked].concat();
        let name = name.into();
        let wrong = |error: visco::SceneError| {
            FigureError::Scene(Scene::locate(text, &changes, error).display_with(&name))
        };
        let mut scene = Scene::from_toml_with(text, &changes).map_err(wrong)?;
        // Whatever comes last counts: where the order matters, both change the same field.
        let matters = |asked: &[Override]| {
            let orders = [[asked, &own].concat(), [&own, asked].concat()];
            let [first, last] = orders.map(|changes| Scene::from_toml_with(text, &changes).ok());
            first != last
        };
        if matters(asked) {
            let alone = asked.iter().filter(|change| matters(std::slice::from_ref(*change)));
            let which: Vec<String> = alone.map(Override::to_string).collect();
            let which =
                if which.is_empty() { asked.iter().map(Override::to_string).collect() } else { which };
            let reason = format!(
                "{}: the figure gives this field values of its own, which it compares",
                which.join(", ")
            );
            return Err(FigureError::Scene(reason));
        }
        let mut assets = Assets::new();
        for file in scene.mesh_files() {
            let mesh = visco_io::mesh::read(Path::new(&*file.path))
                .map_err(|error| FigureError::Scene(error.to_string()))?;
            assets.insert(file.path.as_str(), mesh);
        }
        let start = Simulation::with_assets(&scene, &assets).map_err(wrong)?;
        Ok(Self { name, scene, assets, start, kept: kept.to_vec(), measure })
    }

    /// The simulation at its start.
    pub(super) fn start(&self) -> &Simulation {
        &self.start
    }

    /// Number of particles of fluid at the start.
    pub(super) fn fluid(&self) -> usize {
        let materials = self.start.world().particles.materials.iter();
        materials.filter(|&&m| usize::from(m) < self.scene.material.len()).count()
    }

    /// The lattice of the scene inside a shape, to draw what is no fluid.
    pub(super) fn filled(&self, shape: &Shape) -> Vec<visco::glam::Vec3> {
        let mut scene = self.scene.clone();
        let Some(first) = scene.fluid.first().cloned() else { return vec![] };
        let fluid = visco::scene::Fluid { shape: shape.clone(), rotate: None, velocity: [0.0; 3], ..first };
        (scene.fluid, scene.boundary, scene.body) = (vec![fluid], vec![], vec![]);
        Simulation::with_assets(&scene, &self.assets).map(|run| run.frame().positions).unwrap_or_default()
    }
}

impl<M: Send> Task for Take<M> {
    type Outcome = Taken<M>;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn work(&self) -> f64 {
        self.start.particle_count() as f64 * f64::from(self.scene.time.frames)
    }

    fn run(&self, tell: &mut dyn FnMut(f64)) -> Taken<M> {
        let mut run = self.start.clone();
        let mut taken = Taken {
            name: self.name.clone(),
            samples: vec![(0.0, (self.measure)(&run))],
            kept: vec![],
            fluid: self.fluid(),
            density_error: 0.0,
            iterations: vec![],
            failure: None,
        };
        for number in 0..self.scene.time.frames {
            let mut iterations = (0, 0);
            let watch = |report: &visco::StepReport| {
                taken.density_error = taken.density_error.max(report.density_error_mean);
                iterations.0 += u64::from(report.velocity_iterations);
                iterations.1 += 1;
                ControlFlow::Continue(())
            };
            if number > 0 {
                if let Err(error) = run.advance_frame(watch) {
                    taken.failure = Some(error.to_string());
                    break;
                }
                taken.samples.push((run.time(), (self.measure)(&run)));
                taken.iterations.push(iterations);
            }
            if self.kept.contains(&number) {
                taken.kept.push(run.frame());
            }
            tell(f64::from(number) / f64::from(self.scene.time.frames));
        }
        taken
    }
}

impl<M> Taken<M> {
    /// A curve over time.
    pub(super) fn curve(&self, value: impl Fn(&M) -> f64) -> Vec<(f64, f64)> {
        self.samples.iter().map(|(time, m)| (*time, value(m))).collect()
    }

    /// What was measured last.
    pub(super) fn last(&self) -> &M {
        &self.samples.last().expect("the start is always there").1
    }

    /// The largest of a value.
    pub(super) fn most(&self, value: impl Fn(&M) -> f64) -> f64 {
        self.samples.iter().map(|(_, m)| value(m)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Iterations of the pressure solve a step, over time, in s: means over the frames.
    pub(super) fn iterations(&self) -> Vec<(f64, f64)> {
        let times = self.samples.iter().skip(1).map(|(time, _)| *time);
        times.zip(&self.iterations).map(|(time, (n, steps))| (time, *n as f64 / *steps as f64)).collect()
    }

    /// The same over the whole run.
    pub(super) fn mean_iterations(&self) -> f64 {
        let sum = |(a, b): (u64, u64), (n, steps): &(u64, u64)| (a + n, b + steps);
        let (iterations, steps) = self.iterations.iter().fold((0, 0), sum);
        iterations as f64 / steps.max(1) as f64
    }

    /// That it ended early, if it did, and what the solve took.
    pub(super) fn statements(&self) -> Vec<Statement> {
        let failed =
            self.failure.iter().map(|why| Statement::failed(format!("{}: ended early", self.name), why));
        let cost = format!(
            "{} particles; {} iterations a step; mean density error of a step at most {} %",
            self.fluid,
            digits(self.mean_iterations()),
            digits(100.0 * self.density_error)
        );
        failed.chain([Statement::note(self.name.clone(), cost)]).collect()
    }
}
