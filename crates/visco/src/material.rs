//! Materials: what a rheometer measures, or the paper's two parameters.

use crate::scene;

/// A material with every default filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name in the scene.
    pub name: String,
    /// Density at rest, in kg/m³.
    pub density: f32,
    /// How it flows.
    pub rheology: Rheology,
}

/// How a material flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rheology {
    /// In real units: an Oldroyd-B fluid, of which the Newtonian fluid is the case τ = 0.
    Measured {
        /// Polymer viscosity η_p, in Pa·s; infinite for a rigid material.
        polymer_viscosity: f64,
        /// Solvent viscosity η_s, in Pa·s.
        solvent_viscosity: f64,
        /// Relaxation time τ, in s.
        relaxation_time: f64,
    },
    /// The parameters of Barreiro et al. 2017, as printed.
    Printed {
        /// Compliance α.
        compliance: f64,
        /// Relaxation time τ, in s.
        relaxation_time: f64,
    },
}

impl Rheology {
    /// Shear modulus G = η_p/τ of the polymer, in Pa; 0 where there is no relaxation time.
    pub fn shear_modulus(&self) -> f64 {
        match *self {
            Self::Measured { polymer_viscosity, relaxation_time, .. } if relaxation_time > 0.0 => {
                polymer_viscosity / relaxation_time
            }
            _ => 0.0,
        }
    }
}

/// A named set of values with their source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Name.
    pub name: &'static str,
    /// Density, in kg/m³.
    pub density: f64,
    /// Viscosity, in Pa·s.
    pub viscosity: f64,
    /// Relaxation time, in s.
    pub relaxation_time: f64,
    /// Where the values come from.
    pub source: &'static str,
}

/// The presets that a scene can name.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "honey",
        density: 1400.0,
        viscosity: 10.0,
        relaxation_time: 0.0,
        source: "flower honey of 17 to 18 % water near 25 °C: 1.40 to 1.42 kg/l, 8 to 15 Pa·s; Newtonian \
                 (Yanniotis et al. 2006, J. Food Eng. 72, 372)",
    },
    Preset {
        name: "water",
        density: 998.2,
        viscosity: 1.002e-3,
        relaxation_time: 0.0,
        source: "20 °C, IAPWS 2008",
    },
];

impl Material {
    /// Fills in the defaults of a checked description.
    pub fn from_scene(m: &scene::Material) -> Self {
        let preset = m.preset.as_deref().and_then(|name| PRESETS.iter().find(|p| p.name == name));
        let tau = m.relaxation_time.or(preset.map(|p| p.relaxation_time)).unwrap_or(0.0);
        let rheology = if let Some(compliance) = m.compliance {
            Rheology::Printed { compliance, relaxation_time: tau }
        } else {
            let solvent_viscosity = m.solvent_viscosity.unwrap_or(0.0);
            let total = m.viscosity.or(preset.map(|p| p.viscosity)).unwrap_or(0.0);
            let polymer_viscosity = match m.shear_modulus {
                Some(modulus) => modulus * tau,
                None if total.is_finite() => total - solvent_viscosity,
                None => total,
            };
            Rheology::Measured { polymer_viscosity, solvent_viscosity, relaxation_time: tau }
        };
        let density = m.density.or(preset.map(|p| p.density)).unwrap_or(1000.0);
        Self { name: m.name.clone(), density: density as f32, rheology }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> scene::Material {
        scene::Material {
            name: name.into(),
            preset: None,
            density: None,
            viscosity: None,
            relaxation_time: None,
            solvent_viscosity: None,
            shear_modulus: None,
            compliance: None,
        }
    }

    #[test]
    fn a_modulus_with_a_relaxation_time_is_a_viscosity() {
        let by_modulus =
            scene::Material { shear_modulus: Some(1e5), relaxation_time: Some(5.0), ..named("a") };
        let by_viscosity = scene::Material { viscosity: Some(5e5), relaxation_time: Some(5.0), ..named("a") };
        let m = Material::from_scene(&by_modulus);
        assert_eq!(m, Material::from_scene(&by_viscosity));
        assert_eq!(m.rheology.shear_modulus(), 1e5);
        assert_eq!(m.density, 1000.0);
    }

    #[test]
    fn viscosity_is_that_of_the_whole_fluid() {
        let m = scene::Material { viscosity: Some(10.0), solvent_viscosity: Some(1.0), ..named("a") };
        let Rheology::Measured { polymer_viscosity, .. } = Material::from_scene(&m).rheology else {
            panic!("real units")
        };
        assert_eq!(polymer_viscosity, 9.0);
    }

    #[test]
    fn fields_override_a_preset() {
        let m = scene::Material { preset: Some("honey".into()), viscosity: Some(3.0), ..named("a") };
        let m = Material::from_scene(&m);
        assert_eq!(m.density, 1400.0);
        let Rheology::Measured { polymer_viscosity, .. } = m.rheology else { panic!("real units") };
        assert_eq!(polymer_viscosity, 3.0);
    }
}
