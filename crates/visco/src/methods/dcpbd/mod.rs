//! Doubly constrained position-based dynamics with conformation constraints.
//!
//! Barreiro, García-Fernández, Alduán, Otaduy: *Conformation Constraints for Efficient Viscoelastic Fluid
//! Simulation*, ACM Trans. Graph. 36, 6 (2017). The viscoelastic constraint acts on velocities and on positions;
//! incompressibility is the density constraint of position-based fluids.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | x⁰, x | positions at the start and the end of the step | `x0`, `displacement` = x − x⁰ |
//! | u*, u** | predicted and projected velocity | `velocity` |
//! | Q, λ | conformation tensor, multiplier of its constraint | `conformation`, `multiplier` |
//! | L, D | velocity gradient ∂_b u_a, its symmetric part | `velocity_gradient` |
//! | α, τ | compliance, relaxation time | [`polymer::Coefficients`] |
//! | β, n | Jacobi relaxation, number of neighbours | `relaxation` |
//! | R | best-fit rotation of a neighbourhood | `rotation` |
//! | W, h, d, V | kernel, support, spacing, volume d³ | [`Kernel`] |
//!
//! The printed equations need corrections; [`Corrections`] names them, EQUATIONS.md explains them.

mod bodies;
mod conformation;
mod contact;
mod corrections;
mod density;
mod dual;
mod gradient;
mod multilevel;
mod params;
pub mod polymer;
mod primal;
mod state;
#[cfg(test)]
mod tests;
mod velocity;

pub use corrections::Corrections;
pub use params::{
    DensityConstraint, Formulation, Integrator, Params, Preconditioner, Strain, VelocitySolver,
};

use crate::boundary::{Boundary, WallKernel};
use crate::clock::Stopwatch;
use crate::domain::Domain;
use crate::kernel::Kernel;
use crate::math::Sym3;
use crate::neighbors::{Neighbors, cell_order};
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use contact::contact_displacement;
use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A};
use gradient::Gradients;
use polymer::Coefficients;
use state::{Local, Scratch, State};

/// The neighbour list of the position stage reaches this much farther than the kernel.
const SKIN: f32 = 1.08;
/// Bulk viscosity of ten times the shear viscosity, in the unit in which the whole strain rate weighs 1.
const BULK: f32 = 15.0;

/// The method with its state.
#[derive(Clone, Debug)]
pub struct Dcpbd {
    params: Params,
    corrections: Corrections,
    kernel: Kernel,
    wall_kernel: WallKernel,
    state: State,
    gradients: Gradients,
    scratch: Scratch,
}

/// What does not change during a step.
pub(crate) struct Step<'a> {
    pub(crate) dt: f32,
    pub(crate) params: &'a Params,
    pub(crate) corrections: Corrections,
    pub(crate) kernel: Kernel,
    pub(crate) wall_kernel: &'a WallKernel,
    pub(crate) boundary: &'a Boundary,
    domain: Domain,
    /// x⁰.
    pub(crate) x0: &'a [Vec3],
    /// 1/m; zero for particles inside a nozzle or a grip, which nothing else moves.
    pub(crate) mobility: Vec<f32>,
    pub(crate) mean_inverse_mass: f32,
    /// Particles of which a grip holds one component of the velocity: index, unit vector, value.
    pub(crate) held: Vec<(u32, Vec3, f32)>,
    /// Distance that particle centres keep from walls: d/2.
    pub(crate) clearance: f32,
    /// Whether a wall is in reach during the position stage.
    pub(crate) near_wall: Vec<bool>,
    materials: &'a [u8],
    by_material: Vec<Coefficients>,
    inverse_masses: Vec<f32>,
}

impl Step<'_> {
    #[inline]
    pub(crate) fn coefficients(&self, i: usize) -> &Coefficients {
        &self.by_material[self.materials[i] as usize]
    }

    /// 1/m, as it weighs in the diagonals of the constraints. A particle that nothing moves counts like any other
    /// there: left out, a constraint with one distant free neighbour would throw that neighbour far away.
    #[inline]
    pub(crate) fn inverse_mass(&self, i: usize) -> f32 {
        self.inverse_masses[self.materials[i] as usize]
    }

    /// x⁰_j − x⁰_i, of nearest images.
    #[inline]
    pub(crate) fn offset(&self, i: usize, j: usize) -> Vec3 {
        self.domain.nearest(self.x0[j] - self.x0[i])
    }

    pub(crate) fn is_periodic(&self) -> bool {
        self.domain.is_periodic()
    }

    #[inline]
    pub(crate) fn is_free(&self, i: usize) -> bool {
        self.mobility[i] > 0.0
    }

    pub(crate) fn any_viscous(&self) -> bool {
        self.by_material.iter().any(|c| c.active)
    }

    fn any_moves_positions(&self) -> bool {
        self.by_material.iter().any(|c| c.moves_positions)
    }

    /// Whether every constraint has compliance, so that multipliers can be eliminated.
    pub(crate) fn all_compliant(&self) -> bool {
        self.by_material.iter().all(|c| !c.active || c.alpha > 0.0)
    }

    /// How much more an off-diagonal element counts: the printed rows hold each of them once, a tensor twice.
    fn off_diagonal(&self) -> f32 {
        if self.corrections.invariant_rows { 1.0 } else { 2.0 }
    }

    /// How much stiffer the volume part of the constraint is than its shear part.
    pub(crate) fn bulk(&self) -> f32 {
        match self.params.strain {
            Strain::Isochoric if self.corrections.invariant_rows => BULK,
            _ => 1.0,
        }
    }

    /// S = dev + b·iso: the stiffness of a strain relative to that of shear.
    #[inline]
    pub(crate) fn stiffen(&self, strain: Sym3) -> Sym3 {
        strain + Sym3::isotropic(strain.trace() / 3.0 * (self.bulk() - 1.0))
    }

    /// S⁻¹.
    #[inline]
    pub(crate) fn soften(&self, stress: Sym3) -> Sym3 {
        stress + Sym3::isotropic(stress.trace() / 3.0 * (1.0 / self.bulk() - 1.0))
    }

    /// Δt (L + Lᵀ), or its shear part.
    #[inline]
    pub(crate) fn strain_of(&self, gradient: &Mat3A) -> Sym3 {
        self.held_part(Sym3::twice_symmetric_part(&Mat3::from(*gradient)) * self.dt)
    }

    /// The part of a strain that the constraint holds.
    #[inline]
    pub(crate) fn held_part(&self, strain: Sym3) -> Sym3 {
        if self.params.strain == Strain::Shear { strain.deviator() } else { strain }
    }

    /// S⁻¹ κ′(Q⁰ − I): the strain that the polymer still has to undo.
    #[inline]
    pub(crate) fn memory(&self, conformation: Sym3, i: usize) -> Sym3 {
        self.soften(self.held_part((conformation - Sym3::IDENTITY) * self.coefficients(i).memory))
    }

    /// α S⁻¹ λ, in the rows of the formulation.
    #[inline]
    pub(crate) fn comply(&self, multiplier: Sym3, alpha: f32) -> Sym3 {
        let off = alpha * self.off_diagonal();
        let m = self.soften(multiplier);
        Sym3::new([m.xx * alpha, m.yy * alpha, m.zz * alpha, m.xy * off, m.xz * off, m.yz * off])
    }

    /// residual/(diagonal + α S⁻¹), row by row.
    #[inline]
    pub(crate) fn divide_rows(&self, residual: Sym3, diagonal: Sym3, alpha: f32) -> Sym3 {
        // A lone particle has no gradient and, without compliance, no row.
        let divide = |r: f32, d: f32| if d > f32::MIN_POSITIVE { r / d } else { 0.0 };
        if self.corrections.invariant_rows {
            let (shear, volume) = (residual.deviator(), residual.trace() / 3.0);
            let per_shear = divide(1.0, diagonal.xx + alpha);
            return shear * per_shear + Sym3::isotropic(divide(volume, diagonal.xx + alpha / self.bulk()));
        }
        let off = self.off_diagonal();
        let (r, d) = (residual.to_array(), diagonal.to_array());
        let weight = [1.0, 1.0, 1.0, off, off, off];
        Sym3::new(std::array::from_fn(|k| divide(r[k], weight[k] * (d[k] + alpha))))
    }

    /// What walls add to ρ/ρ₀ at a displaced particle, and its gradient.
    #[inline]
    pub(crate) fn wall_density(&self, i: usize, s: &[Vec3]) -> (f32, Vec3) {
        if self.near_wall[i] {
            density::wall_density(self.boundary, self.wall_kernel, self.x0[i] + s[i])
        } else {
            (0.0, Vec3::ZERO)
        }
    }
}

impl Dcpbd {
    /// The method for a world.
    pub fn new(world: &World, params: Params) -> Self {
        let kernel = Kernel::new(world.spacing, params.support * world.spacing);
        let corrections = Corrections::from(params.formulation);
        let mut method = Self {
            params,
            corrections,
            wall_kernel: WallKernel::new(&kernel),
            kernel,
            state: State::default(),
            gradients: Gradients::default(),
            scratch: Scratch::default(),
        };
        method.grow(world.particles.len());
        method
    }

    /// Gives particles that were added at the end their state.
    pub(crate) fn grow(&mut self, particles: usize) {
        self.state.grow(particles);
    }

    /// Brings the state into a new order of the particles.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    /// Conformation tensors Q, in the order of the particles.
    pub fn conformations(&self) -> &[Sym3] {
        &self.state.conformation
    }

    /// Extra stress σ = −2λ/V of `particles` particles in the last velocity projection, in Pa.
    pub(crate) fn stresses(&self, particles: usize) -> Vec<Sym3> {
        let scale = -2.0 / self.kernel.volume();
        let multiplier = |i: usize| self.scratch.multiplier.get(i).copied().unwrap_or(Sym3::ZERO);
        (0..particles).map(|i| multiplier(i) * scale).collect()
    }

    /// Densities of the particles where they are now, in kg/m³.
    pub fn densities(&self, world: &World) -> Vec<f32> {
        let p = &world.particles;
        let relative = density::densities(
            (&p.positions, &world.domain),
            &self.kernel,
            (&world.boundary, &self.wall_kernel),
        );
        relative.iter().zip(&p.materials).map(|(r, &m)| r * world.materials[m as usize].density).collect()
    }

    /// One step of Algorithm 2 (or Algorithm 1, without the projection of velocities).
    pub fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        self.sort_particles(world);
        let Self { params, corrections, kernel, wall_kernel, state, gradients, scratch } = self;
        let mut step = Step::new(world, dt, (params, *corrections), (*kernel, wall_kernel));

        let clock = Stopwatch::start();
        gradients.find_neighbors(step.x0, kernel.support(), &step.domain);
        report.seconds_neighbors = clock.seconds();

        // Compute constraint-free state: u* ← u⁰ + Δt M⁻¹ f.
        let clock = Stopwatch::start();
        predict(&step, world, &mut scratch.velocity);

        // Project velocities: u** ← project u* to C(u**) = 0.
        gradients.prepare(&step);
        scratch.multiplier.fill(Sym3::ZERO);
        let u0 = &world.particles.velocities;
        if params.integrator == Integrator::Dcpbd {
            let done = velocity::project_velocities(&step, (gradients, u0), state, scratch);
            report.velocity_iterations = done.iterations;
            report.velocity_residual = done.residual;
        }
        // As printed, Q follows the velocity stage; the position stage still sees Q⁰.
        let printed_conformation = (!corrections.convected_update)
            .then(|| updated_conformation(&step, gradients, &scratch.velocity, state));
        // x** ← x⁰ + Δt u**.
        parallel::fill(&mut scratch.displacement, |i| {
            let s = Vec3::from(scratch.velocity[i]) * dt;
            if step.is_free(i) { contact_displacement(&step, step.x0[i], s) } else { s }
        });
        report.seconds_velocity = clock.seconds();

        // Project positions: x ← project x** to C(x) = 0 and C̃(x) = 0.
        let clock = Stopwatch::start();
        let neighbors = step.find_displaced(&scratch.displacement);
        report.seconds_neighbors += clock.seconds();
        let clock = Stopwatch::start();
        project_positions(&step, &neighbors, state, scratch);
        report.position_iterations = params.position_iterations;

        // u ← (x − x⁰)/Δt, and the conformation that this motion leaves behind.
        parallel::for_each(&mut scratch.velocity, |i, u| {
            if step.is_free(i) {
                *u = Vec3A::from(scratch.displacement[i]) / dt;
            }
        });
        state.conformation = printed_conformation
            .unwrap_or_else(|| updated_conformation(&step, gradients, &scratch.velocity, state));
        measure_density(&step, &neighbors, &scratch.displacement, &mut report);
        report.seconds_position = clock.seconds();

        let World { particles, domain, .. } = &mut *world;
        parallel::for_each(&mut particles.positions, |i, x| *x = domain.wrap(*x + scratch.displacement[i]));
        parallel::fill(&mut particles.velocities, |i| scratch.velocity[i].into());
        self.measure(world, &mut report);
        report
    }

    /// Puts particles that are neighbours in space next to each other in memory.
    fn sort_particles(&mut self, world: &mut World) {
        let order = cell_order(&world.particles.positions, self.kernel.support());
        world.particles.reorder(&order);
        self.state.reorder(&order);
        self.scratch.resize(order.len());
    }

    /// Energies and momenta.
    fn measure(&self, world: &World, report: &mut StepReport) {
        let p = &world.particles;
        let volume = f64::from(self.kernel.volume());
        let gravity = world.gravity.as_dvec3();
        let sums = parallel::sums(p.len(), |i| {
            let material = &world.materials[p.materials[i] as usize];
            let mass = f64::from(material.density) * volume;
            let (x, u) = (p.positions[i].as_dvec3(), p.velocities[i].as_dvec3());
            let (momentum, angular) = (u * mass, x.cross(u) * mass);
            let elastic = match self.state.conformation[i] {
                q if q == Sym3::IDENTITY => 0.0,
                // The energy of a Hookean polymer: G/2 (tr Q − 3 − ln det Q).
                q => {
                    let log = f64::from(q.determinant()).max(f64::MIN_POSITIVE).ln();
                    0.5 * material.rheology.shear_modulus() * volume * (f64::from(q.trace()) - 3.0 - log)
                }
            };
            [
                0.5 * mass * u.length_squared(),
                -mass * gravity.dot(x),
                elastic,
                momentum.x,
                momentum.y,
                momentum.z,
                angular.x,
                angular.y,
                angular.z,
            ]
        });
        report.kinetic_energy = sums[0];
        report.potential_energy = sums[1];
        report.elastic_energy = sums[2];
        report.momentum = [sums[3], sums[4], sums[5]];
        report.angular_momentum = [sums[6], sums[7], sums[8]];
        report.max_speed = f64::from(parallel::max(p.len(), 0.0, |i| p.velocities[i].length()));
    }
}

impl<'a> Step<'a> {
    fn new(
        world: &'a World,
        dt: f32,
        (params, corrections): (&'a Params, Corrections),
        (kernel, wall_kernel): (Kernel, &'a WallKernel),
    ) -> Self {
        let p = &world.particles;
        let volume = kernel.volume();
        let by_material =
            |m: &crate::material::Material| Coefficients::new(m, f64::from(dt), f64::from(kernel.spacing()));
        let inverse_masses: Vec<f32> = world
            .materials
            .iter()
            .map(|m| if corrections.masses { 1.0 / (m.density * volume) } else { 1.0 })
            .collect();
        let mut mobility = vec![0.0; p.len()];
        parallel::fill(&mut mobility, |i| match world.is_driven(i) {
            true => 0.0,
            false => inverse_masses[p.materials[i] as usize],
        });
        let held = |i: usize| world.held_axis(i).map(|(axis, value)| (i as u32, axis, value));
        Self {
            dt,
            params,
            corrections,
            kernel,
            wall_kernel,
            boundary: &world.boundary,
            domain: world.domain,
            x0: &p.positions,
            mobility,
            held: (0..p.len()).filter_map(held).collect(),
            mean_inverse_mass: inverse_masses.iter().sum::<f32>() / inverse_masses.len() as f32,
            inverse_masses,
            clearance: 0.5 * kernel.spacing(),
            near_wall: vec![true; p.len()],
            materials: &p.materials,
            by_material: world.materials.iter().map(by_material).collect(),
        }
    }

    /// Neighbours at x⁰ + s, with a skin; also notes which particles have a wall in reach.
    fn find_displaced(&mut self, s: &[Vec3]) -> Neighbors {
        let mut positions = vec![Vec3::ZERO; s.len()];
        parallel::fill(&mut positions, |i| self.domain.wrap(self.x0[i] + s[i]));
        let reach = self.wall_kernel.reach() + 2.0 * self.clearance;
        let boundary = self.boundary;
        parallel::fill(&mut self.near_wall, |i| !boundary.near(positions[i], reach).as_slice().is_empty());
        Neighbors::find(&positions, SKIN * self.kernel.support(), &self.domain)
    }
}

/// u* ← u⁰ + Δt g; particles inside a nozzle keep its velocity.
fn predict(step: &Step, world: &World, velocity: &mut [Vec3A]) {
    let push = world.gravity * step.dt;
    parallel::fill(velocity, |i| {
        let u0 = world.particles.velocities[i];
        Vec3A::from(if step.is_free(i) { u0 + push } else { u0 })
    });
}

/// Staggers one iteration of the density constraint with one of the conformation constraint.
fn project_positions(step: &Step, neighbors: &Neighbors, state: &State, scratch: &mut Scratch) {
    let carry = if step.corrections.carried_multipliers { step.dt * step.dt } else { 0.0 };
    let carried = &scratch.multiplier;
    parallel::fill(&mut scratch.local, |i| Local {
        multiplier: carried[i] * carry,
        rotation: Quat::IDENTITY,
    });
    for _ in 0..step.params.position_iterations {
        density::project_density(step, neighbors, scratch);
        if step.any_moves_positions() {
            conformation::project_conformation(step, neighbors, state, scratch);
        }
        for &(i, axis, value) in &step.held {
            let s = &mut scratch.displacement[i as usize];
            *s += axis * (value * step.dt - axis.dot(*s));
        }
    }
}

/// Q after a step with velocities u, gradients taken at x⁰: a rigid turn then turns Q exactly.
fn updated_conformation(step: &Step, gradients: &Gradients, u: &[Vec3A], state: &State) -> Vec<Sym3> {
    let mut updated = vec![Sym3::IDENTITY; u.len()];
    parallel::fill(&mut updated, |i| match step.coefficients(i) {
        c if c.update == polymer::Update::Relaxed => Sym3::IDENTITY,
        c => {
            let l = Mat3::from(gradients.velocity_gradient(u, i) + gradients.wall_flow(i));
            c.update_conformation(state.conformation[i], &l, step.dt)
        }
    });
    updated
}

/// Density errors at the end of the step.
fn measure_density(step: &Step, neighbors: &Neighbors, s: &[Vec3], report: &mut StepReport) {
    let mut errors = vec![0.0; s.len()];
    let sum = parallel::update_sum(&mut errors, |i, error| {
        *error = (density::density(step, neighbors, s, i) - 1.0).max(0.0);
        f64::from(*error)
    });
    report.density_error_mean = sum / (s.len() as f64).max(1.0);
    report.density_error_max = f64::from(errors.into_iter().fold(0.0, f32::max));
}
