//! Series for flows that start between two plates.

use std::f64::consts::PI;

/// u/U between a plate at rest and one that started to move at t = 0, at y/H and νt/H².
pub fn couette_start_up(y: f64, diffused: f64) -> f64 {
    let term = |n: i32| {
        let k = f64::from(n) * PI;
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        2.0 / k * sign * (k * y).sin() * (-k * k * diffused).exp()
    };
    y + (1..60).map(term).sum::<f64>()
}

/// Velocity over the mean of the steady flow of an Oldroyd-B fluid whose pressure gradient starts at T = 0 (Waters &
/// King 1970), at y/h from −1 to 1 and T = tη/(ρh²), for E = λη/(ρh²) and β = η_s/η.
///
/// E ü + u̇ = 3 + u″ + βE u̇″ with u(0) = 0, u̇(0) = 3, in modes cos((n − ½)πy).
pub fn waters_king(y: f64, time: f64, (elasticity, solvent): (f64, f64)) -> f64 {
    let mode = |n: i32| {
        let k = (f64::from(n) - 0.5) * PI;
        let sign = if n % 2 == 0 { -1.0 } else { 1.0 };
        let drive = 3.0 * 2.0 * sign / k;
        let steady = drive / (k * k);
        // Roots of E s² + (1 + βEk²) s + k² = 0: −decay ± √square.
        let decay = (1.0 + solvent * elasticity * k * k) / (2.0 * elasticity);
        let square = decay * decay - k * k / elasticity;
        let root = square.abs().sqrt();
        let (swing, push) = (-steady, (drive - decay * steady) / root);
        let transient = if square < 0.0 {
            (-decay * time).exp() * (swing * (root * time).cos() + push * (root * time).sin())
        } else {
            // cosh and sinh in parts that do not overflow.
            let (slow, fast) = (((root - decay) * time).exp(), ((-root - decay) * time).exp());
            0.5 * (swing * (slow + fast) + push * (slow - fast))
        };
        (steady + transient) * (k * y).cos()
    };
    (1..200).map(mode).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plate_starts_at_rest_and_ends_in_a_line() {
        assert!(couette_start_up(0.5, 1e-3).abs() < 1e-6);
        assert!((couette_start_up(0.3, 10.0) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn the_axis_overshoots_as_published() {
        let exact = [(0.2, 0.600), (0.5, 1.490), (1.0, 2.466), (2.0, 2.058), (3.0, 1.321), (10.0, 1.504)];
        for (time, expected) in exact {
            let found = waters_king(0.0, time, (1.0, 1.0 / 9.0));
            assert!((found - expected).abs() < 1e-3, "T = {time}: {found} for {expected}");
        }
        assert!((waters_king(0.5, 50.0, (1.0, 1.0 / 9.0)) - 1.5 * 0.75).abs() < 1e-4);
    }
}
