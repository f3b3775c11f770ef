//! Nozzles: layers of particles that move with the flow inside the nozzle and are free once they leave it.
//!
//! A layer is a disc of n ≈ A/d² particles in a sunflower pattern (each on an equal part of the area A),
//! turned at random and slightly jittered. Layers follow each other at the distance n d³/A, so that each
//! particle stands for exactly d³ of fluid and the nozzle delivers area × speed.

use crate::intervals::seconds_within;
use crate::particles::{Motion, Particles};
use crate::random::Random;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::f32::consts::{PI, TAU};

/// Layers kept inside a nozzle, so that the fluid at its mouth has neighbours behind it.
const LAYERS_INSIDE: f64 = 3.0;
/// Largest random offset of an emitted particle, in spacings.
const JITTER: f32 = 0.15;

/// What a nozzle pours, and where.
#[derive(Clone, Debug)]
pub struct NozzleFlow {
    /// Index of the material.
    pub material: u8,
    /// Centre of the mouth, in m.
    pub position: Vec3,
    /// Unit vector of the flow.
    pub direction: Vec3,
    /// Radius of the mouth, in m.
    pub radius: f32,
    /// Mean speed, in m/s.
    pub speed: f64,
    /// Intervals in which it is open, in s.
    pub active: Vec<[f64; 2]>,
}

/// A nozzle.
#[derive(Clone, Debug)]
pub struct Emitter {
    /// What it pours.
    pub flow: NozzleFlow,
    spacing: f32,
    random: Random,
    open: bool,
    /// Length of the column that has flowed since it opened, in m.
    flowed: f64,
    /// Layers made since it opened.
    layers: u64,
}

/// What of a nozzle does not follow from scene and time.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct EmitterState {
    random: Random,
    open: bool,
    flowed: f64,
    layers: u64,
}

impl Emitter {
    /// A closed nozzle.
    pub fn new(flow: NozzleFlow, spacing: f32, seed: u64) -> Self {
        Self { flow, spacing, random: Random::new(seed), open: false, flowed: 0.0, layers: 0 }
    }

    /// The state to keep. All fields are named, so that a new one is not forgotten.
    pub(crate) fn state(&self) -> EmitterState {
        let Self { flow: _, spacing: _, random, open, flowed, layers } = self.clone();
        EmitterState { random, open, flowed, layers }
    }

    /// Goes on from a state that was kept.
    pub(crate) fn set_state(&mut self, state: EmitterState) {
        let EmitterState { random, open, flowed, layers } = state;
        (self.random, self.open, self.flowed, self.layers) = (random, open, flowed, layers);
    }

    fn area(&self) -> f64 {
        f64::from(PI * self.flow.radius * self.flow.radius)
    }

    /// Particles in a layer; ids of one emitter count through its layers.
    pub fn particles_per_layer(&self) -> usize {
        ((self.area() / f64::from(self.spacing).powi(2)).round() as usize).max(1)
    }

    fn layer_distance(&self) -> f64 {
        self.particles_per_layer() as f64 * f64::from(self.spacing).powi(3) / self.area()
    }

    /// Distance of a point from the mouth, along the flow.
    fn past_mouth(&self, x: Vec3) -> f32 {
        (x - self.flow.position).dot(self.flow.direction)
    }

    /// Makes and moves the particles of the step `[time, time + dt]`; `index` is the emitter's own.
    /// Returns whether particles inside the nozzle are to be removed because it has closed.
    pub(crate) fn begin_step(
        &mut self,
        index: u16,
        particles: &mut Particles,
        (time, dt): (f64, f64),
    ) -> bool {
        let open_seconds = seconds_within(&self.flow.active, time, dt);
        let was_open = self.open;
        self.open = open_seconds > 1e-9 * dt;
        if !self.open {
            (self.flowed, self.layers) = (0.0, 0);
        } else {
            self.make_layers(index, particles);
        }
        let velocity = self.flow.direction * (self.flow.speed * open_seconds / dt) as f32;
        for i in 0..particles.len() {
            if particles.motions[i] != Motion::InNozzle(index) {
                continue;
            }
            particles.velocities[i] = velocity;
            if self.past_mouth(particles.positions[i]) >= 0.0 {
                particles.motions[i] = Motion::Free;
                particles.velocities[i] = self.flow.direction * self.flow.speed as f32;
            }
        }
        self.flowed += self.flow.speed * open_seconds;
        was_open && !self.open
    }

    fn make_layers(&mut self, index: u16, particles: &mut Particles) {
        let distance = self.layer_distance();
        loop {
            let along = self.flowed - (self.layers as f64 + 0.5) * distance;
            if along <= -LAYERS_INSIDE * distance {
                break;
            }
            self.make_layer(index, along as f32, particles);
            self.layers += 1;
        }
    }

    /// Points of Vogel's sunflower: radius ∝ √k, angle k times the golden angle.
    fn make_layer(&mut self, index: u16, along: f32, particles: &mut Particles) {
        let golden_angle = PI * (3.0 - 5.0_f32.sqrt());
        let count = self.particles_per_layer();
        let frame = Quat::from_rotation_arc(Vec3::Y, self.flow.direction);
        let turn = TAU * self.random.unit();
        for k in 0..count {
            let r = self.flow.radius * ((k as f32 + 0.5) / count as f32).sqrt();
            let (s, c) = (turn + k as f32 * golden_angle).sin_cos();
            let offset = (Vec3::from_array(self.random.triple()) * 2.0 - 1.0) * (JITTER * self.spacing);
            let local = Vec3::new(r * c, along, r * s) + offset;
            particles.push(
                self.flow.position + frame * local,
                self.flow.direction * self.flow.speed as f32,
                self.flow.material,
                Motion::InNozzle(index),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pour(active: Vec<[f64; 2]>, seconds: f64, dt: f64) -> (Particles, f64) {
        let flow = NozzleFlow {
            material: 0,
            position: Vec3::new(0.1, 0.2, 0.3),
            direction: Vec3::new(0.0, -0.6, 0.8),
            radius: 0.007,
            speed: 0.2,
            active,
        };
        let d = 0.002;
        let mut emitter = Emitter::new(flow, d, 7);
        let mut particles = Particles::default();
        for k in 0..(seconds / dt).round() as usize {
            let closed = emitter.begin_step(0, &mut particles, (k as f64 * dt, dt));
            if closed {
                let keep: Vec<u32> = (0..particles.len() as u32)
                    .filter(|&i| particles.motions[i as usize] == Motion::Free)
                    .collect();
                particles.reorder(&keep);
            }
            for i in 0..particles.len() {
                let step = particles.velocities[i] * dt as f32;
                particles.positions[i] += step;
            }
        }
        let out = (0..particles.len()).filter(|&i| emitter.past_mouth(particles.positions[i]) >= 0.0).count();
        (particles, out as f64 * f64::from(d).powi(3))
    }

    #[test]
    fn delivers_area_times_speed() {
        let exact = std::f64::consts::PI * 0.007_f64.powi(2) * 0.2 * 2.0;
        for dt in [1.0 / 240.0, 1.0 / 60.0, 1.0 / 30.0] {
            let (_, volume) = pour(vec![[0.0, 100.0]], 2.0, dt);
            assert!((volume / exact - 1.0).abs() < 0.01, "dt {dt}: {volume} for {exact}");
        }
    }

    #[test]
    fn intervals_that_do_not_fit_steps_are_kept() {
        let open = 0.713 + 0.5;
        let exact = std::f64::consts::PI * 0.007_f64.powi(2) * 0.2 * open;
        let (particles, volume) = pour(vec![[0.1, 0.813], [1.2, 1.7]], 2.0, 1.0 / 50.0);
        assert!((volume / exact - 1.0).abs() < 0.01, "{volume} for {exact}");
        assert!(particles.motions.iter().all(|&m| m == Motion::Free));
        let mut ids = particles.ids.clone();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), particles.len());
    }

    #[test]
    fn the_column_has_the_rest_density() {
        let (particles, _) = pour(vec![[0.0, 9.0]], 1.0, 1.0 / 120.0);
        let kernel = crate::kernel::Kernel::new(0.002, 0.0044);
        let lists = crate::neighbors::Neighbors::find(
            &particles.positions,
            0.0044,
            &crate::domain::Domain::UNBOUNDED,
        );
        let densities: Vec<f32> = (0..particles.len())
            .map(|i| {
                let x = particles.positions[i];
                let w = |&j: &u32| kernel.w(x.distance(particles.positions[j as usize]));
                (kernel.w(0.0) + lists.of(i).iter().map(w).sum::<f32>()) / kernel.lattice_sum()
            })
            .collect();
        // Away from the surface: the densest half of the particles is near the rest density.
        let mut sorted = densities.clone();
        sorted.sort_by(f32::total_cmp);
        let upper = sorted[sorted.len() * 3 / 4];
        assert!((0.85..1.15).contains(&upper), "{upper}");
    }
}
