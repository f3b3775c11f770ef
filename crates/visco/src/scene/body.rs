//! Bodies in a scene.

use super::{Friction, Motion, Shape, Triple, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A body made of particles: rigid, soft, or moved by the scene. It and the fluid push and drag each other; fluid sticks
/// to its surface. Fluid that the scene puts where a body is makes room for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// What it is: `rigid`, `soft` or `kinematic`.
    #[serde(default)]
    pub kind: BodyKind,
    /// The volume: a box, a sphere or a cylinder.
    pub shape: Shape,
    /// Turns the shape and the lattice that fills it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Turn>,
    /// Density, in kg/m³.
    #[serde(default = "density")]
    #[schemars(range(min = 0.01, max = 1e6))]
    pub density: f64,
    /// Velocity at the start, in m/s. A kinematic body, and one with a `release`, has a `motion` instead.
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub velocity: Triple,
    /// Angular velocity at the start about the centre of mass, in rad/s. A kinematic body, and one with
    /// a `release`, has a `motion` instead.
    #[serde(default)]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub angular_velocity: Triple,
    /// Friction against walls: `"slip"`, `"no_slip"` or a Coulomb coefficient; that of the wall if not given. Where
    /// forces move bodies (`velocity_correction` and what it is compared with, `sph`, `mps`) also between bodies: the
    /// mean of those given, 0.5 if none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Friction>,
    /// Young's modulus of a soft body, in Pa (1e5 if not given); its Poisson's ratio is 1/4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-3, max = 1e12))]
    pub youngs_modulus: Option<f64>,
    /// How the distances in a soft body are solved for: `gauss_seidel` (unless given) or `jacobi`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<DistanceSolver>,
    /// Sweeps over the distances of a soft body in a step (20 if not given). Too few make it softer than its modulus says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub iterations: Option<u32>,
    /// How a kinematic body moves, or another one until its `release`; it stands still if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// When a rigid or soft body becomes free, in s: until then the scene moves it as a kinematic one. It is free from the
    /// start if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub release: Option<f64>,
    /// How it looks in pictures: a look as materials have; a colour of its own if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 100))]
    pub look: Option<String>,
}

/// The kinds of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyKind {
    /// Keeps its shape.
    #[default]
    Rigid,
    /// Elastic.
    Soft,
    /// Follows the scene's motion, whatever the fluid does.
    Kinematic,
}

/// How the distances of a soft body are solved for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DistanceSolver {
    /// One after the other in a fixed order: fewer sweeps, one thread a body.
    #[default]
    GaussSeidel,
    /// All at once: more sweeps, all threads.
    Jacobi,
}

fn density() -> f64 {
    1000.0
}
