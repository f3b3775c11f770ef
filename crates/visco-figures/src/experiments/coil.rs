//! How often a poured rope has turned, measured on the rope itself.
//!
//! A nozzle makes the rope layer by layer, so the ids of its particles tell where along the rope each belongs. The
//! centres of the layers trace the rope; its direction, seen from above, turns once for every coil. A rope that folds
//! to and fro, or swings in figures of eight, turns back as often as forth. Under a nozzle that moves, each layer is
//! seen from where the mouth was when the layer left it: what is laid along a line or a circle has not coiled.

use std::f64::consts::TAU;
use visco::Frame;
use visco::emitters::Emitter;
use visco::glam::{DVec2, DVec3};

/// What a rope has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coil {
    /// Turns of the settled rope, positive counter-clockwise seen from above.
    pub turns: f64,
    /// Layers that have settled.
    pub settled_layers: usize,
    /// RMS distance of the settled rope from its centre, in m.
    pub radius: f64,
    /// Height of the settled pile, in m.
    pub height: f64,
}

/// Measures the rope of a frame with one emitter of `per_layer` particles a layer that pours at `speed` (m/s).
pub fn coil(frame: &Frame, per_layer: usize, speed: f64) -> Coil {
    coil_from(frame, (per_layer, speed), |_| DVec3::ZERO)
}

/// Measures the rope of a frame with one emitter, which may move.
pub fn coil_under(frame: &Frame, emitter: &Emitter) -> Coil {
    let (per_layer, flow) = (emitter.particles_per_layer(), &emitter.flow);
    let distance = per_layer as f64 * f64::from(frame.spacing).powi(3) / flow.opening.area();
    let opened = flow.active.first().map_or(0.0, |interval| interval[0]);
    let left = |layer: usize| opened + (layer as f64 + 0.5) * distance / flow.speed;
    let from = emitter.mouth(opened).as_dvec3();
    coil_from(frame, (per_layer, flow.speed), |layer| emitter.mouth(left(layer)).as_dvec3() - from)
}

/// `moved` tells how far the mouth had moved when a layer left it.
fn coil_from(frame: &Frame, (per_layer, speed): (usize, f64), moved: impl Fn(usize) -> DVec3) -> Coil {
    let layers = frame.len() / per_layer;
    let of = |layer: usize| layer * per_layer..(layer + 1) * per_layer;
    let mean = |layer: usize, values: &[visco::glam::Vec3]| -> DVec3 {
        of(layer).map(|i| values[i].as_dvec3()).sum::<DVec3>() / per_layer as f64
    };
    // The rope falls faster than it is poured; what is much slower lies on the pile.
    let settled = (0..layers).take_while(|&k| mean(k, &frame.velocities).y.abs() < 0.25 * speed).count();
    let centers: Vec<DVec3> = (0..settled).map(|k| mean(k, &frame.positions)).collect();
    // A moving mean over a few layers, for the layers themselves are rough.
    let seen: Vec<DVec2> =
        (0..settled).map(|k| centers[k] - moved(k)).map(|c| DVec2::new(c.x, -c.z)).collect();
    let smooth: Vec<DVec2> = seen.windows(5).map(|w| w.iter().sum::<DVec2>() / 5.0).collect();
    let mut angle = 0.0;
    let mut last: Option<DVec2> = None;
    for pair in smooth.windows(2) {
        let tangent = pair[1] - pair[0];
        // A rope that stands upright, or is squeezed to a stop, has no direction seen from above.
        if tangent.length() < 0.2 * f64::from(frame.spacing) {
            continue;
        }
        if let Some(before) = last {
            angle += before.angle_to(tangent);
        }
        last = Some(tangent);
    }
    let middle = smooth.iter().sum::<DVec2>() / smooth.len().max(1) as f64;
    let square = smooth.iter().map(|c| (*c - middle).length_squared()).fold(0.0, |sum, r| sum + r);
    Coil {
        turns: angle / TAU,
        settled_layers: settled,
        radius: (square / smooth.len().max(1) as f64).sqrt(),
        height: centers.iter().map(|c| c.y).fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use visco::emitters::{NozzleFlow, Opening};
    use visco::glam::Vec3;
    use visco::motion::RigidMotion;

    /// A rope along a curve, four particles a layer, at rest.
    fn rope(curve: impl Fn(f32) -> Vec3, layers: usize) -> Frame {
        let offsets = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y];
        let positions: Vec<Vec3> =
            (0..layers).flat_map(|k| offsets.map(|o| curve(k as f32) + o * 0.002)).collect();
        let n = positions.len();
        Frame {
            spacing: 0.001,
            velocities: vec![Vec3::ZERO; n],
            ids: (0..n as u32).collect(),
            positions,
            ..Frame::default()
        }
    }

    #[test]
    fn a_helix_has_its_turns_and_its_sense() {
        let helix = |sense: f32| {
            move |k: f32| Vec3::new(0.01 * (0.1 * k).cos(), 1e-4 * k, -sense * 0.01 * (0.1 * k).sin())
        };
        let found = coil(&rope(helix(1.0), 400), 4, 0.1);
        assert!((found.turns - 400.0 * 0.1 / std::f64::consts::TAU).abs() < 0.2, "{found:?}");
        assert!((found.radius - 0.01).abs() < 5e-4, "{found:?}");
        assert!(coil(&rope(helix(-1.0), 400), 4, 0.1).turns < -6.0);
    }

    #[test]
    fn a_helix_under_a_moving_nozzle_is_still_a_helix() {
        let flow = NozzleFlow {
            material: 0,
            position: Vec3::new(0.0, 0.1, 0.0),
            direction: Vec3::NEG_Y,
            opening: Opening::Disc { radius: (4e-6 / std::f32::consts::PI).sqrt() },
            speed: 0.1,
            active: vec![[0.5, 9.0]],
            motion: Some(RigidMotion::steady(DVec3::ZERO, DVec3::new(0.09, 0.0, 0.0), DVec3::ZERO)),
        };
        let emitter = Emitter::new(flow, 0.001, 1);
        assert_eq!(emitter.particles_per_layer(), 4);
        // A layer every 10 ms, while the nozzle moves 0.9 mm: nearly as fast as the rope runs around its coil.
        let trochoid =
            |k: f32| Vec3::new(9e-4 * k + 0.01 * (0.1 * k).cos(), 1e-4 * k, -0.01 * (0.1 * k).sin());
        let found = coil_under(&rope(trochoid, 400), &emitter);
        assert!((found.turns - 400.0 * 0.1 / TAU).abs() < 0.2, "{found:?}");
        assert!((found.radius - 0.01).abs() < 5e-4, "{found:?}");
        // Along the line alone it lays a straight rope.
        let line = |k: f32| Vec3::new(9e-4 * k, 0.0, 0.0);
        let found = coil_under(&rope(line, 400), &emitter);
        assert!(found.turns.abs() < 0.1 && found.radius < 1e-4, "{found:?}");
    }

    #[test]
    fn a_figure_of_eight_does_not_coil() {
        let eight = |k: f32| Vec3::new(0.01 * (0.1 * k).sin(), 0.0, 0.01 * (0.2 * k).sin());
        let found = coil(&rope(eight, 400), 4, 0.1);
        assert!(found.turns.abs() < 0.6, "{found:?}");
    }

    #[test]
    fn a_rope_in_the_air_has_not_settled() {
        let mut frame = rope(|k| Vec3::Y * (0.1 - 1e-3 * k), 50);
        frame.velocities.fill(-Vec3::Y * 0.1);
        assert_eq!(coil(&frame, 4, 0.1).settled_layers, 0);
    }
}
