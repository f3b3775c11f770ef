//! Bodies made of particles: rigid, soft, and those that the scene moves.
//!
//! The particles of a body lie on the lattice that fills its shape, have consecutive ids and equal masses, and join those
//! of the fluid: pressure and viscosity act between them as within the fluid. What differs is how they move. Those of a
//! rigid body move as one in the velocity solve ([`crate::flow`]), those of a soft body are held together by the
//! distances of [`Soft`], those of a kinematic body, and of any body until its release, follow a [`Guide`].

mod build;
mod guide;
mod soft;

pub(crate) use build::material;
pub use guide::Guide;
pub use soft::Soft;
pub(crate) use soft::SoftShape;

use crate::boundary::{Shape, WallFriction};
use crate::domain::Domain;
use crate::particles::{Motion, Particles};
use glam::{DQuat, DVec3, Vec3};

/// A body of a world.
#[derive(Clone, Debug)]
pub struct Body {
    /// How its particles move.
    pub kind: BodyKind,
    /// Friction against walls, where it is not the wall's own, and against bodies.
    pub friction: Option<WallFriction>,
    /// Index of its material.
    pub material: u8,
    /// Id of its first particle.
    pub first_id: u32,
    /// Where its particles are from its centre of mass at the start, in the order of their ids, in m.
    pub rest: Vec<Vec3>,
    /// Its shape at the start, about its centre of mass.
    pub shape: Shape,
    /// Where a rigid or guided body is: its centre of mass, in m, and its turn from the start.
    pub pose: BodyPose,
    /// How the scene moves it, for ever or until its release.
    pub guide: Option<Guide>,
    /// Whether the guide moves it now.
    pub guided: bool,
}

/// How the particles of a body move.
#[derive(Clone, Debug)]
pub enum BodyKind {
    /// As one.
    Rigid,
    /// Held together by distances.
    Soft(Soft),
    /// By its guide.
    Kinematic,
}

/// Where a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPose {
    /// Centre of mass, in m. It does not wrap where space repeats.
    pub center: DVec3,
    /// Turn from the start.
    pub rotation: DQuat,
}

impl BodyPose {
    /// Where a particle is from the centre.
    pub(crate) fn arm(&self, rest: Vec3) -> DVec3 {
        self.rotation * rest.as_dvec3()
    }

    /// Where a particle is.
    pub(crate) fn apply(&self, rest: Vec3) -> Vec3 {
        (self.center + self.arm(rest)).as_vec3()
    }
}

impl Body {
    /// Whether its particles move as one, and not by a guide.
    pub fn is_rigid(&self) -> bool {
        matches!(self.kind, BodyKind::Rigid) && !self.guided
    }

    /// Whether it is rigid, now or after its release.
    pub(crate) fn may_be_rigid(&self) -> bool {
        matches!(self.kind, BodyKind::Rigid)
    }

    /// Whether it keeps its shape.
    pub(crate) fn is_hard(&self) -> bool {
        !matches!(self.kind, BodyKind::Soft(_))
    }

    /// Whether the scene moves it now.
    pub fn is_kinematic(&self) -> bool {
        self.guided
    }

    /// What holds the particles of a soft body together, where no guide moves them.
    pub(crate) fn soft(&self) -> Option<&Soft> {
        match &self.kind {
            BodyKind::Soft(soft) if !self.guided => Some(soft),
            _ => None,
        }
    }
}

/// For every body the indices of its particles, in the order of their ids.
pub(crate) fn members(bodies: &[Body], particles: &Particles) -> Vec<Vec<u32>> {
    let mut members: Vec<Vec<u32>> = bodies.iter().map(|b| vec![0; b.rest.len()]).collect();
    if !bodies.is_empty() {
        for i in 0..particles.len() {
            if let Motion::Body(b) = particles.motions[i] {
                let place = particles.ids[i] - bodies[b as usize].first_id;
                members[b as usize][place as usize] = i as u32;
            }
        }
    }
    members
}

/// Whether every body has all its particles, each once.
pub(crate) fn are_whole(bodies: &[Body], particles: &Particles) -> bool {
    let mut found: Vec<Vec<bool>> = bodies.iter().map(|b| vec![false; b.rest.len()]).collect();
    for i in 0..particles.len() {
        let Motion::Body(b) = particles.motions[i] else {
            continue;
        };
        let Some(body) = bodies.get(b as usize) else {
            return false;
        };
        let place = particles.ids[i].checked_sub(body.first_id);
        match place.and_then(|place| found[b as usize].get_mut(place as usize)) {
            Some(once) if !*once && particles.materials[i] == body.material => *once = true,
            _ => return false,
        }
    }
    found.iter().flatten().all(|&found| found)
}

/// Gives the particles of guided bodies the velocities that bring them where they should be after a step of length `dt`.
pub(crate) fn begin_step(
    bodies: &[Body],
    (particles, domain): (&mut Particles, &Domain),
    (_, dt): (f64, f64),
) {
    if !bodies.iter().any(Body::is_kinematic) {
        return;
    }
    for i in 0..particles.len() {
        let Motion::Body(b) = particles.motions[i] else {
            continue;
        };
        let body = &bodies[b as usize];
        if body.guided {
            let rest = body.rest[(particles.ids[i] - body.first_id) as usize];
            let way = body.pose.apply(rest) - particles.positions[i];
            particles.velocities[i] = domain.nearest(way) / dt as f32;
        }
    }
}
