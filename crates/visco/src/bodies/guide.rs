//! Bodies that the scene moves: kinematic ones for ever, others until they are released.

use super::{Body, BodyPose};
use crate::motion::RigidMotion;

/// How the scene moves a body, and until when.
#[derive(Clone, Debug)]
pub struct Guide {
    motion: RigidMotion,
    /// Where the scene places the body.
    start: BodyPose,
    /// When the body becomes free, in s; infinite for a kinematic body.
    until: f64,
}

impl Guide {
    /// A body at `start` that follows `motion` until a time.
    pub(super) fn new(motion: RigidMotion, start: BodyPose, until: f64) -> Self {
        Self { motion, start, until }
    }

    /// Where the body is at a time.
    pub(super) fn pose(&self, time: f64) -> BodyPose {
        let pose = self.motion.pose(time);
        BodyPose {
            center: pose.place + pose.rotation * (self.start.center - pose.pivot),
            rotation: (pose.rotation * self.start.rotation).normalize(),
        }
    }

    /// Whether it moves the body in a step of length `dt` that starts at a time.
    fn leads(&self, (time, dt): (f64, f64)) -> bool {
        time < self.until - 1e-6 * dt
    }
}

impl Body {
    /// Takes the pose that the scene wants after the step `[time, time + dt]`, or is free from its start on.
    pub(crate) fn follow(&mut self, (time, dt): (f64, f64)) {
        let Some(guide) = &self.guide else {
            return;
        };
        self.guided = guide.leads((time, dt));
        if self.guided {
            self.pose = guide.pose(time + dt);
        }
    }

    /// An upper estimate of the speed that the scene gives the body during an interval of time, in m/s.
    pub(crate) fn fastest(&self, during: (f64, f64)) -> f64 {
        let Some(guide) = self.guide.as_ref().filter(|guide| during.0 < guide.until) else {
            return 0.0;
        };
        let pivot = guide.motion.pose(during.0).pivot;
        let reach = self.rest.iter().map(|r| f64::from(r.length())).fold(0.0, f64::max);
        guide.motion.fastest(during, reach + guide.start.center.distance(pivot))
    }
}
