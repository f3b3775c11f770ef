//! What is wrong with a scene, said so that it can be mended without reading the code.

use std::fmt;

/// One thing that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line in the scene's text, counted from 1, where there is one.
    pub line: Option<usize>,
    /// Path of the field, such as `material[0].viscosity`; empty for an error of the TOML syntax.
    pub field: String,
    /// The value as found, where there is one.
    pub value: Option<String>,
    /// What is wrong, and what is allowed.
    pub message: String,
    /// The override that the value came from, such as `solver.tolerance=5`, if it came from one.
    pub set: Option<String>,
}

impl Problem {
    pub(crate) fn new(field: impl Into<String>, value: Option<String>, message: impl Into<String>) -> Self {
        Self { line: None, field: field.into(), value, message: message.into(), set: None }
    }

    /// The whole problem on one line, after `place` where it has a place in the text.
    fn on_one_line(&self, place: &str) -> String {
        let text = match &self.set {
            Some(set) => format!("--set {set}: {}", self.body()),
            None => format!("{place}{}", self.body()),
        };
        // Names that the scene gives may hold anything, line breaks included.
        let escape = |c: char| match c.is_control() {
            true => c.escape_default().to_string(),
            false => c.to_string(),
        };
        text.chars().map(escape).collect()
    }

    /// The problem after its place: `solver.tolerance = 5: must be between 1e-12 and 1`.
    fn body(&self) -> String {
        let said_by_override = match (&self.set, &self.value) {
            (Some(set), Some(value)) => *set == format!("{}={value}", self.field),
            _ => false,
        };
        match &self.value {
            _ if self.field.is_empty() || said_by_override => self.message.clone(),
            Some(value) => format!("{} = {value}: {}", self.field, self.message),
            None => format!("{}: {}", self.field, self.message),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.line.map(|line| format!("line {line}: "));
        f.write_str(&self.on_one_line(&place.unwrap_or_default()))
    }
}

/// Everything that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The problems, in the order of the text; those of overrides come last.
    pub problems: Vec<Problem>,
}

impl SceneError {
    /// An error with one problem.
    pub fn single(field: impl Into<String>, value: Option<String>, message: impl Into<String>) -> Self {
        Self { problems: vec![Problem::new(field, value, message)] }
    }

    /// One line for each problem, in the form that editors and terminals jump to: `FILE:LINE: …`.
    pub fn display_with(&self, file: &str) -> String {
        let line = |problem: &Problem| match problem.line {
            Some(line) => problem.on_one_line(&format!("{file}:{line}: ")),
            None => problem.on_one_line(&format!("{file}: ")),
        };
        self.problems.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_say_where_they_are() {
        let mut error =
            SceneError::single("solver.tolerance", Some("5".into()), "must be between 1e-12 and 1");
        assert_eq!(error.to_string(), "solver.tolerance = 5: must be between 1e-12 and 1");
        error.problems[0].line = Some(12);
        assert_eq!(error.to_string(), "line 12: solver.tolerance = 5: must be between 1e-12 and 1");
        assert_eq!(
            error.display_with("scenes/x.toml"),
            "scenes/x.toml:12: solver.tolerance = 5: must be between 1e-12 and 1"
        );
        error.problems[0].set = Some("solver.tolerance=5".into());
        assert_eq!(
            error.display_with("scenes/x.toml"),
            "--set solver.tolerance=5: must be between 1e-12 and 1"
        );
    }

    #[test]
    fn a_missing_value_is_not_shown() {
        let mut error = SceneError::single("time", None, "missing");
        error.problems.push(Problem::new("", None, "syntax"));
        assert_eq!(error.to_string(), "time: missing\nsyntax");
        assert_eq!(error.display_with("a.toml"), "a.toml: time: missing\na.toml: syntax");
    }
}
