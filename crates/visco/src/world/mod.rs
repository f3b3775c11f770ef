//! The world of a scene: particles, walls, nozzles, materials.

mod build;
mod check;
mod fill;

pub(crate) use fill::Volume;

use crate::bodies::{self, Body};
use crate::boundary::{Boundary, MovingWall, Plate, WallMotion};
use crate::domain::Domain;
use crate::emitters::Emitter;
use crate::flow::moved_body::MovedBody;
use crate::grips::Grip;
use crate::material::{KeyedMaterial, Material};
use crate::parallel;
use crate::particles::{Motion, Particles};
use crate::scene::{Note, Triple};
use glam::Vec3;

/// What a simulation moves and what it meets.
#[derive(Clone, Debug)]
pub struct World {
    /// Rest distance of particles, in m.
    pub spacing: f32,
    /// Gravity, in m/s².
    pub gravity: Vec3,
    /// Whether space repeats.
    pub domain: Domain,
    /// Simulated time, in s.
    pub time: f64,
    /// The particles.
    pub particles: Particles,
    /// The walls.
    pub boundary: Boundary,
    /// The walls whose velocity changes with time.
    pub plates: Vec<Plate>,
    /// The walls that move through space.
    pub moving_walls: Vec<MovingWall>,
    /// The nozzles.
    pub emitters: Vec<Emitter>,
    /// What holds particles, by index.
    pub grips: Vec<Grip>,
    /// The bodies, by index.
    pub bodies: Vec<Body>,
    /// The materials, by index, as they are now: those of the scene, then one for each body.
    pub materials: Vec<Material>,
    /// The materials that change with time.
    pub keyed_materials: Vec<KeyedMaterial>,
    /// What is worth knowing about the meshes of the scene.
    pub notes: Vec<Note>,
}

impl World {
    /// Sets what follows the time alone to how it is at the world's time, between steps: walls that move and materials
    /// that change.
    pub(crate) fn follow_time(&mut self) {
        self.change_materials(self.time);
        for moving in &self.moving_walls {
            self.boundary.walls[moving.wall].motion = Some(WallMotion::at_rest(&moving.motion, self.time));
        }
    }

    fn change_materials(&mut self, time: f64) {
        for keyed in &self.keyed_materials {
            self.materials[keyed.material] = keyed.at(time);
        }
    }

    /// An upper estimate of the speed of walls, nozzles and kinematic bodies that move, during `[time, time + seconds]`, in m/s.
    pub(crate) fn fastest_motion(&self, seconds: f64) -> f64 {
        let during = (self.time, self.time + seconds);
        let wall = |m: &MovingWall| m.motion.fastest(during, self.wall_radius(m));
        let nozzle = |e: &Emitter| e.fastest(during);
        let walls = self.moving_walls.iter().map(wall);
        let bodies = self.bodies.iter().map(|b| b.fastest(during));
        walls.chain(self.emitters.iter().map(nozzle)).chain(bodies).fold(0.0, f64::max)
    }

    /// Largest distance from a wall's pivot that matters: that of its own points; of a plane, that of the particles.
    fn wall_radius(&self, moving: &MovingWall) -> f64 {
        let (shape, pivot) = (&self.boundary.walls[moving.wall].shape, moving.motion.pose(self.time).pivot);
        if let Some((half, _)) = shape.own_box() {
            return f64::from(half.length()) + shape.center().as_dvec3().distance(pivot);
        }
        let (p, place) = (&self.particles, moving.motion.pose(self.time).place.as_vec3());
        f64::from(parallel::max(p.len(), 0.0, |i| p.positions[i].distance(place)))
    }

    /// Sets what follows the time alone for the step `[time, time + dt]`: plates, walls that move, materials that change
    /// (as they are in the middle of the step), what grips hold and kinematic bodies.
    pub(crate) fn begin_step(&mut self, dt: f64) {
        self.change_materials(self.time + 0.5 * dt);
        for moving in &self.moving_walls {
            let motion = WallMotion::in_step(&moving.motion, self.time, dt);
            self.boundary.walls[moving.wall].motion = Some(motion);
        }
        for plate in &self.plates {
            self.boundary.walls[plate.wall].velocity = plate.mean_velocity(self.time, dt);
        }
        for (index, grip) in self.grips.iter().enumerate() {
            grip.begin_step(index as u16, &mut self.particles, (self.time, dt));
        }
        bodies::begin_step(&self.bodies, (&mut self.particles, &self.domain), (self.time, dt));
    }

    /// Moves the particles by the displacements of a step, and rigid bodies to their new poses.
    pub(crate) fn finish_step(&mut self, displacement: &[Vec3], moved: &[MovedBody]) {
        let Self { particles, domain, bodies, .. } = self;
        parallel::for_each(&mut particles.positions, |i, x| *x = domain.wrap(*x + displacement[i]));
        for m in moved {
            bodies[m.body].pose = m.pose;
        }
        if !bodies.is_empty() {
            let Particles { positions, motions, ids, .. } = particles;
            parallel::for_each(positions, |i, x| {
                if let Motion::Body(b) = motions[i] {
                    let body = &bodies[b as usize];
                    if body.is_rigid() {
                        *x = domain.wrap(body.pose.apply(body.rest[(ids[i] - body.first_id) as usize]));
                    }
                }
            });
        }
    }

    /// Whether a nozzle, a grip or the motion of a kinematic body moves a particle, and nothing else does.
    pub(crate) fn is_driven(&self, i: usize) -> bool {
        match self.particles.motions[i] {
            Motion::Free => false,
            Motion::InNozzle(_) => true,
            Motion::Gripped(_) => self.held_axis(i).is_none(),
            Motion::Body(b) => self.bodies[b as usize].is_kinematic(),
        }
    }

    /// Where a grip holds one component of a particle's velocity: its unit vector and its value, in m/s.
    pub fn held_axis(&self, i: usize) -> Option<(Vec3, f32)> {
        let Motion::Gripped(index) = self.particles.motions[i] else {
            return None;
        };
        let grip = &self.grips[index as usize];
        grip.along.then(|| (grip.axis, grip.axis.dot(self.particles.velocities[i])))
    }
}

pub(crate) fn vec3(t: Triple) -> Vec3 {
    Vec3::from_array(t.map(|c| c as f32))
}
