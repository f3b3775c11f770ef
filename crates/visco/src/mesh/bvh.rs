//! A tree of boxes over triangles.

use super::closest::{Part, closest_point};
use glam::{Vec3, Vec3A};

/// Triangles in a leaf at most.
const LEAF: usize = 4;
/// Deeper than any tree over 2³² triangles that are halved.
const DEPTH: usize = 64;

/// A box around some triangles.
#[derive(Clone, Copy, Debug)]
struct Node {
    min: Vec3A,
    max: Vec3A,
    /// First triangle of a leaf; of other nodes the second child (the first one follows the node).
    first: u32,
    /// Triangles of a leaf; 0 for other nodes.
    count: u32,
}

impl Node {
    #[inline]
    fn distance_squared(&self, x: Vec3A) -> f32 {
        (self.min - x).max(x - self.max).max(Vec3A::ZERO).length_squared()
    }

    /// How far a corner of the box rises along a direction.
    #[inline]
    fn rise(&self, direction: Vec3A) -> f32 {
        (self.min * direction).max(self.max * direction).dot(Vec3A::ONE)
    }
}

/// A cone around the normals of a node's triangles.
#[derive(Clone, Copy, Debug)]
struct Cone {
    axis: Vec3A,
    /// Cosine and sine of the angle between the axis and the normal farthest from it.
    cosine: f32,
    sine: f32,
}

impl Cone {
    /// Whether all normals have at least the cosine `same` to `normal`; may say no where they just have.
    #[inline]
    fn is_within(&self, normal: Vec3A, same: f32) -> bool {
        let cosine = self.axis.dot(normal);
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        // The cosine of the sum of two angles below a quarter turn.
        cosine > 0.0 && self.cosine > 0.0 && cosine * self.cosine - sine * self.sine >= same
    }
}

/// The nearest point of the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    pub(super) triangle: u32,
    pub(super) part: Part,
    pub(super) point: Vec3A,
    pub(super) distance_squared: f32,
}

/// The tree. Triangles are in its own order.
#[derive(Clone, Debug)]
pub(super) struct Bvh {
    nodes: Vec<Node>,
    cones: Vec<Cone>,
    corners: Vec<[Vec3A; 3]>,
}

/// What of a mesh is looked for: what lies in a ball, rises above a plane and is turned otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) center: Vec3A,
    pub(super) radius: f32,
    pub(super) normal: Vec3A,
    /// Height of the plane along its normal.
    pub(super) height: f32,
    /// What faces this way, by this cosine, is left out.
    pub(super) turned: (Vec3A, f32),
}

impl Bvh {
    /// The tree, and the order of the triangles in it.
    pub(super) fn new(corners: &[[Vec3; 3]], normals: &[Vec3]) -> (Self, Vec<u32>) {
        let centers: Vec<Vec3A> = corners
            .iter()
            .map(|[a, b, c]| Vec3A::from(a.min(*b).min(*c) + a.max(*b).max(*c)) * 0.5)
            .collect();
        let mut order: Vec<u32> = (0..corners.len() as u32).collect();
        let mut tree = Builder { corners, normals, centers: &centers, nodes: Vec::new(), cones: Vec::new() };
        tree.build(&mut order, 0);
        let Builder { nodes, cones, .. } = tree;
        let corners = order.iter().map(|&t| corners[t as usize].map(Vec3A::from)).collect();
        (Self { nodes, cones, corners }, order)
    }

    pub(super) fn corners(&self, triangle: usize) -> [Vec3A; 3] {
        self.corners[triangle]
    }

    pub(super) fn bounds(&self) -> (Vec3A, Vec3A) {
        self.nodes.first().map_or((Vec3A::ZERO, Vec3A::ZERO), |n| (n.min, n.max))
    }

    /// The nearest point closer than the root of `limit`.
    pub(super) fn nearest(&self, x: Vec3A, limit: f32) -> Option<Foot> {
        let mut best = limit;
        let mut found = None;
        let mut stack = [(0_u32, 0.0_f32); DEPTH];
        stack[0] = (0, self.nodes[0].distance_squared(x));
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (index, distance) = stack[top];
            if distance >= best {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.count > 0 {
                for triangle in node.first..node.first + node.count {
                    let foot = self.foot(x, triangle);
                    if foot.distance_squared < best {
                        best = foot.distance_squared;
                        found = Some(foot);
                    }
                }
                continue;
            }
            let (a, b) = (index + 1, node.first);
            let (da, db) =
                (self.nodes[a as usize].distance_squared(x), self.nodes[b as usize].distance_squared(x));
            // The nearer one is looked at first.
            let pair = if da <= db { [(b, db), (a, da)] } else { [(a, da), (b, db)] };
            stack[top] = pair[0];
            stack[top + 1] = pair[1];
            top += 2;
        }
        found
    }

    /// Visits the triangles that may show in a window.
    pub(super) fn near(&self, window: &Window, mut visit: impl FnMut(u32)) {
        let limit = window.radius * window.radius;
        let mut stack = [0_u32; DEPTH];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let node = &self.nodes[stack[top] as usize];
            if node.distance_squared(window.center) >= limit || node.rise(window.normal) < window.height {
                continue;
            }
            let (facing, same) = window.turned;
            if self.cones[stack[top] as usize].is_within(facing, same) {
                continue;
            }
            if node.count > 0 {
                (node.first..node.first + node.count).for_each(&mut visit);
                continue;
            }
            stack[top + 1] = stack[top] + 1;
            stack[top] = node.first;
            top += 2;
        }
    }

    /// The nearest point of one triangle.
    pub(super) fn foot(&self, x: Vec3A, triangle: u32) -> Foot {
        let (point, part) = closest_point(x, self.corners[triangle as usize]);
        Foot { triangle, part, point, distance_squared: point.distance_squared(x) }
    }

    /// Visits the triangles that the way from `from` to `to` crosses, with the part of the way before the crossing.
    pub(super) fn crossings(&self, from: Vec3A, to: Vec3A, mut visit: impl FnMut(u32, f32)) {
        let way = to - from;
        let (low, high) = (from.min(to), from.max(to));
        let inverse = way.recip();
        let mut stack = [0_u32; DEPTH];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let node = &self.nodes[stack[top] as usize];
            if low.cmpgt(node.max).any() || high.cmplt(node.min).any() {
                continue;
            }
            // Slabs; 0 · ∞ along an axis without motion is no bound, for the boxes overlap there.
            let (a, b) = ((node.min - from) * inverse, (node.max - from) * inverse);
            let bound = |v: Vec3A, otherwise: f32| Vec3A::select(v.is_nan_mask(), Vec3A::splat(otherwise), v);
            let enter = bound(a, f32::NEG_INFINITY).min(bound(b, f32::NEG_INFINITY)).max_element();
            let leave = bound(a, f32::INFINITY).max(bound(b, f32::INFINITY)).min_element();
            if enter > leave + 1e-5 || enter > 1.0 || leave < 0.0 {
                continue;
            }
            if node.count > 0 {
                for triangle in node.first..node.first + node.count {
                    if let Some(t) = crossing(from, way, self.corners[triangle as usize]) {
                        visit(triangle, t);
                    }
                }
                continue;
            }
            stack[top + 1] = stack[top] + 1;
            stack[top] = node.first;
            top += 2;
        }
    }
}

/// Where the way crosses a triangle, as part of the way (Möller and Trumbore 1997). Edges count to both sides, so
/// that nothing slips between two triangles.
fn crossing(from: Vec3A, way: Vec3A, [a, b, c]: [Vec3A; 3]) -> Option<f32> {
    const EDGE: f32 = 1e-5;
    let (u, v) = (b - a, c - a);
    let p = way.cross(v);
    let determinant = u.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let s = from - a;
    let x = s.dot(p) / determinant;
    let q = s.cross(u);
    let y = way.dot(q) / determinant;
    let t = v.dot(q) / determinant;
    (x >= -EDGE && y >= -EDGE && x + y <= 1.0 + EDGE && (0.0..=1.0).contains(&t)).then_some(t)
}

struct Builder<'a> {
    corners: &'a [[Vec3; 3]],
    normals: &'a [Vec3],
    centers: &'a [Vec3A],
    nodes: Vec<Node>,
    cones: Vec<Cone>,
}

impl Builder<'_> {
    /// Appends the nodes over the triangles of `order`, which begin at `first` in the final order.
    fn build(&mut self, order: &mut [u32], first: usize) {
        let index = self.nodes.len();
        self.nodes.push(self.node(order, first));
        self.cones.push(self.cone(order));
        if order.len() <= LEAF {
            return;
        }
        let (low, high) = order.iter().fold((Vec3A::INFINITY, Vec3A::NEG_INFINITY), |(low, high), &t| {
            (low.min(self.centers[t as usize]), high.max(self.centers[t as usize]))
        });
        let axis = Vec3::from(high - low).max_position();
        let middle = order.len() / 2;
        let centers = self.centers;
        order.select_nth_unstable_by(middle, |&a, &b| {
            centers[a as usize][axis].total_cmp(&centers[b as usize][axis]).then(a.cmp(&b))
        });
        // What is on either side does not depend on how the selection works inside; sorted, its order does not either.
        let (left, right) = order.split_at_mut(middle);
        left.sort_unstable();
        right.sort_unstable();
        self.nodes[index].count = 0;
        self.build(left, first);
        self.nodes[index].first = self.nodes.len() as u32;
        self.build(right, first + middle);
    }

    fn node(&self, order: &[u32], first: usize) -> Node {
        let (mut min, mut max) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        for &x in order.iter().flat_map(|t| &self.corners[*t as usize]) {
            (min, max) = (min.min(x.into()), max.max(x.into()));
        }
        Node { min, max, first: first as u32, count: order.len() as u32 }
    }
    fn cone(&self, order: &[u32]) -> Cone {
        let normals = || order.iter().map(|&t| self.normals[t as usize]);
        let axis = normals().sum::<Vec3>().normalize_or_zero();
        let cosine = normals().map(|n| axis.dot(n)).fold(1.0, f32::min);
        Cone { axis: axis.into(), cosine, sine: (1.0 - cosine * cosine).max(0.0).sqrt() }
    }
}
