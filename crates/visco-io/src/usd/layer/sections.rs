//! The sections after the values, and the table of contents.

use super::{Kind, Layer, Spec, sized};
use crate::usd::MAGIC;
use crate::usd::integers::{compress, compress_32};

/// The oldest that USD does not warn of.
const VERSION: [u8; 8] = [0, 8, 0, 0, 0, 0, 0, 0];

impl Layer {
    /// The whole file.
    pub(in crate::usd) fn finish(mut self) -> Vec<u8> {
        let sections = [
            ("TOKENS", self.token_section()),
            ("STRINGS", 0_u64.to_le_bytes().to_vec()),
            ("FIELDS", self.field_section()),
            ("FIELDSETS", numbers(self.sets.iter().map(|&i| i as i32))),
            ("PATHS", self.path_section()),
            ("SPECS", self.spec_section()),
        ];
        let mut contents = (sections.len() as u64).to_le_bytes().to_vec();
        for (name, bytes) in &sections {
            let mut padded = [0; 16];
            padded[..name.len()].copy_from_slice(name.as_bytes());
            contents.extend_from_slice(&padded);
            contents.extend_from_slice(&(self.file.len() as u64).to_le_bytes());
            contents.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            self.file.extend_from_slice(bytes);
        }
        let at = self.file.len() as u64;
        self.file.extend_from_slice(&contents);
        self.file[..8].copy_from_slice(MAGIC);
        self.file[8..16].copy_from_slice(&VERSION);
        self.file[16..24].copy_from_slice(&at.to_le_bytes());
        self.file
    }

    fn token_section(&self) -> Vec<u8> {
        let text: Vec<u8> = self.tokens.iter().flat_map(|t| t.bytes().chain([0])).collect();
        let mut section = (self.tokens.len() as u64).to_le_bytes().to_vec();
        section.extend_from_slice(&(text.len() as u64).to_le_bytes());
        sized(&mut section, &compress(&text));
        section
    }

    fn field_section(&self) -> Vec<u8> {
        let mut section = numbers(self.fields.iter().map(|(token, _)| *token as i32));
        let reps: Vec<u8> = self.fields.iter().flat_map(|(_, rep)| rep.0.to_le_bytes()).collect();
        sized(&mut section, &compress(&reps));
        section
    }

    /// The tree of paths: number, name (negative for a property), and what follows: −2 nothing below or beside, −1 a
    /// child, 0 a sibling.
    fn path_section(&self) -> Vec<u8> {
        let count = self.specs.len();
        let name = |spec: &Spec| match spec.kind {
            Kind::Attribute => -(spec.name as i32),
            Kind::Prim | Kind::Root => spec.name as i32,
        };
        let follows = |(i, spec): (usize, &Spec)| match spec.kind {
            _ if i + 1 == count => -2,
            Kind::Attribute => 0,
            Kind::Prim | Kind::Root => -1,
        };
        let mut section = (count as u64).to_le_bytes().to_vec();
        section.extend(numbers(0..count as i32));
        sized(&mut section, &compress_32(self.specs.iter().map(name)));
        sized(&mut section, &compress_32(self.specs.iter().enumerate().map(follows)));
        section
    }

    fn spec_section(&self) -> Vec<u8> {
        let mut section = numbers(0..self.specs.len() as i32);
        sized(&mut section, &compress_32(self.specs.iter().map(|s| s.fields as i32)));
        sized(&mut section, &compress_32(self.specs.iter().map(|s| s.kind as i32)));
        section
    }
}

/// Compressed numbers with their count and size before them.
fn numbers(values: impl Iterator<Item = i32> + Clone) -> Vec<u8> {
    let mut section = (values.clone().count() as u64).to_le_bytes().to_vec();
    sized(&mut section, &compress_32(values));
    section
}
