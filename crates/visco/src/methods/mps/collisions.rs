//! Collisions, as MPS codes have them: what comes nearer than half a spacing bounces off.
//!
//! The pressure keeps particles apart in the mean, not every pair; two that meet head-on in a spray have none.

use super::around::Around;
use crate::flow::Setting;
use crate::parallel;
use glam::Vec3A;

/// Distance below which particles collide, in spacings.
const NEAR: f32 = 0.5;
/// Coefficient of restitution.
const RESTITUTION: f32 = 0.2;

/// Takes the approach out of pairs that are too near, momentum kept.
pub(super) fn collide(step: &Setting, around: &Around, u: &mut [Vec3A]) {
    let near = (NEAR * step.kernel.spacing()).powi(2);
    let before = u.to_vec();
    parallel::for_each(u, |i, u| {
        if !step.is_free(i) {
            return;
        }
        let own = step.inverse_mass(i);
        for (j, e, _) in around.pairs(i) {
            let r2 = e.length_squared();
            if r2 < near && r2 > 0.0 {
                let approach = (before[j] - before[i]).dot(e);
                if approach < 0.0 {
                    let other = if step.is_free(j) { step.inverse_mass(j) } else { 0.0 };
                    *u += e * ((1.0 + RESTITUTION) * own / (own + other) * approach / r2);
                }
            }
        }
    });
}
