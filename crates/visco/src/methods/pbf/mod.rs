//! Position-based fluids.
//!
//! Macklin, Müller: *Position Based Fluids*, ACM Trans. Graph. 32, 4 (2013). Positions are predicted, moved until the
//! density of every particle is that at rest, and velocities follow from the way made; vorticity confinement and XSPH
//! then act on velocities alone.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | x, x* | positions at the start of the step, and predicted | `x0`, `displacement` = x* − x |
//! | v | velocity | `velocity` |
//! | C, λ | density constraint, its multiplier | `constraint.rs` |
//! | Δp, s_corr | correction of a position, tensile correction | `constraint.rs` |
//! | k, Δq, n | strength, distance and power of the latter | `tensile_*` of [`Params`] |
//! | ω, N, ε | vorticity, where it grows, strength of its confinement | `vorticity.rs` |
//! | c | XSPH coefficient | `viscosity.rs` |
//! | Q, σ | conformation tensor, stress | `stress.rs` |
//! | W, h, d | kernel, support, spacing | [`Kernel`] |
//!
//! In the place of XSPH other ways to be viscous can be chosen, which others compare theirs with: `lengths.rs`,
//! `reconstruction.rs`, `stress.rs`. What differs from the papers, and why, stands in EQUATIONS.md.

mod constraint;
mod gradients;
mod lengths;
mod params;
mod reconstruction;
mod state;
mod stress;
#[cfg(test)]
mod tests;
mod viscosity;
mod vorticity;

pub use params::{Params, Viscosity};
pub use stress::stable_step;
pub(crate) use viscosity::most_viscous;

use super::FluidMethod;
use crate::boundary::WallKernel;
use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::flow::contact::{VelocityContacts, contact_displacement};
use crate::flow::density::{find_multipliers, measure_density, move_by_multipliers, world_densities};
use crate::flow::moved_body::MovedBody;
use crate::flow::rigid::RigidBodies;
use crate::flow::soft::SoftBodies;
use crate::flow::{self, Displaced, Reading, Setting, surface_tension};
use crate::kernel::Kernel;
use crate::material::Material;
use crate::math::Sym3;
use crate::neighbors::{Neighbors, cell_order};
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use constraint::{Constraint, Tensile, mean_error};
use glam::{Vec3, Vec3A};
use lengths::Lengths;
use state::{Scratch, State};

/// The neighbour lists reach this much farther than the kernel, so that they hold while positions are corrected.
const SKIN: f32 = 1.1;
/// Contact itself holds at walls with no slip.
const READING: Reading = Reading { unit_masses: false, viscous_walls: false };

/// The method with its state.
#[derive(Clone, Debug)]
pub struct Pbf {
    params: Params,
    kernel: Kernel,
    wall_kernel: WallKernel,
    tensile: Tensile,
    state: State,
    scratch: Scratch,
}

/// What does not change during a step.
struct Step<'a> {
    setting: Setting<'a>,
    params: &'a Params,
    /// c by material.
    coefficients: Vec<f32>,
    /// 10 ν Δt/h² by material: what decays of the shear between neighbours in an implicit step.
    diffusions: Vec<f32>,
    world_materials: &'a [Material],
}

impl<'a> std::ops::Deref for Step<'a> {
    type Target = Setting<'a>;

    fn deref(&self) -> &Setting<'a> {
        &self.setting
    }
}

impl Pbf {
    /// The method for a world.
    pub fn new(world: &World, params: Params) -> Self {
        let kernel = Kernel::new(world.spacing, params.support * world.spacing);
        let mut method = Self {
            wall_kernel: WallKernel::new(&kernel),
            tensile: Tensile::new(&params, &kernel),
            params,
            kernel,
            state: State::default(),
            scratch: Scratch::default(),
        };
        method.grow(world.particles.len());
        method
    }

    /// Puts particles that are neighbours in space next to each other in memory.
    fn sort_particles(&mut self, world: &mut World) {
        let order = cell_order(&world.particles.positions, self.kernel.support());
        world.particles.reorder(&order);
        self.state.reorder(&order);
        self.scratch.resize(order.len());
    }
}

impl<'a> Step<'a> {
    fn new(world: &'a World, dt: f32, params: &'a Params, (kernel, walls): (Kernel, &'a WallKernel)) -> Self {
        Self {
            setting: Setting::new(world, dt, (kernel, walls), READING),
            params,
            coefficients: match params.viscosity {
                Viscosity::Xsph => viscosity::coefficients(&world.materials, params.xsph, (&kernel, dt)),
                _ => vec![params.xsph; world.materials.len()],
            },
            diffusions: world.materials.iter().map(|m| diffusion(m, &kernel, dt)).collect(),
            world_materials: &world.materials,
        }
    }

    /// 10 ν Δt/h² of a material.
    fn diffusion(&self, material: usize) -> f32 {
        self.diffusions[material]
    }
}

fn diffusion(material: &Material, kernel: &Kernel, dt: f32) -> f32 {
    let kinematic = material.rheology.steady_viscosity() / f64::from(material.density);
    (10.0 * kinematic * f64::from(dt) / f64::from(kernel.support()).powi(2)) as f32
}

impl FluidMethod for Pbf {
    fn grow(&mut self, particles: usize) {
        self.state.grow(particles, self.params.viscosity == Viscosity::Stress);
    }

    /// An explicit stress is stable in short steps only.
    fn stable_step(&self, world: &World) -> f64 {
        if self.params.viscosity != Viscosity::Stress {
            return f64::INFINITY;
        }
        let spacing = f64::from(self.kernel.spacing());
        world.materials.iter().map(|m| stable_step(m, spacing)).fold(f64::INFINITY, f64::min)
    }

    fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    fn conformations(&self) -> Option<&[Sym3]> {
        (self.params.viscosity == Viscosity::Stress).then_some(&self.state.conformation)
    }

    fn densities(&self, world: &World) -> Vec<f32> {
        world_densities(world, &self.kernel, &self.wall_kernel)
    }

    /// Of XSPH, or that of the explicit polymer; what else is viscous has corrections in the place of a stress.
    fn stresses(&self, world: &World) -> Vec<Sym3> {
        let Self { params, kernel, wall_kernel, state, .. } = self;
        if state.dt == 0.0 {
            return vec![Sym3::ZERO; world.particles.len()];
        }
        let step = Step::new(world, state.dt, params, (*kernel, wall_kernel));
        if params.viscosity == Viscosity::Stress {
            let near = Neighbors::find(step.x0, kernel.support(), &step.domain);
            let gradients = stress::gradients(&step, &near, &world.particles.velocities);
            return stress::stresses(&step, &gradients, &state.conformation);
        }
        viscosity::stresses(&step, world)
    }

    /// −Σ λ/(V Δt²): the pressure whose forces over a step are the corrections of the density constraint.
    fn pressures(&self) -> Option<&[f32]> {
        Some(&self.state.pressure)
    }

    /// Algorithm 1.
    fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        self.sort_particles(world);
        let Self { params, kernel, wall_kernel, tensile, state, scratch } = self;
        let step = Step::new(world, dt, params, (*kernel, wall_kernel));

        // Apply forces v ← v + Δt f, predict positions x* ← x + Δt v.
        let clock = Stopwatch::start();
        step.predict(world, &mut scratch.velocity);
        surface_tension::pull(&step, world, &mut scratch.velocity);
        if params.viscosity == Viscosity::Stress {
            let near = Neighbors::find(step.x0, kernel.support(), &step.domain);
            let gradients = stress::gradients(&step, &near, &world.particles.velocities);
            stress::stretch(&step, &gradients, &mut state.conformation);
            let stresses = stress::stresses(&step, &gradients, &state.conformation);
            stress::push(&step, &near, &stresses, &mut scratch.velocity);
        }
        let mut bodies = predict_positions(&step, scratch);
        report.seconds_velocity = clock.seconds();

        // Find neighbouring particles N(x*).
        let clock = Stopwatch::start();
        let around = step.find_displaced(&scratch.displacement, SKIN * kernel.support());
        report.seconds_neighbors = clock.seconds();

        // Calculate λ and Δp, respond to collisions, x* ← x* + Δp.
        let clock = Stopwatch::start();
        (report.position_iterations, report.velocity_residual) =
            project((&step, tensile), &around, &mut bodies, (scratch, &mut state.pressure));

        // v ← (x* − x)/Δt, vorticity confinement, XSPH viscosity.
        let Scratch { velocity, displacement, .. } = scratch;
        parallel::for_each(velocity, |i, v| {
            if step.is_free(i) {
                *v = Vec3A::from(displacement[i]) / dt;
            }
        });
        bodies.iter().for_each(|body| body.set_velocities(&step, velocity));
        vorticity::confine(&step, &around, displacement, velocity);
        if params.viscosity == Viscosity::Reconstruction {
            report.velocity_iterations = reconstruction::apply(&step, &around, displacement, velocity);
        }
        viscosity::apply(&step, &around, displacement, velocity);
        for body in &mut bodies {
            body.take_velocities(&step, velocity);
            body.set_velocities(&step, velocity);
        }
        measure_density(&step, &around, displacement, &mut report);
        state.dt = dt;
        report.seconds_position = clock.seconds();

        // x ← x*.
        drop(step);
        world.finish_step(&scratch.displacement, &bodies);
        parallel::fill(&mut world.particles.velocities, |i| scratch.velocity[i].into());
        let remembered = self.conformations();
        flow::measure(world, f64::from(self.kernel.volume()), remembered, &mut report);
        report
    }

    fn save(&self, to: &mut StateWriter) {
        to.put(&self.state);
    }

    fn load(&mut self, from: &mut StateReader, particles: usize) -> Result<(), CheckpointError> {
        self.state = from.get()?;
        self.state.check(particles, self.params.viscosity == Viscosity::Stress)
    }

    fn boxed_clone(&self) -> Box<dyn FluidMethod> {
        Box::new(self.clone())
    }
}

/// x* of particles, and bodies where they would be; walls stop both.
fn predict_positions(step: &Step, scratch: &mut Scratch) -> Vec<MovedBody> {
    let Scratch { velocity, displacement, .. } = scratch;
    let rigid = RigidBodies::find(step);
    if !rigid.is_empty() {
        let near = Neighbors::find(step.x0, step.kernel.support(), &step.domain);
        let mut contacts = VelocityContacts::find(step, velocity, &near);
        rigid.meet_walls(&mut contacts, velocity);
    }
    parallel::fill(displacement, |i| {
        let s = Vec3::from(velocity[i]) * step.dt;
        if step.is_free(i) && !rigid.has(i) { contact_displacement(step, i, s) } else { s }
    });
    let bodies = rigid.advance(step, velocity);
    bodies.iter().for_each(|body| body.place(step, displacement));
    step.hold_displacements(displacement);
    bodies
}

/// Iterates the density constraint, a fixed number of times or until the mean density error is small enough; bodies
/// follow. Returns the number of iterations and, where there is a tolerance, the error that was left.
fn project(
    (step, tensile): (&Step, &Tensile),
    around: &Displaced,
    bodies: &mut [MovedBody],
    (scratch, pressure): (&mut Scratch, &mut [f32]),
) -> (u32, f64) {
    let Params { iterations, density_tolerance, max_iterations, .. } = *step.params;
    let Scratch { displacement, moved, multipliers, .. } = scratch;
    let mut soft = SoftBodies::find(step);
    let per_multiplier = -1.0 / (step.kernel.volume() * step.dt * step.dt);
    pressure.fill(0.0);
    let lengths = (step.params.viscosity == Viscosity::Lengths).then(|| Lengths::new(step, around));
    let most = if density_tolerance.is_some() { max_iterations } else { iterations };
    let mut done = 0;
    loop {
        if done >= iterations && density_tolerance.is_none() {
            return (done, 0.0);
        }
        let constraint = Constraint { step, tensile, corrects_tension: done < iterations };
        find_multipliers(step, around, &constraint, (displacement, multipliers));
        if let Some(tolerance) = density_tolerance {
            let error = mean_error(multipliers);
            if done >= most || (done >= iterations && error <= f64::from(tolerance)) {
                return (done, error);
            }
        }
        parallel::for_each(pressure, |i, p| *p += multipliers[i].lambda * per_multiplier);
        move_by_multipliers(step, around, &constraint, (displacement, moved, multipliers));
        if let Some(lengths) = &lengths {
            lengths.project(step, around, displacement, moved);
        }
        bodies.iter_mut().for_each(|body| body.match_shape(step, displacement));
        soft.project(step, displacement);
        step.hold_displacements(displacement);
        done += 1;
    }
}
