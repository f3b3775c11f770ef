//! Plates whose velocity changes with time.

use crate::intervals::overlaps;
use glam::Vec3;
use std::f64::consts::TAU;

/// A wall that oscillates, or moves in some intervals only. Walls that move steadily need none.
#[derive(Clone, Debug)]
pub struct Plate {
    /// Index of the wall.
    pub wall: usize,
    /// Largest velocity of its surface, in m/s.
    pub velocity: Vec3,
    /// Frequency f of the oscillation velocity · cos(2π f t), in Hz; 0 for steady motion.
    pub frequency: f64,
    /// Intervals in which it moves, in s.
    pub active: Vec<[f64; 2]>,
}

impl Plate {
    /// Mean velocity over the step `[start, start + dt]`. With the mean the plate has moved, after every step, as
    /// far as it should have; with the velocity at the end of the step an elastic fluid would answer half a step
    /// too early.
    pub fn mean_velocity(&self, start: f64, dt: f64) -> Vec3 {
        let omega = TAU * self.frequency;
        let way = |[a, b]: [f64; 2]| {
            if omega > 0.0 { ((omega * b).sin() - (omega * a).sin()) / omega } else { b - a }
        };
        let seconds: f64 = overlaps(&self.active, start, dt).map(way).sum();
        self.velocity * (seconds / dt) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plate_is_where_it_should_be_after_every_step() {
        let plate =
            Plate { wall: 0, velocity: Vec3::X * 0.3, frequency: 2.0, active: vec![[0.0, 0.31], [0.5, 9.0]] };
        let (dt, mut x) = (0.007, 0.0);
        for k in 0..200 {
            x += f64::from(plate.mean_velocity(f64::from(k) * dt, dt).x) * dt;
        }
        let sine = |t: f64| (TAU * 2.0 * t).sin() / (TAU * 2.0);
        let exact = 0.3 * (sine(0.31) + sine(1.4) - sine(0.5));
        assert!((x - exact).abs() < 1e-6, "{x} for {exact}");
    }
}
