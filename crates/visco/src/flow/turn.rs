//! The motion of a step to second order in its length.

use crate::math::Sym3;
use glam::{Mat3, Mat3A};

/// Largest Δt abs(L) up to which the motion of a step is corrected to second order.
const LARGEST_TURN: f32 = 0.5;

/// S = −½ Δt sym(L²): where D + S is zero x + Δt u is a turn, to second order; where D is, it is also an expansion. In
/// spray, where neighbours fly apart, the series that S is a term of has no meaning; it is not allowed to grow there.
pub(crate) fn second_order(l: &Mat3A, dt: f32) -> Sym3 {
    let square = l.x_axis.length_squared() + l.y_axis.length_squared() + l.z_axis.length_squared();
    let allowed = (LARGEST_TURN / dt).powi(2);
    let scale = -0.5 * dt * (allowed / square.max(allowed));
    Sym3::symmetric_part(&Mat3::from(*l * *l)) * scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat3, Vec3};

    /// F = I + Δt L, with D of L such that D + S = 0 for a turn at a rate.
    fn stretch(rate: Vec3, dt: f32, corrected: bool) -> f32 {
        let turn = Mat3::from_cols(
            Vec3::new(0.0, rate.z, -rate.y),
            Vec3::new(-rate.z, 0.0, rate.x),
            Vec3::new(rate.y, -rate.x, 0.0),
        );
        let s = second_order(&turn.into(), dt).to_mat3();
        let l = if corrected { turn - s } else { turn };
        let f = Mat3::IDENTITY + l * dt;
        let strain = Sym3::symmetric_part(&(f.transpose() * f)) - Sym3::IDENTITY;
        strain.dot(strain).sqrt()
    }

    #[test]
    fn a_turn_stretches_less_by_two_orders() {
        let rate = Vec3::new(1.0, -2.0, 2.0);
        for dt in [0.04, 0.02, 0.01] {
            let (plain, corrected) = (stretch(rate, dt, false), stretch(rate, dt, true));
            let angle2 = rate.length_squared() * dt * dt;
            assert!((plain / angle2 / 2.0_f32.sqrt() - 1.0).abs() < 1e-2, "{plain}");
            assert!(corrected < 0.3 * angle2 * plain + 1e-6, "{corrected} for {plain}");
        }
    }

    #[test]
    fn shear_has_none_and_spray_little() {
        let shear = Mat3A::from_cols(Vec3::ZERO.into(), Vec3::X.into(), Vec3::ZERO.into());
        assert_eq!(second_order(&(shear * 3.0), 0.01), Sym3::ZERO);
        let spray = second_order(&(Mat3A::IDENTITY * 1e6), 0.01);
        assert!(0.01 * spray.dot(spray).sqrt() < 0.5, "{spray:?}");
    }
}
