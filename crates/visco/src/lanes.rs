//! Eight pairs of particles at a time: what they are is gathered, and computed with the widest SIMD instructions that the
//! processor has. Which these are is found when the program runs; results are the same with all of them.
//!
//! What is done with lanes is a function `f(simd, …)` that is always inlined, and called by
//! `dispatch!(level(), simd => f(simd, …))`.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, f32x4, f32x8};
use glam::{Vec3, Vec3A, Vec4};
use std::ops::{Add, AddAssign, Mul, Sub};
use std::sync::LazyLock;

pub(crate) use fearless_simd::dispatch;

/// How many.
pub(crate) const LANES: usize = 8;

/// What the processor can do.
#[inline]
pub(crate) fn level() -> Level {
    static FOUND: LazyLock<Level> = LazyLock::new(Level::new);
    *FOUND
}

/// Eight vectors.
#[derive(Clone, Copy)]
pub(crate) struct Vec3x8<S: Simd> {
    pub(crate) x: f32x8<S>,
    pub(crate) y: f32x8<S>,
    pub(crate) z: f32x8<S>,
}

/// Four rows of four numbers as columns.
#[inline(always)]
fn transpose<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (low, high) = ([a.zip_low(c), b.zip_low(d)], [a.zip_high(c), b.zip_high(d)]);
    [low[0].zip_low(low[1]), low[0].zip_high(low[1]), high[0].zip_low(high[1]), high[0].zip_high(high[1])]
}

impl<S: Simd> Vec3x8<S> {
    /// Eight vectors, and the number that stands beside each.
    #[inline(always)]
    pub(crate) fn with_numbers<'a>(simd: S, row: impl Fn(usize) -> &'a Vec4) -> (Self, f32x8<S>) {
        let row = |k: usize| f32x4::simd_from(simd, row(k).to_array());
        let a = transpose([row(0), row(1), row(2), row(3)]);
        let b = transpose([row(4), row(5), row(6), row(7)]);
        (Self { x: a[0].combine(b[0]), y: a[1].combine(b[1]), z: a[2].combine(b[2]) }, a[3].combine(b[3]))
    }

    #[inline(always)]
    pub(crate) fn splat(simd: S, v: Vec3) -> Self {
        let splat = |x: f32| f32x8::splat(simd, x);
        Self { x: splat(v.x), y: splat(v.y), z: splat(v.z) }
    }

    #[inline(always)]
    pub(crate) fn dot(self, b: Self) -> f32x8<S> {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline(always)]
    pub(crate) fn length_squared(self) -> f32x8<S> {
        self.dot(self)
    }

    /// Writes the first of them.
    #[inline(always)]
    pub(crate) fn write(self, simd: S, to: &mut [Vec3A]) {
        let (x, y, z) = (self.x.split(), self.y.split(), self.z.split());
        let nothing = f32x4::splat(simd, 0.0);
        let halves = [transpose([x.0, y.0, z.0, nothing]), transpose([x.1, y.1, z.1, nothing])];
        for (to, row) in to.iter_mut().zip(halves.as_flattened()) {
            *to = Vec3A::from_vec4(Vec4::from_array((*row).into()));
        }
    }

    /// The sum of all eight.
    #[inline(always)]
    pub(crate) fn sum(self) -> Vec3 {
        Vec3::new(sum(self.x), sum(self.y), sum(self.z))
    }
}

impl<S: Simd> Add for Vec3x8<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }
}

impl<S: Simd> AddAssign for Vec3x8<S> {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl<S: Simd> Sub for Vec3x8<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl<S: Simd> Mul<f32x8<S>> for Vec3x8<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32x8<S>) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

/// The sum of eight numbers, in an order that is the same on every processor.
#[inline(always)]
pub(crate) fn sum<S: Simd>(lanes: f32x8<S>) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes.into();
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The sums of four times eight numbers, in the same order.
#[inline(always)]
pub(crate) fn sums<S: Simd>([a, b, c, d]: [f32x8<S>; 4]) -> [f32; 4] {
    let half = |lanes: f32x8<S>| {
        let (low, high) = lanes.split();
        low + high
    };
    let [a, b, c, d] = transpose([half(a), half(b), half(c), half(d)]);
    ((a + c) + (b + d)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// What most is done with, of eight vectors and numbers beside them.
    #[inline(always)]
    fn some<S: Simd>(simd: S, rows: &[Vec4]) -> ([f32; LANES], Vec3, [Vec3A; 5]) {
        let (v, number) = Vec3x8::with_numbers(simd, |k| &rows[k]);
        let r2 = v.length_squared().max(1e-3);
        let ratio = r2.simd_le(number).select(1.0 - number / r2.sqrt(), number * r2);
        let mut written = [Vec3A::ZERO; 5];
        (v * ratio).write(simd, &mut written);
        (ratio.into(), (v * ratio).sum(), written)
    }

    #[test]
    fn results_do_not_depend_on_the_instructions() {
        let mut random = Random::new(5);
        for _ in 0..100 {
            let mut row = |_| Vec3::from_array(random.triple()).extend(2.0 * random.unit());
            let rows: Vec<Vec4> = (0..LANES).map(&mut row).collect();
            let best = dispatch!(level(), simd => some(simd, &rows));
            let plain = dispatch!(Level::baseline(), simd => some(simd, &rows));
            assert_eq!(best, plain);
            // And they are those of one after the other.
            for (k, row) in rows.iter().enumerate() {
                let r2 = row.truncate().length_squared().max(1e-3);
                let ratio = if r2 <= row.w { 1.0 - row.w / r2.sqrt() } else { row.w * r2 };
                assert!((best.0[k] - ratio).abs() < 1e-6, "{} and {ratio}", best.0[k]);
            }
            for (written, (row, ratio)) in best.2.iter().zip(rows.iter().zip(best.0)) {
                assert_eq!(*written, Vec3A::from(row.truncate() * ratio));
            }
        }
    }
}
