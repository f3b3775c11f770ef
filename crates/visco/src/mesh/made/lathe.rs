//! Solids of revolution about y: bowl, cornet, ring.

use super::TriangleMesh;
use glam::{Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// Sectors of a turn.
const SECTORS: usize = 64;

/// Turns a closed profile, given by radius and height, about y. Points on the axis become one vertex.
fn turned(profile: &[Vec2]) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let rings: Vec<[u32; SECTORS]> = profile
        .iter()
        .map(|p| {
            let first = mesh.positions.len() as u32;
            if p.x <= 0.0 {
                mesh.positions.push(Vec3::new(0.0, p.y, 0.0));
                return [first; SECTORS];
            }
            std::array::from_fn(|k| {
                let (s, c) = (TAU * k as f32 / SECTORS as f32).sin_cos();
                mesh.positions.push(Vec3::new(p.x * c, p.y, p.x * s));
                first + k as u32
            })
        })
        .collect();
    for (i, ring) in rings.iter().enumerate() {
        let next = &rings[(i + 1) % rings.len()];
        for k in 0..SECTORS {
            let l = (k + 1) % SECTORS;
            mesh.triangles.extend([[ring[k], next[k], next[l]], [ring[k], next[l], ring[l]]]);
        }
    }
    let mesh = mesh.welded();
    if mesh.volume() < 0.0 { mesh.flipped() } else { mesh }
}

/// Points between two others, without the last.
fn line(from: Vec2, to: Vec2, steps: usize) -> impl Iterator<Item = Vec2> {
    (0..steps).map(move |k| from.lerp(to, k as f32 / steps as f32))
}

/// Points of an arc, from one angle to another, both included.
fn arc(center: Vec2, radius: f32, [from, to]: [f32; 2], steps: usize) -> impl Iterator<Item = Vec2> {
    (0..=steps).map(move |k| {
        let angle = from + (to - from) * k as f32 / steps as f32;
        center + radius * Vec2::from_angle(angle)
    })
}

/// A flat bottom and a wall that bends up, 0.055 thick, with a round rim.
pub(super) fn bowl() -> TriangleMesh {
    const HALF: f32 = 0.0275;
    let center = Vec2::new(0.15, 0.3);
    let bend = |radius: f32, angles| arc(center, radius, angles, 20);
    let (down, up) = (-FRAC_PI_2, -0.12);
    let (outer, inner) = (0.3 + HALF, 0.3 - HALF);
    let rim = center + 0.3 * Vec2::from_angle(up);
    let mut profile = Vec::new();
    profile.extend(line(Vec2::new(0.0, center.y - outer), Vec2::new(center.x, center.y - outer), 6));
    profile.extend(bend(outer, [down, up]));
    profile.extend(arc(rim, HALF, [up, up + PI], 8).skip(1));
    profile.extend(bend(inner, [up, down]).skip(1));
    profile.extend(line(Vec2::new(center.x, center.y - inner), Vec2::new(0.0, center.y - inner), 6).skip(1));
    profile.push(Vec2::new(0.0, center.y - inner));
    turned(&profile)
}

/// A cone with walls 0.05 thick and a round rim.
pub(super) fn cornet() -> TriangleMesh {
    const THICKNESS: f32 = 0.05;
    let (slope, height) = (Vec2::new(0.27, 1.0).normalize(), 1.0);
    let across = Vec2::new(-slope.y, slope.x);
    let rim = Vec2::new(0.27, height);
    let inner = rim + across * THICKNESS;
    let tip = Vec2::new(0.0, inner.y - inner.x * slope.y / slope.x);
    let mut profile: Vec<Vec2> = line(Vec2::ZERO, rim, 24).collect();
    let from = (-across).to_angle();
    profile.extend(arc(0.5 * (rim + inner), 0.5 * THICKNESS, [from, from + PI], 6));
    profile.extend(line(inner, tip, 22).skip(1));
    profile.push(tip);
    turned(&profile)
}

/// A ring whose tube is a quarter as thick as the whole is wide.
pub(super) fn torus() -> TriangleMesh {
    let mut profile: Vec<Vec2> = arc(Vec2::new(0.375, 0.0), 0.125, [0.0, TAU], 24).collect();
    profile.pop();
    turned(&profile)
}
