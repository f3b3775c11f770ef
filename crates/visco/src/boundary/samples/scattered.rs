//! Points scattered evenly over the layer below a surface that is known by its signed distance.

use super::super::{Shape, SurfacePoint};
use glam::{IVec3, Vec3};
use std::collections::HashMap;

/// Least distance of two points, in spacings. Between this and 1.6 times it is what scattering gives.
const APART: f32 = 0.8;
/// Cells in which points are looked for are halved this often, from four spacings on.
const HALVINGS: u32 = 4;
/// How often a point is moved towards the layer.
const ROUNDS: usize = 4;
/// How far from the layer, in spacings, a point may end where the wall is thin.
const THIN: f32 = 0.15;

/// The points of an obstacle, or of a container.
pub(super) fn points(shape: &Shape, contains: bool, (spacing, depth): (f32, f32)) -> Vec<Vec3> {
    let Some((half, frame)) = shape.own_box() else {
        return vec![];
    };
    let surface = |x: Vec3| {
        let p = shape.outside(x);
        match contains {
            true => SurfacePoint { distance: -p.distance, normal: -p.normal },
            false => p,
        }
    };
    let size = 4.0 * spacing;
    let reach = half + depth + spacing;
    let count = (reach * 2.0 / size).ceil().max(Vec3::ONE).as_ivec3();
    let mut chosen = Chosen::new(APART * spacing);
    for i in 0..count.x {
        for j in 0..count.y {
            for k in 0..count.z {
                let at = (IVec3::new(i, j, k).as_vec3() + 0.5) * size - 0.5 * count.as_vec3() * size;
                let to_space = |local| shape.center() + frame * local;
                let distance = |local| surface(to_space(local)).distance + depth;
                search(&distance, (at, size, HALVINGS), &mut |local| {
                    settle(&surface, to_space(local), depth).into_iter().for_each(|x| chosen.add(x));
                });
            }
        }
    }
    chosen.points
}

/// Calls `found` with the middles of the smallest cells that the layer, from which `distance` tells how far a point is,
/// passes through.
fn search(
    distance: &impl Fn(Vec3) -> f32,
    (at, size, halvings): (Vec3, f32, u32),
    found: &mut impl FnMut(Vec3),
) {
    const HALF_DIAGONAL: f32 = 0.867;
    if distance(at).abs() > HALF_DIAGONAL * size {
        return;
    }
    if halvings == 0 {
        return found(at);
    }
    for corner in 0..8 {
        let sign = |bit: i32| if corner & bit == 0 { -0.25 } else { 0.25 };
        let next = at + Vec3::new(sign(1), sign(2), sign(4)) * size;
        search(distance, (next, 0.5 * size, halvings - 1), found);
    }
}

/// The point of the layer near `x`; where the wall is too thin for one, a point in its middle.
fn settle(surface: &impl Fn(Vec3) -> SurfacePoint, mut x: Vec3, depth: f32) -> Option<Vec3> {
    for _ in 0..ROUNDS {
        let p = surface(x);
        x -= p.normal * (p.distance + depth);
    }
    let distance = surface(x).distance;
    let good = (distance + depth).abs() < 2.0 * THIN * depth || (distance < 0.0 && distance > -depth);
    good.then_some(x)
}

/// Points that keep a distance from each other.
struct Chosen {
    apart: f32,
    points: Vec<Vec3>,
    cells: HashMap<IVec3, Vec<u32>>,
}

impl Chosen {
    fn new(apart: f32) -> Self {
        Self { apart, points: vec![], cells: HashMap::new() }
    }

    fn add(&mut self, x: Vec3) {
        let cell = (x / self.apart).floor().as_ivec3();
        for n in 0..27 {
            let near = cell + IVec3::new(n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1);
            let taken = self.cells.get(&near).into_iter().flatten();
            if taken.copied().any(|k| self.points[k as usize].distance(x) < self.apart) {
                return;
            }
        }
        self.cells.entry(cell).or_default().push(self.points.len() as u32);
        self.points.push(x);
    }
}
