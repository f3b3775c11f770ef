//! Implicit incompressible SPH (Ihmsen et al. 2014) with boundary particles (Akinci et al. 2012), and the step around it.
//! Several methods add something of their own to it.
//!
//! A step of such a method is `Iisph::begin`, `Iisph::step`, then of the `Step` that this gives `velocities`, `press` and
//! `advance`, and `Iisph::finish`, with what is its own in between.

mod around;
mod chebyshev;
mod forces;
mod params;
mod partners;
mod pressure;
mod setting;

pub(crate) use around::{Around, WallPoints};
pub(crate) use forces::MOST_VISCOUS;
pub use params::Params;
pub(crate) use partners::Partners;
pub(crate) use setting::{Step, is_fluid};

use crate::boundary::WallKernel;
use crate::boundary::samples::{Moment, WallSamples};
use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::dynamics::Dynamics;
use crate::flow;
use crate::flow::moved_body::MovedBody;
use crate::kernel::Kernel;
use crate::neighbors::z_order;
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use around::Layer;
use glam::Vec3;

/// Steps after which particles are brought into the order of the Z curve again.
const SORTED: u64 = 20;

/// What the methods that use it keep of it.
#[derive(Clone, Debug)]
pub(crate) struct Iisph {
    pub(crate) params: Params,
    pub(crate) kernel: Kernel,
    wall_kernel: WallKernel,
    pub(crate) samples: WallSamples,
    dynamics: Dynamics,
    /// The neighbourhoods at the end of the last step, which are mostly those at the start of the next.
    pub(crate) around: Option<Around>,
}

/// Where a step has brought particles and bodies.
pub(crate) struct Moved {
    pub(crate) velocity: Vec<Vec3>,
    displacement: Vec<Vec3>,
    bodies: Vec<MovedBody>,
}

impl Iisph {
    pub(crate) fn new(world: &World, params: Params) -> Self {
        let kernel = Kernel::new(world.spacing, params.support * world.spacing);
        let depth = Layer::new(&kernel).depth;
        Self {
            params,
            wall_kernel: WallKernel::new(&kernel),
            samples: WallSamples::new(&world.boundary, (world.spacing, depth), &world.domain),
            dynamics: Dynamics::new(world),
            kernel,
            around: None,
        }
    }

    /// The neighbourhoods at the start of a step.
    pub(crate) fn begin(&mut self, world: &World) -> Around {
        self.look_around(world, Moment::Start)
    }

    /// The order of the Z curve, if it is due after so many steps.
    pub(crate) fn new_order(&self, world: &World, steps: u64) -> Option<Vec<u32>> {
        steps.is_multiple_of(SORTED).then(|| z_order(&world.particles.positions, self.kernel.support()))
    }

    /// What does not change during a step of `dt` seconds.
    pub(crate) fn step<'a>(&'a self, world: &'a World, dt: f32) -> Step<'a> {
        Step::new(world, dt, &self.params, (self.kernel, &self.wall_kernel), (&self.samples, &self.dynamics))
    }

    /// The boundary particles of walls at one moment of a step.
    pub(crate) fn wall_points(&self, world: &World, moment: Moment) -> WallPoints {
        WallPoints::place(&self.samples, &world.boundary, moment, (&self.kernel, &world.domain), None)
    }

    /// Leaves the world as a step has made it, and measures it.
    pub(crate) fn finish(
        &mut self,
        world: &mut World,
        around: Around,
        moved: Moved,
        report: &mut StepReport,
    ) {
        world.finish_step(&moved.displacement, &moved.bodies);
        world.particles.velocities = moved.velocity;
        flow::measure(world, f64::from(self.kernel.volume()), None, report);
        let clock = Stopwatch::start();
        self.around = Some(around);
        let around = self.look_around(world, Moment::End);
        measure_density(world, &around, report);
        self.around = Some(around);
        report.seconds_neighbors += clock.seconds();
    }

    /// Densities of the particles where they are now, in kg/m³.
    pub(crate) fn densities(&self, world: &World) -> Vec<f32> {
        let around = self.clone().look_around(world, Moment::End);
        let rest = |i: usize| world.materials[usize::from(world.particles.materials[i])].density;
        around.densities.iter().enumerate().map(|(i, density)| density * rest(i)).collect()
    }

    /// Stores what survives a step.
    pub(crate) fn save(&self, to: &mut StateWriter) {
        to.put(&self.samples.tiles());
    }

    /// Takes what was stored.
    pub(crate) fn load(&mut self, from: &mut StateReader) -> Result<(), CheckpointError> {
        self.samples.restore(from.get()?)?;
        self.around = None;
        Ok(())
    }

    /// The neighbourhoods of a world at one moment of the step; boundary particles are made where fluid has come near.
    fn look_around(&mut self, world: &World, moment: Moment) -> Around {
        let Self { kernel, samples, around, .. } = self;
        samples.cover(&world.boundary, &world.particles.positions, kernel.support(), moment);
        let place = (&*kernel, &world.domain);
        let last = around.take();
        let walls = last.as_ref().map(|last| &last.walls);
        let walls = WallPoints::place(samples, &world.boundary, moment, place, walls);
        Around::find(&world.particles.positions, walls, place, last)
    }
}

/// Density errors of the fluid where it is now.
fn measure_density(world: &World, around: &Around, report: &mut StepReport) {
    let fluid = |i: usize| is_fluid(world, i);
    let error = |i: usize| if fluid(i) { (around.densities[i] - 1.0).max(0.0) } else { 0.0 };
    let n = around.densities.len();
    let [sum, count] = parallel::sums(n, |i| [f64::from(error(i)), f64::from(u8::from(fluid(i)))]);
    report.density_error_mean = sum / count.max(1.0);
    report.density_error_max = f64::from(parallel::max(n, 0.0, error));
}
