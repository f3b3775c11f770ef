//! What a figure found, as text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::FigureSpec;
use super::index::command;
use visco::scene::Override;

/// Something that was measured, beside what was expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What was measured.
    pub text: String,
    /// The value, with its unit.
    pub measured: String,
    /// What was expected; empty where nothing was.
    pub expected: String,
    /// Whether it is as expected; none where nothing was.
    pub holds: Option<bool>,
}

impl Statement {
    /// A value that is to be below a limit. `unit` begins with its space. A value that is not a number
    /// does not hold.
    pub fn below(text: impl Into<String>, (value, unit): (f64, &str), limit: f64) -> Self {
        Self {
            text: text.into(),
            measured: format!("{}{unit}", digits(value)),
            expected: format!("< {limit}{unit}"),
            holds: Some(value < limit),
        }
    }

    /// A value that is to be above a limit.
    pub fn above(text: impl Into<String>, (value, unit): (f64, &str), limit: f64) -> Self {
        let below = Self::below(text, (value, unit), limit);
        Self { expected: format!("> {limit}{unit}"), holds: Some(value > limit), ..below }
    }

    /// A value that is to be an exact one, up to a part of it: `0.05` is 5 %.
    pub fn within(text: impl Into<String>, (value, unit): (f64, &str), (exact, part): (f64, f64)) -> Self {
        let error = value / exact - 1.0;
        Self {
            text: text.into(),
            measured: format!("{}{unit} ({:+.1} %)", digits(value), 100.0 * error),
            expected: format!("{exact}{unit} ± {} %", digits(100.0 * part).trim_end_matches(".00")),
            holds: Some(error.abs() <= part),
        }
    }

    /// Something that was to be measured and ended early.
    pub fn failed(text: impl Into<String>, why: impl Into<String>) -> Self {
        Self { holds: Some(false), ..Self::note(text, why) }
    }

    /// Something worth telling of which nothing was expected.
    pub fn note(text: impl Into<String>, measured: impl Into<String>) -> Self {
        Self { text: text.into(), measured: measured.into(), expected: String::new(), holds: None }
    }

    /// `yes`, `no`, or nothing where nothing was expected.
    pub fn verdict(&self) -> &'static str {
        match self.holds {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "",
        }
    }
}

/// Three significant digits, or an exponent.
pub(super) fn digits(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    // Rounding to three digits may reach the next power of ten, as 0.9996 does.
    let size = format!("{size:.2e}").parse::<f64>().unwrap_or(size);
    if !(1e-3..1e5).contains(&size) {
        return format!("{value:.1e}");
    }
    let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
    format!("{value:.decimals$}")
}

/// What a figure wrote and found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureReport {
    /// Every file written.
    pub files: Vec<PathBuf>,
    /// The pictures among them that its page shows, each with a caption.
    pub pictures: Vec<(PathBuf, String)>,
    /// What was measured.
    pub statements: Vec<Statement>,
    /// How the experiment was done, and what is to be seen: a paragraph each.
    pub remarks: Vec<String>,
}

impl FigureReport {
    /// Number of expectations that hold, and of all.
    pub fn score(&self) -> (usize, usize) {
        let expected = self.statements.iter().filter_map(|s| s.holds);
        (expected.clone().filter(|holds| *holds).count(), expected.count())
    }
}

/// The page of a figure, in Markdown.
pub(super) fn page(figure: &FigureSpec, report: &FigureReport, changes: &[Override]) -> String {
    let mut text = format!("# {}: {}\n\n", figure.source, figure.title);
    push(&mut text, format_args!("{}\n", figure.claim));
    push(&mut text, format_args!("## Measured\n\n{}", table(&report.statements)));
    for (path, caption) in &report.pictures {
        push(&mut text, format_args!("![{caption}]({})\n\n{caption}\n", file_name(path)));
    }
    for remark in &report.remarks {
        push(&mut text, format_args!("{remark}\n"));
    }
    let data: Vec<String> = report
        .files
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "csv" || e == "svg"))
        .map(|f| format!("[{0}]({0})", file_name(f)))
        .collect();
    push(&mut text, format_args!("## Made by\n\n{}", command(figure, changes)));
    push(&mut text, format_args!("Data: {}.", data.join(", ")));
    text.trim_end().to_owned() + "\n"
}

pub(super) fn push(text: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(text, "{words}").expect("writing to a String does not fail");
}

pub(super) fn table(statements: &[Statement]) -> String {
    let mut text = String::from("| what | measured | expected | holds |\n|---|---|---|---|\n");
    for s in statements {
        let cells = [&s.text, &s.measured, &s.expected].map(|c| c.replace('|', "\\|"));
        text += &format!("| {} | {} | {} | {} |\n", cells[0], cells[1], cells[2], s.verdict());
    }
    text
}

pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let shown = [0.12345, 0.9996, 12.345, 1234.5, 4.4e-5, 0.0, f64::NAN].map(digits);
        assert_eq!(shown.join(" "), "0.123 1.00 12.3 1234 4.4e-5 0 NaN");
    }

    #[test]
    fn a_value_that_is_not_a_number_does_not_hold() {
        assert_eq!(Statement::below("drift", (f64::NAN, " d"), 1.0).holds, Some(false));
        assert_eq!(Statement::above("bounce", (f64::NAN, " m"), 1.0).holds, Some(false));
        let fine = Statement::above("bounce", (0.2, " m"), 0.12);
        assert_eq!((fine.measured.as_str(), fine.expected.as_str()), ("0.200 m", "> 0.12 m"));
        assert_eq!(fine.verdict(), "yes");
        let exact = Statement::within("stress", (2.91, " Pa"), (3.0, 0.05));
        assert_eq!((exact.measured.as_str(), exact.expected.as_str()), ("2.91 Pa (-3.0 %)", "3 Pa ± 5 %"));
        assert_eq!(Statement::within("stress", (f64::NAN, ""), (3.0, 0.05)).holds, Some(false));
    }

    #[test]
    fn the_page_tells_claim_values_and_command() {
        let figure = super::super::find("barreiro2017-fig04")[0];
        let report = FigureReport {
            files: vec!["out/a.csv".into(), "out/a.svg".into(), "out/a.png".into()],
            pictures: vec![("out/a.png".into(), "Heights.".into())],
            statements: vec![Statement::below("a | b", (2.0, ""), 1.0), Statement::note("runs", "3 ended")],
            remarks: vec!["A remark.".into()],
        };
        assert_eq!(report.score(), (0, 1));
        let text = page(figure, &report, &[Override::parse("quality=full").unwrap()]);
        for words in [
            figure.claim,
            "| a \\| b | 2.00 | < 1 | **no** |",
            "| runs | 3 ended |  |  |",
            "![Heights.](a.png)",
            "[a.csv](a.csv), [a.svg](a.svg)",
            "visco figure barreiro2017-fig04 --set quality=",
        ] {
            assert!(text.contains(words), "{words}\n{text}");
        }
    }
}
