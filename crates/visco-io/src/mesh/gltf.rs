//! glTF 2.0, as text or as GLB: the triangles of all meshes in the scene, with the transforms of their nodes.
//!
//! Read by hand from the JSON: the crate for all of glTF takes longer to build than the rest of this one.

use super::{Parsed, bytes_at};
use crate::base64;
use serde_json::Value;
use std::fs;
use std::path::Path;
use visco::glam::{Mat4, Quat, Vec3};
use visco::mesh::TriangleMesh;

pub(super) fn parse(bytes: &[u8], folder: &Path) -> Parsed<TriangleMesh> {
    let (json, chunk) = match bytes.starts_with(b"glTF") {
        true => open_glb(bytes)?,
        false => (bytes, None),
    };
    let json: Value = serde_json::from_slice(json).map_err(|e| format!("not a glTF file: {e}"))?;
    if let Some(needed) = json["extensionsRequired"].as_array().and_then(|list| list.first()) {
        return Err(format!("needs the extension {needed}, which is not read; export without compression"));
    }
    let buffers = array(&json, "buffers")
        .iter()
        .map(|buffer| load(buffer, chunk, folder))
        .collect::<Parsed<Vec<_>>>()?;
    let document = Document { json: &json, buffers };
    let mut mesh = TriangleMesh::default();
    let mut visited = vec![false; array(&json, "nodes").len()];
    for root in document.roots() {
        document.add_node(root, Mat4::IDENTITY, &mut visited, &mut mesh)?;
    }
    Ok(mesh)
}

/// The JSON and the bytes of a GLB file.
fn open_glb(bytes: &[u8]) -> Parsed<(&[u8], Option<&[u8]>)> {
    let word = |at| bytes_at(bytes, at).map(u32::from_le_bytes);
    let cut = "the GLB file was cut off";
    if word(4) != Some(2) {
        return Err("only version 2 of GLB is read".into());
    }
    let (mut json, mut chunk, mut at) = (None, None, 12);
    while let (Some(length), Some(kind)) = (word(at), word(at + 4)) {
        let end = (at + 8).checked_add(length as usize).ok_or(cut)?;
        let content = bytes.get(at + 8..end).ok_or(cut)?;
        match kind {
            0x4e4f_534a => json = Some(content),
            0x004e_4942 => chunk = Some(content),
            _ => {}
        }
        at = end;
    }
    Ok((json.ok_or(cut)?, chunk))
}

/// The bytes of a buffer: of a data URI, of a file beside this one, or of the GLB file itself.
fn load(buffer: &Value, chunk: Option<&[u8]>, folder: &Path) -> Parsed<Vec<u8>> {
    let Some(uri) = buffer["uri"].as_str() else {
        return chunk.map(<[u8]>::to_vec).ok_or_else(|| "a buffer has no bytes".into());
    };
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(";base64,").ok_or("a data URI is not in base64")?;
        return base64::decode(text).ok_or_else(|| "a data URI is damaged".into());
    }
    let name = uri.replace("%20", " ");
    fs::read(folder.join(&name)).map_err(|e| format!("cannot read its buffer {name:?}: {e}"))
}

fn array<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|i| usize::try_from(i).ok())
}

fn numbers<const N: usize>(value: &Value) -> Option<[f32; N]> {
    let list: Vec<f32> = value.as_array()?.iter().map_while(|x| Some(x.as_f64()? as f32)).collect();
    list.try_into().ok()
}

struct Document<'a> {
    json: &'a Value,
    buffers: Vec<Vec<u8>>,
}

impl Document<'_> {
    /// The nodes of the default scene; without scenes, all nodes that are nobody's child.
    fn roots(&self) -> Vec<usize> {
        let scene = index(&self.json["scene"]).unwrap_or(0);
        if let Some(scene) = array(self.json, "scenes").get(scene) {
            return array(scene, "nodes").iter().filter_map(index).collect();
        }
        let nodes = array(self.json, "nodes");
        let children: Vec<usize> =
            nodes.iter().flat_map(|n| array(n, "children")).filter_map(index).collect();
        (0..nodes.len()).filter(|i| !children.contains(i)).collect()
    }

    fn add_node(
        &self,
        index_of_node: usize,
        parent: Mat4,
        visited: &mut [bool],
        mesh: &mut TriangleMesh,
    ) -> Parsed<()> {
        match visited.get_mut(index_of_node) {
            Some(seen) if !*seen => *seen = true,
            Some(_) => return Err(format!("node {index_of_node} has two parents")),
            None => return Err(format!("there is no node {index_of_node}")),
        }
        let node = &self.json["nodes"][index_of_node];
        let transform = parent * transform(node);
        if let Some(found) = index(&node["mesh"]).and_then(|i| array(self.json, "meshes").get(i)) {
            for primitive in array(found, "primitives") {
                let part = self.primitive(primitive)?.mapped(|x| transform.transform_point3(x));
                // A mirror turns the triangles.
                mesh.append(&if transform.determinant() < 0.0 { part.flipped() } else { part });
            }
        }
        for child in array(node, "children").iter().filter_map(index) {
            self.add_node(child, transform, visited, mesh)?;
        }
        Ok(())
    }

    fn primitive(&self, primitive: &Value) -> Parsed<TriangleMesh> {
        let accessor = index(&primitive["attributes"]["POSITION"]).ok_or("a mesh has no positions")?;
        let positions = self.read(accessor, "VEC3", |bytes, kind| match kind {
            5126 => Some(Vec3::new(
                f32::from_le_bytes(bytes_at(bytes, 0)?),
                f32::from_le_bytes(bytes_at(bytes, 4)?),
                f32::from_le_bytes(bytes_at(bytes, 8)?),
            )),
            _ => None,
        })?;
        let indices: Vec<u32> = match index(&primitive["indices"]) {
            None => (0..positions.len() as u32).collect(),
            Some(accessor) => self.read(accessor, "SCALAR", |bytes, kind| match kind {
                5121 => bytes.first().map(|b| u32::from(*b)),
                5123 => bytes_at(bytes, 0).map(|b| u32::from(u16::from_le_bytes(b))),
                5125 => bytes_at(bytes, 0).map(u32::from_le_bytes),
                _ => None,
            })?,
        };
        let triangles = match primitive["mode"].as_u64().unwrap_or(4) {
            4 => indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
            5 => {
                let turned = |(k, t): (usize, &[u32])| {
                    if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] }
                };
                indices.windows(3).enumerate().map(turned).collect()
            }
            6 => {
                let mut triangles = Vec::new();
                super::fan(&indices, &mut triangles);
                triangles
            }
            // Points and lines.
            _ => Vec::new(),
        };
        Ok(TriangleMesh { positions, triangles })
    }

    /// The entries of an accessor; `entry` reads one from its bytes and the code of its type.
    fn read<T>(&self, accessor: usize, kind: &str, entry: fn(&[u8], u64) -> Option<T>) -> Parsed<Vec<T>> {
        let wrong = || format!("accessor {accessor} cannot be read");
        let found = array(self.json, "accessors").get(accessor).ok_or_else(wrong)?;
        if found.get("sparse").is_some() || found["type"].as_str() != Some(kind) {
            return Err(format!("accessor {accessor} is sparse or not of type {kind}, which is not read"));
        }
        let view = index(&found["bufferView"]).and_then(|i| array(self.json, "bufferViews").get(i));
        let view = view.ok_or_else(wrong)?;
        let buffer = self.buffers.get(index(&view["buffer"]).ok_or_else(wrong)?).ok_or_else(wrong)?;
        let code = found["componentType"].as_u64().ok_or_else(wrong)?;
        let components = if kind == "VEC3" { 3 } else { 1 };
        let size = components
            * match code {
                5121 => 1,
                5123 => 2,
                _ => 4,
            };
        let stride = index(&view["byteStride"]).unwrap_or(size).max(1);
        let offset = |of: &Value| index(&of["byteOffset"]).unwrap_or(0);
        let start = offset(view).saturating_add(offset(found));
        let count = index(&found["count"]).ok_or_else(wrong)?;
        let one = |k: usize| {
            let at = k.checked_mul(stride)?.checked_add(start)?;
            entry(buffer.get(at..)?, code)
        };
        (0..count).map(|k| one(k).ok_or_else(wrong)).collect()
    }
}

/// The transform of a node: a matrix, or translation, rotation and scale.
fn transform(node: &Value) -> Mat4 {
    if let Some(matrix) = numbers::<16>(&node["matrix"]) {
        return Mat4::from_cols_array(&matrix);
    }
    Mat4::from_scale_rotation_translation(
        numbers(&node["scale"]).map_or(Vec3::ONE, Vec3::from_array),
        numbers(&node["rotation"]).map_or(Quat::IDENTITY, Quat::from_array),
        numbers(&node["translation"]).map_or(Vec3::ZERO, Vec3::from_array),
    )
}
