//! Where a particle should move for the particles to be evenly spread (after Lind et al. 2012).
//!
//! δ = −k h² Σ V ∇W [1 + 0.2 (W/W(d))⁴]: against the gradient of the particles' concentration; the second term parts
//! pairs that come too near. At a free surface, where the gradient points inwards, only along it.

use crate::boundary::{Boundary, WallKernel};
use crate::domain::Domain;
use crate::flow::density::wall_density;
use crate::kernel::Kernel;
use crate::math::Sym3;
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::Vec3;

/// Strength of the pairing term.
const PAIRING: f32 = 0.2;
/// Below this smallest eigenvalue of the moment matrix a particle belongs to the surface.
const SURFACE: f32 = 0.8;
/// Strength k while particles are packed, and how often they are moved.
const PACKING: f32 = 0.05;
const ROUNDS: usize = 30;

/// δ/k of a particle with neighbours at `offsets` (x_i − x_j); `wall` is the gradient of what walls add to ρ/ρ₀, and
/// `condition` the smallest eigenvalue of the moment matrix.
pub(crate) fn even_shift(
    kernel: &Kernel,
    offsets: impl Iterator<Item = Vec3>,
    (wall, condition): (Vec3, f32),
) -> Vec3 {
    let at_spacing = kernel.w(kernel.spacing());
    let (mut concentration, mut pairing) = (Vec3::ZERO, Vec3::ZERO);
    for e in offsets {
        let r = e.length();
        let gradient = e * (kernel.gradient_over_r(r) * kernel.volume());
        concentration += gradient;
        pairing += gradient * (PAIRING * (kernel.w(r) / at_spacing).powi(4));
    }
    concentration += wall * (kernel.lattice_sum() * kernel.volume());
    let h = kernel.support();
    let shift = (concentration + pairing) * -(h * h);
    if condition < SURFACE || concentration.length() * h > 0.9 {
        let normal = concentration.normalize_or_zero();
        return (shift - normal * shift.dot(normal)) * 0.5;
    }
    shift
}

/// Moves particles until they are evenly spread, within their surface and off walls.
pub(crate) fn pack(
    positions: &mut [Vec3],
    domain: &Domain,
    kernel: &Kernel,
    (boundary, walls): (&Boundary, &WallKernel),
) {
    let clearance = 0.5 * kernel.spacing();
    for _ in 0..ROUNDS {
        let neighbors = Neighbors::find(positions, kernel.support(), domain);
        let before = positions.to_vec();
        parallel::for_each(positions, |i, x| {
            let offset = |j: &u32| domain.nearest(before[i] - before[*j as usize]);
            let moment = neighbors.of(i).iter().map(offset).fold(Sym3::ZERO, |sum, e| {
                sum + Sym3::outer(e) * (-kernel.volume() * kernel.gradient_over_r(e.length()))
            });
            let (_, wall) = wall_density(boundary, walls, before[i]);
            let place = (wall, moment.eigenvalues()[0]);
            let shift = even_shift(kernel, neighbors.of(i).iter().map(offset), place) * PACKING;
            *x += shift.clamp_length_max(0.1 * kernel.spacing());
            for contact in boundary.near(*x, clearance).as_slice() {
                *x += contact.point.normal * (clearance - contact.point.distance).max(0.0);
            }
            *x = domain.wrap(*x);
        });
    }
}
