//! Nozzles: layers of particles that move with the flow inside the nozzle and are free once they leave it.
//!
//! A layer is n ≈ A/d² particles, each on an equal part of the opening's area A, slightly jittered: on a disc a sunflower
//! pattern, turned at random; on any other outline one of a few patterns of evenly spread points. Layers follow each
//! other at the distance n d³/A, so that each particle stands for exactly d³ of fluid and the nozzle delivers
//! area × speed, however it moves.

mod outline;
mod section;
mod spread;

pub use outline::Outline;
pub use section::section;

use crate::intervals::seconds_within;
use crate::motion::{Pose, RigidMotion};
use crate::particles::{Motion, Particles};
use crate::random::Random;
use glam::{Mat3, Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};
use std::f32::consts::{PI, TAU};

/// Layers kept inside a nozzle, so that the fluid at its mouth has neighbours behind it.
const LAYERS_INSIDE: f64 = 3.0;
/// Largest random offset of an emitted particle, in spacings.
const JITTER: f32 = 0.15;
/// Patterns of an outline, so that layers do not stand behind each other.
const PATTERNS: usize = 5;

/// The mouth of a nozzle.
#[derive(Clone, Debug, PartialEq)]
pub enum Opening {
    /// A disc.
    Disc {
        /// Radius, in m.
        radius: f32,
    },
    /// Any other figure; its second axis points to `up`, as near as the flow's direction lets it.
    Outline {
        /// The figure around the mouth's centre.
        figure: Outline,
        /// Where its second axis points.
        up: Vec3,
    },
}

impl Opening {
    /// Area, in m².
    pub fn area(&self) -> f64 {
        match self {
            Self::Disc { radius } => f64::from(PI * radius * radius),
            Self::Outline { figure, .. } => figure.area(),
        }
    }

    /// Turn from the axes of a layer (the figure in x and −z, the flow along y) to the world's.
    fn frame(&self, direction: Vec3) -> Quat {
        match self {
            Self::Disc { .. } => Quat::from_rotation_arc(Vec3::Y, direction),
            Self::Outline { up, .. } => {
                let up = up.reject_from_normalized(direction).normalize();
                Quat::from_mat3(&Mat3::from_cols(up.cross(direction), direction, -up))
            }
        }
    }
}

/// What a nozzle pours, and where.
#[derive(Clone, Debug)]
pub struct NozzleFlow {
    /// Index of the material.
    pub material: u8,
    /// Centre of the mouth, in m.
    pub position: Vec3,
    /// Unit vector of the flow.
    pub direction: Vec3,
    /// The mouth.
    pub opening: Opening,
    /// Mean speed, in m/s.
    pub speed: f64,
    /// Intervals in which it is open, in s.
    pub active: Vec<[f64; 2]>,
    /// How the nozzle moves, if it does.
    pub motion: Option<RigidMotion>,
}

/// A nozzle.
#[derive(Clone, Debug)]
pub struct Emitter {
    /// What it pours.
    pub flow: NozzleFlow,
    spacing: f32,
    /// Where points of a layer may be, for outlines; follows from the opening.
    patterns: Vec<Vec<Vec2>>,
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
        let mut emitter = Self {
            flow,
            spacing,
            patterns: vec![],
            random: Random::new(seed),
            open: false,
            flowed: 0.0,
            layers: 0,
        };
        if let Opening::Outline { figure, .. } = &emitter.flow.opening {
            let (count, mut random) = (emitter.particles_per_layer(), Random::new(seed));
            emitter.patterns = (0..PATTERNS).map(|_| spread::spread(figure, count, &mut random)).collect();
        }
        emitter
    }

    /// The state to keep. All fields are named, so that a new one is not forgotten.
    pub(crate) fn state(&self) -> EmitterState {
        let Self { flow: _, spacing: _, patterns: _, random, open, flowed, layers } = self.clone();
        EmitterState { random, open, flowed, layers }
    }

    /// Goes on from a state that was kept.
    pub(crate) fn set_state(&mut self, state: EmitterState) {
        let EmitterState { random, open, flowed, layers } = state;
        (self.random, self.open, self.flowed, self.layers) = (random, open, flowed, layers);
    }

    /// Particles in a layer; ids of one emitter count through its layers.
    pub fn particles_per_layer(&self) -> usize {
        ((self.flow.opening.area() / f64::from(self.spacing).powi(2)).round() as usize).max(1)
    }

    /// When it closes for the last time, in s.
    pub fn closes(&self) -> f64 {
        self.flow.active.last().map_or(0.0, |interval| interval[1])
    }

    fn layer_distance(&self) -> f64 {
        self.particles_per_layer() as f64 * f64::from(self.spacing).powi(3) / self.flow.opening.area()
    }

    /// Distance of a point from the mouth along the flow, for a nozzle that has not moved.
    fn past_mouth(&self, x: Vec3) -> f32 {
        (x - self.flow.position).dot(self.flow.direction)
    }

    /// Centre of the mouth at a time, in m.
    pub fn mouth(&self, time: f64) -> Vec3 {
        let position = self.flow.position;
        self.flow.motion.as_ref().map_or(position, |m| m.pose(time).apply(position))
    }

    /// An upper estimate of the speed of its points during an interval, in m/s.
    pub(crate) fn fastest(&self, during: (f64, f64)) -> f64 {
        let Some(motion) = &self.flow.motion else { return 0.0 };
        let size = match &self.flow.opening {
            Opening::Disc { radius } => f64::from(*radius),
            Opening::Outline { figure, .. } => figure.radius(),
        };
        let arm = motion.pose(during.0).pivot.distance(self.flow.position.as_dvec3());
        motion.fastest(during, arm + size) + self.flow.speed
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
        let moved = self.flow.motion.as_ref().map(|m| (m.pose(time), m.pose(time + dt)));
        if !self.open {
            (self.flowed, self.layers) = (0.0, 0);
        } else {
            self.make_layers(index, particles, moved.as_ref().map(|(pose, _)| pose));
        }
        let (inside, leaving) = (self.flow.speed * open_seconds / dt, self.flow.speed);
        for i in 0..particles.len() {
            if particles.motions[i] != Motion::InNozzle(index) {
                continue;
            }
            let x = particles.positions[i];
            let at_rest = moved.as_ref().map_or(x, |(start, _)| start.undo(x));
            let out = self.past_mouth(at_rest) >= 0.0;
            let flow = self.flow.direction * if out { leaving } else { inside } as f32;
            particles.velocities[i] = match &moved {
                None => flow,
                // What leaves has the velocities of flow and nozzle; what is inside ends where the nozzle takes it.
                Some((start, end)) if out => start.turn(flow) + (end.apply(at_rest) - x) / dt as f32,
                Some((_, end)) => (end.apply(at_rest + flow * dt as f32) - x) / dt as f32,
            };
            if out {
                particles.motions[i] = Motion::Free;
            }
        }
        self.flowed += self.flow.speed * open_seconds;
        was_open && !self.open
    }

    fn make_layers(&mut self, index: u16, particles: &mut Particles, pose: Option<&Pose>) {
        let distance = self.layer_distance();
        loop {
            let along = self.flowed - (self.layers as f64 + 0.5) * distance;
            if along <= -LAYERS_INSIDE * distance {
                break;
            }
            self.make_layer(index, along as f32, particles, pose);
            self.layers += 1;
        }
    }

    fn make_layer(&mut self, index: u16, along: f32, particles: &mut Particles, pose: Option<&Pose>) {
        let frame = self.flow.opening.frame(self.flow.direction);
        let pattern = self.pattern();
        for p in pattern {
            let offset = (Vec3::from_array(self.random.triple()) * 2.0 - 1.0) * (JITTER * self.spacing);
            let local = Vec3::new(p.x, along, p.y) + offset;
            let x = self.flow.position + frame * local;
            let velocity = self.flow.direction * self.flow.speed as f32;
            particles.push(
                pose.map_or(x, |pose| pose.apply(x)),
                pose.map_or(velocity, |pose| pose.turn(velocity)),
                self.flow.material,
                Motion::InNozzle(index),
            );
        }
    }

    /// Places of a layer's particles, in x and z of its frame.
    fn pattern(&mut self) -> Vec<Vec2> {
        match self.flow.opening {
            // Vogel's sunflower: radius ∝ √k, angle k times the golden angle.
            Opening::Disc { radius } => {
                let golden_angle = PI * (3.0 - 5.0_f32.sqrt());
                let count = self.particles_per_layer();
                let turn = TAU * self.random.unit();
                let point = |k: usize| {
                    let r = radius * ((k as f32 + 0.5) / count as f32).sqrt();
                    let (s, c) = (turn + k as f32 * golden_angle).sin_cos();
                    Vec2::new(r * c, r * s)
                };
                (0..count).map(point).collect()
            }
            Opening::Outline { .. } => {
                let pattern = &self.patterns[self.layers as usize % PATTERNS];
                pattern.iter().map(|p| Vec2::new(p.x, -p.y)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn pour(active: Vec<[f64; 2]>, seconds: f64, dt: f64) -> (Particles, f64) {
        pour_through(Opening::Disc { radius: 0.007 }, None, active, (seconds, dt))
    }

    /// The particles after a time, and the volume of those that are out of the nozzle.
    fn pour_through(
        opening: Opening,
        motion: Option<RigidMotion>,
        active: Vec<[f64; 2]>,
        (seconds, dt): (f64, f64),
    ) -> (Particles, f64) {
        let flow = NozzleFlow {
            material: 0,
            position: Vec3::new(0.1, 0.2, 0.3),
            direction: Vec3::new(0.0, -0.6, 0.8),
            opening,
            speed: 0.2,
            active,
            motion,
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
        let pose = emitter.flow.motion.as_ref().map(|m| m.pose(seconds));
        let out = |i: &usize| {
            let x = particles.positions[*i];
            let at_rest = pose.map_or(x, |p| p.undo(x));
            particles.motions[*i] == Motion::Free || emitter.past_mouth(at_rest) >= 0.0
        };
        let out = (0..particles.len()).filter(out).count();
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
    fn a_nozzle_of_any_outline_that_moves_and_turns_delivers_the_same() {
        let spin = DVec3::new(0.5, 3.0, -1.0);
        let motion = RigidMotion::steady(DVec3::new(0.0, 0.2, 0.3), DVec3::new(0.3, 0.1, -0.2), spin);
        let openings = [
            Opening::Disc { radius: 0.007 },
            Opening::Outline { figure: Outline::star(6, 0.012, 0.006), up: Vec3::Y },
            Opening::Outline { figure: Outline::rectangle(0.02, 0.005), up: Vec3::X },
        ];
        for opening in openings {
            let exact = opening.area() * 0.2 * (0.713 + 0.5);
            let active = vec![[0.1, 0.813], [1.2, 1.7]];
            let (_, volume) = pour_through(opening.clone(), Some(motion.clone()), active, (2.0, 0.02));
            assert!((volume / exact - 1.0).abs() < 0.01, "{opening:?}: {volume} for {exact}");
        }
    }

    #[test]
    fn what_leaves_a_moving_nozzle_has_its_velocity_too() {
        let velocity = DVec3::new(0.3, 0.1, -0.2);
        let motion = RigidMotion::steady(DVec3::new(0.1, 0.2, 0.3), velocity, DVec3::ZERO);
        let disc = Opening::Disc { radius: 0.007 };
        let (particles, _) = pour_through(disc, Some(motion), vec![[0.0, 9.0]], (1.0, 0.01));
        let expected = velocity.as_vec3() + Vec3::new(0.0, -0.6, 0.8) * 0.2;
        assert!(particles.velocities.iter().all(|v| v.distance(expected) < 1e-3));
        // Those inside are on the nozzle's axis, which has moved.
        let axis = Vec3::new(0.1, 0.2, 0.3) + velocity.as_vec3();
        for i in (0..particles.len()).filter(|&i| particles.motions[i] != Motion::Free) {
            let e = particles.positions[i] - axis;
            let across = e.reject_from_normalized(Vec3::new(0.0, -0.6, 0.8)).length();
            assert!(across < 0.0078, "{e}");
        }
    }

    #[test]
    fn an_outline_points_up() {
        let opening = Opening::Outline { figure: Outline::rectangle(0.004, 0.03), up: Vec3::Y };
        let (particles, _) = pour_through(opening, None, vec![[0.0, 9.0]], (0.1, 0.01));
        let x = |f: fn(Vec3) -> f32| particles.positions.iter().map(|&p| f(p)).fold(0.0, f32::max);
        let direction = Vec3::new(0.0, -0.6, 0.8);
        let across = x(|p| (p.x - 0.1).abs());
        let up = direction.cross(Vec3::X);
        let along = particles.positions.iter().map(|p| (*p - Vec3::new(0.1, 0.2, 0.3)).dot(up).abs());
        let along = along.fold(0.0, f32::max);
        assert!(across < 0.0025 && along > 0.0135, "{across} across, {along} up");
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
        let outlines = [Outline::star(6, 0.012, 0.007), Outline::rectangle(0.02, 0.008)];
        let outlines = outlines.map(|figure| Opening::Outline { figure, up: Vec3::Y });
        for opening in [Opening::Disc { radius: 0.007 }].into_iter().chain(outlines) {
            check_density(opening);
        }
    }

    fn check_density(opening: Opening) {
        let (particles, _) = pour_through(opening.clone(), None, vec![[0.0, 9.0]], (1.0, 1.0 / 120.0));
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
        assert!((0.85..1.15).contains(&upper), "{opening:?}: {upper}");
    }
}
