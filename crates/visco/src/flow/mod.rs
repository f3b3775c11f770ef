//! What the methods share: gradients at the start of a step, walls and contact, density, the polymer, and the implicit
//! solve for velocities.

pub(crate) mod advance;
pub(crate) mod conjugate;
pub(crate) mod contact;
pub(crate) mod density;
pub(crate) mod evenness;
pub(crate) mod gradient;
pub(crate) mod moved_body;
pub(crate) mod multilevel;
pub(crate) mod partners;
pub(crate) mod pieces;
pub mod polymer;
mod preconditioner;
pub(crate) mod rigid;
mod rigid_contact;
pub(crate) mod shifting;
mod six;
pub(crate) mod soft;
pub(crate) mod solve;
pub(crate) mod surface_tension;
pub(crate) mod system;
pub(crate) mod wall_gradient;

pub use density::DensityConstraint;
pub use preconditioner::Preconditioner;

use crate::bodies::{self, Body};
use crate::boundary::{Boundary, WallFriction, WallKernel};
use crate::domain::Domain;
use crate::kernel::Kernel;
use crate::math::Sym3;
use crate::neighbors::Neighbors;
use crate::parallel;
use crate::particles::Motion;
use crate::report::StepReport;
use crate::world::World;
use glam::{Vec3, Vec3A};

/// What is closer to nothing than this, in m/s or Pa, is nothing. Motion and pressure that die away would else end among
/// the smallest numbers that there are, with which processors take many times as long.
const NOTHING: f32 = 1e-25;

/// A velocity whose components are not next to nothing.
pub(crate) fn still(v: Vec3A) -> Vec3A {
    Vec3A::select(v.abs().cmplt(Vec3A::splat(NOTHING)), Vec3A::ZERO, v)
}

/// A pressure that is not next to nothing.
pub(crate) fn spent(p: f32) -> f32 {
    if p.abs() < NOTHING { 0.0 } else { p }
}

/// How a method reads a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Every particle counts as having mass 1.
    pub(crate) unit_masses: bool,
    /// Walls with no slip drag the fluid by viscosity, and their contact is smooth; else the contact itself holds.
    pub(crate) viscous_walls: bool,
}

impl Reading {
    /// The world as it is.
    pub(crate) const PLAIN: Self = Self { unit_masses: false, viscous_walls: true };
}

/// What does not change during a step, whatever the method.
pub(crate) struct Setting<'a> {
    pub(crate) dt: f32,
    pub(crate) kernel: Kernel,
    pub(crate) wall_kernel: &'a WallKernel,
    pub(crate) boundary: &'a Boundary,
    pub(crate) domain: Domain,
    /// x⁰.
    pub(crate) x0: &'a [Vec3],
    /// Velocities at the start of the step.
    pub(crate) u0: &'a [Vec3],
    /// 1/m; zero for particles inside a nozzle or a grip, which nothing else moves.
    pub(crate) mobility: Vec<f32>,
    /// Particles of which a grip holds one component of the velocity: index, unit vector, value.
    pub(crate) held: Vec<(u32, Vec3, f32)>,
    pub(crate) mean_inverse_mass: f32,
    /// Distance that particle centres keep from walls: d/2.
    pub(crate) clearance: f32,
    /// Whether walls with no slip drag by viscosity.
    pub(crate) viscous_walls: bool,
    /// Material of each particle.
    pub(crate) materials: &'a [u8],
    pub(crate) bodies: &'a [Body],
    /// For every body its particles, in the order of their ids.
    pub(crate) members: Vec<Vec<u32>>,
    /// What moves each particle.
    motions: &'a [Motion],
    inverse_masses: Vec<f32>,
}

impl<'a> Setting<'a> {
    pub(crate) fn new(
        world: &'a World,
        dt: f32,
        (kernel, wall_kernel): (Kernel, &'a WallKernel),
        reading: Reading,
    ) -> Self {
        let p = &world.particles;
        let inverse_mass = |density: f32| match reading.unit_masses {
            true => 1.0,
            false => 1.0 / (density * kernel.volume()),
        };
        let inverse_masses: Vec<f32> = world.materials.iter().map(|m| inverse_mass(m.density)).collect();
        let mut mobility = vec![0.0; p.len()];
        parallel::fill(&mut mobility, |i| match world.is_driven(i) {
            true => 0.0,
            false => inverse_masses[p.materials[i] as usize],
        });
        let held = |i: usize| world.held_axis(i).map(|(axis, value)| (i as u32, axis, value));
        Self {
            dt,
            kernel,
            wall_kernel,
            boundary: &world.boundary,
            domain: world.domain,
            x0: &p.positions,
            u0: &p.velocities,
            mobility,
            held: (0..p.len()).filter_map(held).collect(),
            mean_inverse_mass: inverse_masses.iter().sum::<f32>() / inverse_masses.len() as f32,
            clearance: 0.5 * kernel.spacing(),
            viscous_walls: reading.viscous_walls,
            materials: &p.materials,
            bodies: &world.bodies,
            members: bodies::members(&world.bodies, p),
            motions: &p.motions,
            inverse_masses,
        }
    }

    /// 1/m, as it weighs in the diagonals of the constraints. A particle that nothing moves counts like any other
    /// there: left out, a constraint with one distant free neighbour would throw that neighbour far away.
    #[inline]
    pub(crate) fn inverse_mass(&self, i: usize) -> f32 {
        self.inverse_masses[self.materials[i] as usize]
    }

    /// The body that a particle belongs to.
    #[inline]
    pub(crate) fn body(&self, i: usize) -> Option<u16> {
        match self.motions[i] {
            Motion::Body(b) => Some(b),
            _ => None,
        }
    }

    /// Whether a particle belongs to a rigid body.
    #[inline]
    pub(crate) fn is_rigid(&self, i: usize) -> bool {
        self.body(i).is_some_and(|b| self.bodies[b as usize].is_rigid())
    }

    /// Friction between a particle and a wall that has its own.
    pub(crate) fn friction(&self, i: usize, wall: WallFriction) -> f32 {
        match self.body(i).map(|b| self.bodies[b as usize].friction.unwrap_or(wall)) {
            // A body is not dragged by viscosity: the contact itself holds it.
            Some(WallFriction::NoSlip) => f32::INFINITY,
            Some(WallFriction::Coulomb(mu)) => mu,
            Some(WallFriction::Slip) => 0.0,
            None => contact::contact_friction(self, wall),
        }
    }

    /// Leaves the particles of bodies where they are for what follows: only fluid makes room.
    pub(crate) fn fix_bodies(&mut self) {
        let motions = self.motions;
        parallel::for_each(&mut self.mobility, |i, m| {
            if matches!(motions[i], Motion::Body(_)) {
                *m = 0.0;
            }
        });
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

    /// u* ← u⁰ + Δt g; particles inside a nozzle keep its velocity.
    pub(crate) fn predict(&self, world: &World, velocity: &mut [Vec3A]) {
        let push = world.gravity * self.dt;
        parallel::fill(velocity, |i| {
            let u0 = world.particles.velocities[i];
            Vec3A::from(if self.is_free(i) { u0 + push } else { u0 })
        });
    }

    /// Gives velocities the components that grips hold.
    pub(crate) fn hold_velocities<V: Copy + Into<Vec3> + From<Vec3>>(&self, velocity: &mut [V]) {
        for &(i, axis, value) in &self.held {
            let v: Vec3 = velocity[i as usize].into();
            velocity[i as usize] = (v + axis * (value - axis.dot(v))).into();
        }
    }

    /// Takes from accelerations the components that grips hold.
    pub(crate) fn hold_accelerations(&self, acceleration: &mut [Vec3A]) {
        for &(i, axis, _) in &self.held {
            let (a, axis) = (&mut acceleration[i as usize], Vec3A::from(axis));
            *a -= axis * axis.dot(*a);
        }
    }

    /// Gives displacements the components that grips hold.
    pub(crate) fn hold_displacements(&self, displacement: &mut [Vec3]) {
        for &(i, axis, value) in &self.held {
            let s = &mut displacement[i as usize];
            *s += axis * (value * self.dt - axis.dot(*s));
        }
    }

    /// Neighbours at x⁰ + s within `radius`, and which particles have a wall in reach there.
    pub(crate) fn find_displaced(&self, s: &[Vec3], radius: f32) -> Displaced {
        let mut positions = vec![Vec3::ZERO; s.len()];
        parallel::fill(&mut positions, |i| self.domain.wrap(self.x0[i] + s[i]));
        let reach = self.wall_kernel.reach() + 2.0 * self.clearance;
        let mut near_wall = vec![false; s.len()];
        parallel::fill(&mut near_wall, |i| !self.boundary.near(positions[i], reach).as_slice().is_empty());
        Displaced { neighbors: Neighbors::find(&positions, radius, &self.domain), near_wall }
    }
}

/// Who is near whom after the particles have moved.
pub(crate) struct Displaced {
    pub(crate) neighbors: Neighbors,
    /// Whether a wall is in reach of a particle.
    pub(crate) near_wall: Vec<bool>,
}

/// Energies and momenta of the particles, each of `volume` (m³) and, where there is one, with a polymer of this
/// conformation.
pub(crate) fn measure(world: &World, volume: f64, conformation: Option<&[Sym3]>, report: &mut StepReport) {
    let p = &world.particles;
    let gravity = world.gravity.as_dvec3();
    let sums = parallel::sums(p.len(), |i| {
        let material = &world.materials[p.materials[i] as usize];
        let mass = f64::from(material.density) * volume;
        let stored = conformation.map_or(0.0, |q| polymer::stored_energy(q[i]));
        let elastic = material.rheology.shear_modulus() * volume * stored;
        let (x, u) = (p.positions[i].as_dvec3(), p.velocities[i].as_dvec3());
        let (momentum, angular) = (u * mass, x.cross(u) * mass);
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
