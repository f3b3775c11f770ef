//! Soft bodies: distances between near particles, by XPBD (Macklin, Müller & Chentanez 2016).
//!
//! Particles of the rest lattice are joined along edges, faces' and cubes' diagonals by C = |x_b − x_a| − l with compliance
//! 1/k. With k = 2q, q and ⅜q the lattice is isotropic, with Lamé's λ = μ = 3q/(2d): Young's modulus 15q/(4d), Poisson's
//! ratio ¼. Each correction moves the two ends along their distance, against each other: momentum is kept.

use crate::domain::Domain;
use crate::neighbors::Neighbors;
use crate::parallel;
use crate::scene::DistanceSolver;
use glam::Vec3;

/// Longest distance that is held, in spacings: beyond a cube's diagonal, √3.
const REACH: f32 = 1.8;
/// Part of the sum over the distances at both ends that Jacobi divides by: all of them do not pull the same way.
const SHARE: f32 = 0.6;

/// A distance that is held.
#[derive(Clone, Copy, Debug)]
struct Distance {
    /// The ends, as places in the body.
    ends: [u32; 2],
    length: f32,
    /// k, in N/m.
    stiffness: f32,
}

/// What holds a soft body together.
#[derive(Clone, Debug)]
pub struct Soft {
    /// Order in which the distances are solved for.
    pub solver: DistanceSolver,
    /// Sweeps in a step.
    pub iterations: u32,
    distances: Vec<Distance>,
    /// For every particle its distances, one list after the other.
    start: Vec<u32>,
    of_particle: Vec<u32>,
}

/// A soft body in a step.
#[derive(Debug)]
pub(crate) struct SoftShape {
    /// Positions of its particles before the sweeps, from any one point.
    points: Vec<Vec3>,
    /// How the sweeps have moved them. Kept apart, so that small corrections keep their digits and the momentum.
    pub(crate) moved: Vec<Vec3>,
    /// Multipliers of its distances.
    multipliers: Vec<f32>,
}

impl SoftShape {
    pub(crate) fn new(soft: &Soft) -> Self {
        Self { points: vec![], moved: vec![], multipliers: vec![0.0; soft.distances.len()] }
    }

    /// Nothing of `count` particles is moved yet; the multipliers stay.
    pub(crate) fn start(&mut self, count: usize) {
        self.moved.clear();
        self.moved.resize(count, Vec3::ZERO);
    }

    /// Where the particles are but for what the sweeps move.
    pub(crate) fn place(&mut self, points: Vec<Vec3>) {
        self.points = points;
    }
}

impl Soft {
    /// Joins particles of a lattice of this spacing.
    pub(crate) fn new(
        rest: &[Vec3],
        spacing: f32,
        youngs_modulus: f32,
        (solver, iterations): (DistanceSolver, u32),
    ) -> Self {
        let near = Neighbors::find(rest, REACH * spacing, &Domain::UNBOUNDED);
        let q = youngs_modulus * spacing * 4.0 / 15.0;
        let mut distances = Vec::new();
        for a in 0..rest.len() as u32 {
            let mut after: Vec<u32> = near.of(a as usize).iter().copied().filter(|&b| b > a).collect();
            after.sort_unstable();
            for b in after {
                let length = rest[a as usize].distance(rest[b as usize]);
                let factor = match length / spacing {
                    l if l < 1.2 => 2.0,
                    l if l < 1.55 => 1.0,
                    _ => 0.375,
                };
                distances.push(Distance { ends: [a, b], length, stiffness: q * factor });
            }
        }
        let mut lists = vec![Vec::new(); rest.len()];
        for (k, distance) in distances.iter().enumerate() {
            distance.ends.iter().for_each(|&end| lists[end as usize].push(k as u32));
        }
        let mut start = vec![0];
        start.extend(lists.iter().scan(0, |sum, list| {
            *sum += list.len() as u32;
            Some(*sum)
        }));
        Self { solver, iterations, distances, start, of_particle: lists.concat() }
    }

    /// Number of distances.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Whether there are none: a single particle.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// Energy stored in the distances, in J.
    pub fn energy(&self, points: &[Vec3]) -> f64 {
        let energy = |c: &Distance| {
            let stretch = points[c.ends[0] as usize].distance(points[c.ends[1] as usize]) - c.length;
            0.5 * f64::from(c.stiffness) * f64::from(stretch).powi(2)
        };
        self.distances.iter().map(energy).sum()
    }

    /// One sweep over all distances, for particles of this inverse mass in a step of `dt` seconds.
    pub(crate) fn sweep(&self, shape: &mut SoftShape, (inverse_mass, dt): (f32, f32)) {
        match self.solver {
            DistanceSolver::GaussSeidel => self.gauss_seidel(shape, (inverse_mass, dt)),
            DistanceSolver::Jacobi => self.jacobi(shape, (inverse_mass, dt)),
        }
    }

    fn gauss_seidel(&self, shape: &mut SoftShape, (inverse_mass, dt): (f32, f32)) {
        let SoftShape { points, moved, multipliers } = shape;
        for (c, multiplier) in self.distances.iter().zip(multipliers) {
            let [a, b] = c.ends.map(|end| end as usize);
            let (direction, change) = c.change(
                (points[b] - points[a]) + (moved[b] - moved[a]),
                *multiplier,
                (2.0 * inverse_mass, dt),
            );
            *multiplier += change;
            let push = direction * (change * inverse_mass);
            moved[a] -= push;
            moved[b] += push;
        }
    }

    fn jacobi(&self, shape: &mut SoftShape, (inverse_mass, dt): (f32, f32)) {
        let SoftShape { points, moved, multipliers } = shape;
        let count = |end: u32| (self.start[end as usize + 1] - self.start[end as usize]) as f32;
        let before = &*moved;
        let mut pushes = vec![Vec3::ZERO; self.distances.len()];
        parallel::for_each2(&mut pushes, multipliers, |k, push, multiplier| {
            let c = &self.distances[k];
            let [a, b] = c.ends.map(|end| end as usize);
            let both = (count(c.ends[0]) + count(c.ends[1])) * SHARE;
            let weight = inverse_mass * both.max(2.0);
            let (direction, change) =
                c.change((points[b] - points[a]) + (before[b] - before[a]), *multiplier, (weight, dt));
            *multiplier += change;
            *push = direction * (change * inverse_mass);
        });
        parallel::for_each(moved, |i, x| {
            for &k in &self.of_particle[self.start[i] as usize..self.start[i + 1] as usize] {
                let sign = if self.distances[k as usize].ends[0] as usize == i { -1.0 } else { 1.0 };
                *x += pushes[k as usize] * sign;
            }
        });
    }
}

impl Distance {
    /// The unit vector of the way `e` from the first end to the second and Δλ, for a sum of inverse masses `weight`.
    #[inline]
    fn change(&self, e: Vec3, multiplier: f32, (weight, dt): (f32, f32)) -> (Vec3, f32) {
        let length = e.length();
        if length <= f32::MIN_POSITIVE {
            return (Vec3::ZERO, 0.0);
        }
        let compliance = 1.0 / (self.stiffness * dt * dt);
        let error = length - self.length + compliance * multiplier;
        (e / length, -error / (weight + compliance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACING: f32 = 0.01;
    const MODULUS: f32 = 2e4;

    fn bar(n: i32, solver: DistanceSolver) -> (Vec<Vec3>, Soft) {
        let point = |k: i32| Vec3::new((k % n) as f32, (k / n % 4) as f32, (k / n / 4) as f32) * SPACING;
        let rest: Vec<Vec3> = (0..16 * n).map(point).collect();
        let soft = Soft::new(&rest, SPACING, MODULUS, (solver, 1));
        (rest, soft)
    }

    #[test]
    fn energy_of_uniform_strain_is_that_of_the_moduli() {
        let (rest, soft) = bar(40, DistanceSolver::GaussSeidel);
        let per_volume = |stretch: [f32; 3]| {
            // Of the inner particles: halves of the distances at each end.
            let points: Vec<Vec3> = rest.iter().map(|x| *x * (1.0 + Vec3::from(stretch))).collect();
            let inner = |x: Vec3| {
                let u = x / SPACING;
                (u.x - 19.5).abs() < 10.0 && (u.y - 1.5).abs() < 1.0 && (u.z - 1.5).abs() < 1.0
            };
            let mut sum = 0.0;
            let mut count = 0.0;
            for (i, _) in rest.iter().enumerate().filter(|(_, x)| inner(**x)) {
                count += 1.0;
                for &k in &soft.of_particle[soft.start[i] as usize..soft.start[i + 1] as usize] {
                    let c = &soft.distances[k as usize];
                    let l = points[c.ends[0] as usize].distance(points[c.ends[1] as usize]);
                    sum += 0.25 * f64::from(c.stiffness) * f64::from(l - c.length).powi(2);
                }
            }
            sum / (count * f64::from(SPACING.powi(3)))
        };
        // λ = μ = 2E/5: uniaxial strain ½ (λ + 2μ) ε², shear by stretching and pressing 2 μ ε².
        let e = 1e-3_f64;
        let mu = 0.4 * f64::from(MODULUS);
        let uniaxial = per_volume([e as f32, 0.0, 0.0]) / (0.5 * 3.0 * mu * e * e);
        let shear = per_volume([e as f32, -e as f32, 0.0]) / (2.0 * mu * e * e);
        assert!((uniaxial - 1.0).abs() < 0.01, "{uniaxial}");
        assert!((shear - 1.0).abs() < 0.01, "{shear}");
    }

    #[test]
    fn both_solvers_find_the_same_shape_and_keep_the_momentum() {
        let step = |solver, sweeps: usize| {
            let (mut rest, soft) = bar(6, solver);
            for x in &mut rest {
                x.x *= 1.1;
                x.y += 0.2 * x.x;
            }
            let mut shape = SoftShape::new(&soft);
            shape.start(rest.len());
            shape.place(rest.clone());
            for _ in 0..sweeps {
                soft.sweep(&mut shape, (1.0 / 1e-3, 1e-3));
            }
            let drift = shape.moved.iter().sum::<Vec3>();
            assert!(drift.length() < 1e-7, "{drift}");
            rest.iter().zip(&shape.moved).map(|(x, s)| *x + *s).collect::<Vec<_>>()
        };
        let (a, b) = (step(DistanceSolver::GaussSeidel, 300), step(DistanceSolver::Jacobi, 600));
        let apart = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(apart < 2e-3 * SPACING, "{} spacings apart", apart / SPACING);
    }
}
