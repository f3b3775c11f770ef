//! The control of unseen motion where materials meet.

use super::Step;
use crate::flow::gradient::Gradients;
use crate::flow::system::Resistance;
use crate::parallel;

/// Largest ratio of controls that counts.
const SOFTEST: f32 = 1e6;

/// Takes the harmonic mean of the control over the neighbours of particles that meet a thinner material. With its own, a
/// thick one would drag along all that it sees of the thin one, as if it were wider by a spacing or two.
pub(super) fn soften(step: &Step, gradients: &Gradients, resistances: &mut [Resistance]) {
    if step.resistances.len() < 2 {
        return;
    }
    let before = resistances.to_vec();
    parallel::for_each(resistances, |i, own| {
        if step.body(i).is_some() {
            return;
        }
        let (mut total, mut softness, mut alike) = (0.0, 0.0, true);
        // Bodies have the control of what touches them.
        for (j, _, w) in gradients.pairs(i).filter(|&(j, _, _)| step.body(j).is_none()) {
            let other = before[j].control.max(f32::MIN_POSITIVE);
            total += w;
            softness += w * (own.control / other).clamp(1.0, SOFTEST);
            alike &= step.materials[j] == step.materials[i];
        }
        if !alike && softness > 0.0 {
            own.control *= total / softness;
        }
    });
}
