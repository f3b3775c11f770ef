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
//! | α, τ | compliance, relaxation time | [`crate::flow::polymer::Coefficients`] |
//! | β, n | Jacobi relaxation, number of neighbours | `relaxation` |
//! | R | best-fit rotation of a neighbourhood | `rotation` |
//! | W, h, d, V | kernel, support, spacing, volume d³ | [`Kernel`] |
//!
//! The printed equations need corrections; [`Corrections`] names them, EQUATIONS.md explains them.

mod conformation;
mod corrections;
mod diagonal;
mod dual;
mod memory;
mod params;
mod primal;
mod state;
#[cfg(test)]
mod tests;
mod velocity;

pub use corrections::{Correction, Corrections};
pub use params::{Formulation, Integrator, Params, Strain, VelocitySolver};

use super::FluidMethod;
use crate::boundary::WallKernel;
use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::flow::contact::contact_displacement;
use crate::flow::gradient::Gradients;
use crate::flow::moved_body::MovedBody;
use crate::flow::polymer::Coefficients;
use crate::flow::rigid::RigidBodies;
use crate::flow::shifting::{self, Tension};
use crate::flow::soft::SoftBodies;
use crate::flow::wall_gradient::{WallGradient, WallKind};
use crate::flow::{self, Displaced, Reading, Setting, density, surface_tension};
use crate::kernel::Kernel;
use crate::material::Rheology;
use crate::math::Sym3;
use crate::neighbors::cell_order;
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use diagonal::{Diagonals, gradient_correction};
use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A};
use memory::updated_conformation;
use state::{Local, Multipliers, Scratch, State};

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
    diagonals: Diagonals,
    scratch: Scratch,
}

/// What does not change during a step.
pub(crate) struct Step<'a> {
    setting: Setting<'a>,
    pub(crate) params: &'a Params,
    pub(crate) corrections: Corrections,
    by_material: Vec<Coefficients>,
}

impl<'a> std::ops::Deref for Step<'a> {
    type Target = Setting<'a>;

    fn deref(&self) -> &Setting<'a> {
        &self.setting
    }
}

impl Step<'_> {
    #[inline]
    pub(crate) fn coefficients(&self, i: usize) -> &Coefficients {
        &self.by_material[self.materials[i] as usize]
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
}

impl Dcpbd {
    /// The method for a world.
    pub fn new(world: &World, params: Params) -> Self {
        let kernel = Kernel::new(world.spacing, params.support * world.spacing);
        let corrections = Corrections::from(&params);
        let mut method = Self {
            params,
            corrections,
            wall_kernel: WallKernel::new(&kernel),
            kernel,
            state: State::default(),
            gradients: Gradients::default(),
            diagonals: Diagonals::default(),
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

impl FluidMethod for Dcpbd {
    fn grow(&mut self, particles: usize) {
        self.state.grow(particles);
    }

    fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    fn conformations(&self) -> Option<&[Sym3]> {
        Some(&self.state.conformation)
    }

    fn densities(&self, world: &World) -> Vec<f32> {
        density::world_densities(world, &self.kernel, &self.wall_kernel)
    }

    /// σ = −2λ/V of the last velocity projection.
    fn stresses(&self, world: &World) -> Vec<Sym3> {
        let scale = -2.0 / self.kernel.volume();
        let multiplier = |i: usize| self.scratch.multiplier.get(i).copied().unwrap_or(Sym3::ZERO);
        (0..world.particles.len()).map(|i| multiplier(i) * scale).collect()
    }

    /// One step of Algorithm 2 (or Algorithm 1, without the projection of velocities).
    fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        self.sort_particles(world);
        let Self { params, corrections, kernel, wall_kernel, state, gradients, diagonals, scratch } = self;
        let step = Step::new(world, dt, (params, *corrections), (*kernel, wall_kernel));

        let clock = Stopwatch::start();
        gradients.find_neighbors(step.x0, kernel.support(), &step.domain);
        report.seconds_neighbors = clock.seconds();

        // Compute constraint-free state: u* ← u⁰ + Δt M⁻¹ f.
        let clock = Stopwatch::start();
        step.predict(world, &mut scratch.velocity);
        let pulls = surface_tension::pull(&step, world, &mut scratch.velocity);

        // Project velocities: u** ← project u* to C(u**) = 0.
        step.prepare(gradients, diagonals);
        scratch.multiplier.fill(Sym3::ZERO);
        let u0 = &world.particles.velocities;
        let mut rigid = RigidBodies::find(&step);
        if params.integrator == Integrator::Dcpbd {
            let done =
                velocity::project_velocities(&step, (gradients, diagonals), (u0, &mut rigid), state, scratch);
            report.velocity_iterations = done.iterations;
            report.velocity_residual = done.residual;
        }
        // As printed, Q follows the velocity stage; the position stage still sees Q⁰.
        let printed_conformation = (!corrections.convected_update)
            .then(|| updated_conformation(&step, gradients, &scratch.velocity, state));
        // x** ← x⁰ + Δt u**.
        parallel::fill(&mut scratch.displacement, |i| {
            let s = Vec3::from(scratch.velocity[i]) * dt;
            if step.is_free(i) && !rigid.has(i) { contact_displacement(&step, i, s) } else { s }
        });
        let mut bodies = rigid.advance(&step, &scratch.velocity);
        bodies.iter().for_each(|body| body.place(&step, &mut scratch.displacement));
        report.seconds_velocity = clock.seconds();

        // Project positions: x ← project x** to C(x) = 0 and C̃(x) = 0.
        let clock = Stopwatch::start();
        let around = step.find_displaced(&scratch.displacement, SKIN * kernel.support());
        report.seconds_neighbors += clock.seconds();
        let clock = Stopwatch::start();
        project_positions(&step, &around, (state, &mut bodies), scratch);
        report.position_iterations = params.position_iterations;

        // u ← (x − x⁰)/Δt, and the conformation that this motion leaves behind.
        parallel::for_each(&mut scratch.velocity, |i, u| {
            if step.is_free(i) {
                *u = Vec3A::from(scratch.displacement[i]) / dt;
            }
        });
        bodies.iter().for_each(|body| body.set_velocities(&step, &mut scratch.velocity));
        state.conformation = printed_conformation
            .unwrap_or_else(|| updated_conformation(&step, gradients, &scratch.velocity, state));
        if corrections.shifting {
            let mut l = vec![Mat3A::ZERO; scratch.velocity.len()];
            let u = &scratch.velocity;
            // What turns by the length of the step is not deformed: of L + ½ Δt LᵀL it has no symmetric part.
            parallel::fill(&mut l, |i| {
                let l = gradients.velocity_gradient(u, i) + gradients.wall_flow(i);
                l + l.transpose() * l * (0.5 * dt)
            });
            let tension = Tension { pulls: &pulls, viscosity: |i| step.coefficients(i).lasting };
            shifting::shift(&step, (gradients, &l, &around), tension, &mut scratch.displacement);
            step.hold_displacements(&mut scratch.displacement);
        }
        density::measure_density(&step, &around, &scratch.displacement, &mut report);
        report.seconds_position = clock.seconds();

        drop(step);
        world.finish_step(&scratch.displacement, &bodies);
        parallel::fill(&mut world.particles.velocities, |i| scratch.velocity[i].into());
        flow::measure(world, f64::from(self.kernel.volume()), Some(&self.state.conformation), &mut report);
        report
    }

    fn save(&self, to: &mut StateWriter) {
        to.put(&self.state);
        // The last step's, for whoever asks for stresses before the next one.
        to.put(&Multipliers { multiplier: self.scratch.multiplier.clone() });
    }

    fn load(&mut self, from: &mut StateReader, particles: usize) -> Result<(), CheckpointError> {
        self.state = from.get()?;
        self.state.check(particles)?;
        let Multipliers { multiplier } = from.get()?;
        self.scratch.multiplier = multiplier;
        Ok(())
    }

    fn boxed_clone(&self) -> Box<dyn FluidMethod> {
        Box::new(self.clone())
    }
}

impl<'a> Step<'a> {
    fn new(
        world: &'a World,
        dt: f32,
        (params, corrections): (&'a Params, Corrections),
        (kernel, wall_kernel): (Kernel, &'a WallKernel),
    ) -> Self {
        let reading =
            Reading { unit_masses: !corrections.masses, viscous_walls: corrections.velocity_contact };
        let by_material = |m: &crate::material::Material| {
            let c = Coefficients::new(m, f64::from(dt), f64::from(kernel.spacing()));
            if matches!(m.rheology, Rheology::Printed { .. }) { c.in_unit(params.length_unit) } else { c }
        };
        Self {
            setting: Setting::new(world, dt, (kernel, wall_kernel), reading),
            params,
            corrections,
            by_material: world.materials.iter().map(by_material).collect(),
        }
    }

    /// Computes gradients at x⁰ and what the velocity projection divides by.
    fn prepare(&self, gradients: &mut Gradients, diagonals: &mut Diagonals) {
        let mut walls = vec![None; self.x0.len()];
        if self.corrections.velocity_contact {
            parallel::fill(&mut walls, |i| match self.body(i) {
                None => WallGradient::at_start(self, i, WallKind::NoSlip, |_| true),
                Some(_) => None,
            });
        }
        gradients.prepare(self, |moment| gradient_correction(self, moment), &walls, None);
        diagonals.prepare(self, gradients);
    }
}

/// Staggers one iteration of the density constraint with one of the conformation constraint; bodies follow.
fn project_positions(
    step: &Step,
    around: &Displaced,
    (state, bodies): (&State, &mut [MovedBody]),
    scratch: &mut Scratch,
) {
    let mut soft = SoftBodies::find(step);
    let carry = if step.corrections.carried_multipliers { step.dt * step.dt } else { 0.0 };
    let carried = &scratch.multiplier;
    parallel::fill(&mut scratch.local, |i| Local {
        multiplier: carried[i] * carry,
        rotation: Quat::IDENTITY,
    });
    for _ in 0..step.params.position_iterations {
        let Scratch { displacement, moved, density, .. } = &mut *scratch;
        density::project_density(
            step,
            around,
            |_, e| step.params.density.limit(e),
            (displacement, moved, density),
        );
        if step.any_moves_positions() {
            conformation::project_conformation(step, around, state, scratch);
        }
        bodies.iter_mut().for_each(|body| body.match_shape(step, &mut scratch.displacement));
        soft.project(step, &mut scratch.displacement);
        step.hold_displacements(&mut scratch.displacement);
    }
}
