//! A scene's text as a tree of values that remembers where each value came from.

use super::error::{Problem, SceneError};
use super::path::{child, item, parent, related};
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// Where a value came from. Later layers win over earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A line of the scene's text.
    File(usize),
    /// A line of the scene's text within the variant that was chosen.
    Variant(usize),
    /// An override, as `field=value`.
    Set(String),
}

/// The values of a scene, and the origin of each by its path.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// The values.
    pub(super) table: Table,
    origins: BTreeMap<String, Origin>,
}

impl Document {
    /// Reads TOML; fails only where the text is no TOML.
    pub(super) fn parse(text: &str) -> Result<Self, SceneError> {
        let lines = Lines::new(text);
        let (parsed, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            return Err(syntax_error(&errors, &lines));
        }
        let mut origins = BTreeMap::new();
        let table = read_table(parsed.get_ref(), "", &lines, &mut origins);
        Ok(Self { table, origins })
    }

    /// Where the field came from, or else what holds it.
    pub(super) fn origin(&self, field: &str) -> Option<&Origin> {
        std::iter::successors(Some(field), |path| parent(path)).find_map(|path| self.origins.get(path))
    }

    /// Notes where the value of a field came from; what lay within its old value is forgotten.
    pub(super) fn set_origin(&mut self, field: &str, origin: Origin) {
        self.forget(field);
        self.origins.insert(field.to_owned(), origin);
    }

    /// Forgets a field that was removed.
    pub(super) fn forget(&mut self, field: &str) {
        self.origins.retain(|path, _| path.len() < field.len() || !related(path, field));
    }

    /// Fills in where each problem's value came from, and puts the problems in the text's order.
    pub(super) fn locate(&self, mut problems: Vec<Problem>) -> SceneError {
        for problem in &mut problems {
            if problem.line.is_none() && problem.set.is_none() {
                match self.origin(&problem.field) {
                    Some(Origin::File(line) | Origin::Variant(line)) => problem.line = Some(*line),
                    Some(Origin::Set(text)) => problem.set = Some(text.clone()),
                    None => {}
                }
            }
        }
        problems.sort_by_key(|problem| (problem.set.is_some(), problem.line));
        SceneError { problems }
    }
}

/// The first error of every line: those after it mostly follow from it.
fn syntax_error(errors: &[toml::de::Error], lines: &Lines<'_>) -> SceneError {
    let mut found: Vec<(usize, usize, &str)> = errors
        .iter()
        .map(|error| {
            let (line, column) = lines.position(error.span().map_or(0, |span| span.start));
            (line, column, error.message())
        })
        .collect();
    found.sort_unstable();
    found.dedup_by_key(|(line, ..)| *line);
    let problem = |(line, column, message): (usize, usize, &str)| {
        let message = message.replace(['\n', '\r'], " ");
        let mut problem = Problem::new("", None, format!("column {column}: {message}"));
        problem.line = Some(line);
        problem
    };
    SceneError { problems: found.into_iter().map(problem).collect() }
}

fn read_table(
    source: &DeTable<'_>,
    path: &str,
    lines: &Lines,
    origins: &mut BTreeMap<String, Origin>,
) -> Table {
    let read = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let name: &str = AsRef::<str>::as_ref(key.get_ref());
        let here = child(path, name);
        // The key rather than the value: a value may begin lines below its key.
        let (line, _) = lines.position(key.span().start);
        origins.insert(here.clone(), Origin::File(line));
        (name.to_owned(), read_value(value.get_ref(), &here, lines, origins))
    };
    source.iter().map(read).collect()
}

fn read_value(
    source: &DeValue<'_>,
    path: &str,
    lines: &Lines,
    origins: &mut BTreeMap<String, Origin>,
) -> Value {
    match source {
        DeValue::String(text) => Value::String(text.to_string()),
        // An integer beyond 64 bits is still a number: the check tells whether one is allowed.
        DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(integer) => Value::Integer(integer),
            Err(_) => Value::Float(digits.as_str().parse().unwrap_or(f64::INFINITY)),
        },
        DeValue::Float(digits) => Value::Float(digits.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(value) => Value::Datetime(*value),
        DeValue::Array(entries) => {
            let mut values = Vec::with_capacity(entries.len());
            for (i, entry) in entries.iter().enumerate() {
                let here = item(path, i);
                let (line, _) = lines.position(entry.span().start);
                origins.insert(here.clone(), Origin::File(line));
                values.push(read_value(entry.get_ref(), &here, lines, origins));
            }
            Value::Array(values)
        }
        DeValue::Table(table) => Value::Table(read_table(table, path, lines, origins)),
    }
}

/// Turns byte offsets into lines and columns.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// Line and column, both counted from 1.
    fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        (line, column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_its_line() {
        let text = "a = 1\nb = [\n 1,\n 2]\n[[m]]\nx = 1\n[[m]]\nt.u = 1\n[m.v.w]\n";
        let document = Document::parse(text).expect("valid TOML");
        let line = |path| match document.origin(path) {
            Some(Origin::File(line)) => *line,
            other => panic!("{path}: {other:?}"),
        };
        let cases = [
            ("a", 1),
            ("b", 2),
            ("b[0]", 3),
            ("b[1]", 4),
            ("m[0]", 5),
            ("m[0].x", 6),
            ("m[1]", 7),
            ("m[1].t.u", 8),
            ("m[1].v.w", 9),
            ("m[1].missing", 7),
            ("a.below", 1),
        ];
        for (path, expected) in cases {
            assert_eq!(line(path), expected, "{path}");
        }
        assert_eq!(document.origin("missing"), None);
    }

    #[test]
    fn syntax_errors_have_a_line_and_a_column() {
        let text = "a = 1\nb = [1,, 2]\nc = 3\nd = \"é\", 5\n";
        let error = Document::parse(text).expect_err("no TOML");
        let found: Vec<String> = error.problems.iter().map(Problem::to_string).collect();
        assert_eq!(found.len(), 2, "{error}");
        assert!(found[0].starts_with("line 2: column 8: extra comma"), "{error}");
        assert!(found[1].starts_with("line 4: column 8: "), "{error}");
    }

    #[test]
    fn a_new_origin_replaces_those_within() {
        let mut document = Document::parse("a = { b = { c = 1 }, bb = 2 }").expect("valid TOML");
        document.set_origin("a.b", Origin::Set("a.b={}".into()));
        assert_eq!(document.origin("a.b.c"), Some(&Origin::Set("a.b={}".into())));
        assert_eq!(document.origin("a.bb"), Some(&Origin::File(1)));
        assert_eq!(document.origin("a"), Some(&Origin::File(1)));
    }
}
