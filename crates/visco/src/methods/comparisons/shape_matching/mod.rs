//! Shape matching mixed into implicit incompressible SPH.
//!
//! Takamatsu, Kanai: *A fast and practical method for animating particle-based viscoelastic fluids*, IJVR 10 (2011), with
//! implicit incompressible SPH, as Takahashi et al. 2016 (section 4.2) compare with it:
//! v = (1 − w) v_IISPH + w v_SM. Clusters of particles want their shapes back (Müller et al. 2005: *Meshless deformations
//! based on shape matching*); what they do to velocities knows nothing of pressure, nor pressure of them, and the volume
//! is not kept.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | v*, v_IISPH, v_SM | velocity before pressure, with it, by shape matching | `before`, `velocity`, `Wish::pull` |
//! | w | part of shape matching | [`crate::scene::ShapeMatching`] |
//! | q, R, g | place in a shape, rotation of a cluster, goal of a member | `clusters.rs` |
//! | Δt₀ | length of the scene's steps | `usual_step` |
//!
//! What is decided here stands in EQUATIONS.md.

mod clusters;
mod params;
mod state;
#[cfg(test)]
mod tests;

pub use params::Params;

use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::iisph::Iisph;
use crate::math::Sym3;
use crate::methods::FluidMethod;
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use clusters::{Clusters, Kind};
use state::State;

/// The method with its state.
#[derive(Clone, Debug)]
pub struct ShapeMatching {
    flow: Iisph,
    /// Length of the steps that the scene asks for, in s; 0 where it leaves them to the fluid.
    usual_step: f32,
    state: State,
}

impl ShapeMatching {
    /// The method for a world, in which a scene asks for steps of a length, in s, if it does.
    pub fn new(world: &World, params: Params, usual_step: Option<f64>) -> Self {
        let usual_step = usual_step.unwrap_or(0.0) as f32;
        let mut method = Self { flow: Iisph::new(world, params), usual_step, state: State::default() };
        method.grow(world.particles.len());
        method
    }

    /// Δt₀², in s².
    fn step2(&self, dt: f32) -> f32 {
        dt.max(self.usual_step).powi(2)
    }

    fn kinds(&self, world: &World, dt: f32) -> Vec<Option<Kind>> {
        world.materials.iter().map(|m| Kind::of(m, world.spacing, self.step2(dt))).collect()
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

impl FluidMethod for ShapeMatching {
    fn grow(&mut self, particles: usize) {
        self.state.grow(particles);
    }

    fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    fn conformations(&self) -> Option<&[Sym3]> {
        None
    }

    /// Of the clusters.
    fn stresses(&self, world: &World) -> Vec<Sym3> {
        let dt = self.state.dt;
        if dt == 0.0 {
            return vec![Sym3::ZERO; world.particles.len()];
        }
        let step = self.flow.step(world, dt);
        Clusters::new(&step, &self.kinds(world, dt)).stresses(&self.state, self.step2(dt))
    }

    fn pressures(&self) -> Option<&[f32]> {
        Some(&self.state.pressure)
    }

    fn densities(&self, world: &World) -> Vec<f32> {
        self.flow.densities(world)
    }

    fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        let clock = Stopwatch::start();
        self.sort(world);
        let around = self.flow.begin(world);
        report.seconds_neighbors = clock.seconds();
        let (kinds, step2) = (self.kinds(world, dt), self.step2(dt));
        let Self { flow, state, .. } = self;
        let step = flow.step(world, dt);

        // v_IISPH.
        let before = step.velocities(world, &around);
        let mut velocity = before.clone();
        step.press(&around, &mut state.pressure, &mut velocity, &mut report);

        // v_SM, and both together.
        let clock = Stopwatch::start();
        let clusters = Clusters::new(&step, &kinds);
        clusters.update(state, &around);
        let wishes = clusters.matched(state);
        parallel::for_each(&mut velocity, |i, v| {
            if let Some(kind) = clusters.kind(i).filter(|_| step.is_free(i)) {
                let matched = before[i] + wishes[i].pull * (dt / step2);
                *v += (matched - *v) * kind.weight;
            }
        });
        let energy = parallel::sum(velocity.len(), |i| {
            let stiffness = clusters.kind(i).map_or(0.0, |k| k.weight) / (step.inverse_mass(i) * step2);
            0.5 * f64::from(stiffness * wishes[i].squares)
        });
        state.dt = dt;
        report.seconds_corrections = clock.seconds();

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
