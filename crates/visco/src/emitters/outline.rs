//! The opening of a nozzle as a flat figure: loops of straight edges.

use glam::{DVec2, DVec3, Vec3};
use std::f64::consts::PI;

/// A flat figure bounded by loops that do not cross: an outline, holes in it, islands in those, in any order and
/// direction. What lies inside an odd number of loops is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    loops: Vec<Vec<DVec2>>,
}

impl Outline {
    /// The figure between loops, each a list of corners of which the last is joined with the first.
    pub fn new(loops: Vec<Vec<DVec2>>) -> Self {
        Self { loops }
    }

    /// A rectangle around the origin.
    pub fn rectangle(width: f64, height: f64) -> Self {
        let (x, y) = (0.5 * width, 0.5 * height);
        Self::new(vec![[(-x, -y), (x, -y), (x, y), (-x, y)].map(DVec2::from).to_vec()])
    }

    /// A star around the origin with one point up.
    pub fn star(points: u32, outer_radius: f64, inner_radius: f64) -> Self {
        let corner = |k: u32| {
            let r = if k.is_multiple_of(2) { outer_radius } else { inner_radius };
            DVec2::from_angle(0.5 * PI + PI * f64::from(k) / f64::from(points)) * r
        };
        Self::new(vec![(0..2 * points).map(corner).collect()])
    }

    /// Closed curves in the plane through `origin` with the unit vectors `across` and `up`, such as those in which a
    /// plane cuts the surface of a solid.
    pub fn in_plane(curves: &[Vec<Vec3>], origin: Vec3, (across, up): (Vec3, Vec3)) -> Self {
        let (origin, across, up): (DVec3, DVec3, DVec3) =
            (origin.as_dvec3(), across.as_dvec3(), up.as_dvec3());
        let flat = |x: &Vec3| {
            let e = x.as_dvec3() - origin;
            DVec2::new(e.dot(across), e.dot(up))
        };
        Self::new(curves.iter().map(|curve| curve.iter().map(flat).collect()).collect())
    }

    fn edges(corners: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(a, b)| (*a, *b))
    }

    /// The edges of all loops.
    pub fn all_edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        self.loops.iter().flat_map(|corners| Self::edges(corners))
    }

    /// Whether a point lies in the opening.
    pub fn contains(&self, p: DVec2) -> bool {
        self.loops.iter().filter(|corners| within(corners, p)).count() % 2 == 1
    }

    /// Area, in m²: loops in an odd number of others are holes.
    pub fn area(&self) -> f64 {
        let signed = |(k, corners): (usize, &Vec<DVec2>)| {
            let doubled: f64 = Self::edges(corners).map(|(a, b)| a.perp_dot(b)).sum();
            let around = corners.first().map_or(0, |&corner| {
                let others = self.loops.iter().enumerate().filter(|(other, _)| *other != k);
                others.filter(|(_, others)| within(others, corner)).count()
            });
            0.5 * doubled.abs() * if around % 2 == 0 { 1.0 } else { -1.0 }
        };
        self.loops.iter().enumerate().map(signed).sum()
    }

    /// Corners of the smallest upright rectangle around it.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        let corners = self.loops.iter().flatten();
        corners.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), c| (low.min(*c), high.max(*c)))
    }

    /// Largest distance of the figure from the origin.
    pub fn radius(&self) -> f64 {
        self.loops.iter().flatten().map(|c| c.length()).fold(0.0, f64::max)
    }

    /// Two edges, by their numbers in [`Outline::all_edges`], that cross or touch without being neighbours.
    pub fn crossing(&self) -> Option<(usize, usize)> {
        let edges: Vec<(DVec2, DVec2)> = self.all_edges().collect();
        let adjacent = |a: &(DVec2, DVec2), b: &(DVec2, DVec2)| a.1 == b.0 || b.1 == a.0;
        let pairs = (0..edges.len()).flat_map(|i| (i + 1..edges.len()).map(move |j| (i, j)));
        pairs.into_iter().find(|&(i, j)| {
            let (a, b) = (&edges[i], &edges[j]);
            if adjacent(a, b) { folds_back(a, b) } else { crosses(a, b) }
        })
    }
}

fn within(corners: &[DVec2], p: DVec2) -> bool {
    let right_of = |(a, b): (DVec2, DVec2)| {
        (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    Outline::edges(corners).filter(|&edge| right_of(edge)).count() % 2 == 1
}

fn side((a, b): &(DVec2, DVec2), p: DVec2) -> f64 {
    (*b - *a).perp_dot(p - *a)
}

fn crosses(a: &(DVec2, DVec2), b: &(DVec2, DVec2)) -> bool {
    let apart = |low_a: f64, high_a: f64, low_b: f64, high_b: f64| high_a < low_b || high_b < low_a;
    let (a_low, a_high) = (a.0.min(a.1), a.0.max(a.1));
    let (b_low, b_high) = (b.0.min(b.1), b.0.max(b.1));
    if apart(a_low.x, a_high.x, b_low.x, b_high.x) || apart(a_low.y, a_high.y, b_low.y, b_high.y) {
        return false;
    }
    side(a, b.0) * side(a, b.1) <= 0.0 && side(b, a.0) * side(b, a.1) <= 0.0
}

/// Whether two edges with a common corner lie on each other.
fn folds_back(a: &(DVec2, DVec2), b: &(DVec2, DVec2)) -> bool {
    let (u, v) = (a.1 - a.0, b.1 - b.0);
    u.perp_dot(v).abs() <= 1e-12 * u.length() * v.length() && u.dot(v) < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(center: (f64, f64), half: f64) -> Vec<DVec2> {
        let c = DVec2::from(center);
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|p| c + DVec2::from(p) * half).to_vec()
    }

    #[test]
    fn holes_and_islands_count_by_how_deep_they_lie() {
        let mut hole = square((0.0, 0.0), 0.5);
        hole.reverse();
        let island = square((0.1, 0.0), 0.2);
        let figure = Outline::new(vec![hole, square((0.0, 0.0), 1.0), island, square((3.0, 0.0), 0.5)]);
        assert!((figure.area() - (4.0 - 1.0 + 0.16 + 1.0)).abs() < 1e-12);
        for (p, open) in [((0.7, 0.7), true), ((0.4, 0.4), false), ((0.1, 0.1), true), ((2.0, 0.0), false)] {
            assert_eq!(figure.contains(DVec2::from(p)), open, "{p:?}");
        }
        assert_eq!(figure.crossing(), None);
    }

    #[test]
    fn a_star_has_the_area_of_its_triangles() {
        let star = Outline::star(5, 0.02, 0.008);
        let exact = 5.0 * 0.02 * 0.008 * (PI / 5.0).sin();
        assert!((star.area() / exact - 1.0).abs() < 1e-12);
        assert!((star.radius() - 0.02).abs() < 1e-15 && star.contains(DVec2::new(0.0, 0.019)));
        assert!(!star.contains(DVec2::new(0.0, -0.019)));
        assert_eq!(star.crossing(), None);
        assert!((Outline::rectangle(0.2, 0.3).area() - 0.06).abs() < 1e-15);
    }

    #[test]
    fn edges_that_cross_are_found() {
        let bow = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)].map(DVec2::from).to_vec();
        assert_eq!(Outline::new(vec![bow]).crossing(), Some((0, 2)));
        let spike = [(0.0, 0.0), (1.0, 0.0), (0.5, 0.0), (0.5, 1.0)].map(DVec2::from).to_vec();
        assert!(Outline::new(vec![spike]).crossing().is_some());
        let overlapping = Outline::new(vec![square((0.0, 0.0), 1.0), square((1.0, 0.5), 1.0)]);
        assert!(overlapping.crossing().is_some());
    }

    #[test]
    fn curves_in_space_are_laid_flat() {
        let up = Vec3::new(0.0, 0.8, 0.6);
        let at = |x: f32, y: f32| Vec3::new(1.0, 2.0, 3.0) + Vec3::X * x + up * y;
        let curve = vec![at(-0.1, -0.2), at(0.1, -0.2), at(0.1, 0.2), at(-0.1, 0.2)];
        let flat = Outline::in_plane(&[curve], Vec3::new(1.0, 2.0, 3.0), (Vec3::X, up));
        assert!((flat.area() - 0.08).abs() < 1e-6);
        let (low, high) = flat.bounds();
        assert!(low.distance(DVec2::new(-0.1, -0.2)) < 1e-6 && high.distance(DVec2::new(0.1, 0.2)) < 1e-6);
    }
}
