//! Which of the printed equations are replaced, one switch for each correction.

use super::params::{Formulation, Params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// Jacobi relaxation on the multipliers instead of on the motion.
    pub relaxed_multipliers: bool,
    /// Jacobi relaxation that assumes at least 20 neighbours.
    pub bounded_relaxation: bool,
    /// Strain that the conformation remembers is bounded, |Q − I| ≤ ½: a step undoes it all at once, by eq. 7, which is
    /// linear, and no more than that fits into a step. (With a modulus the stress is bounded by itself.)
    pub bounded_memory: bool,
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
    /// The velocity constraint to second order: a piece that turns by the length of a step, not along its rate, has no
    /// strain.
    pub second_order: bool,
    /// Particles are moved a little after the step so that they stay evenly spread.
    pub shifting: bool,
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
            bounded_relaxation: on,
            bounded_memory: false,
            masses: on,
            corrected_gradients: on,
            controlled_modes: on,
            velocity_contact: on,
            turned_conformation: on,
            second_order: on,
            shifting: on,
        }
    }

    fn add(&mut self, correction: Correction) {
        let switch = match correction {
            Correction::All => {
                // Compliance stays the paper's, the control needs conjugate gradients, and ropes of the printed scenes
                // crumble by the shifting.
                let Self { consistent_compliance, controlled_modes, shifting, .. } = *self;
                let kept = Self { consistent_compliance, controlled_modes, shifting, ..Self::ALL };
                *self = Self { bounded_memory: true, ..kept };
                return;
            }
            Correction::ConvectedUpdate => &mut self.convected_update,
            Correction::InvariantRows => &mut self.invariant_rows,
            Correction::CarriedMultipliers => &mut self.carried_multipliers,
            Correction::RelaxedMultipliers => &mut self.relaxed_multipliers,
            Correction::BoundedRelaxation => &mut self.bounded_relaxation,
            Correction::BoundedMemory => &mut self.bounded_memory,
            Correction::Masses => &mut self.masses,
            Correction::CorrectedGradients => &mut self.corrected_gradients,
            Correction::ControlledModes => &mut self.controlled_modes,
            Correction::VelocityContact => &mut self.velocity_contact,
            Correction::TurnedConformation => &mut self.turned_conformation,
            Correction::SecondOrder => &mut self.second_order,
            Correction::Shifting => &mut self.shifting,
        };
        *switch = true;
    }
}

/// A correction by its name in a scene. (Compliance follows the material: the printed one is the paper's.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// Every one of the following but the shifting, and the control of motions, which needs conjugate gradients.
    All,
    /// Conformation by a sum of positive definite terms, from the final motion.
    ConvectedUpdate,
    /// Rows that do not prefer the axes.
    InvariantRows,
    /// Multipliers of the velocity stage are carried into the position stage.
    CarriedMultipliers,
    /// Jacobi relaxation on the multipliers instead of on the motion.
    RelaxedMultipliers,
    /// Jacobi relaxation that assumes at least 20 neighbours.
    BoundedRelaxation,
    /// Remembered strain is bounded, |Q − I| ≤ ½.
    BoundedMemory,
    /// Inverse masses in eq. 12 and 18.
    Masses,
    /// Gradients that are exact for linear fields.
    CorrectedGradients,
    /// Control of motions that the gradient does not see, with conjugate gradients.
    ControlledModes,
    /// Contact inside the velocity projection.
    VelocityContact,
    /// Q⁰ turned with the fluid in the position stage.
    TurnedConformation,
    /// The velocity constraint to second order in the time step.
    SecondOrder,
    /// Particles are moved a little so that they stay evenly spread.
    Shifting,
}

impl From<&Params> for Corrections {
    fn from(params: &Params) -> Self {
        let mut these = match params.formulation {
            Formulation::Corrected => Self::ALL,
            Formulation::Printed => Self::NONE,
        };
        for correction in &params.corrections {
            these.add(*correction);
        }
        these
    }
}
