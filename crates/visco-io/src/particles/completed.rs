//! From what a file holds to a whole frame.

use super::{Parsed, spacing, wrong};
use glam::Vec3;
use visco::Frame;

/// Names of the components of the conformation, where each is a column.
pub(crate) const TENSOR: [&str; 6] = ["qxx", "qyy", "qzz", "qxy", "qxz", "qyz"];

/// What a reader found in a file; only positions are always there.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    pub(crate) number: Option<u32>,
    pub(crate) time: Option<f64>,
    pub(crate) spacing: Option<f32>,
    pub(crate) positions: Vec<Vec3>,
    pub(crate) velocities: Option<Vec<Vec3>>,
    pub(crate) ids: Option<Vec<u32>>,
    pub(crate) materials: Option<Vec<u8>>,
    pub(crate) densities: Option<Vec<f32>>,
    pub(crate) conformations: Option<Vec<[f32; 6]>>,
}

/// Numbers of every particle under a name, `components` for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Column {
    pub(crate) components: usize,
    pub(crate) values: Vec<f64>,
}

impl From<Frame> for Found {
    fn from(frame: Frame) -> Self {
        Self {
            number: Some(frame.number),
            time: Some(frame.time),
            spacing: Some(frame.spacing),
            positions: frame.positions,
            velocities: Some(frame.velocities),
            ids: Some(frame.ids),
            materials: Some(frame.materials),
            densities: Some(frame.densities),
            conformations: frame.conformations,
        }
    }
}

impl Found {
    /// A whole frame; `number` is for files that do not tell theirs.
    pub(crate) fn complete(self, number: u32) -> Frame {
        let n = self.positions.len();
        let frame = Frame {
            number: self.number.unwrap_or(number),
            time: self.time.unwrap_or(0.0),
            spacing: self.spacing.unwrap_or_else(|| spacing::mean_nearest_distance(&self.positions)),
            velocities: self.velocities.unwrap_or_else(|| vec![Vec3::ZERO; n]),
            ids: self.ids.unwrap_or_else(|| (0..n as u32).collect()),
            materials: self.materials.unwrap_or_else(|| vec![0; n]),
            densities: self.densities.unwrap_or_else(|| vec![0.0; n]),
            conformations: self.conformations,
            positions: self.positions,
        };
        by_id(frame)
    }

    /// Whether a column under this name is one that is read.
    pub(crate) fn knows(name: &str) -> bool {
        Attribute::of(name).is_some() || TENSOR.contains(&name)
    }

    /// Takes a column by its name as programs use it; others are left alone. An error if it does not fit.
    pub(crate) fn take(&mut self, name: &str, column: &Column) -> Parsed<()> {
        let Some(attribute) = Attribute::of(name) else {
            return Ok(());
        };
        let n = self.positions.len();
        let count = attribute.components() * n;
        if column.components != attribute.components() {
            // Another program may mean something else by the name.
            return Ok(());
        }
        if column.values.len() != count {
            return Err(wrong(format!("{name} has {} values, expected {count}", column.values.len())));
        }
        let values = &column.values;
        match attribute {
            Attribute::Velocity => self.velocities = Some(vectors(values)),
            Attribute::Id => self.ids = whole(values, u32::MAX, |v| v as u32),
            Attribute::Material => self.materials = whole(values, u8::MAX, |v| v as u8),
            Attribute::Density => self.densities = Some(values.iter().map(|v| *v as f32).collect()),
            Attribute::Radius => self.spacing = values.first().map(|r| 2.0 * *r as f32).or(self.spacing),
            Attribute::Conformation => {
                let tensors = values.chunks_exact(6);
                self.conformations = Some(tensors.map(|q| std::array::from_fn(|k| q[k] as f32)).collect());
            }
        }
        Ok(())
    }

    /// Takes the conformation from columns of its components, if all are there.
    pub(crate) fn take_tensor<'a>(&mut self, find: impl Fn(&str) -> Option<&'a [f64]>) -> Parsed<()> {
        match rows(TENSOR.map(find)) {
            Some(values) => self.take("conformation", &Column { components: 6, values }),
            None => Ok(()),
        }
    }
}

/// Columns of equal length as rows, if all are there.
pub(crate) fn rows<const N: usize>(columns: [Option<&[f64]>; N]) -> Option<Vec<f64>> {
    let mut present = [&[][..]; N];
    for (to, column) in present.iter_mut().zip(columns) {
        *to = column?;
    }
    let count = present.iter().map(|column| column.len()).min().unwrap_or(0);
    Some((0..count).flat_map(|i| present.map(|column| column[i])).collect())
}

/// What a column can mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attribute {
    Velocity,
    Id,
    Material,
    Density,
    Radius,
    Conformation,
}

impl Attribute {
    fn of(name: &str) -> Option<Self> {
        Some(match name.to_lowercase().as_str() {
            "v" | "velocity" | "velocities" => Self::Velocity,
            "id" | "ids" | "globalids" => Self::Id,
            "material" => Self::Material,
            "density" => Self::Density,
            "pscale" | "radius" => Self::Radius,
            "conformation" => Self::Conformation,
            _ => return None,
        })
    }

    fn components(self) -> usize {
        match self {
            Self::Velocity => 3,
            Self::Conformation => 6,
            _ => 1,
        }
    }
}

/// Whole numbers up to a bound; `None` where one is no such number: the column means something else.
fn whole<T: Into<f64>>(values: &[f64], max: T, convert: fn(f64) -> T) -> Option<Vec<T>> {
    let max = max.into();
    values.iter().map(|v| (v.fract() == 0.0 && (0.0..=max).contains(v)).then(|| convert(*v))).collect()
}

/// Triples as vectors.
pub(crate) fn vectors(values: &[f64]) -> Vec<Vec3> {
    values.chunks_exact(3).map(|v| Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)).collect()
}

/// The frame in the order of its ids. Where one comes twice they are no ids, and the particles are counted instead.
fn by_id(mut frame: Frame) -> Frame {
    if frame.ids.is_sorted_by(|a, b| a < b) {
        return frame;
    }
    let mut order: Vec<usize> = (0..frame.len()).collect();
    order.sort_by_key(|&i| frame.ids[i]);
    if order.windows(2).any(|pair| frame.ids[pair[0]] == frame.ids[pair[1]]) {
        frame.ids = (0..frame.len() as u32).collect();
        return frame;
    }
    fn permuted<T: Copy>(values: &mut Vec<T>, order: &[usize]) {
        *values = order.iter().map(|&i| values[i]).collect();
    }
    permuted(&mut frame.positions, &order);
    permuted(&mut frame.velocities, &order);
    permuted(&mut frame.ids, &order);
    permuted(&mut frame.materials, &order);
    permuted(&mut frame.densities, &order);
    if let Some(q) = &mut frame.conformations {
        permuted(q, &order);
    }
    frame
}
