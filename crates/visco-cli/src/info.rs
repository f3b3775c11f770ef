//! `visco info`: about a frame, a checkpoint, the folder of a run, a mesh or a scene.

mod checkpoint;
mod frame;
mod mesh;
mod run_folder;

use crate::args::InfoArgs;
use crate::console::{self, Usage};
use crate::source::Loaded;
use crate::{check, source, text};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use visco::checkpoint::MAGIC;
use visco_io::Format;

/// What is told: the same facts for people and for programs.
pub(crate) struct Facts {
    /// Name and value, a line each.
    lines: Vec<(Cow<'static, str>, String)>,
    json: Value,
}

impl Facts {
    fn new(lines: Vec<(&'static str, String)>, json: Value) -> Self {
        let lines = lines.into_iter().map(|(name, value)| (name.into(), value));
        Self { lines: lines.collect(), json }
    }
}

/// Prints what is known about a path.
pub(crate) fn info(args: &InfoArgs) -> Result<()> {
    let facts = facts_of(&args.file)?;
    if args.json {
        console::print(facts.json)?;
        return Ok(());
    }
    let width = facts.lines.iter().map(|(name, _)| name.chars().count()).max();
    for (name, value) in &facts.lines {
        let width = width.unwrap_or(0);
        console::print(format_args!("{name:width$}  {value}"))?;
    }
    Ok(())
}

fn facts_of(path: &Path) -> Result<Facts> {
    if path.is_dir() {
        return run_folder::facts(path);
    }
    if path.is_file() {
        let start = start_of(path)?;
        if start.starts_with(b"ply") {
            return ply_facts(path);
        }
        if Format::of_path(path).is_some() {
            return Ok(frame::facts(path, &visco_io::particles::read(path)?));
        }
        if start == MAGIC || path.extension().is_some_and(|e| e == "visco") {
            return checkpoint::facts(path);
        }
    }
    if path.is_file() && is_mesh(path) {
        return Ok(mesh::facts(path, &visco_io::mesh::read(path)?));
    }
    if path.is_file() && path.extension().is_none_or(|e| e != "toml") {
        let message = format!(
            "{}: expected a frame (.ply, .vtp, .bgeo), a checkpoint, the folder of a run, a mesh (.obj, .stl, .gltf, .glb) or a scene file (.toml)",
            path.display()
        );
        return Err(Usage(message).into());
    }
    let spec = path.to_string_lossy();
    Ok(scene_facts(&source::load(&spec, &[])?))
}

/// A PLY file is a frame or, if it has triangles, a mesh.
fn ply_facts(path: &Path) -> Result<Facts> {
    match visco_io::ply::read(path) {
        Ok(frame) => Ok(frame::facts(path, &frame)),
        Err(error) => match visco_io::mesh::read(path) {
            Ok(mesh) => Ok(mesh::facts(path, &mesh)),
            Err(_) => Err(error.into()),
        },
    }
}

/// By the name.
fn is_mesh(path: &Path) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    extension.is_some_and(|e| visco_io::mesh::EXTENSIONS.contains(&e.as_str()))
}

/// The first bytes of a file.
fn start_of(path: &Path) -> Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start))
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(start)
}

fn scene_facts(loaded: &Loaded) -> Facts {
    let (scene, estimate) = (&loaded.scene, loaded.estimate());
    let materials: Vec<&str> = scene.material.iter().map(|m| m.name.as_str()).collect();
    let [x, y, z] = scene.gravity.map(text::short);
    let mut lines = vec![("scene", check::summary(loaded))];
    if !scene.description.is_empty() {
        lines.push(("description", scene.description.clone()));
    }
    lines.extend([
        ("spacing", format!("{} m", scene.spacing)),
        ("gravity", format!("[{x}, {y}, {z}] m/s²")),
        ("materials", materials.join(", ")),
        ("at the start", text::counted(estimate.particles_at_start, "particle")),
        ("fluids", scene.fluid.len().to_string()),
        ("bodies", scene.body.len().to_string()),
        ("emitters", scene.emitter.len().to_string()),
        ("boundaries", scene.boundary.len().to_string()),
    ]);
    let notes: Vec<String> = scene.notes().iter().map(ToString::to_string).collect();
    lines.extend(notes.iter().map(|note| ("note", note.clone())));
    let json = json!({
        "kind": "scene",
        "name": scene.name,
        "description": scene.description,
        "spacing": scene.spacing,
        "gravity": scene.gravity,
        "fps": scene.time.fps,
        "frames": scene.time.frames,
        "particles_at_start": estimate.particles_at_start,
        "particles": estimate.particles,
        "bytes": estimate.bytes,
        "materials": materials,
        "fluids": scene.fluid.len(),
        "bodies": scene.body.len(),
        "emitters": scene.emitter.len(),
        "boundaries": scene.boundary.len(),
        "notes": notes,
    });
    Facts::new(lines, json)
}
