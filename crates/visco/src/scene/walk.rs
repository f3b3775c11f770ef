//! Checks values against the schema. Every problem is reported, not the first alone.

use super::error::Problem;
use super::path::{child, found, hint, item, nearest, number, show};
use super::schema::{alternatives, expected, literals, properties, required, root, tag, type_of};
use super::solver;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// What of a scene does not follow the schema.
pub(super) fn check(scene: &Table) -> Vec<Problem> {
    let mut walk = Walk::default();
    walk.table("", scene, root());
    walk.problems
}

#[derive(Default)]
struct Walk {
    problems: Vec<Problem>,
}

impl Walk {
    fn report(&mut self, field: &str, value: &Value, message: impl Into<String>) {
        self.problems.push(Problem::new(field, Some(show(value)), message));
    }

    fn value(&mut self, field: &str, value: &Value, schema: &Json) {
        let choices = alternatives(schema);
        if let [only] = choices[..] {
            return self.one(field, value, only);
        }
        let tagged: BTreeMap<&str, &Json> =
            choices.iter().filter_map(|choice| Some((tag(choice)?, *choice))).collect();
        if let (Value::Table(table), false) = (value, tagged.is_empty()) {
            return self.tagged(field, table, &tagged);
        }
        let same_type = |choice: &&&Json| literals(choice).is_empty() && is_of_type(value, choice);
        if let Some(choice) = choices.iter().find(same_type) {
            return self.one(field, value, choice);
        }
        self.literal(field, value, schema);
    }

    /// A value of an enum that holds data, such as `{ box = … }`.
    fn tagged(&mut self, field: &str, table: &Table, choices: &BTreeMap<&str, &Json>) {
        let names: Vec<&str> = choices.keys().copied().collect();
        for key in table.keys().filter(|key| !choices.contains_key(key.as_str())) {
            let hint = hint(key, &names);
            self.report(&child(field, key), &table[key], format!("unknown; {hint}"));
        }
        let mut known = table.keys().filter_map(|key| choices.get_key_value(key.as_str()));
        match (known.next(), known.next()) {
            (Some((_, choice)), None) => {
                for (key, schema) in properties(choice) {
                    self.value(&child(field, key), &table[key], schema);
                }
            }
            (None, _) if !table.is_empty() => {}
            _ => {
                let message = format!("must hold exactly one of {}", names.join(", "));
                self.report(field, &Value::Table(table.clone()), message);
            }
        }
    }

    /// A value that must be one of the strings that the schema spells out, if any are.
    fn literal(&mut self, field: &str, value: &Value, schema: &Json) {
        let choices = alternatives(schema);
        let known: Vec<&str> = choices.iter().flat_map(|choice| literals(choice)).collect();
        let text = value.as_str();
        if text.is_some_and(|text| known.contains(&text)) {
            return;
        }
        let mut message = format!("expected {}, found {}", expected(schema), found(value));
        if let Some(near) = text.and_then(|text| nearest(text, known)) {
            message += &format!("; did you mean {near:?}?");
        }
        self.report(field, value, message);
    }

    /// A value whose schema leaves no choice.
    fn one(&mut self, field: &str, value: &Value, schema: &Json) {
        if !literals(schema).is_empty() || !is_of_type(value, schema) {
            return self.literal(field, value, schema);
        }
        match value {
            Value::Integer(x) => self.number(field, value, *x as f64, schema),
            Value::Float(x) => self.number(field, value, *x, schema),
            Value::String(text) => {
                let count = text.chars().count();
                self.count(field, value, count, schema, ["minLength", "maxLength", "characters"]);
            }
            Value::Array(entries) => {
                let count = entries.len();
                self.count(field, value, count, schema, ["minItems", "maxItems", "entries"]);
                if let Some(items) = schema.get("items") {
                    for (i, entry) in entries.iter().enumerate() {
                        self.value(&item(field, i), entry, items);
                    }
                }
            }
            Value::Table(table) => self.table(field, table, schema),
            Value::Boolean(_) | Value::Datetime(_) => {}
        }
    }

    fn table(&mut self, field: &str, table: &Table, schema: &Json) {
        let fields: BTreeMap<&str, &Json> = properties(schema).collect();
        let closed = schema.get("additionalProperties") == Some(&Json::Bool(false));
        let mut misspelt = Vec::new();
        for (key, value) in table {
            let here = child(field, key);
            // Which fields `[solver]` has depends on the scene's method.
            if let (true, "solver", Some(schema)) = (field.is_empty(), key.as_str(), solver::schema(table)) {
                self.one(&here, value, schema);
                continue;
            }
            match fields.get(key.as_str()) {
                Some(schema) => self.value(&here, value, schema),
                None if closed => {
                    let others: Vec<&str> =
                        fields.keys().copied().filter(|k| !table.contains_key(*k)).collect();
                    misspelt.extend(nearest(key, others.iter().copied()));
                    let hint = hint(key, &others);
                    self.report(&here, value, format!("unknown field; {hint}"));
                }
                None => {}
            }
        }
        // A misspelt field is reported once: as unknown, not as missing too.
        for key in required(schema).filter(|key| !table.contains_key(*key) && !misspelt.contains(key)) {
            let expected = fields.get(key).map(|schema| expected(schema));
            let message = format!("missing; expected {}", expected.unwrap_or_default());
            self.problems.push(Problem::new(child(field, key), None, message));
        }
    }

    fn number(&mut self, field: &str, value: &Value, x: f64, schema: &Json) {
        if x == f64::INFINITY && may_be_infinite(field) {
            return;
        }
        if !x.is_finite() {
            return self.report(field, value, "must be a finite number");
        }
        let bound = |key| schema.get(key).and_then(Json::as_f64);
        let widest = match schema.get("format").and_then(Json::as_str) {
            Some("uint8") => Some(f64::from(u8::MAX)),
            Some("uint32") => Some(f64::from(u32::MAX)),
            _ => None,
        };
        let (low, high) = (bound("minimum"), bound("maximum").or(widest));
        if low.is_some_and(|low| x < low) || high.is_some_and(|high| x > high) {
            self.report(field, value, format!("must be {}", range(low, high)));
        }
        if let Some(low) = bound("exclusiveMinimum").filter(|low| x <= *low) {
            self.report(field, value, format!("must be above {}", number(low)));
        }
        if let Some(high) = bound("exclusiveMaximum").filter(|high| x >= *high) {
            self.report(field, value, format!("must be below {}", number(high)));
        }
    }

    /// The length of a string or an array; `words` are the keywords of its bounds and its unit.
    fn count(&mut self, field: &str, value: &Value, count: usize, schema: &Json, words: [&str; 3]) {
        let bound = |key| schema.get(key).and_then(Json::as_f64);
        let (low, high) = (bound(words[0]), bound(words[1]));
        let x = count as f64;
        if low.is_some_and(|low| x < low) || high.is_some_and(|high| x > high) {
            let message = format!("must have {} {}, has {count}", range(low, high), words[2]);
            self.report(field, value, message);
        }
    }
}

/// A rigid material is the one use of infinity.
fn may_be_infinite(field: &str) -> bool {
    field.starts_with("material[") && field.ends_with("].viscosity")
}

fn range(low: Option<f64>, high: Option<f64>) -> String {
    match (low.map(number), high.map(number)) {
        (Some(low), Some(high)) if low == high => low,
        (Some(low), Some(high)) => format!("between {low} and {high}"),
        (Some(low), None) => format!("at least {low}"),
        (None, Some(high)) => format!("at most {high}"),
        (None, None) => "any number".into(),
    }
}

fn is_of_type(value: &Value, schema: &Json) -> bool {
    match (value, type_of(schema)) {
        (_, None) => true,
        (Value::String(_), Some(name)) => name == "string",
        (Value::Integer(_), Some(name)) => name == "integer" || name == "number",
        (Value::Float(_), Some(name)) => name == "number",
        (Value::Boolean(_), Some(name)) => name == "boolean",
        (Value::Array(_), Some(name)) => name == "array",
        (Value::Table(_), Some(name)) => name == "object",
        (Value::Datetime(_), Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Keywords that schemars can write, whether or not a scene uses them today.
    #[test]
    fn each_keyword_is_checked() {
        let cases = [
            (json!({ "type": "number", "exclusiveMinimum": 0 }), "0.0", "must be above 0"),
            (json!({ "type": "number", "exclusiveMaximum": 1 }), "1", "must be below 1"),
            (json!({ "type": "number", "maximum": 1 }), "1.5", "must be at most 1"),
            (
                json!({ "type": "integer", "format": "uint8", "minimum": 0 }),
                "256",
                "must be between 0 and 255",
            ),
            (json!({ "type": "integer", "format": "uint32" }), "4294967296", "must be at most 4.294967295e9"),
            (
                json!({ "type": "string", "enum": ["a", "b"] }),
                "'c'",
                "expected \"a\" or \"b\", found the string \"c\"; did you mean \"a\"?",
            ),
            (json!({ "type": "array", "minItems": 1 }), "[]", "must have at least 1 entries, has 0"),
            (json!({ "type": "string", "maxLength": 2 }), "'äöü'", "must have at most 2 characters, has 3"),
            (json!({ "type": ["boolean", "null"] }), "1", "expected true or false, found the number 1"),
            (
                json!({ "anyOf": [{ "type": "null" }, { "type": "string" }] }),
                "1",
                "expected a string, found the number 1",
            ),
            (
                json!({ "$ref": "#/$defs/Side" }),
                "'in'",
                "expected \"outside\" or \"inside\", found the string \"in\"",
            ),
        ];
        for (schema, value, expected) in cases {
            let mut walk = Walk::default();
            walk.value("x", &value.parse().expect("a TOML value"), &schema);
            let messages: Vec<&str> = walk.problems.iter().map(|p| p.message.as_str()).collect();
            assert_eq!(messages, [expected], "{value} against {schema}");
        }
    }

    #[test]
    fn what_follows_the_schema_passes() {
        let cases = [
            (json!({ "type": "number", "minimum": 0, "exclusiveMaximum": 1 }), "0"),
            (json!({ "type": "string", "maxLength": 3 }), "'äöü'"),
            (json!({ "$ref": "#/$defs/Friction" }), "'no_slip'"),
            (json!({ "$ref": "#/$defs/Friction" }), "1"),
            (json!({ "type": "object", "additionalProperties": true }), "{ a = 1 }"),
            (json!(true), "1979-05-27"),
        ];
        for (schema, value) in cases {
            let mut walk = Walk::default();
            walk.value("x", &value.parse().expect("a TOML value"), &schema);
            assert_eq!(walk.problems, [], "{value} against {schema}");
        }
    }
}
