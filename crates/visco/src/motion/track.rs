//! A number that follows the time through keys.

/// Values at times, and what lies between them: before the first key its value, after the last key that one's.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    times: Vec<f64>,
    values: Vec<f64>,
    /// Slopes at the keys; none where the track is linear between them.
    slopes: Option<Vec<f64>>,
    repeats: bool,
}

/// The place of a time between keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// The key before, or the first.
    pub(super) key: usize,
    /// Part of the way to the next key.
    pub(super) part: f64,
    /// Whole repetitions before.
    pub(super) laps: f64,
}

/// Finds a time between keys at increasing `times`.
pub(super) fn place(times: &[f64], repeats: bool, time: f64) -> Place {
    let (first, last) = (times[0], times[times.len() - 1]);
    let (mut time, mut laps) = (time, 0.0);
    if repeats && time > last && last > first {
        laps = ((time - first) / (last - first)).floor();
        time -= laps * (last - first);
    }
    let key = times.partition_point(|t| *t <= time).clamp(1, times.len().max(2) - 1) - 1;
    let part = match times.get(key + 1) {
        Some(next) => ((time - times[key]) / (next - times[key])).clamp(0.0, 1.0),
        None => 0.0,
    };
    Place { key, part, laps }
}

impl Track {
    /// A track through at least one key, at increasing times: straight lines between them, or a cubic that is smooth
    /// at the keys and nowhere beyond the values beside it (Steffen 1990). It starts and ends at rest unless it
    /// repeats.
    pub fn new(times: Vec<f64>, values: Vec<f64>, smooth: bool, repeats: bool) -> Self {
        let slopes = (smooth && times.len() > 1).then(|| slopes(&times, &values, repeats));
        Self { times, values, slopes, repeats }
    }

    /// The value at a time. A track that repeats goes on from its last value as it did from its first.
    pub fn at(&self, time: f64) -> f64 {
        let Place { key: k, part: s, laps } = place(&self.times, self.repeats, time);
        let (first, last) = (self.values[0], self.values[self.values.len() - 1]);
        let passed = laps * (last - first);
        let Some(&to) = self.values.get(k + 1) else {
            return passed + self.values[k];
        };
        let from = self.values[k];
        let eased = match &self.slopes {
            None => from + s * (to - from),
            Some(m) => {
                let h = self.times[k + 1] - self.times[k];
                let rise = to - from;
                let bend = m[k] * h * (1.0 - s) - m[k + 1] * h * s;
                from + s * s * (3.0 - 2.0 * s) * rise + s * (1.0 - s) * bend
            }
        };
        passed + eased
    }
}

/// Slopes of a cubic without overshoot: Steffen 1990, "A simple method for monotonic interpolation".
fn slopes(times: &[f64], values: &[f64], repeats: bool) -> Vec<f64> {
    let n = times.len();
    let secant = |k: usize| (values[k + 1] - values[k]) / (times[k + 1] - times[k]);
    let width = |k: usize| times[k + 1] - times[k];
    let between = |before: usize, after: usize| {
        let (a, b) = (secant(before), secant(after));
        let (ha, hb) = (width(before), width(after));
        let parabola = (a * hb + b * ha) / (ha + hb);
        if a * b <= 0.0 { 0.0 } else { 2.0 * a.signum() * a.abs().min(b.abs()).min(0.5 * parabola.abs()) }
    };
    let end = if repeats { between(n - 2, 0) } else { 0.0 };
    (0..n).map(|k| if k == 0 || k == n - 1 { end } else { between(k - 1, k) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(smooth: bool, repeats: bool) -> Track {
        Track::new(vec![0.5, 1.0, 2.0, 2.5], vec![1.0, 3.0, 3.5, 1.0], smooth, repeats)
    }

    #[test]
    fn a_track_goes_through_its_keys_and_holds_beyond_them() {
        for smooth in [false, true] {
            let t = track(smooth, false);
            for (time, value) in [(-1.0, 1.0), (0.5, 1.0), (1.0, 3.0), (2.0, 3.5), (2.5, 1.0), (9.0, 1.0)] {
                assert!((t.at(time) - value).abs() < 1e-12, "{smooth}, {time}: {}", t.at(time));
            }
        }
        assert_eq!(track(false, false).at(0.75), 2.0);
        assert_eq!(Track::new(vec![1.0], vec![7.0], true, false).at(3.0), 7.0);
    }

    #[test]
    fn a_smooth_track_has_no_kinks_and_does_not_overshoot() {
        for repeats in [false, true] {
            let t = track(true, repeats);
            let (h, mut before) = (1e-4, None);
            let from = if repeats { 0.5 } else { 0.0 };
            for k in 0..40_000 {
                let time = from + f64::from(k) * h;
                let slope = (t.at(time + h) - t.at(time)) / h;
                assert!((1.0..=3.5).contains(&t.at(time)), "{time}: {}", t.at(time));
                if let Some(before) = before {
                    let jump: f64 = slope - before;
                    assert!(jump.abs() < 0.02, "{repeats}: at {time} s the slope jumps by {jump}");
                }
                before = Some(slope);
            }
        }
    }

    #[test]
    fn what_repeats_goes_on_evenly() {
        let t = Track::new(vec![0.0, 2.0], vec![0.0, 360.0], true, true);
        for time in [0.0, 0.3, 1.9, 2.0, 7.7] {
            assert!((t.at(time) - 180.0 * time).abs() < 1e-9, "{time}: {}", t.at(time));
        }
    }
}
