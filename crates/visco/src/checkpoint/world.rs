//! What of a world survives a step.

use super::{CheckpointError, StateReader, StateWriter, expect};
use crate::bodies::{self, Body, BodyPose};
use crate::emitters::EmitterState;
use crate::particles::{Motion, Particles};
use crate::world::World;
use glam::{DQuat, DVec3};

/// Centre and turn of a body, as they are stored.
type StoredPose = ([f64; 3], [f64; 4]);

fn stored_pose(body: &Body) -> StoredPose {
    let Body { kind: _, friction: _, material: _, first_id: _, rest: _, shape: _, pose, guide: _, guided: _ } =
        body;
    (pose.center.to_array(), pose.rotation.to_array())
}

impl World {
    /// Stores what does not follow from scene and time. All fields are named, so that a new one is not forgotten.
    pub(crate) fn save(&self, to: &mut StateWriter) {
        let Self {
            time,
            particles,
            boundary,
            emitters,
            bodies,
            spacing: _,
            gravity: _,
            domain: _,
            plates: _,
            grips: _,
            materials: _,
            moving_walls: _,
            keyed_materials: _,
            notes: _,
        } = self;
        to.put(time);
        to.put(particles);
        // Of the last step: walls that vary get their velocity at the start of the next.
        to.put(&boundary.walls.iter().map(|w| w.velocity.to_array()).collect::<Vec<_>>());
        to.put(&emitters.iter().map(|e| e.state()).collect::<Vec<_>>());
        to.put(&bodies.iter().map(stored_pose).collect::<Vec<_>>());
    }

    /// Takes the place of a stored world of the same scene.
    pub(crate) fn load(&mut self, from: &mut StateReader) -> Result<(), CheckpointError> {
        let time: f64 = from.get()?;
        expect(time.is_finite() && time >= 0.0, "its time is impossible")?;
        let particles: Particles = from.get()?;
        self.check_stored(&particles)?;
        let velocities: Vec<[f32; 3]> = from.get()?;
        expect(
            velocities.len() == self.boundary.walls.len(),
            "its number of walls is not that of the scene",
        )?;
        let states: Vec<EmitterState> = from.get()?;
        expect(states.len() == self.emitters.len(), "its number of nozzles is not that of the scene")?;
        let poses: Vec<StoredPose> = from.get()?;
        expect(poses.len() == self.bodies.len(), "its number of bodies is not that of the scene")?;
        for (body, (center, rotation)) in self.bodies.iter_mut().zip(poses) {
            let (center, rotation) = (DVec3::from_array(center), DQuat::from_array(rotation));
            let turn = (rotation.length_squared() - 1.0).abs() < 1e-6;
            expect(center.is_finite() && turn, "the pose of a body is impossible")?;
            body.pose = BodyPose { center, rotation };
            body.follow((time, 0.0));
        }
        self.time = time;
        self.particles = particles;
        for (wall, velocity) in self.boundary.walls.iter_mut().zip(velocities) {
            wall.velocity = velocity.into();
        }
        for (emitter, state) in self.emitters.iter_mut().zip(states) {
            emitter.set_state(state);
        }
        self.follow_time();
        Ok(())
    }

    /// Particles whose arrays do not fit together, or that name what is not there, would be found much later.
    fn check_stored(&self, p: &Particles) -> Result<(), CheckpointError> {
        expect(p.is_consistent(), "its arrays differ in length")?;
        let finite = |i: usize| p.positions[i].is_finite() && p.velocities[i].is_finite();
        expect((0..p.len()).all(finite), "a particle is not finite")?;
        let material = |&m: &u8| usize::from(m) < self.materials.len();
        expect(p.materials.iter().all(material), "a particle's material is not in the scene")?;
        let motion = |m: &Motion| match *m {
            Motion::Free => true,
            Motion::InNozzle(index) => usize::from(index) < self.emitters.len(),
            Motion::Gripped(index) => usize::from(index) < self.grips.len(),
            Motion::Body(index) => usize::from(index) < self.bodies.len(),
        };
        expect(p.motions.iter().all(motion), "a particle's nozzle, grip or body is not in the scene")?;
        expect(bodies::are_whole(&self.bodies, p), "a body has lost particles")
    }
}
