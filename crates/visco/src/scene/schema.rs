//! The JSON Schema of scenes, derived from the structs, and how to find one's way in it.
//!
//! The check of a scene and the paths of overrides read this schema, so that a new field needs to
//! be written once only: in its struct.

use super::Scene;
use super::path::join_or;
use serde_json::Value as Json;
use std::sync::LazyLock;

static SCHEMA: LazyLock<Json> = LazyLock::new(|| {
    let mut schema = schemars::schema_for!(Scene).to_value();
    shorten_defaults(&mut schema, false);
    if let Some(root) = schema.as_object_mut() {
        root.insert("title".into(), "visco scene".into());
    }
    schema
});

/// The JSON Schema of scene files, for editors.
pub fn json_schema() -> Json {
    SCHEMA.clone()
}

/// Schema of a whole scene.
pub(super) fn root() -> &'static Json {
    &SCHEMA
}

/// Writes defaults of `f32` fields as people do: 0.001, not 0.0010000000474974513.
fn shorten_defaults(node: &mut Json, within_default: bool) {
    match node {
        Json::Object(map) => map
            .iter_mut()
            .for_each(|(key, value)| shorten_defaults(value, within_default || key == "default")),
        Json::Array(entries) => entries.iter_mut().for_each(|entry| shorten_defaults(entry, within_default)),
        Json::Number(number) if within_default => {
            let Some(wide) = number.as_f64().filter(|_| number.is_f64()) else {
                return;
            };
            let narrow = wide as f32;
            let same = f64::from(narrow).to_bits() == wide.to_bits();
            if let Some(short) = narrow.to_string().parse::<f64>().ok().filter(|_| same) {
                *node = short.into();
            }
        }
        _ => {}
    }
}

/// The schemas that a value may follow: references resolved, choices spread out, `null` left out,
/// for TOML has none.
pub(super) fn alternatives(schema: &Json) -> Vec<&Json> {
    let mut found = Vec::new();
    spread(schema, &mut found);
    found
}

fn spread<'a>(schema: &'a Json, found: &mut Vec<&'a Json>) {
    let choices = schema.get("oneOf").or_else(|| schema.get("anyOf"));
    if let Some(name) = schema.get("$ref").and_then(Json::as_str) {
        // schemars writes references into `$defs` of the root, and to nowhere else.
        if let Some(target) = name.strip_prefix('#').and_then(|pointer| SCHEMA.pointer(pointer)) {
            spread(target, found);
        }
    } else if let Some(choices) = choices.and_then(Json::as_array) {
        choices.iter().for_each(|choice| spread(choice, found));
    } else if schema.get("type").and_then(Json::as_str) != Some("null") {
        found.push(schema);
    }
}

/// The type of a schema that is no choice: `number`, `object` and so on.
pub(super) fn type_of(schema: &Json) -> Option<&str> {
    match schema.get("type")? {
        Json::String(name) => Some(name),
        Json::Array(names) => names.iter().filter_map(Json::as_str).find(|name| *name != "null"),
        _ => None,
    }
}

/// The strings that a schema spells out, if it does.
pub(super) fn literals(schema: &Json) -> Vec<&str> {
    let listed = schema.get("enum").and_then(Json::as_array).into_iter().flatten();
    schema.get("const").into_iter().chain(listed).filter_map(Json::as_str).collect()
}

/// The fields that a table may have, with their schemas.
pub(super) fn properties(schema: &Json) -> impl Iterator<Item = (&str, &Json)> {
    let fields = schema.get("properties").and_then(Json::as_object);
    fields.into_iter().flatten().map(|(name, field)| (name.as_str(), field))
}

/// The fields that a table must have.
pub(super) fn required(schema: &Json) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Json::as_array);
    names.into_iter().flatten().filter_map(Json::as_str)
}

/// The name of a variant of an enum that holds data: a table whose single field is that name.
pub(super) fn tag(schema: &Json) -> Option<&str> {
    let mut fields = properties(schema);
    let (name, _) = fields.next()?;
    let single = fields.next().is_none() && required(schema).eq([name]);
    single.then_some(name)
}

/// What a schema allows, for `expected …`.
pub(super) fn expected(schema: &Json) -> String {
    let words: Vec<String> = alternatives(schema).into_iter().flat_map(expected_one).collect();
    join_or(&words)
}

fn expected_one(schema: &Json) -> Vec<String> {
    let literals = literals(schema);
    if !literals.is_empty() {
        return literals.iter().map(|text| format!("{text:?}")).collect();
    }
    let limit = |key| schema.get(key).and_then(Json::as_u64);
    let word = match type_of(schema) {
        Some("number") => "a number".into(),
        Some("integer") => "a whole number".into(),
        Some("string") => "a string".into(),
        Some("boolean") => "true or false".into(),
        Some("array") => match (limit("minItems"), limit("maxItems")) {
            (Some(low), Some(high)) if low == high => format!("an array of {low}"),
            _ => "an array".into(),
        },
        Some("object") => match tag(schema) {
            Some(tag) => format!("{{ {tag} = … }}"),
            None => "a table".into(),
        },
        _ => "any value".into(),
    };
    vec![word]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_complete_and_readable() {
        let schema = json_schema();
        assert_eq!(schema["title"], "visco scene");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema.pointer("/$defs/DcpbdSolver/properties/tolerance/default"), Some(&0.001.into()));
        assert_eq!(schema.pointer("/properties/gravity/default/1"), Some(&(-9.81).into()));
        assert_eq!(
            schema.pointer("/properties/seed/default"),
            Some(&1.into()),
            "an integer stays an integer"
        );
    }

    /// The check knows a part of JSON Schema only; this fails when the structs begin to use more.
    #[test]
    fn the_check_knows_every_keyword_of_the_schema() {
        const KNOWN: &[&str] = &[
            "$defs",
            "$ref",
            "$schema",
            "title",
            "description",
            "default",
            "format",
            "type",
            "const",
            "enum",
            "oneOf",
            "anyOf",
            "items",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
            "properties",
            "required",
            "additionalProperties",
        ];
        fn visit(schema: &Json) {
            for (keyword, value) in schema.as_object().into_iter().flatten() {
                assert!(KNOWN.contains(&keyword.as_str()), "the check does not know `{keyword}`");
                match keyword.as_str() {
                    "properties" | "$defs" => {
                        value.as_object().into_iter().flatten().for_each(|(_, s)| visit(s));
                    }
                    "oneOf" | "anyOf" => value.as_array().into_iter().flatten().for_each(visit),
                    "items" | "additionalProperties" => visit(value),
                    _ => {}
                }
            }
        }
        visit(root());
    }

    /// A table that takes unknown fields would swallow misspelt ones.
    #[test]
    fn every_table_refuses_unknown_fields() {
        let mut tables = vec![("scene", root())];
        tables.extend(properties(root()).filter(|(name, _)| *name != "variant"));
        let definitions = root()["$defs"].as_object().expect("definitions");
        tables.extend(definitions.iter().map(|(name, s)| (name.as_str(), s)));
        for (name, schema) in tables {
            for one in alternatives(schema) {
                if type_of(one) == Some("object") {
                    assert_eq!(one["additionalProperties"], false, "{name}");
                }
            }
        }
    }

    #[test]
    fn expectations_are_in_words() {
        let of = |pointer: &str| expected(root().pointer(pointer).expect(pointer));
        assert_eq!(of("/properties/spacing"), "a number");
        assert_eq!(of("/properties/gravity"), "an array of 3");
        assert_eq!(of("/$defs/Boundary/properties/friction"), "\"slip\", \"no_slip\" or a number");
        assert_eq!(of("/properties/camera"), "a table");
        assert_eq!(
            of("/$defs/Shape"),
            "{ plane = … }, { box = … }, { sphere = … }, { cylinder = … }, { cone = … }, { capsule = … } or { mesh = … }"
        );
    }
}
