//! The point of a triangle that is nearest to another point, and the part of the triangle that it lies on.

use glam::Vec3A;

/// A part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Its inside.
    Face,
    /// The edge from corner k to corner k + 1.
    Edge(u8),
    /// Corner k.
    Corner(u8),
}

/// The nearest point of triangle `abc` to `x`, by the Voronoi regions of its parts (Ericson 2005, section 5.1.5).
#[inline]
pub(super) fn closest_point(x: Vec3A, [a, b, c]: [Vec3A; 3]) -> (Vec3A, Part) {
    let (ab, ac, ax) = (b - a, c - a, x - a);
    let (d1, d2) = (ab.dot(ax), ac.dot(ax));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Part::Corner(0));
    }
    let bx = x - b;
    let (d3, d4) = (ab.dot(bx), ac.dot(bx));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Part::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Part::Edge(0));
    }
    let cx = x - c;
    let (d5, d6) = (ab.dot(cx), ac.dot(cx));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Part::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Part::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), Part::Edge(1));
    }
    let scale = 1.0 / (va + vb + vc);
    (a + ab * (vb * scale) + ac * (vc * scale), Part::Face)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn no_sampled_point_of_the_triangle_is_nearer() {
        let mut random = Random::new(3);
        let mut point = || Vec3A::from(random.triple()) * 2.0 - 1.0;
        for _ in 0..300 {
            let (x, t) = (point() * 1.5, [point(), point(), point()]);
            let (q, _) = closest_point(x, t);
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let (u, v) = (i as f32 / 20.0, j as f32 / 20.0);
                    let p = t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v;
                    assert!(x.distance(q) <= x.distance(p) + 1e-5, "{x} and {t:?}");
                }
            }
        }
    }

    #[test]
    fn each_part_is_found() {
        let t = [Vec3A::ZERO, Vec3A::X, Vec3A::Y];
        let part = |x, y| closest_point(Vec3A::new(x, y, 0.5), t).1;
        assert_eq!(part(0.2, 0.2), Part::Face);
        assert_eq!([part(0.5, -1.0), part(1.0, 1.0), part(-1.0, 0.5)], [0, 1, 2].map(Part::Edge));
        assert_eq!([part(-1.0, -1.0), part(2.0, -0.5), part(-0.5, 2.0)], [0, 1, 2].map(Part::Corner));
    }
}
