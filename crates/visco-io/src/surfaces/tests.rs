use super::*;

/// A tetrahedron with all that a surface has.
pub(super) fn tetrahedron() -> Surface {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    Surface {
        number: 12,
        time: 0.4,
        normals: Surface::area_normals(&positions, &triangles),
        velocities: (0..4).map(|i| Vec3::new(i as f32, -0.5, 1e-7)).collect(),
        materials: vec![0, 1, 2, 255],
        scalars: vec![Scalar { name: "density".into(), values: vec![1000.0, 999.5, 1001.0, 0.0] }],
        positions,
        triangles,
    }
}

fn ply_bytes(surface: &Surface) -> Vec<u8> {
    let mut bytes = Vec::new();
    ply::write_to(&mut bytes, surface).unwrap();
    bytes
}

#[test]
fn round_trip_is_exact() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ply");
    for surface in [tetrahedron(), Surface::default()] {
        surface.write(&path, SurfaceFormat::Ply).unwrap();
        assert_eq!(Surface::read(&path).unwrap(), surface);
    }
}

#[test]
fn normals_point_out_of_a_tetrahedron() {
    let surface = tetrahedron();
    let center = Vec3::splat(0.25);
    for (x, n) in surface.positions.iter().zip(&surface.normals) {
        assert!((x - center).normalize().dot(*n) > 0.9 && (n.length() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn foreign_files_get_what_they_lack() {
    let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
                element face 1\nproperty list uchar int vertex_index\nend_header\n\
                0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
    let surface = ply::parse(text.as_bytes()).unwrap();
    assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(surface.normals, [Vec3::Z; 4]);
    assert_eq!((surface.materials, surface.velocities), (vec![0; 4], vec![Vec3::ZERO; 4]));
    assert_eq!((surface.number, surface.time), (0, 0.0));
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let file = ply_bytes(&tetrahedron());
    for length in 0..file.len() {
        assert!(ply::parse(&file[..length]).is_err(), "{length}");
    }
}

#[test]
fn a_corner_that_is_not_there_is_an_error_in_and_out() {
    let mut surface = tetrahedron();
    surface.triangles[1][2] = 4;
    let error = ply::parse(&ply_bytes(&surface)).unwrap_err();
    assert_eq!(error, "has a triangle with corner 4 of 4");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ply");
    assert!(surface.write(&path, SurfaceFormat::Ply).is_err());
    surface.triangles.clear();
    surface.materials.pop();
    assert!(surface.write(&path, SurfaceFormat::Ply).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn obj_is_exact_and_counts_from_one() {
    let surface = tetrahedron();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obj");
    surface.write(&path, SurfaceFormat::Obj).unwrap();
    let mesh = crate::mesh::read(&path).unwrap();
    // The reader names corners anew.
    let corners = |positions: &[Vec3], triangles: &[[u32; 3]]| -> Vec<[Vec3; 3]> {
        triangles.iter().map(|corners| corners.map(|i| positions[i as usize])).collect()
    };
    assert_eq!(corners(&mesh.positions, &mesh.triangles), corners(&surface.positions, &surface.triangles));
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("vn ")).count(), 4);
    assert!(text.contains("\nf 1//1 3//3 2//2\n"), "{text}");
}

#[test]
fn the_lists_play_what_they_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let frames = [(0, 0.0), (3, 0.1)];
    let list = |format| {
        let path = list_surfaces(folder.path(), format, (&frames, 30.0), &["density".into()]).unwrap();
        path.map(|path| fs::read_to_string(path).unwrap())
    };
    assert_eq!(list(SurfaceFormat::Ply), None);
    let collection = list(SurfaceFormat::Vtp).unwrap();
    assert!(collection.contains(r#"timestep="0.1" part="0" file="surface_000003.vtp""#), "{collection}");
    let stage = list(SurfaceFormat::Usd).unwrap();
    for text in [
        "endTimeCode = 3",
        "def Mesh \"surface\"",
        "asset[] assetPaths = [@./surface_000000.usdc@, @./surface_000003.usdc@]",
        "double2[] active = [(0, 0), (3, 1)]",
        "uniform token subdivisionScheme = \"none\"",
        "float[] primvars:density (interpolation = \"vertex\")",
    ] {
        assert!(stage.contains(text), "{text} in {stage}");
    }
}

#[test]
fn names_and_extensions_lead_to_the_format() {
    for format in SurfaceFormat::ALL {
        assert_eq!(format.name().parse(), Ok(format));
        let name = crate::layout::surface_name(7, format);
        assert_eq!(SurfaceFormat::of_path(Path::new(&name)), Some(format));
    }
    assert!("stl".parse::<SurfaceFormat>().unwrap_err().ends_with("ply, obj, vtp, usd"));
}
