//! What the kernel sees of a wall: sums over an imagined rest lattice behind a flat surface.
//!
//! A particle at distance s from the surface sees wall layers at s + d/2, s + 3d/2, …, so that a lattice
//! that ends half a spacing before the wall goes on behind it. Tables over s; curved walls are taken as
//! their tangent plane.

use crate::kernel::Kernel;

const ENTRIES: usize = 128;

/// What a wall adds at one distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WallSums {
    /// Part of the rest density that the wall fills.
    pub fill: f32,
    /// Its derivative by the distance, in 1/m (negative).
    pub fill_slope: f32,
    /// Normal moment Σ V (−W′/r) z²: the wall's part of the moment matrix along the normal.
    pub normal_moment: f32,
    /// Moment along the surface.
    pub tangent_moment: f32,
}

/// The table for one kernel.
#[derive(Clone, Debug)]
pub struct WallKernel {
    reach: f32,
    table: Vec<WallSums>,
}

impl WallKernel {
    /// Computes the table.
    pub fn new(kernel: &Kernel) -> Self {
        Self::tabulate(kernel.support() - 0.5 * kernel.spacing(), |s| sums_at(kernel, s))
    }

    /// The table of sums that are given by a function of the distance, up to `reach`.
    pub(crate) fn tabulate(reach: f32, sums: impl Fn(f32) -> WallSums) -> Self {
        let table = (0..=ENTRIES).map(|k| sums(reach * k as f32 / ENTRIES as f32)).collect();
        Self { reach, table }
    }

    /// Distance from which a wall is no longer felt.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// The sums at distance `s` from the surface; a particle behind it counts as being on it.
    #[inline]
    pub fn at(&self, s: f32) -> WallSums {
        if s >= self.reach {
            return WallSums::default();
        }
        let t = (s / self.reach).max(0.0) * ENTRIES as f32;
        let k = (t as usize).min(ENTRIES - 1);
        let f = t - k as f32;
        let (a, b) = (&self.table[k], &self.table[k + 1]);
        let mix = |a: f32, b: f32| a + f * (b - a);
        WallSums {
            fill: mix(a.fill, b.fill),
            fill_slope: mix(a.fill_slope, b.fill_slope),
            normal_moment: mix(a.normal_moment, b.normal_moment),
            tangent_moment: mix(a.tangent_moment, b.tangent_moment),
        }
    }
}

fn sums_at(kernel: &Kernel, s: f32) -> WallSums {
    let d = kernel.spacing();
    let mut sums = WallSums::default();
    let mut z = s + 0.5 * d;
    while z < kernel.support() {
        let layer = kernel.layer(z);
        sums.fill += layer.w / kernel.lattice_sum();
        sums.fill_slope += layer.gradient * z / kernel.lattice_sum();
        sums.normal_moment -= layer.gradient * z * z * kernel.volume();
        sums.tangent_moment -= layer.gradient_across * kernel.volume();
        z += d;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_before_a_wall_has_the_rest_density() {
        let d = 0.01;
        let kernel = Kernel::new(d, 0.022);
        let wall = WallKernel::new(&kernel);
        for row in 0..4 {
            let s = (row as f32 + 0.5) * d;
            let own: f32 = (-3..=3).filter(|k| row + k >= 0).map(|k| kernel.layer(k as f32 * d).w).sum();
            let density = own / kernel.lattice_sum() + wall.at(s).fill;
            assert!((density - 1.0).abs() < 2e-3, "row {row}: {density}");
        }
    }

    #[test]
    fn slope_is_the_derivative_of_fill() {
        let kernel = Kernel::new(1.0, 2.2);
        for s in [0.1_f32, 0.5, 0.9, 1.3] {
            let e = 1e-2;
            let numeric = (sums_at(&kernel, s + e).fill - sums_at(&kernel, s - e).fill) / (2.0 * e);
            assert!((numeric - sums_at(&kernel, s).fill_slope).abs() < 2e-3, "s = {s}");
        }
    }
}
