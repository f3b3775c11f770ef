//! What does not change during a step.

use super::connections::{BODY, Partner, WALL};
use super::lists::List;
use crate::boundary::{Wall, WallFriction};
use crate::iisph::{self, Around};
use crate::parallel;
use crate::scene::Connections;
use crate::world::World;
use glam::Vec3;

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

/// Whether a wall holds what is connected with it: not if it slides along itself, or lets slide.
fn holds(wall: &Wall) -> bool {
    wall.friction == WallFriction::NoSlip && wall.velocity == Vec3::ZERO
}

/// A step of the method.
pub(super) struct Step<'a> {
    flow: iisph::Step<'a>,
    /// Δt₀², with Δt₀ the length of the scene's steps, or that of this one if it is longer.
    pub(super) spring_time2: f32,
    /// For every particle which row of `links` it has: its material's, or the last, which is that of solids.
    kinds: Vec<u16>,
    /// By the kinds of both ends.
    links: Vec<Option<Link>>,
    /// The link of all connections within the fluid, where there is but one kind.
    pub(super) only_link: Option<Link>,
    /// Whether particles are connected with all that they see, walls that hold nothing aside.
    pub(super) connects_all: bool,
    /// Whether all materials are connected with solids.
    all_with_solids: bool,
    /// Whether any wall holds what is connected with it.
    pub(super) walls_hold: bool,
    /// Whether all would.
    all_walls_hold: bool,
    least: Vec<f32>,
    any_solid: bool,
    /// Row of solids.
    solid: u16,
}

impl<'a> std::ops::Deref for Step<'a> {
    type Target = iisph::Step<'a>;

    fn deref(&self) -> &iisph::Step<'a> {
        &self.flow
    }
}

impl<'a> Step<'a> {
    /// A step where the scene's own are `usual` seconds long.
    pub(super) fn new(flow: iisph::Step<'a>, world: &World, usual: f32) -> Self {
        let materials = &world.materials;
        let solid = materials.len() as u16;
        let mut kinds = vec![solid; world.particles.len()];
        parallel::for_each(&mut kinds, |i, kind| {
            if !flow.is_solid(i) {
                *kind = u16::from(world.particles.materials[i]);
            }
        });
        let of = |kind: u16| materials.get(usize::from(kind)).and_then(|m| m.connections.as_ref());
        let with_solids = |k: &&Connections| k.solids;
        let link = |a: u16, b: u16| match (of(a), of(b)) {
            (Some(a), Some(b)) => Some(Link::new(a, b)),
            (k, None) if b == solid => k.filter(with_solids).map(|k| Link::new(k, k)),
            (None, k) if a == solid => k.filter(with_solids).map(|k| Link::new(k, k)),
            _ => None,
        };
        let links: Vec<Option<Link>> =
            (0..=solid).flat_map(|a| (0..=solid).map(move |b| (a, b))).map(|(a, b)| link(a, b)).collect();
        let any_solid = kinds.contains(&solid);
        let fluids = materials.len() - world.bodies.len();
        let row = |a: usize| &links[a * (materials.len() + 1)..][..fluids];
        let of_fluids = (0..fluids).flat_map(row);
        // Soft bodies are seen like fluid, but nothing is connected with them.
        let any_soft = world.bodies.iter().any(|body| body.soft().is_some());
        let only_link =
            links[0].filter(|link| !any_soft && of_fluids.clone().all(|other| *other == Some(*link)));
        let mut with_solids = materials[..fluids].iter().map(|m| m.connections.is_some_and(|k| k.solids));
        let all_with = with_solids.clone().all(|with| with);
        let any_with = with_solids.any(|with| with);
        let all = |link: &Option<Link>| link.is_some_and(|link| link.merge >= 1.0);
        let connects_all = !any_soft
            && (all_with || !any_with && !any_solid)
            && of_fluids.clone().all(all)
            && !world.domain.is_periodic();
        Self {
            spring_time2: flow.dt.max(usual).powi(2),
            kinds,
            only_link,
            connects_all,
            all_with_solids: all_with,
            walls_hold: any_with && world.boundary.walls.iter().any(holds),
            all_walls_hold: world.boundary.walls.iter().all(holds),
            any_solid,
            links,
            least: materials.iter().map(|m| m.connections.map_or(0.0, |k| k.least_correction)).collect(),
            solid,
            flow,
        }
    }

    /// The step of IISPH.
    pub(super) fn into_flow(self) -> iisph::Step<'a> {
        self.flow
    }

    /// Whether a particle belongs to a body that is not soft.
    #[inline]
    pub(super) fn is_solid(&self, i: usize) -> bool {
        self.any_solid && self.flow.is_solid(i)
    }

    /// Whether any particle belongs to a body that is not soft.
    #[inline]
    pub(super) fn has_solid_particles(&self) -> bool {
        self.any_solid
    }

    /// The value that all particles of fluid have, of values of all particles, if it is the same.
    pub(super) fn only_of_fluid(&self, values: &[f32]) -> Option<f32> {
        let only = match self.any_solid {
            true => *values.iter().zip(&self.kinds).find(|(_, kind)| **kind != self.solid)?.0,
            false => *values.first()?,
        };
        // No jumps, so that several are compared at a time.
        let same = match self.any_solid {
            true => (values.iter().zip(&self.kinds))
                .fold(true, |all, (value, kind)| all & ((*value == only) | (*kind == self.solid))),
            false => values.iter().fold(true, |all, value| all & (*value == only)),
        };
        same.then_some(only)
    }

    /// Boundary particles of walls that a particle sees and may be connected with.
    #[inline(always)]
    fn walls_in_sight<'b>(&'b self, around: &'b Around, i: usize) -> impl Iterator<Item = u32> + 'b {
        let all: &[u32] = if self.walls_hold { around.near_walls.of(i) } else { &[] };
        all.iter().copied().filter(|&b| self.wall_holds(b as usize))
    }

    /// How many a particle sees that it may be connected with.
    #[inline(always)]
    pub(super) fn count_in_sight(&self, around: &Around, i: usize) -> usize {
        if self.is_solid(i) {
            // Solids are not connected with each other.
            return around.near.of(i).iter().filter(|&&j| !self.is_solid(j as usize)).count();
        }
        around.near.count(i)
            + match (self.walls_hold, self.all_walls_hold) {
                (false, _) => 0,
                (true, true) => around.near_walls.count(i),
                (true, false) => self.walls_in_sight(around, i).count(),
            }
    }

    /// What a particle of fluid sees that it may be connected with, joined by exclusive or: indices, marked of walls.
    #[inline(always)]
    pub(super) fn joined_in_sight(&self, around: &Around, i: usize) -> u32 {
        let walls = self.walls_in_sight(around, i).fold(0, |all, b| all ^ b ^ WALL);
        around.near.of(i).iter().fold(walls, |all, j| all ^ j)
    }

    /// A partner with the mark that it has in lists, by its index, marked of walls.
    #[inline]
    pub(super) fn marked(&self, partner: u32) -> u32 {
        let is_body = partner & WALL == 0 && self.is_solid(partner as usize);
        if is_body { partner | BODY } else { partner }
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

    /// Whether the wall of a boundary particle holds what is connected with it.
    #[inline]
    fn wall_holds(&self, b: usize) -> bool {
        self.all_walls_hold || holds(self.wall_of(b))
    }

    /// Whether all solids of a list hold what is connected with them.
    pub(super) fn all_hold(&self, list: List) -> bool {
        let holds = |partner: u32| match partner.into() {
            Partner::Particle(_) => true,
            Partner::Wall(b) => self.wall_holds(b),
        };
        self.all_with_solids && (self.all_walls_hold || list.iter().all(|(partner, _)| holds(partner)))
    }

    /// How a particle and a partner are connected, if they may be.
    #[inline]
    pub(super) fn link(&self, i: usize, partner: Partner) -> Option<Link> {
        let other = match partner {
            Partner::Particle(j) => self.kinds[j],
            Partner::Wall(b) => {
                if !self.wall_holds(b) || self.is_solid(i) {
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
}
