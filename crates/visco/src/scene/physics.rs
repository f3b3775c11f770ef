//! What of a scene decides how the fluid moves, and what has changed of it.

use super::path::{child, item, show};
use super::{Mesh, Scene};
use crate::mesh::Assets;
use std::fmt;
use std::path::Path;
use toml::{Table, Value};

/// Fields that do not change the motion. `quality` and `variant` have done their work when a scene is read.
/// `model` stands where it is used.
const IDLE: [&str; 6] = ["name", "description", "camera", "quality", "variant", "model"];

/// Fields that the state of a simulation relies on.
const FIXED: [&str; 4] = ["method", "spacing", "periodic", "time.fps"];

/// What stands for a mesh file: its name, which may change, and what its content adds up to, which may not.
const FILE: &str = "file";
const CHECKSUM: &str = "checksum";

/// The part of a scene that decides how the fluid moves, as TOML. Mesh files count by what is in them.
pub(crate) fn text(scene: &Scene, assets: &Assets) -> String {
    let mut table: Table = scene.to_toml().parse().expect("a scene is written as TOML");
    table.iter_mut().for_each(|(key, value)| name_content(key, value, (scene.model.as_deref(), assets)));
    for field in IDLE {
        table.remove(field);
    }
    for list in ["material", "body", "boundary"] {
        for entry in table.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            entry.as_table_mut().map(|entry| entry.remove("look"));
        }
    }
    if let Some(Value::Table(time)) = table.get_mut("time") {
        time.remove("frames");
    }
    table.to_string()
}

/// Puts the content of mesh files in the place of their paths.
fn name_content(key: &str, value: &mut Value, meshes: (Option<&str>, &Assets)) {
    match value {
        Value::Array(entries) => entries.iter_mut().for_each(|entry| name_content(key, entry, meshes)),
        Value::Table(table) if key == "mesh" => {
            let (model, assets) = meshes;
            let Ok(mesh) = Value::Table(table.clone()).try_into::<Mesh>() else {
                return;
            };
            if let Some((path, content)) = mesh.file(model).and_then(|path| Some((path, assets.mesh(path)?)))
            {
                let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
                let mut file = Table::new();
                file.insert(FILE.into(), Value::String(name.into()));
                file.insert(CHECKSUM.into(), Value::String(format!("{:08x}", content.checksum())));
                table.insert("path".into(), Value::Table(file));
            }
        }
        Value::Table(table) => table.iter_mut().for_each(|(key, value)| name_content(key, value, meshes)),
        _ => {}
    }
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
        (Some(Value::Table(a)), Some(Value::Table(b)))
            if a.contains_key(CHECKSUM) && b.contains_key(CHECKSUM) =>
        {
            if a[CHECKSUM] != b[CHECKSUM] {
                found.push(Difference {
                    field: field.to_owned(),
                    before: before.cloned(),
                    now: now.cloned(),
                });
            }
        }
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
        let text = |scene: &Scene| text(scene, &Assets::new());
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
