//! Rules for the settings of a method.

use super::{Check, Formulation, Solver, number};
use crate::methods::dcpbd::Params;

impl Check<'_> {
    /// What belongs to the printed equations alone.
    pub(super) fn solver(&mut self) {
        let Some(Solver::Dcpbd(params)) = Solver::read(self.scene) else {
            return;
        };
        if params.formulation == Formulation::Printed {
            return;
        }
        let message = "only for solver.formulation = \"printed\"";
        if !params.corrections.is_empty() {
            self.report("solver.corrections", None, message);
        }
        if params.length_unit != Params::default().length_unit {
            self.report("solver.length_unit", Some(number(params.length_unit)), message);
        }
    }
}
