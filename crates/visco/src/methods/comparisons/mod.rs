//! The methods that Takahashi et al. 2016 compare theirs with, each on the same implicit incompressible SPH, as the paper
//! has it: springs (Fig. 9), shape matching (Fig. 7), corotational Maxwell (Fig. 6).

pub mod maxwell;
pub mod shape_matching;
pub mod springs;
#[cfg(test)]
mod trial;
