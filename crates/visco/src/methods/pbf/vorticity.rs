//! Vorticity confinement: what the projection damps of eddies is given back.
//!
//! ```text
//! ω_i = Σ_j V ∇W × (v_j − v_i)        N = η/|η|, η_i = Σ_j V (|ω_j| − |ω_i|) ∇W        v_i ← v_i + Δt ε N × ω_i
//! ```
//!
//! As printed the forces have a sum. Inner forces must not: from every connected piece of fluid its mean is taken away.
//! Where |ω| is even, as in a body that turns, N has no direction; it is made short there: N = η/(|η| + 0.01 |ω|/h).

use super::Step;
use crate::flow::Displaced;
use crate::flow::pieces::connected;
use crate::parallel;
use glam::{DVec3, Vec3, Vec3A};

/// |ω|/h that counts beside |η|.
const EVEN: f32 = 0.01;

/// Applies vorticity confinement to the velocities of particles that have moved by `s`.
pub(super) fn confine(step: &Step, around: &Displaced, s: &[Vec3], velocity: &mut [Vec3A]) {
    let strength = step.params.vorticity_confinement;
    if strength == 0.0 {
        return;
    }
    let unit = 1.0 / step.kernel.lattice_sum();
    let gradient = |i: usize, j: usize| {
        let e = step.offset(j, i) + (s[i] - s[j]);
        Vec3A::from(e) * (step.kernel.gradient_over_r(e.length()) * unit)
    };
    let v = &*velocity;
    let n = v.len();
    let sum = |i: usize, f: &dyn Fn(usize, Vec3A) -> Vec3A| -> Vec3A {
        around.neighbors.of(i).iter().map(|&j| f(j as usize, gradient(i, j as usize))).sum()
    };
    let mut curl = vec![Vec3A::ZERO; n];
    parallel::fill(&mut curl, |i| sum(i, &|j, g| g.cross(v[j] - v[i])));
    let mut push = vec![Vec3A::ZERO; n];
    parallel::fill(&mut push, |i| {
        if !step.is_free(i) || step.body(i).is_some() {
            return Vec3A::ZERO;
        }
        let size = curl[i].length();
        let slope = sum(i, &|j, g| g * (curl[j].length() - size));
        let direction = slope / (slope.length() + EVEN * size / step.kernel.support()).max(f32::MIN_POSITIVE);
        direction.cross(curl[i]) * (strength * step.dt)
    });
    take_means(step, around, &mut push);
    parallel::for_each(velocity, |i, v| *v += push[i]);
}

/// Takes the mean velocity, weighed with mass, of every connected piece of free fluid from its particles.
fn take_means(step: &Step, around: &Displaced, push: &mut [Vec3A]) {
    let pieces = connected(&around.neighbors, push.len());
    let moves = |i: usize| step.is_free(i) && step.body(i).is_none();
    let mut sums = vec![(0.0, DVec3::ZERO); push.len()];
    for i in (0..push.len()).filter(|&i| moves(i)) {
        let mass = 1.0 / f64::from(step.inverse_mass(i));
        let (whole, momentum) = &mut sums[pieces[i] as usize];
        *whole += mass;
        *momentum += Vec3::from(push[i]).as_dvec3() * mass;
    }
    parallel::for_each(push, |i, push| {
        if moves(i) {
            let (whole, momentum) = sums[pieces[i] as usize];
            *push -= (momentum / whole).as_vec3a();
        }
    });
}
