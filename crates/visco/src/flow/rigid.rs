//! Rigid bodies in the velocity solve.
//!
//! The velocities of a rigid body's particles are those of its six rigid motions, u = B q. The energy of the step is
//! minimised over such velocities alone: conjugate gradients run in the space P = B Bᵀ, with B orthonormal. All particles
//! of a body have the same mass, so P is mass-weighted shape matching of velocities, and takes no momentum away.
//!
//! Contacts with walls hold rows c·q = v. They leave the motions Π q with Π the projector onto the null space of the rows,
//! and fix the rest by least squares. What a contact carries is the smallest set of impulses that gives the reaction.

use super::moved_body::{MovedBody, inertia, inertia_at, inverse_root, off_walls, spin_of};
use super::Setting;
use super::contact::{Mode, VelocityContact, VelocityContacts};
use super::pieces::{Six, SixBySix, eigen};
use super::system::VelocitySystem;
use crate::bodies::BodyPose;
use crate::math::Sym3;
use crate::parallel;
use glam::{DMat3, DQuat, DVec3, Vec3, Vec3A};

/// Held motions whose row is weaker than this, relative to the strongest, are free.
const HELD: f64 = 1e-4;

const ZERO: SixBySix = [[0.0; 6]; 6];
const IDENTITY: SixBySix = {
    let mut m = ZERO;
    let mut k = 0;
    while k < 6 {
        m[k][k] = 1.0;
        k += 1;
    }
    m
};

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
    /// Π.
    free: SixBySix,
    /// What contacts fix of q.
    fixed: Six,
    /// Inverse of the body's own part of the matrix, on the free motions.
    inverse: SixBySix,
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

/// What a contact of a rigid body carries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Load {
    /// Impulse on the particle, as the change of its own velocity.
    pub(crate) push: Vec3A,
    /// Change of velocity of the whole body by all normal impulses.
    pub(crate) whole: f32,
}

fn six(a: DVec3, b: DVec3) -> Six {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

fn times(m: &SixBySix, q: &Six) -> Six {
    std::array::from_fn(|r| (0..6).map(|c| m[r][c] * q[c]).sum())
}

fn product(a: &SixBySix, b: &SixBySix) -> SixBySix {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..6).map(|k| a[r][k] * b[k][c]).sum()))
}

/// Σ f(value) v vᵀ over eigenvalues and eigenvectors.
fn function((values, vectors): &(Six, SixBySix), f: impl Fn(f64) -> f64) -> SixBySix {
    std::array::from_fn(|r| {
        std::array::from_fn(|c| (0..6).map(|k| f(values[k]) * vectors[k][r] * vectors[k][c]).sum())
    })
}

impl Rigid {
    /// Row of a velocity component `axis` of a particle at `arm`: axis · B.
    fn row(&self, axis: DVec3, arm: DVec3) -> Six {
        six(axis * self.scale, self.turn * arm.cross(axis))
    }

    /// Velocity of the centre and angular velocity of q.
    fn motion(&self, q: &Six) -> (DVec3, DVec3) {
        (DVec3::new(q[0], q[1], q[2]) * self.scale, self.turn * DVec3::new(q[3], q[4], q[5]))
    }

    /// Bᵀ v.
    fn gather(&self, arms: &[Vec3A], v: &[Vec3A]) -> Six {
        let sums = parallel::sums(self.members.len(), |k| {
            let i = self.members[k] as usize;
            let (a, v) = (Vec3::from(arms[i]).as_dvec3(), Vec3::from(v[i]).as_dvec3());
            six(v, a.cross(v))
        });
        let (along, about) = (DVec3::new(sums[0], sums[1], sums[2]), DVec3::new(sums[3], sums[4], sums[5]));
        six(along * self.scale, self.turn * about)
    }
}

/// The rows that a contact holds, with their values: the normal, and for one that sticks two tangents.
fn held_rows(c: &VelocityContact) -> impl Iterator<Item = (DVec3, f64)> {
    let normal = Vec3::from(c.normal);
    let (a, b) = normal.any_orthonormal_pair();
    let surface = Vec3::from(c.surface);
    let rows = match c.mode {
        Mode::Open => 0,
        Mode::Slide => 1,
        Mode::Stick => 3,
    };
    let all = [(normal, c.lowest), (a, a.dot(surface)), (b, b.dot(surface))];
    all.into_iter().take(rows).map(|(axis, value)| (axis.as_dvec3(), f64::from(value)))
}

impl RigidBodies {
    /// The rigid bodies where they are at the start of a step.
    pub(crate) fn find(step: &Setting) -> Self {
        if !step.bodies.iter().any(|b| b.is_rigid()) {
            return Self::default();
        }
        let mut found = Self {
            bodies: vec![],
            of: vec![None; step.x0.len()],
            arms: vec![Vec3A::ZERO; step.x0.len()],
        };
        for (index, body) in step.bodies.iter().enumerate().filter(|(_, b)| b.is_rigid()) {
            let members = step.members[index].clone();
            let mut sum = DMat3::ZERO;
            for (&i, &rest) in members.iter().zip(&body.rest) {
                let arm = body.pose.arm(rest);
                found.of[i as usize] = Some(found.bodies.len() as u16);
                found.arms[i as usize] = arm.as_vec3a();
                sum += inertia(arm.as_vec3().as_dvec3());
            }
            found.bodies.push(Rigid {
                body: index,
                scale: 1.0 / (members.len() as f64).sqrt(),
                turn: inverse_root(sum),
                members,
                free: IDENTITY,
                fixed: [0.0; 6],
                inverse: IDENTITY,
            });
        }
        found
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
        let own: Vec<Six> =
            self.bodies.iter().map(|b| times(&b.inverse, &b.gather(&self.arms, residual))).collect();
        let motion = |(body, own): (&Rigid, &Six)| {
            let coarse = times(&body.free, &body.gather(&self.arms, z));
            body.motion(&std::array::from_fn(|k| coarse[k] + own[k]))
        };
        let motions: Vec<_> = self.bodies.iter().zip(&own).map(motion).collect();
        self.spread(z, &motions);
    }

    /// Takes the contacts as they are now, and prepares for a solve.
    pub(crate) fn set_contacts(&mut self, contacts: &VelocityContacts, system: &VelocitySystem) {
        let Self { bodies, of, arms } = self;
        if bodies.is_empty() {
            return;
        }
        let mut squares = vec![ZERO; bodies.len()];
        let mut values = vec![[0.0; 6]; bodies.len()];
        for c in &contacts.list {
            let Some(b) = of[c.particle as usize] else { continue };
            let arm = Vec3::from(arms[c.particle as usize]).as_dvec3();
            for (axis, value) in held_rows(c) {
                let row = bodies[b as usize].row(axis, arm);
                for r in 0..6 {
                    values[b as usize][r] += row[r] * value;
                    for k in 0..6 {
                        squares[b as usize][r][k] += row[r] * row[k];
                    }
                }
            }
        }
        for (b, body) in bodies.iter_mut().enumerate() {
            let parts = eigen(squares[b]);
            let least = HELD * parts.0.iter().fold(0.0_f64, |a, v| a.max(*v));
            body.free = function(&parts, |v| if v > least { 0.0 } else { 1.0 });
            let inverse = function(&parts, |v| if v > least { 1.0 / v } else { 0.0 });
            body.fixed = times(&inverse, &values[b]);
            body.inverse = body.own_inverse(arms, system);
        }
    }

    /// What contacts of rigid bodies carry, by contact; `reaction` is what holding costs, as momentum.
    pub(crate) fn loads(&self, contacts: &VelocityContacts, reaction: &[Vec3A], mass: &[f32]) -> Vec<Load> {
        let mut loads = vec![Load::default(); contacts.list.len()];
        for (b, body) in self.bodies.iter().enumerate() {
            let own: Vec<usize> = (0..loads.len())
                .filter(|&k| self.of[contacts.list[k].particle as usize] == Some(b as u16))
                .collect();
            let needed = body.gather(&self.arms, reaction);
            let arm = |k: usize| Vec3::from(self.arms[contacts.list[k].particle as usize]).as_dvec3();
            let mut squares = ZERO;
            for &k in &own {
                for (axis, _) in held_rows(&contacts.list[k]) {
                    let row = body.row(axis, arm(k));
                    (0..6).for_each(|r| (0..6).for_each(|c| squares[r][c] += row[r] * row[c]));
                }
            }
            let parts = eigen(squares);
            let least = HELD * parts.0.iter().fold(0.0_f64, |a, v| a.max(*v));
            let inverse = function(&parts, |v| if v > least { 1.0 / v } else { 0.0 });
            let spread = times(&inverse, &needed);
            let mut normal = 0.0;
            for &k in &own {
                let contact = &contacts.list[k];
                let mut impulse = DVec3::ZERO;
                for (axis, _) in held_rows(contact) {
                    let row = body.row(axis, arm(k));
                    impulse += axis * (0..6).map(|r| row[r] * spread[r]).sum::<f64>();
                }
                normal += impulse.dot(Vec3::from(contact.normal).as_dvec3());
                loads[k].push = impulse.as_vec3a() / mass[contact.particle as usize];
            }
            let whole = body.members.iter().map(|&i| f64::from(mass[i as usize])).sum::<f64>();
            own.iter().for_each(|&k| loads[k].whole = (normal / whole).max(0.0) as f32);
        }
        loads
    }

    /// Moves the bodies by a step with velocities `u`.
    pub(crate) fn advance(&self, step: &Setting, u: &[Vec3A]) -> Vec<MovedBody> {
        self.bodies.iter().map(|body| body.advance(step, &self.arms, u)).collect()
    }
}

impl Rigid {
    /// The body's own 6×6 part of the matrix, by the diagonal blocks of its particles, inverted on the free motions.
    fn own_inverse(&self, arms: &[Vec3A], system: &VelocitySystem) -> SixBySix {
        let mut own = ZERO;
        for &i in &self.members {
            let block: Sym3 = system.outer_block(i as usize);
            let arm = Vec3::from(arms[i as usize]).as_dvec3();
            let rows: [Six; 3] = std::array::from_fn(|k| self.row(DVec3::AXES[k], arm));
            let block = block.to_mat3();
            for r in 0..6 {
                for c in 0..6 {
                    for a in 0..3 {
                        let image: f64 = (0..3).map(|b| f64::from(block.col(b)[a]) * rows[b][c]).sum();
                        own[r][c] += rows[a][r] * image;
                    }
                }
            }
        }
        let restricted = product(&product(&self.free, &own), &self.free);
        let parts = eigen(restricted);
        let least = 1e-9 * parts.0.iter().fold(0.0_f64, |a, v| a.max(*v));
        function(&parts, |v| if v > least { 1.0 / v } else { 0.0 })
    }

    /// The body after a step with velocities `u`: it turns with the angular velocity of the step's middle.
    fn advance(&self, step: &Setting, arms: &[Vec3A], u: &[Vec3A]) -> MovedBody {
        let (velocity, spin) = self.motion(&self.gather(arms, u));
        let body = &step.bodies[self.body];
        let (pose, dt) = (body.pose, f64::from(step.dt));
        let momentum = inertia_at(&body.rest, pose.rotation) * spin;
        let turned = |spin: DVec3, time: f64| {
            (DQuat::from_scaled_axis(spin * time) * pose.rotation).normalize()
        };
        let middle = spin_of(momentum, &body.rest, turned(spin, 0.5 * dt));
        let moved = BodyPose { center: pose.center + velocity * dt, rotation: turned(middle, dt) };
        let pose = off_walls(step, &body.rest, moved);
        MovedBody { body: self.body, pose, velocity, momentum }
    }
}
