//! The weight function of MPS, and what it sees of a wall.
//!
//! ```text
//! ω(r) = r_e/r − 1 for r < r_e                    (Koshizuka & Oka 1996)
//! n⁰ = Σ ω,  λ = Σ r² ω / Σ ω                      over the cubic lattice
//! ```
//!
//! A wall is a half-space of the rest lattice below the particle, as in the other methods; its sums are tables over the
//! distance.

use glam::IVec3;

/// Entries of the tables of walls.
const ENTRIES: usize = 2048;
/// Distances shorter than this, in spacings, count as this: the weight has no bound.
const NEAREST: f32 = 0.05;

/// Sums over the particles of a wall, as seen from a distance; t is the way of a pair towards the wall.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WallSums {
    /// Σ ω/n⁰.
    pub(super) number: f32,
    /// (d/n⁰) Σ t ω/r², in 1/m.
    pub(super) push: f32,
    /// (d/n⁰) Σ t² ω/r².
    pub(super) normal: f32,
    /// The same along either tangent.
    pub(super) tangent: f32,
    /// 2d/(λn⁰) Σ t ω, in 1/m: the flux through the wall in the Laplacian.
    pub(super) flux: f32,
}

impl WallSums {
    /// A multiple of all sums.
    pub(super) fn times(self, s: f32) -> Self {
        let Self { number, push, normal, tangent, flux } = self;
        Self { number: number * s, push: push * s, normal: normal * s, tangent: tangent * s, flux: flux * s }
    }
}

/// ω with the constants that belong to it.
#[derive(Clone, Debug)]
pub(super) struct Weight {
    spacing: f32,
    support: f32,
    /// n⁰.
    rest: f32,
    /// λ, in m².
    lambda: f32,
    /// What two walls share at an edge, over the product of what each has.
    overlap: f32,
    walls: Vec<WallSums>,
}

impl Weight {
    /// The weight of a radius of influence, both in m.
    pub(super) fn new(spacing: f32, support: f32) -> Self {
        let mut weight = Self { spacing, support, rest: 1.0, lambda: 1.0, overlap: 1.0, walls: vec![] };
        let reach = (support / spacing).ceil() as i32;
        let (mut sum, mut squares) = (0.0, 0.0);
        for_lattice(reach, |at| {
            let r = at.as_vec3().length() * spacing;
            if r > 0.0 {
                sum += weight.omega(r);
                squares += r * r * weight.omega(r);
            }
        });
        (weight.rest, weight.lambda) = (sum, squares / sum);
        let (mut below, mut shared) = (0.0, 0.0);
        for_lattice(reach, |at| {
            if at.z < 0 {
                let number = weight.number(at.as_vec3().length() * spacing);
                below += number;
                shared += if at.x < 0 { number } else { 0.0 };
            }
        });
        weight.overlap = shared / (below * below);
        let step = support / (ENTRIES - 1) as f32;
        weight.walls = (0..ENTRIES).map(|k| weight.wall_sums(k as f32 * step)).collect();
        weight
    }

    /// r_e, in m.
    pub(super) fn support(&self) -> f32 {
        self.support
    }

    #[inline]
    fn omega(&self, r: f32) -> f32 {
        (self.support / r.max(NEAREST * self.spacing) - 1.0).max(0.0)
    }

    /// ω/n⁰.
    #[inline]
    pub(super) fn number(&self, r: f32) -> f32 {
        self.omega(r) / self.rest
    }

    /// d ω/(n⁰ r²), the weight of gradients, in 1/m²: Σ of it times x xᵀ is the unit matrix over the lattice.
    #[inline]
    pub(super) fn slope(&self, r: f32) -> f32 {
        let r = r.max(NEAREST * self.spacing);
        3.0 * self.omega(r) / (self.rest * r * r)
    }

    /// 2d/λ, which makes of Σ (P_j − P_i) ω/n⁰ the Laplacian, in 1/m².
    #[inline]
    pub(super) fn laplacian(&self) -> f32 {
        6.0 / self.lambda
    }

    /// Σ ω/n⁰ over walls that meet, of what each has alone: (1 − Π (1 − κf))/κ, with κ such that edges and corners of a
    /// lattice are whole.
    pub(super) fn union(&self, walls: impl Iterator<Item = f32>) -> f32 {
        (1.0 - walls.fold(1.0, |empty, f| empty * (1.0 - self.overlap * f).max(0.0))) / self.overlap
    }

    /// Sums over a flat wall at a distance from the particle.
    #[inline]
    pub(super) fn wall(&self, distance: f32) -> WallSums {
        let at = (distance / self.support).clamp(0.0, 1.0) * (ENTRIES - 1) as f32;
        let k = (at as usize).min(ENTRIES - 2);
        let (a, b, part) = (self.walls[k], self.walls[k + 1], at - k as f32);
        let mix = |f: fn(&WallSums) -> f32| f(&a) * (1.0 - part) + f(&b) * part;
        WallSums {
            number: mix(|s| s.number),
            push: mix(|s| s.push),
            normal: mix(|s| s.normal),
            tangent: mix(|s| s.tangent),
            flux: mix(|s| s.flux),
        }
    }

    /// The same, summed up over layers half a spacing, one and a half … below the surface.
    fn wall_sums(&self, distance: f32) -> WallSums {
        let d = self.spacing;
        let reach = (self.support / d).ceil() as i32;
        let mut sums = WallSums::default();
        for_lattice(reach, |at| {
            if at.z < 0 {
                return;
            }
            let t = distance + (at.z as f32 + 0.5) * d;
            let across = (at.x * at.x + at.y * at.y) as f32 * d * d;
            let r = (across + t * t).sqrt();
            let slope = self.slope(r);
            sums.number += self.number(r);
            sums.push += slope * t;
            sums.normal += slope * t * t;
            sums.tangent += 0.5 * slope * across;
            sums.flux += self.laplacian() * self.number(r) * t;
        });
        sums
    }
}

fn for_lattice(reach: i32, mut visit: impl FnMut(IVec3)) {
    for x in -reach..=reach {
        for y in -reach..=reach {
            for z in -reach..=reach {
                visit(IVec3::new(x, y, z));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_before_a_wall_is_whole_and_the_flux_through_it_is_all_that_comes() {
        for support in [2.1, 3.1] {
            let d = 0.01;
            let weight = Weight::new(d, support * d);
            let layers = support.ceil() as i32;
            let mut flux = 0.0;
            for layer in 0..layers {
                let wall = weight.wall((layer as f32 + 0.5) * d);
                let (mut number, mut push, mut normal) = (wall.number, -wall.push, wall.normal);
                for_lattice(layers, |at| {
                    let r = at.as_vec3().length() * d;
                    let z = at.z as f32 * d;
                    if r > 0.0 && at.z >= -layer {
                        number += weight.number(r);
                        push += weight.slope(r) * z;
                        normal += weight.slope(r) * z * z;
                    }
                });
                // Tables are straight between their entries.
                assert!((number - 1.0).abs() < 1e-3, "{support}, {layer}: n/n⁰ {number}");
                assert!((normal - 1.0).abs() < 2e-3, "{support}, {layer}: {normal}");
                assert!(push.abs() * d < 2e-3, "{support}, {layer}: {push}");
                flux += wall.flux * d;
            }
            // ∫ ∇²p dz over the layers is ∂p/∂z at the wall.
            assert!((flux - 1.0).abs() < 5e-3, "{support}: {flux}");
        }
    }

    #[test]
    fn a_lattice_in_an_edge_or_a_corner_is_whole() {
        for support in [2.1, 3.1] {
            let weight = Weight::new(1.0, support);
            let wall = weight.wall(0.5).number;
            for walls in [2, 3] {
                let mut number = weight.union(std::iter::repeat_n(wall, walls));
                for_lattice(4, |at| {
                    let outside = at.x < 0 || at.y < 0 || (walls == 3 && at.z < 0);
                    if at != IVec3::ZERO && !outside {
                        number += weight.number(at.as_vec3().length());
                    }
                });
                assert!((number - 1.0).abs() < 2e-3, "{support}, {walls} walls: {number}");
            }
        }
    }

    #[test]
    fn the_laplacian_of_a_square_is_six() {
        let weight = Weight::new(1.0, 2.1);
        let mut sum = 0.0;
        for_lattice(3, |at| {
            let r = at.as_vec3().length();
            if r > 0.0 {
                sum += weight.number(r) * r * r;
            }
        });
        assert!((weight.laplacian() * sum - 6.0).abs() < 1e-4);
    }
}
