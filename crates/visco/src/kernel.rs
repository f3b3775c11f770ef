//! The smoothing kernel: the cubic spline of Monaghan 1992 with support radius h.
//!
//! W(r) = 8/(πh³) · { 6q³ − 6q² + 1 for q ≤ ½;  2(1 − q)³ for ½ < q < 1;  0 beyond },  q = r/h.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};
use std::f32::consts::PI;

/// The kernel for one support radius and one rest lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernel {
    spacing: f32,
    support: f32,
    inverse_support: f32,
    scale: f32,
    lattice_sum: f32,
}

impl Kernel {
    /// A kernel of support radius `support` (m) for particles at rest distance `spacing` (m).
    pub fn new(spacing: f32, support: f32) -> Self {
        let mut kernel = Self {
            spacing,
            support,
            inverse_support: 1.0 / support,
            scale: 8.0 / (PI * support.powi(3)),
            lattice_sum: 0.0,
        };
        let reach = (support / spacing).ceil() as i32;
        kernel.lattice_sum = (-reach..=reach).map(|k| kernel.layer(k as f32 * spacing).w).sum();
        kernel
    }

    /// Support radius h, in m.
    pub fn support(&self) -> f32 {
        self.support
    }

    /// Rest distance d of particles, in m.
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Volume d³ of a particle at rest, in m³.
    pub fn volume(&self) -> f32 {
        self.spacing.powi(3)
    }

    /// Σ W over the cubic rest lattice, the particle itself included: densities are measured in this unit,
    /// so that the lattice has exactly the rest density.
    pub fn lattice_sum(&self) -> f32 {
        self.lattice_sum
    }

    /// W(r).
    #[inline]
    pub fn w(&self, r: f32) -> f32 {
        let q = r * self.inverse_support;
        let t = (1.0 - q).max(0.0);
        let inner = 6.0 * q * q * (q - 1.0) + 1.0;
        self.scale * if q <= 0.5 { inner } else { 2.0 * t * t * t }
    }

    /// W′(r)/r, so that ∇W(x) = x · W′(|x|)/|x|; negative, and zero beyond the support.
    #[inline]
    pub fn gradient_over_r(&self, r: f32) -> f32 {
        let q = r * self.inverse_support;
        let t = (1.0 - q).max(0.0);
        let per_area = 6.0 * self.scale * self.inverse_support * self.inverse_support;
        per_area * if q <= 0.5 { 3.0 * q - 2.0 } else { -t * t / q }
    }

    /// W and W′/r at eight distances.
    #[inline(always)]
    pub(crate) fn value_and_slope<S: Simd>(&self, r: f32x8<S>) -> (f32x8<S>, f32x8<S>) {
        let q = r * self.inverse_support;
        let t = (1.0 - q).max(0.0);
        let t2 = t * t;
        let inner = q.simd_le(0.5);
        let value = inner.select(q * q * 6.0 * (q - 1.0) + 1.0, t2 * t * 2.0);
        let slope = inner.select(q * 3.0 - 2.0, -t2 / q);
        let per_area = 6.0 * self.scale * self.inverse_support * self.inverse_support;
        (value * self.scale, slope * per_area)
    }

    /// Sums over one layer of the rest lattice at normal distance `z` from a particle above a lattice site.
    pub(crate) fn layer(&self, z: f32) -> LayerSums {
        let mut sums = LayerSums::default();
        let reach = (self.support / self.spacing).ceil() as i32;
        for m in -reach..=reach {
            for n in -reach..=reach {
                let across = self.spacing * self.spacing * (m * m + n * n) as f32;
                let r = (z * z + across).sqrt();
                if r >= self.support {
                    continue;
                }
                sums.w += self.w(r);
                let gradient = self.gradient_over_r(r);
                sums.gradient += gradient;
                sums.gradient_across += gradient * 0.5 * across;
            }
        }
        sums
    }
}

/// Sums of the kernel over a layer of the rest lattice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LayerSums {
    /// Σ W.
    pub(crate) w: f32,
    /// Σ W′/r.
    pub(crate) gradient: f32,
    /// Σ W′/r · t²/2, with t the distance within the layer.
    pub(crate) gradient_across: f32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{dispatch, level};

    #[test]
    fn kernel_integrates_to_one() {
        let k = Kernel::new(0.01, 0.022);
        let n = 20_000;
        let dr = k.support() / n as f32;
        let integral: f64 =
            (0..n).map(|i| (i as f32 + 0.5) * dr).map(|r| f64::from(4.0 * PI * r * r * k.w(r) * dr)).sum();
        assert!((integral - 1.0).abs() < 1e-4, "{integral}");
    }

    #[test]
    fn gradient_is_the_derivative() {
        let k = Kernel::new(1.0, 2.2);
        for r in [0.2_f32, 0.9, 1.05, 1.15, 1.7, 2.1] {
            let e = 1e-3;
            let numeric = (k.w(r + e) - k.w(r - e)) / (2.0 * e);
            assert!((numeric - k.gradient_over_r(r) * r).abs() < 2e-4, "r = {r}");
        }
        assert_eq!(k.gradient_over_r(2.3), 0.0);
    }

    #[test]
    fn eight_at_a_time_are_the_same() {
        let k = Kernel::new(1.0, 2.2);
        let r = [0.0, 0.2, 0.9, 1.1, 1.15, 1.7, 2.2, 2.6];
        let (values, slopes): ([f32; 8], [f32; 8]) = dispatch!(level(), simd => {
            let (values, slopes) = k.value_and_slope(f32x8::simd_from(simd, r));
            (values.into(), slopes.into())
        });
        for (n, r) in r.into_iter().enumerate() {
            assert!((values[n] - k.w(r)).abs() < 1e-6 * k.w(0.0), "W at {r}");
            assert!((slopes[n] - k.gradient_over_r(r)).abs() < 1e-6 * k.w(0.0), "slope at {r}");
        }
    }

    #[test]
    fn a_lattice_has_one_particle_a_volume() {
        let k = Kernel::new(0.1, 0.22);
        let direct: f32 = (-3..=3)
            .flat_map(|i: i32| (-3..=3).flat_map(move |j: i32| (-3..=3).map(move |l: i32| (i, j, l))))
            .map(|(i, j, l)| k.w(((i * i + j * j + l * l) as f32).sqrt() * 0.1))
            .sum();
        assert!((direct / k.lattice_sum() - 1.0).abs() < 1e-5);
        // The sum over the lattice times the volume is near one: within a few per cent at h = 2.2 d.
        assert!((k.lattice_sum() * k.volume() - 1.0).abs() < 0.05, "{}", k.lattice_sum() * k.volume());
    }
}
