//! Grips: particles that are held and moved, whatever the fluid does.

use crate::particles::{Motion, Particles};
use glam::Vec3;

/// How a grip moves the particles that it holds.
#[derive(Clone, Debug)]
pub struct Grip {
    /// Velocity, in m/s.
    pub velocity: Vec3,
    /// Unit vector of the direction that alone is held, or that is stretched; zero where there is neither.
    pub axis: Vec3,
    /// Whether only the motion along the axis is held.
    pub along: bool,
    /// Rate of the extension along the axis, in 1/s.
    pub rate: f64,
    /// The point that the extension leaves where it is, in m.
    pub about: Vec3,
    /// When the particles become free, in s.
    pub release: f64,
}

impl Grip {
    /// Velocity of a particle that it holds at `x`.
    pub(crate) fn velocity_at(&self, x: Vec3) -> Vec3 {
        self.velocity + self.stretch(x, self.rate)
    }

    fn stretch(&self, x: Vec3, rate: f64) -> Vec3 {
        self.axis * (rate as f32 * self.axis.dot(x - self.about))
    }

    /// Mean velocity over a step of length `dt` that starts at `x`: extension at a constant rate grows exponentially.
    fn mean_velocity(&self, x: Vec3, dt: f64) -> Vec3 {
        self.velocity + self.stretch(x, (self.rate * dt).exp_m1() / dt)
    }

    /// Gives the particles that it holds their velocity for the step `[time, time + dt]`, or frees them; `index` is
    /// the grip's own.
    pub(crate) fn begin_step(&self, index: u16, particles: &mut Particles, (time, dt): (f64, f64)) {
        let released = time >= self.release - 1e-6 * dt;
        for i in 0..particles.len() {
            if particles.motions[i] != Motion::Gripped(index) {
                continue;
            }
            if released {
                particles.motions[i] = Motion::Free;
                continue;
            }
            let (u, v) = (&mut particles.velocities[i], self.mean_velocity(particles.positions[i], dt));
            *u = if self.along { *u + self.axis * self.axis.dot(v - *u) } else { v };
        }
    }
}
