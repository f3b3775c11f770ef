//! The rules of a material: which of its fields go together.

use super::Check;
use crate::material::{LOOKS, PRESETS, Preset};
use crate::methods::dcpbd::Formulation;
use crate::scene::path::{child, hint, item, number};
use crate::scene::{Connections, Material, Method};

impl Check<'_> {
    /// Looks have names.
    pub(super) fn look(&mut self, at: &str, look: Option<&str>) {
        if let Some(look) = look.filter(|look| !LOOKS.contains(look)) {
            let message = format!("unknown look; {}", hint(look, LOOKS));
            self.report(&child(at, "look"), Some(format!("{look:?}")), message);
        }
    }

    pub(super) fn material(&mut self, at: &str, i: usize, material: &Material) {
        let name = material.name.as_str();
        let first = self.material_names.iter().position(|known| *known == name);
        if let Some(first) = first.filter(|first| *first < i) {
            let message = format!("is the name of material[{first}] too; names must differ");
            self.report(&child(at, "name"), Some(format!("{name:?}")), message);
        }
        let presets: Vec<&str> = PRESETS.iter().map(|p| p.name).collect();
        if let Some(preset) = &material.preset
            && !presets.contains(&preset.as_str())
        {
            let hint = hint(preset, &presets);
            let message = format!("unknown preset; {hint}");
            self.report(&child(at, "preset"), Some(format!("{preset:?}")), message);
        }
        self.look(at, material.look.as_deref());
        if let Some(connections) = &material.connections {
            self.connections(&child(at, "connections"), connections);
        }
        self.stiffness_of_comparisons(at, material);
        let before = self.problems.len();
        self.rheology(at, material);
        // Keys that inherit a mistake would only repeat it.
        if self.problems.len() == before {
            self.material_keys(at, material);
        }
        let finite = match self.method {
            Some(Method::Coupled) => Some("coupled"),
            Some(Method::VelocityCorrection) => Some("velocity_correction"),
            Some(Method::Pbf) => Some("pbf"),
            Some(Method::Sph) => Some("sph"),
            Some(Method::Mps) => Some("mps"),
            Some(Method::Springs) => Some("springs"),
            Some(Method::ShapeMatching) => Some("shape_matching"),
            Some(Method::Maxwell) => Some("maxwell"),
            Some(Method::Dcpbd) | None => None,
        };
        if let Some(method) = finite.filter(|_| material.viscosity == Some(f64::INFINITY)) {
            let message = format!(
                "method = \"{method}\" needs a finite viscosity; a rigid body needs method = \"dcpbd\""
            );
            self.report(&child(at, "viscosity"), Some("inf".into()), message);
        }
    }

    /// What of connections must not be above something else.
    fn connections(&mut self, at: &str, given: &Connections) {
        let Connections { correction, least_correction, merge_distance, split_distance, .. } = *given;
        if least_correction > correction {
            let message =
                format!("must be at most the correction, {correction}; it is 0.0001 where it is not given");
            self.report(&child(at, "least_correction"), Some(least_correction.to_string()), message);
        }
        if split_distance < merge_distance {
            let message = format!("must be at least the merge_distance, {merge_distance}");
            self.report(&child(at, "split_distance"), Some(split_distance.to_string()), message);
        }
    }

    /// Springs and clusters without a stiffness take it from the shear modulus.
    fn stiffness_of_comparisons(&mut self, at: &str, material: &Material) {
        let preset = material.preset.as_deref().and_then(Preset::find);
        let tau = material.relaxation_time.or(preset.map(|p| p.relaxation_time)).unwrap_or(0.0);
        let springs = material.springs.filter(|s| s.stiffness.is_none()).map(|_| ("springs", "stiffness"));
        let clusters =
            material.shape_matching.filter(|s| s.weight.is_none()).map(|_| ("shape_matching", "weight"));
        if tau <= 0.0 {
            for (table, field) in springs.into_iter().chain(clusters) {
                let message = "missing; without a relaxation_time there is no shear modulus to take it from";
                self.report(&child(&child(at, table), field), None, message);
            }
        }
    }

    fn rheology(&mut self, at: &str, material: &Material) {
        match self.formulation {
            Some(Formulation::Printed) => self.printed_material(at, material),
            Some(Formulation::Corrected) => self.real_material(at, material),
            None => {}
        }
    }

    /// Every key is a material of its own, and follows the rules of one.
    fn material_keys(&mut self, at: &str, material: &Material) {
        let (keys, mut last) = (child(at, "keys"), 0.0);
        let rigid = material.viscosity == Some(f64::INFINITY);
        if rigid && !material.keys.is_empty() {
            let message = "must be finite where the material has keys: nothing lies between inf and a number";
            return self.report(&child(at, "viscosity"), Some("inf".into()), message);
        }
        for (i, (key, (_, stage))) in material.keys.iter().zip(material.stages().iter().skip(1)).enumerate() {
            let here = item(&keys, i);
            if key.time <= last {
                let of = if i == 0 {
                    "where the material's own values hold"
                } else {
                    "the time of the key before it"
                };
                let message = format!("must be above {}, {of}", number(last));
                self.report_number(&child(&here, "time"), key.time, message);
            }
            last = key.time.max(last);
            if key.viscosity == Some(f64::INFINITY) {
                let message = "must be a finite number: nothing lies between inf and a number";
                self.report(&child(&here, "viscosity"), Some("inf".into()), message);
            } else {
                self.rheology(&here, stage);
            }
        }
    }

    /// The paper's own parameters: compliance and relaxation time.
    fn printed_material(&mut self, at: &str, material: &Material) {
        let refused = [
            ("viscosity", material.viscosity.map(number)),
            ("shear_modulus", material.shear_modulus.map(number)),
            ("solvent_viscosity", material.solvent_viscosity.map(number)),
            ("preset", material.preset.as_ref().map(|p| format!("{p:?}"))),
        ];
        for (name, value) in refused {
            if value.is_some() {
                let message = "not used by solver.formulation = \"printed\", \
                               which takes compliance and relaxation_time";
                self.report(&child(at, name), value, message);
            }
        }
        if material.compliance.is_none() {
            let message = "missing; solver.formulation = \"printed\" needs it";
            self.report(&child(at, "compliance"), None, message);
        }
    }

    /// What a rheometer measures.
    fn real_material(&mut self, at: &str, material: &Material) {
        if let Some(compliance) = material.compliance {
            let message = "only for solver.formulation = \"printed\" of the method dcpbd; \
                           give viscosity or shear_modulus";
            self.report_number(&child(at, "compliance"), compliance, message);
        }
        match (material.viscosity, material.shear_modulus) {
            (None, None) if material.preset.is_none() && material.compliance.is_none() => {
                let message = "needs one of preset, viscosity and shear_modulus";
                self.report(at, None, message);
            }
            (Some(_), Some(modulus)) => {
                let message = "give viscosity or shear_modulus, not both";
                self.report_number(&child(at, "shear_modulus"), modulus, message);
            }
            _ => {}
        }
        self.relaxing_material(at, material);
    }

    /// The rules between viscosity, solvent and relaxation time, with what the preset fills in.
    fn relaxing_material(&mut self, at: &str, material: &Material) {
        let preset = material.preset.as_deref().and_then(Preset::find);
        let tau = material.relaxation_time.or(preset.map(|p| p.relaxation_time)).unwrap_or(0.0);
        let solvent = material.solvent_viscosity.or(preset.map(|p| p.solvent_viscosity)).unwrap_or(0.0);
        if tau < 0.0 {
            return; // The schema's matter.
        }
        if let Some(modulus) = material.shear_modulus {
            let message = match (modulus > 0.0, tau > 0.0) {
                (_, false) => "needs a relaxation_time above 0: the polymer's viscosity is their product",
                (false, true) => "must be above 0 where there is a relaxation_time: nothing else would relax",
                (true, true) => return,
            };
            return self.report_number(&child(at, "shear_modulus"), modulus, message);
        }
        let Some(viscosity) = material.viscosity.or(preset.map(|p| p.viscosity)) else {
            return;
        };
        if solvent > viscosity {
            return match material.solvent_viscosity {
                Some(solvent) => {
                    let message = format!("must be at most the viscosity, {}", number(viscosity));
                    self.report_number(&child(at, "solvent_viscosity"), solvent, message);
                }
                None => {
                    let solvent = number(solvent);
                    let message =
                        format!("must be at least the preset's solvent_viscosity, {solvent}; or give both");
                    self.report_number(&child(at, "viscosity"), viscosity, message);
                }
            };
        }
        if tau > 0.0 && viscosity.is_infinite() {
            let message = "must be 0 where viscosity = inf: a rigid material does not relax";
            self.report_number(&child(at, "relaxation_time"), tau, message);
        } else if tau > 0.0 && solvent >= viscosity {
            let message = format!(
                "must be 0 where nothing relaxes: the solvent's viscosity is {} of {}; \
                 a polymer has a viscosity above its solvent's",
                number(solvent),
                number(viscosity)
            );
            self.report_number(&child(at, "relaxation_time"), tau, message);
        }
    }
}
