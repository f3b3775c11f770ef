//! Damaged checkpoints: whatever the bytes, the reader answers.

use super::{Checkpoint, Header, blocks, head};
use crate::random::Random;
use crate::scene::Method;
use crate::{Changes, Scene, Simulation};
use std::ops::ControlFlow;

const SCENE: &str = r#"
name = "small"
spacing = 0.01
time = { fps = 60, frames = 9, steps_per_frame = 1 }
material = [{ name = "slime", viscosity = 20, relaxation_time = 0.1 }]
fluid = [{ material = "slime", shape = { box = { min = [0, 0, 0], max = [0.02, 0.02, 0.03] } } }]
[[emitter]]
material = "slime"
nozzle = { disc = { radius = 0.01 } }
position = [0, 0.2, 0]
direction = [0, -1, 0]
speed = 0.5
[[boundary]]
shape = { plane = { point = [0, -0.01, 0], normal = [0, 1, 0] } }
"#;

fn at_the_start(method: &str) -> Simulation {
    let scene = Scene::from_toml(&format!("method = \"{method}\"\n{SCENE}")).expect("valid");
    Simulation::new(&scene).expect("no overlap")
}

fn simulation(method: &str) -> Simulation {
    let mut simulation = at_the_start(method);
    simulation.advance_frame(|_| ControlFlow::Continue(())).expect("a calm scene");
    simulation
}

fn written(checkpoint: &Checkpoint) -> Vec<u8> {
    let mut bytes = Vec::new();
    checkpoint.write(&mut bytes).expect("memory can be written to");
    bytes
}

fn below(random: &mut Random, n: usize) -> usize {
    ((random.unit() * n as f32) as usize).min(n.saturating_sub(1))
}

/// One to three injuries: bits flipped, bytes set, stretches cut, copied or made up.
fn damage(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + below(random, 3) {
        let at = below(random, bytes.len());
        let end = (at + 1 + below(random, 12)).min(bytes.len());
        match below(random, 6) {
            _ if bytes.is_empty() => {}
            0 | 1 => bytes[at] ^= 1 << below(random, 8),
            2 => bytes[at] = [0, 0xff, 0x7f, 0x80][below(random, 4)],
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                let to = below(random, bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Reads bytes and continues from them if they are accepted; whether they were.
fn is_accepted(bytes: &[u8], into: &Simulation) -> bool {
    match Checkpoint::read(bytes) {
        Ok(checkpoint) => into.clone().restore(&checkpoint, Changes::Refused).is_ok(),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

#[test]
fn damaged_files_are_refused() {
    let mut random = Random::new(1);
    for method in Method::ALL.map(Method::name) {
        let simulation = simulation(method);
        let bytes = written(&simulation.checkpoint());
        for _ in 0..20_000 {
            let damaged = damage(&bytes, &mut random);
            // A checksum of 32 bits finds all of so few.
            assert!(damaged == bytes || !is_accepted(&damaged, &simulation));
            let _ = Header::read(&damaged[..]);
        }
    }
}

/// Damage whose checksums are right: the reader must find it, or live with it.
#[test]
fn no_damage_to_the_header_makes_the_reader_panic() {
    let mut random = Random::new(2);
    let simulation = simulation("coupled");
    let whole = simulation.checkpoint();
    let (index, packed) = blocks::compress(&whole.state);
    let header = postcard::to_allocvec(&(&whole.header, &index)).expect("a header");
    let prefix = &head(&whole.header, &index)[..12];
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..30_000 {
        let header = damage(&header, &mut random);
        let mut bytes = prefix.to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&header).to_le_bytes());
        bytes.extend(header);
        blocks::write(&packed, &mut bytes).expect("memory can be written to");
        if is_accepted(&bytes, &simulation) { accepted += 1 } else { refused += 1 }
    }
    assert!(accepted > 10 && refused > 20_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn no_damage_to_the_state_makes_the_reader_panic() {
    let mut random = Random::new(3);
    let (mut accepted, mut refused) = (0, 0);
    for method in Method::ALL.map(Method::name) {
        let simulation = simulation(method);
        let whole = simulation.checkpoint();
        for _ in 0..25_000 {
            let state = damage(&whole.state, &mut random);
            let bytes = written(&Checkpoint { header: whole.header.clone(), state });
            if is_accepted(&bytes, &simulation) { accepted += 1 } else { refused += 1 }
        }
    }
    // The damage must be neither fatal always nor harmless always, or the test would say little.
    assert!(accepted > 5000 && refused > 5000, "{accepted} accepted, {refused} refused");
}

#[test]
fn a_file_cannot_make_its_reader_allocate_more_than_it_can_fill() {
    let simulation = simulation("coupled");
    let whole = simulation.checkpoint();
    let (mut index, packed) = blocks::compress(&whole.state);
    index.length = 1 << 50;
    let mut bytes = head(&whole.header, &index);
    blocks::write(&packed, &mut bytes).expect("memory can be written to");
    assert!(Checkpoint::read(&bytes[..]).is_err());
}

/// Fails where what is stored has changed: raise [`super::FORMAT`], then put the new number here.
#[test]
fn another_layout_needs_another_format() {
    let bytes = |method| at_the_start(method).checkpoint().state_bytes();
    let expected = [1006, 1446, 579, 479, 478, 1078, 527, 725, 766];
    assert_eq!((super::FORMAT, Method::ALL.map(Method::name).map(bytes)), (4, expected));
}
