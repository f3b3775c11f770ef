//! Viscous and elastic stress (eqs 3–8), in one implicit step.
//!
//! ```text
//! τ = 2αη₀ D(u) + 2βμ ε,    ε = ε⁰ + Δt D(u),    L = Σ w (u_j − u_i) xᵀ B⁻¹,    D = (L + Lᵀ)/2
//! m u = m u* + Δt f(u),     f_i = Σ_j w (T_i + T_j) x + …,    T = V [τ + (b − ⅔) η tr D] B⁻¹ − c η V L
//! ```
//!
//! With Table 2's viscosity, spacing and step, Δtη/(ρd²) is 27, a hundred times what an explicit step carries: the velocity
//! at the end of the step is solved for. The divergence of τ is the adjoint of the gradient, so that forces are those of
//! pairs, momentum is kept and the matrix is symmetric. c controls what the gradient does not see (hourglass modes).
//! b resists changes of volume in the solve itself: viscosity spreads velocities over √(νΔt) in a step, which is the whole
//! fluid, and a pressure that comes after it would find all stretched without having got thinner.

use super::Params;
use super::around::Around;
use crate::flow::Setting;
use crate::flow::conjugate::Convergence;
use crate::flow::rigid::RigidBodies;
use crate::flow::system::CONTROL;
use crate::math::Sym3;
use crate::parallel;
use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A};

/// Share of the spacing, over a step, below which velocities are not worth an iteration.
const INVISIBLE: f32 = 1e-8;

/// Bulk over shear viscosity of a stress 2ηD.
const TWO_THIRDS: f32 = 2.0 / 3.0;

/// Steps over which the control resists elastic motion that the gradient does not see: no strain remembers it.
const REMEMBERED: f32 = 100.0;
/// Stretch beyond which a strain grows no more: what has been drawn so far is spray.
const LONGEST: f32 = 1000.0;

/// What resists in a step.
pub(super) struct Resistance<'a> {
    pub(super) step: &'a Setting<'a>,
    pub(super) around: &'a Around,
    /// αη₀ + βμΔt of every particle, in Pa·s.
    pub(super) viscosity: Vec<f32>,
    /// c (αη₀ + 100 βμΔt), or what calms surface tension, of every particle: what resists motion that the gradient does not
    /// see, in Pa·s.
    control: Vec<f32>,
    /// 2βμ ε⁰ of every particle, in Pa.
    pub(super) strained: Vec<Sym3>,
    pub(super) rigid: &'a RigidBodies,
    /// b: resistance to a change of volume, over that to shear.
    bulk: f32,
}

/// What the stresses of a particle's material are in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moduli {
    /// αη₀, in Pa·s.
    pub(super) viscosity: f32,
    /// βμ, in Pa.
    pub(super) shear: f32,
    /// Least viscosity with which motion is resisted that the gradient does not see, in Pa·s.
    pub(super) calm: f32,
}

impl<'a> Resistance<'a> {
    pub(super) fn new(
        (step, around): (&'a Setting<'a>, &'a Around),
        params: &Params,
        (strain, moduli): (&[Sym3], impl Fn(usize) -> Moduli + Sync),
        rigid: &'a RigidBodies,
    ) -> Self {
        let (dt, n) = (step.dt, strain.len());
        let (mut viscosity, mut control, mut strained) = (vec![0.0; n], vec![0.0; n], vec![Sym3::ZERO; n]);
        parallel::fill(&mut viscosity, |i| moduli(i).viscosity + moduli(i).shear * dt);
        parallel::fill(&mut strained, |i| strain[i] * (2.0 * moduli(i).shear));
        if params.control {
            let steadied = |m: Moduli| (m.viscosity + REMEMBERED * m.shear * dt).max(m.calm);
            parallel::fill(&mut control, |i| CONTROL * steadied(moduli(i)));
        }
        Self { step, around, viscosity, control, strained, rigid, bulk: params.bulk }
    }

    /// Whether anything does.
    pub(super) fn resists(&self) -> bool {
        self.viscosity.iter().any(|&eta| eta > 0.0)
    }

    /// τ of a velocity gradient alone, in Pa.
    #[inline]
    fn viscous(&self, i: usize, l: &Mat3A) -> Sym3 {
        let divergence = l.x_axis.x + l.y_axis.y + l.z_axis.z;
        let volume = Sym3::isotropic((self.bulk - TWO_THIRDS) * divergence);
        (Sym3::twice_symmetric_part(&(*l).into()) + volume) * self.viscosity[i]
    }

    /// τ of a particle with a velocity gradient, in Pa.
    pub(super) fn stress(&self, i: usize, l: &Mat3A) -> Sym3 {
        self.viscous(i, l) + self.strained[i]
    }

    /// Forces on all particles, in N. `whole` with what does not depend on `u`: strain and the motion of walls.
    fn forces(&self, u: &[Vec3A], whole: bool, tension: &mut [Mat3A], force: &mut [Vec3A]) {
        let Self { around, control, .. } = self;
        let volume = self.step.kernel.volume();
        parallel::fill(tension, |i| {
            let l = around.gradient(u, i, whole);
            let mut tau = self.viscous(i, &l);
            if whole {
                tau += self.strained[i];
            }
            let traction = Mat3A::from(tau.mul_sym(around.of_all[i]));
            (traction - l * control[i]) * volume
        });
        let tension = &*tension;
        parallel::fill(force, |i| {
            let (own, held) = (tension[i], control[i]);
            let mut sum = Vec3A::ZERO;
            for (j, e, w) in around.pairs(i) {
                let rubbed = (u[j] - u[i]) * (volume * (held + control[j]));
                sum += ((own + tension[j]) * e + rubbed) * w;
            }
            for wall in &around.walls[i] {
                let relative = if whole { wall.velocity - u[i] } else { -u[i] };
                let rubbed = relative * (volume * held * wall.nearness);
                sum += wall.resisted(own * wall.into + rubbed) * wall.steepness;
            }
            sum
        });
    }

    /// The diagonal blocks of the matrix m − Δt ∂f/∂u, roughly: as if B were the unit matrix.
    fn diagonal(&self, i: usize) -> Sym3 {
        let Self { around, viscosity, control, .. } = self;
        let (dt, volume) = (self.step.dt, self.step.kernel.volume());
        let eta = viscosity[i];
        let (mut sum, mut slope) = (Sym3::ZERO, Vec3A::ZERO);
        let along = self.bulk + 1.0 - TWO_THIRDS;
        let mut add = |x: Vec3A, eta: f32| {
            sum += (Sym3::isotropic(x.length_squared()) + Sym3::outer(x.into()) * along) * eta;
        };
        let mut rubbed = 0.0;
        for (j, e, w) in around.pairs(i) {
            add(e * w, viscosity[j]);
            slope += e * w;
            rubbed += w * (control[i] + control[j]);
        }
        for wall in &around.walls[i] {
            slope += wall.into * wall.steepness;
            rubbed += control[i] * wall.steepness * wall.nearness;
        }
        add(slope, eta);
        let mass = 1.0 / self.step.inverse_mass(i);
        (sum + Sym3::isotropic(rubbed)) * (dt * volume) + Sym3::isotropic(mass)
    }

    /// Takes away what nothing may change: particles that are driven, components that are held.
    fn constrain(&self, v: &mut [Vec3A]) {
        let step = self.step;
        parallel::for_each(v, |i, v| {
            if !step.is_free(i) {
                *v = Vec3A::ZERO;
            }
        });
        for &(i, axis, _) in &step.held {
            let (v, axis) = (&mut v[i as usize], Vec3A::from(axis));
            *v -= axis * axis.dot(*v);
        }
        self.rigid.project(v);
    }

    /// Solves m u = m u* + Δt f(u) by conjugate gradients, from u.
    pub(super) fn solve(&self, u_star: &[Vec3A], u: &mut [Vec3A], params: &Params) -> Convergence {
        let (step, n) = (self.step, u.len());
        let dt = step.dt;
        let mass = |i: usize| 1.0 / step.inverse_mass(i);
        let mut tension = vec![Mat3A::ZERO; n];
        let mut image = vec![Vec3A::ZERO; n];
        let mut residual = vec![Vec3A::ZERO; n];
        self.forces(u, true, &mut tension, &mut image);
        parallel::fill(&mut residual, |i| (u_star[i] - u[i]) * mass(i) + image[i] * dt);
        self.constrain(&mut residual);
        let mut inverse = vec![Sym3::ZERO; n];
        parallel::fill(&mut inverse, |i| self.diagonal(i).inverse());
        let precondition = |residual: &[Vec3A], z: &mut [Vec3A]| {
            parallel::fill(z, |i| inverse[i].mul_vec3a(residual[i]));
            self.constrain(z);
        };
        let mut z = vec![Vec3A::ZERO; n];
        precondition(&residual, &mut z);
        let mut direction = z.clone();
        let dot = |a: &[Vec3A], b: &[Vec3A]| parallel::sum(n, |i| f64::from(a[i].dot(b[i])));
        let mut rz = dot(&residual, &z);
        let fastest = parallel::max(n, 0.0, |i| u_star[i].length());
        let speed = f64::from(INVISIBLE * step.kernel.spacing() / dt + 2.0 * f32::EPSILON * fastest);
        let floor = n as f64 * speed * speed / f64::from(step.mean_inverse_mass);
        let mut done = Convergence::default();
        loop {
            // What the solve is about: the energy that the change of velocities and viscosity cost.
            let energy = parallel::sum(n, |i| match step.is_free(i) {
                true => f64::from((u[i] - u_star[i]).length_squared() * mass(i)),
                false => 0.0,
            });
            done.residual = if rz <= floor { 0.0 } else { (rz / energy.max(f64::MIN_POSITIVE)).sqrt() };
            if done.residual <= f64::from(params.tolerance)
                || done.iterations >= params.max_velocity_iterations
            {
                return done;
            }
            self.forces(&direction, false, &mut tension, &mut image);
            parallel::for_each(&mut image, |i, f| *f = direction[i] * mass(i) - *f * dt);
            self.constrain(&mut image);
            let curvature = dot(&direction, &image);
            if curvature <= 0.0 {
                return done;
            }
            let length = (rz / curvature) as f32;
            parallel::for_each2(u, &mut residual, |i, u, r| {
                *u += direction[i] * length;
                *r -= image[i] * length;
            });
            precondition(&residual, &mut z);
            let last = std::mem::replace(&mut rz, dot(&residual, &z));
            let turn = (rz / last) as f32;
            parallel::for_each(&mut direction, |i, s| *s = z[i] + *s * turn);
            done.iterations += 1;
        }
    }
}

/// ε = √(FFᵀ) − 1 after a step in which the fluid moved with the gradient L: F ← R (1 + ΔtD) F with the turn R of its spin.
pub(super) fn strain_after(strain: Sym3, l: &Mat3A, dt: f32) -> Sym3 {
    let l = Mat3::from(*l) * dt;
    let spin = Vec3::new(l.y_axis.z - l.z_axis.y, l.z_axis.x - l.x_axis.z, l.x_axis.y - l.y_axis.x) * 0.5;
    let one = Sym3::isotropic(1.0);
    let stretch = (one + Sym3::symmetric_part(&l)).to_mat3() * (one + strain).to_mat3();
    let deformation = Mat3::from_quat(Quat::from_scaled_axis(spin)) * stretch;
    let (squares, axes) = one.congruent(&deformation).eigen();
    let axes = [axes.x_axis, axes.y_axis, axes.z_axis];
    squares.into_iter().zip(axes).fold(Sym3::ZERO, |sum, (square, axis)| {
        sum + Sym3::outer(axis) * (square.clamp(0.0, LONGEST * LONGEST).sqrt() - 1.0)
    })
}
