//! Rigid bodies in the velocity solve.
//!
//! The velocities of a rigid body's particles are those of its six rigid motions, u = B q. The energy of the step is
//! minimised over such velocities alone: conjugate gradients run in the space P = B Bᵀ, with B orthonormal. All particles
//! of a body have the same mass, so P is mass-weighted shape matching of velocities, and takes no momentum away.
//!
//! Contacts with walls hold rows c·q = v. They leave the motions Π q with Π the projector onto the null space of the rows,
//! and fix the rest.

use super::Setting;
use super::contact::{Mode, VelocityContact, VelocityContacts};
use super::moved_body::{MovedBody, inertia, inertia_at, inverse_root, off_walls, spin_of};
use super::pieces::{Six, SixBySix, eigen};
use super::rigid_contact::settle;
use super::six::{IDENTITY, ZERO, add_outer, function, halves, product, pseudo_inverse, six, times};
use super::system::VelocitySystem;
use crate::bodies::BodyPose;
use crate::parallel;
use glam::{DMat3, DQuat, DVec3, Vec3, Vec3A};

/// Held motions whose row is weaker than this, relative to the strongest, are free.
const HELD: f64 = 1e-6;
/// Motions that resist less than this, relative to the strongest, do not exist.
const INERT: f64 = 1e-9;

/// A rigid body in a step.
#[derive(Clone, Debug)]
struct Rigid {
    /// Index of the body in the world.
    body: usize,
    /// Its particles, in the order of their ids.
    members: Vec<u32>,
    /// Length of a translation in B.
    scale: f64,
    /// Maps the last three of q to an angular velocity.
    turn: DMat3,
    /// G: the body's own part of the matrix.
    own: SixBySix,
    /// Π.
    free: SixBySix,
    /// What contacts fix of q.
    fixed: Six,
    /// Inverse of G on the free motions.
    inverse: SixBySix,
}

/// How a rigid body moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyMotion {
    /// Index of the body in the world.
    pub(crate) body: usize,
    /// Velocity of its centre, in m/s.
    pub(crate) velocity: DVec3,
    /// Angular velocity, in rad/s.
    pub(crate) spin: DVec3,
}

/// The rigid bodies of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct RigidBodies {
    bodies: Vec<Rigid>,
    /// For every particle its rigid body, or none; empty where there are no rigid bodies.
    of: Vec<Option<u16>>,
    /// Where every particle is from its body's centre.
    arms: Vec<Vec3A>,
}

/// The axes that a contact holds: the normal, and for one that sticks two tangents.
fn held_axes(c: &VelocityContact) -> impl Iterator<Item = DVec3> {
    let normal = Vec3::from(c.normal);
    let (a, b) = normal.any_orthonormal_pair();
    let held = match c.mode {
        Mode::Open => 0,
        Mode::Slide => 1,
        Mode::Stick => 3,
    };
    [normal, a, b].into_iter().take(held).map(|axis| axis.as_dvec3())
}

impl RigidBodies {
    /// The rigid bodies where they are at the start of a step.
    pub(crate) fn find(step: &Setting) -> Self {
        if !step.bodies.iter().any(|b| b.is_rigid()) {
            return Self::default();
        }
        let n = step.x0.len();
        let mut found = Self { bodies: vec![], of: vec![None; n], arms: vec![Vec3A::ZERO; n] };
        for (index, body) in step.bodies.iter().enumerate().filter(|(_, b)| b.is_rigid()) {
            let members = step.members[index].clone();
            let mut sum = DMat3::ZERO;
            for (&i, &rest) in members.iter().zip(&body.rest) {
                let arm = body.pose.arm(rest).as_vec3();
                found.of[i as usize] = Some(found.bodies.len() as u16);
                found.arms[i as usize] = arm.into();
                sum += inertia(arm.as_dvec3());
            }
            found.bodies.push(Rigid {
                body: index,
                scale: 1.0 / (members.len() as f64).sqrt(),
                turn: inverse_root(sum),
                members,
                own: IDENTITY,
                free: IDENTITY,
                fixed: [0.0; 6],
                inverse: IDENTITY,
            });
        }
        found
    }

    /// Takes the bodies' own parts of a matrix.
    pub(crate) fn set_matrix(&mut self, system: &VelocitySystem) {
        let Self { bodies, arms, .. } = self;
        for body in bodies {
            body.own = body.own_part(arms, system);
            body.inverse = pseudo_inverse(&eigen(body.own), INERT);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Whether a particle belongs to one of them.
    #[inline]
    pub(crate) fn has(&self, i: usize) -> bool {
        self.of.get(i).is_some_and(Option::is_some)
    }

    fn spread(&self, v: &mut [Vec3A], motions: &[(DVec3, DVec3)]) {
        parallel::for_each(v, |i, v| {
            if let Some(b) = self.of[i] {
                let (velocity, spin) = motions[b as usize];
                let arm = Vec3::from(self.arms[i]).as_dvec3();
                *v = (velocity + spin.cross(arm)).as_vec3a();
            }
        });
    }

    fn map(&self, v: &mut [Vec3A], f: impl Fn(&Rigid, Six) -> Six) {
        if !self.is_empty() {
            let motion = |body: &Rigid| body.motion(&f(body, body.gather(&self.arms, v)));
            let motions: Vec<_> = self.bodies.iter().map(motion).collect();
            self.spread(v, &motions);
        }
    }

    /// Projects velocities onto the free rigid motions.
    pub(crate) fn project(&self, v: &mut [Vec3A]) {
        self.map(v, |body, q| times(&body.free, &q));
    }

    /// The same with what contacts fix.
    pub(crate) fn hold(&self, u: &mut [Vec3A]) {
        self.map(u, |body, q| {
            let free = times(&body.free, &q);
            std::array::from_fn(|k| free[k] + body.fixed[k])
        });
    }

    /// Adds the bodies' own preconditioner to the projection of `z`.
    pub(crate) fn precondition(&self, residual: &[Vec3A], z: &mut [Vec3A]) {
        if self.is_empty() {
            return;
        }
        let motion = |body: &Rigid| {
            let own = times(&body.inverse, &body.gather(&self.arms, residual));
            let coarse = times(&body.free, &body.gather(&self.arms, z));
            body.motion(&std::array::from_fn(|k| coarse[k] + own[k]))
        };
        let motions: Vec<_> = self.bodies.iter().map(motion).collect();
        self.spread(z, &motions);
    }

    /// Settles the bodies' contacts for velocities `u` whose residual, without contacts, is `residual`. Returns how many
    /// contacts changed.
    pub(crate) fn settle_contacts(
        &mut self,
        contacts: &mut VelocityContacts,
        (u, residual): (&[Vec3A], &[Vec3A]),
        mass: &[f32],
    ) -> usize {
        let Self { bodies, of, arms } = self;
        let mut lists = vec![vec![]; bodies.len()];
        for (k, c) in contacts.list.iter().enumerate() {
            if let Some(b) = of[c.particle as usize] {
                lists[b as usize].push(k);
            }
        }
        let mut changed = 0;
        for (body, list) in bodies.iter_mut().zip(lists) {
            let before: Vec<Mode> = list.iter().map(|&k| contacts.list[k].mode).collect();
            let arm = |i: usize| Vec3::from(arms[i]).as_dvec3();
            let inverse = pseudo_inverse(&eigen(body.own), INERT);
            let (q, push) = (body.gather(arms, u), times(&inverse, &body.gather(arms, residual)));
            let free = std::array::from_fn(|k| q[k] + push[k]);
            let row = |i: usize, axis: DVec3| body.row(axis, arm(i));
            let q = settle(
                (&mut contacts.list, &list),
                row,
                (free, &inverse),
                body.members.first().map_or(1.0, |&i| mass[i as usize]),
            );
            changed += list.iter().zip(before).filter(|(k, mode)| contacts.list[**k].mode != *mode).count();
            let mut squares = ZERO;
            for c in list.iter().map(|&k| &contacts.list[k]) {
                for axis in held_axes(c) {
                    let row = body.row(axis, arm(c.particle as usize));
                    add_outer(&mut squares, &row, &row);
                }
            }
            let parts = eigen(squares);
            let least = HELD * parts.0.iter().fold(0.0_f64, |a, v| a.max(*v));
            body.free = function(&parts, |v| if v > least { 0.0 } else { 1.0 });
            let kept = times(&body.free, &q);
            body.fixed = std::array::from_fn(|k| q[k] - kept[k]);
            let restricted = product(&product(&body.free, &body.own), &body.free);
            body.inverse = pseudo_inverse(&eigen(restricted), INERT);
        }
        changed
    }

    /// Makes velocities those of rigid motions, and lets walls stop and rub them. What else acts on the bodies has done so
    /// before.
    pub(crate) fn meet_walls(&self, contacts: &mut VelocityContacts, u: &mut [Vec3A]) {
        if self.is_empty() {
            return;
        }
        let mut lists = vec![vec![]; self.bodies.len()];
        for (k, c) in contacts.list.iter().enumerate() {
            if let Some(b) = self.of[c.particle as usize] {
                lists[b as usize].push(k);
            }
        }
        let mut motions = Vec::with_capacity(self.bodies.len());
        for (body, list) in self.bodies.iter().zip(lists) {
            let arm = |i: usize| Vec3::from(self.arms[i]).as_dvec3();
            let row = |i: usize, axis: DVec3| body.row(axis, arm(i));
            // All particles of a body have the same mass: the unit matrix is its own part of the matrix.
            let q = body.gather(&self.arms, u);
            motions.push(body.motion(&settle((&mut contacts.list, &list), row, (q, &IDENTITY), 1.0)));
        }
        self.spread(u, &motions);
    }

    /// How the bodies move with velocities `u`.
    pub(crate) fn motions(&self, u: &[Vec3A]) -> Vec<BodyMotion> {
        let motion = |body: &Rigid| {
            let (velocity, spin) = body.motion(&body.gather(&self.arms, u));
            BodyMotion { body: body.body, velocity, spin }
        };
        self.bodies.iter().map(motion).collect()
    }

    /// Moves the bodies by a step with velocities `u`.
    pub(crate) fn advance(&self, step: &Setting, u: &[Vec3A]) -> Vec<MovedBody> {
        self.bodies.iter().map(|body| body.advance(step, &self.arms, u)).collect()
    }
}

impl Rigid {
    /// Row of a velocity component `axis` of a particle at `arm`: axis · B.
    fn row(&self, axis: DVec3, arm: DVec3) -> Six {
        six(axis * self.scale, self.turn * arm.cross(axis))
    }

    /// Velocity of the centre and angular velocity of q.
    fn motion(&self, q: &Six) -> (DVec3, DVec3) {
        let (along, about) = halves(q);
        (along * self.scale, self.turn * about)
    }

    /// Bᵀ v.
    fn gather(&self, arms: &[Vec3A], v: &[Vec3A]) -> Six {
        let sums = parallel::sums(self.members.len(), |k| {
            let i = self.members[k] as usize;
            let (a, v) = (Vec3::from(arms[i]).as_dvec3(), Vec3::from(v[i]).as_dvec3());
            six(v, a.cross(v))
        });
        let (along, about) = halves(&sums);
        six(along * self.scale, self.turn * about)
    }

    /// G, by the diagonal blocks of the body's particles.
    fn own_part(&self, arms: &[Vec3A], system: &VelocitySystem) -> SixBySix {
        let mut own = ZERO;
        for &i in &self.members {
            let block = system.outer_block(i as usize).to_mat3();
            let arm = Vec3::from(arms[i as usize]).as_dvec3();
            let rows: [Six; 3] = std::array::from_fn(|k| self.row(DVec3::AXES[k], arm));
            for a in 0..3 {
                let image: Six =
                    std::array::from_fn(|c| (0..3).map(|b| f64::from(block.col(b)[a]) * rows[b][c]).sum());
                add_outer(&mut own, &rows[a], &image);
            }
        }
        own
    }

    /// The body after a step with velocities `u`: it turns with the angular velocity of the step's middle.
    fn advance(&self, step: &Setting, arms: &[Vec3A], u: &[Vec3A]) -> MovedBody {
        let (velocity, spin) = self.motion(&self.gather(arms, u));
        let body = &step.bodies[self.body];
        let (pose, dt) = (body.pose, f64::from(step.dt));
        let momentum = inertia_at(&body.rest, pose.rotation) * spin;
        let turned =
            |spin: DVec3, time: f64| (DQuat::from_scaled_axis(spin * time) * pose.rotation).normalize();
        let middle = spin_of(momentum, &body.rest, turned(spin, 0.5 * dt));
        let moved = BodyPose { center: pose.center + velocity * dt, rotation: turned(middle, dt) };
        MovedBody { body: self.body, pose: off_walls(step, &body.rest, moved), velocity, momentum }
    }
}
