//! The Oldroyd-B fluid in homogeneous shear and extension; the Newtonian fluid is the case λ = 0.

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

    /// Shear modulus η_p/λ of the polymer, in Pa; 0 without memory.
    pub fn modulus(&self) -> f64 {
        if self.relaxation_time > 0.0 { self.polymer_viscosity / self.relaxation_time } else { 0.0 }
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
    /// Axial stress after uniaxial extension with a rate ε̇ for a time, Wi = λ ε̇:
    /// 3 η_s ε̇ + η_p ε̇ [2 (1 − e^(−(1 − 2Wi) t/λ))/(1 − 2Wi) + (1 − e^(−(1 + Wi) t/λ))/(1 + Wi)].
    /// From Wi = ½ on it grows without end.
    pub fn extension(&self, rate: f64, time: f64) -> f64 {
        let (r, wi) = (self.relaxed(time), self.relaxation_time * rate);
        // (1 − e^(−ar))/a, which is r where a is 0.
        let grown = |a: f64| if a == 0.0 { r } else { -(-a * r).exp_m1() / a };
        rate * (3.0 * self.solvent_viscosity
            + self.polymer_viscosity * (2.0 * grown(1.0 - 2.0 * wi) + grown(1.0 + wi)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fluid(relaxation_time: f64) -> Theory {
        Theory { polymer_viscosity: 9.0, solvent_viscosity: 1.0, relaxation_time, density: 1000.0 }
    }

    #[test]
    fn extension_begins_with_the_solvent_and_ends_with_the_steady_state() {
        let (rate, wi) = (0.8, 0.4);
        assert!((fluid(0.5).extension(rate, 0.0) - 3.0 * rate).abs() < 1e-12);
        let steady = rate * (3.0 + 9.0 * (2.0 / (1.0 - 2.0 * wi) + 1.0 / (1.0 + wi)));
        assert!((fluid(0.5).extension(rate, 100.0) / steady - 1.0).abs() < 1e-12);
        // Slow extension is Newtonian, and so is a fluid without memory.
        assert!((fluid(0.5).extension(1e-9, 100.0) / 3e-8 - 1.0).abs() < 1e-6);
        assert_eq!(fluid(0.0).extension(rate, 0.01), 30.0 * rate);
    }

    #[test]
    fn extension_solves_the_equations_of_the_conformation() {
        // λ Q′ = 2 λ ε̇ Q − (Q − 1) along the axis, −λ ε̇ Q − (Q − 1) across; σ = 3 η_s ε̇ + (η_p/λ)(Q_y − Q_x).
        for rate in [0.4, 1.0, 2.0] {
            let (lambda, steps) = (0.5, 200_000);
            let (mut along, mut across, dt) = (1.0, 1.0, 1.5 / f64::from(steps));
            for _ in 0..steps {
                along += dt * (2.0 * rate * along - (along - 1.0) / lambda);
                across += dt * (-rate * across - (across - 1.0) / lambda);
            }
            let stress = 3.0 * rate + 9.0 / lambda * (along - across);
            let exact = fluid(lambda).extension(rate, 1.5);
            assert!((stress / exact - 1.0).abs() < 1e-4, "{rate}: {stress}, {exact}");
        }
    }
}
