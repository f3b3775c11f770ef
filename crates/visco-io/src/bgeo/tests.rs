use super::*;
use crate::particles::{FrameFileError, Parsed};
use crate::test_frames::{frame, mutations};
use flate2::{Compression, write::GzEncoder};
use glam::Vec3;
use std::io::Write;
use visco::Frame;

fn bytes(frame: &Frame) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, frame).unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Parsed<Frame> {
    parse(bytes).map(|found| found.complete(77))
}

#[test]
fn a_tiny_file_has_these_bytes() {
    let frame = Frame {
        number: 3,
        time: 0.5,
        spacing: 0.25,
        positions: vec![Vec3::new(1.0, -2.0, 0.0)],
        velocities: vec![Vec3::new(0.0, 0.0, 1.0)],
        ids: vec![258],
        materials: vec![7],
        densities: vec![2.0],
        conformations: None,
    };
    let one = [0x3f, 0x80, 0, 0];
    let zero = [0; 4];
    let definition = |name: &[u8], size: u8, kind: u8| {
        [&[0, name.len() as u8], name, &[0, size, 0, 0, 0, kind], &vec![0; 4 * usize::from(size)]].concat()
    };
    let expected = [
        b"BgeoV\0\0\0\x05\0\0\0\x01".to_vec(),
        [0; 12].to_vec(),
        [0, 0, 0, 5].to_vec(),
        [0; 8].to_vec(),
        [0, 0, 0, 3].to_vec(),
        definition(b"v", 3, 5),
        definition(b"id", 1, 1),
        definition(b"pscale", 1, 0),
        definition(b"material", 1, 1),
        definition(b"density", 1, 0),
        [one, [0xc0, 0, 0, 0], zero, one].concat(),
        [zero, zero, one].concat(),
        [0, 0, 1, 2].to_vec(),
        [0x3e, 0, 0, 0].to_vec(),
        [0, 0, 0, 7].to_vec(),
        [0x40, 0, 0, 0].to_vec(),
        definition(b"time", 1, 0),
        definition(b"spacing", 1, 0),
        definition(b"frame", 1, 1),
        [0x3f, 0, 0, 0].to_vec(),
        [0x3e, 0x80, 0, 0].to_vec(),
        [0, 0, 0, 3].to_vec(),
        [0, 0xff].to_vec(),
    ];
    assert_eq!(bytes(&frame), expected.concat());
}

#[test]
fn round_trip_is_exact_but_for_the_time_in_single_precision() {
    for (n, conformations) in [(0, false), (0, true), (1, false), (5, true)] {
        let mut frame = frame(n, conformations);
        let back = read(&bytes(&frame)).unwrap();
        assert_eq!(back.time, f64::from(frame.time as f32));
        frame.time = back.time;
        assert_eq!(back, frame);
    }
}

#[test]
fn a_conformation_of_six_components_is_read_and_one_that_is_not_whole_is_none() {
    let file = bytes(&frame(3, true));
    let renamed = |from: &[u8], to: &[u8]| {
        let at = file.windows(from.len()).position(|w| w == from).unwrap();
        [&file[..at], to, &file[at + from.len()..]].concat()
    };
    let definition = |name: &str, size: u8| {
        [&[0, name.len() as u8], name.as_bytes(), &[0, size, 0, 0, 0, 0], &vec![0; 4 * usize::from(size)]]
            .concat()
    };
    let six = crate::particles::TENSOR.map(|name| definition(name, 1)).concat();
    let mut one = renamed(&six, &definition("conformation", 6));
    // The number of attributes.
    one[28] = 6;
    assert_eq!(read(&one).unwrap().conformations, frame(3, true).conformations);
    let found = read(&renamed(b"qxz", b"abc")).unwrap();
    assert_eq!((found.conformations, found.ids), (None, frame(3, true).ids));
}

#[test]
fn a_compressed_file_is_read() {
    let frame = Frame { time: 0.5, ..frame(4, true) };
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&bytes(&frame)).unwrap();
    let file = gzip.finish().unwrap();
    assert!(file.starts_with(&GZIP_MAGIC));
    assert_eq!(parse_gzip(&file).unwrap().complete(0), frame);
    for length in 0..file.len() {
        assert!(parse_gzip(&file[..length]).is_err(), "{length}");
    }
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let file = bytes(&frame(3, true));
    for length in 0..file.len() {
        assert!(read(&file[..length]).is_err(), "{length} of {}", file.len());
    }
    let start = file.len() - 120;
    let error = read(&file[..start]).unwrap_err();
    assert!(matches!(error, FrameFileError::Cut { found: 2, expected: 3 }), "{error}");
}

#[test]
fn damaged_files_do_not_panic_nor_ask_for_all_memory() {
    for file in mutations(&bytes(&frame(3, true)), 4000) {
        // A changed number is still a frame; a changed header is an error, not a crash.
        let _ = read(&file);
    }
}

#[test]
fn foreign_files_are_refused_with_a_reason_or_read_as_far_as_they_go() {
    let altered = |at: usize, byte: u8| {
        let mut file = bytes(&frame(2, false));
        file[at] = byte;
        file
    };
    let message = |file: &[u8]| read(file).unwrap_err().to_string();
    assert!(message(b"\x7fNSJ....").contains("classic"));
    assert!(message(&altered(8, 6)).contains("version 6"));
    assert!(message(&altered(3, b'x')).contains("not a classic BGEO"));
    // The type of `id`: a string, then one that does not exist.
    let at = 41 + (2 + 1 + 2 + 4 + 12) + (2 + 2 + 2 + 3);
    assert!(message(&altered(at, 2)).contains("attribute id holds strings"));
    assert!(message(&altered(at, 9)).contains("attribute id is of unknown type 9"));
    // With primitives the end is not read: the spacing comes from pscale, the number from the name.
    let primitives = read(&altered(16, 1)).unwrap();
    assert_eq!((primitives.spacing, primitives.number, primitives.time), (0.002, 77, 0.0));
    assert_eq!(primitives.ids, frame(2, false).ids);
}
