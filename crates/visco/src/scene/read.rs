//! From a scene's text to a checked scene, and back.

use super::check;
use super::document::{Document, Origin};
use super::error::{Problem, SceneError};
use super::overrides::{Override, begins_with};
use super::path::{child, found, listed, related, show};
use super::{Scene, solver, walk};
use crate::mesh::Assets;
use toml::{Table, Value};

/// The quality that chooses no variant.
const FULL: &str = "full";

/// The text as a document with the variant and the overrides in it, and what was wrong with those.
fn replaced(text: &str, overrides: &[Override]) -> Result<(Document, Vec<Problem>), SceneError> {
    let mut document = Document::parse(text)?;
    let mut problems = Vec::new();
    apply_quality(&mut document, overrides, &mut problems);
    for replace in overrides.iter().filter(|o| !begins_with(&o.path, "quality")) {
        problems.extend(apply_override(&mut document, replace));
    }
    Ok((document, problems))
}

impl Scene {
    /// Reads and checks a scene. Every problem is reported, not the first alone.
    pub fn from_toml(text: &str) -> Result<Self, SceneError> {
        Self::from_toml_with(text, &[])
    }

    /// Reads and checks a scene with values replaced: first by the variant that `quality` names,
    /// then by the overrides, in their order.
    ///
    /// The scene's `quality` is then `full` and its `variant` empty, for the variant has become
    /// part of the scene; so a scene that is written and read again is the same.
    pub fn from_toml_with(text: &str, overrides: &[Override]) -> Result<Self, SceneError> {
        let (mut document, mut problems) = replaced(text, overrides)?;
        let ignored = solver::drop_foreign(&mut document);
        problems.extend(walk::check(&document.table));
        let mut later = check::problems(&document.table);
        let scene = solver::read_scene(document.table.clone());
        if let Ok(scene) = &scene {
            later.extend(check::idle_model(scene));
            later.extend(check::too_many_particles(scene, &Assets::new()));
        }
        // What follows from a problem that is reported already would only distract from it.
        let follows = |new: &Problem| problems.iter().any(|old| related(&old.field, &new.field));
        later.retain(|new| !follows(new));
        problems.append(&mut later);
        if let (Ok(scene), true) = (&scene, problems.is_empty()) {
            problems = check::too_stiff(scene);
        }
        match scene {
            Ok(scene) if problems.is_empty() => Ok(Self { ignored, ..scene }),
            Err(error) if problems.is_empty() => Err(SceneError::single("", None, error.message().trim())),
            _ => Err(document.locate(problems)),
        }
    }

    /// Adds the lines of a scene's text to problems that were found after reading it, such as volumes that overlap.
    pub fn locate(text: &str, overrides: &[Override], error: SceneError) -> SceneError {
        match replaced(text, overrides) {
            Ok((document, _)) => document.locate(error.problems),
            Err(_) => error,
        }
    }

    /// A scene whose particles could not be counted, now that the sizes of its meshes are known.
    pub(crate) fn too_many_particles(&self, assets: &Assets) -> Option<Problem> {
        check::too_many_particles(self, assets)
    }

    /// Checks a scene that was made or changed by code.
    pub fn check(&self) -> Result<(), SceneError> {
        Self::from_toml(&self.to_toml()).map(|_| ())
    }

    /// The scene as TOML, with every default filled in.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a scene holds nothing that TOML cannot: no null, no odd keys")
    }
}

fn apply_override(document: &mut Document, replace: &Override) -> Option<Problem> {
    let text = replace.to_string();
    let problem = if begins_with(&replace.path, "variant") {
        let message = "variants belong to the scene's text; set the field itself";
        Some(Problem::new(&replace.path, Some(show(&replace.value)), message))
    } else {
        document.apply(&replace.path, replace.value.clone(), &Origin::Set(text.clone()))
    };
    problem.map(|problem| Problem { set: Some(text), ..problem })
}

/// Applies the variant that `quality` names. The others are applied to a copy, so that a field
/// they misspell is found before somebody chooses them.
fn apply_quality(document: &mut Document, overrides: &[Override], problems: &mut Vec<Problem>) {
    for replace in overrides.iter().filter(|o| begins_with(&o.path, "quality")) {
        problems.extend(apply_override(document, replace));
    }
    let variants = match document.table.remove("variant") {
        Some(Value::Table(variants)) => variants,
        Some(other) => {
            let message = format!("expected a table, found {}", found(&other));
            problems.push(Problem::new("variant", Some(show(&other)), message));
            Table::new()
        }
        None => Table::new(),
    };
    let chosen = match document.table.get("quality") {
        Some(Value::String(quality)) => quality.clone(),
        _ => FULL.to_owned(),
    };
    if chosen != FULL && !variants.contains_key(&chosen) {
        let mut known = vec![FULL];
        known.extend(variants.keys().map(String::as_str));
        let message = format!("unknown quality; {}", listed(&known));
        problems.push(Problem::new("quality", Some(format!("{chosen:?}")), message));
    }
    let before = document.clone();
    for (name, entries) in &variants {
        let field = child("variant", name);
        match entries {
            _ if name == FULL => {
                let message = "`full` is the scene without a variant; choose another name";
                problems.push(Problem::new(field, None, message));
            }
            Value::Table(entries) if *name == chosen => {
                problems.extend(document.apply_variant(name, entries));
            }
            Value::Table(entries) => {
                problems.extend(before.clone().apply_variant(name, entries));
            }
            other => {
                let message = format!("expected a table, found {}", found(other));
                problems.push(Problem::new(field, Some(show(other)), message));
            }
        }
    }
    if let Some(Value::String(quality)) = document.table.get_mut("quality") {
        *quality = FULL.to_owned();
    }
}
