use super::*;
use crate::test_frames::frame;
use visco::Frame;

fn bytes(frame: &Frame) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, frame).unwrap();
    bytes
}

fn parse(bytes: &[u8]) -> Result<Frame, PlyError> {
    read_from(&mut &bytes[..])
}

/// The file with a text in its header replaced.
fn altered(from: &str, to: &str) -> Vec<u8> {
    let file = bytes(&frame(2, true));
    let at = file.windows(from.len()).position(|w| w == from.as_bytes()).unwrap();
    [&file[..at], to.as_bytes(), &file[at + from.len()..]].concat()
}

#[test]
fn header_has_the_pinned_properties_in_order() {
    let file = bytes(&frame(2, true));
    let text = String::from_utf8_lossy(&file);
    let header = text.split("end_header\n").next().unwrap();
    let properties: Vec<&str> = header.lines().filter_map(|l| l.strip_prefix("property ")).collect();
    assert_eq!(
        properties.join(", "),
        "float x, float y, float z, float vx, float vy, float vz, uint id, uchar material, \
         float density, float qxx, float qyy, float qzz, float qxy, float qxz, float qyz"
    );
    assert!(header.starts_with("ply\nformat binary_little_endian 1.0\n"));
    assert!(header.contains("element vertex 2\n"));
    assert!(header.contains("comment frame 12\n"));
    assert_eq!(file.len(), header.len() + "end_header\n".len() + 2 * (9 * 4 - 3 + 6 * 4));
}

#[test]
fn round_trip_is_exact() {
    for (n, conformations) in [(0, false), (0, true), (1, false), (5, true)] {
        let frame = frame(n, conformations);
        assert_eq!(parse(&bytes(&frame)).unwrap(), frame);
    }
}

#[test]
fn round_trip_keeps_infinities_and_not_a_number() {
    let mut frame = frame(3, false);
    frame.positions[1].y = f32::NAN;
    frame.densities[2] = f32::INFINITY;
    let back = parse(&bytes(&frame)).unwrap();
    assert!(back.positions[1].y.is_nan());
    assert_eq!(back.densities, frame.densities);
}

#[test]
fn round_trip_through_a_file_and_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ply");
    let frame = frame(4, true);
    write(&path, &frame).unwrap();
    assert_eq!(read(&path).unwrap(), frame);
    std::fs::write(&path, "nothing").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.ends_with("a.ply: not a PLY file"), "{error}");
}

#[test]
fn a_file_cut_anywhere_is_an_error_that_says_so() {
    let file = bytes(&frame(3, true));
    for length in 0..file.len() {
        let error = parse(&file[..length]).unwrap_err();
        match error {
            PlyError::NotPly => assert!(length < 4, "{length}"),
            PlyError::CutHeader | PlyError::Cut { .. } => {
                assert!(error.to_string().contains("cut off"));
            }
            other => panic!("{length}: {other}"),
        }
    }
}

#[test]
fn a_file_with_any_byte_changed_does_not_panic() {
    let file = bytes(&frame(2, true));
    for at in 0..file.len() {
        for value in [0, b' ', b'\n', b'9', 0xff] {
            let mut file = file.clone();
            file[at] = value;
            // A changed number is still a frame; a changed header is an error, not a crash.
            let _ = parse(&file);
        }
    }
}

#[test]
fn a_huge_count_is_an_error_and_asks_for_no_memory() {
    let error = parse(&altered("vertex 2", "vertex 18446744073709551615")).unwrap_err();
    assert!(matches!(error, PlyError::Cut { found: 2, .. }), "{error}");
    assert!(parse(&altered("vertex 2", "vertex -1")).is_err());
}

#[test]
fn foreign_files_are_refused_with_a_reason() {
    let message = |from, to| parse(&altered(from, to)).unwrap_err().to_string();
    assert!(message("binary_little_endian", "ascii").contains("in ascii format"));
    assert!(message("binary_little_endian", "binary_big_endian").contains("in binary_big_endian"));
    assert!(message("property float density\n", "").contains("property density is missing"));
    assert!(message("property float qyz\n", "").contains("property qyz is missing"));
    assert!(message("float vx", "double vx").contains("vx is of type double, expected float"));
    assert!(message("float vx", "float x").contains("comes twice"));
    assert!(message("float vx", "real vx").contains("unknown type"));
    assert!(message("property float x", "property list uchar int x").contains("lists"));
    assert!(message("element vertex", "element face").contains("before element vertex"));
    assert!(message("comment frame 12", "hello").contains("line 5"));
    assert!(message("vertex 2", "vertex 1").contains("goes on after"));
    let endless = [b"ply\n".to_vec(), vec![b'a'; 100_000]].concat();
    assert!(parse(&endless).is_err());
    let endless = [b"ply\n".to_vec(), b"comment a\n".repeat(20_000)].concat();
    assert!(parse(&endless).is_err());
}

#[test]
fn unknown_properties_other_names_of_types_and_later_elements_are_read_past() {
    let extended = altered("property float x\n", "property float32 x\r\nproperty double extra\n");
    let start = extended.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
    let (header, body) = extended.split_at(start);
    let rows: Vec<u8> = body.chunks(57).flat_map(|row| [&row[..4], &[9; 8], &row[4..]].concat()).collect();
    assert_eq!(parse(&[header, &rows].concat()).unwrap(), frame(2, true));

    let mut with_faces = altered("end_header", "element face 1\nproperty list uchar int i\nend_header");
    with_faces.extend([1, 0, 0, 0, 0]);
    assert_eq!(parse(&with_faces).unwrap(), frame(2, true));
}

#[test]
fn arrays_of_unequal_length_are_not_written() {
    let mut frame = frame(3, true);
    frame.densities.pop();
    assert!(write_to(&mut Vec::new(), &frame).is_err());
}
