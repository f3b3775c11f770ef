//! What touches the particles of bodies, and what they resist with.
//!
//! A body has no viscosity of its own. Where fluid touches it, its particles resist like that fluid: the flow between the
//! last particle of the fluid and the first of the body is then felt from both sides, and the fluid sticks to the body.

use super::Setting;
use super::gradient::Gradients;
use super::system::Resistance;
use crate::parallel;

/// Resistance of a body's particle over that of the fluid: the fluid then sticks to the surface of the body's shape, not
/// to the particles half a spacing below it.
const STICKING: f32 = 2.0;

/// What touches a particle of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partner {
    /// It is fluid, or fluid is connected with it.
    Fluid,
    /// Other bodies alone.
    Bodies,
    /// Nothing.
    None,
}

/// The partners of all particles; empty where there are no bodies.
pub(crate) fn find(step: &Setting, gradients: &Gradients) -> Vec<Partner> {
    if step.bodies.is_empty() {
        return vec![];
    }
    let mut partners = vec![Partner::Fluid; step.x0.len()];
    parallel::fill(&mut partners, |i| {
        let Some(own) = step.body(i) else {
            return Partner::Fluid;
        };
        let mut partner = Partner::None;
        for (j, _, w) in gradients.pairs(i) {
            match step.body(j) {
                _ if w <= 0.0 => {}
                None => return Partner::Fluid,
                Some(other) if other != own => partner = Partner::Bodies,
                Some(_) => {}
            }
        }
        partner
    });
    partners
}

/// What a body's particle resists with: as the fluid around it, by its weight in the gradient; where other
/// bodies alone touch it, with `of_bodies`.
pub(crate) fn resistance(
    step: &Setting,
    gradients: &Gradients,
    (i, partner): (usize, Partner),
    of_fluid: impl Fn(usize) -> Resistance,
    of_bodies: Resistance,
) -> Resistance {
    match partner {
        Partner::None => return Resistance::default(),
        Partner::Bodies => return of_bodies,
        Partner::Fluid => {}
    }
    let (mut sum, mut weight) = (Resistance::default(), 0.0);
    for (j, _, w) in gradients.pairs(i).filter(|(j, ..)| step.body(*j).is_none()) {
        let r = of_fluid(j);
        sum.shear += r.shear * w;
        sum.bulk += r.bulk * w;
        sum.control += r.control * w;
        weight += w;
    }
    let scale = 1.0 / weight.max(f32::MIN_POSITIVE);
    Resistance {
        shear: sum.shear * (STICKING * scale),
        bulk: sum.bulk * scale,
        control: sum.control * (STICKING * scale),
    }
}
