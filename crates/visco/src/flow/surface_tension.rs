//! Surface tension against air, as the energy of missing neighbours.
//!
//! With V = d³ and the kernel W of Wendland 1995 (C², support s = 3.5 d) a particle sees the concentration c = Σ V W of
//! fluid and walls around it, of which x = 1 − c is missing, and its gradient g = Σ V ∇W. As in a diffuse interface
//! (van der Waals 1893, Cahn & Hilliard 1958) the surface has an energy of missing fluid and one of the gradient
//! (in particles: He et al. 2014):
//!
//! ```text
//! E = σ Σ V [ β a(x)/∫a dz + (1 − β) |g|²/∫|g|² dz ]        a = 0 below x₀, slope 1 above x₁, smooth between
//! f = −∂E/∂x,   of a pair: V² [(a′_i + a′_j) ∇W + ∇∇W (g_j − g_i)], each with its factor
//! ```
//!
//! The integrals over the depth z below a flat surface make E/A = σ. Forces are those of pairs, and E knows no
//! direction: linear and angular momentum are kept. The first part holds surface particles together and compresses the
//! surface, the second spreads them. The pressure that the two leave in a flat surface is least near β = 0.46; β = 0.65
//! is what came nearest to pressure and period of drops of 6 to 13 spacings radius. With s = 3.5 d the energy of a ball
//! cut from a cubic lattice is that of its area within 6 %, and its growth when stretched within 20 %: at 2.2 d or 3 d
//! the lattice itself would be elastic.
//!
//! Walls count as filled: fluid has no surface there, and meets them at 90°. Neither has it one where it meets another
//! fluid. What a wall's slope adds to the force of |g|² is left out: g has no part along the normal of a filled wall.

use super::Setting;
use crate::material::Material;
use crate::neighbors::Neighbors;
use crate::parallel;
use crate::world::World;
use glam::{Vec3, Vec3A};
use std::f32::consts::PI;

/// Support s, in spacings.
const SUPPORT: f32 = 3.5;
/// x₀: as much may be missing inside, where particles are spread unevenly.
const UNEVEN: f32 = 0.02;
/// x₁.
const SURFACE: f32 = 0.1;
/// β.
const SHARE: f32 = 0.65;

/// Ohnesorge number of the calming viscosity.
const CALM: f32 = 0.3;

/// What a particle feels of the surface.
#[derive(Clone, Copy, Debug, Default)]
struct Surface {
    /// Factor of ∇W.
    cohesion: f32,
    /// Factor of ∇∇W.
    gradient: Vec3,
    /// The walls' part of the force, per volume.
    wall: Vec3,
}

/// u* ← u* + Δt M⁻¹ f, for the materials that have surface tension. Returns f per volume at the particles near a surface
/// that has it, 0 at others; none, if no material has.
pub(crate) fn pull(step: &Setting, world: &World, velocity: &mut [Vec3A]) -> Vec<Vec3> {
    if world.materials.iter().all(|m| m.surface_tension == 0.0) {
        return vec![];
    }
    let kernel = Wendland::new(step.kernel.spacing());
    let neighbors = Neighbors::find(step.x0, kernel.support, &step.domain);
    let flat = FlatSurface::new(&kernel);
    let material = |i: usize| &world.materials[step.materials[i] as usize];
    let mut surface = vec![Surface::default(); velocity.len()];
    parallel::fill(&mut surface, |i| {
        let (filled, wall) = kernel.walls(step, step.x0[i]);
        let (mut missing, mut gradient) = (1.0 - kernel.w(0.0) - filled, wall);
        for &j in neighbors.of(i) {
            let e = step.offset(i, j as usize);
            let r = e.length();
            missing -= kernel.w(r);
            gradient += e * kernel.pull_over_r(r);
        }
        let tension = material(i).surface_tension;
        let cohesion = tension * flat.cohesion * energy(missing).1;
        Surface { cohesion, gradient: gradient * (2.0 * tension * flat.gradient), wall: wall * cohesion }
    });
    let mut pulls = vec![Vec3::ZERO; velocity.len()];
    parallel::for_each2(velocity, &mut pulls, |i, u, pull| {
        if step.is_free(i) {
            let force = neighbors.of(i).iter().fold(surface[i].wall, |sum, &j| {
                sum + kernel.pair_force(step.offset(i, j as usize), &surface[i], &surface[j as usize])
            });
            *u += Vec3A::from(force) * (step.dt / material(i).density);
            *pull = if surface[i].cohesion > 0.0 { force } else { Vec3::ZERO };
        }
    });
    pulls
}

/// Viscosity that keeps particles at the surface of a thin fluid calm, where it resists motion that no gradient sees:
/// an Ohnesorge number of a particle times √(ρσd), in Pa·s.
pub(crate) fn calming_viscosity(material: &Material, spacing: f32) -> f32 {
    CALM * (material.density * material.surface_tension * spacing).sqrt()
}

/// a(x) and a′(x).
fn energy(x: f32) -> (f32, f32) {
    let slope = ((x - UNEVEN) / (SURFACE - UNEVEN)).clamp(0.0, 1.0);
    (0.5 * slope * slope * (SURFACE - UNEVEN) + (x - SURFACE).max(0.0), slope)
}

/// V W, with W(r) = 21/(2πs³) (1 − q)⁴ (1 + 4q), q = r/s.
#[derive(Clone, Copy, Debug)]
struct Wendland {
    support: f32,
    /// −V W″(0) = 210 V/(πs⁵).
    curvature: f32,
}

impl Wendland {
    fn new(spacing: f32) -> Self {
        let support = SUPPORT * spacing;
        Self { support, curvature: 210.0 * spacing.powi(3) / (PI * support.powi(5)) }
    }

    /// V W(r).
    #[inline]
    fn w(&self, r: f32) -> f32 {
        let q = r / self.support;
        self.curvature * self.support.powi(2) / 20.0 * (1.0 - q).max(0.0).powi(4) * (1.0 + 4.0 * q)
    }

    /// −V W′(r)/r.
    #[inline]
    fn pull_over_r(&self, r: f32) -> f32 {
        self.curvature * (1.0 - r / self.support).max(0.0).powi(3)
    }

    /// The force on a particle by one at `e` from it, per volume.
    #[inline]
    fn pair_force(&self, e: Vec3, own: &Surface, other: &Surface) -> Vec3 {
        let r = e.length();
        let t = (1.0 - r / self.support).max(0.0);
        let change = own.gradient - other.gradient;
        // V∇∇W = −curvature [t³ I − 3t²/(s r) e eᵀ].
        let along = if r > 0.0 { 3.0 * e.dot(change) / (self.support * r) } else { 0.0 };
        (e * (t * (own.cohesion + other.cohesion) - along) + change * t) * (self.curvature * t * t)
    }

    /// c of a half-space at distance `z`, and its derivative.
    fn half_space(&self, z: f32) -> (f32, f32) {
        let t = (1.0 - z.max(0.0) / self.support).max(0.0);
        let fill = t.powi(6) * (3.5 - 4.5 * t + 1.5 * t * t);
        (fill, -t.powi(5) * (21.0 - 31.5 * t + 12.0 * t * t) / self.support)
    }

    /// c of the walls at a point, and its gradient. Where walls meet, the parts that they leave empty multiply.
    fn walls(&self, step: &Setting, x: Vec3) -> (f32, Vec3) {
        let (mut empty, mut gradient) = (1.0, Vec3::ZERO);
        for c in step.boundary.near_at_start(x, self.support).as_slice() {
            let (fill, slope) = self.half_space(c.point.distance);
            gradient = gradient * (1.0 - fill) + c.point.normal * (slope * empty);
            empty *= 1.0 - fill;
        }
        (1.0 - empty, gradient)
    }
}

/// Factors of the two energies that make the tension of a flat surface 1.
struct FlatSurface {
    /// β/∫a dz.
    cohesion: f32,
    /// (1 − β)/∫|g|² dz.
    gradient: f32,
}

impl FlatSurface {
    fn new(kernel: &Wendland) -> Self {
        const POINTS: usize = 128;
        let dz = kernel.support / POINTS as f32;
        let (mut missing, mut squares) = (0.0, 0.0);
        for k in 0..POINTS {
            // What a surface has cut off is a half-space.
            let (x, slope) = kernel.half_space((k as f32 + 0.5) * dz);
            missing += energy(x).0 * dz;
            squares += slope * slope * dz;
        }
        Self { cohesion: SHARE / missing, gradient: (1.0 - SHARE) / squares }
    }
}

#[cfg(test)]
mod tests;
