//! A simulation to and from a checkpoint.

use super::Simulation;
use crate::checkpoint::{Checkpoint, CheckpointError, Header, StateReader, StateWriter, expect};
use crate::scene::physics;

/// Whether a checkpoint may be continued in a scene that has changed since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Changes {
    /// Only what does not change the motion may differ: number of frames, name, description, camera. The frames that
    /// follow are then, bit for bit, those of a run that was never interrupted.
    #[default]
    Refused,
    /// Everything may differ but method, spacing, frame rate and periodic space, as long as the state still fits.
    Allowed,
}

impl Simulation {
    /// Everything that survives a step.
    pub fn checkpoint(&self) -> Checkpoint {
        let header = Header {
            program: env!("CARGO_PKG_VERSION").into(),
            name: self.name.clone(),
            scene: self.physics.clone(),
            frame: self.frame,
            step: self.steps,
            time: self.world.time,
            particles: self.world.particles.len() as u64,
        };
        let mut state = StateWriter::default();
        // All fields are named, so that a new one is not forgotten.
        let Self {
            world,
            method,
            frame,
            steps,
            given_speed,
            max_speed,
            name: _,
            physics: _,
            schedule: _,
            longest_way: _,
        } = self;
        state.put(&(frame, steps, given_speed, max_speed));
        world.save(&mut state);
        method.save(&mut state);
        Checkpoint::new(header, state)
    }

    /// Continues where a checkpoint of the same scene ended. After an error the simulation is as it was.
    pub fn restore(&mut self, checkpoint: &Checkpoint, changes: Changes) -> Result<(), CheckpointError> {
        let mut differences = physics::differences(&checkpoint.header().scene, &self.physics);
        if changes == Changes::Allowed {
            differences.retain(|d| d.is_fixed());
        }
        if !differences.is_empty() {
            return Err(CheckpointError::OtherScene(differences.iter().map(ToString::to_string).collect()));
        }
        let mut restored = self.clone();
        checkpoint.load(|from| restored.load(from))?;
        let header = checkpoint.header();
        let same = header.frame == restored.frame
            && header.step == restored.steps
            && header.time == restored.world.time
            && header.particles == restored.world.particles.len() as u64;
        expect(same, "its header and its state differ")?;
        *self = restored;
        Ok(())
    }

    fn load(&mut self, from: &mut StateReader) -> Result<(), CheckpointError> {
        (self.frame, self.steps, self.given_speed, self.max_speed) = from.get()?;
        expect(self.given_speed >= 0.0 && self.max_speed >= 0.0, "a speed in it is impossible")?;
        self.world.load(from)?;
        self.method.load(from, self.world.particles.len())
    }
}
