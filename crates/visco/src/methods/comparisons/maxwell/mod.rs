//! A corotational Maxwell fluid by SPH.
//!
//! Mao, Yang: *Particle-based non-Newtonian fluid animation with heating effects*, technical report (2006), as Takahashi
//! et al. 2016 (section 4.1) compare with it, with implicit incompressible SPH for the pressure. The stress follows the
//! flow by its own rate, and its divergence accelerates the fluid, explicitly.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | σ | stress without pressure | `state.stress` |
//! | D, W | rates of strain and rotation, of ∇v | `stress.rs` |
//! | G, τ | shear modulus, relaxation time | those of the material |
//! | v*, v | velocity before and after pressure | `velocity` |
//!
//! What is decided here stands in EQUATIONS.md.

mod params;
mod state;
mod stress;
#[cfg(test)]
mod tests;

pub use params::Params;

use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::iisph::{Iisph, MOST_VISCOUS};
use crate::material::{Material, Rheology};
use crate::math::Sym3;
use crate::methods::FluidMethod;
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use state::State;
use stress::{Memory, Strain};

/// Longest step, in times that a shear wave takes for a spacing.
pub(crate) const COURANT: f64 = 0.4;

/// Longest step in which the stress of a material is stable at a spacing, in s, and in which as much of its solvent is felt
/// as steadies it.
pub(crate) fn elastic_step(material: &Material, (spacing, support): (f64, f64)) -> f64 {
    let steadying = match material.rheology {
        Rheology::Measured { solvent_viscosity, .. } => {
            solvent_viscosity.min(least_solvent(material, support))
        }
        Rheology::Printed { .. } => 0.0,
    };
    let felt = MOST_VISCOUS * f64::from(material.density) * spacing * spacing / steadying;
    felt.min(COURANT * material.shear_wave_time(spacing))
}

/// Solvent viscosity below which noise breaks up the stress's fluid at a kernel support, in Pa·s: 0.3 ρ c h, with c the
/// speed of shear waves. In SPH of solids artificial viscosity has its place.
pub(crate) fn least_solvent(material: &Material, support: f64) -> f64 {
    const STEADY: f64 = 0.3;
    STEADY * support * (f64::from(material.density) * material.rheology.shear_modulus()).sqrt()
}

/// The method with its state.
#[derive(Clone, Debug)]
pub struct Maxwell {
    flow: Iisph,
    state: State,
}

impl Maxwell {
    /// The method for a world.
    pub fn new(world: &World, params: Params) -> Self {
        let mut method = Self { flow: Iisph::new(world, params), state: State::default() };
        method.grow(world.particles.len());
        method
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

impl FluidMethod for Maxwell {
    fn grow(&mut self, particles: usize) {
        self.state.grow(particles);
    }

    fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    fn stable_step(&self, world: &World) -> f64 {
        let lengths = (f64::from(world.spacing), f64::from(self.flow.kernel.support()));
        let step = |m: &Material| elastic_step(m, lengths);
        world.materials.iter().map(step).fold(f64::INFINITY, f64::min)
    }

    fn conformations(&self) -> Option<&[Sym3]> {
        None
    }

    /// Of the polymer.
    fn stresses(&self, _world: &World) -> Vec<Sym3> {
        self.state.stress.clone()
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
        let Self { flow, state } = self;
        let step = flow.step(world, dt);

        // v*: gravity, the solvent's viscosity, the divergence of σ.
        let mut velocity = step.velocities(world, &around);
        let clock = Stopwatch::start();
        let strain = Strain::new(&step, &around);
        strain.accelerate(&state.stress, &mut velocity);
        report.seconds_corrections = clock.seconds();

        // Pressure, and v.
        step.press(&around, &mut state.pressure, &mut velocity, &mut report);

        // σ by the gradient of v.
        let clock = Stopwatch::start();
        let memories: Vec<Memory> = world.materials.iter().map(|m| Memory::of(m, dt)).collect();
        parallel::for_each(&mut state.stress, |i, stress| {
            *stress = match step.is_solid(i) {
                true => Sym3::ZERO,
                false => {
                    memories[step.materials[i] as usize].after(*stress, &strain.gradient(&velocity, i), dt)
                }
            };
        });
        report.seconds_corrections += clock.seconds();

        let moved = step.advance(velocity, &mut report);
        flow.finish(world, around, moved, &mut report);
        report.elastic_energy = stored_energy(world, &self.flow, &self.state.stress);
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

/// Energy of the stress, in J: σ:σ/4G over the volume.
fn stored_energy(world: &World, flow: &Iisph, stress: &[Sym3]) -> f64 {
    let volume = f64::from(flow.kernel.volume());
    parallel::sum(stress.len(), |i| {
        let material = &world.materials[usize::from(world.particles.materials[i])];
        let modulus = material.rheology.shear_modulus();
        if modulus > 0.0 { 0.25 * volume * f64::from(stress[i].dot(stress[i])) / modulus } else { 0.0 }
    })
}
