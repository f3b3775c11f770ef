//! Materials by name, with the sources of their values.
//!
//! Where a material has a yield stress, which the model has not, its viscosity is the effective one, stress over shear
//! rate, at the rate that the source names: it flows as the real one does at that rate, and does not stop.

/// A named set of values with their source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Name.
    pub name: &'static str,
    /// Density, in kg/m³.
    pub density: f64,
    /// Viscosity of the whole fluid, in Pa·s.
    pub viscosity: f64,
    /// The solvent's part of the viscosity, in Pa·s.
    pub solvent_viscosity: f64,
    /// Relaxation time, in s.
    pub relaxation_time: f64,
    /// Surface tension against air, in N/m; a scene that wants it says so.
    pub surface_tension: f64,
    /// Where the values come from.
    pub source: &'static str,
}

impl Preset {
    /// The preset of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}

/// The presets that a scene can name.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "egg-white",
        density: 1035.0,
        viscosity: 0.05,
        solvent_viscosity: 0.005,
        relaxation_time: 0.05,
        surface_tension: 0.05,
        source: "hen's, fresh, at room temperature: 1.035 kg/l and about 50 mN/m (Romanoff & Romanoff 1949, The Avian \
                 Egg). It thins with shear (Tung et al. 1970, J. Food Sci. 35) and draws long threads (Bertho \
                 et al. 2022, Phys. Fluids 34, 033101); viscosity near 10 1/s and a modulus of 1 Pa are orders of \
                 magnitude, they differ tenfold between thick and thin white",
    },
    Preset {
        name: "golden-syrup",
        density: 1430.0,
        viscosity: 50.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.08,
        source: "Newtonian, a model liquid of volcanology (Llewellin, Mader & Wilson 2002, Proc. R. Soc. A 458, 987); \
                 rounded values for 20 °C, 1.43 to 1.44 kg/l, 40 to 60 Pa·s by batch, near 80 mN/m",
    },
    Preset {
        name: "guar-gum",
        density: 1160.0,
        viscosity: 28.0,
        solvent_viscosity: 0.001,
        relaxation_time: 0.08,
        surface_tension: 0.055,
        source: "Mukai et al. 2021, Viscoelastic Fluid Simulation based on the Combination of Viscous and Elastic \
                 Stresses, table 2: density, zero-shear viscosity and Young's modulus E = 1050 Pa, so that G = E/3 = \
                 350 Pa and the relaxation time is viscosity/G; the solvent is water. 55 mN/m: Garti & Reichman 1994, \
                 Food Hydrocolloids 8, 155",
    },
    Preset {
        name: "honey",
        density: 1400.0,
        viscosity: 10.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.055,
        source: "flower honey of 17 to 18 % water near 25 °C: 1.40 to 1.42 kg/l, 8 to 15 Pa·s; Newtonian \
                 (Yanniotis et al. 2006, J. Food Eng. 72, 372); 50 to 60 mN/m (Krell 1996, FAO Agric. Serv. Bull. 124)",
    },
    Preset {
        name: "ice-cream",
        density: 550.0,
        viscosity: 100.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.05,
        source: "soft, near -5 °C as it leaves the freezer, half of it air (overrun 100 %). It thins with shear and \
                 yields (Martin et al. 2008, Appl. Rheol. 18, 12913): the viscosity is the effective one near 10 1/s, \
                 an order of magnitude, without the yield stress; elasticity may be left out (Leighton et al. 1934, J. \
                 Dairy Sci. 17, 639). Surface tension of the mix",
    },
    Preset {
        name: "molten-chocolate",
        density: 1250.0,
        viscosity: 12.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.03,
        source: "tempered milk chocolate of 30 % fat: Bingham fluid with a yield stress of 36 Pa and 8.7 Pa·s (Bergemann \
                 et al. 2018, J. Rheol. 62, 1187), so 12 Pa·s at 10 1/s; that is the effective viscosity, without the \
                 yield stress. Density from its fat (0.89 kg/l) and solids (1.5 kg/l), surface tension as of its fat",
    },
    Preset {
        name: "slime",
        density: 1020.0,
        viscosity: 300.0,
        solvent_viscosity: 0.001,
        relaxation_time: 0.3,
        surface_tension: 0.05,
        source: "poly(vinyl alcohol) of some 4 % with borax at room temperature, a network of links that open and close \
                 (Inoue & Osaki 1993, Rheol. Acta 32, 550), taken as one Maxwell element; G = 1 kPa and 0.3 s are \
                 orders of magnitude, both vary tenfold with the concentrations",
    },
    Preset {
        name: "toothpaste",
        density: 1300.0,
        viscosity: 25.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.035,
        source: "a paste that thins with shear and has a yield stress (Ahuja, Luisi & Potanin 2018, J. Non-Newton. Fluid \
                 Mech. 258, 1), of some 100 to 200 Pa: the viscosity is the effective one near 10 1/s, an order of \
                 magnitude, without the yield stress. Density of silica pastes; surface tension as of its surfactant",
    },
    Preset {
        name: "water",
        density: 998.2,
        viscosity: 1.002e-3,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.0727,
        source: "20 °C, IAPWS 2008; surface tension IAPWS R1-76 (2014)",
    },
    Preset {
        name: "whipped-cream",
        density: 500.0,
        viscosity: 50.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.05,
        surface_tension: 0.045,
        source: "cream of 35 to 40 % fat, whipped to twice its volume (Jakubczyk & Niranjan 2006, J. Food Eng. 77, 79), \
                 yield stress 40 Pa (Steffe 1996, Rheological Methods in Food Process Engineering): the viscosity is \
                 the effective one at 1 1/s, without the yield stress; the relaxation time is viscosity/G with G near \
                 1 kPa, an order of magnitude. Surface tension of its serum",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn every_preset_is_a_material_that_passes_the_check() {
        for preset in PRESETS {
            let scene = format!(
                "name = \"a\"\nspacing = 0.01\ntime = {{ frames = 2, dt = 0.001 }}\n\
                 material = [{{ name = \"m\", preset = \"{}\", surface_tension = {} }}]\n\
                 fluid = [{{ material = \"m\", shape = {{ sphere = {{ center = [0, 0, 0], radius = 0.1 }} }} }}]",
                preset.name, preset.surface_tension
            );
            let scene = Scene::from_toml(&scene).unwrap_or_else(|error| panic!("{}: {error}", preset.name));
            let material = crate::material::Material::from_scene(&scene.material[0]);
            assert_eq!(material.density, preset.density as f32, "{}", preset.name);
        }
    }

    #[test]
    fn every_preset_has_sensible_values_and_a_source() {
        for preset in PRESETS {
            let Preset { name, viscosity, solvent_viscosity, relaxation_time, surface_tension, .. } = *preset;
            assert!((100.0..3000.0).contains(&preset.density), "{name}");
            assert!(viscosity > 0.0 && (0.0..=viscosity).contains(&solvent_viscosity), "{name}");
            assert!((0.0..10.0).contains(&relaxation_time), "{name}");
            // No everyday liquid but mercury is above sugar solutions.
            assert!((0.02..0.09).contains(&surface_tension), "{name}");
            assert!(
                preset.source.contains(|c: char| c.is_ascii_digit()) && preset.source.len() > 20,
                "{name}"
            );
            assert!(!preset.source.contains("  "), "{name}");
        }
    }

    #[test]
    fn presets_are_found_by_names_that_are_in_order() {
        assert!(PRESETS.is_sorted_by(|a, b| a.name < b.name));
        assert_eq!(Preset::find("guar-gum").map(|p| p.density), Some(1160.0));
        assert_eq!(Preset::find("concrete"), None);
    }
}
