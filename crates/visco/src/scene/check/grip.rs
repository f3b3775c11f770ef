//! The rules of a grip.

use super::{Check, SHORTEST};
use crate::scene::describe::distance;
use crate::scene::path::child;
use crate::scene::{Grip, HoldKind, Shape};

impl Check<'_> {
    pub(super) fn grip(&mut self, at: &str, _: usize, grip: &Grip) {
        let shape = child(at, "shape");
        if matches!(grip.shape, Shape::Plane { .. }) {
            let message = "a grip needs a volume, such as a box or a mesh; a plane bounds none";
            self.report(&child(&shape, "plane"), None, message);
        } else {
            self.shape(&shape, &grip.shape, 0.0);
        }
        self.turn(at, grip.rotate.as_ref());
        let needs_axis = grip.hold == HoldKind::Along || grip.stretch.is_some();
        match &grip.axis {
            Some(axis) => self.direction(&child(at, "axis"), axis),
            None if needs_axis && distance(&grip.velocity, &[0.0; 3]) <= SHORTEST => {
                let message =
                    "missing; hold = \"along\" and stretch need a direction where the velocity gives none";
                self.report(&child(at, "axis"), None, message);
            }
            None => {}
        }
    }
}
