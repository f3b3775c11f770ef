//! Materials: what a rheometer measures, or the paper's two parameters.

mod keyed;
mod looks;
mod presets;

pub use keyed::KeyedMaterial;
pub use looks::LOOKS;
pub use presets::{PRESETS, Preset};

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
    /// How its stress follows the stretch of its polymer; the method's own way if not given.
    pub model: Option<scene::Model>,
    /// Surface tension against air, in N/m; 0 is none.
    pub surface_tension: f32,
    /// How its particles are connected, if they are, in the method that connects them.
    pub connections: Option<scene::Connections>,
    /// The springs between its particles, if there are, in the method that has them.
    pub springs: Option<scene::Springs>,
    /// How clusters of its particles keep their shape, if they do, in the method that has them.
    pub shape_matching: Option<scene::ShapeMatching>,
}

impl Material {
    /// Time that a shear wave takes for a way (m), in s; infinite where nothing is elastic.
    pub fn shear_wave_time(&self, way: f64) -> f64 {
        way * (f64::from(self.density) / self.rheology.shear_modulus()).sqrt()
    }
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
    /// The shorter of the relaxation time and `longest`, in s.
    pub(crate) fn memory(&self, longest: f32) -> f32 {
        (self.relaxation_time() as f32).min(longest)
    }

    /// Relaxation time of the polymer, in s.
    pub fn relaxation_time(&self) -> f64 {
        let (Self::Measured { relaxation_time, .. } | Self::Printed { relaxation_time, .. }) = *self;
        relaxation_time
    }

    /// Viscosity of the solvent, in Pa·s.
    pub fn solvent_viscosity(&self) -> f64 {
        match *self {
            Self::Measured { solvent_viscosity, .. } => solvent_viscosity,
            Self::Printed { .. } => 0.0,
        }
    }

    /// Shear modulus G = η_p/τ of the polymer, in Pa; 0 where there is no relaxation time.
    pub fn shear_modulus(&self) -> f64 {
        match *self {
            Self::Measured { polymer_viscosity, relaxation_time, .. } if relaxation_time > 0.0 => {
                polymer_viscosity / relaxation_time
            }
            _ => 0.0,
        }
    }

    /// Viscosity of the fluid in slow, steady flow, in Pa·s: that of polymer and solvent. 0 where the parameters are those
    /// printed.
    pub fn steady_viscosity(&self) -> f64 {
        match *self {
            Self::Measured { polymer_viscosity, solvent_viscosity, .. } => {
                polymer_viscosity + solvent_viscosity
            }
            Self::Printed { .. } => 0.0,
        }
    }

    /// Viscosity that resists in a step of `dt` seconds, in Pa·s: η_p (1 − exp(−Δt/τ)) + η_s. None where the
    /// parameters are those printed, which have no unit of viscosity.
    pub fn viscosity_in_step(&self, dt: f64) -> Option<f64> {
        match *self {
            Self::Measured { polymer_viscosity, solvent_viscosity, relaxation_time } => {
                let share = if relaxation_time > 0.0 { -(-dt / relaxation_time).exp_m1() } else { 1.0 };
                Some(polymer_viscosity * share + solvent_viscosity)
            }
            Self::Printed { .. } => None,
        }
    }
}

impl Material {
    /// Number of spacings squared that velocity diffuses over in a step: Δt η/(ρ d²), with the viscosity that
    /// resists in the step.
    pub fn diffusion(&self, dt: f64, spacing: f64) -> Option<f64> {
        let viscosity = self.rheology.viscosity_in_step(dt)?;
        Some(viscosity * dt / (f64::from(self.density) * spacing.powi(2)))
    }

    /// Longest step, in s, in which surface tension is stable at a spacing: Δt² σ/d³ = 0.36 ρ + 0.9 η Δt/d², found on
    /// drops. It is infinite without surface tension.
    pub fn capillary_step(&self, spacing: f64) -> f64 {
        const INERTIA: f64 = 0.36;
        const VISCOUS: f64 = 0.9;
        let stiffness = f64::from(self.surface_tension) / spacing.powi(3);
        let inertia = INERTIA * f64::from(self.density);
        if stiffness == 0.0 {
            return f64::INFINITY;
        }
        // A polymer resists the less the shorter the step; that of inertia alone is the shortest that can come out.
        let viscosity = self.rheology.viscosity_in_step((inertia / stiffness).sqrt()).unwrap_or(0.0);
        let damping = 0.5 * VISCOUS * viscosity / spacing.powi(2);
        if damping.is_infinite() {
            return f64::INFINITY;
        }
        (damping + (damping * damping + stiffness * inertia).sqrt()) / stiffness
    }

    /// Fills in the defaults of a checked description.
    pub fn from_scene(m: &scene::Material) -> Self {
        let preset = m.preset.as_deref().and_then(Preset::find);
        let tau = m.relaxation_time.or(preset.map(|p| p.relaxation_time)).unwrap_or(0.0);
        let rheology = if let Some(compliance) = m.compliance {
            Rheology::Printed { compliance, relaxation_time: tau }
        } else {
            let solvent_viscosity =
                m.solvent_viscosity.or(preset.map(|p| p.solvent_viscosity)).unwrap_or(0.0);
            let total = m.viscosity.or(preset.map(|p| p.viscosity)).unwrap_or(0.0);
            let polymer_viscosity = match m.shear_modulus {
                Some(modulus) => modulus * tau,
                None if total.is_finite() => total - solvent_viscosity,
                None => total,
            };
            Rheology::Measured { polymer_viscosity, solvent_viscosity, relaxation_time: tau }
        };
        let density = m.density.or(preset.map(|p| p.density)).unwrap_or(1000.0);
        // Not the preset's: surface tension matters for small drops alone, so a scene asks for it.
        let surface_tension = m.surface_tension.unwrap_or(0.0) as f32;
        let elastic = tau > 0.0;
        Self {
            name: m.name.clone(),
            density: density as f32,
            rheology,
            surface_tension,
            model: m.model,
            connections: m.connections.or(elastic.then(Default::default)),
            springs: m.springs.or(elastic.then(Default::default)),
            shape_matching: m.shape_matching.or(elastic.then(Default::default)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_modulus_with_a_relaxation_time_is_a_viscosity() {
        let by_modulus = scene::Material {
            shear_modulus: Some(1e5),
            relaxation_time: Some(5.0),
            ..scene::Material::named("a")
        };
        let by_viscosity = scene::Material {
            viscosity: Some(5e5),
            relaxation_time: Some(5.0),
            ..scene::Material::named("a")
        };
        let m = Material::from_scene(&by_modulus);
        assert_eq!(m, Material::from_scene(&by_viscosity));
        assert_eq!(m.rheology.shear_modulus(), 1e5);
        assert_eq!(m.density, 1000.0);
    }

    #[test]
    fn a_slow_polymer_resists_little_in_a_short_step() {
        let fluid = |relaxation_time| Rheology::Measured {
            polymer_viscosity: 10.0,
            solvent_viscosity: 1.0,
            relaxation_time,
        };
        let felt = |tau, dt| fluid(tau).viscosity_in_step(dt).expect("real units");
        assert_eq!(felt(0.0, 1e-3), 11.0);
        // G Δt + η_s for steps much shorter than τ, all of it for much longer ones.
        assert!((felt(10.0, 1e-3) - 1.001).abs() < 1e-6);
        assert!((felt(1e-3, 1.0) - 11.0).abs() < 1e-12);
        let m = Material {
            name: "a".into(),
            density: 1000.0,
            rheology: fluid(0.0),
            surface_tension: 0.0,
            model: Default::default(),
            connections: None,
            springs: None,
            shape_matching: None,
        };
        assert!((m.diffusion(0.01, 0.1).expect("real units") - 0.011).abs() < 1e-12);
        let printed = Rheology::Printed { compliance: 1.0, relaxation_time: 1.0 };
        assert_eq!(printed.viscosity_in_step(0.1), None);
    }

    #[test]
    fn viscosity_is_that_of_the_whole_fluid() {
        let m = scene::Material {
            viscosity: Some(10.0),
            solvent_viscosity: Some(1.0),
            ..scene::Material::named("a")
        };
        let Rheology::Measured { polymer_viscosity, .. } = Material::from_scene(&m).rheology else {
            panic!("real units")
        };
        assert_eq!(polymer_viscosity, 9.0);
    }

    #[test]
    fn fields_override_a_preset() {
        let m = scene::Material {
            preset: Some("honey".into()),
            viscosity: Some(3.0),
            ..scene::Material::named("a")
        };
        let m = Material::from_scene(&m);
        assert_eq!(m.density, 1400.0);
        let Rheology::Measured { polymer_viscosity, .. } = m.rheology else { panic!("real units") };
        assert_eq!(polymer_viscosity, 3.0);
    }

    #[test]
    fn a_preset_brings_its_solvent_but_not_its_surface_tension() {
        let guar = scene::Material { preset: Some("guar-gum".into()), ..scene::Material::named("a") };
        let m = Material::from_scene(&guar);
        let expected = Rheology::Measured {
            polymer_viscosity: 28.0 - 0.001,
            solvent_viscosity: 0.001,
            relaxation_time: 0.08,
        };
        assert_eq!(m.rheology, expected);
        assert_eq!(m.surface_tension, 0.0);
        let m = Material::from_scene(&scene::Material { surface_tension: Some(0.055), ..guar });
        assert_eq!(m.surface_tension, 0.055);
    }
}
