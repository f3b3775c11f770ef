//! The density constraint of position-based fluids (Macklin & Müller 2013), with walls.
//!
//! C_i = ρ_i/ρ₀ − 1 with ρ_i/ρ₀ = Σ_j W_ij / Σ W(rest lattice) + the walls' part. Unilateral by default: fluid is
//! pushed apart where it is too dense; nothing pulls at a free surface, where the kernel sees no neighbours.

use super::contact::contact_displacement;
use super::{Displaced, Setting};
use crate::boundary::{Boundary, WallKernel};
use crate::domain::Domain;
use crate::kernel::Kernel;
use crate::neighbors::Neighbors;
use crate::parallel;
use crate::report::StepReport;
use crate::world::World;
use glam::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Regularisation ε of λ, in 1/d², unless a method has its own.
const REGULARISATION: f32 = 1e-6;
/// Largest density error that one iteration corrects: layers that an impact has driven into each other are parted
/// over several iterations instead of being shot apart.
const LARGEST_ERROR: f32 = 1.0;

/// Which density errors are corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DensityConstraint {
    /// Only where the fluid is too dense.
    #[default]
    Unilateral,
    /// Also where it is too thin, as an equality; unstable at free surfaces.
    Equality,
}

impl DensityConstraint {
    /// The error that is corrected where the density has this one.
    pub(crate) fn limit(self, error: f32) -> f32 {
        match self {
            Self::Unilateral => unilateral(error),
            Self::Equality => error,
        }
    }
}

/// How the constraint answers to the densities of particles. A function from a particle and its density error to the
/// error that is corrected is one.
pub(crate) trait DensityLaw: Sync {
    /// The density error of particle i that is corrected where there is this one.
    fn limit(&self, i: usize, error: f32) -> f32;

    /// ε of λ, in 1/d².
    fn regularisation(&self) -> f32 {
        REGULARISATION
    }

    /// Whether pairs have a multiplier of their own.
    fn has_pairs(&self) -> bool {
        false
    }

    /// What is added to λ_i + λ_j of two particles at distance r.
    fn pair(&self, _pair: (usize, usize), _r: f32) -> f32 {
        0.0
    }
}

impl<F: Fn(usize, f32) -> f32 + Sync> DensityLaw for F {
    fn limit(&self, i: usize, error: f32) -> f32 {
        self(i, error)
    }
}

/// Pushes apart where the fluid is too dense, and pulls nowhere.
pub(crate) fn unilateral(error: f32) -> f32 {
    error.clamp(0.0, LARGEST_ERROR)
}

/// What walls add to ρ/ρ₀ at a point, and its gradient. Where walls meet, their half-spaces overlap; the parts
/// multiply, 1 − Π(1 − fill), so that no corner is counted twice.
pub(crate) fn wall_density(boundary: &Boundary, walls: &WallKernel, x: Vec3) -> (f32, Vec3) {
    let contacts = boundary.near(x, walls.reach());
    let sums: [_; 8] = std::array::from_fn(|k| {
        contacts.as_slice().get(k).map_or_else(Default::default, |c| walls.at(c.point.distance))
    });
    let empty = |skip: usize| -> f32 {
        sums.iter().enumerate().filter(|&(k, _)| k != skip).map(|(_, s)| 1.0 - s.fill).product()
    };
    let mut gradient = Vec3::ZERO;
    for (k, c) in contacts.as_slice().iter().enumerate() {
        gradient += c.point.normal * (sums[k].fill_slope * empty(k));
    }
    (1.0 - empty(usize::MAX), gradient)
}

impl Displaced {
    /// What walls add to ρ/ρ₀ at a displaced particle, and its gradient.
    #[inline]
    fn wall_density(&self, step: &Setting, i: usize, s: &[Vec3]) -> (f32, Vec3) {
        if self.near_wall[i] {
            wall_density(step.boundary, step.wall_kernel, step.x0[i] + s[i])
        } else {
            (0.0, Vec3::ZERO)
        }
    }
}

/// ρ/ρ₀ of every particle at `positions`.
pub(crate) fn densities(
    (positions, domain): (&[Vec3], &Domain),
    kernel: &Kernel,
    (boundary, walls): (&Boundary, &WallKernel),
) -> Vec<f32> {
    let neighbors = Neighbors::find(positions, kernel.support(), domain);
    let mut out = vec![0.0; positions.len()];
    parallel::fill(&mut out, |i| {
        let x = positions[i];
        let sum: f32 = neighbors
            .of(i)
            .iter()
            .map(|&j| kernel.w(domain.nearest(x - positions[j as usize]).length()))
            .sum();
        (kernel.w(0.0) + sum) / kernel.lattice_sum() + wall_density(boundary, walls, x).0
    });
    out
}

/// Densities of the particles of a world, in kg/m³.
pub(crate) fn world_densities(world: &World, kernel: &Kernel, walls: &WallKernel) -> Vec<f32> {
    let p = &world.particles;
    let relative = densities((&p.positions, &world.domain), kernel, (&world.boundary, walls));
    relative.iter().zip(&p.materials).map(|(r, &m)| r * world.materials[m as usize].density).collect()
}

/// Multiplier of a particle's density constraint, and the gradient of the walls' part.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DensityMultiplier {
    pub(crate) lambda: f32,
    pub(crate) wall: Vec3,
    /// ρ/ρ₀ − 1, as it was found.
    pub(crate) error: f32,
}

/// One Jacobi iteration of the density constraint on the displacements, contact included.
pub(crate) fn project_density(
    step: &Setting,
    around: &Displaced,
    law: impl DensityLaw,
    (displacement, moved, multipliers): (&mut Vec<Vec3>, &mut Vec<Vec3>, &mut [DensityMultiplier]),
) {
    find_multipliers(step, around, &law, (displacement, multipliers));
    move_by_multipliers(step, around, &law, (displacement, moved, multipliers));
}

/// λ of every particle at the displacements s.
pub(crate) fn find_multipliers(
    step: &Setting,
    around: &Displaced,
    law: &impl DensityLaw,
    (s, multipliers): (&[Vec3], &mut [DensityMultiplier]),
) {
    parallel::fill(multipliers, |i| multiplier(step, around, (s, law), i));
}

/// Δx_i = 1/m_i Σ_j (λ_i + λ_j + what the pair has) ∇W/ρ₀, contact included.
pub(crate) fn move_by_multipliers(
    step: &Setting,
    around: &Displaced,
    law: &impl DensityLaw,
    (displacement, moved, multipliers): (&mut Vec<Vec3>, &mut Vec<Vec3>, &[DensityMultiplier]),
) {
    let s = &*displacement;
    let neighbors = &around.neighbors;
    parallel::fill(moved, |i| {
        let mobility = step.mobility[i];
        let own = multipliers[i].lambda;
        let mut push = multipliers[i].wall * own;
        if mobility > 0.0 {
            for &j in neighbors.of(i) {
                let j = j as usize;
                let lambda = own + multipliers[j].lambda;
                if lambda != 0.0 || law.has_pairs() {
                    let e = step.offset(j, i) + (s[i] - s[j]);
                    let r = e.length();
                    let lambda = lambda + law.pair((i, j), r);
                    push += e * (step.kernel.gradient_over_r(r) / step.kernel.lattice_sum()) * lambda;
                }
            }
        }
        if push == Vec3::ZERO || mobility <= 0.0 {
            return s[i];
        }
        contact_displacement(step, i, s[i] + push * mobility)
    });
    std::mem::swap(displacement, moved);
}

/// ρ/ρ₀ of a displaced particle.
pub(crate) fn density(step: &Setting, around: &Displaced, s: &[Vec3], i: usize) -> f32 {
    let mut sum = step.kernel.w(0.0);
    for &j in around.neighbors.of(i) {
        let j = j as usize;
        sum += step.kernel.w((step.offset(j, i) + (s[i] - s[j])).length());
    }
    sum / step.kernel.lattice_sum() + around.wall_density(step, i, s).0
}

fn multiplier(
    step: &Setting,
    around: &Displaced,
    (s, law): (&[Vec3], &impl DensityLaw),
    i: usize,
) -> DensityMultiplier {
    let kernel = &step.kernel;
    let (filled, wall) = around.wall_density(step, i, s);
    let mut sum = kernel.w(0.0);
    let mut gradient = wall;
    let mut squares = 0.0;
    for &j in around.neighbors.of(i) {
        let j = j as usize;
        let e = step.offset(j, i) + (s[i] - s[j]);
        let r = e.length();
        sum += kernel.w(r);
        let g = e * (kernel.gradient_over_r(r) / kernel.lattice_sum());
        gradient += g;
        squares += g.length_squared() * step.inverse_mass(j);
    }
    let error = sum / kernel.lattice_sum() + filled - 1.0;
    let regularisation = law.regularisation() * step.inverse_mass(i) / kernel.spacing().powi(2);
    let denominator = squares + gradient.length_squared() * step.inverse_mass(i) + regularisation;
    DensityMultiplier { lambda: -law.limit(i, error) / denominator, wall, error }
}

/// Density errors after the particles have moved by `s`.
pub(crate) fn measure_density(step: &Setting, around: &Displaced, s: &[Vec3], report: &mut StepReport) {
    let mut errors = vec![0.0; s.len()];
    let sum = parallel::update_sum(&mut errors, |i, error| {
        *error = (density(step, around, s, i) - 1.0).max(0.0);
        f64::from(*error)
    });
    report.density_error_mean = sum / (s.len() as f64).max(1.0);
    report.density_error_max = f64::from(errors.into_iter().fold(0.0, f32::max));
}
