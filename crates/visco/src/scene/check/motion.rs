//! The rules of what moves, and of nozzles.

use super::{Check, triple};
use crate::emitters::Opening;
use crate::mesh::Assets;
use crate::motion::Pose;
use crate::scene::path::{child, item, number};
use crate::scene::{Emitter, Motion, Nozzle, Triple, unfit};
use glam::{DVec3, Vec3};

/// How far the first and the last pose of a motion that repeats may be apart, in m and rad.
const SAME_POSE: f64 = 1e-6;

impl Check<'_> {
    pub(super) fn motion(&mut self, at: &str, motion: Option<&Motion>) {
        let Some(motion) = motion else { return };
        let at = child(at, "motion");
        let keys = child(&at, "keys");
        let still = [motion.velocity, motion.angular_velocity].iter().flatten().all(|v| *v == 0.0);
        if motion.keys.is_empty() && still {
            let message = "needs keys, a velocity or an angular_velocity; a body that stays needs no motion";
            self.report(&at, None, message);
        }
        for (i, key) in motion.keys.iter().enumerate() {
            let here = item(&keys, i);
            if let Some(before) = i.checked_sub(1).map(|before| motion.keys[before].time)
                && key.time <= before
            {
                let message = format!("must be above {}, the time of the key before it", number(before));
                self.report_number(&child(&here, "time"), key.time, message);
            }
            if let Some(turn) = &key.rotate {
                self.direction(&child(&child(&here, "rotate"), "axis"), &turn.axis);
            }
        }
        if motion.repeat {
            self.repetition(&at, motion);
        }
    }

    /// What repeats must come back, or it would jump.
    fn repetition(&mut self, at: &str, motion: &Motion) {
        let field = child(at, "repeat");
        if motion.keys.len() < 2 {
            return self.report(&field, Some("true".into()), "needs at least two keys");
        }
        let times = motion.keys.iter().map(|k| k.time);
        if times.clone().zip(times.skip(1)).any(|(a, b)| a >= b) {
            return;
        }
        let mut keyed = motion.clone();
        (keyed.velocity, keyed.angular_velocity, keyed.repeat) = ([0.0; 3], [0.0; 3], false);
        let built = keyed.build(Vec3::ZERO);
        let ends = [0, motion.keys.len() - 1].map(|k| built.pose(motion.keys[k].time));
        let [Pose { place: a, rotation: p, .. }, Pose { place: b, rotation: q, .. }] = ends;
        let turned = (p.inverse() * q).xyz().length();
        if a.distance(b) > SAME_POSE * a.length().max(1.0) || turned > SAME_POSE {
            let message = "the last key must be the same pose as the first (whole turns may lie between them): \
                           it would jump";
            self.report(&field, Some("true".into()), message);
        }
    }

    pub(super) fn nozzle(&mut self, at: &str, emitter: &Emitter) {
        let field = child(at, "nozzle");
        match &emitter.nozzle {
            Nozzle::Disc { radius } => self.radius(&format!("{field}.disc.radius"), *radius),
            Nozzle::Rectangle { width, height } => {
                for (name, length) in [("width", *width), ("height", *height)] {
                    let Some(spacing) = self.spacing.filter(|d| length < d * (1.0 - 1e-6)) else { continue };
                    let message = format!("must be at least one spacing, {}", number(spacing));
                    self.report_number(&format!("{field}.rectangle.{name}"), length, message);
                }
            }
            Nozzle::Star { outer_radius, inner_radius, .. } if inner_radius >= outer_radius => {
                let message = format!("must be below outer_radius = {}", number(*outer_radius));
                self.report_number(&format!("{field}.star.inner_radius"), *inner_radius, message);
            }
            Nozzle::Star { .. } => self.outline(&child(&field, "star"), emitter),
            Nozzle::Polygon { .. } => self.outline(&child(&field, "polygon"), emitter),
            Nozzle::Section(section) => {
                let at = child(&field, "section");
                self.mesh(&child(&at, "mesh"), &section.mesh, 0.0);
                self.direction(&child(&at, "normal"), &section.normal);
                self.up(&at, section.up.as_ref(), (&section.normal, "normal"));
            }
        }
        self.up(at, emitter.up.as_ref(), (&emitter.direction, "direction"));
    }

    fn outline(&mut self, field: &str, emitter: &Emitter) {
        let opening = emitter.nozzle.opening(Vec3::Y, (None, &Assets::new()));
        if let Some(Opening::Outline { figure, .. }) = opening
            && let Some(message) = unfit(&figure, self.spacing)
        {
            self.report(field, None, message);
        }
    }

    /// `up` must leave a direction across what it belongs to.
    fn up(&mut self, at: &str, up: Option<&Triple>, (along, name): (&Triple, &str)) {
        let Some(up) = up else { return };
        let field = child(at, "up");
        self.direction(&field, up);
        let unit = |v: &Triple| DVec3::from_array(*v).normalize_or_zero();
        let (a, b) = (unit(up), unit(along));
        if a != DVec3::ZERO && b != DVec3::ZERO && a.cross(b).length() < 1e-3 {
            self.report(&field, Some(triple(up)), format!("must not be parallel to the {name}"));
        }
    }
}
