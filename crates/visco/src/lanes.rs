//! Eight pairs of particles at a time: what they are is gathered, and computed with SIMD instructions.

use glam::{Vec3, Vec3A, Vec4};
use std::array;
use std::ops::{Add, AddAssign, Mul, Sub};
use wide::{f32x4, f32x8};

/// How many.
pub(crate) const LANES: usize = 8;

/// Eight vectors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vec3x8 {
    pub(crate) x: f32x8,
    pub(crate) y: f32x8,
    pub(crate) z: f32x8,
}

impl Vec3x8 {
    /// Eight vectors, and the number that stands beside each.
    #[inline(always)]
    pub(crate) fn with_numbers(rows: [&Vec4; LANES]) -> (Self, f32x8) {
        let four = |first: usize| f32x4::transpose(array::from_fn(|k| rows[first + k].to_array().into()));
        let (a, b) = (four(0), four(4));
        let [x, y, z, number] = array::from_fn(|k| bytemuck::cast([a[k], b[k]]));
        (Self { x, y, z }, number)
    }

    #[inline(always)]
    pub(crate) fn splat(v: Vec3) -> Self {
        Self { x: f32x8::splat(v.x), y: f32x8::splat(v.y), z: f32x8::splat(v.z) }
    }

    #[inline(always)]
    pub(crate) fn dot(self, b: Self) -> f32x8 {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline(always)]
    pub(crate) fn length_squared(self) -> f32x8 {
        self.dot(self)
    }

    /// Writes the first of them.
    #[inline(always)]
    pub(crate) fn write(self, to: &mut [Vec3A]) {
        let [x, y, z] = [self.x, self.y, self.z].map(bytemuck::cast::<f32x8, [f32x4; 2]>);
        for (k, to) in to.chunks_mut(4).enumerate() {
            let rows = f32x4::transpose([x[k], y[k], z[k], f32x4::ZERO]);
            for (to, row) in to.iter_mut().zip(rows) {
                *to = Vec3A::from_vec4(Vec4::from_array(row.to_array()));
            }
        }
    }

    /// The sum of all eight.
    #[inline(always)]
    pub(crate) fn sum(self) -> Vec3 {
        Vec3::new(sum(self.x), sum(self.y), sum(self.z))
    }
}

impl Add for Vec3x8 {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }
}

impl AddAssign for Vec3x8 {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl Sub for Vec3x8 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl Mul<f32x8> for Vec3x8 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32x8) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

/// Eight numbers.
#[inline(always)]
pub(crate) fn gather(of: impl Fn(usize) -> f32) -> f32x8 {
    f32x8::from(array::from_fn(of))
}

/// The sum of eight numbers, in an order that is the same on every processor.
#[inline(always)]
pub(crate) fn sum(lanes: f32x8) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes.to_array();
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// One where a mask is set, zero elsewhere: to count.
#[inline(always)]
pub(crate) fn ones(mask: f32x8) -> f32x8 {
    mask & f32x8::ONE
}
