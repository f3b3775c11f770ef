//! `index.json`: what a folder of surfaces holds.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use visco::Scene;
use visco_io::layout::surface_name;
use visco_io::surfaces::{Surface, SurfaceFormat};
use visco_render::{Camera, Look};

const NAME: &str = "index.json";
const FORMAT: &str = "visco surfaces";
const VERSION: u64 = 1;

/// What is known of a surface without reading it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) time: f64,
    vertices: u64,
    triangles: u64,
}

impl Entry {
    pub(super) fn of(surface: &Surface) -> Self {
        let (vertices, triangles) = (surface.positions.len() as u64, surface.triangles.len() as u64);
        Self { time: surface.time, vertices, triangles }
    }

    fn parse(value: &Value) -> Option<(u32, Self)> {
        let count = |name: &str| value[name].as_u64();
        let number = u32::try_from(count("number")?).ok()?;
        let entry = Self {
            time: value["time"].as_f64()?,
            vertices: count("vertices")?,
            triangles: count("triangles")?,
        };
        Some((number, entry))
    }
}

/// The surfaces of a folder, by the numbers of their frames.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) entries: BTreeMap<u32, Entry>,
    /// Names of what corners have beside normals, velocities and materials.
    pub(super) scalars: Vec<String>,
}

impl Index {
    /// What an earlier call left; nothing if it cannot be read.
    pub(super) fn read(folder: &Path) -> Self {
        let text = fs::read(folder.join(NAME)).unwrap_or_default();
        let value: Value = serde_json::from_slice(&text).unwrap_or_default();
        if value["format"] != FORMAT || value["version"] != VERSION {
            return Self::default();
        }
        let list = |name: &str| value[name].as_array().cloned().unwrap_or_default();
        Self {
            entries: list("frames").iter().filter_map(Entry::parse).collect(),
            scalars: list("scalars").iter().filter_map(|s| Some(s.as_str()?.to_owned())).collect(),
        }
    }

    /// Writes the list with what else belongs into it, completely or not at all.
    pub(super) fn write(&self, folder: &Path, mut rest: Value) -> visco_io::Result<()> {
        let frame = |(&number, entry): (&u32, &Entry)| {
            let is_there = |format: &SurfaceFormat| folder.join(surface_name(number, *format)).is_file();
            let format = SurfaceFormat::ALL.into_iter().find(is_there)?;
            Some(json!({
                "number": number,
                "time": entry.time,
                "file": surface_name(number, format),
                "vertices": entry.vertices,
                "triangles": entry.triangles,
            }))
        };
        rest["format"] = FORMAT.into();
        rest["version"] = VERSION.into();
        rest["unit"] = "m".into();
        rest["up"] = "+y".into();
        rest["scalars"] = self.scalars.clone().into();
        rest["frames"] = self.entries.iter().filter_map(frame).collect();
        let text = format!("{rest:#}\n");
        visco_io::atomic::write(&folder.join(NAME), |w| std::io::Write::write_all(w, text.as_bytes()))
    }
}

/// What the scene tells a renderer: its materials, then its bodies, and the camera.
pub(super) fn describe(scene: &Scene, camera: &Camera) -> Value {
    let fluids = scene.material.iter().map(|m| (m.name.clone(), "fluid"));
    let bodies = (0..scene.body.len()).map(|k| (format!("body {k}"), "body"));
    let material = |((name, kind), look): ((String, &str), Look)| {
        json!({
            "name": name,
            "kind": kind,
            "color": look.color.to_array(),
            "opaque": look.opaque,
            "absorption": look.absorption.to_array(),
            "roughness": look.roughness,
            "scatter": look.scatter,
            "reflectance": look.reflectance,
        })
    };
    json!({
        "scene": scene.name,
        "fps": scene.time.fps,
        "materials": fluids.chain(bodies).zip(Look::of_scene(scene)).map(material).collect::<Vec<_>>(),
        "camera": {
            "eye": camera.eye.to_array(),
            "target": camera.target.to_array(),
            "fov": camera.fov.to_degrees(),
        },
    })
}
