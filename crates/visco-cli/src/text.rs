//! Numbers as people read them.

/// `5,321`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 frame`, `5,321 frames`.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(n))
}

/// `61 MB`, with two or three digits.
pub(crate) fn bytes(n: u64) -> String {
    let mut value = n as f64;
    let mut units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"].iter();
    let mut unit = units.next();
    while value >= 999.5
        && let Some(next) = units.next()
    {
        value /= 1000.0;
        unit = Some(next);
    }
    let decimals = usize::from(value < 9.95 && n >= 1000);
    format!("{value:.decimals$} {}", unit.unwrap_or(&""))
}

/// `1:23`, or `2:01:23` from an hour on.
pub(crate) fn clock(seconds: f64) -> String {
    let total = seconds.max(0.0).round() as u64;
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// `2.1 s`, or `1:23` from a minute on.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 59.95 { format!("{seconds:.1} s") } else { clock(seconds) }
}

/// Three significant digits, with an exponent where it is shorter.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    if !(1e-3..1e6).contains(&size) {
        return format!("{value:.2e}");
    }
    // Rounding to three digits may reach the next power of ten, as 9.999 does.
    let size = format!("{size:.2e}").parse::<f64>().unwrap_or(size);
    let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
    format!("{value:.decimals$}")
}

/// Lines of at most `width` characters, broken between words; a longer word has a line of its own.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("50 Pa·s at  20 °C", 10), ["50 Pa·s at", "20 °C"]);
        assert_eq!(wrapped("a poly(vinylalcohol) b", 5), ["a", "poly(vinylalcohol)", "b"]);
        assert!(wrapped(" ", 5).is_empty());
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(count).join(" "), "0 12 999 1,000 1,234,567");
        assert_eq!(counted(1, "frame"), "1 frame");
        assert_eq!(counted(0, "frame"), "0 frames");
        assert_eq!(bytes(0), "0 bytes");
        assert_eq!(bytes(999), "999 bytes");
        assert_eq!(bytes(1000), "1.0 kB");
        assert_eq!(bytes(61_300_000), "61 MB");
        assert_eq!(bytes(999_600_000), "1.0 GB");
        assert_eq!(bytes(u64::MAX), "18 EB");
        assert_eq!(clock(83.4), "1:23");
        assert_eq!(clock(7283.0), "2:01:23");
        assert_eq!(duration(2.14), "2.1 s");
        assert_eq!(duration(59.97), "1:00");
        assert_eq!(short(0.0), "0");
        assert_eq!(short(0.1234), "0.123");
        assert_eq!(short(-1413.7), "-1414");
        assert_eq!([9.994, 9.999, 0.9999, 99.97].map(short).join(" "), "9.99 10.0 1.00 100");
        assert_eq!(short(1.234e-7), "1.23e-7");
        assert_eq!(short(f64::NAN), "NaN");
    }
}
