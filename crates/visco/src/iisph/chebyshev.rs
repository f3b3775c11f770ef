//! Chebyshev's semi-iteration (Golub & Varga 1961; for position-based dynamics Wang 2015).
//!
//! For D⁻¹A with eigenvalues between λ/κ and λ the errors of
//!
//! ```text
//! x ← x + μ (x − x_before) + ω D⁻¹(b − Ax)
//! ```
//!
//! fall as the polynomials that are the smallest over that range. Every iterate is such, so that one can stop at any.
//!
//! A few iterations of relaxed Jacobi come first, as in Wang 2015. Where they are enough, the fluid is near rest, and
//! iterations that find the pressure of rounding errors at once feed them from step to step.

/// Iterations of relaxed Jacobi before the acceleration.
const DELAY: u32 = 4;
/// How many times larger eigenvalues may be than 2/ω, at which relaxed Jacobi is just stable: what has momentum forgives
/// less.
const MARGIN: f32 = 1.25;

/// The factors μ and ω of one iteration after the other.
pub(super) struct Chebyshev {
    /// ω of relaxed Jacobi.
    relaxation: f32,
    /// κ.
    spread: f32,
    /// Iterations of relaxed Jacobi that are left.
    delay: u32,
    /// T_k−1(σ)/T_k(σ) after k iterations, with σ = (κ + 1)/(κ − 1); none before the first.
    ratio: Option<f32>,
}

impl Chebyshev {
    /// For eigenvalues up to 2.5/ω, of a spread κ; relaxed Jacobi where that is 1.
    pub(super) fn new(relaxation: f32, spread: f32) -> Self {
        Self { relaxation, spread, delay: DELAY, ratio: None }
    }

    /// μ and ω of the next iteration.
    pub(super) fn advance(&mut self) -> (f32, f32) {
        let Self { relaxation, spread, delay, ratio } = *self;
        if delay > 0 || spread <= 1.0 {
            self.delay = delay.saturating_sub(1);
            return (0.0, relaxation);
        }
        let sigma = (spread + 1.0) / (spread - 1.0);
        // 2/(λ − λ/κ).
        let narrow = relaxation / MARGIN * spread / (spread - 1.0);
        let (momentum, relaxation, next) = match ratio {
            None => (0.0, narrow / sigma, sigma.recip()),
            Some(ratio) => {
                let next = (2.0 * sigma - ratio).recip();
                (next * ratio, 2.0 * next * narrow, next)
            }
        };
        self.ratio = Some(next);
        (momentum, relaxation)
    }

    /// Begins anew, for eigenvalues that are twice as large.
    pub(super) fn slow_down(&mut self) {
        *self = Self { delay: 0, ..Self::new(0.5 * self.relaxation, self.spread) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of an error of 1 with an eigenvalue after so many iterations.
    fn left(mut chebyshev: Chebyshev, eigenvalue: f32, iterations: u32) -> f32 {
        let (mut error, mut before) = (1.0_f32, 1.0_f32);
        for _ in 0..iterations {
            let (momentum, relaxation) = chebyshev.advance();
            (error, before) = (error + momentum * (error - before) - relaxation * eigenvalue * error, error);
        }
        error
    }

    /// Without the iterations before the acceleration.
    fn accelerated(spread: f32) -> Chebyshev {
        Chebyshev { delay: 0, ..Chebyshev::new(0.5, spread) }
    }

    #[test]
    fn errors_fall_at_every_iteration_as_the_polynomials_do() {
        let spread = 30.0_f32;
        let sigma = (spread + 1.0) / (spread - 1.0);
        for iterations in 1..20 {
            // T_k(σ) beyond 1.
            let bound = 1.0 / (iterations as f32 * sigma.acosh()).cosh();
            let eigenvalues = (0..=100).map(|k| 5.0 * (1.0 + k as f32 / 100.0 * (spread - 1.0)) / spread);
            let largest =
                eigenvalues.map(|e| left(accelerated(spread), e, iterations).abs()).fold(0.0, f32::max);
            assert!((largest / bound - 1.0).abs() < 1e-2, "{iterations}: {largest} for {bound}");
        }
    }

    #[test]
    fn at_first_and_without_a_spread_it_is_relaxed_jacobi() {
        for (spread, iterations) in [(1.0, 10), (60.0, DELAY)] {
            let left = left(Chebyshev::new(0.5, spread), 0.4, iterations);
            assert!((left - 0.8_f32.powi(iterations as i32)).abs() < 1e-6, "{left}");
        }
    }

    #[test]
    fn eigenvalues_that_are_too_large_converge_after_slowing_down() {
        let mut slow = accelerated(30.0);
        slow.advance();
        slow.slow_down();
        assert!(left(slow, 9.9, 40).abs() < 1e-4);
        assert!(left(accelerated(30.0), 9.9, 40).abs() > 1e3);
    }
}
