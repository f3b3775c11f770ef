//! Figures of Mukai et al. 2021, *Viscoelastic fluid simulation based on the combination of viscous and elastic stresses*.

mod fig02;
mod pull;
mod sec06;

pub(super) use fig02::SPEC as FIG02;
pub(super) use sec06::SPEC as SEC06;
