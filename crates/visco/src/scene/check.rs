//! What the schema cannot say: rules between fields.
//!
//! Each part of a scene is read by itself, so that a mistake in one does not hide those in others.

mod body;
mod grip;
mod material;
mod mesh;
mod motion;
mod solver;
mod stiffness;

pub(super) use stiffness::too_stiff;

use super::describe::distance;
use super::error::Problem;
use super::path::{child, hint, item, number};
use super::solver::{Solver, method_of};
use super::{Boundary, Camera, Emitter, Fluid, Method, Periodic, Scene, Shape, Side, Time, Triple, Turn};
use crate::mesh::Assets;
use crate::methods::dcpbd::Formulation;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// A periodic box is wider than two kernels, so that a particle does not meet two images of another.
const FEWEST_PERIODIC_SPACINGS: f64 = 6.0;

/// Vectors shorter than this have no direction that `f32` can hold.
const SHORTEST: f64 = 1e-9;

/// Particles are counted in `u32`, whose largest value means "none".
const MOST_PARTICLES: u64 = u32::MAX as u64 - 1;

/// What of a scene breaks a rule between fields. Parts that cannot be read are left to the schema.
pub(super) fn problems(scene: &Table) -> Vec<Problem> {
    let mut check = Check::new(scene);
    check.name();
    check.time();
    check.solver();
    check.each("material", Check::material);
    check.each("fluid", Check::fluid);
    check.each("emitter", Check::emitter);
    check.each("boundary", Check::boundary);
    check.each("grip", Check::grip);
    check.each("body", Check::body);
    check.bodies();
    check.camera();
    check.periodic();
    let any = |key| matches!(scene.get(key), Some(Value::Array(entries)) if !entries.is_empty());
    if !any("fluid") && !any("emitter") && !any("body") {
        let message = "the scene needs at least one `[[fluid]]`, `[[emitter]]` or `[[body]]`";
        check.report("fluid", None, message);
    }
    check.problems
}

/// A model that no mesh makes room for.
pub(super) fn idle_model(scene: &Scene) -> Option<Problem> {
    let model = scene.model.clone()?;
    let mut scene = scene.clone();
    let is_used = scene.mesh_files().iter().any(|file| file.field == "model");
    let message = "has no place here: no mesh of the scene has `model = true`";
    (!is_used).then(|| Problem::new("model", Some(format!("{model:?}")), message))
}

/// A scene whose particles could not be counted, with a spacing that would do.
pub(super) fn too_many_particles(scene: &Scene, assets: &Assets) -> Option<Problem> {
    const COMFORTABLE: f64 = 1e7;
    let particles = scene.estimate_with(assets).particles;
    if particles <= MOST_PARTICLES {
        return None;
    }
    let spacing = scene.spacing * (particles as f64 / COMFORTABLE).cbrt();
    let message = format!(
        "gives about {:.1e} particles, and at most {MOST_PARTICLES} are possible; \
         a spacing of {:.1e} gives about 10 million",
        particles as f64, spacing
    );
    Some(Problem::new("spacing", Some(number(scene.spacing)), message))
}

fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    value.clone().try_into().ok()
}

struct Check<'a> {
    scene: &'a Table,
    /// `None` where the scene's own is not usable.
    spacing: Option<f64>,
    method: Option<Method>,
    formulation: Option<Formulation>,
    material_names: Vec<&'a str>,
    problems: Vec<Problem>,
}

impl<'a> Check<'a> {
    fn new(scene: &'a Table) -> Self {
        let spacing = scene.get("spacing").and_then(read::<f64>);
        let formulation = |solver: Solver| match solver {
            Solver::Dcpbd(params) => params.formulation,
            _ => Formulation::Corrected,
        };
        let materials = scene.get("material").and_then(Value::as_array);
        let name = |material: &'a Value| material.get("name")?.as_str();
        Self {
            scene,
            spacing: spacing.filter(|spacing| spacing.is_finite() && *spacing > 0.0),
            method: method_of(scene),
            formulation: Solver::read(scene).map(formulation),
            material_names: materials
                .into_iter()
                .flatten()
                .map(|material| name(material).unwrap_or(""))
                .collect(),
            problems: Vec::new(),
        }
    }

    /// Checks every entry of an array that can be read.
    fn each<T: DeserializeOwned>(&mut self, key: &str, check: fn(&mut Self, &str, usize, &T)) {
        let entries = self.scene.get(key).and_then(Value::as_array);
        for (i, entry) in entries.into_iter().flatten().enumerate() {
            if let Some(part) = read(entry) {
                check(self, &item(key, i), i, &part);
            }
        }
    }

    fn report(&mut self, field: &str, value: Option<String>, message: impl Into<String>) {
        self.problems.push(Problem::new(field, value, message));
    }

    fn report_number(&mut self, field: &str, value: f64, message: impl Into<String>) {
        self.report(field, Some(number(value)), message);
    }

    /// The name becomes that of a folder, and must not lead out of the folder that it is put in.
    fn name(&mut self) {
        let Some(name) = self.scene.get("name").and_then(Value::as_str) else {
            return;
        };
        let separates = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
        if name.contains(separates) || (!name.is_empty() && name.trim_matches(['.', ' ']).is_empty()) {
            let message = "names a folder: it must not hold / \\ : * ? \" < > |, nor be made of dots";
            self.report("name", Some(format!("{name:?}")), message);
        }
    }

    fn time(&mut self) {
        let Some(time) = self.scene.get("time").and_then(read::<Time>) else {
            return;
        };
        let given: Vec<&str> = [
            ("steps_per_frame", time.steps_per_frame.is_some()),
            ("dt", time.dt.is_some()),
            ("cfl", time.cfl.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, given)| given.then_some(name))
        .collect();
        if given.len() != 1 {
            let found = match given.len() {
                0 => "none is given".to_owned(),
                _ => format!("{} are given", given.join(" and ")),
            };
            let message = format!("needs exactly one of steps_per_frame, dt and cfl; {found}");
            self.report("time", None, message);
        }
        let frame = 1.0 / time.fps;
        // Room for a frame that was rounded when it was written down.
        if let Some(dt) = time.dt.filter(|dt| *dt > frame * (1.0 + 1e-6)) {
            let (frame, fps) = (number(frame), number(time.fps));
            let message = format!("longer than a frame, which takes {frame} s at fps = {fps}; at most that");
            self.report_number("time.dt", dt, message);
        }
    }

    fn material_name(&mut self, at: &str, name: &str) {
        if !self.material_names.contains(&name) {
            let hint = hint(name, &self.material_names);
            let message = format!("unknown material; {hint}");
            self.report(&child(at, "material"), Some(format!("{name:?}")), message);
        }
    }

    fn fluid(&mut self, at: &str, _: usize, fluid: &Fluid) {
        self.material_name(at, &fluid.material);
        let shape = child(at, "shape");
        if matches!(fluid.shape, Shape::Plane { .. }) {
            let message = "a fluid needs a volume, such as a box or a mesh; a plane bounds none";
            self.report(&child(&shape, "plane"), None, message);
        } else {
            self.shape(&shape, &fluid.shape, self.spacing.unwrap_or(0.0));
        }
        self.turn(at, fluid.rotate.as_ref());
    }

    fn boundary(&mut self, at: &str, _: usize, boundary: &Boundary) {
        self.shape(&child(at, "shape"), &boundary.shape, 0.0);
        self.turn(at, boundary.rotate.as_ref());
        self.look(at, boundary.look.as_deref());
        if matches!(boundary.shape, Shape::Plane { .. }) && boundary.side == Side::Inside {
            let message = "a plane has no inside; its normal points towards the fluid";
            self.report(&child(at, "side"), Some("\"inside\"".into()), message);
        }
        if boundary.velocity.iter().any(|v| *v != 0.0) {
            self.moving_plate(at, boundary);
        } else if let Some(frequency) = boundary.frequency {
            let message = "needs a velocity other than 0: how fast the plate is at most";
            self.report_number(&child(at, "frequency"), frequency, message);
        } else if boundary.active.is_some() {
            let message = "needs a velocity other than 0: how fast the plate moves meanwhile";
            self.report(&child(at, "active"), None, message);
        }
        self.intervals(at, boundary.active.as_deref());
        self.motion(at, boundary.motion.as_ref());
        if boundary.motion.is_some() && boundary.velocity.iter().any(|v| *v != 0.0) {
            let message = "give motion, which moves the wall through space, or velocity, which moves a plane along \
                           itself; not both";
            self.report(&child(at, "velocity"), Some(triple(&boundary.velocity)), message);
        }
    }

    /// A surface may move along itself only: elsewhere it would have to push the fluid.
    fn moving_plate(&mut self, at: &str, boundary: &Boundary) {
        let across = match &boundary.shape {
            Shape::Plane { normal, .. } if boundary.rotate.is_none() => {
                normal.iter().zip(&boundary.velocity).map(|(n, v)| n * v).sum::<f64>()
            }
            _ => f64::INFINITY,
        };
        let sizes = distance(&boundary.velocity, &[0.0; 3]);
        if across.abs() > 1e-6 * sizes.max(1.0) {
            let message = "only a plane that is not turned by `rotate` may move, and only along itself";
            self.report(&child(at, "velocity"), Some(triple(&boundary.velocity)), message);
        }
    }

    fn emitter(&mut self, at: &str, _: usize, emitter: &Emitter) {
        self.material_name(at, &emitter.material);
        self.nozzle(at, emitter);
        self.direction(&child(at, "direction"), &emitter.direction);
        self.motion(at, emitter.motion.as_ref());
        match (emitter.speed, emitter.flow_rate) {
            (None, None) => self.report(at, None, "needs exactly one of speed and flow_rate"),
            (Some(_), Some(rate)) => {
                let message = "give speed or flow_rate, not both";
                self.report_number(&child(at, "flow_rate"), rate, message);
            }
            _ => {}
        }
        self.intervals(at, emitter.active.as_deref());
    }

    /// Intervals of `active` come one after the other.
    fn intervals(&mut self, at: &str, active: Option<&[[f64; 2]]>) {
        let mut last_end = 0.0;
        for (i, [start, end]) in active.iter().copied().flatten().enumerate() {
            let field = item(&child(at, "active"), i);
            let value = format!("[{}, {}]", number(*start), number(*end));
            if start >= end {
                self.report(&field, Some(value), "must end after it starts");
            } else if *start < last_end {
                let message =
                    format!("must start at {} or later, where the interval before it ends", number(last_end));
                self.report(&field, Some(value), message);
            }
            last_end = end.max(last_end);
        }
    }

    fn camera(&mut self) {
        let Some(camera) = self.scene.get("camera").and_then(read::<Camera>) else {
            return;
        };
        if distance(&camera.position, &camera.target) <= SHORTEST {
            let value = triple(&camera.target);
            self.report("camera.target", Some(value), "must differ from the camera's position");
        }
    }

    fn periodic(&mut self) {
        let (Some(periodic), Some(spacing)) =
            (self.scene.get("periodic").and_then(read::<Periodic>), self.spacing)
        else {
            return;
        };
        for axis in &periodic.axes {
            let k = *axis as usize;
            let spacings = (periodic.max[k] - periodic.min[k]) / spacing;
            if spacings < FEWEST_PERIODIC_SPACINGS - 1e-3 || (spacings - spacings.round()).abs() > 1e-3 {
                let message = format!(
                    "along {axis:?} the box is {} spacings wide; it must be a whole number of them, at least {}",
                    number((spacings * 1e3).round() / 1e3),
                    FEWEST_PERIODIC_SPACINGS
                );
                self.report("periodic.max", Some(triple(&periodic.max)), message);
            }
        }
    }

    /// Checks a shape that must extend by at least `extent` along every axis.
    fn shape(&mut self, at: &str, shape: &Shape, extent: f64) {
        let by = match extent > 0.0 {
            true => format!(" by at least one spacing, {}", number(extent)),
            false => String::new(),
        };
        // Room for the rounding of the difference.
        let enough = |length: f64| length > 0.0 && length >= extent * (1.0 - 1e-6);
        match shape {
            Shape::Plane { normal, .. } => {
                self.direction(&format!("{at}.plane.normal"), normal);
            }
            Shape::Box { min, max } => {
                for i in (0..3).filter(|i| !enough(max[*i] - min[*i])) {
                    let message = format!("must be above min[{i}] = {}{by}", number(min[i]));
                    self.report_number(&format!("{at}.box.max[{i}]"), max[i], message);
                }
            }
            Shape::Sphere { radius, .. } => self.radius(&format!("{at}.sphere.radius"), *radius),
            Shape::Cylinder { start, end, radius } => {
                self.radius(&format!("{at}.cylinder.radius"), *radius);
                if !enough(distance(start, end)) {
                    let message = format!("must lie away from start = {}{by}", triple(start));
                    self.report(&format!("{at}.cylinder.end"), Some(triple(end)), message);
                }
            }
            Shape::Cone { start, end, start_radius, end_radius } => {
                let (widest, field) = match start_radius >= end_radius {
                    true => (*start_radius, "start_radius"),
                    false => (*end_radius, "end_radius"),
                };
                self.radius(&format!("{at}.cone.{field}"), widest);
                if !enough(distance(start, end)) {
                    let message = format!("must lie away from start = {}{by}", triple(start));
                    self.report(&format!("{at}.cone.end"), Some(triple(end)), message);
                }
            }
            Shape::Capsule { start, end, radius } => {
                self.radius(&format!("{at}.capsule.radius"), *radius);
                if distance(start, end) <= SHORTEST {
                    let message = format!("must lie away from start = {}; or take a sphere", triple(start));
                    self.report(&format!("{at}.capsule.end"), Some(triple(end)), message);
                }
            }
            Shape::Mesh(mesh) => self.mesh(&child(at, "mesh"), mesh, extent),
        }
    }

    fn turn(&mut self, at: &str, turn: Option<&Turn>) {
        if let Some(turn) = turn {
            self.direction(&format!("{at}.rotate.axis"), &turn.axis);
        }
    }

    fn direction(&mut self, field: &str, vector: &Triple) {
        if distance(vector, &[0.0; 3]) <= SHORTEST {
            let message = format!("must not be zero: its length must be above {SHORTEST:e}");
            self.report(field, Some(triple(vector)), message);
        }
    }

    fn radius(&mut self, field: &str, radius: f64) {
        let Some(spacing) = self.spacing else { return };
        if radius < 0.5 * spacing * (1.0 - 1e-6) {
            let message = format!("must be at least half a spacing, {}", number(0.5 * spacing));
            self.report_number(field, radius, message);
        }
    }
}

fn triple(vector: &Triple) -> String {
    format!("[{}]", vector.map(number).join(", "))
}
