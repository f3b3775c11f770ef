//! Facts about a checkpoint.

use super::Facts;
use crate::text;
use anyhow::Result;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use visco::checkpoint::{FORMAT, Header};
use visco_io::{RunFolder, checkpoints};

/// What a checkpoint holds; all of it is checked.
pub(super) fn facts(path: &Path) -> Result<Facts> {
    let checkpoint = checkpoints::read(path)?;
    let bytes = fs::metadata(path)?.len();
    let Header { program, name, frame, step, time, particles, .. } = checkpoint.header();
    let lines = vec![
        ("checkpoint", path.display().to_string()),
        ("scene", name.clone()),
        ("after frame", format!("{frame:06}")),
        ("time", format!("{time} s")),
        ("step", text::count(*step)),
        ("particles", text::count(*particles)),
        (
            "size",
            format!("{}, unpacked {}", text::bytes(bytes), text::bytes(checkpoint.state_bytes() as u64)),
        ),
        ("written by", format!("visco {program}, format {FORMAT}")),
    ];
    let json = json!({
        "kind": "checkpoint",
        "file": path.to_string_lossy(),
        "scene": name,
        "frame": frame,
        "time": time,
        "step": step,
        "particles": particles,
        "bytes": bytes,
        "bytes_unpacked": checkpoint.state_bytes(),
        "visco": program,
        "format": FORMAT,
    });
    Ok(Facts::new(lines, json))
}

/// The checkpoints of a run: a line for people, a list for programs. Only headers are read.
pub(super) fn of_run(run: &RunFolder) -> Result<(String, Value)> {
    let mut texts = Vec::new();
    let mut list = Vec::new();
    for number in run.existing_checkpoints()? {
        let path = run.checkpoint(number);
        match checkpoints::read_header(&path) {
            Ok(header) => {
                texts.push(format!("{number:06} (t {:.3} s)", header.time));
                list.push(json!({ "frame": header.frame, "step": header.step, "time": header.time }));
            }
            Err(error) => {
                texts.push(format!("{number:06} (cannot be used)"));
                list.push(json!({ "frame": number, "error": error.to_string() }));
            }
        }
    }
    let text = if texts.is_empty() { "none".into() } else { texts.join(", ") };
    Ok((text, list.into()))
}
