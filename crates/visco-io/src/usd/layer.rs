//! A binary USD layer ("crate file", version 0.8.0) with one prim and its attributes.
//!
//! A file is a bootstrap, values, and sections that a table of contents at its end lists. Everything is little-endian.
//! A value is represented by 64 bits: flags, type, and the value itself or its offset in the file.

mod sections;

use super::integers::{compress_32, compress_64};
use glam::Vec3;

/// Length of the bootstrap: magic, version, offset of the contents, reserved.
const BOOTSTRAP: usize = 88;

/// Arrays shorter than this are never compressed.
const MIN_COMPRESSED: usize = 16;

/// Flags of a representation.
const ARRAY: u64 = 1 << 63;
const INLINED: u64 = 1 << 62;
const COMPRESSED: u64 = 1 << 61;

/// Types of values.
const BOOL: u64 = 1;
const INT: u64 = 3;
const INT64: u64 = 5;
const FLOAT: u64 = 8;
const DOUBLE: u64 = 9;
const TOKEN: u64 = 11;
const VEC3F: u64 = 24;
const TOKEN_VECTOR: u64 = 41;
const SPECIFIER: u64 = 42;
const VARIABILITY: u64 = 44;
const TIME_SAMPLES: u64 = 46;
const DOUBLE_VECTOR: u64 = 48;

/// Ends a set of fields.
const END: u32 = u32::MAX;

/// A value as the file refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rep(u64);

impl Rep {
    fn new(kind: u64, flags: u64, payload: u64) -> Self {
        Self(flags | kind << 48 | payload)
    }
}

/// What a path of the layer is; the numbers are those of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Attribute = 1,
    Prim = 6,
    Root = 7,
}

/// What is at a path.
struct Spec {
    kind: Kind,
    /// Token of the last part of the path.
    name: u32,
    /// Where its fields begin among the sets of fields.
    fields: u32,
}

/// A layer under construction: the root, the prim, then its attributes.
pub(super) struct Layer {
    file: Vec<u8>,
    tokens: Vec<String>,
    /// Token of the name, and value.
    fields: Vec<(u32, Rep)>,
    sets: Vec<u32>,
    specs: Vec<Spec>,
}

impl Layer {
    pub(super) fn new() -> Self {
        // A property is known by its token's negative number: none may be number 0.
        let tokens = vec![String::new()];
        Self { file: vec![0; BOOTSTRAP], tokens, fields: Vec::new(), sets: Vec::new(), specs: Vec::new() }
    }

    fn token(&mut self, text: &str) -> u32 {
        let found = self.tokens.iter().position(|t| t == text);
        let at = found.unwrap_or_else(|| {
            self.tokens.push(text.to_owned());
            self.tokens.len() - 1
        });
        at as u32
    }

    pub(super) fn token_value(&mut self, text: &str) -> Rep {
        Rep::new(TOKEN, INLINED, self.token(text).into())
    }

    /// `custom = false`.
    pub(super) fn no(&self) -> Rep {
        Rep::new(BOOL, INLINED, 0)
    }

    /// The specifier `def`.
    pub(super) fn definition(&self) -> Rep {
        Rep::new(SPECIFIER, INLINED, 0)
    }

    /// The variability of what may have samples.
    pub(super) fn varying(&self) -> Rep {
        Rep::new(VARIABILITY, INLINED, 0)
    }

    /// The variability of what has no samples.
    pub(super) fn uniform(&self) -> Rep {
        Rep::new(VARIABILITY, INLINED, 1)
    }

    pub(super) fn double(&mut self, value: f64) -> Rep {
        let single = value as f32;
        if f64::from(single) == value {
            return Rep::new(DOUBLE, INLINED, single.to_bits().into());
        }
        let at = self.align();
        self.file.extend_from_slice(&value.to_le_bytes());
        Rep::new(DOUBLE, 0, at)
    }

    pub(super) fn token_vector(&mut self, texts: &[&str]) -> Rep {
        let tokens: Vec<u32> = texts.iter().map(|text| self.token(text)).collect();
        Rep::new(TOKEN_VECTOR, 0, self.counted(&tokens, |t| t.to_le_bytes()))
    }

    pub(super) fn double_vector(&mut self, values: &[f64]) -> Rep {
        Rep::new(DOUBLE_VECTOR, 0, self.counted(values, |v| v.to_le_bytes()))
    }

    pub(super) fn floats(&mut self, values: &[f32]) -> Rep {
        self.array(FLOAT, values, |v| v.to_le_bytes())
    }

    /// The same number so many times: a table of one value, and where in it each is.
    pub(super) fn equal_floats(&mut self, value: f32, count: usize) -> Rep {
        if count < MIN_COMPRESSED {
            return self.floats(&vec![value; count]);
        }
        let at = self.align();
        self.file.extend_from_slice(&(count as u64).to_le_bytes());
        self.file.push(b't');
        self.file.extend_from_slice(&1_u32.to_le_bytes());
        self.file.extend_from_slice(&value.to_le_bytes());
        sized(&mut self.file, &compress_32(std::iter::repeat_n(0, count)));
        Rep::new(FLOAT, ARRAY | COMPRESSED, at)
    }

    pub(super) fn vectors(&mut self, values: &[Vec3]) -> Rep {
        self.array(VEC3F, values, |v| {
            let [x, y, z] = v.to_array().map(f32::to_le_bytes);
            let mut bytes = [0; 12];
            bytes[..4].copy_from_slice(&x);
            bytes[4..8].copy_from_slice(&y);
            bytes[8..].copy_from_slice(&z);
            bytes
        })
    }

    pub(super) fn ints(&mut self, values: &[i32]) -> Rep {
        if values.len() < MIN_COMPRESSED {
            return self.array(INT, values, |v| v.to_le_bytes());
        }
        let packed = compress_32(values.iter().copied());
        self.compressed(INT, values.len(), &packed)
    }

    pub(super) fn longs(&mut self, values: &[i64]) -> Rep {
        if values.len() < MIN_COMPRESSED {
            return self.array(INT64, values, |v| v.to_le_bytes());
        }
        let packed = compress_64(values.iter().copied());
        self.compressed(INT64, values.len(), &packed)
    }

    /// Values at times.
    pub(super) fn time_samples(&mut self, times: Rep, values: &[Rep]) -> Rep {
        let at = self.align();
        // The numbers lead from themselves to what follows: values could lie in between, but do not.
        let next = 8_i64.to_le_bytes();
        self.file.extend_from_slice(&next);
        self.file.extend_from_slice(&times.0.to_le_bytes());
        self.file.extend_from_slice(&next);
        self.file.extend_from_slice(&(values.len() as u64).to_le_bytes());
        values.iter().for_each(|value| self.file.extend_from_slice(&value.0.to_le_bytes()));
        Rep::new(TIME_SAMPLES, 0, at)
    }

    /// Adds what is at a path: first the root, then the prim, then its attributes.
    pub(super) fn spec(&mut self, kind: Kind, name: &str, fields: &[(&str, Rep)]) {
        let set = self.sets.len() as u32;
        for (field, value) in fields {
            let token = self.token(field);
            self.sets.push(self.fields.len() as u32);
            self.fields.push((token, *value));
        }
        self.sets.push(END);
        let name = self.token(name);
        self.specs.push(Spec { kind, name, fields: set });
    }

    fn align(&mut self) -> u64 {
        self.file.resize(self.file.len().next_multiple_of(8), 0);
        self.file.len() as u64
    }

    /// Values with their number before them.
    fn counted<T, const B: usize>(&mut self, values: &[T], encode: impl Fn(&T) -> [u8; B]) -> u64 {
        let at = self.align();
        self.file.reserve(8 + B * values.len());
        self.file.extend_from_slice(&(values.len() as u64).to_le_bytes());
        values.iter().for_each(|value| self.file.extend_from_slice(&encode(value)));
        at
    }

    fn array<T, const B: usize>(&mut self, kind: u64, values: &[T], encode: impl Fn(&T) -> [u8; B]) -> Rep {
        // Offset 0 stands for an array without elements.
        let at = if values.is_empty() { 0 } else { self.counted(values, encode) };
        Rep::new(kind, ARRAY, at)
    }

    fn compressed(&mut self, kind: u64, count: usize, packed: &[u8]) -> Rep {
        let at = self.align();
        self.file.extend_from_slice(&(count as u64).to_le_bytes());
        sized(&mut self.file, packed);
        Rep::new(kind, ARRAY | COMPRESSED, at)
    }
}

/// Bytes with their number before them.
fn sized(to: &mut Vec<u8>, bytes: &[u8]) {
    to.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    to.extend_from_slice(bytes);
}
