//! Where a particle should move for the particles to be evenly spread (after Lind et al. 2012).
//!
//! δ = −k h² Σ V ∇W [1 + 0.2 (W/W(d))⁴]: against the gradient of the particles' concentration; the second term parts
//! pairs that come too near. At a free surface, where the gradient points inwards, only along it.

use crate::boundary::WallKernel;
use crate::flow::contact::contact_displacement;
use crate::flow::density::{self, DensityMultiplier, wall_density};
use crate::flow::{Displaced, Reading, Setting};
use crate::kernel::Kernel;
use crate::math::Sym3;
use crate::parallel;
use crate::world::World;
use glam::Vec3;

/// Strength of the pairing term.
const PAIRING: f32 = 0.2;
/// Below this smallest eigenvalue of the moment matrix a particle belongs to the surface.
const SURFACE: f32 = 0.8;
/// Strength k while particles are packed, and how often they are moved.
const PACKING: f32 = 0.05;
const ROUNDS: usize = 50;
/// Kernel support with which they are packed, in spacings, and what the neighbour lists reach farther.
const SUPPORT: f32 = 2.2;
const SKIN: f32 = 1.1;

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

/// Moves the particles that `chosen` names until they are evenly spread, nowhere too dense, and off walls.
pub(crate) fn pack(world: &mut World, chosen: impl Fn(usize) -> bool + Sync) {
    let kernel = Kernel::new(world.spacing, SUPPORT * world.spacing);
    let walls = WallKernel::new(&kernel);
    let n = world.particles.len();
    let mut displacement = vec![Vec3::ZERO; n];
    let mut moved = vec![Vec3::ZERO; n];
    let mut multipliers = vec![DensityMultiplier::default(); n];
    for _ in 0..ROUNDS {
        let mut setting = Setting::new(world, 1.0, (kernel, &walls), Reading::PLAIN);
        parallel::for_each(&mut setting.mobility, |i, m| *m = if chosen(i) { *m } else { 0.0 });
        displacement.fill(Vec3::ZERO);
        let around = setting.find_displaced(&displacement, SKIN * kernel.support());
        parallel::for_each(&mut displacement, |i, s| {
            if setting.is_free(i) {
                *s = contact_displacement(&setting, i, packing_shift(&setting, &around, i));
            }
        });
        let arrays = (&mut displacement, &mut moved, &mut multipliers[..]);
        density::project_density(&setting, &around, |_, e| density::unilateral(e), arrays);
        let World { particles, domain, .. } = world;
        parallel::for_each(&mut particles.positions, |i, x| *x = domain.wrap(*x + displacement[i]));
    }
}

fn packing_shift(setting: &Setting, around: &Displaced, i: usize) -> Vec3 {
    let kernel = &setting.kernel;
    let offsets = || around.neighbors.of(i).iter().map(|&j| setting.offset(j as usize, i));
    let moment = offsets().fold(Sym3::ZERO, |sum, e| {
        sum + Sym3::outer(e) * (-kernel.volume() * kernel.gradient_over_r(e.length()))
    });
    let (_, wall) = wall_density(setting.boundary, setting.wall_kernel, setting.x0[i]);
    let shift = even_shift(kernel, offsets(), (wall, moment.eigenvalues()[0])) * PACKING;
    shift.clamp_length_max(0.1 * kernel.spacing())
}
