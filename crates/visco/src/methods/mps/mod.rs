//! Viscoelastic fluid by the moving particle semi-implicit method, with viscous and elastic stress.
//!
//! Mukai, Morooka, Natsume, Chang: *Viscoelastic fluid simulation based on the combination of viscous and elastic
//! stresses*, SIMULTECH 2021, on the MPS method of Koshizuka & Oka 1996. Cauchy's equation of motion with the deviatoric
//! stress α τ_v + β τ_e: β grows as the narrowest section of the fluid gets thinner, α falls when it is ruptured.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | ω, r_e | weight function, radius of influence | [`weight`](self) |
//! | n, n⁰ | particle number density, and at rest | `around.density` is n/n⁰ |
//! | λ, d | mean r² of the weight, 3 | `Weight::laplacian` is 2d/λ |
//! | τ, τ_v, τ_e | deviatoric stress, its viscous and elastic part | `stress.rs` |
//! | α, β, C | their coefficients, largest β | `viscous_share`, `elastic_share` |
//! | D, ε | rate of strain, strain | `Around::gradient`, `state.strain` |
//! | η₀, μ | viscosity, shear modulus E/2(1 + ν) | those of the material |
//! | u*, P, P̂ | velocity before pressure, pressure, least pressure around | `pressure.rs` |
//! | γ | relaxation of the density | `density_relaxation` |
//!
//! What the paper leaves open, and what is decided here, stands in EQUATIONS.md.

mod around;
mod collisions;
mod params;
mod pressure;
mod repulsion;
mod section;
mod state;
mod stress;
#[cfg(test)]
mod tests;
mod weight;

pub use params::Params;

use super::FluidMethod;
use crate::boundary::WallKernel;
use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::dynamics::Dynamics;
use crate::flow::rigid::RigidBodies;
use crate::flow::{self, Reading, Setting, advance, surface_tension};
use crate::kernel::Kernel;
use crate::material::{Material, Rheology};
use crate::math::Sym3;
use crate::neighbors::z_order;
use crate::parallel;
use crate::particles::Motion;
use crate::report::StepReport;
use crate::scene::capillary_step;
use crate::world::World;
use around::Around;
use glam::{Mat3A, Vec3, Vec3A};
use pressure::Poisson;
use section::Pull;
use state::State;
use stress::{Moduli, Resistance, strain_after};
use weight::Weight;

/// Support of the kernel that contacts and bodies ask for, in spacings.
const KERNEL: f32 = 2.2;
/// Distance that the centres of fluid particles keep from walls, in spacings.
const CLEARANCE: f32 = 0.5;
/// Part of the longest step that surface tension is stable in elsewhere: pressures of at least zero do not hold particles
/// back that it has thrown.
const CAPILLARY: f64 = 0.4;
/// Steps after which particles are brought into the order of the Z curve again.
const SORTED: u64 = 50;

/// The method with its state.
#[derive(Clone, Debug)]
pub struct Mps {
    params: Params,
    weight: Weight,
    kernel: Kernel,
    wall_kernel: WallKernel,
    dynamics: Dynamics,
    state: State,
}

impl Mps {
    /// The method for a world.
    pub fn new(world: &World, params: Params) -> Self {
        let d = world.spacing;
        let kernel = Kernel::new(d, KERNEL * d);
        let mut method = Self {
            weight: Weight::new(d, params.support * d),
            wall_kernel: WallKernel::new(&kernel),
            kernel,
            params,
            dynamics: Dynamics::new(world),
            state: State::default(),
        };
        method.grow(world.particles.len());
        method
    }

    fn setting<'a>(&'a self, world: &'a World, dt: f32) -> Setting<'a> {
        Setting::new(world, dt, (self.kernel, &self.wall_kernel), Reading::PLAIN)
    }

    /// Brings the particles into the order of the Z curve, now and then.
    fn sort(&mut self, world: &mut World) {
        if self.state.steps.is_multiple_of(SORTED) {
            let order = z_order(&world.particles.positions, self.weight.support());
            world.particles.reorder(&order);
            self.state.reorder(&order);
        }
    }

    /// β by eq. 9, and whether the fluid begins to be ruptured (section 5).
    fn look_at_narrowest(&mut self, world: &World, around: &Around) {
        let state = &mut self.state;
        let Some(pull) = Pull::find(world) else {
            if state.section.is_some() {
                // What has let go is as narrow as it was.
                return;
            }
            let missing = 1.0 - section::mean_density(world, &around.density);
            state.elastic_share = missing.max(0.0) * self.params.elastic_share;
            return;
        };
        let narrowest = pull.narrowest(world);
        let at_start = *state.section.get_or_insert_with(|| {
            state.sides = section::sides(world, pull.axis, self.weight.support());
            narrowest
        });
        let parted = pull.is_parted(world, around);
        let left = if parted || at_start == 0.0 { 0.0 } else { (narrowest / at_start).min(1.0) };
        state.elastic_share = (1.0 - left) * self.params.elastic_share;
        if state.rupture.is_none() && (parted || section::sides_meet(around, &state.sides)) {
            state.rupture = Some(world.time);
        }
    }

    /// α.
    fn viscous_share(&self) -> f32 {
        match self.state.rupture {
            None => self.params.viscous_share,
            Some(_) => self.params.viscous_share_after_rupture,
        }
    }
}

/// Zero-shear viscosity η₀ and shear modulus μ of a material, in Pa·s and Pa.
fn moduli(rheology: &Rheology) -> (f32, f32) {
    match *rheology {
        Rheology::Measured { polymer_viscosity, solvent_viscosity, .. } => {
            ((polymer_viscosity + solvent_viscosity) as f32, rheology.shear_modulus() as f32)
        }
        Rheology::Printed { .. } => (0.0, 0.0),
    }
}

impl FluidMethod for Mps {
    fn grow(&mut self, particles: usize) {
        self.state.grow(particles);
    }

    fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    fn stable_step(&self, world: &World) -> f64 {
        CAPILLARY * capillary_step(&world.materials, f64::from(world.spacing))
    }

    fn conformations(&self) -> Option<&[Sym3]> {
        None
    }

    fn stresses(&self, _world: &World) -> Vec<Sym3> {
        self.state.stress.clone()
    }

    fn pressures(&self) -> Option<&[f32]> {
        Some(&self.state.pressure)
    }

    fn rupture(&self) -> Option<f64> {
        self.state.rupture
    }

    /// By the number density: ρ₀ n/n⁰.
    fn densities(&self, world: &World) -> Vec<f32> {
        let around = Around::find(&self.setting(world, 1.0), &self.weight);
        let rest = |i: usize| world.materials[usize::from(world.particles.materials[i])].density;
        around.density.iter().enumerate().map(|(i, n)| n * rest(i)).collect()
    }

    /// A step of Δt: stresses and forces, pressure, motion.
    fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        let clock = Stopwatch::start();
        self.sort(world);
        let around = Around::find(&self.setting(world, dt), &self.weight);
        report.seconds_neighbors = clock.seconds();

        // β (eq. 9), and α with the rupture.
        self.look_at_narrowest(world, &around);
        let (alpha, beta) = (self.viscous_share(), self.state.elastic_share);

        let Self { params, weight, kernel, wall_kernel, state, .. } = self;
        let mut step = Setting::new(world, dt, (*kernel, wall_kernel), Reading::PLAIN);
        let materials: Vec<(f32, f32)> = world.materials.iter().map(|m| moduli(&m.rheology)).collect();
        let n = world.particles.len();
        let of = |i: usize| materials[usize::from(world.particles.materials[i])];

        // g and surface tension.
        let mut u_star = vec![Vec3A::ZERO; n];
        step.predict(world, &mut u_star);
        surface_tension::pull(&step, world, &mut u_star);
        step.hold_velocities(&mut u_star);

        // ∇·τ with τ = α τ_v + β τ_e (eqs 2–8), for the velocity at the end of the step.
        let clock = Stopwatch::start();
        let rigid = RigidBodies::find(&step);
        let calming = |m: &Material| surface_tension::calming_viscosity(m, kernel.spacing());
        let calming: Vec<f32> = world.materials.iter().map(calming).collect();
        let moduli = |i: usize| Moduli {
            viscosity: alpha * of(i).0,
            shear: beta * of(i).1,
            calm: calming[usize::from(world.particles.materials[i])],
        };
        let resistance = Resistance::new((&step, &around), params, (&state.strain, moduli), &rigid);
        let mut u = u_star.clone();
        if resistance.resists() {
            let viscous = resistance.solve(&u_star, &mut u, params);
            report.velocity_iterations = viscous.iterations;
            report.velocity_residual = viscous.residual;
        }
        report.seconds_velocity = clock.seconds();

        // Poisson equation of the pressure (eq. 11), and its gradient (eq. 13).
        let clock = Stopwatch::start();
        let mut rest = vec![0.0; n];
        parallel::fill(&mut rest, |i| world.materials[usize::from(world.particles.materials[i])].density);
        let poisson = Poisson::new(&around, weight, params, &rest);
        state.longest_step = state.longest_step.max(dt);
        let source = poisson.source(&step, params.density_relaxation / state.longest_step, &u);
        let solved = poisson.solve(&source, &mut state.pressure, params);
        report.position_iterations = solved.iterations;
        report.velocity_residual = report.velocity_residual.max(solved.residual);
        if !params.tension {
            parallel::for_each(&mut state.pressure, |_, p| *p = p.max(0.0));
        }
        parallel::for_each(&mut u, |i, u| {
            if step.is_free(i) {
                *u -= pressure::gradient(&around, &state.pressure, i) * (dt / rest[i]);
            }
        });
        collisions::collide(&step, &around, &mut u);
        step.hold_velocities(&mut u);

        // Strain and stress by the motion.
        let mut gradients = vec![Mat3A::ZERO; n];
        parallel::fill(&mut gradients, |i| around.gradient(&u, i, true));
        parallel::fill(&mut state.stress, |i| resistance.stress(i, &gradients[i]));
        parallel::for_each(&mut state.strain, |i, e| *e = strain_after(*e, &gradients[i], dt));

        // τ_e = 2βμε stores βμ ε:ε of each volume.
        let density = |i: usize| f64::from(beta * of(i).1 * state.strain[i].dot(state.strain[i]));
        let stored = f64::from(step.kernel.volume()) * parallel::sum(n, density);

        let mut displacement = vec![Vec3::ZERO; n];
        let bodies =
            advance::move_particles(&mut step, &self.dynamics, CLEARANCE, (&mut u, &mut displacement));
        if params.repulsion > 0.0 {
            repulsion::spread(&step, &around, (&gradients, params.repulsion), &mut displacement);
        }
        report.seconds_position = clock.seconds();

        drop(step);
        world.finish_step(&displacement, &bodies);
        parallel::fill(&mut world.particles.velocities, |i| flow::still(u[i]).into());
        parallel::for_each(&mut self.state.pressure, |_, p| *p = flow::spent(*p));
        flow::measure(world, f64::from(self.kernel.volume()), None, &mut report);
        report.elastic_energy += stored;
        measure_density(world, &around, &mut report);
        self.state.steps += 1;
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

/// Errors of the number density of the fluid at the start of the step.
fn measure_density(world: &World, around: &Around, report: &mut StepReport) {
    let fluid = |i: usize| !matches!(world.particles.motions[i], Motion::Body(_));
    let error = |i: usize| if fluid(i) { (around.density[i] - 1.0).max(0.0) } else { 0.0 };
    let n = around.density.len();
    let [sum, count] = parallel::sums(n, |i| [f64::from(error(i)), f64::from(u8::from(fluid(i)))]);
    report.density_error_mean = sum / count.max(1.0);
    report.density_error_max = f64::from(parallel::max(n, 0.0, error));
}
