//! Range and ticks of an axis.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// An axis in the coordinate that is drawn: the value itself or its decimal logarithm.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) range: Range<f64>,
    pub(super) log: bool,
    /// Where numbers and grid lines are.
    pub(super) major: Vec<f64>,
    /// Where faint grid lines are.
    pub(super) minor: Vec<f64>,
    /// Distance of linear ticks, which decides the decimals of their numbers.
    step: f64,
}

/// The drawn coordinate of a value, or none where it has no place on the axis.
pub(super) fn place(value: f64, log: bool) -> Option<f64> {
    let placed = if log { value.log10() } else { value };
    placed.is_finite().then_some(placed)
}

impl Axis {
    /// An axis for `values`, already placed, with about `ticks` numbers.
    pub(super) fn new(
        values: impl Iterator<Item = f64>,
        asked: Option<(f64, f64)>,
        log: bool,
        ticks: usize,
    ) -> Self {
        let range = asked
            .and_then(|(a, b)| Some((place(a, log)?, place(b, log)?)))
            .filter(|(a, b)| a < b)
            .map_or_else(|| padded(values), |(a, b)| a..b);
        let mut axis = Self { range, log, major: Vec::new(), minor: Vec::new(), step: 1.0 };
        if log {
            axis.log_ticks(ticks);
        } else {
            axis.linear_ticks(ticks);
        }
        axis
    }

    fn linear_ticks(&mut self, ticks: usize) {
        self.step = nice_step((self.range.end - self.range.start) / ticks.max(2) as f64);
        self.major = multiples(&self.range, self.step);
        self.minor = multiples(&self.range, self.step / 2.0);
    }

    fn log_ticks(&mut self, ticks: usize) {
        let decades = multiples(&self.range, 1.0);
        let every = decades.len().div_ceil(ticks.max(2)) as i64;
        let halves = within_decades(&self.range, &[1.0, 2.0, 5.0]);
        // One or two powers of ten say little about the scale around them.
        self.major = if decades.len() < 3 && halves.len() <= ticks + 2 {
            halves
        } else {
            let kept = |d: &f64| (d.round() as i64).rem_euclid(every) == 0;
            decades.iter().copied().filter(kept).collect()
        };
        if self.major.len() < 2 {
            self.major = within_decades(&self.range, &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0]);
        }
        if self.major.len() < 2 {
            self.major = vec![self.range.start, self.range.end];
        }
        self.minor = if decades.len() > ticks {
            decades
        } else {
            within_decades(&self.range, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
        };
    }

    /// The number written at a tick.
    pub(super) fn label(&self, tick: f64) -> String {
        if self.log {
            let exponent = tick.round();
            let between = self.major.iter().any(|t| (t - t.round()).abs() > 1e-9);
            let plain = between || (self.range.start > -4.0 && self.range.end < 4.5);
            if plain { short(10f64.powf(tick)) } else { format!("10{}", superscript(exponent as i32)) }
        } else {
            self.linear_label(tick)
        }
    }

    fn linear_label(&self, tick: f64) -> String {
        let largest = self.range.start.abs().max(self.range.end.abs());
        if tick.abs() < self.step * 1e-6 {
            return "0".into();
        }
        if largest < 1e5 && self.step >= 0.99e-4 {
            return minus(format!("{tick:.*}", decimals(self.step)));
        }
        // One power of ten for the whole axis, so that the numbers compare at a glance.
        let power = largest.log10().floor();
        let scale = 10f64.powf(power);
        let mantissa = format!("{:.*}", decimals(self.step / scale), tick / scale);
        minus(format!("{mantissa}×10{}", superscript(power as i32)))
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let along = (value - self.range.start) / (self.range.end - self.range.start);
        (f64::from(from) + along * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { self.minor.clone() } else { self.major.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}

/// The span of the values with a little air; from 0 to 1 where there are none.
fn padded(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return 0.0..1.0;
    }
    let span = high - low;
    // Below this span, rounding would decide where the points lie.
    let pad = if span > 1e-9 * low.abs().max(high.abs()) {
        0.04 * span
    } else if low == 0.0 {
        1.0
    } else {
        0.1 * low.abs()
    };
    low - pad..high + pad
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `at_least`.
fn nice_step(at_least: f64) -> f64 {
    let power = 10f64.powf(at_least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|step| *step >= at_least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

fn multiples(range: &Range<f64>, step: f64) -> Vec<f64> {
    let slack = 1e-9 * (range.end - range.start);
    let first = ((range.start - slack) / step).ceil() as i64;
    let last = ((range.end + slack) / step).floor() as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

fn within_decades(range: &Range<f64>, digits: &[f64]) -> Vec<f64> {
    let decades = range.start.floor() as i32..=range.end.ceil() as i32;
    decades
        .flat_map(|d| digits.iter().map(move |m| f64::from(d) + m.log10()))
        .filter(|v| range.contains(v))
        .collect()
}

fn decimals(step: f64) -> usize {
    (-(step * 1.000_001).log10().floor()).max(0.0) as usize
}

/// A number above 0 with three digits at most, without trailing zeros.
pub(crate) fn short(value: f64) -> String {
    if !(0.99e-4..1e5).contains(&value) {
        let power = value.log10().floor();
        let mantissa = short(value / 10f64.powf(power));
        return format!("{mantissa}×10{}", superscript(power as i32));
    }
    let digits = (2.0 - value.log10().floor()).max(0.0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

fn minus(text: String) -> String {
    text.replacen('-', "−", 1)
}

fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().chars().map(|c| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, log: bool) -> Vec<String> {
        let axis = Axis::new(std::iter::empty(), Some((low, high)), log, 6);
        axis.major.iter().map(|t| axis.label(*t)).collect()
    }

    #[test]
    fn linear_numbers_are_round() {
        assert_eq!(labels(0.0, 1.0, false), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-10.0, 10.0, false), ["−10", "−5", "0", "5", "10"]);
        assert_eq!(labels(0.0, 4e-7, false)[1], "1×10⁻⁷");
        assert_eq!(labels(0.0, 3e6, false)[1], "0.5×10⁶");
    }

    #[test]
    fn logarithmic_numbers_are_powers() {
        assert_eq!(labels(1e-6, 1e-2, true), ["10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"]);
        assert_eq!(labels(1.5, 8.0, true), ["2", "5"]);
        assert_eq!(labels(4e-4, 3e-3, true), ["0.0005", "0.001", "0.002"]);
        assert!(labels(1e-30, 1e30, true).len() <= 7);
    }

    #[test]
    fn strange_ranges_still_make_an_axis() {
        for asked in [(1.0, 1.0), (f64::NAN, 2.0), (5.0, -5.0), (f64::INFINITY, 0.0)] {
            for log in [false, true] {
                let axis = Axis::new([2.0].into_iter(), Some(asked), log, 5);
                assert!(axis.range.contains(&2.0), "{asked:?}");
                assert!(axis.major.len() >= 2, "{asked:?} {log}");
            }
        }
    }
}
