//! DC-PBD with conformation constraints, Barreiro et al. 2017.

mod params;
pub use params::{
    DensityConstraint, Formulation, Integrator, Params, Strain, VelocitySolver,
};
