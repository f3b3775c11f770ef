//! Rigid motion that follows the time alone: through keys, steady, or both.
//!
//! A pose is a function of the time, so nothing of it has to be kept from step to step.

mod track;

pub use track::Track;

use glam::{DQuat, DVec3, Vec3};
use track::Place;

/// Parts of an interval over which the largest speed is looked for.
const SAMPLES: u32 = 16;

/// Where a body is: x ↦ place + R (x − pivot).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The point of the body at rest that it turns about, in m.
    pub pivot: DVec3,
    /// Where that point is, in m.
    pub place: DVec3,
    /// Turn from the body at rest.
    pub rotation: DQuat,
}

impl Pose {
    /// Where a point of the body at rest is.
    pub fn apply(&self, x: Vec3) -> Vec3 {
        (self.place + self.rotation * (x.as_dvec3() - self.pivot)).as_vec3()
    }

    /// Which point of the body at rest is at `x`.
    pub fn undo(&self, x: Vec3) -> Vec3 {
        (self.pivot + self.rotation.inverse() * (x.as_dvec3() - self.place)).as_vec3()
    }

    /// A direction of the body at rest, turned.
    pub fn turn(&self, v: Vec3) -> Vec3 {
        (self.rotation * v.as_dvec3()).as_vec3()
    }
}

/// How a body turns through keys.
#[derive(Clone, Debug, PartialEq)]
enum Turning {
    /// About one axis, by an angle in rad that may pass any number of turns.
    About(DVec3, Track),
    /// From one orientation to the next by the shortest way, at rest at every key where it is smooth.
    Between { times: Vec<f64>, orientations: Vec<DQuat>, smooth: bool, repeats: bool },
}

/// A key: its time in s, the shift in m and the turn as axis × angle in rad, both from the body at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Time, in s.
    pub time: f64,
    /// Shift from the body at rest, in m.
    pub shift: DVec3,
    /// Turn from the body at rest: unit axis times angle, in rad.
    pub turn: DVec3,
}

/// A rigid motion.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidMotion {
    pivot: DVec3,
    shift: Option<[Track; 3]>,
    turning: Option<Turning>,
    velocity: DVec3,
    spin: DVec3,
}

impl RigidMotion {
    /// Steady motion from time 0: velocity of the pivot in m/s, and angular velocity about it in rad/s.
    pub fn steady(pivot: DVec3, velocity: DVec3, spin: DVec3) -> Self {
        Self { pivot, shift: None, turning: None, velocity, spin }
    }

    /// Adds motion through keys at increasing times, at least one: smooth or in straight lines, once or again and
    /// again.
    pub fn with_keys(mut self, keys: &[Key], smooth: bool, repeats: bool) -> Self {
        let times: Vec<f64> = keys.iter().map(|k| k.time).collect();
        let track = |value: &dyn Fn(&Key) -> f64| {
            Track::new(times.clone(), keys.iter().map(value).collect(), smooth, repeats)
        };
        if keys.iter().any(|k| k.shift != DVec3::ZERO) {
            self.shift = Some([track(&|k| k.shift.x), track(&|k| k.shift.y), track(&|k| k.shift.z)]);
        }
        let Some(axis) = keys.iter().find_map(|k| k.turn.try_normalize()) else {
            return self;
        };
        let same = |k: &Key| k.turn.cross(axis).length() <= 1e-9 * k.turn.length();
        self.turning = Some(if keys.iter().all(same) {
            Turning::About(axis, track(&|k| k.turn.dot(axis)))
        } else {
            let orientations = keys.iter().map(|k| DQuat::from_scaled_axis(k.turn)).collect();
            Turning::Between { times: times.clone(), orientations, smooth, repeats }
        });
        self
    }

    /// Where the body is at a time.
    pub fn pose(&self, time: f64) -> Pose {
        let place = self.pivot + self.shift_at(time);
        let keyed = match &self.turning {
            None => DQuat::IDENTITY,
            Some(Turning::About(axis, angle)) => DQuat::from_axis_angle(*axis, angle.at(time)),
            Some(Turning::Between { times, orientations, smooth, repeats }) => {
                let Place { key, part, .. } = track::place(times, *repeats, time);
                let next = orientations.get(key + 1).unwrap_or(&orientations[key]);
                let part = if *smooth { part * part * (3.0 - 2.0 * part) } else { part };
                orientations[key].slerp(*next, part)
            }
        };
        let rotation = (DQuat::from_scaled_axis(self.spin * time) * keyed).normalize();
        Pose { pivot: self.pivot, place, rotation }
    }

    fn shift_at(&self, time: f64) -> DVec3 {
        let keyed = self
            .shift
            .as_ref()
            .map_or(DVec3::ZERO, |[x, y, z]| DVec3::new(x.at(time), y.at(time), z.at(time)));
        keyed + self.velocity * time
    }

    /// An upper estimate of the speed of points up to `radius` from the pivot during `[start, end]`, in m/s.
    pub fn fastest(&self, (start, end): (f64, f64), radius: f64) -> f64 {
        let h = (end - start) / f64::from(SAMPLES);
        let speed = |k: u32| {
            let (a, b) = (start + f64::from(k) * h, start + f64::from(k + 1) * h);
            let way = self.shift_at(b).distance(self.shift_at(a));
            let angle = match &self.turning {
                None => 0.0,
                Some(Turning::About(_, angle)) => (angle.at(b) - angle.at(a)).abs(),
                Some(Turning::Between { .. }) => self.pose(a).rotation.angle_between(self.pose(b).rotation),
            };
            (way + angle * radius) / h
        };
        let keyed = (0..SAMPLES).map(speed).fold(0.0, f64::max);
        keyed + self.spin.length() * radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    fn key(time: f64, shift: DVec3, turn: DVec3) -> Key {
        Key { time, shift, turn }
    }

    #[test]
    fn degrees_add_up_over_whole_turns() {
        let keys = [key(0.0, DVec3::ZERO, DVec3::ZERO), key(2.0, DVec3::ZERO, DVec3::Z * (2.5 * TAU))];
        let m = RigidMotion::steady(DVec3::X, DVec3::ZERO, DVec3::ZERO).with_keys(&keys, false, false);
        // A fifth of five half turns is half a turn.
        let x = m.pose(0.4).apply(Vec3::new(2.0, 0.0, 0.0));
        assert!(x.distance(Vec3::ZERO) < 1e-6, "{x}");
        assert!(m.pose(1.6).apply(Vec3::X * 2.0).distance(Vec3::X * 2.0) < 1e-6);
        assert!((m.fastest((0.0, 2.0), 0.5) - 0.5 * 2.5 * TAU / 2.0).abs() < 1e-9);
    }

    #[test]
    fn keys_with_different_axes_are_joined_by_the_shortest_turn() {
        let keys = [key(0.0, DVec3::ZERO, DVec3::X * (0.5 * PI)), key(1.0, DVec3::Y, DVec3::Y * (0.5 * PI))];
        let m = RigidMotion::steady(DVec3::ZERO, DVec3::ZERO, DVec3::ZERO).with_keys(&keys, true, false);
        for (time, turn) in [(0.0, keys[0].turn), (1.0, keys[1].turn), (7.0, keys[1].turn)] {
            let (found, expected) = (m.pose(time).rotation, DQuat::from_scaled_axis(turn));
            assert!(found.angle_between(expected) < 1e-6, "{time}");
        }
        let half = m.pose(0.5);
        let way = DQuat::from_scaled_axis(keys[0].turn).angle_between(DQuat::from_scaled_axis(keys[1].turn));
        let gone = half.rotation.angle_between(DQuat::from_scaled_axis(keys[0].turn));
        assert!((gone - 0.5 * way).abs() < 1e-6);
        assert!((half.place.y - 0.5).abs() < 1e-12);
    }

    #[test]
    fn steady_motion_and_keys_add_up_and_can_be_undone() {
        let keys = [key(0.0, DVec3::ZERO, DVec3::ZERO), key(1.0, DVec3::Y, DVec3::ZERO)];
        let m = RigidMotion::steady(DVec3::new(0.1, 0.0, 0.0), DVec3::X * 2.0, DVec3::Y * (0.5 * PI))
            .with_keys(&keys, true, false);
        let pose = m.pose(1.0);
        assert!(pose.place.distance(DVec3::new(2.1, 1.0, 0.0)) < 1e-12);
        let x = pose.apply(Vec3::new(1.1, 0.0, 0.0));
        assert!(x.distance(Vec3::new(2.1, 1.0, -1.0)) < 1e-6, "{x}");
        assert!(pose.undo(x).distance(Vec3::new(1.1, 0.0, 0.0)) < 1e-6);
        assert!(pose.turn(Vec3::X).distance(-Vec3::Z) < 1e-6);
    }
}
