//! The linear system of an implicit step in velocities.
//!
//! Minimising, over the velocities u,
//!
//! ```text
//! ½ (u − u*)ᵀ M (u − u*) + Σ_i [ s |dev D|² + ½ b (tr D)² + Λ : D ] + Σ_i ½ c s Σ_j w_ij |u_ij − L_i x_ij|²
//! ```
//!
//! with s = Δt V E (shear), b (bulk) and Λ = Δt V σ for a stress σ that does not depend on u, gives A u = M u* + f.
//!
//! The last sum controls the motions that the gradient does not see (hourglass modes), which would make disordered
//! fluid too thin and tear a pulled rope between layers: what remains of the neighbours' velocities after the best
//! linear fit. It is zero for linear flow. c = 4/3 also cancels the gradient's leading truncation error.

use super::Setting;
use super::gradient::Gradients;
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Mat3A, Vec3A};

/// Strength c of the control.
pub(crate) const CONTROL: f32 = 4.0 / 3.0;

/// The resistance of a particle to being deformed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Resistance {
    /// s = Δt V E.
    pub(crate) shear: f32,
    /// b, in the same unit.
    pub(crate) bulk: f32,
    /// c s.
    pub(crate) control: f32,
}

impl Resistance {
    /// Δt V σ for a velocity gradient.
    #[inline]
    pub(crate) fn stress(&self, gradient: &Mat3A) -> Sym3 {
        let twice = Sym3::twice_symmetric_part(&Mat3::from(*gradient)) * self.shear;
        let divergence = gradient.x_axis.x + gradient.y_axis.y + gradient.z_axis.z;
        twice + Sym3::isotropic((self.bulk - 2.0 / 3.0 * self.shear) * divergence)
    }
}

/// The stress of u aᵀ times a, as a matrix: s |a|² u + (b + s/3) a (a·u).
fn viscous(a: Vec3A, r: &Resistance) -> Sym3 {
    Sym3::isotropic(a.length_squared() * r.shear) + Sym3::outer(a.into()) * (r.bulk + r.shear / 3.0)
}

/// The matrix of a step.
pub(crate) struct VelocitySystem<'a> {
    pub(crate) setting: &'a Setting<'a>,
    pub(crate) gradients: &'a Gradients,
    pub(crate) resistance: Vec<Resistance>,
    pub(crate) mass: Vec<f32>,
    /// Inverse diagonal blocks.
    blocks: Vec<Sym3>,
}

impl<'a> VelocitySystem<'a> {
    pub(crate) fn new(
        setting: &'a Setting<'a>,
        gradients: &'a Gradients,
        resistance: impl Fn(usize) -> Resistance + Sync,
    ) -> Self {
        let n = setting.x0.len();
        let mut system = Self {
            setting,
            gradients,
            resistance: vec![Resistance::default(); n],
            mass: vec![0.0; n],
            blocks: vec![],
        };
        parallel::fill(&mut system.resistance, resistance);
        parallel::fill(&mut system.mass, |i| 1.0 / setting.inverse_mass(i));
        let mut blocks = vec![Sym3::ZERO; n];
        parallel::fill(&mut blocks, |i| system.block(i).inverse());
        system.blocks = blocks;
        system
    }

    /// The inverse of the diagonal block of particle i, applied.
    #[inline]
    pub(crate) fn precondition(&self, i: usize, r: Vec3A) -> Vec3A {
        self.blocks[i].mul_vec3a(r)
    }

    /// Whether velocity diffuses over more than a spacing in a step, so that information must travel far.
    pub(crate) fn diffuses(&self) -> bool {
        let d2 = self.setting.kernel.spacing().powi(2);
        (0..self.mass.len()).any(|i| self.resistance[i].shear > self.mass[i] * d2)
    }

    /// f: what pulls at the fluid whatever its velocity, by stresses Λ = Δt V σ and by walls that move.
    pub(crate) fn impulse(
        &self,
        stress: impl Fn(usize) -> Sym3 + Sync,
        traction: &mut [Mat3A],
        out: &mut [Vec3A],
    ) {
        let gradients = self.gradients;
        parallel::fill(traction, |i| {
            let flow = gradients.wall_flow(i);
            let r = &self.resistance[i];
            // The control compares neighbours with the whole gradient, moving walls included.
            gradients.traction(stress(i) + r.stress(&flow), i) - flow * r.control
        });
        let traction = &*traction;
        parallel::fill(out, |i| {
            let pull = gradients.wall(i).map_or(Vec3A::ZERO, |wall| wall.pull.into());
            gradients.divergence(traction, i) + pull * self.resistance[i].control
        });
    }

    /// The part of the diagonal block of a body's particle that does not come from its own body.
    pub(crate) fn outer_block(&self, i: usize) -> Sym3 {
        let gradients = self.gradients;
        let (k, own) = (gradients.correction(i), &self.resistance[i]);
        let body = self.setting.body(i);
        let mut block = Sym3::isotropic(self.mass[i]);
        let mut total = Vec3A::ZERO;
        for (j, e, w) in gradients.pairs(i).filter(|(j, ..)| self.setting.body(*j) != body) {
            total += e * w;
            let other = &self.resistance[j];
            block += viscous(gradients.correction(j).mul_vec3a(e) * w, other);
            block += Sym3::isotropic((other.control + own.control) * w);
        }
        block + viscous(k.mul_vec3a(total), own)
    }

    /// The 3×3 diagonal block of the matrix.
    fn block(&self, i: usize) -> Sym3 {
        let gradients = self.gradients;
        let (k, own) = (gradients.correction(i), &self.resistance[i]);
        let mut block = Sym3::isotropic(self.mass[i]);
        let (mut total, mut weight) = (Vec3A::ZERO, 0.0);
        if let Some(wall) = gradients.wall(i) {
            (total, weight) = (wall.gradient.into(), wall.weight);
            for n in wall.sliding_normals() {
                let held = wall.resist(n).length() * own.control;
                block += wall.squares(k) * (own.bulk + own.shear) + Sym3::outer(n.into()) * held;
            }
        }
        for (j, e, w) in gradients.pairs(i) {
            total += e * w;
            weight += w;
            let a = gradients.correction(j).mul_vec3a(e) * w;
            block += viscous(a, &self.resistance[j]);
            block += Sym3::isotropic(self.resistance[j].control * (w - w * e.dot(a)));
        }
        let a = k.mul_vec3a(total);
        block += viscous(a, own);
        block + Sym3::isotropic(own.control * (weight - total.dot(a)))
    }

    /// out = A u. A particle's tension is c s L − Δt V σ K.
    pub(crate) fn apply(&self, u: &[Vec3A], tension: &mut [Mat3A], out: &mut [Vec3A]) {
        let gradients = self.gradients;
        parallel::fill(tension, |i| {
            let l = gradients.velocity_gradient(u, i);
            let r = &self.resistance[i];
            l * r.control - gradients.traction(r.stress(&l), i)
        });
        let tension = &*tension;
        parallel::fill(out, |i| {
            let (own, ui, control) = (tension[i], u[i], self.resistance[i].control);
            let mut sum = ui * self.mass[i];
            if let Some(wall) = gradients.wall(i) {
                sum += wall.transposed(&own) + wall.resist(ui) * control;
            }
            for (j, e, w) in gradients.pairs(i) {
                let pull = (u[j] - ui) * (control + self.resistance[j].control);
                sum += ((tension[j] + own) * e - pull) * w;
            }
            sum
        });
    }
}
