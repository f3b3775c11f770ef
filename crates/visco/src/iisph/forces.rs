//! Forces other than pressure and what a method adds: viscosity, explicit, and friction of walls.
//!
//! Viscosity between two particles acts along the line between them, and so keeps angular momentum (Monaghan 1992), with
//! boundary particles of walls with no slip and of bodies as Akinci et al. 2012 have it:
//!
//! ```text
//! ρ dv_i/dt = 10 Σ_j η v_ij·x_ij/(x_ij² + 0.01 h²) ∇W_ij                (η the mean of both; of the fluid at walls and bodies)
//! ```
//!
//! An explicit step carries only so much of it: what is more than [`MOST_VISCOUS`] ρd²/Δt is not felt.

use super::{Around, Step};
use crate::boundary::WallFriction;
use crate::parallel;
use glam::Vec3;

/// Largest Δt η/(ρ d²) that an explicit step carries.
pub(crate) const MOST_VISCOUS: f64 = 0.1;

/// Adds the velocity that viscosity gives in a step to `velocity`; `v` is that at its start.
pub(crate) fn add_viscosity(step: &Step, around: &Around, v: &[Vec3], velocity: &mut [Vec3]) {
    if step.viscosities.iter().all(|&eta| eta == 0.0) {
        return;
    }
    let softening = 0.01 * step.kernel.support().powi(2);
    let drag = |e: Vec3, v: Vec3, g: Vec3| g * (10.0 * v.dot(e) / (e.length_squared() + softening));
    parallel::for_each(velocity, |i, u| {
        let ease = step.pushed[i];
        if ease == 0.0 {
            return;
        }
        let mut sum = Vec3::ZERO;
        for (j, g) in around.pairs(i) {
            let eta = step.pair_viscosity(i, j);
            if eta > 0.0 {
                sum += drag(-step.offset(i, j), v[i] - v[j], g) * eta;
            }
        }
        let eta = step.viscosity(i);
        if eta > 0.0 {
            for (b, g) in around.wall_pairs(i) {
                if step.wall_of(b).friction == WallFriction::NoSlip {
                    let e = step.domain.nearest(step.x0[i] - around.walls.positions[b]);
                    sum += drag(e, v[i] - around.walls.velocities[b], g) * eta;
                }
            }
        }
        *u += sum * (ease * step.dt);
    });
}

/// Slows the fluid along walls with a Coulomb coefficient μ by at most μ times what their pressure changes its velocity by.
pub(crate) fn rub(step: &Step, around: &Around, pressure: &[f32], velocity: &mut [Vec3]) {
    let rough = |friction: WallFriction| matches!(friction, WallFriction::Coulomb(_));
    if !step.boundary.walls.iter().any(|wall| rough(wall.friction)) {
        return;
    }
    parallel::for_each(velocity, |i, u| {
        if step.ease[i] == 0.0 || pressure[i] == 0.0 {
            return;
        }
        let (mut push, mut carried, mut coefficient, mut weight) = (Vec3::ZERO, Vec3::ZERO, 0.0, 0.0);
        for (b, g) in around.wall_pairs(i) {
            if let WallFriction::Coulomb(mu) = step.wall_of(b).friction {
                let w = g.length();
                push -= g;
                carried += around.walls.velocities[b] * w;
                coefficient += mu * w;
                weight += w;
            }
        }
        let strength = push.length();
        if strength > 0.0 {
            let normal = push / strength;
            let relative = *u - carried / weight;
            let along = relative - normal * relative.dot(normal);
            let speed = along.length();
            let most = coefficient / weight * strength * pressure[i] * step.ease[i] * step.dt;
            if speed > 0.0 {
                *u -= along * (most / speed).min(1.0);
            }
        }
    });
}
