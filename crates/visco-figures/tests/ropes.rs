//! Ropes coil as often as slender ropes do, by the steady boundary-value problem of Ribe 2004.

use visco_figures::experiments::{Coiling, Rope};

#[track_caller]
fn assert_coils(found: Coiling, rate: f64, rope: Rope) {
    assert!((found.rate.abs() / rate - 1.0).abs() < 0.2, "{} rad/s for {rate}: {found:?}", found.rate);
    assert!(found.turns > 4.0, "{found:?}");
    assert!((found.fall / rope.height - 1.0).abs() < 0.2, "the fall is {} m high", found.fall);
}

/// Weight hardly matters: without it the slender rope turns with 7.48 rad/s, with it 7.92.
#[test]
fn a_stiff_rope_coils_as_in_the_viscous_regime() {
    let rope = Rope {
        radius: 0.004,
        speed: 0.1,
        height: 0.05,
        viscosity: 2000.0,
        rise: 0.008,
        spacing: 0.0016,
        steps: 2,
        seed: 2,
    };
    assert_coils(rope.pour((1.5, 5.0)).unwrap(), 7.92, rope);
}

/// Weight makes it 4.5 times as fast (3.18 rad/s without), inertia is small: Ω²R = 0.18 g.
#[test]
fn a_soft_rope_coils_as_in_the_gravitational_regime() {
    let rope = Rope {
        radius: 0.004,
        speed: 0.05,
        height: 0.06,
        viscosity: 50.0,
        rise: 0.003,
        spacing: 0.001,
        steps: 3,
        seed: 2,
    };
    assert_coils(rope.pour((1.2, 3.2)).unwrap(), 14.35, rope);
}
