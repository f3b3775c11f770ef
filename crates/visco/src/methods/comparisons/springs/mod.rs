//! Springs between particles, in the order of prediction and relaxation.
//!
//! Clavet, Beaudoin, Poulin: *Particle-based viscoelastic fluid simulation*, SCA 2005, with implicit incompressible SPH in
//! the place of double density relaxation, as Takahashi et al. 2016 (section 4.2) compare with it. Particles are moved to
//! where their velocities take them, springs displace them there, and the pressure restores the density where they then
//! are, among the neighbours that were found before. Velocities are what became of positions.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | x, v | positions at the start of the step, velocities | `x0`, `velocity` |
//! | L, r | rest length and length of a spring | `state.springs`, `displacements.rs` |
//! | k, γ, α | stiffness, yield ratio, plasticity | [`crate::scene::Springs`] |
//! | h, d | kernel support, spacing | [`crate::kernel::Kernel`] |
//!
//! What is decided here stands in EQUATIONS.md.

mod displacements;
mod params;
mod state;
#[cfg(test)]
mod tests;

pub use params::Params;

use crate::boundary::samples::Moment;
use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::iisph::Iisph;
use crate::math::Sym3;
use crate::methods::FluidMethod;
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use displacements::{Joined, Kind};
use glam::Vec3;
use state::State;

/// Largest Δt √k: displacements by springs alone are stable to about 0.5.
const STIFFEST: f64 = 0.3;

/// The method with its state.
#[derive(Clone, Debug)]
pub struct Springs {
    flow: Iisph,
    state: State,
}

impl Springs {
    /// The method for a world.
    pub fn new(world: &World, params: Params) -> Self {
        let mut method = Self { flow: Iisph::new(world, params), state: State::default() };
        method.grow(world.particles.len());
        method
    }

    fn kinds(&self, world: &World) -> Vec<Option<Kind>> {
        world.materials.iter().map(|m| Kind::of(m, &self.flow.kernel)).collect()
    }

    /// Brings the particles into the order of the Z curve, now and then.
    fn sort(&mut self, world: &mut World) {
        if let Some(order) = self.flow.new_order(world, self.state.steps) {
            world.particles.reorder(&order);
            self.state.reorder(&order);
        }
        self.state.steps += 1;
    }
}

impl FluidMethod for Springs {
    fn grow(&mut self, particles: usize) {
        self.state.grow(particles);
    }

    fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    fn stable_step(&self, world: &World) -> f64 {
        let stiffest = self.kinds(world).iter().flatten().map(|k| f64::from(k.stiffness)).fold(0.0, f64::max);
        STIFFEST / stiffest.sqrt()
    }

    fn conformations(&self) -> Option<&[Sym3]> {
        None
    }

    /// Of the springs.
    fn stresses(&self, world: &World) -> Vec<Sym3> {
        let step = self.flow.step(world, 0.0);
        Joined::new(&step, &world.particles.positions, &self.kinds(world)).stresses(&self.state.springs)
    }

    fn pressures(&self) -> Option<&[f32]> {
        Some(&self.state.pressure)
    }

    fn densities(&self, world: &World) -> Vec<f32> {
        self.flow.densities(world)
    }

    /// Algorithm 1 of Clavet et al. 2005, with IISPH for line 16.
    fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        let clock = Stopwatch::start();
        self.sort(world);
        let around = self.flow.begin(world);
        report.seconds_neighbors = clock.seconds();
        let kinds = self.kinds(world);
        let Self { flow, state } = self;
        let step = flow.step(world, dt);

        // Gravity, viscosity.
        let mut velocity = step.velocities(world, &around);

        // To predicted positions; springs adjusted there, and their displacements.
        let clock = Stopwatch::start();
        let n = velocity.len();
        let (mut positions, mut displacement) = (vec![Vec3::ZERO; n], vec![Vec3::ZERO; n]);
        parallel::fill(&mut positions, |i| step.x0[i] + velocity[i] * dt);
        let joined = Joined::new(&step, &positions, &kinds);
        joined.adjust(&mut state.springs, &around.near);
        joined.displace(&state.springs, &mut displacement);
        let energy = joined.energy(&state.springs);
        parallel::for_each(&mut velocity, |i, v| *v += displacement[i] / dt);
        parallel::fill(&mut positions, |i| step.x0[i] + velocity[i] * dt);
        report.seconds_corrections = clock.seconds();

        // Pressure where the particles are now, among the neighbours that they had.
        let walls = flow.wall_points(world, Moment::End);
        let moved = around.moved(&positions, walls, (&step.kernel, &step.domain));
        step.press_moved((&around, &moved), &mut state.pressure, &mut velocity, &mut report);

        // Velocities are the way that was made; collisions.
        let moved = step.advance(velocity, &mut report);
        flow.finish(world, around, moved, &mut report);
        report.elastic_energy = energy;
        report
    }

    fn save(&self, to: &mut StateWriter) {
        to.put(&self.state);
        self.flow.save(to);
    }

    fn load(&mut self, from: &mut StateReader, particles: usize) -> Result<(), CheckpointError> {
        self.state = from.get()?;
        self.flow.load(from)?;
        self.state.check(particles)
    }

    fn boxed_clone(&self) -> Box<dyn FluidMethod> {
        Box::new(self.clone())
    }
}
