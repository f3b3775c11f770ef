//! What the physics tests share.

pub(crate) mod bodies;
#[allow(dead_code)]
pub(crate) mod water;

use std::ops::ControlFlow;
use visco::{Frame, Scene, Simulation, StepError, StepReport};

#[allow(dead_code)]
/// A simulation of a scene given as TOML.
pub(crate) fn simulation(toml: &str) -> Simulation {
    let scene = Scene::from_toml(toml).unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(&scene).unwrap_or_else(|e| panic!("{e}"))
}

/// Advances by `frames` frames and returns the reports of all steps.
pub(crate) fn try_advance(simulation: &mut Simulation, frames: u32) -> Result<Vec<StepReport>, StepError> {
    let mut reports = Vec::new();
    for _ in 0..frames {
        simulation.advance_frame(|report| {
            reports.push(*report);
            ControlFlow::Continue(())
        })?;
    }
    Ok(reports)
}

/// Advances by `frames` frames; the run must not fail.
#[allow(dead_code)]
pub(crate) fn advance(simulation: &mut Simulation, frames: u32) -> Vec<StepReport> {
    try_advance(simulation, frames).unwrap_or_else(|e| panic!("{e}"))
}

/// Mean of a quantity over the particles.
#[allow(dead_code)]
pub(crate) fn mean(frame: &Frame, f: impl Fn(usize) -> f32) -> f64 {
    (0..frame.len()).map(|i| f64::from(f(i))).sum::<f64>() / frame.len() as f64
}
