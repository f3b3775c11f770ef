//! Facts about the folder of a run.

use super::{Facts, checkpoint};
use crate::console::Usage;
use crate::text;
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use visco::Scene;
use visco_io::{Format, RunFolder};

/// More than any row of the diagnostics takes.
const ROW_BYTES: u64 = 1 << 16;

/// The scene, the frames and checkpoints that are there, and the last row of the diagnostics.
pub(super) fn facts(path: &Path) -> Result<Facts> {
    let run = RunFolder::new(path);
    let frames = run.existing_frames()?;
    if !run.is_run() && frames.is_empty() {
        let message = format!("{} is not the folder of a visco run", path.display());
        return Err(Usage(message).into());
    }
    // A folder can be told about without its scene, or with one of another version of visco.
    let scene =
        std::fs::read_to_string(run.scene()).ok().and_then(|text| Scene::from_toml_with(&text, &[]).ok());
    let mut numbers: Vec<u32> = frames.iter().map(|f| f.0).collect();
    numbers.dedup();
    let formats: Vec<&str> = Format::ALL
        .into_iter()
        .filter(|format| frames.iter().any(|f| f.1 == *format))
        .map(Format::name)
        .collect();
    let last_row = last_row(&run.diagnostics()).context("cannot read the diagnostics")?;

    let (checkpoints_text, checkpoints) = checkpoint::of_run(&run)?;
    let name = scene.as_ref().map(|s| s.name.clone());
    let planned = scene.as_ref().map(|s| s.time.frames);
    let lines = vec![
        ("run", path.display().to_string()),
        ("scene", name.clone().unwrap_or_else(|| "not readable".into())),
        ("frames", frames_text(&numbers, planned, &formats)),
        ("checkpoints", checkpoints_text),
    ];
    let row: Map<String, Value> = last_row
        .iter()
        .map(|(column, value)| (column.clone(), serde_json::from_str(value).unwrap_or_default()))
        .collect();
    let json = json!({
        "kind": "run",
        "folder": path.to_string_lossy(),
        "scene": name,
        "frames": numbers,
        "frames_planned": planned,
        "formats": formats,
        "checkpoints": checkpoints,
        "last_step": row,
    });
    let mut facts = Facts::new(lines, json);
    facts.lines.extend(last_row.into_iter().map(|(column, value)| {
        let short = value.parse().map_or(value, brief);
        (format!("last {column}").into(), short)
    }));
    Ok(facts)
}

/// Whole numbers in full, others shortened.
fn brief(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { value.to_string() } else { text::short(value) }
}

/// `12 of 150, 000000 to 000011, as ply`.
fn frames_text(numbers: &[u32], planned: Option<u32>, formats: &[&str]) -> String {
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
        return "none".into();
    };
    let mut text = text::count(numbers.len() as u64);
    if let Some(planned) = planned {
        text += &format!(" of {}", text::count(planned.into()));
    }
    text += &format!(", {first:06} to {last:06}, as {}", formats.join(" and "));
    let gaps = u64::from(last - first) + 1 - numbers.len() as u64;
    if gaps > 0 {
        text += &format!(", {} missing in between", text::count(gaps));
    }
    text
}

/// Columns and values of the last whole row; empty if there is none.
fn last_row(path: &Path) -> std::io::Result<Vec<(String, String)>> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut part = |from: u64| -> std::io::Result<String> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        (&mut file).take(ROW_BYTES).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let start = part(0)?;
    let end = part(length.saturating_sub(ROW_BYTES))?;
    let columns: Vec<&str> = start.lines().next().unwrap_or("").split(',').collect();
    let row = end.lines().rev().find_map(|line| {
        let values: Vec<&str> = line.split(',').collect();
        let is_row = values.len() == columns.len() && values[0].parse::<f64>().is_ok();
        is_row.then_some(values)
    });
    let pairs = columns.iter().zip(row.unwrap_or_default());
    Ok(pairs.map(|(c, v)| ((*c).to_owned(), v.to_owned())).collect())
}
