//! What the methods on implicit incompressible SPH make of a material: notes on what they ignore, and on what their steps
//! do not carry.

use super::{Note, ROUNDING};
use crate::iisph::MOST_VISCOUS;
use crate::material::{Material, Rheology};
use crate::methods::comparisons::maxwell;
use crate::scene::path::{child, number, rounded_down, rounded_up};
use crate::scene::{self, Method, Model, Scene};

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
        let mut notes = match self.method {
            Method::VelocityCorrection => self.in_place_of_polymer(at, given, material),
            _ => self.given_twice(at, given, material),
        };
        let divided = self.stable_stress(material).map_or(dt, |stable| stable.min(dt));
        notes.extend([
            self.too_viscous(at, given, material, divided),
            self.divided_by_stress(at, given, material, dt),
            self.unsteady(at, material),
            self.too_stiff_to_correct(at, given),
        ]);
        notes
    }

    /// A polymer, in the place of which there are connections.
    fn in_place_of_polymer(
        &self,
        at: &str,
        given: &scene::Material,
        material: &Material,
    ) -> Vec<Option<Note>> {
        let message = "ignored: method = \"velocity_correction\" has `connections` in place of a polymer";
        let tau = material.rheology.relaxation_time();
        let relaxation = given.stated_relaxation(at, tau).map(|(field, value)| {
            let felt = material.rheology.solvent_viscosity();
            let message =
                format!("{message}; of its viscosity the solvent's, {} Pa·s, is felt", number(felt));
            Note { field, value, message }
        });
        let ignored = |field: &str, value: Option<f64>| {
            value.map(|value| Note { field: child(at, field), value: number(value), message: message.into() })
        };
        vec![relaxation, ignored("shear_modulus", given.shear_modulus)]
    }

    /// What a polymer is made of and the table of a comparison says too, which then counts.
    fn given_twice(&self, at: &str, given: &scene::Material, material: &Material) -> Vec<Option<Note>> {
        let (table, stiffness, plasticity) = match self.method {
            Method::Springs => {
                let given = given.springs.unwrap_or_default();
                ("springs", given.stiffness.map(|_| "stiffness"), given.plasticity)
            }
            Method::ShapeMatching => {
                let given = given.shape_matching.unwrap_or_default();
                ("shape_matching", given.weight.map(|_| "weight"), given.plasticity)
            }
            _ => ("", None, None),
        };
        let instead = |of: &str| format!("ignored: `{table}.{of}` is given in its place");
        let relaxation = given.stated_relaxation(at, material.rheology.relaxation_time());
        let modulus = stiffness.filter(|_| relaxation.is_some()).map(|of| {
            let (field, value) = given.stated_viscosity(at);
            let message = format!("the polymer's part is {}", instead(of));
            Note { field, value: number(value), message }
        });
        let relaxes = plasticity.and(relaxation).map(|(field, value)| Note {
            field,
            value,
            message: instead("plasticity"),
        });
        vec![modulus, relaxes]
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

    /// The longest step in which an explicit stress is stable, in s.
    fn stable_stress(&self, material: &Material) -> Option<f64> {
        let support = f64::from(self.solver.as_iisph()?.support) * self.spacing;
        (self.method == Method::Maxwell).then(|| maxwell::elastic_step(material, (self.spacing, support)))
    }

    /// A shear modulus that needs shorter steps than the scene has.
    fn divided_by_stress(
        &self,
        at: &str,
        given: &scene::Material,
        material: &Material,
        dt: f64,
    ) -> Option<Note> {
        let stable = self.stable_stress(material).filter(|stable| dt > stable * (1.0 + ROUNDING))?;
        let message = format!(
            "stable in explicit steps of {} s or less at this spacing: the scene's, {} s, are divided",
            number(rounded_down(stable)),
            number(rounded_down(dt)),
        );
        let (field, value) = given.stated_viscosity(at);
        Some(Note { field, value: number(value), message })
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
            self.of_another_model(at, given),
            note(Method::VelocityCorrection, "connections", correction, connects),
            note(Method::Springs, "springs", yield_ratio, "springs\" has springs"),
            note(Method::ShapeMatching, "shape_matching", radius, "shape_matching\" matches shapes"),
        ]
    }

    /// How a polymer's stress follows its stretch, which but one method lets choose.
    fn of_another_model(&self, at: &str, given: &scene::Material) -> Option<Note> {
        let model = given.model?;
        let its_own = match self.method {
            Method::Coupled => true,
            Method::Dcpbd => model == Model::Linear,
            _ => false,
        };
        (!its_own).then(|| Note {
            field: child(at, "model"),
            value: format!("{:?}", model.name()),
            message: "ignored: only method = \"coupled\" has a choice of models".into(),
        })
    }
}
