//! The rigid motions that contacts leave to a connected piece of fluid, and its momentum in them.
//!
//! A truncated solve on velocities leaves an error in the rigid motion of every piece. Inner forces cannot change the
//! momentum in a rigid motion that no contact opposes, so it is known exactly and is given back: all six motions for
//! a piece in the air, two translations and a turn for one on a smooth floor.

use super::Setting;
use super::contact::{Hold, hold_direction};
use super::gradient::Gradients;
use crate::neighbors::Neighbors;
use crate::parallel;
use glam::{DMat3, DVec3, Vec3, Vec3A};

/// A square matrix or vector over the rigid motions: three translations, three turns about the centre.
pub(crate) type Six = [f64; 6];
pub(crate) type SixBySix = [Six; 6];

/// Largest angle of a step up to which a turn is corrected to second order.
const LARGEST_TURN: f64 = 0.5;

/// Labels of the connected sets of particles: each particle gets the smallest index of its set.
pub(crate) fn connected(neighbors: &Neighbors, particles: usize) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..particles as u32).collect();
    fn root(parent: &mut [u32], mut i: u32) -> u32 {
        while parent[i as usize] != i {
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    for i in 0..particles {
        for &j in neighbors.of(i).iter().filter(|&&j| (j as usize) < i) {
            let (a, b) = (root(&mut parent, i as u32), root(&mut parent, j));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    // Parents come before their children, so one pass makes every label a root.
    for i in 0..particles {
        parent[i] = parent[parent[i] as usize];
    }
    parent
}

/// Sums over a piece.
#[derive(Clone, Debug, Default)]
struct Piece {
    /// A nozzle or a wall with no slip leaves it no rigid motion of its own.
    held: bool,
    count: f64,
    center: DVec3,
    /// Σ over held directions of the squared velocity that a rigid motion would have in them.
    opposed: SixBySix,
    /// Mass matrix of the rigid motions.
    mass: SixBySix,
    /// Momentum that is missing.
    missing: Six,
    /// The rigid motion that is given back.
    motion: Six,
}

/// Velocity of rigid motion `k` at `e` from the centre; turns are scaled by `length` so that all have one unit.
/// With an infinite length there are no turns: space that repeats cannot turn.
fn rigid(k: usize, e: DVec3, length: f64) -> DVec3 {
    if k < 3 { DVec3::AXES[k] } else { DVec3::AXES[k - 3].cross(e) / length }
}

/// The pieces of a step.
pub(crate) struct Pieces {
    /// Index of each particle's piece.
    index: Vec<u32>,
    pieces: Vec<Piece>,
}

impl Pieces {
    /// Finds the pieces and which of them have rigid motions of their own.
    pub(crate) fn find(step: &Setting, gradients: &Gradients) -> Self {
        let n = step.x0.len();
        let label = connected(&gradients.neighbors, n);
        let mut index = vec![0; n];
        let mut pieces: Vec<Piece> = Vec::new();
        for i in 0..n {
            // A label is the smallest index of its set, so it is met first.
            index[i] = if label[i] as usize == i { pieces.len() as u32 } else { index[label[i] as usize] };
            if label[i] as usize == i {
                pieces.push(Piece::default());
            }
            let piece = &mut pieces[index[i] as usize];
            piece.held |= !step.is_free(i) || gradients.wall(i).is_some_and(|wall| wall.weight > 0.0);
            piece.count += 1.0;
            piece.center += step.x0[i].as_dvec3();
        }
        for piece in &mut pieces {
            piece.center /= piece.count;
        }
        Self { index, pieces }
    }

    /// ½ Δt ω × (ω × e), with e from the centre of mass of a particle's piece and ω the rate at which the piece turns: with
    /// this beside the velocities of a rigid turn x⁰ + Δt u is that turn, to second order; without it, it is also an
    /// expansion. As the velocities of one field these are never at odds with each other, as local ones would be.
    pub(crate) fn second_order(&self, step: &Setting, u: &[Vec3]) -> Vec<Vec3A> {
        let mut second = vec![Vec3A::ZERO; u.len()];
        if step.is_periodic() {
            return second;
        }
        let mut turns = vec![Turn::default(); self.pieces.len()];
        for (i, u) in u.iter().enumerate() {
            let mass = f64::from(1.0 / step.inverse_mass(i));
            turns[self.index[i] as usize].add(mass, step.x0[i].as_dvec3(), u.as_dvec3());
        }
        let most = LARGEST_TURN / f64::from(step.dt);
        let rate = |turn: &Turn| (turn.center(), turn.rate().clamp_length_max(most));
        let rates: Vec<(DVec3, DVec3)> = turns.iter().map(rate).collect();
        parallel::fill(&mut second, |i| {
            let piece = self.index[i] as usize;
            if self.pieces[piece].held {
                return Vec3A::ZERO;
            }
            let (center, rate) = rates[piece];
            let e = step.x0[i].as_dvec3() - center;
            Vec3A::from((rate.cross(rate.cross(e)) * (0.5 * f64::from(step.dt))).as_vec3())
        });
        second
    }

    /// Gives every piece the momentum of u* in the rigid motions that no contact opposes.
    pub(crate) fn restore_momentum(
        &self,
        (step, gradients): (&Setting, &Gradients),
        holds: &[Hold],
        (u_star, u): (&[Vec3A], &mut [Vec3A]),
    ) {
        if self.pieces.iter().all(|b| b.held) {
            return;
        }
        let length = if step.is_periodic() { f64::INFINITY } else { f64::from(step.kernel.support()) };
        let mut pieces = self.pieces.clone();
        for i in 0..u.len() {
            let piece = &mut pieces[self.index[i] as usize];
            if !piece.held {
                let mass = f64::from(1.0 / step.inverse_mass(i));
                let e = step.x0[i].as_dvec3() - piece.center;
                let rows: [DVec3; 6] = std::array::from_fn(|k| rigid(k, e, length));
                let mut hold = holds[i];
                // Walls that act through the gradient oppose motion towards them without being touched.
                for normal in gradients.wall(i).into_iter().flat_map(|wall| wall.sliding_normals()) {
                    hold_direction(&mut hold, normal, 0.0);
                }
                piece.add(&rows, (mass, Vec3::from(u_star[i] - u[i]).as_dvec3()), &hold);
            }
        }
        for piece in pieces.iter_mut().filter(|b| !b.held) {
            piece.solve();
        }
        parallel::for_each(u, |i, u| {
            let piece = &pieces[self.index[i] as usize];
            if !piece.held {
                let e = step.x0[i].as_dvec3() - piece.center;
                let change: DVec3 = (0..6).map(|k| rigid(k, e, length) * piece.motion[k]).sum();
                *u += Vec3A::from(change.as_vec3());
            }
        });
    }
}

/// Moments of mass and momentum of a piece, about the origin.
#[derive(Clone, Debug, Default)]
struct Turn {
    mass: f64,
    /// Σ m x.
    first: DVec3,
    /// Σ m x xᵀ, columns.
    second: [DVec3; 3],
    momentum: DVec3,
    angular: DVec3,
}

impl Turn {
    fn add(&mut self, mass: f64, x: DVec3, u: DVec3) {
        self.mass += mass;
        self.first += x * mass;
        for (column, x_k) in self.second.iter_mut().zip(x.to_array()) {
            *column += x * (mass * x_k);
        }
        self.momentum += u * mass;
        self.angular += x.cross(u) * mass;
    }

    fn center(&self) -> DVec3 {
        self.first / self.mass
    }

    /// ω = I⁻¹ L about the centre; zero for what is no more than a line.
    fn rate(&self) -> DVec3 {
        let center = self.center();
        let columns = std::array::from_fn(|k| self.second[k] - center * (self.mass * center[k]));
        let [a, b, c]: [DVec3; 3] = columns;
        let squares = DMat3::from_cols(a, b, c);
        let trace = a.x + b.y + c.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - squares;
        if inertia.determinant() <= 1e-6 * trace.powi(3) {
            return DVec3::ZERO;
        }
        inertia.inverse() * (self.angular - center.cross(self.momentum))
    }
}

impl Piece {
    fn add(&mut self, rows: &[DVec3; 6], (mass, missing): (f64, DVec3), hold: &Hold) {
        let opposed = *hold != Hold::NONE;
        for a in 0..6 {
            self.missing[a] += mass * rows[a].dot(missing);
            let held = if opposed {
                let row = rows[a].as_vec3();
                (row - hold.free.mul_vec(row)).as_dvec3()
            } else {
                DVec3::ZERO
            };
            for b in 0..6 {
                self.mass[a][b] += mass * rows[a].dot(rows[b]);
                self.opposed[a][b] += held.dot(rows[b]);
            }
        }
    }

    /// Solves for the motion within the null space of the opposed directions.
    fn solve(&mut self) {
        let (values, free) = eigen(self.opposed);
        // A motion that the held particles would notice is not free.
        let allowed: Vec<Six> = (0..6).filter(|&k| values[k] < 1e-6 * self.count).map(|k| free[k]).collect();
        let inner = |m: &SixBySix, a: &Six, b: &Six| -> f64 {
            (0..6).map(|r| a[r] * (0..6).map(|c| m[r][c] * b[c]).sum::<f64>()).sum()
        };
        let mut mass = [[0.0; 6]; 6];
        for (r, a) in allowed.iter().enumerate() {
            for (c, b) in allowed.iter().enumerate() {
                mass[r][c] = inner(&self.mass, a, b);
            }
        }
        let (values, axes) = eigen(mass);
        let largest = values.iter().fold(0.0_f64, |m, v| m.max(*v));
        for (value, axis) in values.iter().zip(&axes) {
            // Motions without inertia, such as the turn of a single particle, have no momentum to miss.
            if *value <= 1e-9 * largest {
                continue;
            }
            let motion: Six =
                std::array::from_fn(|r| allowed.iter().zip(axis).map(|(a, x)| a[r] * x).sum::<f64>());
            let momentum: f64 = (0..6).map(|r| motion[r] * self.missing[r]).sum();
            for r in 0..6 {
                self.motion[r] += motion[r] * momentum / value;
            }
        }
    }
}

/// Eigenvalues and eigenvectors (as rows) of a symmetric matrix, by Jacobi rotations.
pub(crate) fn eigen(mut a: SixBySix) -> (Six, SixBySix) {
    const SWEEPS: usize = 12;
    let mut v: SixBySix = std::array::from_fn(|r| std::array::from_fn(|c| f64::from(u8::from(r == c))));
    for _ in 0..SWEEPS {
        for p in 0..5 {
            for q in p + 1..6 {
                let off = a[p][q];
                if off == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * off);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                for k in 0..6 {
                    (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
                    (v[p][k], v[q][k]) = (c * v[p][k] - s * v[q][k], s * v[p][k] + c * v[q][k]);
                }
            }
        }
    }
    (std::array::from_fn(|k| a[k][k]), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_found_whatever_the_order() {
        let chain = |y: f32| (0..20).map(move |k| Vec3::new(((k * 7) % 20) as f32, y, 0.0));
        let positions: Vec<Vec3> = chain(0.0).chain(chain(5.0)).chain([Vec3::Z * 9.0]).collect();
        let label =
            connected(&Neighbors::find(&positions, 1.1, &crate::domain::Domain::UNBOUNDED), positions.len());
        assert!(label[..20].iter().all(|&l| l == 0));
        assert!(label[20..40].iter().all(|&l| l == 20));
        assert_eq!(label[40], 40);
    }

    #[test]
    fn the_rate_of_a_turn_is_found_in_any_motion() {
        let (rate, velocity) = (DVec3::new(1.0, -2.0, 3.0), DVec3::new(5.0, 7.0, -4.0));
        let found = |corners: usize| {
            let mut turn = Turn::default();
            for k in 0..corners {
                let x = DVec3::new((k & 1) as f64 + 9.0, (k & 2) as f64, 0.3 * (k & 4) as f64);
                turn.add(1.0 + k as f64, x, velocity + rate.cross(x));
            }
            turn.rate()
        };
        assert!(found(8).distance(rate) < 1e-9 && found(4).distance(rate) < 1e-9, "{}", found(8));
        assert_eq!((found(1), found(2)), (DVec3::ZERO, DVec3::ZERO));
    }

    #[test]
    fn eigenvectors_diagonalise() {
        let a: SixBySix = std::array::from_fn(|r| {
            std::array::from_fn(|c| 1.0 / (1.0 + r as f64 + c as f64) + if r == c { r as f64 } else { 0.0 })
        });
        let (values, vectors) = eigen(a);
        for (value, v) in values.iter().zip(&vectors) {
            for r in 0..6 {
                let image: f64 = (0..6).map(|c| a[r][c] * v[c]).sum();
                assert!((image - value * v[r]).abs() < 1e-10);
            }
        }
    }

    /// The motion given back to a flat piece of which some particles are held along y.
    fn motion(held: bool) -> Six {
        let mut piece = Piece { count: 9.0, ..Piece::default() };
        let hold = Hold { free: crate::math::Sym3::new([1.0, 0.0, 1.0, 0.0, 0.0, 0.0]), fixed: Vec3A::ZERO };
        for k in 0..9 {
            let e = DVec3::new(f64::from(k % 3) - 1.0, 0.0, f64::from(k / 3) - 1.0);
            let rows = std::array::from_fn(|k| rigid(k, e, 1.0));
            let missing = DVec3::new(0.5, -1.0, 0.0) + DVec3::Y.cross(e) * 2.0;
            piece.add(&rows, (2.0, missing), if held { &hold } else { &Hold::NONE });
        }
        piece.solve();
        piece.motion
    }

    #[test]
    fn a_floor_leaves_two_translations_and_a_turn() {
        let close = |a: Six, b: Six| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(close(motion(false), [0.5, -1.0, 0.0, 0.0, 2.0, 0.0]), "{:?}", motion(false));
        assert!(close(motion(true), [0.5, 0.0, 0.0, 0.0, 2.0, 0.0]), "{:?}", motion(true));
    }
}
