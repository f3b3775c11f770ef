//! The conformation constraint on positions, with the best-fit rotation removed: eq. 14 to 18.
//!
//! With e⁰ = x⁰_j − x⁰_i, e = x_j − x_i, g = w e and K as in the velocity stage but at the current positions:
//!
//! ```text
//! C̃_i = S⁻¹ κ′(R Q⁰ Rᵀ − I) + G + Gᵀ,    G = (Σ_j (e − R e⁰) gᵀ) K
//! ```
//!
//! e − R e⁰ is summed as (s_j − s_i) + (I − R) e⁰, which keeps the digits of slow motion. The multipliers are
//! held in the unrotated frame, so that those of the velocity stage are carried over as λ = Δt² R λ Rᵀ.

use super::Step;
use super::diagonal::{gradient_correction, relaxation, row_diagonal};
use super::state::{Local, Response, Scratch, State};
use crate::flow::Displaced;
use crate::flow::contact::contact_displacement;
use crate::flow::wall_gradient::WallGradient;
use crate::math::{Sym3, best_fit_rotation, identity_minus_rotation, outer};
use crate::parallel;
use glam::{Mat3, Quat, Vec3};

/// Sums over the neighbours of a particle, all taken in one pass.
struct Neighborhood {
    /// Σ e e⁰ᵀ about the centres of mass: its rotation is R (eq. 14).
    covariance: Mat3,
    /// Σ (s_j − s_i) gᵀ.
    motion: Mat3,
    /// Σ e⁰ gᵀ.
    rest: Mat3,
    /// Σ g gᵀ, weighted by the neighbours' inverse masses.
    squares: Sym3,
    /// Σ g.
    total: Vec3,
    /// Neighbours within the support.
    count: usize,
}

/// One Jacobi iteration of the conformation constraint on the displacements, contact included.
pub(crate) fn project_conformation(step: &Step, around: &Displaced, state: &State, scratch: &mut Scratch) {
    let Scratch { displacement, moved, local, response, .. } = scratch;
    let s = &*displacement;
    parallel::for_each2(local, response, |i, local, response| {
        *response = match step.coefficients(i).moves_positions {
            true => multiplier_step(step, around, (s, state.conformation[i]), i, local),
            false => Response::NONE,
        };
    });
    parallel::fill(moved, |i| {
        let mobility = step.mobility[i];
        if mobility <= 0.0 {
            return s[i];
        }
        let own = &response[i];
        let mut sum = own.traction * own.wall;
        for &j in around.neighbors.of(i) {
            let j = j as usize;
            let e = step.offset(i, j) + (s[j] - s[i]);
            let w = -step.kernel.volume() * step.kernel.gradient_over_r(e.length());
            sum += (response[j].traction + own.traction) * (e * w);
        }
        let change = sum * (2.0 * mobility * own.relaxation);
        contact_displacement(step, i, s[i] - change)
    });
    std::mem::swap(displacement, moved);
}

/// Δλ of eq. 17.
fn multiplier_step(
    step: &Step,
    around: &Displaced,
    (s, conformation): (&[Vec3], Sym3),
    i: usize,
    local: &mut Local,
) -> Response {
    let c = step.coefficients(i);
    let sums = neighborhood(step, around, s, i);
    let r = if step.params.corotational {
        local.rotation = best_fit_rotation(&sums.covariance, local.rotation);
        local.rotation
    } else {
        Quat::IDENTITY
    };
    let turn = Mat3::from_quat(r);
    let back = identity_minus_rotation(r);
    let wall = match step.corrections.velocity_contact && around.near_wall[i] {
        true => WallGradient::at_end(step, step.x0[i] + s[i]),
        false => None,
    };
    let wall = wall.unwrap_or(WallGradient::NONE);
    let rest = sums.rest + wall.moment.to_mat3();
    let moment = Sym3::symmetric_part(&(rest + sums.motion));
    let k = gradient_correction(step, moment).inverse;
    let gradient =
        (sums.motion + back * rest + wall.flow * step.dt - outer(s[i], wall.gradient)) * k.to_mat3();
    let q0 = if step.corrections.turned_conformation { conformation.congruent(&turn) } else { conformation };
    let strain = step.held_part(Sym3::twice_symmetric_part(&gradient));
    let constraint = step.memory(q0, i) + strain;
    let squares = sums.squares.congruent(&k.to_mat3());
    let total = k.mul_vec(sums.total + wall.gradient);
    let own = Vec3::new(squares.xx, squares.yy, squares.zz) + total * total * step.inverse_mass(i);
    let turned = local.multiplier.congruent(&turn);
    let residual = (constraint + step.comply(turned, c.alpha_position)) * -1.0;
    let diagonal = row_diagonal(step, own);
    let mut change = step.divide_rows(residual, diagonal, c.alpha_position);
    let beta =
        relaxation(step, sums.count, c.alpha_position / (step.bulk() * diagonal.xx).max(f32::MIN_POSITIVE));
    if step.corrections.relaxed_multipliers {
        change = change * beta;
    }
    local.multiplier += change.congruent(&turn.transpose());
    let relaxation = if step.corrections.relaxed_multipliers { 1.0 } else { beta };
    Response { traction: change.mul_sym(k), wall: wall.gradient, relaxation }
}

fn neighborhood(step: &Step, around: &Displaced, s: &[Vec3], i: usize) -> Neighborhood {
    let mut sums = Neighborhood {
        covariance: Mat3::ZERO,
        motion: Mat3::ZERO,
        rest: Mat3::ZERO,
        squares: Sym3::ZERO,
        total: Vec3::ZERO,
        count: 0,
    };
    let (mut center, mut center0) = (Vec3::ZERO, Vec3::ZERO);
    let list = around.neighbors.of(i);
    for &j in list {
        let j = j as usize;
        let e0 = step.offset(i, j);
        let ds = s[j] - s[i];
        let e = e0 + ds;
        center += e;
        center0 += e0;
        sums.covariance += outer(e, e0);
        let r = e.length();
        if r >= step.kernel.support() {
            continue;
        }
        let g = e * (-step.kernel.volume() * step.kernel.gradient_over_r(r));
        sums.motion += outer(ds, g);
        sums.rest += outer(e0, g);
        sums.squares += Sym3::outer(g) * step.inverse_mass(j);
        sums.total += g;
        sums.count += 1;
    }
    sums.covariance -= outer(center, center0) * (1.0 / (list.len() as f32 + 1.0));
    sums
}
