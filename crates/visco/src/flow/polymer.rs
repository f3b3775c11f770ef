//! The polymer: coefficients of a step from real units, and the update of the conformation tensor.
//!
//! Exponential integration over Δt makes the step exact in shear for any Δt/τ. With r = Δt/τ, e = exp(−r):
//!
//! ```text
//! κ = r/(exp r − 1)    b = (1 − e)/r − e    E = η_p (1 − e) + η_s    α = 2Δt/(V E)    κ′ = κ η_p (1 − e)/E
//! constraint   C = κ′(Q⁰ − I) + 2Δt D(u)              stress   σ = 2C/(αV)
//! update       Q = e F Q⁰ Fᵀ + b F Fᵀ + (1 − e − b) I,   F = I + Δt L      (all weights ≥ 0: Q stays SPD)
//! ```

use crate::material::{Material, Rheology};
use crate::math::Sym3;
use glam::Mat3;

/// Below this diffusion in a step the velocity stage alone is viscosity enough.
const THIN: f64 = 1e-3;

/// Steps over which stress that a polymer stores counts as resistance.
const STORED: f64 = 40.0;

/// What a material's rheology amounts to in a step of length Δt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Whether there is a constraint at all; an inviscid material has none.
    pub active: bool,
    /// Compliance of the velocity stage.
    pub alpha: f32,
    /// Compliance of the position stage.
    pub alpha_position: f32,
    /// Whether the constraint can be felt in the position stage: thin fluid hardly moves in it.
    pub moves_positions: bool,
    /// κ′: how much of Q⁰ − I is left to be relaxed.
    pub memory: f32,
    /// The rule that updates Q.
    pub update: Update,
    /// Shear modulus G = η_p/τ, in Pa; 0 where there is no relaxation time.
    pub modulus: f32,
    /// Solvent viscosity η_s, in Pa·s.
    pub solvent: f32,
    /// Viscosity over many steps, η_s + G min(τ, 40 Δt), in Pa·s: in a single one a polymer stores little. Never less
    /// than that of the step.
    pub lasting: f32,
}

/// The rule that updates the conformation tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Update {
    /// No memory: Q = I.
    Relaxed,
    /// Weights e and b of the update above.
    Convected {
        /// Weight of F Q⁰ Fᵀ.
        e: f32,
        /// Weight of F Fᵀ.
        b: f32,
    },
    /// Eq. 6 as printed, with relaxation time τ.
    Printed {
        /// τ, in s.
        tau: f32,
    },
}

impl Coefficients {
    /// Coefficients for a step of `dt` seconds and particles at distance `spacing` (m).
    pub fn new(material: &Material, dt: f64, spacing: f64) -> Self {
        let volume = spacing.powi(3);
        let mut coefficients = match material.rheology {
            Rheology::Measured { polymer_viscosity, solvent_viscosity, relaxation_time } => {
                Self::measured(polymer_viscosity, solvent_viscosity, relaxation_time, (dt, volume))
            }
            Rheology::Printed { compliance, relaxation_time } => Self {
                active: true,
                moves_positions: true,
                alpha: (compliance / dt) as f32,
                alpha_position: (compliance / (dt * dt)) as f32,
                memory: 1.0,
                modulus: 0.0,
                solvent: 0.0,
                lasting: if compliance > 0.0 { (2.0 * dt * dt / (compliance * volume)) as f32 } else { 0.0 },
                update: if relaxation_time > 0.0 {
                    Update::Printed { tau: relaxation_time as f32 }
                } else {
                    Update::Relaxed
                },
            },
        };
        if let Some(diffusion) = material.diffusion(dt, spacing) {
            coefficients.moves_positions = coefficients.active && diffusion > THIN;
        }
        coefficients
    }

    /// With compliances that count lengths in units of `unit` metres. The constraint's rows are 1/length², where
    /// masses are 1; the paper's compliance has no unit, so its effect depends on that of length.
    pub fn in_unit(mut self, unit: f64) -> Self {
        let area = (unit * unit) as f32;
        self.alpha /= area;
        self.alpha_position /= area;
        self.lasting *= area;
        self
    }

    fn measured(eta_p: f64, eta_s: f64, tau: f64, (dt, volume): (f64, f64)) -> Self {
        let r = dt / tau;
        let (e, b, kappa, polymer) = if tau > 0.0 {
            let e = (-r).exp();
            // expm1 keeps the digits of 1 − e for slow polymers, and the series those of b = r/2 − r²/3 + …
            let one_minus_e = -(-r).exp_m1();
            let b = if r < 1e-3 { r * (0.5 - r / 3.0) } else { one_minus_e / r - e };
            (e, b, r / r.exp_m1(), eta_p * one_minus_e)
        } else {
            (0.0, 0.0, 0.0, eta_p)
        };
        let effective = polymer + eta_s;
        let alpha = if effective > 0.0 { 2.0 * dt / (volume * effective) } else { 0.0 };
        Self {
            active: effective > 0.0,
            moves_positions: effective > 0.0,
            alpha: alpha as f32,
            alpha_position: (alpha / (dt * dt)) as f32,
            modulus: if tau > 0.0 { (eta_p / tau) as f32 } else { 0.0 },
            solvent: eta_s as f32,
            lasting: if tau > 0.0 {
                (eta_s + eta_p * (STORED * r).min(1.0)) as f32
            } else {
                effective as f32
            },
            memory: if tau > 0.0 && effective > 0.0 { (kappa * polymer / effective) as f32 } else { 0.0 },
            update: if tau > 0.0 { Update::Convected { e: e as f32, b: b as f32 } } else { Update::Relaxed },
        }
    }

    /// The conformation after a step with velocity gradient `l` (∂_b u_a) over `dt`.
    pub fn update_conformation(&self, q0: Sym3, l: &Mat3, dt: f32) -> Sym3 {
        match self.update {
            Update::Relaxed => Sym3::IDENTITY,
            Update::Convected { e, b } => {
                let f = Mat3::IDENTITY + *l * dt;
                (q0 * e + Sym3::isotropic(b)).congruent(&f) + Sym3::isotropic(1.0 - e - b)
            }
            Update::Printed { tau } => printed_update(q0, l, (dt, tau)),
        }
    }
}

/// Energy of a Hookean polymer in units of G V: ½ (tr Q − 3 − ln det Q).
pub fn stored_energy(q: Sym3) -> f64 {
    if q == Sym3::IDENTITY {
        return 0.0;
    }
    let log = f64::from(q.determinant()).max(f64::MIN_POSITIVE).ln();
    0.5 * (f64::from(q.trace()) - 3.0 - log)
}

/// Eq. 6 as printed: (1/Δt + 1/τ) Q − Q∇u − (∇u)ᵀQ = Q⁰/Δt + I/τ, six unknowns.
fn printed_update(q0: Sym3, gradient: &Mat3, (dt, tau): (f32, f32)) -> Sym3 {
    let mut system = [[0.0_f64; 7]; 6];
    let rate = f64::from(1.0 / dt + 1.0 / tau);
    for k in 0..6 {
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        let convected = Sym3::twice_symmetric_part(&(Sym3::new(unit).to_mat3() * *gradient)).to_array();
        for (row, c) in system.iter_mut().zip(convected) {
            row[k] = -f64::from(c);
        }
        system[k][k] += rate;
    }
    let right = q0 * (1.0 / dt) + Sym3::isotropic(1.0 / tau);
    for (row, r) in system.iter_mut().zip(right.to_array()) {
        row[6] = f64::from(r);
    }
    Sym3::new(solve(system).map(|v| v as f32))
}

/// Gauss–Jordan elimination with row pivoting.
fn solve(mut m: [[f64; 7]; 6]) -> [f64; 6] {
    for c in 0..6 {
        let pivot = (c..6).max_by(|&a, &b| m[a][c].abs().total_cmp(&m[b][c].abs())).unwrap_or(c);
        m.swap(c, pivot);
        let row = m[c];
        for (r, other) in m.iter_mut().enumerate() {
            if r != c {
                let f = other[c] / row[c];
                for k in c..7 {
                    other[k] -= f * row[k];
                }
            }
        }
    }
    std::array::from_fn(|k| m[k][6] / m[k][k])
}
