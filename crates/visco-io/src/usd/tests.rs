use super::*;
use crate::test_frames::frame;

fn bytes(frame: &Frame) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, frame).unwrap();
    bytes
}

fn u64_at(file: &[u8], at: usize) -> usize {
    u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize
}

#[test]
fn contents_lead_to_sections_that_fill_the_file() {
    for (n, conformations) in [(0, false), (3, false), (40, true)] {
        let file = bytes(&frame(n, conformations));
        assert_eq!(&file[..10], b"PXR-USDC\0\x08");
        let contents = u64_at(&file, 16);
        assert_eq!(u64_at(&file, contents), 6);
        let mut end = None;
        for i in 0..6 {
            let entry = contents + 8 + 32 * i;
            let (start, size) = (u64_at(&file, entry + 16), u64_at(&file, entry + 24));
            assert!(end.is_none_or(|end| end == start));
            end = Some(start + size);
        }
        assert_eq!(end, Some(contents));
        assert_eq!(file.len(), contents + 8 + 32 * 6);
    }
}

#[test]
fn positions_lie_in_the_file_as_they_are_and_numbers_are_small() {
    let frame = Frame { ids: (0..1000).collect(), materials: vec![3; 1000], ..frame(1000, true) };
    let file = bytes(&frame);
    let positions: Vec<u8> =
        frame.positions.iter().flat_map(|x| x.to_array()).flat_map(f32::to_le_bytes).collect();
    let at = file.windows(32).position(|w| w == &positions[..32]).unwrap();
    assert!(at.is_multiple_of(8) && file[at..].starts_with(&positions));
    assert_eq!(u64_at(&file, at - 8), 1000);
    // 12 bytes each for positions and velocities, 4 for density, 24 for the conformation.
    assert!(file.len() < 1000 * 52 + 2500, "{}", file.len());
}

#[test]
fn the_extent_holds_the_spheres_and_no_bad_particle() {
    let mut frame = frame(3, false);
    frame.spacing = 2.0;
    frame.positions = vec![Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0), Vec3::NAN];
    assert_eq!(extent(&frame), [Vec3::NEG_ONE, Vec3::new(2.0, 3.0, 4.0)]);
    frame.positions.clear();
    assert_eq!(extent(&frame), [Vec3::ZERO; 2]);
}

#[test]
fn the_stage_declares_what_the_frames_have() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("particles.usda");
    assert_eq!(declares_conformation(&path), None);
    for conformation in [false, true] {
        Stage { frames: vec![2, 3, 149], fps: 29.97, conformation }.write(&path).unwrap();
        assert_eq!(declares_conformation(&path), Some(conformation));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("endTimeCode = 149\n    timeCodesPerSecond = 29.97\n"), "{text}");
        assert!(text.contains("@./particles_000003.usdc@, @./particles_000149.usdc@]"), "{text}");
        assert!(text.contains("active = [(2, 0), (3, 1), (149, 2)]"), "{text}");
        assert!(text.contains("times = [(2, 2), (149, 149)]"), "{text}");
        assert_eq!(text.matches("\n    }").count(), 1);
        let attributes = text
            .lines()
            .filter(|line| line.starts_with("    ") && line.contains("[] ") && !line.contains('='));
        let annotated = text.matches("(interpolation = ").count();
        assert_eq!((attributes.count(), annotated), if conformation { (5, 4) } else { (5, 2) });
    }
}

#[test]
fn arrays_of_unequal_length_are_not_written() {
    let mut frame = frame(3, true);
    frame.ids.pop();
    assert!(write_to(&mut Vec::new(), &frame).is_err());
}
