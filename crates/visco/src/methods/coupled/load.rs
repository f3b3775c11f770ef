//! What the weight of the fluid asks of a step.
//!
//! With geometry frozen over a step, a pressure p pushes particles that are not evenly spread by about p/d too much or
//! too little: at a depth of twenty layers, where walls meet, by more than their own weight. Over a long step that
//! moves them by a good part of d, in motions that the gradient does not see. So the control of unseen motion resists
//! with p Δt as well, and the bulk viscosity is such that a step does not press the fluid together.

use crate::flow::system::Resistance;
use crate::parallel;
use crate::world::World;

/// Bulk modulus κ/Δt of a step over the mean pressure: under its weight a column that starts to rest is pressed
/// together by 2/30.
const FIRMNESS: f32 = 30.0;
/// Control of unseen motion by the pressure, in p Δt.
const STEADYING: f32 = 0.5;

/// The bulk viscosity, Δt V κ, that a mean pressure asks for; `scale` is Δt² V.
pub(super) fn firmness(scale: f32, pressure: f32) -> f32 {
    FIRMNESS * scale * pressure
}

/// The resistance of a particle under a pressure; `scale` is Δt² V.
pub(super) fn steadied(resistance: Resistance, scale: f32, pressure: f32) -> Resistance {
    let control = resistance.control + (STEADYING * scale * pressure.max(0.0)).min(resistance.bulk);
    Resistance { control, ..resistance }
}

/// Mean of the pressures, those below 0 counted as 0, in Pa.
pub(super) fn mean_pressure(pressure: &[f32]) -> f32 {
    let [sum] = parallel::sums(pressure.len(), |i| [f64::from(pressure[i].max(0.0))]);
    (sum / (pressure.len() as f64).max(1.0)) as f32
}

/// The mean pressure of a world at rest, as deep as its particles reach along gravity, in Pa.
pub(super) fn pressure_at_rest(world: &World) -> f32 {
    let (g, p) = (world.gravity, &world.particles);
    if p.is_empty() {
        return 0.0;
    }
    let down = g.normalize_or_zero();
    let reach = |axis: glam::Vec3| parallel::max(p.len(), f32::MIN, |i| axis.dot(p.positions[i]));
    let densest = world.materials.iter().map(|m| m.density).fold(0.0, f32::max);
    0.5 * densest * g.length() * (reach(down) + reach(-down))
}
