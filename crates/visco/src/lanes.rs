//! Eight pairs of particles at a time: what they are is gathered, and computed with the widest SIMD instructions that the
//! processor has. Which these are is found when the program runs; results are the same with all of them.
//!
//! What is done with lanes is a function `f(simd, …)` that is always inlined, and called by
//! `dispatch!(level(), simd => f(simd, …))`.

use fearless_simd::prelude::*;
#[cfg(target_arch = "x86_64")]
use fearless_simd::{Avx2, kernel};
use fearless_simd::{Level, Simd, f32x4, f32x8};
use glam::{Vec3, Vec3A, Vec4};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, _mm256_unpackhi_ps, _mm256_unpacklo_ps};
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

/// Eight rows of four numbers as columns.
#[inline(always)]
fn columns<'a, S: Simd>(simd: S, row: impl Fn(usize) -> &'a Vec4) -> [f32x8<S>; 4] {
    // Both halves at once, where the processor can: portable shuffles of eight numbers move them across the halves.
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        let row = |k: usize| f32x4::simd_from(avx2, row(k).to_array());
        let two = |k: usize| row(k).combine(row(k + 4));
        let column = |of: f32x8<Avx2>| f32x8::simd_from(simd, <[f32; LANES]>::from(of));
        let [a, b, c, d] = transpose_halves(avx2, [two(0), two(1), two(2), two(3)]);
        return [column(a), column(b), column(c), column(d)];
    }
    let row = |k: usize| f32x4::simd_from(simd, row(k).to_array());
    let [a, b, c, d] = transpose([row(0), row(1), row(2), row(3)]);
    let [e, f, g, h] = transpose([row(4), row(5), row(6), row(7)]);
    [a.combine(e), b.combine(f), c.combine(g), d.combine(h)]
}

#[cfg(target_arch = "x86_64")]
kernel!(
    /// Four rows of four numbers as columns, and four other rows beside them.
    #[inline(always)]
    fn transpose_halves(avx2: Avx2, rows: [f32x8<Avx2>; 4]) -> [f32x8<Avx2>; 4] {
        let [a, b, c, d] = rows;
        let (a, b, c, d): (__m256, __m256, __m256, __m256) = (a.into(), b.into(), c.into(), d.into());
        let (low_ac, high_ac) = (_mm256_unpacklo_ps(a, c), _mm256_unpackhi_ps(a, c));
        let (low_bd, high_bd) = (_mm256_unpacklo_ps(b, d), _mm256_unpackhi_ps(b, d));
        [
            _mm256_unpacklo_ps(low_ac, low_bd).simd_into(avx2),
            _mm256_unpackhi_ps(low_ac, low_bd).simd_into(avx2),
            _mm256_unpacklo_ps(high_ac, high_bd).simd_into(avx2),
            _mm256_unpackhi_ps(high_ac, high_bd).simd_into(avx2),
        ]
    }
);

impl<S: Simd> Vec3x8<S> {
    /// Eight vectors, and the number that stands beside each.
    #[inline(always)]
    pub(crate) fn with_numbers<'a>(simd: S, row: impl Fn(usize) -> &'a Vec4) -> (Self, f32x8<S>) {
        let [x, y, z, numbers] = columns(simd, row);
        (Self { x, y, z }, numbers)
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
