//! One mesh in every kind of file, and files that are damaged.

use super::read;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use visco::mesh::{Made, Solid, TriangleMesh};

fn ring() -> TriangleMesh {
    (*Made::Torus.mesh("")).clone()
}

fn obj(mesh: &TriangleMesh) -> String {
    let mut text = "mtllib none.mtl\no ring\nvn 0 1 0\n".to_owned();
    for x in &mesh.positions {
        writeln!(text, "v {} {} {}", x.x, x.y, x.z).unwrap();
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "f {}//1 {}//1 {}//1", a + 1, b + 1, c + 1).unwrap();
    }
    text
}

fn stl_text(mesh: &TriangleMesh) -> String {
    let mut text = "solid ring\n".to_owned();
    for t in 0..mesh.triangles.len() {
        text += "facet normal 0 0 0\nouter loop\n";
        for x in mesh.corners(t) {
            writeln!(text, "  vertex {} {} {}", x.x, x.y, x.z).unwrap();
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid ring\n"
}

/// As some programs write it: a header that begins with `solid`.
fn stl_binary(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = b"solid, but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for t in 0..mesh.triangles.len() {
        bytes.extend([0; 12]);
        bytes.extend(mesh.corners(t).iter().flat_map(|x| x.to_array()).flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

fn ply(mesh: &TriangleMesh, format: &str) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat {format} 1.0\ncomment a ring\nelement vertex {}\nproperty float x\nproperty float y\n\
         property uchar red\nproperty double z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.positions.len(),
        mesh.triangles.len()
    )
    .into_bytes();
    let big = format == "binary_big_endian";
    let put = |bytes: &mut Vec<u8>, mut number: Vec<u8>| {
        if big {
            number.reverse();
        }
        bytes.extend(number);
    };
    for x in &mesh.positions {
        if format == "ascii" {
            bytes.extend(format!("{} {} 255 {}\n", x.x, x.y, x.z).bytes());
            continue;
        }
        put(&mut bytes, x.x.to_le_bytes().into());
        put(&mut bytes, x.y.to_le_bytes().into());
        bytes.push(255);
        put(&mut bytes, f64::from(x.z).to_le_bytes().into());
    }
    for t in &mesh.triangles {
        if format == "ascii" {
            bytes.extend(format!("3 {} {} {}\n", t[0], t[1], t[2]).bytes());
            continue;
        }
        bytes.push(3);
        t.iter().for_each(|v| put(&mut bytes, v.to_le_bytes().into()));
    }
    bytes
}

/// The buffer of a glTF file, and its JSON; the ring is mirrored, turned and moved by two nodes.
fn gltf(mesh: &TriangleMesh, uri: &str) -> (Vec<u8>, String) {
    let mut buffer: Vec<u8> =
        mesh.positions.iter().flat_map(|x| x.to_array()).flat_map(f32::to_le_bytes).collect();
    let split = buffer.len();
    buffer.extend(mesh.triangles.iter().flatten().flat_map(|v| (*v as u16).to_le_bytes()));
    let json = format!(
        r#"{{ "asset": {{ "version": "2.0" }}, "scene": 0, "scenes": [{{ "nodes": [1] }}],
        "nodes": [{{ "mesh": 0, "scale": [1, -1, 1] }},
                  {{ "children": [0], "translation": [3, 0, 0], "rotation": [0, 0.70710678, 0, 0.70710678] }}],
        "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 0 }}, "indices": 1 }}] }}],
        "accessors": [{{ "bufferView": 0, "componentType": 5126, "count": {}, "type": "VEC3" }},
                      {{ "bufferView": 1, "componentType": 5123, "count": {}, "type": "SCALAR" }}],
        "bufferViews": [{{ "buffer": 0, "byteLength": {split} }},
                        {{ "buffer": 0, "byteOffset": {split}, "byteLength": {} }}],
        "buffers": [{{ {uri} "byteLength": {} }}] }}"#,
        mesh.positions.len(),
        3 * mesh.triangles.len(),
        buffer.len() - split,
        buffer.len()
    );
    (buffer, json)
}

fn glb(json: &str, buffer: &[u8]) -> Vec<u8> {
    let mut bytes = b"glTF".to_vec();
    bytes.extend([2_u32, 0].into_iter().flat_map(u32::to_le_bytes));
    let json = format!("{json:width$}", width = json.len().next_multiple_of(4));
    for (kind, content) in [(0x4e4f_534a_u32, json.as_bytes()), (0x004e_4942, buffer)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(content);
    }
    bytes
}

fn write(folder: &TempDir, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn solid(path: &Path) -> Solid {
    let mesh = read(path).unwrap_or_else(|e| panic!("{e}"));
    Solid::new(&mesh).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn every_kind_of_file_gives_the_same_solid() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = ring();
    let exact = Solid::new(&mesh).unwrap();
    let (buffer, inner) = gltf(&mesh, "");
    let (_, outer) = gltf(&mesh, r#""uri": "ring%20of%20bytes.bin","#);
    write(&folder, "ring of bytes.bin", &buffer);
    let files = [
        write(&folder, "ring.obj", obj(&mesh)),
        write(&folder, "text.stl", stl_text(&mesh)),
        write(&folder, "ring.STL", stl_binary(&mesh)),
        write(&folder, "text.ply", ply(&mesh, "ascii")),
        write(&folder, "little.ply", ply(&mesh, "binary_little_endian")),
        write(&folder, "big.ply", ply(&mesh, "binary_big_endian")),
        write(&folder, "ring.gltf", outer),
        write(&folder, "ring.glb", glb(&inner, &buffer)),
    ];
    for path in &files {
        let found = solid(path);
        assert_eq!(found.mesh().triangles.len(), exact.mesh().triangles.len(), "{}", path.display());
        assert!((found.volume() / exact.volume() - 1.0).abs() < 1e-5, "{}", path.display());
        let moved = path.extension().is_some_and(|e| e == "gltf" || e == "glb");
        assert_eq!(found.center().x.round(), if moved { 3.0 } else { 0.0 }, "{}", path.display());
    }
}

#[test]
fn polygons_are_cut_into_triangles() {
    let folder = tempfile::tempdir().unwrap();
    let corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
    let sides = "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    let cube = solid(&write(&folder, "cube.obj", format!("{corners}{sides}")));
    assert_eq!(cube.mesh().triangles.len(), 12);
    assert!((cube.volume() - 1.0).abs() < 1e-6);
}

#[test]
fn damaged_files_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = ring();
    let (buffer, json) = gltf(&mesh, "");
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let needed = json.replace("\"scene\": 0", "\"scene\": 0, \"extensionsRequired\": [\"KHR_draco\"]");
    let circle = json.replace("\"mesh\": 0", "\"mesh\": 0, \"children\": [1]");
    let cases: [(&str, Vec<u8>, &str); 15] = [
        ("a.dae", vec![], "not a mesh file by its name: .obj, .stl"),
        ("a.obj", b"v 0 0 0\nf 1 2 3\n".into(), "not a readable OBJ file"),
        ("b.obj", b"v 0 0 zero\n".into(), "not a readable OBJ file"),
        ("c.obj", b"v 0 0 0\n".into(), "holds no triangles"),
        ("a.stl", cut(stl_binary(&mesh)), "neither a binary STL file nor text"),
        (
            "b.stl",
            cut(stl_binary(&mesh).iter().map(|b| if *b == b's' { b'S' } else { *b }).collect()),
            "it was cut off",
        ),
        ("c.stl", b"solid a\nfacet\nvertex 1 2\n".into(), "line 3: expected vertex and three numbers"),
        ("a.ply", cut(ply(&mesh, "binary_little_endian")), "of 3072 cannot be read"),
        ("b.ply", b"ply\nformat ascii 1.0\nelement vertex many\n".into(), "line 3 of the header"),
        (
            "d.ply",
            b"ply\nformat ascii 1.0\nelement vertex 99999999999\nend_header\n".into(),
            "has no properties",
        ),
        ("c.ply", b"plyy\n".into(), "not a PLY file"),
        ("a.glb", cut(glb(&json, &buffer)), "the GLB file was cut off"),
        ("b.glb", glb(&json, &buffer[..100]), "accessor 0 cannot be read"),
        ("a.gltf", needed.into(), "needs the extension \"KHR_draco\""),
        ("c.glb", glb(&circle, &buffer), "node 1 has two parents"),
    ];
    for (name, bytes, expected) in cases {
        let path = write(&folder, name, bytes);
        let error = read(&path).expect_err(name).to_string();
        assert!(error.contains(expected) && error.contains(name), "{name}: {error}");
    }
    let missing = read(&folder.path().join("none.obj")).expect_err("missing").to_string();
    assert!(missing.contains("cannot read") && missing.contains("none.obj"), "{missing}");
}
