//! What is worth knowing about a scene that is no error: values that its time step does not resolve.

mod iisph;
mod memoryless;

use super::path::{child, item, number, rounded_down, rounded_up};
use super::{Method, Packing, SHORTEST_STEP, Scene, Solver};
use crate::material::{Material, Preset, Rheology};
use crate::scene;
use std::fmt;

/// A relaxation time is resolved by steps of this part of it.
const RESOLVED: f64 = 1.0 / 3.0;

/// In steps of this many relaxation times nothing is left of elasticity.
const NEWTONIAN: f64 = 10.0;

/// Smallest Δt η/(ρ d²) that a flow feels.
const FELT: f64 = 1e-4;

/// Room for numbers that were rounded when they were written down.
const ROUNDING: f64 = 1e-6;

/// Reynolds number of a fall by one spacing above which a flow is that of an inviscid fluid.
const INVISCID: f64 = 1000.0;

/// Something that is worth knowing about a scene, though it can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Path of the field, such as `material[0].relaxation_time`.
    pub field: String,
    /// Its value.
    pub value: String,
    /// What it means, and what would change it.
    pub message: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {}", self.field, self.value, self.message)
    }
}

impl Scene {
    /// What is worth knowing before the scene is run: settings that its method does not have, elasticity or viscosity
    /// that its time step does not resolve, surface tension that divides it, fluid that would tear.
    pub fn notes(&self) -> Vec<Note> {
        let dt = self.longest_step();
        let entries = self.material.iter().enumerate();
        let of_materials = entries
            .flat_map(|(i, given)| {
                let at = item("material", i);
                let material = Material::from_scene(given);
                let mut notes = match self.method {
                    Method::VelocityCorrection
                    | Method::Springs
                    | Method::ShapeMatching
                    | Method::Maxwell => self.of_iisph(&at, given, &material, dt),
                    Method::Pbf | Method::Sph => self.memoryless(&at, given, &material, dt),
                    Method::Mps => vec![self.unrelaxed(&at, given, &material)],
                    Method::Coupled | Method::Dcpbd => vec![self.unresolved(&at, given, &material, dt)],
                };
                notes.extend(self.of_other_methods(&at, given));
                notes.push(self.unfelt(&at, given, &material, dt));
                notes.push(self.divided(&at, given, &material));
                notes
            })
            .flatten();
        let of_fluids = self.fluid.iter().enumerate().filter_map(|(i, fluid)| self.layered(i, fluid));
        let of_walls = self.boundary.iter().enumerate().filter_map(|(i, wall)| self.smooth(i, wall));
        let of_solver = self.without_cohesion().into_iter();
        self.ignored
            .iter()
            .cloned()
            .chain(of_solver)
            .chain(of_materials)
            .chain(of_fluids)
            .chain(of_walls)
            .collect()
    }

    /// What `method = "mps"` has no counterpart for: stress that relaxes.
    fn unrelaxed(&self, at: &str, given: &scene::Material, material: &Material) -> Option<Note> {
        let Solver::Mps(params) = &self.solver else { return None };
        // Six digits: a modulus is often a quotient.
        let modulus = format!("{:.5e}", material.rheology.shear_modulus()).parse().unwrap_or(f64::NAN);
        let tau = material.rheology.relaxation_time();
        given.stated_relaxation(at, tau).map(|(field, value)| Note {
            field,
            value,
            message: format!(
                "nothing relaxes in method = \"mps\": its elastic stress is β times that of the shear modulus {} Pa, for \
                 ever; β grows to solver.elastic_share = {} as the narrowest section gets thinner",
                number(modulus),
                params.elastic_share,
            ),
        })
    }

    /// Coulomb friction of a wall, of which `method = "mps"` has but a part.
    fn smooth(&self, index: usize, wall: &scene::Boundary) -> Option<Note> {
        let scene::Friction::Coulomb(mu) = wall.friction else { return None };
        (self.method == Method::Mps && mu > 0.0).then(|| Note {
            field: child(&item("boundary", index), "friction"),
            value: number(mu),
            message: "felt only by particles that the wall itself stops: in method = \"mps\" pressure does not rub; \
                      \"no_slip\" holds"
                .into(),
        })
    }

    /// Fluid on a lattice that grips pull at: its layers come apart.
    fn layered(&self, index: usize, fluid: &scene::Fluid) -> Option<Note> {
        let moves = |g: &scene::Grip| g.stretch.is_some() || g.velocity != [0.0; 3];
        let pulled = self.method == Method::Coupled && self.grip.iter().any(moves);
        if !pulled || fluid.packing == Packing::Relaxed {
            return None;
        }
        Some(Note {
            field: child(&item("fluid", index), "packing"),
            value: "\"lattice\"".into(),
            message: "a lattice comes apart between its layers when it is pulled to about twice its length; \
                      packing = \"relaxed\" holds"
                .into(),
        })
    }

    /// A relaxation time that is shorter than a step.
    fn unresolved(&self, at: &str, given: &scene::Material, material: &Material, dt: f64) -> Option<Note> {
        let (Rheology::Measured { relaxation_time: tau, .. }
        | Rheology::Printed { relaxation_time: tau, .. }) = material.rheology;
        if tau <= 0.0 || dt <= tau {
            return None;
        }
        let step = number(rounded_down(dt));
        let effect = match dt > NEWTONIAN * tau {
            true => format!(
                "less than a tenth of the time step, {step} s: the fluid flows as if it were Newtonian"
            ),
            false => format!(
                "shorter than the time step, {step} s: what is elastic about the fluid is not resolved"
            ),
        };
        let remedy =
            self.time_for_step(tau * RESOLVED).unwrap_or_else(|| "relaxation_time = 0 is the same".into());
        let (field, value) = given.stated_relaxation(at, tau)?;
        Some(Note { field, value, message: format!("{effect}; {remedy}") })
    }

    /// A viscosity that changes nothing in a step, in a flow that would not feel it either.
    fn unfelt(&self, at: &str, given: &scene::Material, material: &Material, dt: f64) -> Option<Note> {
        let viscosity = material.rheology.viscosity_in_step(dt).filter(|viscosity| *viscosity > 0.0)?;
        let diffusion = material.diffusion(dt, self.spacing)?;
        let gravity = super::describe::distance(&self.gravity, &[0.0; 3]);
        let speed = (gravity * self.spacing).sqrt();
        let reynolds = f64::from(material.density) * speed * self.spacing / viscosity;
        if diffusion >= FELT * (1.0 - ROUNDING) || reynolds <= INVISCID {
            return None;
        }
        let (field, value) = given.stated_viscosity(at);
        let message = format!(
            "too small to be felt at this spacing and time step: the fluid flows as if inviscid; {} or more would count",
            number(rounded_up(value * FELT / diffusion)),
        );
        Some(Note { field, value: number(value), message })
    }

    /// Surface tension that needs shorter steps than the scene has.
    fn divided(&self, at: &str, given: &scene::Material, material: &Material) -> Option<Note> {
        let (chosen, stable) = (self.chosen_step(), material.capillary_step(self.spacing));
        if chosen <= stable * (1.0 + ROUNDING) {
            return None;
        }
        let message = format!(
            "stable in steps of {} s or less at this spacing: the scene's, {} s, are divided",
            number(rounded_down(stable)),
            number(rounded_down(chosen)),
        );
        Some(Note { field: child(at, "surface_tension"), value: number(given.surface_tension?), message })
    }

    /// The setting of time that makes steps of `dt` seconds or less, if one may be set.
    fn time_for_step(&self, dt: f64) -> Option<String> {
        const MOST_STEPS: f64 = 1e6;
        let steps = (1.0 / (self.time.fps * dt) * (1.0 - 1e-9)).ceil();
        match self.time.steps_per_frame {
            _ if dt < SHORTEST_STEP => None,
            Some(_) if steps <= MOST_STEPS => {
                Some(format!("time.steps_per_frame = {steps} or more would do"))
            }
            None if self.time.dt.is_some() => {
                Some(format!("time.dt = {} would do", number(rounded_down(dt))))
            }
            _ => {
                let instead = if self.time.cfl.is_some() { "cfl" } else { "steps_per_frame" };
                Some(format!("time.dt = {} in place of time.{instead} would do", number(rounded_down(dt))))
            }
        }
    }
}

impl scene::Material {
    /// The field that says how viscous the material is, and its value there.
    pub(super) fn stated_viscosity(&self, at: &str) -> (String, f64) {
        match (self.shear_modulus, self.viscosity) {
            (Some(modulus), _) => (child(at, "shear_modulus"), modulus),
            (None, Some(viscosity)) => (child(at, "viscosity"), viscosity),
            (None, None) => {
                let preset = self.preset.as_deref().and_then(Preset::find);
                (child(at, "viscosity"), preset.map_or(0.0, |p| p.viscosity))
            }
        }
    }

    /// The field that says how long the polymer's stress lasts, and what it says, where `tau` seconds are more than none.
    fn stated_relaxation(&self, at: &str, tau: f64) -> Option<(String, String)> {
        let stated = match &self.preset {
            Some(preset) if self.relaxation_time.is_none() => {
                (child(at, "preset"), format!("{preset:?} (relaxation_time {})", number(tau)))
            }
            _ => (child(at, "relaxation_time"), number(tau)),
        };
        (tau > 0.0).then_some(stated)
    }
}
