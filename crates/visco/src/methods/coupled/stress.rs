//! What pulls at the fluid beside the viscosity of the step, and how pressure, volume and polymer follow the flow.

use super::Step;
use super::state::State;
use crate::flow::gradient::Gradients;
use crate::flow::polymer::Update;
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Mat3A, Vec3A};

/// Part of a volume error that a step corrects.
const VOLUME_RATE: f32 = 0.1;
/// Particles whose moment matrix has no smaller eigenvalue keep their volume; spray has none.
const KEEPS_VOLUME: f32 = 0.05;

/// What a step aims at, for one particle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Target {
    /// Δt V σ of the stress that does not depend on u.
    pub(super) stress: Sym3,
    /// θ: the rate of expansion that is wanted.
    pub(super) expansion: f32,
}

/// The whole velocity gradient, moving walls included.
fn gradient(gradients: &Gradients, u: &[Vec3A], i: usize) -> Mat3A {
    gradients.velocity_gradient(u, i) + gradients.wall_flow(i)
}

fn trace(l: &Mat3A) -> f32 {
    l.x_axis.x + l.y_axis.y + l.z_axis.z
}

fn keeps_volume(gradients: &Gradients, i: usize) -> bool {
    gradients.condition(i) >= KEEPS_VOLUME
}

/// Targets from lagged velocities u.
pub(super) fn targets(step: &Step, gradients: &Gradients, state: &State, u: &[Vec3A]) -> Vec<Target> {
    let volume = step.kernel.volume();
    let mut targets = vec![Target::default(); u.len()];
    parallel::fill(&mut targets, |i| {
        let (r, c) = (step.resistance(i), step.coefficients(i));
        let l = gradient(gradients, u, i);
        let second_order = Sym3::symmetric_part(&Mat3::from(l * l)) * (-0.5 * step.dt);
        let mut stress = second_order.deviator() * (2.0 * r.shear);
        if c.memory != 0.0 {
            // The polymer as it is, turned with the flow: Δt V (E/Δt) κ′ (Q⁰ − I).
            let turned = state.conformation[i].congruent(&turn(&l, step.dt));
            stress += (turned - Sym3::IDENTITY).deviator() * (r.shear / step.dt * c.memory);
        }
        let mut expansion = 0.0;
        if keeps_volume(gradients, i) {
            expansion = -VOLUME_RATE * state.volume[i].ln() / step.dt - second_order.trace();
            stress += Sym3::isotropic(-r.bulk * expansion - step.dt * volume * state.pressure[i]);
        }
        Target { stress, expansion }
    });
    targets
}

/// The rotation of a step with velocity gradient l, by Cayley's map of its spin.
fn turn(l: &Mat3A, dt: f32) -> Mat3 {
    let l = Mat3::from(*l);
    let half = (l - l.transpose()) * (0.25 * dt);
    (Mat3::IDENTITY - half).inverse() * (Mat3::IDENTITY + half)
}

/// p ← p − κ (tr D − θ).
pub(super) fn update_pressure(
    step: &Step,
    gradients: &Gradients,
    targets: &[Target],
    u: &[Vec3A],
    pressure: &mut [f32],
) {
    let scale = 1.0 / (step.dt * step.kernel.volume());
    parallel::for_each(pressure, |i, p| {
        if keeps_volume(gradients, i) {
            let excess = trace(&gradient(gradients, u, i)) - targets[i].expansion;
            *p -= step.resistance(i).bulk * scale * excess;
        } else {
            *p = 0.0;
        }
    });
}

/// Volume, polymer and stress at the end of a step with velocities u.
pub(super) fn update_material(step: &Step, gradients: &Gradients, u: &[Vec3A], state: &mut State) {
    let State { conformation, volume, stress, .. } = state;
    parallel::for_each2(conformation, stress, |i, q, stress| {
        let (r, c) = (step.resistance(i), step.coefficients(i));
        let l = gradient(gradients, u, i);
        let rate =
            Sym3::symmetric_part(&Mat3::from(l)) - Sym3::symmetric_part(&Mat3::from(l * l)) * (0.5 * step.dt);
        let turned = q.congruent(&turn(&l, step.dt)) - Sym3::IDENTITY;
        let viscosity = r.shear / (step.dt * step.kernel.volume());
        *stress = rate.deviator() * (2.0 * viscosity) + turned * (viscosity / step.dt * c.memory);
        if c.update != Update::Relaxed {
            *q = c.update_conformation(*q, &Mat3::from(l), step.dt);
        }
    });
    parallel::for_each(volume, |i, j| {
        if keeps_volume(gradients, i) {
            let f = Mat3A::IDENTITY + gradient(gradients, u, i) * step.dt;
            *j = (*j * f.determinant()).clamp(0.5, 2.0);
        } else {
            *j = 1.0;
        }
    });
}
