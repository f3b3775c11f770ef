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
use crate::domain::Domain;
use crate::lanes::{LANES, Vec3x8, dispatch, level};
use crate::parallel;
use fearless_simd::{Simd, f32x8};
use glam::{Vec3, Vec3A, Vec4};

/// Largest Δt η/(ρ d²) that an explicit step carries.
pub(crate) const MOST_VISCOUS: f64 = 0.1;

/// What viscosity has to know of a particle, side by side in memory.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    /// Position; and viscosity, in Pa·s; solids have none of their own.
    x_eta: Vec4,
    /// Velocity; and 2 of a solid, which takes the viscosity of the fluid, 1 of fluid.
    v_share: Vec4,
}

/// The drag between a particle and neighbours, without the gradient.
struct Drag<'a> {
    domain: &'a Domain,
    /// 0.01 h².
    softening: f32,
}

impl Drag<'_> {
    #[inline(always)]
    fn of_eight<'a, S: Simd>(&self, simd: S, own: &End, other: impl Fn(usize) -> &'a End) -> [f32; LANES] {
        let (x, eta) = Vec3x8::with_numbers(simd, |k| &other(k).x_eta);
        let (v, share) = Vec3x8::with_numbers(simd, |k| &other(k).v_share);
        let e = self.domain.nearest_lanes(Vec3x8::splat(simd, own.x_eta.truncate()) - x);
        let v = Vec3x8::splat(simd, own.v_share.truncate()) - v;
        let weight: f32x8<S> = (eta + own.x_eta.w) * (share * (5.0 * own.v_share.w));
        (weight * v.dot(e) / (e.length_squared() + self.softening)).into()
    }

    /// Sum over the neighbours of a particle.
    #[inline(always)]
    fn sum<S: Simd>(&self, simd: S, ends: &[End], around: &Around, i: usize) -> Vec3 {
        let (batches, rest) = around.near.of(i).as_chunks::<LANES>();
        let (of_batches, of_rest) = around.gradients[around.near.range(i)].as_chunks::<LANES>();
        let mut sum = Vec3A::ZERO;
        for (batch, gradients) in batches.iter().zip(of_batches) {
            let drag = self.of_eight(simd, &ends[i], |k| &ends[batch[k] as usize]);
            sum += weighted(gradients, &drag);
        }
        if !rest.is_empty() {
            let other = |k: usize| rest.get(k).map_or(&ends[i], |&j| &ends[j as usize]);
            sum += weighted(of_rest, &self.of_eight(simd, &ends[i], other));
        }
        sum.into()
    }
}

#[inline(always)]
fn weighted(gradients: &[Vec3A], weights: &[f32; LANES]) -> Vec3A {
    gradients.iter().zip(weights).fold(Vec3A::ZERO, |sum, (&g, &weight)| sum + g * weight)
}

/// Adds the velocity that viscosity gives in a step to `velocity`; `v` is that at its start.
pub(crate) fn add_viscosity(step: &Step, around: &Around, v: &[Vec3], velocity: &mut [Vec3]) {
    if step.viscosities.iter().all(|&eta| eta == 0.0) {
        return;
    }
    let softening = 0.01 * step.kernel.support().powi(2);
    let mut ends = vec![End::default(); v.len()];
    parallel::fill(&mut ends, |i| End {
        x_eta: step.x0[i].extend(step.viscosity(i)),
        v_share: v[i].extend(if step.is_solid(i) { 2.0 } else { 1.0 }),
    });
    let drag = Drag { domain: &step.domain, softening };
    parallel::for_each(velocity, |i, u| {
        let ease = step.pushed[i];
        if ease == 0.0 {
            return;
        }
        let mut sum = dispatch!(level(), simd => drag.sum(simd, &ends, around, i));
        let eta = ends[i].x_eta.w;
        if eta > 0.0 {
            for (b, g) in around.wall_pairs(i) {
                if step.wall_of(b).friction == WallFriction::NoSlip {
                    let e = step.domain.nearest(step.x0[i] - around.walls.positions[b]);
                    let v = v[i] - around.walls.velocities[b];
                    sum += g * (10.0 * eta * v.dot(e) / (e.length_squared() + softening));
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
