//! Density, the equation of state, and the accelerations by pressure and viscosity.
//!
//! ```text
//! ρ̂_i = ρ_i/ρ₀ = Σ_j W        p_i = max(0, c² ρ₀ (ρ̂_i − 1))
//! m_i dv_i/dt = m_i g − Σ_j V² (p_i/ρ̂_i² + p_j/ρ̂_j²) ∇W + Σ_j V² η (v_j − v_i)/(ρ̂_i ρ̂_j) ∇²W        V = d³
//! ```
//!
//! With one material these are the slides' sums; with several, volumes in the place of masses keep the density of each,
//! and any pair keeps its momentum. Walls and bodies press with the pressure of the fluid before them.

use super::Step;
use crate::boundary::WallFriction;
use crate::flow::Displaced;
use crate::flow::density::wall_density;
use crate::parallel;
use glam::{Vec3, Vec3A};

/// What a particle has at the start of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Local {
    /// ρ̂.
    pub(super) density: f32,
    /// p/ρ̂², in Pa.
    pub(super) pressure: f32,
    /// Σ ∇W over walls, in 1/m.
    pub(super) wall: Vec3,
}

/// Sum of density over neighbours and walls of a particle that has moved by `s`.
fn density(step: &Step, around: &Displaced, s: &[Vec3], i: usize) -> (f32, Vec3) {
    let distance = |j: usize| (step.offset(j, i) + (s[i] - s[j])).length();
    let near = around.neighbors.of(i).iter().map(|&j| step.kernels.density(distance(j as usize)));
    let sum = step.kernels.density(0.0) + near.sum::<f32>();
    let (fill, wall) = match around.near_wall[i] {
        true => wall_density(step.boundary, step.wall_kernel, step.x0[i] + s[i]),
        false => (0.0, Vec3::ZERO),
    };
    (sum + fill, wall)
}

/// ρ̂ of particles that have moved by `s`.
pub(super) fn densities(step: &Step, around: &Displaced, s: &[Vec3]) -> Vec<f32> {
    let mut densities = vec![0.0; s.len()];
    parallel::fill(&mut densities, |i| density(step, around, s, i).0);
    densities
}

/// Densities and pressures at the start of the step.
pub(super) fn pressures(step: &Step, around: &Displaced) -> Vec<Local> {
    let at_rest = vec![Vec3::ZERO; step.x0.len()];
    let mut local = vec![Local::default(); at_rest.len()];
    let stiffness = step.sound_speed * step.sound_speed / step.kernel.volume();
    parallel::fill(&mut local, |i| {
        let (density, wall) = density(step, around, &at_rest, i);
        let pressure = match step.body(i) {
            None => stiffness / step.inverse_mass(i) * (density - 1.0).max(0.0) / (density * density),
            Some(_) => 0.0,
        };
        Local { density, pressure, wall }
    });
    local
}

/// v ← v + a Δt, but for gravity; `v0` is the velocity at the start of the step.
pub(super) fn accelerate(
    step: &Step,
    around: &Displaced,
    local: &[Local],
    v0: &[Vec3],
    velocity: &mut [Vec3A],
) {
    let volume = step.kernel.volume();
    parallel::for_each(velocity, |i, v| {
        if !step.is_free(i) {
            return;
        }
        let solid = step.body(i).is_some();
        let mut force = Vec3::ZERO;
        for &j in around.neighbors.of(i) {
            let j = j as usize;
            let e = step.offset(j, i);
            let r = e.length();
            let (pressure, eta) = match (solid, step.body(j).is_some()) {
                (false, false) => (local[i].pressure + local[j].pressure, 0.5 * (step.eta(i) + step.eta(j))),
                (false, true) => (2.0 * local[i].pressure, step.eta(i)),
                (true, false) => (2.0 * local[j].pressure, step.eta(j)),
                (true, true) => continue,
            };
            force += e * (step.kernels.steepness(r) * pressure);
            let drag = eta * step.kernels.laplacian(r) / (local[i].density * local[j].density);
            force += (v0[j] - v0[i]) * drag;
        }
        if !solid && around.near_wall[i] {
            force -= local[i].wall * (2.0 * local[i].pressure);
            force += wall_drag(step, i, v0[i]) * (step.eta(i) / local[i].density);
        }
        *v += Vec3A::from(force * (volume * step.mobility[i] * step.dt));
    });
}

/// Σ ∇²W (v_b − v) over walls with no slip.
fn wall_drag(step: &Step, i: usize, v: Vec3) -> Vec3 {
    let contacts = step.boundary.near_at_start(step.x0[i], step.wall_kernel.reach());
    let held = contacts.as_slice().iter().filter(|c| c.friction == WallFriction::NoSlip);
    held.map(|c| (c.velocity - v) * step.kernels.drag(c.point.distance)).sum()
}
