//! Volume-preserving viscoelastic fluids by position-based velocity corrections.
//!
//! Takahashi, Dobashi, Fujishiro, Nishita: *Volume preserving viscoelastic fluids with large deformations using
//! position-based velocity corrections*, The Visual Computer 32 (2016). Particles are connected with their neighbours;
//! connections that are longer than when they were made pull velocities, not positions, before implicit incompressible
//! SPH (Ihmsen et al. 2014) finds the pressure that keeps the volume. Walls and bodies are boundary particles (Akinci et
//! al. 2012), and fluid is connected with them as with fluid.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | xᵗ, vᵗ | positions and velocities at the start of the step | `x0`, `world.particles.velocities` |
//! | v*, v | velocity before and after pressure | `velocity` |
//! | Δv, D, r | velocity correction, extension and rest length of a connection | `corrections.rs` |
//! | c, l, w, γ, α, β | coefficient, its lower limit, weakening, yield, merging, splitting | [`crate::scene::Connections`] |
//! | p, ρ | pressure, density | `pressure`, `densities` |
//! | W, h, d | kernel, support, spacing | [`Kernel`] |
//!
//! What the paper leaves open, and what is decided here, stands in EQUATIONS.md.

mod around;
mod connections;
mod corrections;
mod forces;
mod params;
mod pressure;
mod setting;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use forces::MOST_VISCOUS;
pub use params::Params;

use super::FluidMethod;
use crate::boundary::WallKernel;
use crate::boundary::samples::{Moment, WallSamples};
use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::flow::{self, surface_tension};
use crate::kernel::Kernel;
use crate::math::Sym3;
use crate::neighbors::z_order;
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use around::{Around, Layer, WallPoints};
use glam::{Vec3, Vec3A};
use setting::Step;
use state::State;

/// Steps after which particles are brought into the order of the Z curve again.
const SORTED: u64 = 10;

/// The method with its state.
#[derive(Clone, Debug)]
pub struct VelocityCorrection {
    params: Params,
    kernel: Kernel,
    wall_kernel: WallKernel,
    samples: WallSamples,
    /// Length of the steps that the scene asks for, in s; 0 where it leaves them to the fluid.
    usual_step: f32,
    state: State,
    /// The neighbourhoods at the end of the last step, which are mostly those at the start of the next.
    around: Option<Around>,
}

impl VelocityCorrection {
    /// The method for a world, in which a scene asks for steps of a length, in s, if it does.
    pub fn new(world: &World, params: Params, usual_step: Option<f64>) -> Self {
        let kernel = Kernel::new(world.spacing, params.support * world.spacing);
        let mut method = Self {
            params,
            wall_kernel: WallKernel::new(&kernel),
            samples: {
                let depth = Layer::new(&kernel).depth;
                WallSamples::new(&world.boundary, (world.spacing, depth), &world.domain)
            },
            kernel,
            usual_step: usual_step.unwrap_or(0.0) as f32,
            state: State::default(),
            around: None,
        };
        method.grow(world.particles.len());
        method
    }

    /// Number of connections between particles, and of particles with walls.
    pub fn connections(&self) -> (usize, usize) {
        self.state.connections.count()
    }

    /// The neighbourhoods of a world at one moment of the step; boundary particles are made where fluid has come near.
    fn look_around(&mut self, world: &World, moment: Moment) -> Around {
        let Self { kernel, samples, around, .. } = self;
        samples.cover(&world.boundary, &world.particles.positions, kernel.support(), moment);
        let place = (&*kernel, &world.domain);
        let last = around.take();
        let walls = last.as_ref().map(|last| last.walls.clone());
        let walls = WallPoints::place(samples, &world.boundary, moment, place, walls);
        Around::find(&world.particles.positions, walls, place, last)
    }

    /// Brings the particles into the order of the Z curve, now and then.
    fn sort(&mut self, world: &mut World) {
        if self.state.steps.is_multiple_of(SORTED) {
            let order = z_order(&world.particles.positions, self.kernel.support());
            world.particles.reorder(&order);
            self.state.reorder(&order);
        }
        self.state.steps += 1;
        self.state.set_coefficients(world);
    }
}

impl FluidMethod for VelocityCorrection {
    fn grow(&mut self, particles: usize) {
        self.state.grow(particles);
    }

    fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    fn conformations(&self) -> Option<&[Sym3]> {
        None
    }

    /// Of the connections; what viscosity adds is small in an explicit step.
    fn stresses(&self, world: &World) -> Vec<Sym3> {
        let Self { params, kernel, wall_kernel, samples, state, usual_step, .. } = self;
        if state.dt == 0.0 {
            return vec![Sym3::ZERO; world.particles.len()];
        }
        let place = (kernel, &world.domain);
        let walls = WallPoints::place(samples, &world.boundary, Moment::End, place, None);
        let step = Step::new(world, (state.dt, *usual_step), params, (*kernel, wall_kernel), samples);
        corrections::stresses(&step, &walls, state)
    }

    fn pressures(&self) -> Option<&[f32]> {
        Some(&self.state.pressure)
    }

    fn densities(&self, world: &World) -> Vec<f32> {
        let around = self.clone().look_around(world, Moment::End);
        let rest = |i: usize| world.materials[usize::from(world.particles.materials[i])].density;
        around.densities.iter().enumerate().map(|(i, density)| density * rest(i)).collect()
    }

    /// Algorithm 2.
    fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        // Find neighbouring particles.
        let clock = Stopwatch::start();
        self.sort(world);
        let around = self.look_around(world, Moment::Start);
        report.seconds_neighbors = clock.seconds();
        let Self { params, kernel, wall_kernel, samples, state, usual_step, .. } = self;
        let mut step = Step::new(world, (dt, *usual_step), params, (*kernel, wall_kernel), samples);

        // Forces but pressure and viscoelasticity: gravity, surface tension, viscosity.
        let v = &world.particles.velocities;
        let mut predicted = vec![Vec3A::ZERO; v.len()];
        step.predict(world, &mut predicted);
        surface_tension::pull(&step, world, &mut predicted);
        let mut velocity: Vec<Vec3> = predicted.iter().map(|&v| v.into()).collect();
        forces::add_viscosity(&step, &around, v, &mut velocity);

        // Update connections (Algorithm 1), v* with eqs. 5, 8 and 10, relax c with eq. 11.
        let clock = Stopwatch::start();
        let energy = match step.connects() {
            true => corrections::apply(&step, &around, state, &mut velocity),
            false => 0.0,
        };
        state.dt = dt;
        report.seconds_corrections = clock.seconds();

        // Pressure by IISPH, and v with eqs. 2 and 3; solids get the forces of eq. 9 and of pressure.
        let clock = Stopwatch::start();
        let solved = pressure::solve(&step, &around, &velocity, &mut state.pressure);
        report.velocity_iterations = solved.iterations;
        report.velocity_residual = solved.error;
        parallel::for_each(&mut velocity, |i, v| *v += solved.acceleration[i] * dt);
        forces::rub(&step, &around, &state.pressure, &mut velocity);
        report.seconds_velocity = clock.seconds();

        // Positions, by eq. 4.
        let clock = Stopwatch::start();
        let mut displacement = vec![Vec3::ZERO; velocity.len()];
        let bodies = step.move_particles(&around.near, &mut velocity, &mut displacement);
        report.seconds_position = clock.seconds();

        drop(step);
        world.finish_step(&displacement, &bodies);
        world.particles.velocities = velocity;
        flow::measure(world, f64::from(self.kernel.volume()), None, &mut report);
        report.elastic_energy = energy;
        let clock = Stopwatch::start();
        self.around = Some(around);
        let around = self.look_around(world, Moment::End);
        measure_density(world, &around, &mut report);
        self.around = Some(around);
        report.seconds_neighbors += clock.seconds();
        report
    }

    fn save(&self, to: &mut StateWriter) {
        to.put(&self.state);
        to.put(&self.samples.tiles());
    }

    fn load(&mut self, from: &mut StateReader, particles: usize) -> Result<(), CheckpointError> {
        self.state = from.get()?;
        self.samples.restore(from.get()?)?;
        self.around = None;
        self.state.check(particles, self.samples.len())
    }

    fn boxed_clone(&self) -> Box<dyn FluidMethod> {
        Box::new(self.clone())
    }
}

/// Density errors of the fluid where it is now.
fn measure_density(world: &World, around: &Around, report: &mut StepReport) {
    let fluid = |i: usize| setting::is_fluid(world, i);
    let error = |i: usize| if fluid(i) { (around.densities[i] - 1.0).max(0.0) } else { 0.0 };
    let n = around.densities.len();
    let [sum, count] = parallel::sums(n, |i| [f64::from(error(i)), f64::from(u8::from(fluid(i)))]);
    report.density_error_mean = sum / count.max(1.0);
    report.density_error_max = f64::from(parallel::max(n, 0.0, error));
}
