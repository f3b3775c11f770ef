//! Rules for the settings of a method.

use super::{Check, Formulation, Solver, number};
use crate::methods::dcpbd::Params;
use crate::methods::pbf;

impl Check<'_> {
    pub(super) fn solver(&mut self) {
        match Solver::read(self.scene) {
            Some(Solver::Dcpbd(params)) => self.dcpbd(&params),
            Some(Solver::Pbf(params)) => self.pbf(&params),
            _ => {}
        }
    }

    /// The fewest iterations must not be more than the most.
    fn pbf(&mut self, params: &pbf::Params) {
        let (fewest, most) = (params.iterations, params.max_iterations);
        if params.density_tolerance.is_some() && most < fewest {
            let message = format!("must be at least solver.iterations, {fewest}");
            self.report("solver.max_iterations", Some(most.to_string()), message);
        }
    }

    /// What belongs to the printed equations alone.
    fn dcpbd(&mut self, params: &Params) {
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
