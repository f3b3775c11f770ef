//! Which of the printed equations are replaced, one switch for each correction.

use super::params::Formulation;

/// The corrections that the printed method needs; EQUATIONS.md lists what each is for and what it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrections {
    /// Conformation: Q̇ = LQ + QLᵀ − (Q − I)/τ by a sum of positive definite terms, L from the final positions,
    /// instead of the implicit solve of eq. 6 with the velocity stage's gradient.
    pub convected_update: bool,
    /// Rows that do not prefer the axes: off-diagonal rows weigh √2, one preconditioner for all six.
    pub invariant_rows: bool,
    /// Compliance α in the velocity stage and α/Δt² in the position stage, from real units.
    pub consistent_compliance: bool,
    /// Multipliers of the velocity stage are carried into the position stage.
    pub carried_multipliers: bool,
    /// Jacobi relaxation on the multipliers, with at least 20 neighbours assumed, instead of on the motion.
    pub relaxed_multipliers: bool,
    /// Inverse masses in eq. 12 and 18.
    pub masses: bool,
    /// Gradients that are exact for linear fields where the neighbourhood allows it.
    pub corrected_gradients: bool,
    /// Control of the motions that the gradient does not see, in the velocity stage by conjugate gradients.
    pub controlled_modes: bool,
    /// Contact inside the velocity projection; walls count in the velocity gradient.
    pub velocity_contact: bool,
    /// Q⁰ turned with the fluid in the position stage.
    pub turned_conformation: bool,
}

impl Corrections {
    /// Every correction.
    pub const ALL: Self = Self::every(true);
    /// The equations as printed.
    pub const NONE: Self = Self::every(false);

    const fn every(on: bool) -> Self {
        Self {
            convected_update: on,
            invariant_rows: on,
            consistent_compliance: on,
            carried_multipliers: on,
            relaxed_multipliers: on,
            masses: on,
            corrected_gradients: on,
            controlled_modes: on,
            velocity_contact: on,
            turned_conformation: on,
        }
    }
}

impl From<Formulation> for Corrections {
    fn from(f: Formulation) -> Self {
        match f {
            Formulation::Corrected => Self::ALL,
            Formulation::Printed => Self::NONE,
        }
    }
}
