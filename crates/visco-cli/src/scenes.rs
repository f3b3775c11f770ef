//! `visco scenes`, `visco materials` and `visco schema`: what a user can start from.

use crate::args::ScenesArgs;
use crate::{console, source, text};
use anyhow::Result;
use visco::material::{PRESETS, Preset};
use visco::scene::{BuiltinScene, builtin_scenes, json_schema};

/// Longest line of a list that is wrapped.
const WIDTH: usize = 100;

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

/// Lists the presets of materials: the values on a line, their source below.
pub(crate) fn materials() -> Result<()> {
    const INDENT: &str = "    ";
    let widest =
        |cell: fn(&Preset) -> String| PRESETS.iter().map(|p| cell(p).chars().count()).max().unwrap_or(0);
    let cells: [fn(&Preset) -> String; 4] = [
        |p| p.name.to_owned(),
        |p| format!("{} kg/m³", p.density),
        |p| format!("{} Pa·s", p.viscosity),
        |p| format!("relaxation time {} s", p.relaxation_time),
    ];
    let widths = cells.map(widest);
    for preset in PRESETS {
        let columns = cells.iter().zip(widths).map(|(cell, width)| format!("{:width$}", cell(preset)));
        console::print(columns.collect::<Vec<_>>().join("  ").trim_end())?;
        for line in text::wrapped(preset.source, WIDTH - INDENT.len()) {
            console::print(format_args!("{INDENT}{line}"))?;
        }
    }
    Ok(())
}

/// Prints the JSON Schema of scenes.
pub(crate) fn schema() -> Result<()> {
    console::print(format_args!("{:#}", json_schema()))?;
    Ok(())
}
