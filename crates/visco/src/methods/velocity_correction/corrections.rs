//! Velocity corrections by connections that are longer than at rest, and their weakening (eq. 6–11).
//!
//! With D = max(|x_ij| − r_ij, 0), c the mean of the coefficients of both ends and h the kernel support:
//!
//! ```text
//! Δv_i = −(1/Δt) Σ_j c m_j/(m_i + m_j) D x_ij/|x_ij|                    (eq. 6, 8; m_j = ∞ for walls and what is moved: eq. 10)
//! c_i ← max(c_i − Δt Σ_j w σ_ij, l_i),   σ_ij = 1 where γ < D/h          (eq. 7, 11; w, γ means of both ends)
//! ```
//!
//! A step that is shorter than the scene's corrects by c Δt²/Δt₀², with Δt₀ that of the scene: the stiffness c/Δt² stays.
//! Else a particle that is pulled fast would shorten the step, and be pulled faster.
//!
//! What the particle of a rigid body gets is m Δv = Δt F of eq. 9. A solid takes the parameters of what is connected
//! with it.

use super::alike::{self, Limits};
use super::connections::{BODY, Partner, Updated};
use super::lists::{List, Marks};
use super::others::{AnyFluid, SameFluid, Solids, Walls, mass};
use super::setting::{Link, Step};
use super::state::State;
use crate::iisph::{Around, WallPoints};
use crate::lanes::LANES;
use crate::math::Sym3;
use crate::parallel;
use fearless_simd::Simd;
use glam::{Mat3, Vec3, Vec4};

/// Length below which ends are in one place, in m.
pub(super) const NO_LENGTH: f32 = 1e-15;

/// What connections do to a particle in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pull {
    velocity: Vec3,
    weakening: f32,
    /// Half the energy of the connections, in J: the other half is that of the other ends.
    pub(super) energy: f32,
}

impl Pull {
    /// Weakens the particle's coefficient, and corrects its velocity.
    #[inline]
    pub(super) fn act(&self, (step, i): (&Step, usize), coefficient: &mut f32, velocity: &mut Vec3) {
        *velocity += self.velocity;
        let least = step.least_coefficient(i).min(*coefficient);
        *coefficient = (*coefficient - step.dt * self.weakening).max(least);
    }
}

/// How long the connections of a particle are.
#[derive(Clone, Copy, Default)]
pub(super) struct Lengths {
    /// How many are shorter than the kernel's support.
    pub(super) near: u32,
    /// Whether `joined` is known.
    pub(super) are_joined: bool,
    /// The indices of what these lead to, marked of walls, joined by exclusive or.
    pub(super) joined: u32,
    /// Which of those with fluid are to part, by vectors of the list.
    pub(super) parted: Marks,
    /// The same of those with solids.
    pub(super) parted_of_solids: Marks,
}

/// The ends of all connections.
pub(super) struct Ends<'a> {
    /// Positions of particles, with their coefficients, side by side in memory.
    particles: Vec<Vec4>,
    /// 1/m; 0 of what forces do not move.
    ease: &'a [f32],
    /// Positions of the boundary particles of walls.
    walls: &'a [Vec4],
    alike: Option<Alike>,
}

/// What is the same of all connections within the fluid, where there is but one kind.
#[derive(Clone, Copy)]
struct Alike {
    link: Link,
    limits: Limits,
    /// m_i m_j/(m_i + m_j)/(2 Δt₀²), where all fluid is as heavy.
    only_stiffness: Option<f32>,
}

impl<'a> Ends<'a> {
    fn new(step: &'a Step, walls: &'a WallPoints, coefficient: &[f32]) -> Self {
        let mut particles = vec![Vec4::ZERO; step.x0.len()];
        parallel::fill(&mut particles, |i| step.x0[i].extend(coefficient[i]));
        let ease = &step.movable;
        let only_stiffness = step.only_of_fluid(ease).map(|ease| 0.5 * mass(2.0 * ease) / step.spring_time2);
        let only_link = step.only_link.filter(|_| !step.domain.is_periodic());
        let limits = |link: Link| Limits::new(link, step.kernel.support());
        let alike = only_link.map(|link| Alike { link, limits: limits(link), only_stiffness });
        Self { particles, ease, walls: &walls.weighted, alike }
    }

    /// x_i − x of a partner.
    #[inline]
    pub(super) fn away(&self, step: &Step, i: usize, partner: Partner) -> Vec3 {
        let other = match partner {
            Partner::Particle(j) => self.particles[j].truncate(),
            Partner::Wall(b) => self.walls[b].truncate(),
        };
        step.domain.nearest(self.particles[i].truncate() - other)
    }

    /// Numbers of particles and of boundary particles.
    #[inline]
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.particles.len(), self.walls.len())
    }

    /// The length at rest of a new connection; none if the partner is too far away.
    pub(super) fn new_rest(&self, step: &Step, i: usize, partner: Partner) -> Option<f32> {
        let link = match (self.alike(step, i), partner) {
            (Some(Alike { link, .. }), Partner::Particle(j)) if !step.is_solid(j) => link,
            _ => step.link(i, partner)?,
        };
        let rest = self.away(step, i, partner).length();
        (rest < link.merge * step.kernel.support()).then_some(rest)
    }

    /// What is the same of the connections of a particle within the fluid.
    #[inline(always)]
    fn alike(&self, step: &Step, i: usize) -> Option<Alike> {
        self.alike.filter(|_| !step.is_solid(i))
    }

    /// What its connections with fluid do to a particle, and how long they are.
    #[inline(always)]
    pub(super) fn pull_by_fluid<S: Simd>(
        &self,
        simd: S,
        (step, i): (&Step, usize),
        list: List,
        lengths: &mut Lengths,
    ) -> Pull {
        match self.alike(step, i) {
            Some(alike) => self.pull_alike(simd, (step, i), alike, list, lengths),
            None => {
                (lengths.are_joined, lengths.parted_of_solids) = (false, Marks::default());
                self.pull_each((step, i), list, (&mut lengths.near, &mut lengths.parted))
            }
        }
    }

    /// What its connections with solids, if it has any, do to a particle, and how long they are.
    #[inline(always)]
    pub(super) fn pull_by_solids<S: Simd>(
        &self,
        simd: S,
        (step, i): (&Step, usize),
        list: List,
        lengths: &mut Lengths,
    ) -> Option<Pull> {
        if list.len() == 0 {
            return None;
        }
        let Some(alike) = self.alike(step, i).filter(|_| step.all_hold(list)) else {
            lengths.are_joined = false;
            let mut near = 0;
            let pull = self.pull_each((step, i), list, (&mut near, &mut lengths.parted_of_solids));
            lengths.near += near;
            return Some(pull);
        };
        let Self { particles, walls, ease, .. } = self;
        let sum = match step.has_solid_particles() {
            true => {
                let solids = Solids { particles, walls, ease, own_ease: ease[i] };
                alike::sum(simd, i, (&solids, alike.limits), list)
            }
            false => {
                let walls = Walls { own: &particles[i], walls, mass: mass(ease[i]) };
                alike::sum(simd, i, (&walls, alike.limits), list)
            }
        };
        lengths.near += sum.near;
        lengths.joined ^= sum.joined & !BODY;
        lengths.parted_of_solids = sum.parted;
        Some(self.pull_of((step, i), &sum, alike.link, 0.5 / step.spring_time2))
    }

    /// What connections of any kind do, one after the other. Tells how many are near, and which are to part.
    #[inline(never)]
    fn pull_each(
        &self,
        (step, i): (&Step, usize),
        list: List,
        (near, parted): (&mut u32, &mut Marks),
    ) -> Pull {
        let h2 = step.kernel.support().powi(2);
        let mut pull = Pull::default();
        (*near, *parted) = (0, Marks::default());
        for (partner, rest) in list.iter() {
            let e = self.away(step, i, partner.into());
            let r2 = e.length_squared();
            *near += u32::from(r2 < h2);
            if r2 > rest * rest {
                match self.force(step, (i, partner.into()), rest, r2) {
                    Some(force) => force.add_to(&mut pull, e, (self.ease[i], step.dt)),
                    None => *parted = Marks::ALL,
                }
            }
        }
        pull
    }

    /// What connections of one kind with fluid do.
    #[inline(always)]
    fn pull_alike<S: Simd>(
        &self,
        simd: S,
        (step, i): (&Step, usize),
        Alike { link, limits, only_stiffness }: Alike,
        list: List,
        lengths: &mut Lengths,
    ) -> Pull {
        let particles = &self.particles;
        let (sum, scale) = match only_stiffness {
            Some(scale) => (alike::sum(simd, i, (&SameFluid(particles), limits), list), scale),
            None => {
                let any = AnyFluid { particles, ease: self.ease, own_ease: self.ease[i] };
                (alike::sum(simd, i, (&any, limits), list), 0.5 / step.spring_time2)
            }
        };
        // One by one: together they would go by way of memory, and be read before they are there.
        lengths.near = sum.near;
        lengths.are_joined = true;
        lengths.joined = sum.joined;
        lengths.parted = sum.parted;
        lengths.parted_of_solids = Marks::default();
        self.pull_of((step, i), &sum, link, scale)
    }

    /// What a particle is pulled with, by its sum and what that is to be multiplied with.
    #[inline(always)]
    fn pull_of(&self, (step, i): (&Step, usize), sum: &alike::Sum, link: Link, scale: f32) -> Pull {
        Pull {
            velocity: sum.pull * (-scale * self.ease[i] * step.dt),
            energy: 0.25 * scale * sum.energy,
            weakening: link.weakening * sum.yields as f32,
        }
    }

    /// Which of eight connections of a particle with fluid are to part, as bits.
    #[inline(always)]
    pub(super) fn parting<S: Simd>(
        &self,
        simd: S,
        (step, i): (&Step, usize),
        partners: &[u32; LANES],
    ) -> u64 {
        match self.alike(step, i) {
            Some(Alike { limits, .. }) => {
                alike::parting(simd, i, (&SameFluid(&self.particles), limits), partners)
            }
            None => self.parting_each((step, i), partners),
        }
    }

    /// The same for connections of any kind, one after the other.
    #[inline(never)]
    pub(super) fn parting_each(&self, (step, i): (&Step, usize), partners: &[u32; LANES]) -> u64 {
        let h = step.kernel.support();
        let parts = |partner: u32| {
            let apart = self.away(step, i, partner.into()).length_squared();
            step.link(i, partner.into()).is_none_or(|link| apart > (link.split * h).powi(2))
        };
        (0..LANES).filter(|&k| parts(partners[k])).map(|k| 1 << k).sum()
    }

    /// The force of a connection that is longer than at rest; none if it parts.
    #[inline]
    fn force(&self, step: &Step, (i, partner): (usize, Partner), rest: f32, r2: f32) -> Option<Force> {
        let link = step.link(i, partner)?;
        let h = step.kernel.support();
        if r2 > (link.split * h).powi(2) {
            return None;
        }
        let own = self.particles[i].w;
        // A wall has no half of the energy.
        let (coefficient, ease, part) = match partner {
            Partner::Particle(j) => {
                (step.mean_coefficient((i, own), (j, self.particles[j].w)), self.ease[j], 0.5)
            }
            Partner::Wall(_) => (own, 0.0, 1.0),
        };
        let length = r2.sqrt();
        let extension = length - rest;
        let sum = self.ease[i] + ease;
        let force = if sum > 0.0 { coefficient * extension / (sum * step.spring_time2) } else { 0.0 };
        let weakening = if link.yielding * h < extension { link.weakening } else { 0.0 };
        Some(Force { per_length: force / length, energy: 0.5 * part * force * extension, weakening })
    }
}

/// What a connection that is longer than at rest pulls with.
struct Force {
    /// Force over length, in N/m.
    per_length: f32,
    /// Of its energy, what belongs to this end: a half, and all of it at a wall.
    energy: f32,
    weakening: f32,
}

impl Force {
    #[inline]
    fn add_to(&self, pull: &mut Pull, e: Vec3, (ease, dt): (f32, f32)) {
        pull.velocity -= e * (self.per_length * ease * dt);
        pull.energy += self.energy;
        pull.weakening += self.weakening;
    }
}

/// Updates connections, adds their corrections to the velocities, and weakens coefficients. The energy is that of springs of
/// stiffness c m_i m_j/((m_i + m_j) Δt₀²).
pub(super) fn apply(step: &Step, around: &Around, state: &mut State, velocity: &mut [Vec3]) -> Updated {
    let ends = Ends::new(step, &around.walls, &state.coefficient);
    state.connections.update((step, around), &ends, (&mut state.coefficient, velocity))
}

/// Stresses of the connections where the particles are, in Pa: half of the moment of every force, over the volume.
pub(super) fn stresses(step: &Step, walls: &WallPoints, state: &State) -> Vec<Sym3> {
    let ends = Ends::new(step, walls, &state.coefficient);
    let mut stresses = vec![Sym3::ZERO; step.x0.len()];
    parallel::fill(&mut stresses, |i| {
        let mut moment = Mat3::ZERO;
        for c in state.connections.of(i) {
            let e = ends.away(step, i, c.partner());
            let r2 = e.length_squared();
            if r2 > c.rest * c.rest
                && let Some(force) = ends.force(step, (i, c.partner()), c.rest, r2)
            {
                let f = e * (0.5 * force.per_length);
                moment += Mat3::from_cols(e * f.x, e * f.y, e * f.z);
            }
        }
        Sym3::symmetric_part(&moment) * (1.0 / step.kernel.volume())
    });
    stresses
}
