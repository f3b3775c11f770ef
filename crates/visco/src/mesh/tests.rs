//! Meshes against shapes that are known exactly.

use super::{Made, MeshError, Solid, TriangleMesh};
use crate::boundary::{Shape, SurfacePoint};
use crate::random::Random;
use glam::{IVec3, Quat, Vec3};
use std::collections::HashSet;

/// A box of twelve triangles.
pub(super) fn cuboid(half: Vec3) -> TriangleMesh {
    let positions = (0..8)
        .map(|k: i32| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32) * 2.0 - 1.0)
        .map(|x| x * half)
        .collect();
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh { positions, triangles }
}

/// A ball of many triangles: a cuboid's faces, divided and blown up.
fn ball(radius: f32, divisions: usize) -> TriangleMesh {
    let function = |x: Vec3| x.length() - radius;
    let reach = Vec3::splat(1.2 * radius);
    super::implicit::surface(&function, (-reach, reach), 2.0 * radius / divisions as f32)
}

fn random_points(count: usize, reach: f32) -> impl Iterator<Item = Vec3> {
    let mut random = Random::new(11);
    (0..count).map(move |_| (Vec3::from_array(random.triple()) - 0.5) * (2.0 * reach))
}

#[test]
fn a_box_of_triangles_has_the_distance_of_a_box() {
    let half = Vec3::new(0.3, 0.2, 0.4);
    let solid = Solid::new(&cuboid(half)).expect("closed");
    let exact = Shape::Box { center: Vec3::ZERO, half, rotation: Quat::IDENTITY };
    for x in random_points(3000, 0.7) {
        let (a, b) = (solid.signed_distance(x), exact.outside(x));
        assert!((a.distance - b.distance).abs() < 1e-6, "{x}: {a:?}, {b:?}");
        assert!(a.normal.dot(b.normal) > 0.999 || a.distance < -0.05, "{x}: {a:?}, {b:?}");
        for range in [0.02, 0.1, 0.5] {
            assert_eq!(solid.is_clear(x, range), b.distance >= range, "{x} and {range}: {b:?}");
        }
    }
}

#[test]
fn the_distance_is_that_of_a_search_through_all_triangles() {
    let solid = Solid::new(&Made::Figure.mesh("")).expect("closed");
    let count = solid.mesh().triangles.len();
    for x in random_points(60, 0.6) {
        let nearest = (0..count)
            .map(|t| super::closest::closest_point(x.into(), solid.bvh.corners(t)).0.distance(x.into()))
            .fold(f32::INFINITY, f32::min);
        let found = solid.signed_distance(x).distance;
        assert!((found.abs() - nearest).abs() < 1e-6, "{x}: {found} for {nearest}");
    }
}

fn seen(solid: &Solid, x: Vec3, range: f32, side: f32) -> Vec<SurfacePoint> {
    let mut list = Vec::new();
    solid.surfaces(x, range, side, |p| list.push(p));
    list
}

#[test]
fn the_corner_of_a_container_is_three_surfaces_and_that_of_an_obstacle_is_one() {
    let solid = Solid::new(&cuboid(Vec3::ONE)).expect("closed");
    let walls = seen(&solid, Vec3::new(0.95, -0.94, 0.93), 0.1, -1.0);
    let mut distances: Vec<i32> = walls.iter().map(|p| (p.distance * 100.0).round() as i32).collect();
    distances.sort_unstable();
    assert_eq!(distances, [5, 6, 7], "{walls:?}");
    let sum = walls.iter().map(|p| p.normal).sum::<Vec3>();
    assert!(sum.abs_diff_eq(Vec3::new(-1.0, 1.0, -1.0), 1e-5), "{sum}");
    assert!(seen(&solid, Vec3::ZERO, 0.9, -1.0).is_empty());
    for x in [Vec3::new(1.05, 0.98, 0.3), Vec3::new(1.05, 1.04, 0.3), Vec3::splat(1.03)] {
        assert_eq!(seen(&solid, x, 0.2, 1.0).len(), 1, "{x}");
    }
    // Behind one wall of a corner the other still holds.
    let behind = seen(&solid, Vec3::new(1.02, -0.94, 0.3), 0.1, -1.0);
    assert_eq!(behind.len(), 2, "{behind:?}");
    assert!((behind[0].distance + 0.02).abs() < 1e-5 && (behind[1].distance - 0.06).abs() < 1e-3);
    // Deep inside an obstacle, where no surface is near.
    let deep = seen(&solid, Vec3::new(0.1, 0.0, 0.3), 0.1, 1.0);
    assert!((deep[0].distance + 0.7).abs() < 1e-5 && deep[0].normal.z > 0.999, "{deep:?}");
}

#[test]
fn a_pocket_of_the_waffle_has_a_floor_and_walls() {
    let solid = Solid::new(&Made::Waffle.mesh("")).expect("closed");
    // The first pocket goes from -0.44 to -0.2525 along x and z; its floor is at 0.035, the ribs end at 0.1.
    let x = Vec3::new(-0.41, 0.045, -0.41);
    let walls = seen(&solid, x, 0.04, 1.0);
    assert_eq!(walls.len(), 3, "{walls:?}");
    assert!(walls.iter().all(|p| p.distance > 0.0), "{walls:?}");
    assert!(walls.iter().any(|p| p.normal.y > 0.99));
    assert!(seen(&solid, Vec3::new(-0.345, 0.08, -0.345), 0.04, 1.0).is_empty());
}

#[test]
fn a_smooth_surface_is_one_surface() {
    let solid = Solid::new(&ball(1.0, 24)).expect("closed");
    for (side, radius) in [(1.0, 1.06), (-1.0, 0.94)] {
        for x in random_points(500, 1.0).filter(|x| x.length() > 0.1) {
            let x = x.normalize() * radius;
            let walls = seen(&solid, x, 0.15, side);
            assert_eq!(walls.len(), 1, "{x}: {walls:?}");
            assert!((walls[0].distance - 0.06).abs() < 0.01, "{x}: {walls:?}");
            assert!(walls[0].normal.dot(x.normalize()) * side > 0.98, "{x}: {walls:?}");
        }
    }
}

#[test]
fn a_way_through_a_thin_wall_is_noticed() {
    let solid = Solid::new(&cuboid(Vec3::new(1.0, 1e-4, 1.0))).expect("closed");
    for x in random_points(500, 0.9) {
        let (above, below) = (Vec3::new(x.x, 0.3, x.z), Vec3::new(x.z, -0.4, x.y));
        assert_eq!(solid.crossing(above, below, 1.0), Some(Vec3::Y));
        assert_eq!(solid.crossing(below, above, 1.0), Some(-Vec3::Y));
        assert_eq!(solid.crossing(above, Vec3::new(x.z, 0.1, x.y), 1.0), None);
    }
    // Along the edge that two triangles share.
    assert_eq!(solid.crossing(Vec3::new(0.5, 0.1, 0.5), Vec3::new(0.5, -0.1, 0.5), 1.0), Some(Vec3::Y));
}

#[test]
fn a_lattice_in_a_mesh_has_its_volume() {
    for made in Made::ALL {
        let solid = Solid::new(&made.mesh("OK")).expect("closed");
        let d = (solid.volume() / 40_000.0).cbrt() as f32;
        let points = solid.lattice(d);
        let volume = points.len() as f64 * f64::from(d).powi(3);
        assert!((volume / solid.volume() - 1.0).abs() < 0.02, "{made:?}: {volume} of {}", solid.volume());
        let outside = points.iter().find(|x| solid.signed_distance(**x).distance > 1e-4 * d);
        assert_eq!(outside, None, "{made:?}");
        let index = |x: &Vec3| ((*x - points[0]) / d).round().as_ivec3();
        let filled: HashSet<IVec3> = points.iter().map(index).collect();
        let missing = |x: &&Vec3| {
            let next = **x + Vec3::X * d;
            solid.signed_distance(next).distance < -1e-3 * d && !filled.contains(&index(&next))
        };
        assert_eq!(points.iter().find(missing), None, "{made:?} has gaps");
    }
}

#[test]
fn what_is_wrong_is_said_with_the_place() {
    let whole = cuboid(Vec3::ONE);
    let mut open = whole.clone();
    open.triangles.pop();
    let Err(MeshError::Open { edges: 3, at }) = Solid::new(&open) else {
        panic!("a hole is noticed");
    };
    assert_eq!(at[2], 1.0, "the hole is in the side with z = 1");
    let mut turned = whole.clone();
    turned.triangles[0].swap(0, 1);
    assert!(matches!(Solid::new(&turned), Err(MeshError::Turned { edges: 3, .. })));
    let mut doubled = whole.clone();
    doubled.triangles.push(whole.triangles[4]);
    assert!(matches!(Solid::new(&doubled), Err(MeshError::NotManifold { edges: 3, .. })));
    let inside_out = Solid::new(&whole.clone().flipped());
    assert!(matches!(inside_out, Err(MeshError::InsideOut { volume }) if (volume + 8.0).abs() < 1e-6));
    let flat = whole.clone().mapped(|x| x * Vec3::new(1.0, 1.0, 0.0));
    assert!(matches!(Solid::new(&flat), Err(MeshError::Flat)));
    let mut lost = whole.clone();
    lost.positions[3].y = f32::NAN;
    assert!(matches!(Solid::new(&lost), Err(MeshError::NotFinite { vertex: 3, .. })));
    let mut far = whole;
    far.triangles[2][1] = 99;
    assert!(matches!(Solid::new(&far), Err(MeshError::NoVertex { triangle: 2, vertex: 99, vertices: 8 })));
    assert_eq!(Solid::new(&TriangleMesh::default()).err(), Some(MeshError::Empty));
}

#[test]
fn triangles_without_an_index_are_joined_and_those_without_corners_dropped() {
    let whole = cuboid(Vec3::ONE);
    let mut soup = TriangleMesh::default();
    for t in 0..whole.triangles.len() {
        let first = soup.positions.len() as u32;
        soup.positions.extend(whole.corners(t));
        soup.triangles.extend([[first, first + 1, first + 2], [first, first, first + 1]]);
    }
    let solid = Solid::new(&soup).expect("closed once it is joined");
    assert_eq!((solid.mesh().positions.len(), solid.mesh().triangles.len()), (8, 12));
}

#[test]
fn thin_parts_are_found_with_their_place() {
    let mut mesh = cuboid(Vec3::ONE);
    mesh.append(&cuboid(Vec3::new(0.2, 0.5, 0.01)).mapped(|x| x + Vec3::X * 3.0));
    let solid = Solid::new(&mesh).expect("closed");
    let thin = solid.thinner_than(0.1).expect("a thin plate");
    assert!((thin.thickness - 0.02).abs() < 1e-5, "{thin:?}");
    assert!((thin.at + solid.center()).abs_diff_eq(Vec3::X * 3.0, 0.4), "{thin:?}");
    let share = 0.8 / (24.0 + 0.8 + 4.0 * 0.01 * (0.4 + 1.0));
    assert!((thin.share - share).abs() < 1e-3, "{thin:?} for {share}");
    assert_eq!(solid.thinner_than(0.019), None);
}
