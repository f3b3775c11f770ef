//! The description of a scene: what a user writes, checked, before anything is built.
//!
//! The types of this module are the format: the JSON Schema that editors use, the check of every
//! field, the defaults and the documentation all come from them. Numbers are SI units.
//!
//! `scene.toml → Scene (validated) → World (particles, boundary, emitters) → Simulation`.

mod body;
mod boundary;
mod builtin;
mod check;
mod comparisons;
mod connections;
mod describe;
mod document;
mod error;
mod grip;
mod material;
mod material_key;
mod mesh;
mod motion;
mod notes;
mod nozzle;
mod overrides;
mod path;
pub(crate) mod physics;
mod read;
mod schedule;
mod schema;
mod shape;
mod solver;
#[cfg(test)]
mod tests;
mod walk;

pub use body::{Body, BodyKind, DistanceSolver};
pub use boundary::{Boundary, Friction, NamedFriction, Side};
pub use builtin::{BuiltinScene, builtin_scenes};
pub use comparisons::{ShapeMatching, Springs};
pub use connections::Connections;
pub use describe::Estimate;
pub use error::{Problem, SceneError};
pub use grip::{Grip, HoldKind, Stretch};
pub use material::{Material, Model};
pub use material_key::MaterialKey;
pub use mesh::{Mesh, MeshFile};
pub use motion::{Interpolation, KeyTurn, Motion, MotionKey};
pub use notes::Note;
pub(crate) use nozzle::{Meshes, unfit, upright};
pub use nozzle::{Nozzle, Pair, Section};
pub use overrides::Override;
pub(crate) use schedule::{capillary_step, step_within};
pub use schema::json_schema;
pub use shape::{Shape, Turn};
pub use solver::Solver;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Shortest time step that a scene may ask for, in s.
const SHORTEST_STEP: f64 = 1e-9;

/// A point or a vector, in metres (or m/s, m/s²).
pub type Triple = [f64; 3];

/// A scene: materials, fluids, nozzles, walls, time and solver. SI units throughout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Short name; the default output folder is `out/NAME`.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// What the scene shows, in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Distance between particles at rest, in m.
    #[schemars(range(min = 1e-6, max = 100.0))]
    pub spacing: f64,
    /// Acceleration of gravity, in m/s².
    #[serde(default = "defaults::gravity")]
    #[schemars(inner(range(min = -1e4, max = 1e4)))]
    pub gravity: Triple,
    /// The method that moves the fluid: `coupled`, unless given or unless the scene has what only `dcpbd` has (a material
    /// with `compliance` or infinite viscosity, a setting of its solver).
    #[serde(default)]
    pub method: Method,
    /// Which variant of the scene to run: `full`, or a name under `[variant]`, such as `small`.
    #[serde(default = "defaults::quality")]
    pub quality: String,
    /// Seed of the small random offsets of emitted and jittered particles.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// A mesh file that takes the place of meshes with `model = true`; relative paths begin at the scene's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub model: Option<String>,
    /// Frames, frame rate and time step.
    pub time: Time,
    /// Settings of the method.
    #[serde(default)]
    pub solver: Solver,
    /// The materials, by name.
    #[schemars(length(min = 1, max = 255))]
    pub material: Vec<Material>,
    /// Volumes that are filled with fluid at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fluid: Vec<Fluid>,
    /// Bodies: rigid, soft, or moved by the scene. In frames, the material of the first is the number of materials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub body: Vec<Body>,
    /// Nozzles that pour fluid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub emitter: Vec<Emitter>,
    /// Walls and obstacles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boundary: Vec<Boundary>,
    /// What holds particles and moves them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grip: Vec<Grip>,
    /// Space that repeats along some axes: what leaves on one side enters on the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periodic: Option<Periodic>,
    /// Where pictures are taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    /// Named variants: each maps field paths (as `--set` takes them) to values,
    /// for example `[variant.small]` with `spacing = 0.004` and `"time.frames" = 60`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, BTreeMap<String, serde_json::Value>>")]
    pub variant: BTreeMap<String, toml::Table>,
    /// Settings of the scene's own method that the method chosen instead does not have.
    #[serde(skip)]
    pub ignored: Vec<Note>,
}

/// The methods that visco implements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Doubly constrained position-based dynamics with conformation constraints, Barreiro et al. 2017.
    Dcpbd,
    /// Pressure, viscosity and polymer in one implicit solve for velocities: visco's own.
    #[default]
    Coupled,
    /// Velocity corrections by connections before the pressure of implicit incompressible SPH, Takahashi et al. 2016.
    VelocityCorrection,
    /// Position-based fluids, Macklin & Müller 2013: no memory, viscosity by XSPH.
    Pbf,
    /// Weakly compressible SPH with the kernels of Müller et al. 2003, in explicit steps: for comparison.
    Sph,
    /// Moving particle semi-implicit method with viscous and elastic stress, Mukai et al. 2021.
    Mps,
    /// Springs in the order of prediction and relaxation, Clavet et al. 2005, with implicit incompressible SPH: for
    /// comparison.
    Springs,
    /// Shape matching mixed into implicit incompressible SPH, after Takamatsu & Kanai 2011: for comparison.
    ShapeMatching,
    /// A corotational Maxwell stress in implicit incompressible SPH, after Mao & Yang 2006: for comparison.
    Maxwell,
}

impl Method {
    /// Every one.
    pub const ALL: [Self; 9] = [
        Self::Dcpbd,
        Self::Coupled,
        Self::VelocityCorrection,
        Self::Pbf,
        Self::Sph,
        Self::Mps,
        Self::Springs,
        Self::ShapeMatching,
        Self::Maxwell,
    ];

    /// Its name, as scenes have it.
    pub fn name(self) -> &'static str {
        Solver::of(self).name()
    }
}

/// Frames and time step: exactly one of `steps_per_frame`, `dt` and `cfl`. A step in which a particle would move
/// farther than three spacings is divided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// Frames per second of simulated time.
    #[serde(default = "defaults::fps")]
    #[schemars(range(min = 0.001, max = 1e6))]
    pub fps: f64,
    /// Number of frames to write, the initial state included.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub frames: u32,
    /// Steps of equal length in every frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub steps_per_frame: Option<u32>,
    /// Longest time step, in s; shortened so that a whole number of steps fills a frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = SHORTEST_STEP, max = 10.0))]
    pub dt: Option<f64>,
    /// Longest way of any particle in a step, in spacings; the step follows the fastest particle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.001, max = 10.0))]
    pub cfl: Option<f64>,
}

/// A volume of fluid at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fluid {
    /// Name of its material.
    pub material: String,
    /// The volume: any shape but a plane.
    pub shape: Shape,
    /// Turns the shape and the lattice that fills it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Turn>,
    /// Velocity at the start, in m/s.
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub velocity: Triple,
    /// Angular velocity at the start about the shape's centre, in rad/s.
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub angular_velocity: Triple,
    /// Random offset of every particle, in spacings.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 0.3))]
    pub jitter: f64,
    /// How particles fill the shape: on a lattice, or relaxed from it into an even disorder that prefers no direction.
    #[serde(default)]
    pub packing: Packing,
}

/// How particles fill a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// A cubic lattice along the shape's own axes.
    #[default]
    Lattice,
    /// The lattice, shaken (by `jitter`, or 0.3 spacings if that is 0) and evened out.
    Relaxed,
}

/// A nozzle that pours fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emitter {
    /// Name of its material.
    pub material: String,
    /// Shape of the opening.
    pub nozzle: Nozzle,
    /// Centre of the opening, in m.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub position: Triple,
    /// Direction in which it pours; need not have length one.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub direction: Triple,
    /// Mean speed at the opening, in m/s: this or `flow_rate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e6))]
    pub speed: Option<f64>,
    /// Volume poured per second, in m³/s: this or `speed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-18, max = 1e9))]
    pub flow_rate: Option<f64>,
    /// Intervals of time in which it is open, in s, in order; always open if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(inner(range(min = 0.0))))]
    pub active: Option<Vec<[f64; 2]>>,
    /// Where the opening's second axis points, as near as the direction lets it; need not have length one. The second
    /// axis of space if not given, or its third where the nozzle points along that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub up: Option<Triple>,
    /// Moves and turns the nozzle; what leaves it has its velocity too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
}

/// A box that repeats along some axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Periodic {
    /// The axes along which space repeats.
    #[schemars(length(min = 1, max = 3))]
    pub axes: Vec<Axis>,
    /// Corner of the box with the smallest coordinates; only the named axes count.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub min: Triple,
    /// Corner with the largest coordinates. Along the named axes the box must be a whole number of spacings, and at
    /// least six, wide.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub max: Triple,
}

/// An axis of space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// The first axis.
    X,
    /// The second axis, up in most scenes.
    Y,
    /// The third axis.
    Z,
}

/// Where pictures are taken from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// The eye, in m.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub position: Triple,
    /// The point looked at, in m.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub target: Triple,
    /// Vertical field of view, in degrees.
    #[serde(default = "defaults::fov")]
    #[schemars(range(min = 1.0, max = 170.0))]
    pub fov: f64,
}

mod defaults {
    use super::Triple;
    pub(super) fn gravity() -> Triple {
        [0.0, -9.81, 0.0]
    }
    pub(super) fn quality() -> String {
        "full".into()
    }
    pub(super) fn seed() -> u64 {
        1
    }
    pub(super) fn fps() -> f64 {
        30.0
    }
    pub(super) fn fov() -> f64 {
        40.0
    }
}
