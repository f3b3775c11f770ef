//! The space that particles live in: unbounded, or repeated along some axes.

use crate::lanes::Vec3x8;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};
use glam::{Vec3, Vec3A};

/// A domain that may repeat along some axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Domain {
    periodic: bool,
    min: Vec3,
    /// Period of each axis; zero where space does not repeat.
    size: Vec3,
    /// One over the period, zero where space does not repeat.
    inverse: Vec3,
}

impl Domain {
    /// Space that repeats nowhere.
    pub const UNBOUNDED: Self =
        Self { periodic: false, min: Vec3::ZERO, size: Vec3::ZERO, inverse: Vec3::ZERO };

    /// Space that repeats with the box from `min` to `max` along the axes that are true.
    pub fn periodic(min: Vec3, max: Vec3, axes: [bool; 3]) -> Self {
        let on = Vec3::from_array(axes.map(|a| f32::from(u8::from(a))));
        let size = (max - min) * on;
        let inverse = Vec3::from_array(size.to_array().map(|s| if s > 0.0 { 1.0 / s } else { 0.0 }));
        Self { periodic: axes.contains(&true), min, size, inverse }
    }

    /// Whether any axis repeats.
    pub fn is_periodic(&self) -> bool {
        self.periodic
    }

    /// A corner of the box that repeats.
    pub(crate) fn origin(&self) -> Vec3 {
        self.min
    }

    /// The period of each axis that repeats.
    pub(crate) fn extent(&self) -> [Option<f32>; 3] {
        self.size.to_array().map(|s| (s > 0.0).then_some(s))
    }

    /// The vector between the nearest images of two points that `e` apart.
    #[inline]
    pub fn nearest(&self, e: Vec3) -> Vec3 {
        if self.periodic { e - self.size * (e * self.inverse).round() } else { e }
    }

    /// [`Domain::nearest`] in SIMD registers.
    #[inline]
    pub fn nearest3a(&self, e: Vec3A) -> Vec3A {
        if self.periodic { self.nearest(e.into()).into() } else { e }
    }

    /// [`Domain::nearest`] of eight vectors.
    #[inline(always)]
    pub(crate) fn nearest_lanes<S: Simd>(&self, e: Vec3x8<S>) -> Vec3x8<S> {
        if !self.periodic {
            return e;
        }
        let whole = |e: f32x8<S>, size: f32, inverse: f32| e - (e * inverse).round_ties_even() * size;
        Vec3x8 {
            x: whole(e.x, self.size.x, self.inverse.x),
            y: whole(e.y, self.size.y, self.inverse.y),
            z: whole(e.z, self.size.z, self.inverse.z),
        }
    }

    /// The image of a point inside the box.
    pub fn wrap(&self, x: Vec3) -> Vec3 {
        if !self.periodic {
            return x;
        }
        let y = x - self.size * ((x - self.min) * self.inverse).floor();
        // Rounding can put a point just below `min` onto the far face, which is the near one.
        let past = (y - self.min).cmpge(self.size) & self.size.cmpgt(Vec3::ZERO);
        Vec3::select(past, self.min, y)
    }

    /// Calls `visit` with the images of `x`, other than itself, that lie within `margin` outside the box.
    pub(crate) fn images(&self, x: Vec3, margin: f32, mut visit: impl FnMut(Vec3)) {
        if !self.periodic {
            return;
        }
        let local = x - self.min;
        let shifts = |axis: usize| -> [f32; 2] {
            let (l, size) = (local[axis], self.size[axis]);
            // A point near one face has an image beyond the other.
            let shift = match () {
                () if size <= 0.0 => 0.0,
                () if l < margin => size,
                () if l >= size - margin => -size,
                () => 0.0,
            };
            [0.0, shift]
        };
        let (sx, sy, sz) = (shifts(0), shifts(1), shifts(2));
        for (i, &dx) in sx.iter().enumerate() {
            for (j, &dy) in sy.iter().enumerate() {
                for (k, &dz) in sz.iter().enumerate() {
                    let repeated = (i == 1 && dx == 0.0) || (j == 1 && dy == 0.0) || (k == 1 && dz == 0.0);
                    if i + j + k > 0 && !repeated {
                        visit(x + Vec3::new(dx, dy, dz));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slab() -> Domain {
        Domain::periodic(Vec3::new(-1.0, 0.0, 2.0), Vec3::new(1.0, 9.0, 5.0), [true, false, true])
    }

    #[test]
    fn nearest_images_and_wrapped_points() {
        let d = slab();
        assert_eq!(d.nearest(Vec3::new(1.9, 7.0, -2.9)), Vec3::new(1.9 - 2.0, 7.0, -2.9 + 3.0));
        let x = d.wrap(Vec3::new(1.25, -40.0, 1.5));
        assert!(x.abs_diff_eq(Vec3::new(-0.75, -40.0, 4.5), 1e-6), "{x}");
        let edge = d.wrap(Vec3::new(-1.0 - 1e-9, 0.0, 2.0));
        assert!(edge.x >= -1.0 && edge.x < 1.0, "{edge}");
        assert_eq!(Domain::UNBOUNDED.wrap(Vec3::splat(7.0)), Vec3::splat(7.0));
    }

    #[test]
    fn a_corner_has_three_images() {
        let mut count = 0;
        slab().images(Vec3::new(-0.95, 1.0, 4.95), 0.1, |_| count += 1);
        assert_eq!(count, 3);
        slab().images(Vec3::new(0.0, 1.0, 3.0), 0.1, |_| count += 1);
        assert_eq!(count, 3);
    }
}
