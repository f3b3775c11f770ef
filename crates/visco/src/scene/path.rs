//! Field paths such as `material[0].viscosity`, and the words that messages are made of.

use toml::Value;

/// The path of a field of the table at `path`.
pub(super) fn child(path: &str, key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let key = if bare { key.to_owned() } else { format!("{key:?}") };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

/// The path of an entry of the array at `path`.
pub(super) fn item(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// The path of what holds the field at `path`; `None` for a field of the scene itself.
pub(super) fn parent(path: &str) -> Option<&str> {
    path.rfind(['.', '[']).map(|end| &path[..end])
}

/// Whether two paths are the same field, or one lies within the other.
pub(super) fn related(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short)
        .is_some_and(|rest| short.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Splits `material[0].viscosity`, `material.0.viscosity` or `material."thick honey".viscosity`.
pub(super) fn segments(path: &str) -> Result<Vec<String>, String> {
    let wrong = |what: &str| Err(format!("`{path}` is not a field path: {what}"));
    let mut found = Vec::new();
    let mut rest = path.trim();
    loop {
        let end;
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(close) = quoted.find('"') else {
                return wrong("a quote is not closed");
            };
            found.push(quoted[..close].to_owned());
            end = close + 2;
        } else {
            end = rest.find(['.', '[']).unwrap_or(rest.len());
            if rest[..end].trim().is_empty() {
                return wrong("a name is missing");
            }
            found.push(rest[..end].trim().to_owned());
        }
        rest = &rest[end..];
        while let Some(bracket) = rest.strip_prefix('[') {
            let Some(close) = bracket.find(']') else {
                return wrong("a bracket is not closed");
            };
            let index = bracket[..close].trim();
            if index.is_empty() || !index.bytes().all(|b| b.is_ascii_digit()) {
                return wrong("brackets hold an index, such as `[0]`");
            }
            found.push(index.to_owned());
            rest = &bracket[close + 1..];
        }
        match rest.strip_prefix('.') {
            Some(next) => rest = next,
            None if rest.is_empty() => return Ok(found),
            None => return wrong("a dot is missing"),
        }
    }
}

/// The known name nearest to a misspelt one, if any is near.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    // The distance takes time in the product of the lengths, and no known name is long.
    if length > 100 {
        return None;
    }
    let distance = |candidate: &&str| {
        let edits = strsim::damerau_levenshtein(&name.to_lowercase(), &candidate.to_lowercase());
        let shortened = length >= 3 && candidate.starts_with(name);
        let near = edits <= (length.max(candidate.chars().count()) / 3).max(1);
        (near || shortened).then_some(edits)
    };
    known
        .into_iter()
        .filter_map(|candidate| Some((distance(&candidate)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// `did you mean …?`, or the known names where none is near.
pub(super) fn hint(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => listed(known),
    }
}

/// `known: …`.
pub(super) fn listed(known: &[&str]) -> String {
    let quoted: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    match quoted.is_empty() {
        true => "none is known".to_owned(),
        false => format!("known: {}", quoted.join(", ")),
    }
}

/// `a, b or c`.
pub(super) fn join_or(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// A number as people write it: `0.002`, `15000`, `1e-12`.
pub(super) fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() || (1e-4..1e8).contains(&x.abs()) {
        format!("{x}").to_lowercase()
    } else {
        format!("{x:e}")
    }
}

/// Two digits of a positive number, not above it but for its rounding.
pub(super) fn rounded_down(x: f64) -> f64 {
    two_digits(x, f64::floor)
}

/// Two digits of a positive number, not below it but for its rounding.
pub(super) fn rounded_up(x: f64) -> f64 {
    two_digits(x, f64::ceil)
}

fn two_digits(x: f64, round: fn(f64) -> f64) -> f64 {
    let unit = 10_f64.powf(x.log10().floor() - 1.0);
    let digits = x / unit;
    // A number that has two digits but for its rounding keeps them.
    let whole = if (digits - digits.round()).abs() < 1e-6 { digits.round() } else { round(digits) };
    let rounded = whole * unit;
    // Through text, so that 0.0042 is not 0.004200000000000001.
    format!("{rounded:.1e}").parse().unwrap_or(rounded)
}

/// A value on one line, cut where it is long.
pub(super) fn show(value: &Value) -> String {
    const LONGEST: usize = 60;
    let whole = match value {
        Value::String(text) => format!("{text:?}"),
        Value::Float(x) => number(*x),
        Value::Array(entries) => {
            let entries: Vec<String> = entries.iter().take(LONGEST).map(show).collect();
            format!("[{}]", entries.join(", "))
        }
        Value::Table(table) if table.is_empty() => "{}".to_owned(),
        Value::Table(table) => {
            let entry = |(key, value): (&String, &Value)| format!("{} = {}", child("", key), show(value));
            let entries: Vec<String> = table.iter().take(LONGEST).map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        other => other.to_string(),
    };
    if whole.chars().count() <= LONGEST {
        return whole;
    }
    whole.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// What a value is, for `expected …, found …`.
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::String(_) => format!("the string {}", show(value)),
        Value::Integer(_) | Value::Float(_) => format!("the number {}", show(value)),
        Value::Boolean(_) => show(value),
        Value::Datetime(_) => format!("the date {}", show(value)),
        Value::Array(entries) => format!("an array of {}", entries.len()),
        Value::Table(_) => "a table".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_split_at_dots_and_brackets() {
        let split = |path| segments(path).map(|s| s.join("|"));
        assert_eq!(split("spacing"), Ok("spacing".into()));
        assert_eq!(split("material[0].viscosity"), Ok("material|0|viscosity".into()));
        assert_eq!(split(" material.0.viscosity "), Ok("material|0|viscosity".into()));
        assert_eq!(split("material.\"a.b\".density"), Ok("material|a.b|density".into()));
        assert_eq!(split("emitter[0].active[1][0]"), Ok("emitter|0|active|1|0".into()));
        for wrong in ["", ".", "a.", ".a", "a..b", "a[", "a[x]", "a[]", "a[0]b", "\"a", "\"a\"b"] {
            assert!(segments(wrong).is_err(), "{wrong:?} was taken as a path");
        }
    }

    #[test]
    fn nearest_suggests_only_what_is_near() {
        let known = ["spacing", "seed", "steps_per_frame", "dt"];
        assert_eq!(nearest("spaceing", known), Some("spacing"));
        assert_eq!(nearest("Spacing", known), Some("spacing"));
        assert_eq!(nearest("steps", known), Some("steps_per_frame"));
        assert_eq!(nearest("xy", known), None);
        assert_eq!(nearest("viscosity", known), None);
        assert_eq!(nearest(&"spacing".repeat(1000), known), None);
    }

    #[test]
    fn relatives_share_whole_segments() {
        assert!(related("fluid[0].shape", "fluid[0].shape.box.min[0]"));
        assert!(related("fluid[0]", "fluid[0]"));
        assert!(!related("fluid[1]", "fluid[10]"));
        assert!(!related("time.dt", "time.fps"));
    }

    #[test]
    fn numbers_are_rounded_to_two_digits() {
        assert_eq!(
            [0.00429, 0.0042, 99.9, 1234.0, 1e-9].map(rounded_down),
            [0.0042, 0.0042, 99.0, 1200.0, 1e-9]
        );
        assert_eq!(
            [0.00411, 0.0042, 99.9, 1234.0, 1e-9].map(rounded_up),
            [0.0042, 0.0042, 100.0, 1300.0, 1e-9]
        );
    }

    #[test]
    fn numbers_are_short() {
        let numbers = [1e-12, 1.0, 0.002, 15000.0, 1e15, -9.81, 0.0, f64::INFINITY, f64::NAN];
        assert_eq!(numbers.map(number).join(" "), "1e-12 1 0.002 15000 1e15 -9.81 0 inf nan");
    }
}
