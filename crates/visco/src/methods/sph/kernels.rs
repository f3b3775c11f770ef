//! The three kernels of Müller et al. 2003, and what they see of a wall.
//!
//! ```text
//! density     W    = 315/(64π h⁹) (h² − r²)³
//! pressure    ∇W   = −45/(π h⁶) (h − r)² x/r
//! viscosity   ∇²W  = 45/(π h⁶) (h − r)
//! ```
//!
//! Sums over particles are in units of d³ for pressure and viscosity; those for density in units of their sum over the
//! rest lattice, which so has the density at rest. A wall is the half-space of that lattice behind it.

use crate::boundary::{WallKernel, WallSums};
use std::f32::consts::PI;

/// Entries of the table of walls with no slip.
const ENTRIES: usize = 64;

/// The kernels for one support and one spacing.
#[derive(Clone, Debug)]
pub(super) struct Kernels {
    spacing: f32,
    support: f32,
    /// 45 d³/(π h⁶).
    spiky: f32,
    /// Density of a particle alone, times h⁻⁶.
    poly6: f32,
    /// Σ ∇²W (v_b − v_i) over a wall, for a wall that is one unit of velocity faster, in 1/m², by distance.
    drag: Vec<f32>,
}

impl Kernels {
    pub(super) fn new(spacing: f32, support: f32) -> Self {
        let spiky = 45.0 * spacing.powi(3) / (PI * support.powi(6));
        let mut kernels = Self { spacing, support, spiky, poly6: 1.0, drag: vec![] };
        let reach = (support / spacing).ceil() as i32;
        let whole: f32 =
            (-reach..=reach).map(|k| kernels.layer(k as f32 * spacing, |r| kernels.density(r))).sum();
        kernels.poly6 = 1.0 / whole;
        let at = |k: usize| kernels.wall_drag(kernels.wall_reach() * k as f32 / ENTRIES as f32);
        kernels.drag = (0..=ENTRIES).map(at).collect();
        kernels
    }

    /// Support h, in m.
    pub(super) fn support(&self) -> f32 {
        self.support
    }

    /// What a particle at distance r adds to ρ/ρ₀.
    #[inline]
    pub(super) fn density(&self, r: f32) -> f32 {
        // The constant 315/(64π h⁹) cancels against that of the lattice.
        let t = (1.0 - (r / self.support).powi(2)).max(0.0);
        self.poly6 * t * t * t
    }

    /// d³ |∇W|/r: the gradient is this times −x.
    #[inline]
    pub(super) fn steepness(&self, r: f32) -> f32 {
        let t = (self.support - r).max(0.0);
        self.spiky * t * t / r.max(1e-6 * self.support)
    }

    /// d³ ∇²W.
    #[inline]
    pub(super) fn laplacian(&self, r: f32) -> f32 {
        self.spiky * (self.support - r).max(0.0)
    }

    /// Sum of f over a layer of the lattice at distance z.
    fn layer(&self, z: f32, f: impl Fn(f32) -> f32) -> f32 {
        let reach = (self.support / self.spacing).ceil() as i32;
        let of = |k: i32| {
            let across = |l: i32| self.spacing * self.spacing * (k * k + l * l) as f32;
            (-reach..=reach)
                .map(|l| (z * z + across(l)).sqrt())
                .filter(|r| *r < self.support)
                .map(&f)
                .sum::<f32>()
        };
        (-reach..=reach).map(of).sum()
    }

    /// Distances of the layers of a wall from a particle at distance s.
    fn layers(&self, s: f32) -> impl Iterator<Item = f32> + '_ {
        (0..).map(move |k| s + (k as f32 + 0.5) * self.spacing).take_while(|z| *z < self.support)
    }

    /// Distance from which a wall is no longer felt.
    fn wall_reach(&self) -> f32 {
        self.support - 0.5 * self.spacing
    }

    /// What a wall adds to the density, and to its gradient by the kernel of pressure.
    pub(super) fn wall(&self) -> WallKernel {
        WallKernel::tabulate(self.wall_reach(), |s| WallSums {
            fill: self.layers(s).map(|z| self.layer(z, |r| self.density(r))).sum(),
            fill_slope: self.layers(s).map(|z| -z * self.layer(z, |r| self.steepness(r))).sum(),
            ..WallSums::default()
        })
    }

    /// Σ ∇²W Z/s: behind the wall velocities go on along the line from the particle to the surface.
    fn wall_drag(&self, s: f32) -> f32 {
        let near = s.max(0.25 * self.spacing);
        self.layers(s).map(|z| self.layer(z, |r| self.laplacian(r)) * z / near).sum()
    }

    /// Drag of a wall with no slip at distance s, in 1/m².
    #[inline]
    pub(super) fn drag(&self, s: f32) -> f32 {
        let t = (s / self.wall_reach()).max(0.0) * ENTRIES as f32;
        let k = t as usize;
        if k >= ENTRIES {
            return 0.0;
        }
        let f = t - k as f32;
        self.drag[k] * (1.0 - f) + self.drag[k + 1] * f
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ f over the ball of the support, by shells.
    fn integral(k: &Kernels, f: impl Fn(f32) -> f32) -> f64 {
        let n = 20_000;
        let dr = k.support / n as f32;
        (0..n).map(|i| (i as f32 + 0.5) * dr).map(|r| f64::from(4.0 * PI * r * r * f(r) * dr)).sum()
    }

    #[test]
    fn constants_are_those_of_the_papers() {
        let (d, h) = (0.01_f32, 0.022_f32);
        let k = Kernels::new(d, h);
        let volume = f64::from(d).powi(3);
        // Poly6 as printed integrates to one; the lattice's sum is within a few per cent of it.
        let printed = |r: f32| 315.0 / (64.0 * PI * h.powi(9)) * (h * h - r * r).powi(3);
        assert!((integral(&k, printed) - 1.0).abs() < 1e-4);
        let ratio = integral(&k, |r| k.density(r)) / volume;
        assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
        // A linear pressure has its gradient, ∫ |∇W| r/3 = 1, and a parabola its Laplacian, ∫ ∇²W r²/6 = 1.
        let slope = integral(&k, |r| k.steepness(r) * r * r / 3.0) / volume;
        assert!((slope - 1.0).abs() < 1e-3, "{slope}");
        let bend = integral(&k, |r| k.laplacian(r) * r * r / 6.0) / volume;
        assert!((bend - 1.0).abs() < 1e-3, "{bend}");
    }

    #[test]
    fn a_lattice_before_a_wall_has_the_rest_density_and_no_force() {
        let d = 0.01;
        let k = Kernels::new(d, 0.022);
        let wall = k.wall();
        for row in 0..4 {
            let s = (row as f32 + 0.5) * d;
            let own = |f: &dyn Fn(f32) -> f32| -> f32 {
                (-3..=3).filter(|k| row + k >= 0).map(|k| f(k as f32 * d)).sum()
            };
            let density = own(&|z| k.layer(z, |r| k.density(r))) + wall.at(s).fill;
            assert!((density - 1.0).abs() < 2e-3, "row {row}: {density}");
            let force = own(&|z| z * k.layer(z, |r| k.steepness(r))) + wall.at(s).fill_slope;
            assert!(force.abs() * d < 2e-3, "row {row}: {force}");
        }
    }
}
