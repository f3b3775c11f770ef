//! What a particle sees of a mesh: the nearest point of its surface, and others that face it from elsewhere, as in the
//! corner of a box.

use super::Solid;
use super::bvh::{Foot, Window};
use super::closest::Part;
use crate::boundary::SurfacePoint;
use glam::{Vec3, Vec3A};

/// Most surfaces that one mesh shows a particle.
const MOST: usize = 4;
/// Normals with a larger cosine are those of one surface, bent.
const SAME: f32 = 0.8;
/// Candidates that are kept while the tree is searched.
const CANDIDATES: usize = 16;

#[derive(Clone, Copy)]
struct Candidate {
    distance: f32,
    triangle: u32,
    normal: Vec3A,
    point: Vec3A,
}

/// The nearest ones, in the order of their distances.
struct Candidates {
    list: [Candidate; CANDIDATES],
    len: usize,
}

impl Candidates {
    fn new(point: Vec3A) -> Self {
        let none = Candidate { distance: f32::INFINITY, triangle: 0, normal: Vec3A::Y, point };
        Self { list: [none; CANDIDATES], len: 0 }
    }

    fn insert(&mut self, c: Candidate) {
        let nearer = |other: &Candidate| (c.distance, c.triangle) < (other.distance, other.triangle);
        let at = self.list[..self.len].iter().position(nearer).unwrap_or(self.len);
        if at < CANDIDATES {
            self.list.copy_within(at..self.len.min(CANDIDATES - 1), at + 1);
            self.list[at] = c;
            self.len = (self.len + 1).min(CANDIDATES);
        }
    }
}

impl Solid {
    /// Visits the surfaces closer than `range` to `x`, or behind which it lies; for `side` 1 the fluid is outside, for
    /// −1 inside. Distances are positive and normals point towards the fluid's side.
    pub fn surfaces(&self, x: Vec3, range: f32, side: f32, mut visit: impl FnMut(SurfacePoint)) {
        if self.far().is_clear(x, range, side) {
            return;
        }
        let foot = self.bvh.nearest(x.into(), range * range).or_else(|| {
            let in_fluid = self.is_outside_far(x, range) == (side > 0.0);
            // Deep in the wall.
            if in_fluid { None } else { self.bvh.nearest(x.into(), f32::INFINITY) }
        });
        let Some(foot) = foot else {
            return;
        };
        let mut first = self.surface_point(x.into(), &foot);
        first = SurfacePoint { distance: first.distance * side, normal: first.normal * side };
        visit(first);
        // Behind a surface nothing else can be seen: look from just before it.
        let eye = match first.distance > 0.0 {
            true => Vec3A::from(x),
            false => foot.point + Vec3A::from(first.normal) * (1e-3 * range),
        };
        self.others(eye, range, side, (foot.point, first.normal.into()), |c| {
            let distance = c.distance + (Vec3A::from(x) - eye).dot(c.normal);
            if distance < range {
                visit(SurfacePoint { distance, normal: c.normal.into() });
            }
        });
    }

    /// Nearest points, in a part of the surface, whose normals differ from that of the nearest one and of each other.
    fn others(
        &self,
        eye: Vec3A,
        range: f32,
        side: f32,
        (point, normal): (Vec3A, Vec3A),
        mut visit: impl FnMut(&Candidate),
    ) {
        // A surface behind a nearer one is hidden by it.
        let slack = 1e-3 * range;
        let before = |point: Vec3A, normal: Vec3A, q: Vec3A| (q - point).dot(normal) >= -slack;
        let height = point.dot(normal) - slack;
        let window = Window { center: eye, radius: range, normal, height, turned: (normal * side, SAME) };
        let mut found = Candidates::new(point);
        self.bvh.near(&window, |triangle| {
            // What faces away is not seen; what is turned as the nearest is, is a part of that.
            let face = self.connectivity.faces[triangle as usize] * side;
            let apart = (eye - self.bvh.corners(triangle as usize)[0]).dot(face);
            if apart <= 0.0 || apart >= range || face.dot(normal) > SAME {
                return;
            }
            let candidate = self.candidate(eye, side, &self.bvh.foot(eye, triangle));
            let fits = |c: &Candidate| {
                c.distance < range && c.normal.dot(normal) <= SAME && before(point, normal, c.point)
            };
            if let Some(c) = candidate.filter(fits) {
                found.insert(c);
            }
        });
        let mut accepted = [None; MOST - 1];
        let mut count = 0;
        for c in &found.list[..found.len] {
            let new = accepted[..count]
                .iter()
                .flatten()
                .all(|a: &Candidate| c.normal.dot(a.normal) <= SAME && before(a.point, a.normal, c.point));
            if new && count < accepted.len() {
                accepted[count] = Some(*c);
                count += 1;
                visit(c);
            }
        }
    }

    /// The nearest point of a triangle, if it faces the eye and no point of the surface around it is nearer.
    fn candidate(&self, eye: Vec3A, side: f32, foot: &Foot) -> Option<Candidate> {
        let away = eye - foot.point;
        if away.dot(self.pseudo_normal(foot)) * side <= 0.0 {
            return None;
        }
        let (c, t) = (&self.connectivity, foot.triangle as usize);
        let position = |v: &u32| Vec3A::from(self.mesh().positions[*v as usize]);
        let falls_off = |v: &u32| away.dot(position(v) - foot.point) <= 0.0;
        let nearest = match foot.part {
            Part::Face => true,
            Part::Edge(k) => c.across(c.triangle_edges[t][k as usize]).iter().all(falls_off),
            Part::Corner(k) => c.around(self.mesh().triangles[t][k as usize]).iter().all(falls_off),
        };
        let distance = foot.distance_squared.sqrt();
        let normal = match foot.part {
            Part::Face => c.faces[t] * side,
            _ => away / distance,
        };
        (nearest && distance > 0.0).then_some(Candidate {
            distance,
            triangle: foot.triangle,
            normal,
            point: foot.point,
        })
    }
}
