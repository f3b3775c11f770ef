//! What methods without memory make of a material: notes on what they ignore, and on what their steps do not carry.

use super::{Note, ROUNDING};
use crate::flow::DensityConstraint;
use crate::material::{Material, Rheology};
use crate::methods::{pbf, sph};
use crate::scene::path::{number, rounded_down};
use crate::scene::{self, Scene, Solver};

impl Scene {
    /// Elasticity, which a method of Newtonian fluids alone does not have, and viscosity beyond its reach.
    pub(super) fn memoryless(
        &self,
        at: &str,
        given: &scene::Material,
        material: &Material,
        dt: f64,
    ) -> Vec<Option<Note>> {
        let Rheology::Measured { relaxation_time: tau, .. } = material.rheology else {
            return vec![];
        };
        if let Solver::Pbf(pbf::Params { viscosity: pbf::Viscosity::Stress, .. }) = self.solver {
            return vec![self.divided_by_viscosity(at, given, material, dt)];
        }
        let ignored = given.stated_relaxation(at, tau).map(|(field, value)| Note {
            field,
            value,
            message: format!(
                "ignored: method = \"{}\" has no memory; the fluid is Newtonian, of {} Pa·s",
                self.solver.name(),
                number(material.rheology.steady_viscosity()),
            ),
        });
        vec![
            ignored,
            self.beyond_xsph(at, given, material, dt),
            self.divided_by_viscosity(at, given, material, dt),
        ]
    }

    /// Reconstructed velocities beside a density that only pushes.
    pub(super) fn without_cohesion(&self) -> Option<Note> {
        let Solver::Pbf(pbf::Params { viscosity, density, .. }) = &self.solver else { return None };
        let swells =
            *viscosity == pbf::Viscosity::Reconstruction && *density == DensityConstraint::Unilateral;
        swells.then(|| Note {
            field: "solver.viscosity".into(),
            value: "\"reconstruction\"".into(),
            message:
                "makes velocities rigid and leaves positions: where density only pushes, the fluid swells; \
                      solver.density = \"equality\" with solver.softness = 1 holds it together"
                    .into(),
        })
    }

    /// Viscosity, or an elastic stress, that divides explicit steps.
    fn divided_by_viscosity(
        &self,
        at: &str,
        given: &scene::Material,
        material: &Material,
        dt: f64,
    ) -> Option<Note> {
        let stable = match &self.solver {
            Solver::Sph(params) => {
                let kinematic = material.rheology.steady_viscosity() / f64::from(material.density);
                sph::viscous_step(kinematic, f64::from(params.support) * self.spacing)
            }
            Solver::Pbf(params) if params.viscosity == pbf::Viscosity::Stress => {
                pbf::stable_step(material, self.spacing)
            }
            _ => return None,
        };
        if dt <= stable * (1.0 + ROUNDING) {
            return None;
        }
        let message = format!(
            "stable in explicit steps of {} s or less at this spacing: the scene's, {} s, are divided",
            number(rounded_down(stable)),
            number(rounded_down(dt)),
        );
        let (field, value) = given.stated_viscosity(at);
        Some(Note { field, value: number(value), message })
    }

    /// More viscosity than XSPH has.
    fn beyond_xsph(&self, at: &str, given: &scene::Material, material: &Material, dt: f64) -> Option<Note> {
        let Solver::Pbf(params) = &self.solver else {
            return None;
        };
        if params.viscosity != pbf::Viscosity::Xsph {
            return None;
        }
        let viscosity = material.rheology.steady_viscosity();
        let density = f64::from(material.density);
        let most = density * pbf::most_viscous(self.spacing, params.support.into(), dt);
        if viscosity <= most * (1.0 + ROUNDING) {
            return None;
        }
        let message = format!(
            "XSPH smooths velocities over a kernel at most: at this spacing and time step no more than {} is felt",
            number(rounded_down(most)),
        );
        let (field, value) = given.stated_viscosity(at);
        Some(Note { field, value: number(value), message })
    }
}
