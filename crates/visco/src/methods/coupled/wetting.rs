//! Which walls act on a particle through its gradient.
//!
//! A wall acts on what touches it and on what stands on that. Through the gradient it pulls as well as it pushes, as a
//! wall does that fluid wets. A wall along which the fluid slides is not wetted: it lets go of a particle whose stress
//! pulls at it, and acts again once its contact has stopped the particle.

use super::Step;
use super::state::State;
use crate::boundary::{Contact, WallFriction};
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::Vec3;

/// Particles at rest on a wall are half a spacing from it; nearer than this they touch, in spacings.
const TOUCHING: f32 = 0.65;
/// Touching neighbours that connect a particle behind them with a wall.
const COMMON: usize = 3;
/// Cosine between normals of the same wall.
const SAME: f32 = 0.5;

/// Of each particle the sum of the normals of the walls along which it slides, and that press it.
pub(super) fn pressing_normals(step: &Step, state: &State) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; step.x0.len()];
    if step.boundary.walls.iter().all(|wall| wall.friction != WallFriction::Slip) {
        return normals;
    }
    let touching = TOUCHING * step.kernel.spacing();
    parallel::fill(&mut normals, |i| {
        if step.body(i).is_some() {
            return Vec3::ZERO;
        }
        let contacts = step.boundary.near_at_start(step.x0[i], touching);
        let slides = |c: &&Contact| c.friction == WallFriction::Slip;
        let normals = contacts.as_slice().iter().filter(slides).map(|c| c.point.normal);
        normals.filter(|&n| state.is_pressed(i, n, SAME)).sum()
    });
    normals
}

/// Whether a wall acts on a particle: it touches, or stands on neighbours that do; `pressing` is of
/// [`pressing_normals`].
pub(super) fn acts(
    step: &Step,
    (neighbors, connected): (&Neighbors, &[bool]),
    pressing: &[Vec3],
    (i, wall): (usize, &Contact),
) -> bool {
    let (distance, normal) = (wall.point.distance, wall.point.normal);
    let touching = TOUCHING * step.kernel.spacing();
    let holds = |i: usize| wall.friction != WallFriction::Slip || pressing[i].dot(normal) > SAME;
    if distance < touching {
        return holds(i);
    }
    let list = neighbors.of(i).iter().zip(&connected[neighbors.range(i)]);
    let below = |(j, c): &(&u32, &bool)| {
        let j = **j as usize;
        **c && distance + step.offset(i, j).dot(normal) < touching && holds(j)
    };
    list.filter(below).take(COMMON).count() >= COMMON
}
