//! What of a scene decides how the fluid moves, and what has changed of it.

use super::Scene;
use super::path::{child, item, show};
use std::fmt;
use toml::{Table, Value};

/// Fields that do not change the motion. `quality` and `variant` have done their work when a scene is read.
const IDLE: [&str; 5] = ["name", "description", "camera", "quality", "variant"];

/// Fields that the state of a simulation relies on.
const FIXED: [&str; 4] = ["method", "spacing", "periodic", "time.fps"];

/// The part of a scene that decides how the fluid moves, as TOML.
pub(crate) fn text(scene: &Scene) -> String {
    let mut table: Table = scene.to_toml().parse().expect("a scene is written as TOML");
    for field in IDLE {
        table.remove(field);
    }
    if let Some(Value::Table(time)) = table.get_mut("time") {
        time.remove("frames");
    }
    table.to_string()
}

/// A field that differs between two scenes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    field: String,
    before: Option<Value>,
    now: Option<Value>,
}

impl Difference {
    /// Whether the state of a simulation relies on the field.
    pub(crate) fn is_fixed(&self) -> bool {
        let inside = |field: &&str| {
            self.field
                .strip_prefix(*field)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.field.is_empty() || FIXED.iter().any(inside)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let field = if self.field.is_empty() { "the scene" } else { &self.field };
        match (&self.before, &self.now) {
            (Some(before), Some(now)) => write!(f, "{field} was {}, is now {}", show(before), show(now)),
            (Some(before), None) => write!(f, "{field} was {}, is now absent", show(before)),
            (None, Some(now)) => write!(f, "{field} was absent, is now {}", show(now)),
            (None, None) => write!(f, "{field} cannot be read"),
        }
    }
}

/// What differs between two texts of [`text`].
pub(crate) fn differences(before: &str, now: &str) -> Vec<Difference> {
    if before == now {
        return Vec::new();
    }
    let (Ok(before), Ok(now)) = (before.parse::<Table>(), now.parse::<Table>()) else {
        return vec![Difference { field: String::new(), before: None, now: None }];
    };
    let mut found = Vec::new();
    compare("", Some(&Value::Table(before)), Some(&Value::Table(now)), &mut found);
    found
}

fn compare(field: &str, before: Option<&Value>, now: Option<&Value>, found: &mut Vec<Difference>) {
    match (before, now) {
        (Some(a), Some(b)) if a == b => {}
        (Some(Value::Table(a)), Some(Value::Table(b))) => {
            let new = b.keys().filter(|key| !a.contains_key(*key));
            for key in a.keys().chain(new) {
                compare(&child(field, key), a.get(key), b.get(key), found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for k in 0..a.len().max(b.len()) {
                compare(&item(field, k), a.get(k), b.get(k), found);
            }
        }
        _ => found.push(Difference { field: field.to_owned(), before: before.cloned(), now: now.cloned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::BuiltinScene;

    #[test]
    fn what_has_changed_is_named_with_both_values() {
        let scene = BuiltinScene::find("honey").expect("built in").scene(&[]).expect("valid");
        let before = text(&scene);
        let mut idle = scene.clone();
        (idle.name, idle.description, idle.camera) = ("other".into(), "other".into(), None);
        idle.time.frames += 10;
        assert_eq!(text(&idle), before);

        let mut other = scene.clone();
        other.material[0].viscosity = Some(3.0);
        other.gravity[1] = 0.0;
        other.boundary.pop();
        other.time.fps = 10.0;
        let found = differences(&before, &text(&other));
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        let has = |text: &str| assert!(texts.iter().any(|t| t.starts_with(text)), "{text}: {texts:?}");
        has("gravity[1] was -9.81, is now 0");
        has("material[0].viscosity was ");
        has("boundary");
        has("time.fps was ");
        assert_eq!(found.iter().filter(|d| d.is_fixed()).count(), 1);
        assert_eq!(differences("?", &before)[0].to_string(), "the scene cannot be read");
    }
}
