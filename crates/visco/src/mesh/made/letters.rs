//! Letters as strokes of even width, extruded.

use super::TriangleMesh;
use crate::mesh::implicit;
use glam::{Vec2, Vec3};

/// Strokes are on a grid of 5 by 7 points, `a` to `e` from left to right and 0 to 6 upwards; spaces part them.
#[rustfmt::skip] // one letter an entry
const STROKES: &[(char, &str)] = &[
    ('A', "a0c6e0 b2d2"), ('B', "a0a6d6e5e4d3a3 d3e2e1d0a0"), ('C', "e5d6b6a5a1b0d0e1"), ('D', "a0a6c6e4e2c0a0"),
    ('E', "e0a0a6e6 a3d3"), ('F', "a0a6e6 a3d3"), ('G', "e5d6b6a5a1b0d0e1e3c3"), ('H', "a0a6 e0e6 a3e3"),
    ('I', "c0c6 b0d0 b6d6"), ('J', "a1b0c0d1d6 c6e6"), ('K', "a0a6 a2e6 b3e0"), ('L', "a6a0e0"),
    ('M', "a0a6c3e6e0"), ('N', "a0a6e0e6"), ('O', "b0a1a5b6d6e5e1d0b0"), ('P', "a0a6d6e5e4d3a3"),
    ('Q', "b0a1a5b6d6e5e1d0b0 c2e0"), ('R', "a0a6d6e5e4d3a3 c3e0"), ('S', "e5d6b6a5a4b3d3e2e1d0b0a1"),
    ('T', "c0c6 a6e6"), ('U', "a6a1b0d0e1e6"), ('V', "a6c0e6"), ('W', "a6b0c4d0e6"), ('X', "a0e6 a6e0"),
    ('Y', "c0c3a6 c3e6"), ('Z', "a6e6a0e0"),
    ('0', "b0a1a5b6d6e5e1d0b0"), ('1', "a4c6c0 b0d0"), ('2', "a5b6d6e5e4a0e0"), ('3', "a6e6c4d4e3e1d0b0a1"),
    ('4', "d0d6a2e2"), ('5', "e6a6a3d3e2e1d0b0a1"), ('6', "e5d6b6a5a1b0d0e1e2d3a3"), ('7', "a6e6b0"),
    ('8', "b3a4a5b6d6e5e4d3b3a2a1b0d0e1e2d3"), ('9', "a1b0d0e1e5d6b6a5a4b3e3"),
    ('-', "b3d3"), ('+', "b3d3 c2c4"), ('!', "c6c2 c0c0"), ('.', "c0c0"),
];

/// Half the width of a stroke, half the depth of a letter, size of the mesher's cells and advance, in grid units.
const HALF_STROKE: f32 = 0.55;
const HALF_DEPTH: f32 = 0.8;
const CELL: f32 = 0.27;
const ADVANCE: f32 = 6.2;

/// Whether a character can be made; small letters are made as capitals.
pub(crate) fn is_known(c: char) -> bool {
    c == ' ' || strokes(c).is_some()
}

fn strokes(c: char) -> Option<&'static str> {
    let capital = c.to_ascii_uppercase();
    STROKES.iter().find(|(known, _)| *known == capital).map(|(_, strokes)| *strokes)
}

fn points(stroke: &str) -> Vec<Vec2> {
    let at = |pair: &[u8]| Vec2::new(f32::from(pair[0] - b'a'), f32::from(pair[1] - b'0'));
    stroke.as_bytes().chunks_exact(2).map(at).collect()
}

pub(super) fn mesh(text: &str) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for (k, strokes) in text.chars().map(strokes).enumerate().filter_map(|(k, s)| Some((k, s?))) {
        let offset = Vec3::X * (ADVANCE * k as f32);
        mesh.append(&letter(strokes).mapped(|x| x + offset));
    }
    mesh
}

fn letter(strokes: &str) -> TriangleMesh {
    let lines: Vec<Vec<Vec2>> = strokes.split(' ').map(points).collect();
    let function = |x: Vec3| {
        let p = x.truncate();
        let flat = lines
            .iter()
            .flat_map(|line| line.windows(2))
            .map(|pair| distance_to_line(p, pair[0], pair[1]))
            .fold(f32::INFINITY, f32::min);
        (flat - HALF_STROKE).max(x.z.abs() - HALF_DEPTH)
    };
    let margin = Vec3::new(HALF_STROKE, HALF_STROKE, HALF_DEPTH) + 2.0 * CELL;
    implicit::surface(&function, (-margin, Vec3::new(4.0, 6.0, 0.0) + margin), CELL)
}

fn distance_to_line(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let way = b - a;
    let t = ((p - a).dot(way) / way.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    p.distance(a + way * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_one_closed_piece_or_more() {
        for &(c, strokes) in STROKES {
            let mesh = letter(strokes);
            let solid = crate::mesh::Solid::new(&mesh).unwrap_or_else(|e| panic!("{c}: {e}"));
            // Where its first stroke begins is inside.
            let stroke = points(strokes.split(' ').next().unwrap_or_default());
            let first = stroke[0].extend(0.0);
            let inside = solid.signed_distance(first - solid.center()).distance;
            assert!(inside < -0.3, "{c}: {inside}");
        }
        assert!(is_known('v') && is_known(' ') && !is_known('ä'));
    }
}
