//! Values that replace those of the scene's text: from `--set`, and from a variant.

use super::document::{Document, Origin};
use super::error::Problem;
use super::path::{child, hint, item, nearest, segments, show};
use super::schema::{alternatives, properties, root, tag};
use serde_json::Value as Json;
use std::fmt;
use toml::{Table, Value};

/// Fields of which a table takes one: setting one of them replaces another of an earlier layer,
/// so that `--set time.dt=1e-3` works on a scene that gives `steps_per_frame`.
const EXCLUSIVE: &[(&str, &[&str])] = &[
    ("time", &["steps_per_frame", "dt", "cfl"]),
    ("material", &["viscosity", "shear_modulus", "compliance"]),
    ("emitter", &["speed", "flow_rate"]),
];

/// A value that replaces one of the scene's text, as `--set field=value` gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// Path of the field: `solver.tolerance`, `material[0].viscosity`, `material.honey.viscosity`.
    pub path: String,
    /// The new value.
    pub value: Value,
}

impl Override {
    /// Reads `field=value`. The value is TOML, or else a string: shells strip quotes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some((path, value)) = text.split_once('=') else {
            return Err(format!("expected FIELD=VALUE, found `{text}`"));
        };
        segments(path)?;
        let value = value.trim();
        Ok(Self {
            path: path.trim().to_owned(),
            value: value.parse().unwrap_or_else(|_| Value::String(value.to_owned())),
        })
    }
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.path, show(&self.value))
    }
}

impl Document {
    /// Replaces a value; a path that leads nowhere is a problem.
    pub(super) fn apply(&mut self, path: &str, value: Value, origin: &Origin) -> Option<Problem> {
        let shown = show(&value);
        let names = match segments(path) {
            Ok(names) => names,
            Err(message) => return Some(Problem::new(path, Some(shown), message)),
        };
        let mut place = Place { here: String::new(), first_new: None };
        // A copy, so that an override that fails half-way leaves no trace.
        let mut tree = Value::Table(self.table.clone());
        if let Err(message) = place.set(&mut tree, root(), &names, value) {
            return Some(Problem::new(place.here, Some(shown), message));
        }
        if let Value::Table(table) = tree {
            self.table = table;
        }
        self.drop_rivals(&place.here, origin);
        let changed = place.first_new.unwrap_or(place.here);
        self.set_origin(&changed, origin.clone());
        None
    }

    /// Removes what an earlier layer gave in place of `field`.
    fn drop_rivals(&mut self, field: &str, origin: &Origin) {
        let Some((holder, key)) = field.rsplit_once('.') else {
            return;
        };
        let (section, index) = match holder.split_once('[') {
            Some((section, rest)) => (section, rest.trim_end_matches(']').parse().ok()),
            None => (holder, None),
        };
        let group = EXCLUSIVE.iter().find(|(name, keys)| *name == section && keys.contains(&key));
        for rival in group.into_iter().flat_map(|(_, keys)| *keys).filter(|k| **k != key) {
            let path = child(holder, rival);
            let layer = std::mem::discriminant::<Origin>;
            if self.origin(&path).is_some_and(|old| layer(old) == layer(origin)) {
                continue;
            }
            let section = match (self.table.get_mut(section), index) {
                (Some(Value::Array(entries)), Some(i)) => entries.get_mut::<usize>(i),
                (section, _) => section,
            };
            if let Some(Value::Table(table)) = section
                && table.remove(*rival).is_some()
            {
                self.forget(&path);
            }
        }
    }

    /// Applies a variant: entries named by path, and tables whose entries replace those they name.
    pub(super) fn apply_variant(&mut self, name: &str, entries: &Table) -> Vec<Problem> {
        let inside = child("variant", name);
        let mut problems = Vec::new();
        for (key, value) in entries {
            let written = child(&inside, key);
            self.apply_entry(key, value, &written, &mut problems);
        }
        problems
    }

    fn apply_entry(&mut self, path: &str, value: &Value, written: &str, problems: &mut Vec<Problem>) {
        if let (Value::Table(entries), true) = (value, is_merged(path)) {
            for (key, value) in entries {
                let below = child(path, key);
                self.apply_entry(&below, value, &child(written, key), problems);
            }
            return;
        }
        let line = match self.origin(written) {
            Some(Origin::File(line)) => *line,
            _ => 0,
        };
        let problem = if begins_with(path, "quality") || begins_with(path, "variant") {
            let message = "a variant cannot choose a variant";
            Some(Problem::new(written, Some(show(value)), message))
        } else {
            self.apply(path, value.clone(), &Origin::Variant(line))
        };
        problems.extend(problem.map(|problem| Problem { line: Some(line), ..problem }));
    }
}

/// Whether a path leads to or into the field `name` of the scene.
pub(super) fn begins_with(path: &str, name: &str) -> bool {
    segments(path).is_ok_and(|names| names[0] == name)
}

/// Whether a table in a variant stands for its entries. One of an enum such as a shape does not:
/// a sphere replaces a box as a whole.
fn is_merged(path: &str) -> bool {
    let Ok(names) = segments(path) else {
        return false;
    };
    let mut schema = root();
    for name in &names {
        let choices = alternatives(schema);
        let entry = choices.iter().find_map(|choice| {
            let field = properties(choice).find(|(key, _)| key == name);
            field.map(|(_, field)| field).or_else(|| choice.get("items"))
        });
        match entry {
            Some(entry) => schema = entry,
            None => return false,
        }
    }
    let choices = alternatives(schema);
    choices.iter().all(|choice| tag(choice).is_none())
}

/// Where an override has got to on its way down the tree.
struct Place {
    /// Path of the value reached, with indices in place of names.
    here: String,
    /// The first table or array on the way that the scene's text does not have.
    first_new: Option<String>,
}

impl Place {
    fn set(&mut self, node: &mut Value, schema: &Json, names: &[String], value: Value) -> Result<(), String> {
        let Some((name, rest)) = names.split_first() else {
            *node = value;
            return Ok(());
        };
        match node {
            Value::Table(table) => self.set_field(table, schema, name, rest, value),
            Value::Array(entries) => {
                let i = self.index(entries, name)?;
                let items =
                    alternatives(schema).iter().find_map(|one| one.get("items")).ok_or("has no entries")?;
                self.here = item(&self.here, i);
                self.set(&mut entries[i], items, rest, value)
            }
            _ => Err(format!("has no field `{name}`")),
        }
    }

    fn set_field(
        &mut self,
        table: &mut Table,
        schema: &Json,
        name: &str,
        rest: &[String],
        value: Value,
    ) -> Result<(), String> {
        let choices = alternatives(schema);
        let fields = || choices.iter().flat_map(|choice| properties(choice));
        let above = self.here.clone();
        self.here = child(&above, name);
        let Some((_, field)) = fields().find(|(key, _)| *key == name) else {
            let known: Vec<&str> = fields().map(|(key, _)| key).collect();
            let hint = match nearest(name, known.iter().copied()) {
                // The fields of all methods are too many to be told.
                None if above == "solver" && choices.len() > 1 => "no method has it".to_owned(),
                _ => hint(name, &known),
            };
            return Err(format!("unknown field; {hint}"));
        };
        // Another variant of an enum: the data of the old one has no meaning in it.
        let switches = choices.iter().any(|choice| tag(choice).is_some());
        if switches && !table.contains_key(name) {
            table.clear();
            self.first_new.get_or_insert(above);
        }
        if !table.contains_key(name) {
            let start = match (rest.is_empty(), start_of(field)) {
                (true, _) => Value::Boolean(false), // replaced at once
                (false, Some(start)) => start,
                (false, None) => return Err(format!("the scene has no `{name}` to change")),
            };
            self.first_new.get_or_insert_with(|| self.here.clone());
            table.insert(name.to_owned(), start);
        }
        match table.get_mut(name) {
            Some(node) => self.set(node, field, rest, value),
            None => Ok(()),
        }
    }

    /// Index of an entry, by number or, for materials, by name.
    fn index(&self, entries: &[Value], name: &str) -> Result<usize, String> {
        let names: Vec<&str> = match self.here.as_str() {
            "material" => {
                entries.iter().map(|entry| entry.get("name").and_then(Value::as_str).unwrap_or("")).collect()
            }
            _ => Vec::new(),
        };
        if let Some(i) = names.iter().position(|known| *known == name) {
            return Ok(i);
        }
        match name.parse::<usize>() {
            Ok(i) if i < entries.len() => Ok(i),
            Ok(i) if entries.is_empty() => Err(format!("has no entry {i}: it is empty")),
            Ok(i) => Err(format!("has no entry {i}: its entries are 0 to {}", entries.len() - 1)),
            Err(_) if self.here == "material" => {
                let hint = hint(name, &names);
                Err(format!("has no material `{name}`; {hint}"))
            }
            Err(_) => {
                Err(format!("`{name}` is no index; entries are counted from 0, as in `{}[0]`", self.here))
            }
        }
    }
}

/// What a field holds before one of its parts is set: its default, or an empty table.
fn start_of(field: &Json) -> Option<Value> {
    let choices = alternatives(field);
    if choices.iter().any(|choice| choice.get("items").is_some()) {
        return Value::try_from(field.get("default")?).ok();
    }
    choices.iter().any(|choice| properties(choice).next().is_some()).then(|| Value::Table(Table::new()))
}
