use super::*;
use std::collections::HashMap;
use visco::random::Random;

const D: f32 = 0.01;

/// Particles at positions in units of the spacing.
fn frame(positions: impl IntoIterator<Item = Vec3>) -> Frame {
    let positions: Vec<Vec3> = positions.into_iter().map(|x| D * x).collect();
    let n = positions.len();
    Frame {
        number: 3,
        time: 0.1,
        spacing: D,
        velocities: vec![Vec3::new(1.0, 2.0, 3.0); n],
        ids: (0..n as u32).collect(),
        materials: vec![0; n],
        densities: vec![1000.0; n],
        conformations: None,
        positions,
    }
}

/// A lattice inside a shape, shaken by a part of the spacing.
fn lattice(half: [i32; 3], shaken: f32, inside: impl Fn(Vec3) -> bool) -> Vec<Vec3> {
    let mut random = Random::new(5);
    let mut points = Vec::new();
    for x in -half[0]..half[0] {
        for y in -half[1]..half[1] {
            for z in -half[2]..half[2] {
                let point = Vec3::new(x as f32, y as f32, z as f32) + 0.5;
                if inside(point) {
                    points.push(point + shaken * (Vec3::from_array(random.triple()) - 0.5));
                }
            }
        }
    }
    points
}

fn ball(radius: f32, shaken: f32) -> Vec<Vec3> {
    let half = radius.ceil() as i32 + 1;
    lattice([half; 3], shaken, |x| x.length() < radius)
}

/// Checks that every edge has one triangle on each side, in opposite directions.
fn assert_closed(surface: &Surface) {
    let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
    for &[a, b, c] in &surface.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let turn = if from < to { 1 } else { -1 };
            let edge = edges.entry((from.min(to), from.max(to))).or_default();
            *edge += turn;
            assert!(edge.abs() <= 1, "an edge has two triangles on one side");
        }
    }
    assert!(edges.values().all(|&sides| sides == 0), "an edge has one triangle alone");
}

/// Volume in particles.
fn volume(surface: &Surface) -> f64 {
    let of = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|i| surface.positions[i as usize].as_dvec3());
        a.dot(b.cross(c)) / 6.0
    };
    surface.triangles.iter().map(of).sum::<f64>() / f64::from(D).powi(3)
}

#[test]
fn a_ball_is_closed_and_has_the_volume_of_its_particles_and_normals_outward() {
    let frame = frame(ball(7.0, 0.3));
    for anisotropic in [false, true] {
        let surface = surface_of(&frame, &Settings { anisotropic, ..Settings::default() }).unwrap();
        assert_closed(&surface);
        let ratio = volume(&surface) / frame.len() as f64;
        let off = if anisotropic { 0.06 } else { 0.04 };
        assert!((ratio - 1.0).abs() < off, "anisotropic {anisotropic}: {ratio}");
        for (x, n) in surface.positions.iter().zip(&surface.normals) {
            assert!(x.normalize().dot(*n) > 0.9, "{x} {n}");
        }
        assert_eq!((surface.number, surface.time), (3, 0.1));
        assert_eq!(surface.scalars[0].name, "density");
        for i in 0..surface.positions.len() {
            assert!((surface.velocities[i] - Vec3::new(1.0, 2.0, 3.0)).length() < 1e-4);
            assert!((surface.scalars[0].values[i] - 1000.0).abs() < 0.1);
        }
    }
}

#[test]
fn a_rope_keeps_its_width_when_smoothed_and_gets_rounder() {
    let rope = lattice([4, 20, 4], 0.4, |x| x.x.hypot(x.z) < 2.5);
    let frame = frame(rope);
    let rough = surface_of(&frame, &Settings { smoothing: 0.0, ..Settings::default() }).unwrap();
    let smooth = surface_of(&frame, &Settings::default()).unwrap();
    assert_closed(&smooth);
    let ratio = volume(&smooth) / volume(&rough);
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    // Away from the ends, how much the distance from the axis varies.
    let spread = |surface: &Surface| {
        let middle = surface.positions.iter().filter(|x| x.y.abs() < 12.0 * D);
        let radii: Vec<f32> = middle.map(|x| x.x.hypot(x.z) / D).collect();
        let mean = radii.iter().sum::<f32>() / radii.len() as f32;
        (radii.iter().map(|r| (r - mean).powi(2)).sum::<f32>() / radii.len() as f32).sqrt()
    };
    assert!(spread(&smooth) < 0.6 * spread(&rough), "{} {}", spread(&smooth), spread(&rough));
}

#[test]
fn drops_and_strands_keep_their_volume_when_smoothed() {
    let drop = ball(2.0, 0.2);
    let strand = (0..30).map(|y| Vec3::Y * y as f32).collect();
    let rope = lattice([1, 15, 1], 0.1, |_| true);
    for particles in [drop, strand, rope] {
        let frame = frame(particles);
        let rough = surface_of(&frame, &Settings { smoothing: 0.0, ..Settings::default() }).unwrap();
        let ratio = volume(&surface_of(&frame, &Settings::default()).unwrap()) / volume(&rough);
        assert!((ratio - 1.0).abs() < 0.05, "{} particles: {ratio}", frame.len());
    }
}

#[test]
fn materials_are_on_their_sides_and_apart_if_asked() {
    let mut frame = frame(lattice([8, 4, 4], 0.0, |_| true));
    for (material, x) in frame.materials.iter_mut().zip(&frame.positions) {
        *material = if x.x < 0.0 { 2 } else { 5 };
    }
    let joined = surface_of(&frame, &Settings::default()).unwrap();
    assert_closed(&joined);
    for (x, material) in joined.positions.iter().zip(&joined.materials) {
        if x.x.abs() > D {
            assert_eq!(*material, if x.x < 0.0 { 2 } else { 5 });
        }
    }
    let apart = surface_of(&frame, &Settings { apart_from: 3, ..Settings::default() }).unwrap();
    assert_closed(&apart);
    // Each has a face where they touch.
    let at_contact = |surface: &Surface| surface.positions.iter().filter(|x| x.x.abs() < 0.6 * D).count();
    assert!(at_contact(&apart) > 2 * at_contact(&joined) + 100);
    assert!(apart.triangles.iter().all(|corners| {
        let [a, b, c] = corners.map(|i| apart.materials[i as usize]);
        a == b && b == c
    }));
}

#[test]
fn a_stray_particle_vanishes_and_a_drop_stays() {
    let drop = ball(1.5, 0.0).into_iter().map(|x| x + Vec3::X * 20.0);
    let stray = [Vec3::Y * 20.0];
    let frame = frame(ball(4.0, 0.0).into_iter().chain(drop).chain(stray));
    let near = |surface: &Surface, x: Vec3| surface.positions.iter().any(|p| p.distance(D * x) < 4.0 * D);
    let kept = surface_of(&frame, &Settings { strays: 0.0, ..Settings::default() }).unwrap();
    assert!(near(&kept, Vec3::X * 20.0) && near(&kept, Vec3::Y * 20.0));
    let cleaned = surface_of(&frame, &Settings::default()).unwrap();
    assert!(near(&cleaned, Vec3::X * 20.0) && !near(&cleaned, Vec3::Y * 20.0));
    assert_closed(&cleaned);
}

#[test]
fn anisotropic_kernels_make_a_shaken_block_flatter() {
    let frame = frame(lattice([9, 4, 9], 0.4, |_| true));
    let roughness = |anisotropic| {
        let settings = Settings { anisotropic, smoothing: 0.0, ..Settings::default() };
        let surface = surface_of(&frame, &settings).unwrap();
        let top = surface.positions.iter().filter(|x| x.y > 0.0 && x.x.abs().max(x.z.abs()) < 6.0 * D);
        let heights: Vec<f32> = top.map(|x| x.y / D).collect();
        let mean = heights.iter().sum::<f32>() / heights.len() as f32;
        assert!((mean - 4.0).abs() < 0.25, "the top is at {mean}");
        (heights.iter().map(|y| (y - mean).powi(2)).sum::<f32>() / heights.len() as f32).sqrt()
    };
    let (round, flat) = (roughness(false), roughness(true));
    assert!(flat < 0.75 * round, "{flat} {round}");
}

#[test]
fn no_particles_give_an_empty_surface_and_bad_ones_are_left_out() {
    let empty = surface_of(&Frame { spacing: 0.0, ..frame([]) }, &Settings::default()).unwrap();
    assert!(empty.positions.is_empty() && empty.triangles.is_empty());
    let whole = frame(ball(3.0, 0.0));
    let mut bad = frame(ball(3.0, 0.0).into_iter().chain([Vec3::NAN, Vec3::INFINITY]));
    assert_eq!(
        surface_of(&bad, &Settings::default()).unwrap(),
        surface_of(&whole, &Settings::default()).unwrap()
    );
    bad.spacing = 0.0;
    assert!(surface_of(&bad, &Settings::default()).is_err());
    let far = frame([Vec3::ZERO, Vec3::splat(1e12)]);
    let error = surface_of(&far, &Settings::default()).unwrap_err().to_string();
    assert!(error.contains("too far for cells"), "{error}");
}

#[test]
fn the_mesh_is_the_same_for_any_number_of_threads() {
    let frame = frame(lattice([30, 8, 8], 0.4, |x| x.y < 4.0 + x.x.sin()));
    for anisotropic in [false, true] {
        let settings = Settings { anisotropic, ..Settings::default() };
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| surface_of(&frame, &settings).unwrap())
        };
        let one = with(1);
        assert!(one.positions.len() > 1000);
        for threads in [2, 7] {
            assert!(with(threads) == one, "{threads} threads, anisotropic {anisotropic}");
        }
    }
}

#[test]
fn the_cell_that_fits_is_found_and_fits() {
    let frame = frame(ball(6.0, 0.3));
    let size = Size::of(&frame);
    for anisotropic in [false, true] {
        let fine = Settings { cell: 0.01, anisotropic, ..Settings::default() };
        let available = 60_000_000;
        assert!(size.bytes(&fine) > 10 * available);
        let cell = size.fitting_cell(&fine, available).unwrap();
        let fitting = Settings { cell, ..fine };
        assert!(size.bytes(&fitting) <= available && cell < 0.5);
        let surface = surface_of(&frame, &fitting).unwrap();
        assert!((surface.positions.len() as f64) < size.corners(&fitting));
        assert!(surface.positions.len() as f64 > 0.2 * size.corners(&fitting), "far too many are expected");
        assert_eq!(size.fitting_cell(&fine, 1000), None);
    }
}
