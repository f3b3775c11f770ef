//! The Oldroyd-B fluid in homogeneous shear; the Newtonian fluid is the case λ = 0.

use super::{Moduli, RheometerError, ShearStress};
use visco::material::Rheology;
use visco::scene::Material;

/// A material as rheology knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theory {
    /// Polymer viscosity η_p, in Pa·s.
    pub polymer_viscosity: f64,
    /// Solvent viscosity η_s, in Pa·s.
    pub solvent_viscosity: f64,
    /// Relaxation time λ, in s.
    pub relaxation_time: f64,
    /// Density, in kg/m³.
    pub density: f64,
}

impl Theory {
    /// What a material's description amounts to.
    pub(super) fn of(material: &Material) -> Result<Self, RheometerError> {
        let known = visco::material::Material::from_scene(material);
        let theory = match known.rheology {
            Rheology::Measured { polymer_viscosity, solvent_viscosity, relaxation_time } => Self {
                polymer_viscosity,
                solvent_viscosity,
                relaxation_time,
                density: f64::from(known.density),
            },
            Rheology::Printed { .. } => return Err(RheometerError::NoViscosity(material.name.clone())),
        };
        match theory.viscosity() {
            eta if eta > 0.0 && eta.is_finite() => Ok(theory),
            _ => Err(RheometerError::NoViscosity(material.name.clone())),
        }
    }

    /// Viscosity of the whole fluid, in Pa·s.
    pub fn viscosity(&self) -> f64 {
        self.polymer_viscosity + self.solvent_viscosity
    }

    /// The relaxation time, or a second for a fluid that has none.
    pub fn time(&self) -> f64 {
        if self.relaxation_time > 0.0 { self.relaxation_time } else { 1.0 }
    }

    /// The viscosity E = η_s + η_p (1 − e^(−Δt/λ)) that answers within a step, in Pa·s.
    pub fn step_viscosity(&self, dt: f64) -> f64 {
        self.solvent_viscosity - self.polymer_viscosity * (-self.relaxed(dt)).exp_m1()
    }

    /// t/λ; infinite without memory.
    fn relaxed(&self, time: f64) -> f64 {
        if self.relaxation_time > 0.0 { time / self.relaxation_time } else { f64::INFINITY }
    }

    /// Stress after shear with a rate γ̇ for a time:
    /// σ_xy = η_s γ̇ + η_p γ̇ (1 − e^(−t/λ)), N₁ = 2 η_p λ γ̇² [1 − e^(−t/λ)(1 + t/λ)].
    pub fn start_up(&self, rate: f64, time: f64) -> ShearStress {
        let r = self.relaxed(time);
        // e⁻ʳ r is 0 at infinity.
        let (left, slowly) = ((-r).exp(), if r.is_finite() { (-r).exp() * r } else { 0.0 });
        let eta_p = self.polymer_viscosity;
        ShearStress {
            time,
            shear: rate * (self.solvent_viscosity + eta_p * (1.0 - left)),
            normal: 2.0 * eta_p * self.relaxation_time * rate * rate * (1.0 - left - slowly),
        }
    }

    /// Stress at a time after shear that stopped at `sheared`: that of the polymer decays as e^(−t/λ).
    pub fn relaxation(&self, rate: f64, sheared: f64, time: f64) -> ShearStress {
        let (last, left) = (self.start_up(rate, sheared), (-self.relaxed(time - sheared)).exp());
        let polymer = last.shear - self.solvent_viscosity * rate;
        ShearStress { time, shear: polymer * left, normal: last.normal * left }
    }

    /// G′ = η_p λ ω²/(1 + λ²ω²), G″ = η_s ω + η_p ω/(1 + λ²ω²).
    pub fn moduli(&self, omega: f64) -> Moduli {
        let x = self.relaxation_time * omega;
        let viscous = self.polymer_viscosity * omega / (1.0 + x * x);
        Moduli { storage: viscous * x, loss: self.solvent_viscosity * omega + viscous }
    }
}
