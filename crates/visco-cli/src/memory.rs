//! Whether a scene fits into the memory, before it is built.

use crate::console::Usage;
use crate::text;
use sysinfo::System;
use visco::scene::Estimate;

/// Refuses a scene that does not fit, and says which spacing would.
pub(crate) fn check(spacing: f64, estimate: Estimate) -> Result<(), Usage> {
    let needed = estimate.bytes;
    match available() {
        Some(available) if needed > available => Err(Usage(format!(
            "the scene needs about {} of memory, {} are available; \
             try --set spacing={} or larger (it is {})",
            text::bytes(needed),
            text::bytes(available),
            fitting_spacing(spacing, needed, available),
            spacing,
        ))),
        _ => Ok(()),
    }
}

/// Bytes that can be had, also within the limits of a container; `None` where the system does not tell.
pub(crate) fn available() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |c| c.free_memory);
    let available = system.available_memory().min(limit);
    (available > 0).then_some(available)
}

/// The spacing at which `needed` bytes become `available`: they go with spacing⁻³. Rounded up to
/// two digits.
fn fitting_spacing(spacing: f64, needed: u64, available: u64) -> f64 {
    let exact = spacing * (needed as f64 / available as f64).cbrt();
    let unit = 10_f64.powi(exact.log10().floor() as i32 - 1);
    let rounded = (exact / unit).ceil() * unit;
    // Through text, so that 0.0042 does not print as 0.004200000000000001.
    format!("{rounded:.1e}").parse().unwrap_or(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spacing_that_fits_is_short_and_large_enough() {
        assert_eq!(fitting_spacing(0.001, 8_000, 1_000).to_string(), "0.002");
        assert_eq!(fitting_spacing(0.002, 9_000, 1_000).to_string(), "0.0042");
        assert_eq!(fitting_spacing(9.99, 1_001, 1_000).to_string(), "10");
    }
}
