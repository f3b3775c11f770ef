//! The rules of a body.

use super::{Check, read, triple};
use crate::methods::dcpbd::{Formulation, VelocitySolver};
use crate::scene::path::child;
use crate::scene::{Body, BodyKind, Material, Shape, Solver};
use toml::Value;

/// Materials and bodies together are counted in `u8`.
const MOST_MATERIALS: usize = 255;

impl Check<'_> {
    pub(super) fn body(&mut self, at: &str, _: usize, body: &Body) {
        let shape = child(at, "shape");
        if matches!(body.shape, Shape::Plane { .. }) {
            let message = "a body needs a volume: box, sphere or cylinder; a plane bounds none";
            self.report(&child(&shape, "plane"), None, message);
        } else {
            self.shape(&shape, &body.shape, self.spacing.unwrap_or(0.0));
        }
        self.turn(at, body.rotate.as_ref());
        self.motion(at, body.motion.as_ref());
        self.look(at, body.look.as_deref());
        let foreign = |given: bool, kind: BodyKind| given && body.kind != kind;
        for (field, given) in [
            ("youngs_modulus", body.youngs_modulus.is_some()),
            ("solver", body.solver.is_some()),
            ("iterations", body.iterations.is_some()),
        ] {
            if foreign(given, BodyKind::Soft) {
                self.report(&child(at, field), None, "only for kind = \"soft\"");
            }
        }
        let kinematic = body.kind == BodyKind::Kinematic;
        let guided = kinematic || body.release.is_some();
        if body.motion.is_some() && !guided {
            let message = "only for kind = \"kinematic\", or until a `release`; others start with velocity and \
                           angular_velocity";
            self.report(&child(at, "motion"), None, message);
        }
        if kinematic && body.release.is_some() {
            let message = "a kinematic body never becomes free; kind = \"rigid\" or \"soft\" does";
            self.report(&child(at, "release"), None, message);
        }
        for (field, value) in [("velocity", &body.velocity), ("angular_velocity", &body.angular_velocity)] {
            if guided && value.iter().any(|v| *v != 0.0) {
                let which = if kinematic { "a kinematic body" } else { "a body with a `release`" };
                let message = format!("{which} moves by `motion`, which has a {field} too");
                self.report(&child(at, field), Some(triple(value)), message);
            }
        }
    }

    /// What a scene with bodies needs as a whole.
    pub(super) fn bodies(&mut self) {
        let Some(bodies) = self.scene.get("body").and_then(Value::as_array).filter(|b| !b.is_empty()) else {
            return;
        };
        let (bodies, materials) = (bodies.len(), self.material_names.len());
        if bodies + materials > MOST_MATERIALS {
            let message = format!(
                "{bodies} bodies and {materials} materials; at most {MOST_MATERIALS} together are possible"
            );
            self.report("body", None, message);
        }
        let Some(Solver::Dcpbd(params)) = Solver::read(self.scene) else {
            return;
        };
        if params.formulation != Formulation::Corrected || params.velocity_solver != VelocitySolver::Cg {
            let message = "bodies need formulation = \"corrected\" and velocity_solver = \"cg\"";
            self.report("solver", None, message);
        }
        let materials = self.scene.get("material").and_then(Value::as_array).into_iter().flatten();
        let rigid = |m: &Material| m.viscosity == Some(f64::INFINITY);
        if let Some(k) = materials.filter_map(read::<Material>).position(|m| rigid(&m)) {
            let message = "must be finite where there are bodies; a rigid body is a `[[body]]`";
            self.report(&format!("material[{k}].viscosity"), Some("inf".into()), message);
        }
    }
}
