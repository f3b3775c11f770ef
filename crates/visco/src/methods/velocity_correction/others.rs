//! What the connections of a particle lead to.

use super::alike::Others;
use super::connections::{BODY, WALL};
use crate::lanes::LANES;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};
use glam::Vec4;

/// 1/(1/m_i + 1/m_j), of the sum of both; 0 between what nothing moves.
#[inline]
pub(super) fn mass(eases: f32) -> f32 {
    if eases > 0.0 { 1.0 / eases } else { 0.0 }
}

/// Halves of the energy of a connection with a solid that belong to the fluid: a wall has none.
#[inline]
fn halves_with(partner: u32) -> f32 {
    if partner & WALL == 0 { 1.0 } else { 2.0 }
}

/// Fluid that is as heavy as the particle, by positions and coefficients.
pub(super) struct SameFluid<'a>(pub(super) &'a [Vec4]);

impl Others for SameFluid<'_> {
    #[inline(always)]
    fn at(&self, partner: u32) -> &Vec4 {
        &self.0[partner as usize]
    }

    #[inline(always)]
    fn masses(&self, _: &[u32; LANES]) -> Option<[f32; LANES]> {
        None
    }
}

/// Any fluid.
pub(super) struct AnyFluid<'a> {
    /// Positions and coefficients.
    pub(super) particles: &'a [Vec4],
    /// 1/m.
    pub(super) ease: &'a [f32],
    /// That of the particle.
    pub(super) own_ease: f32,
}

impl Others for AnyFluid<'_> {
    #[inline(always)]
    fn at(&self, partner: u32) -> &Vec4 {
        &self.particles[partner as usize]
    }

    #[inline(always)]
    fn masses(&self, partners: &[u32; LANES]) -> Option<[f32; LANES]> {
        Some(partners.map(|j| mass(self.own_ease + self.ease[j as usize])))
    }
}

/// Walls alone, by marked indices, for a particle of fluid: they take its coefficient, and have no end of mass.
pub(super) struct Walls<'a> {
    /// Position and coefficient of the particle.
    pub(super) own: &'a Vec4,
    /// Positions of their boundary particles.
    pub(super) walls: &'a [Vec4],
    /// Mass of the particle; 0 if nothing moves it.
    pub(super) mass: f32,
}

impl Others for Walls<'_> {
    #[inline(always)]
    fn at(&self, partner: u32) -> &Vec4 {
        // What is not marked is what lists are filled up with.
        match partner & WALL {
            0 => self.own,
            _ => &self.walls[(partner & !WALL) as usize],
        }
    }

    #[inline(always)]
    fn coefficients<S: Simd>(&self, own: f32, beside: f32x8<S>) -> f32x8<S> {
        f32x8::splat(beside.simd, 2.0 * own)
    }

    #[inline(always)]
    fn masses(&self, _: &[u32; LANES]) -> Option<[f32; LANES]> {
        Some([self.mass; LANES])
    }

    #[inline(always)]
    fn halves(&self, _: &[u32; LANES]) -> Option<[f32; LANES]> {
        Some([2.0; LANES])
    }
}

/// Walls and bodies, by marked indices, for a particle of fluid: they take its coefficient.
pub(super) struct Solids<'a> {
    /// Positions of all particles.
    pub(super) particles: &'a [Vec4],
    /// Positions of the boundary particles of walls.
    pub(super) walls: &'a [Vec4],
    /// 1/m of all particles.
    pub(super) ease: &'a [f32],
    /// That of the particle.
    pub(super) own_ease: f32,
}

impl Others for Solids<'_> {
    #[inline(always)]
    fn at(&self, partner: u32) -> &Vec4 {
        match partner & WALL {
            0 => &self.particles[(partner & !BODY) as usize],
            _ => &self.walls[(partner & !WALL) as usize],
        }
    }

    #[inline(always)]
    fn coefficients<S: Simd>(&self, own: f32, beside: f32x8<S>) -> f32x8<S> {
        f32x8::splat(beside.simd, 2.0 * own)
    }

    #[inline(always)]
    fn masses(&self, partners: &[u32; LANES]) -> Option<[f32; LANES]> {
        let ease = |partner: u32| match partner & WALL {
            0 => self.ease[(partner & !BODY) as usize],
            _ => 0.0,
        };
        Some(partners.map(|partner| mass(self.own_ease + ease(partner))))
    }

    #[inline(always)]
    fn halves(&self, partners: &[u32; LANES]) -> Option<[f32; LANES]> {
        Some(partners.map(halves_with))
    }
}
