//! Four pairs of particles at a time: what they are is gathered, and computed with SIMD instructions.
//!
//! Four, as every processor has registers for: with eight, sums over neighbours do not fit the sixteen of them that the
//! oldest x86-64 has.

use glam::{Vec3, Vec3A, Vec4};
use std::array;
use std::ops::{Add, AddAssign, Mul, Sub};
use wide::f32x4;

/// How many.
pub(crate) const LANES: usize = 4;

/// Four vectors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vec3x4 {
    pub(crate) x: f32x4,
    pub(crate) y: f32x4,
    pub(crate) z: f32x4,
}

impl Vec3x4 {
    /// Four vectors, and the number that stands beside each.
    #[inline(always)]
    pub(crate) fn with_numbers(rows: [Vec4; LANES]) -> (Self, f32x4) {
        let [a, b, c, d] = rows;
        let [x, y, z, number] = f32x4::transpose([
            a.to_array().into(),
            b.to_array().into(),
            c.to_array().into(),
            d.to_array().into(),
        ]);
        (Self { x, y, z }, number)
    }

    #[inline(always)]
    pub(crate) fn splat(v: Vec3) -> Self {
        Self { x: f32x4::splat(v.x), y: f32x4::splat(v.y), z: f32x4::splat(v.z) }
    }

    #[inline(always)]
    pub(crate) fn dot(self, b: Self) -> f32x4 {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline(always)]
    pub(crate) fn length_squared(self) -> f32x4 {
        self.dot(self)
    }

    /// Writes the first of them.
    #[inline(always)]
    pub(crate) fn write(self, to: &mut [Vec3A]) {
        let rows = f32x4::transpose([self.x, self.y, self.z, f32x4::ZERO]);
        for (to, row) in to.iter_mut().zip(rows) {
            *to = Vec3A::from_vec4(Vec4::from_array(row.to_array()));
        }
    }

    /// The sum of all four.
    #[inline(always)]
    pub(crate) fn sum(self) -> Vec3 {
        Vec3::new(sum(self.x), sum(self.y), sum(self.z))
    }
}

impl Add for Vec3x4 {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }
}

impl AddAssign for Vec3x4 {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl Sub for Vec3x4 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl Mul<f32x4> for Vec3x4 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32x4) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

/// Four numbers.
#[inline(always)]
pub(crate) fn gather(of: impl Fn(usize) -> f32) -> f32x4 {
    f32x4::from(array::from_fn(of))
}

/// The sum of four numbers, in an order that is the same on every processor.
#[inline(always)]
pub(crate) fn sum(lanes: f32x4) -> f32 {
    let [a, b, c, d] = lanes.to_array();
    (a + c) + (b + d)
}

/// One where a mask is set, zero elsewhere: to count.
#[inline(always)]
pub(crate) fn ones(mask: f32x4) -> f32x4 {
    mask & f32x4::ONE
}
