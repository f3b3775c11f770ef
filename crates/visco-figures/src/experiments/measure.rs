//! Measures of a body made of particles. Bodies are compared in the order of their particles' ids.

use visco::glam::{DMat3, DQuat, DVec3, Mat3, Quat, Vec3};
use visco::math::best_fit_rotation;

/// Centre of equal particles.
pub fn center(positions: &[Vec3]) -> DVec3 {
    positions.iter().map(|x| x.as_dvec3()).sum::<DVec3>() / positions.len().max(1) as f64
}

/// RMS distance from the vertical axis through the centre, in m.
pub fn spread(positions: &[Vec3]) -> f64 {
    let c = center(positions);
    let square = |x: &Vec3| {
        let e = x.as_dvec3() - c;
        e.x * e.x + e.z * e.z
    };
    (positions.iter().map(square).sum::<f64>() / positions.len().max(1) as f64).sqrt()
}

/// RMS distance of particles from where they would be had the body `rest` only moved rigidly, in m. The
/// fit starts from the turn `guess`, since a body that has turned far has several local best fits.
pub fn drift(positions: &[Vec3], rest: &[Vec3], guess: Quat) -> f64 {
    drift_and_turn(positions, rest, guess).0
}

/// The same, with the turn of the body: the guess for what follows.
pub(crate) fn drift_and_turn(positions: &[Vec3], rest: &[Vec3], guess: Quat) -> (f64, Quat) {
    let (c, c0) = (center(positions), center(rest));
    let pairs = || positions.iter().zip(rest).map(|(x, y)| (x.as_dvec3() - c, y.as_dvec3() - c0));
    let mut covariance = DMat3::ZERO;
    for (e, e0) in pairs() {
        covariance += DMat3::from_cols(e * e0.x, e * e0.y, e * e0.z);
    }
    let scale = 1.0 / pairs().map(|(_, e0)| e0.length_squared()).sum::<f64>().max(f64::MIN_POSITIVE);
    let covariance: Mat3 = (covariance * scale).as_mat3();
    let mut turn = guess;
    for _ in 0..20 {
        turn = best_fit_rotation(&covariance, turn);
    }
    let turned: DQuat = turn.as_dquat();
    let sum: f64 = pairs().map(|(e, e0)| (e - turned * e0).length_squared()).sum();
    ((sum / positions.len().max(1) as f64).sqrt(), turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rigid_motion_is_no_drift_and_a_stretch_is() {
        let rest: Vec<Vec3> =
            (0..64).map(|k| Vec3::new((k % 4) as f32, (k / 4 % 4) as f32, (k / 16) as f32)).collect();
        let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.9);
        let moved: Vec<Vec3> = rest.iter().map(|&x| turn * x + Vec3::new(3.0, 1.0, 2.0)).collect();
        assert!(drift(&moved, &rest, Quat::IDENTITY) < 1e-5);
        let stretched: Vec<Vec3> = rest.iter().map(|&x| turn * (x * Vec3::new(1.1, 1.0, 1.0))).collect();
        // Standard deviation of 0, 1, 2, 3 is √1.25; a tenth of it is the RMS error.
        let expected = 0.1 * 1.25_f64.sqrt();
        assert!((drift(&stretched, &rest, Quat::IDENTITY) - expected).abs() < 0.1 * expected);
    }
}
