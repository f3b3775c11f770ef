//! `visco scenes`, `visco materials` and `visco schema`: what a user can start from.

use crate::args::ScenesArgs;
use crate::{console, source};
use anyhow::Result;
use visco::material::PRESETS;
use visco::scene::{BuiltinScene, builtin_scenes, json_schema};

/// Lists the built-in scenes, or prints the text of one.
pub(crate) fn scenes(args: &ScenesArgs) -> Result<()> {
    match &args.name {
        None => console::print(list())?,
        Some(name) => {
            let scene = BuiltinScene::find(name).ok_or_else(|| source::unknown(name))?;
            console::print(scene.toml.trim_end())?;
        }
    }
    Ok(())
}

/// Name, aliases and description, a scene a line, in columns.
fn list() -> String {
    let rows: Vec<[String; 3]> =
        builtin_scenes().iter().map(|s| [s.name.to_owned(), s.aliases.join(", "), s.description()]).collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let (names, aliases) = (width(0), width(1));
    let lines: Vec<String> = rows
        .iter()
        .map(|[name, alias, description]| {
            let line = format!("{name:names$}  {alias:aliases$}  {description}");
            line.trim_end().to_owned()
        })
        .collect();
    lines.join("\n")
}

/// Lists the presets of materials.
pub(crate) fn materials() -> Result<()> {
    for p in PRESETS {
        console::print(format_args!(
            "{:10}  {} kg/m³, {} Pa·s, relaxation time {} s; {}",
            p.name, p.density, p.viscosity, p.relaxation_time, p.source
        ))?;
    }
    Ok(())
}

/// Prints the JSON Schema of scenes.
pub(crate) fn schema() -> Result<()> {
    console::print(format_args!("{:#}", json_schema()))?;
    Ok(())
}
