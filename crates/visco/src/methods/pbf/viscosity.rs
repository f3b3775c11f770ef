//! XSPH viscosity.
//!
//! ```text
//! v_i ← v_i + Σ_j c m_ij/m_i V W (v_j − v_i)        1/m_ij = (1/m_i + 1/m_j)/2, c the mean of both, V = 1/Σ W(rest lattice)
//! ν = c Σ V W r²/(6 Δt)
//! ```
//!
//! The second line is the kinematic viscosity that a smooth flow feels of it, so that c follows from the viscosity of a
//! material, up to c = 1, which makes the velocity of a particle the mean around it. Pairs of equal masses have the
//! paper's form, and any pair keeps its momentum. A wall with no slip counts as fluid that moves with it.

use super::Step;
use super::constraint::lattice;
use crate::boundary::WallFriction;
use crate::flow::Displaced;
use crate::kernel::Kernel;
use crate::material::Material;
use crate::math::{Sym3, outer};
use crate::neighbors::Neighbors;
use crate::parallel;
use crate::world::World;
use glam::{Mat3, Vec3, Vec3A};

/// Largest c.
const MOST: f64 = 1.0;

/// ν Δt/c, in m²: what c = 1 diffuses in a step.
fn reach(kernel: &Kernel) -> f64 {
    let d = kernel.spacing();
    let cells = (kernel.support() / d).ceil() as i32;
    let squares =
        lattice(cells).map(|k| f64::from(d * d * k as f32) * f64::from(kernel.w(d * (k as f32).sqrt())));
    squares.sum::<f64>() / f64::from(kernel.lattice_sum()) / 6.0
}

/// Largest kinematic viscosity that a step of `dt` seconds carries, in m²/s.
pub(crate) fn most_viscous(spacing: f64, support: f64, dt: f64) -> f64 {
    MOST * reach(&Kernel::new(spacing as f32, (spacing * support) as f32)) / dt
}

/// c of every material.
pub(super) fn coefficients(materials: &[Material], least: f32, (kernel, dt): (&Kernel, f32)) -> Vec<f32> {
    let per_viscosity = f64::from(dt) / reach(kernel);
    let c = |m: &Material| m.rheology.steady_viscosity() / f64::from(m.density) * per_viscosity;
    materials.iter().map(|m| c(m).max(f64::from(least)).min(MOST) as f32).collect()
}

impl Step<'_> {
    /// c m_ij/m_i of a pair; bodies take the fluid's c, and have none among themselves.
    #[inline]
    fn share(&self, i: usize, j: usize) -> f32 {
        let c = |i: usize| self.coefficients[usize::from(self.materials[i])];
        let c = match (self.body(i), self.body(j)) {
            (None, None) => 0.5 * (c(i) + c(j)),
            (None, Some(_)) => c(i),
            (Some(_), None) => c(j),
            (Some(_), Some(_)) => return 0.0,
        };
        let (own, other) = (self.inverse_mass(i), self.inverse_mass(j));
        c * 2.0 * own / (own + other)
    }
}

/// Applies XSPH to the velocities of particles that have moved by `s`.
pub(super) fn apply(step: &Step, around: &Displaced, s: &[Vec3], velocity: &mut Vec<Vec3A>) {
    if step.coefficients.iter().all(|&c| c == 0.0) {
        return;
    }
    let v = &*velocity;
    let unit = 1.0 / step.kernel.lattice_sum();
    let mut smoothed = vec![Vec3A::ZERO; v.len()];
    parallel::fill(&mut smoothed, |i| {
        if !step.is_free(i) {
            return v[i];
        }
        let mut change = Vec3A::ZERO;
        for &j in around.neighbors.of(i) {
            let j = j as usize;
            let r = (step.offset(j, i) + (s[i] - s[j])).length();
            change += (v[j] - v[i]) * (step.share(i, j) * step.kernel.w(r) * unit);
        }
        if around.near_wall[i] && step.body(i).is_none() {
            let c = step.coefficients[usize::from(step.materials[i])];
            let contacts = step.boundary.near(step.x0[i] + s[i], step.wall_kernel.reach());
            for contact in contacts.as_slice().iter().filter(|c| c.friction == WallFriction::NoSlip) {
                let fill = step.wall_kernel.at(contact.point.distance).fill;
                change += (Vec3A::from(contact.velocity) - v[i]) * (c * fill);
            }
        }
        v[i] + change
    });
    *velocity = smoothed;
}

/// Stress of XSPH by the velocities of a world, in Pa: σ = A + Aᵀ, A = Σ_j F_ij x_ijᵀ/2V, with F the force of a pair.
pub(super) fn stresses(step: &Step, world: &World) -> Vec<Sym3> {
    let (x, v) = (&world.particles.positions, &world.particles.velocities);
    let near = Neighbors::find(x, step.kernel.support(), &step.domain);
    let scale = 0.5 / (step.kernel.volume() * step.dt * step.kernel.lattice_sum());
    let mut stresses = vec![Sym3::ZERO; x.len()];
    parallel::fill(&mut stresses, |i| {
        let mut sum = Mat3::ZERO;
        for &j in near.of(i) {
            let j = j as usize;
            let e = step.offset(i, j);
            let force = (v[j] - v[i]) * (step.share(i, j) * step.kernel.w(e.length()) / step.inverse_mass(i));
            sum += outer(force, e);
        }
        Sym3::twice_symmetric_part(&sum) * scale
    });
    stresses
}
