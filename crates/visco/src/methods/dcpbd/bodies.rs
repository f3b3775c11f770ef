//! Bodies of fluid that nothing holds, and their momentum.
//!
//! A truncated solve on velocities leaves a small error in the momentum of every body. Inner forces cannot change
//! it, so the rigid motion that is missing is known exactly and is given back.

use super::Step;
use super::contact::Hold;
use super::gradient::Gradients;
use crate::math::Sym3;
use crate::neighbors::Neighbors;
use glam::{DVec3, Vec3};

/// Labels of the connected sets of particles: each particle gets the smallest index of its set.
pub(crate) fn connected(neighbors: &Neighbors, particles: usize) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..particles as u32).collect();
    fn root(parent: &mut [u32], mut i: u32) -> u32 {
        while parent[i as usize] != i {
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    for i in 0..particles {
        for &j in neighbors.of(i).iter().filter(|&&j| (j as usize) < i) {
            let (a, b) = (root(&mut parent, i as u32), root(&mut parent, j));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    // Parents come before their children, so one pass makes every label a root.
    for i in 0..particles {
        parent[i] = parent[parent[i] as usize];
    }
    parent
}

/// Sums over a body.
#[derive(Clone, Copy, Debug, Default)]
struct Body {
    held: bool,
    mass: f64,
    center: DVec3,
    missing: DVec3,
    missing_angular: DVec3,
    inertia: [f64; 6],
    velocity: DVec3,
    spin: DVec3,
}

/// Gives every body that no wall, contact or nozzle holds the momentum and angular momentum of u*.
pub(crate) fn restore_momentum(
    step: &Step,
    gradients: &Gradients,
    holds: &[Hold],
    (u_star, u): (&[Vec3], &mut [Vec3]),
) {
    let n = u.len();
    let label = connected(&gradients.neighbors, n);
    let mut bodies = vec![Body::default(); n];
    for i in 0..n {
        let body = &mut bodies[label[i] as usize];
        body.held |= !step.is_free(i) || holds[i] != Hold::NONE || gradients.wall(i).weight > 0.0;
        let mass = f64::from(1.0 / step.inverse_mass(i));
        body.mass += mass;
        body.center += step.x0[i].as_dvec3() * mass;
        body.missing += (u_star[i] - u[i]).as_dvec3() * mass;
    }
    for body in bodies.iter_mut().filter(|b| b.mass > 0.0) {
        body.center /= body.mass;
        body.velocity = body.missing / body.mass;
    }
    for i in 0..n {
        let body = &mut bodies[label[i] as usize];
        if body.held {
            continue;
        }
        let mass = f64::from(1.0 / step.inverse_mass(i));
        let e = step.x0[i].as_dvec3() - body.center;
        body.missing_angular += e.cross((u_star[i] - u[i]).as_dvec3()) * mass;
        let r2 = e.length_squared();
        let outer = [e.x * e.x, e.y * e.y, e.z * e.z, e.x * e.y, e.x * e.z, e.y * e.z];
        for (k, (sum, o)) in body.inertia.iter_mut().zip(outer).enumerate() {
            *sum += mass * (if k < 3 { r2 } else { 0.0 } - o);
        }
    }
    for body in bodies.iter_mut().filter(|b| b.mass > 0.0 && !b.held) {
        body.spin = spin(body);
    }
    for i in 0..n {
        let body = &bodies[label[i] as usize];
        if !body.held {
            let e = step.x0[i].as_dvec3() - body.center;
            u[i] += (body.velocity + body.spin.cross(e)).as_vec3();
        }
    }
}

/// Angular velocity that the missing angular momentum amounts to; none about axes without inertia.
fn spin(body: &Body) -> DVec3 {
    let trace = body.inertia[0] + body.inertia[1] + body.inertia[2];
    if trace <= 0.0 {
        return DVec3::ZERO;
    }
    let scaled = Sym3::new(body.inertia.map(|v| (v / trace) as f32));
    let inverse = scaled.pseudo_inverse(1e-3);
    let mut spin = DVec3::ZERO;
    // Two rounds: the second corrects what the first lost to single precision.
    for _ in 0..2 {
        let [xx, yy, zz, xy, xz, yz] = body.inertia;
        let held = DVec3::new(
            xx * spin.x + xy * spin.y + xz * spin.z,
            xy * spin.x + yy * spin.y + yz * spin.z,
            xz * spin.x + yz * spin.y + zz * spin.z,
        );
        let rest = (body.missing_angular - held) / trace;
        spin += inverse.mul_vec(rest.as_vec3()).as_dvec3();
    }
    spin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_found_whatever_the_order() {
        let chain = |y: f32| (0..20).map(move |k| Vec3::new(((k * 7) % 20) as f32, y, 0.0));
        let positions: Vec<Vec3> = chain(0.0).chain(chain(5.0)).chain([Vec3::Z * 9.0]).collect();
        let label = connected(&Neighbors::find(&positions, 1.1), positions.len());
        assert!(label[..20].iter().all(|&l| l == 0));
        assert!(label[20..40].iter().all(|&l| l == 20));
        assert_eq!(label[40], 40);
    }
}
