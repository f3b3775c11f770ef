//! What the methods on implicit incompressible SPH make of a material: notes on what they ignore, and on what their steps
//! do not carry.

use super::{Note, ROUNDING};
use crate::iisph::MOST_VISCOUS;
use crate::material::{Material, Rheology};
use crate::methods::comparisons::maxwell;
use crate::scene::path::{child, number, rounded_down, rounded_up};
use crate::scene::{self, Method, Scene};

/// Coefficient c with which a step is still calm in a ball that is pressed to half its height. An explicit step is stable
/// while c N/3 < 4, with N stretched connections of a particle.
const MOST_CORRECTED: f32 = 0.1;

impl Scene {
    /// What such a method has no counterpart for, viscosity that is too much for an explicit step, and a stress that
    /// divides it.
    pub(super) fn of_iisph(
        &self,
        at: &str,
        given: &scene::Material,
        material: &Material,
        dt: f64,
    ) -> Vec<Option<Note>> {
        let method = self.solver.name();
        let ignored = |field: &str, value: Option<f64>, instead: &str| {
            let message = format!("ignored: method = \"{method}\" has {instead}");
            value.map(|value| Note { field: child(at, field), value: number(value), message })
        };
        let connects = self.method == Method::VelocityCorrection;
        // Who gives connections gives the rest for other methods.
        let ignores = connects && given.connections.is_none();
        let relaxation_time = given.relaxation_time.filter(|tau| ignores && *tau > 0.0);
        let instead = "`connections` in place of a polymer";
        let compliance = match connects {
            true => ignored("compliance", given.compliance.filter(|_| ignores), instead),
            false => ignored("compliance", given.compliance, "a viscosity or a shear modulus"),
        };
        vec![
            ignored("relaxation_time", relaxation_time, instead),
            ignored("shear_modulus", given.shear_modulus.filter(|_| ignores), instead),
            compliance,
            self.too_viscous(at, given, material, dt),
            self.divided_by_stress(at, given, material, dt),
            self.too_stiff_to_correct(at, given),
            self.unsteady(at, material),
        ]
    }

    /// Viscosity beside the polymer's that is more than an explicit step carries.
    fn too_viscous(&self, at: &str, given: &scene::Material, material: &Material, dt: f64) -> Option<Note> {
        let relaxes = material.rheology.memory(f32::INFINITY) > 0.0;
        let viscosity = match material.rheology {
            Rheology::Measured { polymer_viscosity, solvent_viscosity, .. } => {
                solvent_viscosity + if relaxes { 0.0 } else { polymer_viscosity }
            }
            Rheology::Printed { .. } => 0.0,
        };
        let most = MOST_VISCOUS * f64::from(material.density) * self.spacing.powi(2) / dt;
        (viscosity > most * (1.0 + ROUNDING)).then(|| Note {
            field: if relaxes { child(at, "solvent_viscosity") } else { given.stated_viscosity(at).0 },
            value: number(viscosity),
            message: format!(
                "method = \"{}\" is explicit: at this spacing and time step no more than {} is felt",
                self.solver.name(),
                number(rounded_down(most)),
            ),
        })
    }

    /// A shear modulus that needs shorter steps than the scene has.
    fn divided_by_stress(
        &self,
        at: &str,
        given: &scene::Material,
        material: &Material,
        dt: f64,
    ) -> Option<Note> {
        let stable = maxwell::elastic_step(material, self.spacing);
        if self.method != Method::Maxwell || dt <= stable * (1.0 + ROUNDING) {
            return None;
        }
        let message = format!(
            "stable in explicit steps of {} s or less at this spacing: the scene's, {} s, are divided",
            number(rounded_down(stable)),
            number(rounded_down(dt)),
        );
        let (field, value) = given.stated_viscosity(at);
        Some(Note { field, value: number(value), message })
    }

    /// A coefficient with which connections overshoot where the fluid is strongly deformed.
    fn too_stiff_to_correct(&self, at: &str, given: &scene::Material) -> Option<Note> {
        let correction = given.connections?.correction;
        (self.method == Method::VelocityCorrection && correction > MOST_CORRECTED).then(|| Note {
            field: child(&child(at, "connections"), "correction"),
            value: correction.to_string(),
            message: format!(
                "above {MOST_CORRECTED} stretched connections may overshoot and make the fluid boil; c/4 in steps half as \
                 long is as stiff"
            ),
        })
    }

    /// A solvent too thin to damp the noise of an elastic stress.
    fn unsteady(&self, at: &str, material: &Material) -> Option<Note> {
        let support = f64::from(self.solver.as_iisph()?.support) * self.spacing;
        let least = maxwell::least_solvent(material, support);
        let Rheology::Measured { solvent_viscosity, .. } = material.rheology else { return None };
        (self.method == Method::Maxwell && solvent_viscosity < least * (1.0 - ROUNDING)).then(|| Note {
            field: child(at, "solvent_viscosity"),
            value: number(solvent_viscosity),
            message: format!(
                "thin: the elastic stress of method = \"maxwell\" is noisy, and the fluid comes apart at small strain; \
                 {} or more holds longer",
                number(rounded_up(least)),
            ),
        })
    }

    /// Connections, springs and clusters, of which other methods than their own know nothing.
    pub(super) fn of_other_methods(&self, at: &str, given: &scene::Material) -> Vec<Option<Note>> {
        let note = |method: Method, field: &str, value: Option<String>, does: &str| {
            let value = value.filter(|_| method != self.method)?;
            let message = format!("ignored: only method = \"{does}");
            Some(Note { field: child(at, field), value: format!("{{ {value} … }}"), message })
        };
        let correction = given.connections.map(|c| format!("correction = {}", c.correction));
        let yield_ratio = given.springs.map(|s| format!("yield_ratio = {}", number(s.yield_ratio)));
        let radius = given.shape_matching.map(|s| format!("cluster_radius = {}", number(s.cluster_radius)));
        let connects = "velocity_correction\" connects particles";
        vec![
            note(Method::VelocityCorrection, "connections", correction, connects),
            note(Method::Springs, "springs", yield_ratio, "springs\" has springs"),
            note(Method::ShapeMatching, "shape_matching", radius, "shape_matching\" matches shapes"),
        ]
    }
}
