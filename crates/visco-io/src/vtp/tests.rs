use super::*;
use crate::particles::Parsed;
use crate::test_frames::{frame, mutations};
use flate2::{Compression, write::ZlibEncoder};
use std::io::Write;
use visco::Frame;

/// The block at the offset that the header gives for an array.
fn block_of<'a>(file: &'a [u8], name: &str) -> &'a [u8] {
    let start = file.windows(5).position(|w| w == b"raw\">").unwrap() + 7;
    assert_eq!(file[start - 1], b'_');
    let header = std::str::from_utf8(&file[..start]).unwrap();
    let tag = header.split('<').find(|t| t.contains(&format!("Name=\"{name}\""))).unwrap();
    let offset = tag.split("offset=\"").nth(1).unwrap().split('"').next().unwrap();
    let block = &file[start + offset.parse::<usize>().unwrap()..];
    let length = u64::from_le_bytes(block[..8].try_into().unwrap()) as usize;
    &block[8..8 + length]
}

#[test]
fn offsets_lead_to_the_arrays() {
    let frame = frame(5, true);
    let mut file = Vec::new();
    write_to(&mut file, &frame).unwrap();
    let floats = |name| -> Vec<f32> {
        let bytes = block_of(&file, name).chunks(4);
        bytes.map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    };
    assert_eq!(floats("density"), frame.densities);
    assert_eq!(floats("Points"), glam_floats(&frame.positions));
    assert_eq!(floats("velocity"), glam_floats(&frame.velocities));
    assert_eq!(block_of(&file, "material"), frame.materials);
    assert_eq!(block_of(&file, "id")[..4], frame.ids[0].to_le_bytes());
    assert_eq!(floats("conformation")[..6], [0.0, 1.0, 2.0, 3.0, 5.0, 4.0]);
    assert_eq!(block_of(&file, "connectivity")[8..16], 1_u64.to_le_bytes());
    assert_eq!(block_of(&file, "offsets")[..8], 1_u64.to_le_bytes());
    assert_eq!(block_of(&file, "offsets").len(), 40);
    assert!(file.ends_with(b"\n</AppendedData>\n</VTKFile>\n"));
}

fn glam_floats(vectors: &[glam::Vec3]) -> Vec<f32> {
    vectors.iter().flat_map(|v| v.to_array()).collect()
}

#[test]
fn a_frame_without_particles_or_conformations_is_written() {
    let mut file = Vec::new();
    write_to(&mut file, &frame(0, false)).unwrap();
    assert_eq!(block_of(&file, "Points"), b"");
    assert!(!String::from_utf8_lossy(&file).contains("conformation"));
}

fn file_of(frame: &Frame) -> Vec<u8> {
    let mut file = Vec::new();
    write_to(&mut file, frame).unwrap();
    file
}

fn read(bytes: &[u8]) -> Parsed<Frame> {
    parse(bytes).map(|found| found.complete(0))
}

/// Two points with an integer array and a field, with a header and an encoding of their numbers.
fn foreign(file: &str, array: impl Fn(&[u8]) -> String) -> String {
    let floats = [0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.5].map(f32::to_le_bytes).concat();
    let ids = [9_i32, 4].map(i32::to_le_bytes).concat();
    format!(
        "<?xml version=\"1.0\"?>\n<!-- a comment -->\n<VTKFile type=\"PolyData\" {file}>\n<PolyData>\
         <Piece NumberOfPoints=\"2\" NumberOfVerts=\"0\"><PointData>\
         <DataArray type=\"Int32\" Name=\"Ids\" format=\"binary\">{}</DataArray></PointData><CellData/>\
         <Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"binary\">\n  {}\n</DataArray></Points>\
         </Piece></PolyData></VTKFile>",
        array(&ids),
        array(&floats)
    )
}

fn encode(bytes: &[u8]) -> String {
    let digit =
        |k: u32| b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[k as usize & 63] as char;
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().chain(&[0; 3]).take(3).fold(0, |bits, byte| bits << 8 | u32::from(*byte));
        let digits = [18, 12, 6, 0].map(|shift| digit(bits >> shift));
        text.extend(&digits[..group.len() + 1]);
        text.extend(std::iter::repeat_n('=', 3 - group.len()));
    }
    text
}

#[test]
fn round_trip_is_exact() {
    for (n, conformations) in [(0, false), (0, true), (1, false), (5, true)] {
        let frame = frame(n, conformations);
        assert_eq!(read(&file_of(&frame)).unwrap(), frame);
    }
}

#[test]
fn inline_arrays_are_read_plain_and_compressed() {
    let plain = foreign("byte_order=\"LittleEndian\"", |bytes| {
        encode(&[&(bytes.len() as u32).to_le_bytes(), bytes].concat())
    });
    let zlib = foreign("header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"", |bytes| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        let packed = encoder.finish().unwrap();
        let header = [1, 32768, bytes.len(), packed.len()].map(|n| (n as u64).to_le_bytes()).concat();
        encode(&header) + &encode(&packed)
    });
    // Two blocks of which the last is full.
    let lz4 = foreign("compressor=\"vtkLZ4DataCompressor\"", |bytes| {
        let half = bytes.len() / 2;
        let packed: Vec<Vec<u8>> = bytes.chunks(half).map(lz4_flex::block::compress).collect();
        let header =
            [2, half, 0, packed[0].len(), packed[1].len()].map(|n| (n as u32).to_le_bytes()).concat();
        encode(&header) + &encode(&packed.concat())
    });
    for text in [plain, zlib, lz4] {
        let found = read(text.as_bytes()).unwrap();
        assert_eq!(glam_floats(&found.positions), [3.0, 4.0, 5.5, 0.0, 1.0, 2.0], "{text}");
        assert_eq!(found.ids, [4, 9]);
        assert!((found.spacing - 5.5).abs() < 0.01, "{}", found.spacing);
        for file in mutations(text.as_bytes(), 1500) {
            let _ = read(&file);
        }
    }
}

#[test]
fn text_and_several_pieces_are_read() {
    let piece = |x: f32| {
        format!(
            "<Piece NumberOfPoints=\"1\"><PointData><DataArray type=\"Float64\" Name=\"density\" format=\"ascii\">{x}\
             </DataArray></PointData><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\
             {x} 2\n3</DataArray></Points></Piece>"
        )
    };
    let text = format!("<VTKFile type=\"UnstructuredGrid\">{}{}</VTKFile>", piece(1.0), piece(7.0));
    let found = read(text.as_bytes()).unwrap();
    assert_eq!(glam_floats(&found.positions), [1.0, 2.0, 3.0, 7.0, 2.0, 3.0]);
    assert_eq!(found.densities, [1.0, 7.0]);
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let file = file_of(&frame(3, true));
    for length in 0..file.len() - 1 {
        assert!(read(&file[..length]).is_err(), "{length}");
    }
}

#[test]
fn damaged_files_do_not_panic_nor_ask_for_all_memory() {
    for file in mutations(&file_of(&frame(2, true)), 4000) {
        let _ = read(&file);
    }
}

#[test]
fn foreign_files_are_refused_with_a_reason() {
    let message = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
    assert!(message("<svg></svg>").contains("cut off"), "{}", message("<svg></svg>"));
    assert!(message("<VTKFile type=\"ImageData\">").contains("type ImageData"));
    assert!(message("<VTKFile type=\"PolyData\" header_type=\"Int\">").contains("header_type"));
    let lzma = foreign("compressor=\"vtkLZMADataCompressor\"", encode);
    assert!(message(&lzma).contains("vtkLZMADataCompressor, which is not read"));
    let empty = foreign("", |_| String::new());
    assert!(message(&empty).contains("cut off"));
}
