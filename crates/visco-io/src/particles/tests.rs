use super::*;
use crate::test_frames::{frame, mutations};
use glam::Vec3;

/// Three particles without anything else.
const ASCII: &str = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\n\
    element vertex 3\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nend_header\n\
    3 0 1 2\n0 0 0 255\n0.5 0 0 0\n1 0 0 9\n";

#[test]
fn every_format_that_is_read_gives_the_frame_back() {
    let folder = tempfile::tempdir().unwrap();
    for (n, conformations) in [(0, false), (0, true), (1, true), (40, false), (40, true)] {
        // A time that BGEO can hold.
        let frame = Frame { time: 0.375, ..frame(n, conformations) };
        for format in Format::READABLE {
            let path = folder.path().join(format!("a.{}", format.extension()));
            write(&path, &frame, format).unwrap();
            assert_eq!(read(&path).unwrap(), frame, "{format:?}");
        }
    }
}

#[test]
fn bits_survive_chains_of_formats() {
    let folder = tempfile::tempdir().unwrap();
    let mut expected = Frame { time: 0.375, ..frame(30, true) };
    // Numbers at the ends of what a float can be.
    expected.positions[0] = Vec3::new(f32::MIN_POSITIVE, -0.0, f32::MAX);
    expected.velocities[1] = Vec3::new(1e-45, f32::NEG_INFINITY, 1.0 / 3.0);
    let mut last = expected.clone();
    for format in [Format::Bgeo, Format::Vtp, Format::Ply, Format::Vtp, Format::Bgeo] {
        let path = folder.path().join(format!("a.{}", format.extension()));
        write(&path, &last, format).unwrap();
        last = read(&path).unwrap();
    }
    assert_eq!(last.hash(), expected.hash());
    assert_eq!((last.number, last.spacing), (expected.number, expected.spacing));
}

#[test]
fn a_point_cloud_is_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scan.v2_0041.ply");
    fs::write(&path, ASCII).unwrap();
    let cloud = read(&path).unwrap();
    assert_eq!(cloud.positions, [0.0, 0.5, 1.0].map(|x| Vec3::new(x, 0.0, 0.0)));
    assert_eq!((cloud.spacing, cloud.time), (0.5, 0.0));
    assert_eq!(cloud.ids, [0, 1, 2]);
    assert_eq!(cloud.velocities, [Vec3::ZERO; 3]);
    assert_eq!((cloud.materials, cloud.densities), (vec![0; 3], vec![0.0; 3]));
    assert_eq!(cloud.conformations, None);
    assert_eq!(number_of(Path::new("a/scan_0041.ply")), 41);
    assert_eq!(number_of(Path::new("scan.ply")), 0);
}

#[test]
fn properties_by_visco_s_names_are_taken_from_foreign_files() {
    let with = ASCII
        .replace(
            "property uchar red",
            "property float vx\nproperty float vy\nproperty float vz\nproperty int id\nproperty float radius",
        )
        .replace("0 0 0 255", "0 0 0  1 2 3  7 0.25")
        .replace("0.5 0 0 0", "0.5 0 0  4 5 6  3 0.25")
        .replace("1 0 0 9", "1 0 0  7 8 9  5 0.25");
    let found = parse(with.as_bytes()).unwrap().complete(0);
    assert_eq!(found.ids, [3, 5, 7]);
    assert_eq!(found.velocities[2], Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(found.positions[0].x, 0.5);
    assert_eq!(found.spacing, 0.5);
    // Ids that come twice, or are no whole numbers, are none.
    for other in ["  3 0.25", "  -7 0.25", "  7.5 0.25"] {
        let found = parse(with.replace("  7 0.25", other).as_bytes()).unwrap().complete(0);
        assert_eq!(found.ids, [0, 1, 2], "{other}");
    }
}

#[test]
fn what_is_no_frame_is_refused_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        read(&path).unwrap_err().to_string()
    };
    assert!(message("a.ply", b"nothing").contains("a.ply: not a frame of particles"));
    assert!(message("a.usdc", b"PXR-USDC").contains("USD is written, not read"));
    assert!(message("a.ply", ASCII.replace("vertex 3", "vertex 4").as_bytes()).contains("after 3 of 4"));
    assert!(message("a.ply", ASCII.replace("double z", "double w").as_bytes()).contains("without positions"));
    assert!(
        message("a.ply", ASCII.replace("element vertex", "element other").as_bytes())
            .contains("no element vertex")
    );
    assert!(read(&folder.path().join("b.ply")).unwrap_err().to_string().contains("b.ply"));
}

#[test]
fn damaged_point_clouds_do_not_panic() {
    for file in mutations(ASCII.as_bytes(), 3000) {
        let _ = parse(&file).map(|found| found.complete(0));
    }
}
