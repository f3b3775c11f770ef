//! What pulls at the fluid beside the viscosity of the step, and how pressure, volume and polymer follow the flow.
//!
//! The stress of the linear polymer is (E/Δt) κ′ (Q⁰ − I) + 2 E (D + S). That of
//! `model = "oldroyd_b"` is G (Q(u) − I) + 2 η_s (D + S): it is evaluated with the velocities of the last pass, less the
//! part that the matrix holds.

use super::Step;
use super::state::State;
use crate::flow::density::wall_density;
use crate::flow::gradient::Gradients;
use crate::flow::partners::Partner;
use crate::flow::polymer::Update;
use crate::flow::system::VelocitySystem;
use crate::math::Sym3;
use crate::parallel;
use crate::scene::Model;
use glam::{Mat3, Mat3A, Vec3A};

/// Part of a volume error that a step corrects.
const VOLUME_RATE: f32 = 0.1;
/// ρ/ρ₀ from which on particles are moved apart whatever the flow has done to their volume: particles that slip past
/// each other, unseen by the gradient, come to lie closer.
const CROWDED: f32 = 1.05;
/// Particles whose moment matrix has no smaller eigenvalue keep their volume; spray has none.
const KEEPS_VOLUME: f32 = 0.05;

/// Largest Δt abs(L) up to which the motion of a step is corrected to second order.
const LARGEST_TURN: f32 = 0.5;
/// Part of a pattern of single particles that a step takes out of the pressure.
const SMOOTHING: f32 = 0.1;
/// Smallest eigenvalue of the moment matrix along which the pressure has a gradient.
const SMOOTHED: f32 = 0.15;

/// What a step aims at, for one particle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Target {
    /// Δt V σ of the stress that does not depend on u.
    pub(super) stress: Sym3,
    /// θ: the rate of expansion that is wanted.
    pub(super) expansion: f32,
}

/// The whole velocity gradients, moving walls included.
pub(super) fn find_gradients(gradients: &Gradients, u: &[Vec3A], l: &mut [Mat3A]) {
    parallel::fill(l, |i| gradients.velocity_gradient(u, i) + gradients.wall_flow(i));
}

fn trace(l: &Mat3A) -> f32 {
    l.x_axis.x + l.y_axis.y + l.z_axis.z
}

fn keeps_volume(gradients: &Gradients, i: usize) -> bool {
    gradients.condition(i) >= KEEPS_VOLUME
}

/// Rate of strain D and its correction S = −½ Δt sym(L²). Where neighbours fly apart, as in spray, the series that S is
/// a term of has no meaning; it is not allowed to grow there.
pub(super) fn rates(l: &Mat3A, dt: f32) -> (Sym3, Sym3) {
    let square = l.x_axis.length_squared() + l.y_axis.length_squared() + l.z_axis.length_squared();
    let allowed = (LARGEST_TURN / dt).powi(2);
    let scale = -0.5 * dt * (allowed / square.max(allowed));
    (Sym3::symmetric_part(&Mat3::from(*l)), Sym3::symmetric_part(&Mat3::from(*l * *l)) * scale)
}

/// The stress in a step with velocity gradient l, without the pressure, in Pa.
fn stress(step: &Step, i: usize, q0: Sym3, l: &Mat3A) -> Sym3 {
    let c = step.coefficients(i);
    let (rate, second_order) = rates(l, step.dt);
    if step.model(i) == Model::OldroydB && c.modulus > 0.0 {
        let q = c.update_conformation(q0, &Mat3::from(*l), step.dt);
        return (q - Sym3::IDENTITY) * c.modulus + (rate + second_order) * (2.0 * c.solvent);
    }
    let viscosity = step.viscosity(i);
    let mut stress = (rate + second_order) * (2.0 * viscosity);
    if c.memory != 0.0 {
        stress += (q0 - Sym3::IDENTITY) * (viscosity / step.dt * c.memory);
    }
    stress
}

/// ρ/ρ₀ of a particle at x⁰, of what acts on it.
fn density(step: &Step, gradients: &Gradients, i: usize) -> f32 {
    let kernel = &step.kernel;
    let acting = gradients.pairs(i).filter(|&(_, _, w)| w > 0.0);
    let sum = acting.fold(kernel.w(0.0), |sum, (_, e, _)| sum + kernel.w(e.length()));
    let wall = match gradients.wall(i) {
        Some(_) => wall_density(step.boundary, step.wall_kernel, step.x0[i]).0,
        None => 0.0,
    };
    sum / kernel.lattice_sum() + wall
}

/// ln V of what the flow of this step gives back to each particle: a part of what it has lost, or more where it is
/// crowded.
pub(super) fn missing_volumes(step: &Step, gradients: &Gradients, state: &State) -> Vec<f32> {
    let mut missing = vec![0.0; state.volume.len()];
    parallel::fill(&mut missing, |i| {
        if !keeps_volume(gradients, i) {
            return 0.0;
        }
        let lost = -VOLUME_RATE * state.volume[i].ln();
        if step.body(i).is_some() {
            return lost;
        }
        let crowded = (density(step, gradients, i) - CROWDED).min(1.0);
        if crowded > 0.0 { lost.max(VOLUME_RATE * crowded) } else { lost }
    });
    missing
}

/// Targets from the velocity gradients of the last pass.
pub(super) fn targets(
    step: &Step,
    system: &VelocitySystem,
    (state, missing): (&State, &[f32]),
    l: &[Mat3A],
) -> Vec<Target> {
    let gradients = system.gradients;
    let impulse = step.dt * step.kernel.volume();
    let mut targets = vec![Target::default(); l.len()];
    parallel::fill(&mut targets, |i| {
        let r = &system.resistance[i];
        let (rate, second_order) = rates(&l[i], step.dt);
        let body = step.body(i).is_some();
        let mut stress = match body {
            // A body has no stress beyond what the matrix holds, and its turns are exact.
            true => Sym3::ZERO,
            false => {
                let whole = stress(step, i, state.conformation[i], &l[i]);
                (whole * impulse - rate * (2.0 * r.shear)).deviator()
            }
        };
        let mut expansion = 0.0;
        if keeps_volume(gradients, i) {
            expansion = missing[i] / step.dt;
            if !body {
                expansion -= second_order.trace();
            }
            stress += Sym3::isotropic(-r.bulk * expansion - impulse * state.pressure[i]);
        }
        Target { stress, expansion }
    });
    targets
}

/// Particles of bodies that nothing touches any more have neither pressure nor a change of volume.
pub(super) fn forget_parted(touched: &[Partner], state: &mut State) {
    if touched.is_empty() {
        return;
    }
    parallel::for_each2(&mut state.pressure, &mut state.volume, |i, p, volume| {
        if touched[i] == Partner::None {
            (*p, *volume) = (0.0, 1.0);
        }
    });
}

/// p ← p − κ (tr D − θ).
pub(super) fn update_pressure(
    system: &VelocitySystem,
    (targets, touched): (&[Target], &[Partner]),
    l: &[Mat3A],
    pressure: &mut [f32],
) {
    let (step, gradients) = (system.setting, system.gradients);
    let scale = 1.0 / (step.dt * step.kernel.volume());
    parallel::for_each(pressure, |i, p| {
        if keeps_volume(gradients, i) {
            let excess = trace(&l[i]) - targets[i].expansion;
            *p -= system.resistance[i].bulk * scale * excess;
            // Bodies push each other, and do not pull.
            if touched.get(i) == Some(&Partner::Bodies) {
                *p = p.max(0.0);
            }
        } else {
            *p = 0.0;
        }
    });
}

/// Takes out of the pressure a part of what its neighbours' best linear fit does not explain: patterns of single
/// particles push nothing, so nothing else would end them.
pub(super) fn smooth_pressure(step: &Step, gradients: &Gradients, touched: &[Partner], pressure: &mut [f32]) {
    let before = pressure.to_vec();
    parallel::for_each(pressure, |i, p| {
        let has_pressure = |i: usize| touched.get(i) != Some(&Partner::None);
        if !keeps_volume(gradients, i) || !has_pressure(i) {
            return;
        }
        let (mut moment, mut slope) = (Sym3::ZERO, Vec3A::ZERO);
        let (mut offset, mut difference, mut total) = (Vec3A::ZERO, 0.0, 0.0);
        // Where materials of different weight meet, the pressure has a kink.
        let alike = |j: usize| step.inverse_mass(j) == step.inverse_mass(i);
        for (j, e, w) in gradients.pairs(i).filter(|&(j, _, _)| alike(j) && has_pressure(j)) {
            let change = w * (before[j] - before[i]);
            moment += Sym3::outer(e.into()) * w;
            slope += e * change;
            offset += e * w;
            difference += change;
            total += w;
        }
        if total > 0.0 {
            let gradient = moment.pseudo_inverse(SMOOTHED).mul_vec3a(slope);
            *p += SMOOTHING * (difference - gradient.dot(offset)) / total;
        }
    });
}

/// Volume, polymer and stress at the end of a step with velocity gradients l.
pub(super) fn update_material(step: &Step, gradients: &Gradients, l: &[Mat3A], state: &mut State) {
    let State { conformation, volume, stress: stresses, .. } = state;
    parallel::for_each2(conformation, stresses, |i, q, exerted| {
        *exerted = stress(step, i, *q, &l[i]);
        let c = step.coefficients(i);
        // A material may have lost its memory since the last step.
        *q = match c.update {
            Update::Relaxed => Sym3::IDENTITY,
            _ => c.update_conformation(*q, &Mat3::from(l[i]), step.dt),
        };
    });
    parallel::for_each(volume, |i, j| {
        if keeps_volume(gradients, i) {
            // A body turns exactly; only the fluid that moves against it changes the volume.
            let change = match step.body(i) {
                Some(_) => 1.0 + trace(&l[i]) * step.dt,
                None => (Mat3A::IDENTITY + l[i] * step.dt).determinant(),
            };
            *j = (*j * change).clamp(0.5, 2.0);
        } else {
            *j = 1.0;
        }
    });
}
