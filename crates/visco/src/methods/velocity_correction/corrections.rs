//! Velocity corrections by connections that are longer than at rest, and their weakening (eq. 6–11).
//!
//! With D = max(|x_ij| − r_ij, 0), c the mean of the coefficients of both ends and h the kernel support:
//!
//! ```text
//! Δv_i = −(1/Δt) Σ_j c m_j/(m_i + m_j) D x_ij/|x_ij|                    (eq. 6, 8; m_j = ∞ for walls and what is moved: eq. 10)
//! c_i ← max(c_i − Δt Σ_j w σ_ij, l_i),   σ_ij = 1 where γ < D/h          (eq. 7, 11; w, γ means of both ends)
//! ```
//!
//! What the particle of a rigid body gets is m Δv = Δt F of eq. 9. A solid takes the parameters of what is connected
//! with it.

use super::Step;
use super::around::Around;
use super::connections::Partner;
use super::state::State;
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Vec3};

/// What connections do to a particle in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    velocity: Vec3,
    weakening: f32,
    stress: Mat3,
    energy: f32,
}

/// Adds the corrections to the velocities, weakens coefficients, and notes the stress of the connections. Returns the
/// energy that they store, in J: that of springs of stiffness c m_i m_j/((m_i + m_j) Δt²).
pub(super) fn apply(step: &Step, around: &Around, state: &mut State, velocity: &mut [Vec3]) -> f64 {
    let mut pulls = vec![Pull { stress: Mat3::ZERO, ..Pull::default() }; velocity.len()];
    let (connections, coefficient) = (&state.connections, &state.coefficient);
    let energy = parallel::update_sum(&mut pulls, |i, pull| {
        for connection in connections.of(i) {
            let partner = connection.partner();
            let e = step.away(i, partner, around);
            let length = e.length();
            let extension = length - connection.rest;
            if extension <= 0.0 {
                continue;
            }
            let Some(link) = step.link(i, partner) else { continue };
            let (c, ease) = match partner {
                Partner::Particle(j) => (step.mean_coefficient(coefficient, i, j), step.movable[j]),
                Partner::Wall(_) => (coefficient[i], 0.0),
            };
            if link.yielding * step.kernel.support() < extension {
                pull.weakening += link.weakening;
            }
            let sum = step.movable[i] + ease;
            if sum > 0.0 {
                let force = c * extension / (sum * step.dt * step.dt);
                let along = e / length;
                pull.velocity -= along * (force * step.movable[i] * step.dt);
                pull.energy += 0.25 * force * extension;
                // Half of the force's moment belongs to either end.
                let f = along * (0.5 * force);
                pull.stress += Mat3::from_cols(e * f.x, e * f.y, e * f.z);
            }
        }
        f64::from(pull.energy)
    });
    let volume = step.kernel.volume();
    parallel::for_each2(&mut state.coefficient, &mut state.stress, |i, c, stress| {
        let least = step.least_coefficient(i);
        *c = (*c - step.dt * pulls[i].weakening).max(least.min(*c));
        *stress = Sym3::symmetric_part(&pulls[i].stress) * (1.0 / volume);
    });
    parallel::for_each(velocity, |i, v| *v += pulls[i].velocity);
    energy
}
