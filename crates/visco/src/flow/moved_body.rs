//! A rigid body at the end of a step: its pose, and the velocity and angular momentum that it takes along.

use super::Setting;
use super::pieces::eigen;
use crate::bodies::BodyPose;
use glam::{DMat3, DQuat, DVec3, Vec3, Vec3A};

/// Turns with less inertia than this, relative to the largest, do not exist.
const INERT: f64 = 1e-9;

/// A rigid body that a step has moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovedBody {
    /// Index of the body in the world.
    pub(crate) body: usize,
    /// Where it is.
    pub(crate) pose: BodyPose,
    /// Velocity of its centre, in m/s.
    pub(crate) velocity: DVec3,
    /// Angular momentum about its centre, over the mass of a particle.
    pub(crate) momentum: DVec3,
}

/// |a|² 1 − a aᵀ.
pub(super) fn inertia(a: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(a.length_squared())) - DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

/// Inertia of a turned body of particles of mass one.
pub(crate) fn inertia_at(rest: &[Vec3], rotation: DQuat) -> DMat3 {
    let turn = DMat3::from_quat(rotation);
    rest.iter().fold(DMat3::ZERO, |sum, x| sum + inertia(turn * x.as_dvec3()))
}

/// Angular velocity of a turned body with this angular momentum.
pub(crate) fn spin_of(momentum: DVec3, rest: &[Vec3], rotation: DQuat) -> DVec3 {
    let root = inverse_root(inertia_at(rest, rotation));
    root * (root * momentum)
}

/// The inverse square root of an inertia tensor, zero where it has no inertia.
pub(super) fn inverse_root(inertia: DMat3) -> DMat3 {
    let mut m = [[0.0; 6]; 6];
    for r in 0..3 {
        for c in 0..3 {
            m[r][c] = inertia.col(c)[r];
        }
    }
    let (values, vectors) = eigen(m);
    let largest = values.iter().fold(0.0_f64, |a, b| a.max(*b));
    let mut root = DMat3::ZERO;
    for (value, v) in values.into_iter().zip(vectors).filter(|(value, _)| *value > INERT * largest) {
        let axis = DVec3::new(v[0], v[1], v[2]) / value.sqrt().sqrt();
        root += DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
    }
    root
}

impl MovedBody {
    /// Velocity of the centre and angular velocity of a body whose particles the scene gives the velocities `u`.
    pub(crate) fn driven(step: &Setting, body: usize, u: &[Vec3A]) -> (DVec3, DVec3) {
        let pose = step.bodies[body].pose;
        let mut moved = Self { body, pose, velocity: DVec3::ZERO, momentum: DVec3::ZERO };
        moved.take_velocities(step, u);
        (moved.velocity, spin_of(moved.momentum, &step.bodies[body].rest, pose.rotation))
    }

    /// Matches the body's shape to displacements that something else has changed: the pose follows their mean and their
    /// turn about the centre, and takes their momentum along. The displacements become those of the pose.
    pub(crate) fn match_shape(&mut self, step: &Setting, displacement: &mut [Vec3]) {
        let body = &step.bodies[self.body];
        let (mut way, mut turn) = (DVec3::ZERO, DVec3::ZERO);
        for (&i, &rest) in step.members[self.body].iter().zip(&body.rest) {
            let arm = self.pose.arm(rest);
            let own = (self.pose.center - body.pose.center) + (arm - body.pose.arm(rest));
            // Rounding of what has not moved is no motion.
            let change = (displacement[i as usize] - own.as_vec3()).as_dvec3();
            way += change;
            turn += arm.cross(change);
        }
        let before = self.pose.center;
        let angle = spin_of(turn, &body.rest, self.pose.rotation);
        self.pose.center += way / body.rest.len() as f64;
        self.pose.rotation = (DQuat::from_scaled_axis(angle) * self.pose.rotation).normalize();
        self.pose = off_walls(step, &body.rest, self.pose);
        self.velocity += (self.pose.center - before) / f64::from(step.dt);
        self.momentum += turn / f64::from(step.dt);
        self.place(step, displacement);
    }

    /// Gives its particles the displacements that lead to its pose.
    pub(crate) fn place(&self, step: &Setting, displacement: &mut [Vec3]) {
        let body = &step.bodies[self.body];
        let way = self.pose.center - body.pose.center;
        for (&i, &rest) in step.members[self.body].iter().zip(&body.rest) {
            displacement[i as usize] = (way + (self.pose.arm(rest) - body.pose.arm(rest))).as_vec3();
        }
    }

    /// Takes along the momentum that its particles have with velocities `u`.
    pub(crate) fn take_velocities(&mut self, step: &Setting, u: &[Vec3A]) {
        let rest = &step.bodies[self.body].rest;
        (self.velocity, self.momentum) = (DVec3::ZERO, DVec3::ZERO);
        for (&i, &rest) in step.members[self.body].iter().zip(rest) {
            let v = Vec3::from(u[i as usize]).as_dvec3();
            self.velocity += v / step.members[self.body].len() as f64;
            self.momentum += self.pose.arm(rest).cross(v);
        }
    }

    /// Gives its particles their velocities.
    pub(crate) fn set_velocities(&self, step: &Setting, u: &mut [Vec3A]) {
        let rest = &step.bodies[self.body].rest;
        let spin = spin_of(self.momentum, rest, self.pose.rotation);
        for (&i, &rest) in step.members[self.body].iter().zip(rest) {
            u[i as usize] = (self.velocity + spin.cross(self.pose.arm(rest))).as_vec3a();
        }
    }
}

/// The pose, moved out of walls that the body's particles have come too near to.
pub(super) fn off_walls(step: &Setting, rest: &[Vec3], mut pose: BodyPose) -> BodyPose {
    const ROUNDS: usize = 4;
    if step.boundary.walls.is_empty() {
        return pose;
    }
    for _ in 0..ROUNDS {
        let mut deepest = (1e-3 * step.clearance, Vec3::ZERO);
        for &rest in rest {
            for c in step.boundary.near(pose.apply(rest), step.clearance).as_slice() {
                let depth = step.clearance - c.point.distance;
                if depth > deepest.0 {
                    deepest = (depth, c.point.normal);
                }
            }
        }
        if deepest.1 == Vec3::ZERO {
            break;
        }
        pose.center += (deepest.1 * deepest.0).as_dvec3();
    }
    pose
}
