//! What does not change during a step.

use super::Params;
use super::connections::Partner;
use crate::boundary::samples::WallSamples;
use crate::boundary::{Wall, WallFriction, WallKernel};
use crate::flow::moved_body::MovedBody;
use crate::flow::{Reading, Setting, advance};
use crate::kernel::Kernel;
use crate::material::{Material, Rheology};
use crate::neighbors::Neighbors;
use crate::parallel;
use crate::particles::Motion;
use crate::scene::Connections;
use crate::world::World;
use glam::{Vec3, Vec3A};

/// Distance that the centres of fluid particles keep from walls in any case, in spacings. Boundary particles hold them
/// farther away.
const CLEARANCE: f32 = 0.25;

/// What two ends say together about their connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    /// α.
    pub(super) merge: f32,
    /// β.
    pub(super) split: f32,
    /// γ.
    pub(super) yielding: f32,
    /// w.
    pub(super) weakening: f32,
}

impl Link {
    fn new(a: &Connections, b: &Connections) -> Self {
        let mean = |f: fn(&Connections) -> f32| 0.5 * (f(a) + f(b));
        Self {
            merge: mean(|k| k.merge_distance),
            split: mean(|k| k.split_distance),
            yielding: mean(|k| k.yield_extension),
            weakening: mean(|k| k.weakening),
        }
    }
}

/// A step of the method.
pub(super) struct Step<'a> {
    setting: Setting<'a>,
    pub(super) params: &'a Params,
    samples: &'a WallSamples,
    /// 1/ρ₀ of fluid that is free to move, 0 of all else.
    pub(super) ease: Vec<f32>,
    /// The same, and that of the particles of rigid bodies.
    pub(super) pushed: Vec<f32>,
    /// 1/m of all that forces move.
    pub(super) movable: Vec<f32>,
    /// Δt₀², with Δt₀ the length of the scene's steps, or that of this one if it is longer.
    pub(super) spring_time2: f32,
    /// Viscosity that a step feels, by material, in Pa·s.
    pub(super) viscosities: Vec<f32>,
    /// For every particle which row of `links` it has: its material's, or the last, which is that of solids.
    kinds: Vec<u16>,
    /// By the kinds of both ends.
    links: Vec<Option<Link>>,
    /// The link of all connections within the fluid, where there is but one kind.
    pub(super) only_link: Option<Link>,
    /// Whether particles are connected with all that they see, walls that hold nothing aside.
    pub(super) connects_all: bool,
    least: Vec<f32>,
    any_solid: bool,
    /// Row of solids.
    solid: u16,
}

impl<'a> std::ops::Deref for Step<'a> {
    type Target = Setting<'a>;

    fn deref(&self) -> &Setting<'a> {
        &self.setting
    }
}

/// Whether a particle is fluid, or soft: it has a pressure.
pub(super) fn is_fluid(world: &World, i: usize) -> bool {
    match world.particles.motions[i] {
        Motion::Body(b) => world.bodies[usize::from(b)].soft().is_some(),
        _ => true,
    }
}

/// Viscosity that a material has in an explicit step, in Pa·s. A polymer's part is that of the connections.
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
        (dt, usual): (f32, f32),
        params: &'a Params,
        (kernel, wall_kernel): (Kernel, &'a WallKernel),
        samples: &'a WallSamples,
    ) -> Self {
        let setting = Setting::new(world, dt, (kernel, wall_kernel), Reading::PLAIN);
        let (n, materials) = (world.particles.len(), &world.materials);
        let solid = materials.len() as u16;
        let (mut ease, mut pushed, mut kinds) = (vec![0.0; n], vec![0.0; n], vec![solid; n]);
        let movable = setting.mobility.clone();
        parallel::fill(&mut pushed, |i| movable[i] * kernel.volume());
        parallel::for_each2(&mut ease, &mut kinds, |i, ease, kind| {
            if is_fluid(world, i) {
                (*ease, *kind) = (pushed[i], u16::from(world.particles.materials[i]));
            }
        });
        let of = |kind: u16| materials.get(usize::from(kind)).and_then(|m| m.connections.as_ref());
        let link = |a: u16, b: u16| match (of(a), of(b)) {
            (Some(a), Some(b)) => Some(Link::new(a, b)),
            (Some(k), None) if b == solid => Some(Link::new(k, k)),
            (None, Some(k)) if a == solid => Some(Link::new(k, k)),
            _ => None,
        };
        let links: Vec<Option<Link>> =
            (0..=solid).flat_map(|a| (0..=solid).map(move |b| (a, b))).map(|(a, b)| link(a, b)).collect();
        let any_solid = kinds.contains(&solid);
        let fluids = materials.len() - world.bodies.len();
        let row = |a: usize| &links[a * (materials.len() + 1)..][..fluids];
        let of_fluids = (0..fluids).flat_map(row);
        let only_link = links[0].filter(|link| of_fluids.clone().all(|other| *other == Some(*link)));
        let all = |link: &Option<Link>| link.is_some_and(|link| link.merge >= 1.0);
        let connects_all = of_fluids.clone().all(all) && !world.domain.is_periodic();
        Self {
            params,
            samples,
            ease,
            pushed,
            movable,
            spring_time2: dt.max(usual).powi(2),
            viscosities: materials.iter().map(|m| viscosity(m, dt, kernel.spacing())).collect(),
            kinds,
            only_link,
            connects_all,
            any_solid,
            links,
            least: materials.iter().map(|m| m.connections.map_or(0.0, |k| k.least_correction)).collect(),
            solid,
            setting,
        }
    }

    /// Moves the particles by their velocities, and bodies with them.
    pub(super) fn move_particles(
        &mut self,
        near: &Neighbors,
        velocity: &mut [Vec3],
        displacement: &mut [Vec3],
    ) -> Vec<MovedBody> {
        let mut u: Vec<Vec3A> = velocity.iter().map(|&v| v.into()).collect();
        let bodies = advance::move_particles(&mut self.setting, near, CLEARANCE, (&mut u, displacement));
        parallel::fill(velocity, |i| u[i].into());
        bodies
    }

    /// Whether a particle belongs to a rigid body, or to one that the scene moves: it has no pressure.
    #[inline]
    pub(super) fn is_solid(&self, i: usize) -> bool {
        self.kinds[i] == self.solid
    }

    /// Whether any material has connections.
    pub(super) fn connects(&self) -> bool {
        self.links.iter().any(Option::is_some)
    }

    /// Whether a particle may have connections.
    pub(super) fn may_connect(&self, i: usize) -> bool {
        let row = usize::from(self.kinds[i]) * (usize::from(self.solid) + 1);
        self.links[row..=row + usize::from(self.solid)].iter().any(Option::is_some)
    }

    /// The wall of a boundary particle.
    #[inline]
    pub(super) fn wall_of(&self, b: usize) -> &Wall {
        &self.boundary.walls[self.samples.wall(b)]
    }

    /// How a particle and a partner are connected, if they may be. Walls that slide along themselves, or let slide,
    /// hold nothing.
    #[inline]
    pub(super) fn link(&self, i: usize, partner: Partner) -> Option<Link> {
        let other = match partner {
            Partner::Particle(j) => self.kinds[j],
            Partner::Wall(b) => {
                let wall = self.wall_of(b);
                if wall.friction != WallFriction::NoSlip || wall.velocity != Vec3::ZERO || self.is_solid(i) {
                    return None;
                }
                self.solid
            }
        };
        self.links[usize::from(self.kinds[i]) * (usize::from(self.solid) + 1) + usize::from(other)]
    }

    /// (c_i + c_j)/2; that of the fluid where the other is solid.
    #[inline]
    pub(super) fn mean_coefficient(&self, (i, a): (usize, f32), (j, b): (usize, f32)) -> f32 {
        if !self.any_solid {
            return 0.5 * (a + b);
        }
        match (self.is_solid(i), self.is_solid(j)) {
            (true, _) => b,
            (_, true) => a,
            _ => 0.5 * (a + b),
        }
    }

    /// l.
    #[inline]
    pub(super) fn least_coefficient(&self, i: usize) -> f32 {
        self.least[self.materials[i] as usize]
    }

    /// Viscosity of a particle, in Pa·s; solids have none of their own.
    #[inline]
    pub(super) fn viscosity(&self, i: usize) -> f32 {
        if self.is_solid(i) { 0.0 } else { self.viscosities[self.materials[i] as usize] }
    }

    /// Viscosity between two particles, in Pa·s.
    #[inline]
    pub(super) fn pair_viscosity(&self, i: usize, j: usize) -> f32 {
        match (self.is_solid(i), self.is_solid(j)) {
            (true, true) => 0.0,
            (true, false) => self.viscosity(j),
            (false, true) => self.viscosity(i),
            (false, false) => 0.5 * (self.viscosity(i) + self.viscosity(j)),
        }
    }
}
