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
//! | W, h, d | kernel, support, spacing | [`crate::kernel::Kernel`] |
//!
//! What the paper leaves open, and what is decided here, stands in EQUATIONS.md.

mod alike;
mod connections;
mod corrections;
mod lists;
mod others;
mod params;
mod seen;
mod setting;
mod state;
#[cfg(test)]
mod tests;

pub use params::Params;

use super::FluidMethod;
use crate::boundary::samples::Moment;
use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::iisph::Iisph;
use crate::math::Sym3;
use crate::report::StepReport;
use crate::world::World;
use connections::Updated;
use setting::Step;
use state::State;

/// The method with its state.
#[derive(Clone, Debug)]
pub struct VelocityCorrection {
    flow: Iisph,
    /// Length of the steps that the scene asks for, in s; 0 where it leaves them to the fluid.
    usual_step: f32,
    state: State,
}

impl VelocityCorrection {
    /// The method for a world, in which a scene asks for steps of a length, in s, if it does.
    pub fn new(world: &World, params: Params, usual_step: Option<f64>) -> Self {
        let usual_step = usual_step.unwrap_or(0.0) as f32;
        let mut method = Self { flow: Iisph::new(world, params), usual_step, state: State::default() };
        method.grow(world.particles.len());
        method
    }

    /// Number of connections between particles, and of particles with walls.
    pub fn connections(&self) -> (usize, usize) {
        self.state.connections.count()
    }

    /// Brings the particles into the order of the Z curve, now and then.
    fn sort(&mut self, world: &mut World) {
        if let Some(order) = self.flow.new_order(world, self.state.steps) {
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
        let Self { flow, state, usual_step } = self;
        if state.dt == 0.0 {
            return vec![Sym3::ZERO; world.particles.len()];
        }
        let walls = flow.wall_points(world, Moment::End);
        let step = Step::new(flow.step(world, state.dt), world, *usual_step);
        corrections::stresses(&step, &walls, state)
    }

    fn pressures(&self) -> Option<&[f32]> {
        Some(&self.state.pressure)
    }

    fn densities(&self, world: &World) -> Vec<f32> {
        self.flow.densities(world)
    }

    /// Algorithm 2.
    fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        // Find neighbouring particles.
        let clock = Stopwatch::start();
        self.sort(world);
        let around = self.flow.begin(world);
        report.seconds_neighbors = clock.seconds();
        let Self { flow, state, usual_step } = self;
        let step = Step::new(flow.step(world, dt), world, *usual_step);

        // Forces but pressure and viscoelasticity.
        let mut velocity = step.velocities(world, &around);

        // Update connections (Algorithm 1), v* with eqs. 5, 8 and 10, relax c with eq. 11.
        let clock = Stopwatch::start();
        let updated = match step.connects() {
            true => corrections::apply(&step, &around, state, &mut velocity),
            false => Updated::default(),
        };
        state.dt = dt;
        report.seconds_corrections = clock.seconds();
        report.seconds_connections = updated.changing;

        // Pressure by IISPH, and v with eqs. 2 and 3; solids get the forces of eq. 9 and of pressure.
        step.press(&around, &mut state.pressure, &mut velocity, &mut report);

        // Positions, by eq. 4.
        let moved = step.into_flow().advance(velocity, &mut report);
        flow.finish(world, around, moved, &mut report);
        report.elastic_energy = updated.energy;
        report
    }

    fn save(&self, to: &mut StateWriter) {
        to.put(&self.state);
        self.flow.save(to);
    }

    fn load(&mut self, from: &mut StateReader, particles: usize) -> Result<(), CheckpointError> {
        self.state = from.get()?;
        self.flow.load(from)?;
        self.state.check(particles, self.flow.samples.len())
    }

    fn boxed_clone(&self) -> Box<dyn FluidMethod> {
        Box::new(self.clone())
    }
}
