//! Contact of a rigid body with walls: which of its contacts hold, and which slide.
//!
//! A body has six motions q and up to hundreds of contacts, so impulses that satisfy
//!
//! ```text
//! 0 ≤ λ ⊥ c·q − v ≥ 0,    |friction| ≤ μ λ,    q = q̃ + G⁻¹ Cᵀ λ
//! ```
//!
//! are found directly, by Gauss–Seidel over the contacts. q̃ is the motion that the rest of the system, as it moves now,
//! would leave to the body without contacts, and G the body's own part of the matrix. For a body that touches no fluid
//! both are exact.

use super::contact::{Mode, VelocityContact};
use super::pieces::{Six, SixBySix};
use super::six::{dot, times};
use glam::{DVec3, Vec3};

/// Sweeps over the contacts, at most.
const SWEEPS: usize = 400;
/// They end when no motion changes by more than this part of the fastest.
const SETTLED: f64 = 1e-9;

/// A contact: its index, the rows of its normal and its tangents, and what they do to the motion.
struct Touch {
    contact: usize,
    axes: [DVec3; 3],
    rows: [Six; 3],
    responses: [Six; 3],
    values: [f64; 3],
    friction: f64,
    impulse: [f64; 3],
}

/// Settles the contacts `list` (indices into `contacts`, with the rows of any axis at their particle) of a body with
/// the motion `free` if nothing touched it. Sets their modes and friction, in momentum, and returns the motion.
pub(super) fn settle(
    (contacts, list): (&mut [VelocityContact], &[usize]),
    row: impl Fn(usize, DVec3) -> Six,
    (free, inverse): (Six, &SixBySix),
    mass: f32,
) -> Six {
    let mut touches: Vec<Touch> = list.iter().map(|&k| touch(&contacts[k], k, &row, inverse)).collect();
    let mut q = free;
    let fastest = dot(&q, &q).sqrt();
    for _ in 0..SWEEPS {
        let mut largest = 0.0_f64;
        for t in &mut touches {
            largest = largest.max(t.relax(&mut q));
        }
        if largest <= SETTLED * fastest {
            break;
        }
    }
    for t in touches {
        let c = &mut contacts[t.contact];
        let friction = t.axes[1] * t.impulse[1] + t.axes[2] * t.impulse[2];
        let slides = friction.length() >= t.friction * t.impulse[0] * (1.0 - 1e-6);
        c.mode = match t.impulse[0] > 0.0 {
            false => Mode::Open,
            true if slides => Mode::Slide,
            true => Mode::Stick,
        };
        c.drag = match c.mode {
            Mode::Slide => (friction / f64::from(mass)).as_vec3a(),
            _ => glam::Vec3A::ZERO,
        };
    }
    q
}

fn touch(
    c: &VelocityContact,
    contact: usize,
    row: &impl Fn(usize, DVec3) -> Six,
    inverse: &SixBySix,
) -> Touch {
    let normal = Vec3::from(c.normal);
    let (a, b) = normal.any_orthonormal_pair();
    let axes = [normal, a, b].map(|v| v.as_dvec3());
    let rows = axes.map(|axis| row(c.particle as usize, axis));
    let surface = Vec3::from(c.surface).as_dvec3();
    Touch {
        contact,
        axes,
        responses: rows.map(|r| times(inverse, &r)),
        values: [f64::from(c.lowest), axes[1].dot(surface), axes[2].dot(surface)],
        rows,
        friction: f64::from(c.friction),
        impulse: [0.0; 3],
    }
}

impl Touch {
    /// Adds an impulse; returns how much the motion changes.
    fn push(&mut self, k: usize, impulse: f64, q: &mut Six) -> f64 {
        let change = impulse - self.impulse[k];
        self.impulse[k] = impulse;
        for (q, response) in q.iter_mut().zip(&self.responses[k]) {
            *q += response * change;
        }
        (change * dot(&self.responses[k], &self.responses[k]).sqrt()).abs()
    }

    /// The impulse that would bring a component to its value.
    fn wanted(&self, k: usize, q: &Six) -> f64 {
        let give = dot(&self.rows[k], &self.responses[k]);
        if give <= 0.0 {
            return self.impulse[k];
        }
        self.impulse[k] + (self.values[k] - dot(&self.rows[k], q)) / give
    }

    fn relax(&mut self, q: &mut Six) -> f64 {
        let mut changed = self.push(0, self.wanted(0, q).max(0.0), q);
        if self.friction > 0.0 {
            let (a, b) = (self.wanted(1, q), self.wanted(2, q));
            let most = match self.impulse[0] > 0.0 {
                true => self.friction * self.impulse[0],
                false => 0.0,
            };
            let scale = most / a.hypot(b).max(most).max(f64::MIN_POSITIVE);
            let scale = if most.is_infinite() { 1.0 } else { scale };
            changed += self.push(1, a * scale, q);
            changed += self.push(2, b * scale, q);
        }
        changed
    }
}
