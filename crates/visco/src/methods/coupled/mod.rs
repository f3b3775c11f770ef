//! Pressure, viscosity and polymer in one implicit solve for velocities.
//!
//! visco's own method. It takes the velocity projection of Barreiro et al. 2017 as the whole step: minimise over u
//!
//! ```text
//! ½ (u − u*)ᵀ M (u − u*) + Δt Σ V [ E |dev(D + S)|² + ½ κ (tr D − θ)² − p tr D ] + control of unseen motion
//! S = −½ Δt sym(L²), L lagged          θ = −ln J/(10 Δt) − tr S
//! after the solve: p ← p − κ (tr D − θ),   J ← J det(I + Δt L),   x ← x + Δt u
//! ```
//!
//! Volume is kept by an augmented Lagrangian: the pressure p is carried from step to step, so that a moderate κ
//! suffices. S makes the motion of a rigid turn exact to second order. What is far too dense is pushed apart, and
//! particles are shifted a little so that they stay evenly spread; neither changes velocities.
//!
//! | symbol | meaning | here |
//! |---|---|---|
//! | x⁰, x | positions at the start and the end of the step | `x0`, `displacement` = x − x⁰ |
//! | u*, u | predicted and solved velocity | `u_star`, `u` |
//! | L, D | velocity gradient ∂_b u_a, its symmetric part | `velocity_gradient` |
//! | E, κ | viscosity and bulk viscosity of the step | `Resistance` |
//! | p, J | pressure, relative volume | `pressure`, `volume` |
//! | Q | conformation tensor of the polymer | `conformation` |

mod connections;
mod interfaces;
mod load;
mod params;
mod state;
mod stress;
#[cfg(test)]
mod tests;
mod wetting;

pub use params::Params;

use super::FluidMethod;
use crate::boundary::WallKernel;
use crate::checkpoint::{CheckpointError, StateReader, StateWriter};
use crate::clock::Stopwatch;
use crate::flow::conjugate::Convergence;
use crate::flow::contact::{VelocityContacts, contact_displacement};
use crate::flow::density::{self, DensityMultiplier};
use crate::flow::gradient::{Corrected, Gradients};
use crate::flow::moved_body::MovedBody;
use crate::flow::partners;
use crate::flow::pieces::Pieces;
use crate::flow::polymer::Coefficients;
use crate::flow::rigid::RigidBodies;
use crate::flow::shifting::{self, Tension};
use crate::flow::soft::SoftBodies;
use crate::flow::solve::{Effort, Problem, grids};
use crate::flow::system::{CONTROL, Resistance, VelocitySystem};
use crate::flow::wall_gradient::{WallGradient, WallKind};
use crate::flow::{self, Reading, Setting, surface_tension};
use crate::kernel::Kernel;
use crate::math::Sym3;
use crate::neighbors::cell_order;
use crate::parallel;
use crate::report::StepReport;
use crate::scene::Model;
use crate::world::World;
use glam::{Mat3A, Vec3, Vec3A};
use state::State;

/// Smallest eigenvalue of the moment matrix for which a direction counts in the gradient.
const WELL_CONDITIONED: f32 = 0.05;
/// Bulk viscosity over shear viscosity, and over ρd²/Δt in thin fluid.
const BULK: f32 = 10.0;
/// Below this part of d² that velocity diffuses over in a step, viscosity is not resolved.
const THIN: f32 = 0.005;
/// The control of unseen motion in such fluid, in units of what inertia resists with, ρd²/Δt.
const THIN_CONTROL: f32 = 0.1;
/// Steps over which the control counts the stress that a polymer stores.
const STORED: f32 = 100.0;
/// Density error that no push on positions undoes where a pressure presses. What is pushed out in every step, and
/// pressed back because its velocity knows nothing of it, comes back faster and faster, and the pressure that should
/// carry it never grows.
const SLACK: f32 = 0.1;
/// How many times more passes the first step has under gravity, to find the pressure that carries the fluid.
const SETTLING: u32 = 5;
/// How many times larger an error the solve may leave in a pass that is not the last.
const EARLY: f32 = 10.0;
/// The neighbour list after the step reaches this much farther than the kernel.
const SKIN: f32 = 1.04;

/// The method with its state.
#[derive(Clone, Debug)]
pub struct Coupled {
    params: Params,
    kernel: Kernel,
    wall_kernel: WallKernel,
    state: State,
    gradients: Gradients,
}

/// What does not change during a step.
pub(crate) struct Step<'a> {
    setting: Setting<'a>,
    params: &'a Params,
    by_material: Vec<Coefficients>,
    models: Vec<Model>,
    /// What each material resists with at rest.
    resistances: Vec<Resistance>,
}

impl<'a> std::ops::Deref for Step<'a> {
    type Target = Setting<'a>;

    fn deref(&self) -> &Setting<'a> {
        &self.setting
    }
}

impl<'a> Step<'a> {
    fn new(
        world: &'a World,
        dt: f32,
        params: &'a Params,
        (kernel, wall_kernel): (Kernel, &'a WallKernel),
        pressure: f32,
    ) -> Self {
        let setting = Setting::new(world, dt, (kernel, wall_kernel), Reading::PLAIN);
        let by_material: Vec<Coefficients> = world
            .materials
            .iter()
            .map(|m| Coefficients::new(m, f64::from(dt), f64::from(kernel.spacing())))
            .collect();
        let resistance = |(m, c): (&crate::material::Material, &Coefficients)| {
            // Δt V E with E of the step, and what inertia alone resists with: ρ d² V.
            let shear = if c.active { 2.0 * dt * dt / c.alpha } else { 0.0 };
            let inertia = m.density * kernel.spacing().powi(2) * kernel.volume();
            // Thin fluid cannot damp the motions that its gradient does not see: inertia does it, and surface tension
            // needs some of it.
            let thin = inertia * THIN_CONTROL * (1.0 - shear / (THIN * inertia)).max(0.0);
            let calm = dt * kernel.volume() * surface_tension::calming_viscosity(m, kernel.spacing());
            // A polymer resists with what it has stored over many steps, and tears if the control knows the last alone.
            let stored = dt * kernel.volume() * (c.solvent + c.modulus * m.rheology.memory(STORED * dt));
            let control = if params.control { CONTROL * shear.max(thin).max(calm).max(stored) } else { 0.0 };
            let bulk = (BULK * shear.max(inertia)).max(load::firmness(dt * dt * kernel.volume(), pressure));
            Resistance { shear, bulk, control }
        };
        let resistances = world.materials.iter().zip(&by_material).map(resistance).collect();
        let models = world.materials.iter().map(|m| m.model.unwrap_or(Model::OldroydB)).collect();
        Self { setting, params, by_material, models, resistances }
    }

    /// Whether a material needs passes for its stress.
    fn is_nonlinear(&self) -> bool {
        self.models.iter().zip(&self.by_material).any(|(m, c)| *m == Model::OldroydB && c.modulus > 0.0)
    }

    #[inline]
    pub(crate) fn coefficients(&self, i: usize) -> &Coefficients {
        &self.by_material[self.materials[i] as usize]
    }

    #[inline]
    fn model(&self, i: usize) -> Model {
        self.models[self.materials[i] as usize]
    }

    /// Viscosity E of the step, in Pa·s.
    #[inline]
    fn viscosity(&self, i: usize) -> f32 {
        self.resistances[self.materials[i] as usize].shear / (self.dt * self.kernel.volume())
    }

    /// What a particle resists with. The stress of a stretched Oldroyd-B polymer grows with the stretch; the passes that
    /// settle it converge if the matrix knows at least half of that.
    fn resistance(&self, i: usize, conformation: Sym3) -> Resistance {
        let r = self.resistances[self.materials[i] as usize];
        let c = self.coefficients(i);
        if self.model(i) == Model::Linear || c.modulus == 0.0 {
            return r;
        }
        let solvent = self.dt * self.kernel.volume() * c.solvent;
        let stretch = (0.5 * conformation.eigenvalues()[2]).max(1.0);
        let shear = solvent + (r.shear - solvent) * stretch;
        Resistance {
            shear,
            bulk: r.bulk.max(BULK * shear),
            control: if self.params.control { r.control.max(CONTROL * shear) } else { 0.0 },
        }
    }

    /// What a body's particle resists with where another body alone touches it: bodies drag each other as if they stuck.
    fn touching_bodies(&self, i: usize) -> Resistance {
        let r = self.resistances[self.materials[i] as usize];
        let shear = r.bulk / BULK;
        Resistance { shear, bulk: r.bulk, control: if self.params.control { CONTROL * shear } else { 0.0 } }
    }

    /// Finds who acts on whom, and the gradients there.
    fn prepare(&self, gradients: &mut Gradients, state: &mut State, world: &World) {
        let ids = &world.particles.ids;
        let mut u_star = vec![Vec3A::ZERO; self.x0.len()];
        self.predict(world, &mut u_star);
        let connected = state.connections.update(self, &gradients.neighbors, (ids, &u_star), !state.begun);
        let neighbors = &gradients.neighbors;
        let pressing = wetting::pressing_normals(self, state);
        let mut walls = vec![None; self.x0.len()];
        parallel::fill(&mut walls, |i| {
            if self.body(i).is_some() {
                return None;
            }
            WallGradient::at_start(self, i, WallKind::All, |contact| {
                wetting::acts(self, (neighbors, &connected), &pressing, (i, contact))
            })
        });
        state.pressing = pressing;
        let correct = |moment: Sym3| Corrected::new(moment, WELL_CONDITIONED);
        gradients.prepare(self, correct, &walls, Some(&connected));
    }
}

impl Coupled {
    /// The method for a world.
    pub fn new(world: &World, params: Params) -> Self {
        let kernel = Kernel::new(world.spacing, params.support * world.spacing);
        let mut method = Self {
            params,
            wall_kernel: WallKernel::new(&kernel),
            kernel,
            state: State::default(),
            gradients: Gradients::default(),
        };
        method.grow(world.particles.len());
        method
    }

    /// Relative volumes of the particles, as the flow has changed them.
    pub fn volumes(&self) -> &[f32] {
        &self.state.volume
    }
}

impl FluidMethod for Coupled {
    fn grow(&mut self, particles: usize) {
        self.state.grow(particles);
    }

    fn reorder(&mut self, order: &[u32]) {
        self.state.reorder(order);
    }

    fn conformations(&self) -> Option<&[Sym3]> {
        Some(&self.state.conformation)
    }

    fn stresses(&self, _: &World) -> Vec<Sym3> {
        self.state.stress.clone()
    }

    fn pressures(&self) -> Option<&[f32]> {
        Some(&self.state.pressure)
    }

    fn densities(&self, world: &World) -> Vec<f32> {
        density::world_densities(world, &self.kernel, &self.wall_kernel)
    }

    fn step(&mut self, world: &mut World, dt: f32) -> StepReport {
        let mut report = StepReport::default();
        let order = cell_order(&world.particles.positions, self.kernel.support());
        world.particles.reorder(&order);
        self.state.reorder(&order);
        let Self { params, kernel, wall_kernel, state, gradients } = self;
        let pressure = match state.begun {
            true => load::mean_pressure(&state.pressure),
            false => load::pressure_at_rest(world),
        };
        let mut step = Step::new(world, dt, params, (*kernel, wall_kernel), pressure);

        let clock = Stopwatch::start();
        gradients.find_neighbors(step.x0, kernel.support(), &step.domain);
        step.prepare(gradients, state, world);
        report.seconds_neighbors = clock.seconds();

        let clock = Stopwatch::start();
        let Solved { mut u, l, pulls, rigid, done } = solve_velocities(&step, gradients, state, world);
        report.velocity_iterations = done.iterations;
        report.velocity_residual = done.residual;
        report.seconds_velocity = clock.seconds();

        let clock = Stopwatch::start();
        let mut displacement = vec![Vec3::ZERO; u.len()];
        parallel::for_each2(&mut displacement, &mut u, |i, s, u| {
            *s = Vec3::from(*u) * dt;
            if step.is_free(i) && !rigid.has(i) {
                let stopped = contact_displacement(&step, i, *s);
                // What a wall stops after all has no velocity into it either.
                if stopped != *s {
                    (*s, *u) = (stopped, (stopped / dt).into());
                }
            }
        });
        let bodies = move_bodies(&step, &rigid, (&mut u, &mut displacement));
        step.setting.fix_bodies();
        let around = step.find_displaced(&displacement, SKIN * kernel.support());
        let mut moved = vec![Vec3::ZERO; u.len()];
        let mut multipliers = vec![DensityMultiplier::default(); u.len()];
        let pressure = &state.pressure;
        let slack = |i: usize| if pressure[i] > 0.0 { SLACK } else { 0.0 };
        for _ in 0..params.density_iterations {
            let arrays = (&mut displacement, &mut moved, &mut multipliers[..]);
            density::project_density(&step, &around, |i, e| density::unilateral(e - slack(i)), arrays);
        }
        report.position_iterations = params.density_iterations;
        if params.shifting {
            let tension = Tension { pulls: &pulls, viscosity: |i| step.coefficients(i).lasting };
            shifting::shift(&step, (gradients, &l, &around), tension, &mut displacement);
        }
        step.hold_displacements(&mut displacement);
        density::measure_density(&step, &around, &displacement, &mut report);
        report.seconds_position = clock.seconds();

        drop(step);
        world.finish_step(&displacement, &bodies);
        parallel::fill(&mut world.particles.velocities, |i| flow::still(u[i]).into());
        parallel::for_each(&mut self.state.pressure, |_, p| *p = flow::spent(*p));
        flow::measure(world, f64::from(self.kernel.volume()), Some(&self.state.conformation), &mut report);
        self.state.begun = true;
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

/// The flow of a step.
struct Solved {
    u: Vec<Vec3A>,
    /// Its gradients, moving walls included.
    l: Vec<Mat3A>,
    /// What surface tension pulls with, in N/m³; empty where no material has any.
    pulls: Vec<Vec3>,
    rigid: RigidBodies,
    done: Convergence,
}

/// Solves for the velocities of the step; pressure, volume and polymer follow.
fn solve_velocities(step: &Step, gradients: &Gradients, state: &mut State, world: &World) -> Solved {
    let n = step.x0.len();
    let params = step.params;
    let mut u_star = vec![Vec3A::ZERO; n];
    step.predict(world, &mut u_star);
    let pulls = surface_tension::pull(step, world, &mut u_star);
    let mut u: Vec<Vec3A> = world.particles.velocities.iter().map(|&v| v.into()).collect();
    let touched = partners::find(step, gradients);
    stress::forget_parted(&touched, state);
    let scale = step.dt * step.dt * step.kernel.volume();
    let of_fluid = |i: usize| {
        let resistance = step.resistance(i, state.conformation[i]);
        match params.control {
            true => load::steadied(resistance, scale, state.pressure[i]),
            false => resistance,
        }
    };
    let mut resistances = vec![Resistance::default(); n];
    parallel::fill(&mut resistances, |i| match step.body(i) {
        None => of_fluid(i),
        Some(_) => partners::resistance(step, gradients, (i, touched[i]), of_fluid, step.touching_bodies(i)),
    });
    interfaces::soften(step, gradients, &mut resistances);
    let system = VelocitySystem::new(step, gradients, |i| resistances[i]);
    let mut contacts = VelocityContacts::find(step, &u_star, &gradients.neighbors);
    if state.begun {
        contacts.resume(step, &state.held);
    } else {
        contacts.close_violated(step, &u_star, &gradients.neighbors);
    }
    let mut rigid = RigidBodies::find(step);
    let pieces = Pieces::find(step, gradients);
    let grids = grids(&system, &contacts, params.preconditioner);
    let passes = match state.begun {
        false if world.gravity != Vec3::ZERO => SETTLING * params.stress_passes,
        true if !step.is_nonlinear() => 1,
        _ => params.stress_passes,
    };
    let effort = Effort {
        tolerance: params.tolerance,
        most_iterations: params.max_velocity_iterations,
        passes: params.contact_passes,
    };
    stress::smooth_pressure(step, gradients, &touched, &mut state.pressure);
    let mut tension = vec![Mat3A::ZERO; n];
    let mut impulse = vec![Vec3A::ZERO; n];
    let mut done = Convergence::default();
    let mut l = vec![Mat3A::ZERO; n];
    stress::find_gradients(gradients, &u, &mut l);
    let missing = stress::missing_volumes(step, gradients, state);
    for pass in 1..=passes {
        let targets = stress::targets(step, &system, (state, &missing), &l);
        system.impulse(|i| targets[i].stress, &mut tension, &mut impulse);
        let problem = Problem {
            system: &system,
            pieces: &pieces,
            grids: grids.as_ref(),
            u_star: &u_star,
            impulse: &impulse,
        };
        // Stress and pressure still change: but for the last, a rougher solve tells how.
        let tolerance = if pass < passes { effort.tolerance * EARLY } else { effort.tolerance };
        let effort = Effort { tolerance, ..effort };
        let solved = problem.solve((&mut contacts, &mut rigid), (&mut u, &mut tension), effort);
        done.iterations += solved.iterations;
        done.residual = solved.residual;
        stress::find_gradients(gradients, &u, &mut l);
        stress::update_pressure(&system, (&targets, &touched), &l, &mut state.pressure);
    }
    contacts.held_normals(&mut state.held);
    stress::update_material(step, gradients, &l, state);
    Solved { u, l, pulls, rigid, done }
}

/// Moves rigid bodies by their motion, and lets the distances of soft bodies correct theirs; velocities follow. Returns
/// the rigid bodies as they are then.
fn move_bodies(
    step: &Step,
    rigid: &RigidBodies,
    (u, displacement): (&mut [Vec3A], &mut [Vec3]),
) -> Vec<MovedBody> {
    let moved = rigid.advance(step, u);
    for body in &moved {
        body.place(step, displacement);
        body.set_velocities(step, u);
    }
    let mut soft = SoftBodies::find(step);
    if !soft.is_empty() {
        soft.project(step, displacement);
        soft.add_velocities(step, u);
    }
    moved
}
