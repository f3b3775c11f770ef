//! The settings of a method: which fields `[solver]` has depends on `method`.

use super::document::{Document, Origin};
use super::path::{child, show};
use super::schedule::FARTHEST_WAY;
use super::schema::{alternatives, properties, root};
use super::{Method, Note, Time};
use crate::iisph;
use crate::methods::comparisons::{maxwell, shape_matching, springs};
use crate::methods::{FluidMethod, coupled, dcpbd, mps, pbf, sph, velocity_correction};
use crate::world::World;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use toml::{Table, Value};

/// Settings of the scene's method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Solver {
    /// Of `method = "dcpbd"`.
    Dcpbd(dcpbd::Params),
    /// Of `method = "coupled"`.
    Coupled(coupled::Params),
    /// Of `method = "velocity_correction"`.
    VelocityCorrection(velocity_correction::Params),
    /// Of `method = "pbf"`.
    Pbf(pbf::Params),
    /// Of `method = "sph"`.
    Sph(sph::Params),
    /// Of `method = "mps"`.
    Mps(mps::Params),
    /// Of `method = "springs"`.
    Springs(springs::Params),
    /// Of `method = "shape_matching"`.
    ShapeMatching(shape_matching::Params),
    /// Of `method = "maxwell"`.
    Maxwell(maxwell::Params),
}

impl Default for Solver {
    fn default() -> Self {
        Self::of(Method::Coupled)
    }
}

impl Solver {
    /// The defaults of a method.
    pub fn of(method: Method) -> Self {
        match method {
            Method::Dcpbd => Self::Dcpbd(Default::default()),
            Method::Coupled => Self::Coupled(Default::default()),
            Method::VelocityCorrection => Self::VelocityCorrection(Default::default()),
            Method::Pbf => Self::Pbf(Default::default()),
            Method::Sph => Self::Sph(Default::default()),
            Method::Mps => Self::Mps(Default::default()),
            Method::Springs => Self::Springs(Default::default()),
            Method::ShapeMatching => Self::ShapeMatching(Default::default()),
            Method::Maxwell => Self::Maxwell(Default::default()),
        }
    }

    /// The method of a world.
    pub(crate) fn method(&self, world: &World, time: &Time) -> Box<dyn FluidMethod> {
        match self {
            Self::Dcpbd(params) => Box::new(dcpbd::Dcpbd::new(world, params.clone())),
            Self::Coupled(params) => Box::new(coupled::Coupled::new(world, params.clone())),
            Self::VelocityCorrection(params) => Box::new(velocity_correction::VelocityCorrection::new(
                world,
                params.clone(),
                time.usual_step(),
            )),
            Self::Pbf(params) => Box::new(pbf::Pbf::new(world, params.clone())),
            Self::Sph(params) => Box::new(sph::Sph::new(world, params.clone())),
            Self::Mps(params) => Box::new(mps::Mps::new(world, params.clone())),
            Self::Springs(params) => Box::new(springs::Springs::new(world, params.clone())),
            Self::ShapeMatching(params) => {
                Box::new(shape_matching::ShapeMatching::new(world, params.clone(), time.usual_step()))
            }
            Self::Maxwell(params) => Box::new(maxwell::Maxwell::new(world, params.clone())),
        }
    }

    /// The method that the settings belong to.
    pub fn of_method(&self) -> Method {
        match self {
            Self::Dcpbd(_) => Method::Dcpbd,
            Self::Coupled(_) => Method::Coupled,
            Self::VelocityCorrection(_) => Method::VelocityCorrection,
            Self::Pbf(_) => Method::Pbf,
            Self::Sph(_) => Method::Sph,
            Self::Mps(_) => Method::Mps,
            Self::Springs(_) => Method::Springs,
            Self::ShapeMatching(_) => Method::ShapeMatching,
            Self::Maxwell(_) => Method::Maxwell,
        }
    }

    /// The name of the method, as scenes have it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Dcpbd(_) => "dcpbd",
            Self::Coupled(_) => "coupled",
            Self::VelocityCorrection(_) => "velocity_correction",
            Self::Pbf(_) => "pbf",
            Self::Sph(_) => "sph",
            Self::Mps(_) => "mps",
            Self::Springs(_) => "springs",
            Self::ShapeMatching(_) => "shape_matching",
            Self::Maxwell(_) => "maxwell",
        }
    }

    /// Longest way of any particle in a step, in spacings: longer steps are divided.
    pub(crate) fn longest_way(&self) -> f64 {
        match self {
            Self::VelocityCorrection(params)
            | Self::Springs(params)
            | Self::ShapeMatching(params)
            | Self::Maxwell(params) => params.longest_way,
            Self::Mps(params) => params.longest_way,
            Self::Dcpbd(_) | Self::Coupled(_) | Self::Pbf(_) | Self::Sph(_) => FARTHEST_WAY,
        }
    }

    /// Relative error at which the velocity solve stops; where pressure alone is solved for, that of the density.
    pub fn velocity_tolerance(&self) -> f64 {
        match self {
            Self::Dcpbd(params) => params.tolerance.into(),
            Self::Coupled(params) => params.tolerance.into(),
            Self::VelocityCorrection(params)
            | Self::Springs(params)
            | Self::ShapeMatching(params)
            | Self::Maxwell(params) => params.density_tolerance.into(),
            // Without one, a number of iterations is all that is asked for.
            Self::Pbf(params) => params.density_tolerance.map_or(f64::INFINITY, f64::from),
            // It solves nothing.
            Self::Sph(_) => f64::INFINITY,
            Self::Mps(params) => params.tolerance.into(),
        }
    }

    /// The settings of DC-PBD, if they are.
    pub fn as_dcpbd(&self) -> Option<&dcpbd::Params> {
        match self {
            Self::Dcpbd(params) => Some(params),
            _ => None,
        }
    }

    /// The settings of implicit incompressible SPH, if the method uses it.
    pub fn as_iisph(&self) -> Option<&iisph::Params> {
        match self {
            Self::VelocityCorrection(params)
            | Self::Springs(params)
            | Self::ShapeMatching(params)
            | Self::Maxwell(params) => Some(params),
            _ => None,
        }
    }

    /// Reads the table `[solver]` of a scene; `None` if it cannot be read.
    pub(super) fn read(scene: &Table) -> Option<Self> {
        let method = method_of(scene)?;
        let Some(table) = scene.get("solver") else {
            return Some(Self::of(method));
        };
        let table = table.clone();
        match method {
            Method::Dcpbd => table.try_into().ok().map(Self::Dcpbd),
            Method::Coupled => table.try_into().ok().map(Self::Coupled),
            Method::VelocityCorrection => table.try_into().ok().map(Self::VelocityCorrection),
            Method::Pbf => table.try_into().ok().map(Self::Pbf),
            Method::Sph => table.try_into().ok().map(Self::Sph),
            Method::Mps => table.try_into().ok().map(Self::Mps),
            Method::Springs => table.try_into().ok().map(Self::Springs),
            Method::ShapeMatching => table.try_into().ok().map(Self::ShapeMatching),
            Method::Maxwell => table.try_into().ok().map(Self::Maxwell),
        }
    }
}

/// The method of a scene; `None` if it names none that there is. Where it names none at all: `coupled`, unless the scene
/// asks for what only `dcpbd` has.
pub(super) fn method_of(scene: &Table) -> Option<Method> {
    match scene.get("method") {
        Some(name) => name.clone().try_into().ok(),
        None if needs_dcpbd(scene) => Some(Method::Dcpbd),
        None => Some(Method::Coupled),
    }
}

/// Whether a scene has the paper's own parameter, a rigid material or a setting that `coupled` does not know.
fn needs_dcpbd(scene: &Table) -> bool {
    let own = |m: &Value| {
        let viscosity = m.get("viscosity").and_then(Value::as_float);
        m.get("compliance").is_some() || viscosity == Some(f64::INFINITY)
    };
    let known = |name: &str, key: &str| {
        let schema = root().pointer(&format!("/$defs/{name}"));
        schema.is_some_and(|schema| properties(schema).any(|(field, _)| field == key))
    };
    let materials = scene.get("material").and_then(Value::as_array);
    let settings = scene.get("solver").and_then(Value::as_table);
    materials.into_iter().flatten().any(own)
        || settings
            .into_iter()
            .flatten()
            .any(|(key, _)| known("DcpbdSolver", key) && !known("CoupledSolver", key))
}

/// Schema of the table `[solver]` of a scene.
pub(super) fn schema(scene: &Table) -> Option<&'static Json> {
    let name = match method_of(scene)? {
        Method::Dcpbd => "DcpbdSolver",
        Method::Coupled => "CoupledSolver",
        Method::VelocityCorrection | Method::Springs | Method::ShapeMatching | Method::Maxwell => {
            "IisphSolver"
        }
        Method::Pbf => "PbfSolver",
        Method::Sph => "SphSolver",
        Method::Mps => "MpsSolver",
    };
    root().pointer(&format!("/$defs/{name}"))
}

/// Where another method was chosen than that of the text: takes out the settings in the text that belong to the text's
/// method alone.
pub(super) fn drop_foreign(document: &mut Document) -> Vec<Note> {
    if matches!(document.origin("method"), None | Some(Origin::File(_))) {
        return vec![];
    }
    let (Some(own), Some(Value::Table(solver))) = (schema(&document.table), document.table.get("solver"))
    else {
        return vec![];
    };
    let choices = root().pointer("/properties/solver").map(alternatives).unwrap_or_default();
    let known = |schema: &Json, key: &str| properties(schema).any(|(name, _)| name == key);
    // A variant that chose a method chose these settings for it.
    let replaced = matches!(document.origin("method"), Some(Origin::Set(_)));
    let of_text = |key: &str| match document.origin(&child("solver", key)) {
        Some(Origin::File(_)) => true,
        Some(Origin::Variant(_)) => replaced,
        _ => false,
    };
    let foreign: Vec<(String, Value)> = solver
        .iter()
        .filter(|(key, _)| !known(own, key) && choices.iter().any(|c| known(c, key)) && of_text(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let method = document.table.get("method").map(show).unwrap_or_default();
    foreign
        .into_iter()
        .map(|(key, value)| {
            if let Some(Value::Table(solver)) = document.table.get_mut("solver") {
                solver.remove(&key);
            }
            let message = format!("ignored: method = {method} has no such setting");
            Note { field: child("solver", &key), value: show(&value), message }
        })
        .collect()
}

/// Reads a scene whose `[solver]` follows its method.
pub(super) fn read_scene(mut table: Table) -> Result<super::Scene, toml::de::Error> {
    let solver = Solver::read(&table);
    if let (None, Some(method)) = (table.get("method"), method_of(&table)) {
        table.insert("method".into(), Value::try_from(method).expect("a method is a string"));
    }
    // If it cannot be read the check has said why; what fails then is the scene as a whole.
    if solver.is_some() {
        table.remove("solver");
    }
    let mut scene: super::Scene = Value::Table(table).try_into()?;
    if let Some(solver) = solver {
        scene.solver = solver;
    }
    Ok(scene)
}
