//! Smoothed particle hydrodynamics as the slides on position-based fluids have it, for comparison.
//!
//! Monaghan: *Smoothed Particle Hydrodynamics*, Annu. Rev. Astron. Astrophys. 30 (1992); kernels of Müller, Charypar,
//! Gross: *Particle-Based Fluid Simulation for Interactive Applications*, SCA 2003. A stiff equation of state in the place
//! of a constraint: the fluid is a little compressible, and steps follow its sound.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | x, v | positions, and velocities half a step before them | `x0`, `velocity` |
//! | ρ̂, p | density over that at rest, pressure | `forces.rs` |
//! | c | speed of sound | `sound_speed` |
//! | η, α | viscosity, artificial viscosity | `eta` |
//! | W, ∇W, ∇²W, h, d | kernels, support, spacing | `kernels.rs` |
//!
//! What the slides leave open, and what is decided here, stands in EQUATIONS.md.

mod forces;
mod kernels;
mod params;
mod state;
#[cfg(test)]
mod tests;

pub use params::Params;

use super::FluidMethod;
use crate::boundary::WallKernel;
use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::dynamics::Dynamics;
use crate::flow::{self, Displaced, Reading, Setting, advance, surface_tension};
use crate::kernel::Kernel;
use crate::material::Material;
use crate::math::{Sym3, outer};
use crate::neighbors::cell_order;
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use glam::{Mat3, Vec3, Vec3A};
use kernels::Kernels;
use state::State;

/// Distance that the centres of fluid particles keep from walls in any case, in spacings.
const CLEARANCE: f32 = 0.25;
/// The neighbour lists reach this much farther than the kernel, so that they also serve at the end of the step.
const SKIN: f32 = 1.1;
/// Sound is this many times faster than the fluid.
const MACH: f32 = 10.0;
/// Largest Δt ν/h².
const DIFFUSION: f64 = 0.03;

/// The method with its state.
#[derive(Clone, Debug)]
pub struct Sph {
    params: Params,
    kernel: Kernel,
    kernels: Kernels,
    wall_kernel: WallKernel,
    dynamics: Dynamics,
    /// c at the start, before particles were found that are faster than expected.
    expected_sound: f32,
    state: State,
}

/// What does not change during a step.
struct Step<'a> {
    setting: Setting<'a>,
    kernels: &'a Kernels,
    sound_speed: f32,
    /// η by material, artificial viscosity included, in Pa·s.
    viscosities: Vec<f32>,
}

impl<'a> std::ops::Deref for Step<'a> {
    type Target = Setting<'a>;

    fn deref(&self) -> &Setting<'a> {
        &self.setting
    }
}

impl Step<'_> {
    #[inline]
    fn eta(&self, i: usize) -> f32 {
        self.viscosities[usize::from(self.materials[i])]
    }

    /// Who is near whom at the start of the step.
    fn around(&self) -> Displaced {
        self.find_displaced(&vec![Vec3::ZERO; self.x0.len()], SKIN * self.kernels.support())
    }
}

/// Longest step in which a kinematic viscosity (m²/s) is stable, in s.
pub(crate) fn viscous_step(viscosity: f64, support: f64) -> f64 {
    DIFFUSION * support * support / viscosity
}

/// Speed that gravity gives to what falls through the height of all fluid and nozzles, or that a scene gives, in m/s.
fn expected_speed(world: &World) -> f32 {
    let p = &world.particles;
    let down = world.gravity.normalize_or_zero();
    let places = p.positions.iter().copied().chain(world.emitters.iter().map(|e| e.mouth(world.time)));
    let (low, high) = places
        .map(|x| x.dot(down))
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let height = (high - low).max(0.0) + world.spacing;
    let given =
        world.emitters.iter().map(|e| e.flow.speed as f32).chain(p.velocities.iter().map(|v| v.length()));
    let given = given.fold(0.0, f32::max);
    (given * given + 2.0 * world.gravity.length() * height).sqrt()
}

impl Sph {
    /// The method for a world.
    pub fn new(world: &World, params: Params) -> Self {
        let kernels = Kernels::new(world.spacing, params.support * world.spacing);
        // Where nothing falls nor moves yet, any speed will do that is not zero.
        let usual = MACH * expected_speed(world).max(0.1 * world.spacing);
        let sound_speed = params.sound_speed.unwrap_or(usual);
        let mut method = Self {
            kernel: Kernel::new(world.spacing, params.support * world.spacing),
            wall_kernel: kernels.wall(),
            kernels,
            params,
            dynamics: Dynamics::new(world),
            expected_sound: sound_speed,
            state: State { sound_speed, ..State::default() },
        };
        method.grow(world.particles.len());
        method
    }

    /// c of the next step.
    fn sound_speed(&self, world: &World) -> f32 {
        let v = &world.particles.velocities;
        match self.params.sound_speed {
            Some(given) => given,
            None => parallel::max(v.len(), self.state.sound_speed, |i| MACH * v[i].length()),
        }
    }

    /// Sound goes less than a number of halves of the support in a step, and velocity diffuses over less than one.
    fn step_at(&self, world: &World, fastest: f32, sound_speed: f32) -> f64 {
        let h = f64::from(self.kernels.support());
        let diffusion = |m: &Material| viscous_step(self.kinematic(m, sound_speed), h);
        let viscous = world.materials.iter().map(diffusion).fold(f64::INFINITY, f64::min);
        (self.params.courant * 0.5 * h / f64::from(fastest + sound_speed)).min(viscous)
    }

    /// Viscosity that a material has in the method, in m²/s.
    fn kinematic(&self, material: &Material, sound_speed: f32) -> f64 {
        let artificial = self.params.artificial_viscosity * sound_speed * self.kernels.support() / 20.0;
        material.rheology.steady_viscosity() / f64::from(material.density) + f64::from(artificial)
    }

    fn begin<'a>(&'a self, world: &'a World, dt: f32, sound_speed: f32) -> Step<'a> {
        let eta = |m: &Material| (self.kinematic(m, sound_speed) * f64::from(m.density)) as f32;
        Step {
            setting: Setting::new(world, dt, (self.kernel, &self.wall_kernel), Reading::PLAIN),
            kernels: &self.kernels,
            sound_speed,
            viscosities: world.materials.iter().map(eta).collect(),
        }
    }
}

impl FluidMethod for Sph {
    fn grow(&mut self, particles: usize) {
        self.state.grow(particles);
    }

    fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    fn longest_step(&self, world: &World) -> f64 {
        let v = &world.particles.velocities;
        let fastest = parallel::max(v.len(), 0.0, |i| v[i].length());
        self.step_at(world, fastest, self.sound_speed(world))
    }

    fn stable_step(&self, world: &World) -> f64 {
        self.step_at(world, 0.0, self.expected_sound)
    }

    fn conformations(&self) -> Option<&[Sym3]> {
        None
    }

    fn densities(&self, world: &World) -> Vec<f32> {
        let step = self.begin(world, 1.0, self.state.sound_speed);
        let p = &world.particles;
        let relative = forces::densities(&step, &step.around(), &vec![Vec3::ZERO; p.len()]);
        relative.iter().zip(&p.materials).map(|(r, &m)| r * world.materials[usize::from(m)].density).collect()
    }

    /// Of viscosity: σ = A + Aᵀ, A = Σ_j F_ij x_ijᵀ/2V, with F the force of a pair.
    fn stresses(&self, world: &World) -> Vec<Sym3> {
        let step = self.begin(world, 1.0, self.state.sound_speed);
        let around = step.around();
        let v = &world.particles.velocities;
        let mut stresses = vec![Sym3::ZERO; v.len()];
        parallel::fill(&mut stresses, |i| {
            let mut sum = Mat3::ZERO;
            for &j in around.neighbors.of(i) {
                let j = j as usize;
                let e = step.offset(i, j);
                let eta = 0.5 * (step.eta(i) + step.eta(j));
                sum += outer((v[j] - v[i]) * (0.5 * eta * self.kernels.laplacian(e.length())), e);
            }
            Sym3::twice_symmetric_part(&sum)
        });
        stresses
    }

    fn pressures(&self) -> Option<&[f32]> {
        Some(&self.state.pressure)
    }

    /// Accelerations, v ← v + a Δt, x ← x + v Δt: leapfrog, with velocities half a step before positions.
    fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        let order = cell_order(&world.particles.positions, self.kernels.support());
        world.particles.reorder(&order);
        self.state.reorder(&order);
        self.state.sound_speed = self.sound_speed(world);
        let mut step = self.begin(world, dt, self.state.sound_speed);

        let clock = Stopwatch::start();
        let around = step.around();
        report.seconds_neighbors = clock.seconds();

        let clock = Stopwatch::start();
        let local = forces::pressures(&step, &around);
        let mut velocity = vec![Vec3A::ZERO; local.len()];
        step.predict(world, &mut velocity);
        surface_tension::pull(&step, world, &mut velocity);
        forces::accelerate(&step, &around, &local, &world.particles.velocities, &mut velocity);
        report.seconds_velocity = clock.seconds();

        let clock = Stopwatch::start();
        let mut displacement = vec![Vec3::ZERO; velocity.len()];
        let moved = (velocity.as_mut_slice(), displacement.as_mut_slice());
        let bodies = advance::move_particles(&mut step.setting, &self.dynamics, CLEARANCE, moved);
        let densities = forces::densities(&step, &around, &displacement);
        let error = |i: usize| if step.body(i).is_none() { (densities[i] - 1.0).max(0.0) } else { 0.0 };
        let sum = parallel::sum(densities.len(), |i| f64::from(error(i)));
        report.density_error_mean = sum / (densities.len() as f64).max(1.0);
        report.density_error_max = f64::from(parallel::max(densities.len(), 0.0, error));
        report.seconds_position = clock.seconds();

        drop(step);
        parallel::fill(&mut self.state.pressure, |i| local[i].pressure * local[i].density * local[i].density);
        world.finish_step(&displacement, &bodies);
        parallel::fill(&mut world.particles.velocities, |i| velocity[i].into());
        flow::measure(world, f64::from(self.kernel.volume()), None, &mut report);
        report
    }

    fn save(&self, to: &mut StateWriter) {
        to.put(&self.state);
    }

    fn load(&mut self, from: &mut StateReader, particles: usize) -> Result<(), CheckpointError> {
        self.state = from.get()?;
        self.state.check(particles)
    }

    fn boxed_clone(&self) -> Box<dyn FluidMethod> {
        Box::new(self.clone())
    }
}
