//! What does not change during a step, and the parts of a step.

use super::pressure::{self, Solved};
use super::{Around, Moved, Params, forces};
use crate::boundary::samples::WallSamples;
use crate::boundary::{Wall, WallKernel};
use crate::clock::Stopwatch;
use crate::dynamics::Dynamics;
use crate::flow::{Reading, Setting, advance, surface_tension};
use crate::kernel::Kernel;
use crate::material::{Material, Rheology};
use crate::parallel;
use crate::particles::Motion;
use crate::report::StepReport;
use crate::world::World;
use glam::{Vec3, Vec3A};

/// Distance that the centres of fluid particles keep from walls in any case, in spacings. Boundary particles hold them
/// farther away.
const CLEARANCE: f32 = 0.25;

/// A step.
pub(crate) struct Step<'a> {
    setting: Setting<'a>,
    pub(crate) params: &'a Params,
    samples: &'a WallSamples,
    dynamics: &'a Dynamics,
    /// 1/ρ₀ of fluid that is free to move, 0 of all else.
    pub(crate) ease: Vec<f32>,
    /// The same, and that of the particles of rigid bodies.
    pub(crate) pushed: Vec<f32>,
    /// 1/m of all that forces move.
    pub(crate) movable: Vec<f32>,
    /// Viscosity that a step feels, by material, in Pa·s.
    pub(crate) viscosities: Vec<f32>,
    /// Whether a particle belongs to a rigid body, or to one that the scene moves.
    solid: Vec<bool>,
}

impl<'a> std::ops::Deref for Step<'a> {
    type Target = Setting<'a>;

    fn deref(&self) -> &Setting<'a> {
        &self.setting
    }
}

/// Whether a particle is fluid, or soft: it has a pressure.
pub(crate) fn is_fluid(world: &World, i: usize) -> bool {
    match world.particles.motions[i] {
        Motion::Body(b) => world.bodies[usize::from(b)].soft().is_some(),
        _ => true,
    }
}

/// Viscosity that a material has in an explicit step, in Pa·s. A polymer's part is the method's.
fn viscosity(material: &Material, dt: f32, spacing: f32) -> f32 {
    let given = match material.rheology {
        Rheology::Measured { solvent_viscosity, relaxation_time, .. } if relaxation_time > 0.0 => {
            solvent_viscosity
        }
        Rheology::Measured { polymer_viscosity, solvent_viscosity, .. } => {
            polymer_viscosity + solvent_viscosity
        }
        Rheology::Printed { .. } => 0.0,
    };
    let most = super::MOST_VISCOUS as f32 * material.density * spacing * spacing / dt;
    (given as f32).min(most)
}

impl<'a> Step<'a> {
    pub(super) fn new(
        world: &'a World,
        dt: f32,
        params: &'a Params,
        (kernel, wall_kernel): (Kernel, &'a WallKernel),
        (samples, dynamics): (&'a WallSamples, &'a Dynamics),
    ) -> Self {
        let setting = Setting::new(world, dt, (kernel, wall_kernel), Reading::PLAIN);
        let n = world.particles.len();
        let (mut ease, mut pushed, mut solid) = (vec![0.0; n], vec![0.0; n], vec![true; n]);
        let movable = setting.mobility.clone();
        parallel::fill(&mut pushed, |i| movable[i] * kernel.volume());
        parallel::for_each2(&mut ease, &mut solid, |i, ease, solid| {
            if is_fluid(world, i) {
                (*ease, *solid) = (pushed[i], false);
            }
        });
        let viscosities = world.materials.iter().map(|m| viscosity(m, dt, kernel.spacing())).collect();
        Self { setting, params, samples, dynamics, ease, pushed, movable, viscosities, solid }
    }

    /// Velocities by all forces but pressure and what is the method's own: gravity, surface tension, viscosity.
    pub(crate) fn velocities(&self, world: &World, around: &Around) -> Vec<Vec3> {
        let v = &world.particles.velocities;
        let mut predicted = vec![Vec3A::ZERO; v.len()];
        self.predict(world, &mut predicted);
        surface_tension::pull(self, world, &mut predicted);
        let mut velocity: Vec<Vec3> = predicted.iter().map(|&v| v.into()).collect();
        forces::add_viscosity(self, around, v, &mut velocity);
        self.hold_velocities(&mut velocity);
        velocity
    }

    /// Adds to velocities what the pressure does that makes them keep the density at rest, and the friction of walls that
    /// goes with it.
    pub(crate) fn press(
        &self,
        around: &Around,
        pressure: &mut Vec<f32>,
        velocity: &mut [Vec3],
        report: &mut StepReport,
    ) {
        let clock = Stopwatch::start();
        self.hold_velocities(velocity);
        let solved = pressure::solve(self, around, Some(velocity), pressure);
        self.take_over(&solved, around, (pressure, velocity), report);
        report.seconds_velocity = clock.seconds();
    }

    /// The same where the particles have already been moved by their velocities, to where `moved` found them.
    pub(crate) fn press_moved(
        &self,
        (around, moved): (&Around, &Around),
        pressure: &mut Vec<f32>,
        velocity: &mut [Vec3],
        report: &mut StepReport,
    ) {
        let clock = Stopwatch::start();
        let solved = pressure::solve(self, moved, None, pressure);
        self.take_over(&solved, around, (pressure, velocity), report);
        report.seconds_velocity = clock.seconds();
    }

    fn take_over(
        &self,
        solved: &Solved,
        around: &Around,
        (pressure, velocity): (&[f32], &mut [Vec3]),
        report: &mut StepReport,
    ) {
        report.velocity_iterations = solved.iterations;
        report.velocity_residual = solved.error;
        parallel::for_each(velocity, |i, v| *v += Vec3::from(solved.acceleration[i]) * self.dt);
        forces::rub(self, around, pressure, velocity);
    }

    /// Moves the particles by their velocities, and bodies with them.
    pub(crate) fn advance(mut self, mut velocity: Vec<Vec3>, report: &mut StepReport) -> Moved {
        let clock = Stopwatch::start();
        let mut u: Vec<Vec3A> = velocity.iter().map(|&v| v.into()).collect();
        let mut displacement = vec![Vec3::ZERO; velocity.len()];
        let moves = (&mut u[..], &mut displacement[..]);
        let bodies = advance::move_particles(&mut self.setting, self.dynamics, CLEARANCE, moves);
        parallel::fill(&mut velocity, |i| u[i].into());
        report.seconds_position = clock.seconds();
        Moved { velocity, displacement, bodies }
    }

    /// Whether a particle belongs to a rigid body, or to one that the scene moves.
    #[inline]
    pub(crate) fn is_solid(&self, i: usize) -> bool {
        self.solid[i]
    }

    /// The wall of a boundary particle.
    #[inline]
    pub(crate) fn wall_of(&self, b: usize) -> &Wall {
        &self.boundary.walls[self.samples.wall(b)]
    }

    /// Viscosity of a particle, in Pa·s; solids have none of their own.
    #[inline]
    pub(crate) fn viscosity(&self, i: usize) -> f32 {
        if self.is_solid(i) { 0.0 } else { self.viscosities[self.materials[i] as usize] }
    }
}
