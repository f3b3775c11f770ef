//! Intervals of time in which something is active.

/// Seconds of `[start, start + dt]` that lie in the intervals.
pub(crate) fn seconds_within(intervals: &[[f64; 2]], start: f64, dt: f64) -> f64 {
    overlaps(intervals, start, dt).map(|[a, b]| b - a).sum()
}

/// The parts of `[start, start + dt]` that lie in the intervals.
pub(crate) fn overlaps(intervals: &[[f64; 2]], start: f64, dt: f64) -> impl Iterator<Item = [f64; 2]> + '_ {
    intervals.iter().map(move |i| [i[0].max(start), i[1].min(start + dt)]).filter(|[a, b]| a < b)
}
