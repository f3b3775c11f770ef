//! What is measured on the scenes.

use crate::experiments::{center, spread};
use visco::Simulation;
use visco::domain::Domain;
use visco::glam::Vec3;
use visco::neighbors::Neighbors;

/// Parts of the fluid smaller than this part of it are drops, not lumps.
const LUMP: f64 = 0.03;

/// Where the fluid is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// Of its centre, in m.
    pub(super) height: f64,
    /// RMS distance from the vertical axis through its centre, in m.
    pub(super) spread: f64,
    /// Of its lowest particle, in m.
    pub(super) lowest: f64,
}

/// Positions of the fluid, without bodies.
pub(super) fn fluid(run: &Simulation) -> Vec<Vec3> {
    let (p, bodies) = (&run.world().particles, &run.world().bodies);
    let solid = |i: &usize| bodies.iter().any(|b| b.material == p.materials[*i]);
    (0..p.len()).filter(|i| !solid(i)).map(|i| p.positions[i]).collect()
}

/// Where the fluid is.
pub(super) fn place(run: &Simulation) -> Place {
    let x = fluid(run);
    let lowest = x.iter().map(|x| f64::from(x.y)).fold(f64::INFINITY, f64::min);
    Place { height: center(&x).y, spread: spread(&x), lowest }
}

/// Largest rise of a value above its lowest before.
pub(super) fn rebound(values: impl Iterator<Item = f64>) -> f64 {
    let step = |(lowest, most): (f64, f64), y: f64| (lowest.min(y), most.max(y - lowest.min(y)));
    values.fold((f64::INFINITY, 0.0_f64), step).1
}

/// Numbers of particles in the parts of the fluid, the largest first. Particles nearer than the kernel's support, which
/// feel each other's pressure and are connected, are of one part.
pub(super) fn parts(positions: &[Vec3], support: f32) -> Vec<usize> {
    let near = Neighbors::find(positions, support, &Domain::default());
    let mut part = vec![usize::MAX; positions.len()];
    let mut sizes = Vec::new();
    for first in 0..positions.len() {
        if part[first] != usize::MAX {
            continue;
        }
        let (mut waiting, mut size) = (vec![first], 0);
        part[first] = sizes.len();
        while let Some(i) = waiting.pop() {
            size += 1;
            for &j in near.of(i) {
                if part[j as usize] == usize::MAX {
                    part[j as usize] = sizes.len();
                    waiting.push(j as usize);
                }
            }
        }
        sizes.push(size);
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// The parts that are lumps, no drops.
pub(super) fn lumps(run: &Simulation) -> Vec<usize> {
    let x = fluid(run);
    let parts = parts(&x, SUPPORT * run.world().spacing);
    parts.into_iter().filter(|&size| size as f64 >= LUMP * x.len() as f64).collect()
}

/// Volume over that at the density at rest: first with densities below that at rest counted as it, since at the surface
/// the kernel is not full, then plain Σ m/ρ.
pub(super) fn volumes(run: &Simulation) -> [f64; 2] {
    let frame = run.frame();
    let rest = |m: u8| run.world().materials[usize::from(m)].density;
    let parts =
        || frame.densities.iter().zip(&frame.materials).map(|(&density, &m)| f64::from(rest(m) / density));
    let mean = |sum: f64| sum / frame.len().max(1) as f64;
    [mean(parts().map(|part| part.min(1.0)).sum()), mean(parts().sum())]
}

/// Kernel support of the scenes, in spacings.
const SUPPORT: f32 = 2.2;

/// Part of the fluid that is not farther from a wall than 1.5 spacings.
pub(super) fn touching(run: &Simulation, wall: usize) -> f64 {
    let reach = 1.5 * run.world().spacing;
    let touches = |x: &&Vec3| run.world().boundary.near(**x, reach).as_slice().iter().any(|c| c.wall == wall);
    let x = fluid(run);
    x.iter().filter(touches).count() as f64 / x.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_by_their_distance() {
        let row = |from: f32, n: usize| (0..n).map(move |k| Vec3::X * (from + k as f32));
        let x: Vec<Vec3> = row(0.0, 5).chain(row(6.5, 3)).chain(row(20.0, 1)).collect();
        assert_eq!(parts(&x, 2.2), [5, 3, 1]);
        assert_eq!(parts(&x, 2.6), [8, 1]);
        assert!(parts(&[], 1.0).is_empty());
    }

    #[test]
    fn a_rebound_is_a_rise_after_a_fall() {
        assert!((rebound([0.5, 0.2, 0.35, 0.3].into_iter()) - 0.15).abs() < 1e-12);
        assert_eq!(rebound([0.5, 0.4, 0.3].into_iter()), 0.0);
    }
}
