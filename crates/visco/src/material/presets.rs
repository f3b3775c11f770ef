//! Materials by name, with the sources of their values.
//!
//! Where a material has a yield stress, which the model has not, its viscosity is the effective one, stress over shear
//! rate, at the rate that the source names: it flows as the real one does at that rate, and does not stop.
//!
//! A value called typical, or an order of magnitude, is a rounded one of common use; no measurement of it was traced.

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
        source: "hen's, fresh, at room temperature. It thins with shear (Kumbár et al. 2021, Foods 10, 3130, at \
                 18 °C; Tung et al. 1970, J. Food Sci. 35, at 2 °C) and draws long threads (Bertho et al. 2022, \
                 Phys. Fluids 34, doi 10.1063/5.0082489); viscosity near 10 1/s and a modulus of 1 Pa are orders \
                 of magnitude, and differ between thick and thin white. Density as of 86 % water and 13 % \
                 protein; surface tension: typical value",
    },
    Preset {
        name: "golden-syrup",
        density: 1430.0,
        viscosity: 50.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.08,
        source: "sugar syrup, taken as Newtonian, used in volcanology as a model of lava (Sumner et al. 2005, J. \
                 Volcanol. Geotherm. Res. 142, 49). Typical values for 20 °C, not of one measurement; batches \
                 differ",
    },
    Preset {
        name: "guar-gum",
        density: 1160.0,
        viscosity: 28.0,
        solvent_viscosity: 0.001,
        relaxation_time: 0.08,
        surface_tension: 0.055,
        source: "Mukai et al. 2021, Viscoelastic Fluid Simulation based on the Combination of Viscous and Elastic \
                 Stresses, table 2: density, zero-shear viscosity and Young's modulus E = 1050 Pa, so that G = \
                 E/3 = 350 Pa and the relaxation time is viscosity/G; the solvent is water. About 55 mN/m: Garti \
                 & Reichman 1994, Food Hydrocolloids 8, 155",
    },
    Preset {
        name: "honey",
        density: 1400.0,
        viscosity: 10.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.055,
        source: "flower honey of about 16 % water near 25 °C; beekeepers' tables have 19 Pa·s at 20 °C and 6.5 \
                 Pa·s at 30 °C for it, and 1.42 kg/l at 20 °C, less with more water. Newtonian (Lazaridou et al. \
                 2004, J. Food Eng. 64, 9: 33 honeys of 13 to 19 % water). Surface tension: typical value",
    },
    Preset {
        name: "ice-cream",
        density: 550.0,
        viscosity: 100.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.05,
        source: "soft, as it leaves the freezer at -5 to -8 °C (Eisner et al. 2005, Colloids Surf. A 263, 390), \
                 half of it air: overrun 100 % (80 to 120 % in Sofjan & Hartel 2004, Int. Dairy J. 14, 255) of a \
                 mix of 1.1 kg/l. It yields and, like sorbet, thins with shear (Arellano et al. 2013, J. Food \
                 Eng., doi 10.1016/j.jfoodeng.2013.05.017): the viscosity is the effective one near 10 1/s, an \
                 order of magnitude, without the yield stress; elasticity is left out. Surface tension as of \
                 milk, 52 mN/m at 20 °C (J. Dairy Res. 50, 259, 1983)",
    },
    Preset {
        name: "molten-chocolate",
        density: 1250.0,
        viscosity: 12.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.03,
        source: "tempered milk chocolate of 30 % fat: Bingham fluid with a yield stress of 36 Pa and 8.7 Pa·s \
                 (Bergemann et al. 2018, J. Rheol. 62, 1187), so 12 Pa·s at 10 1/s; that is the effective \
                 viscosity, without the yield stress. Density from its fat (0.89 kg/l) and solids (1.5 kg/l); \
                 Beckett, Industrial Chocolate Manufacture and Use, has 1.2 kg/l at 40 °C. Surface tension: \
                 typical value of fats",
    },
    Preset {
        name: "slime",
        density: 1020.0,
        viscosity: 300.0,
        solvent_viscosity: 0.001,
        relaxation_time: 0.3,
        surface_tension: 0.05,
        source: "poly(vinyl alcohol) of some 4 % with borax at room temperature, a network of links that open and \
                 close (Inoue & Osaki 1993, Rheol. Acta 32, 550; it also thickens with shear, which is left out), \
                 taken as one Maxwell element; G = 1 kPa and 0.3 s are orders of magnitude, both depend strongly \
                 on the concentrations. Density and surface tension: typical values",
    },
    Preset {
        name: "toothpaste",
        density: 1300.0,
        viscosity: 25.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.035,
        source: "a paste that thins with shear and has a yield stress (Herschel-Bulkley: Teoman & Potanin 2025, \
                 J. Texture Stud. 56, doi 10.1111/jtxs.70018), typically of some 100 Pa: the viscosity is the \
                 effective one near 10 1/s, an order of magnitude, without the yield stress. Density: typical \
                 value; surface tension as of its surfactant",
    },
    Preset {
        name: "water",
        density: 998.2,
        viscosity: 1.002e-3,
        solvent_viscosity: 0.0,
        relaxation_time: 0.0,
        surface_tension: 0.0727,
        source: "20 °C and 1 atm: density IAPWS-95, viscosity IAPWS R12-08 (2008), surface tension IAPWS R1-76 \
                 (2014)",
    },
    Preset {
        name: "whipped-cream",
        density: 500.0,
        viscosity: 50.0,
        solvent_viscosity: 0.0,
        relaxation_time: 0.05,
        surface_tension: 0.045,
        source: "cream of 35 to 40 % fat, whipped to twice its volume. Typical values, not of one measurement: a \
                 yield stress of some tens of Pa, so that the viscosity is the effective one at 1 1/s, without \
                 the yield stress; the relaxation time is viscosity/G with G near 1 kPa, an order of magnitude. \
                 Surface tension somewhat below that of milk (52 mN/m at 20 °C, J. Dairy Res. 50, 259, 1983), as \
                 fat lowers it (Mukherjee et al. 2005, Int. J. Food Eng. 1(2), 2)",
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
