//! The method's parts against what they must be: exact gradients, adjoint operators, polymers with a known answer.

use super::state::{Scratch, State};
use super::velocity::{VelocityProblem, project_velocities};
use super::*;
use crate::boundary::{Boundary, Shape, Wall, WallFriction};
use crate::flow::Preconditioner;
use crate::flow::contact::VelocityContacts;
use crate::flow::polymer::{Coefficients, Update};
use crate::flow::rigid::RigidBodies;
use crate::material::{Material, Rheology};
use crate::math::outer;
use crate::particles::{Motion, Particles};
use crate::random::Random;
use glam::{Mat3, Mat3A, Vec3A};

const D: f32 = 0.1;

/// A jittered block of particles, perhaps on a wall with no slip at y = 0.
fn world(count: usize, jitter: f32, wall: bool, viscosity: f64) -> World {
    let mut random = Random::new(3);
    let mut particles = Particles::default();
    for k in 0..count.pow(3) {
        let index = Vec3::new((k / (count * count)) as f32, (k / count % count) as f32, (k % count) as f32);
        let offset = (Vec3::from_array(random.triple()) - 0.5) * (2.0 * jitter * D);
        particles.push((index + 0.5) * D + offset, Vec3::ZERO, 0, Motion::Free);
    }
    let floor = Wall {
        shape: Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y },
        contains: false,
        friction: WallFriction::NoSlip,
        velocity: Vec3::ZERO,
        motion: None,
    };
    World {
        bodies: vec![],
        spacing: D,
        gravity: Vec3::ZERO,
        domain: crate::domain::Domain::UNBOUNDED,
        time: 0.0,
        particles,
        boundary: Boundary { walls: if wall { vec![floor] } else { vec![] } },
        plates: vec![],
        moving_walls: vec![],
        emitters: vec![],
        grips: vec![],
        notes: vec![],
        materials: vec![material(Rheology::Measured {
            polymer_viscosity: viscosity,
            solvent_viscosity: 0.0,
            relaxation_time: 0.0,
        })],
        keyed_materials: vec![],
    }
}

/// Calls `f` with a prepared step of a world.
fn with_step(world: &World, params: &Params, f: impl FnOnce(&Step, (&Gradients, &Diagonals))) {
    let kernel = Kernel::new(D, params.support * D);
    let wall_kernel = WallKernel::new(&kernel);
    let corrections = Corrections::from(params);
    let step = Step::new(world, 0.01, (params, corrections), (kernel, &wall_kernel));
    let mut gradients = Gradients::default();
    gradients.find_neighbors(step.x0, kernel.support(), &world.domain);
    let mut diagonals = Diagonals::default();
    step.prepare(&mut gradients, &mut diagonals);
    f(&step, (&gradients, &diagonals));
}

/// A method at rest that is about to project the velocities u*.
fn fresh(u_star: Vec<Vec3A>) -> (State, Scratch) {
    let (mut state, mut scratch) = (State::default(), Scratch::default());
    state.grow(u_star.len());
    scratch.resize(u_star.len());
    scratch.velocity = u_star;
    (state, scratch)
}

fn random_velocities(n: usize, seed: u64) -> Vec<Vec3A> {
    let mut random = Random::new(seed);
    (0..n).map(|_| Vec3A::from_array(random.triple()) - 0.5).collect()
}

fn random_multipliers(n: usize, seed: u64) -> Vec<Sym3> {
    let mut random = Random::new(seed);
    (0..n).map(|_| Sym3::new(std::array::from_fn(|_| random.unit() - 0.5))).collect()
}

fn sample_gradient() -> Mat3 {
    Mat3::from_cols(Vec3::new(0.3, -0.2, 0.1), Vec3::new(0.7, 0.4, -0.5), Vec3::new(-0.1, 0.6, -0.7))
}

#[test]
fn gradients_are_exact_for_linear_flow() {
    let world = world(6, 0.2, false, 1.0);
    with_step(&world, &Params::default(), |step, (gradients, _)| {
        let l = sample_gradient();
        let u: Vec<Vec3A> = step.x0.iter().map(|&x| (l * x + Vec3::new(1.0, 2.0, 3.0)).into()).collect();
        let exact = |i: &usize| gradients.velocity_gradient(&u, *i).abs_diff_eq(l.into(), 1e-3);
        let right = (0..u.len()).filter(exact).count();
        // Corner particles may lack the neighbours for a trustworthy fit; all others are exact.
        assert!(right >= u.len() - 8, "{right} of {}", u.len());
    });
}

#[test]
fn a_no_slip_wall_continues_a_shear_flow() {
    let world = world(6, 0.0, true, 1.0);
    with_step(&world, &Params::default(), |step, (gradients, _)| {
        let u: Vec<Vec3A> = step.x0.iter().map(|x| Vec3A::new(2.0 * x.y, 0.0, 0.0)).collect();
        let bottom = (0..u.len()).filter(|&i| step.x0[i].y < D);
        for i in bottom {
            let l = gradients.velocity_gradient(&u, i);
            assert!((l.y_axis.x - 2.0).abs() < 1e-3, "∂u/∂y = {} at {}", l.y_axis.x, step.x0[i]);
        }
    });
}

#[test]
fn strain_and_impulse_are_adjoint() {
    for formulation in [Formulation::Corrected, Formulation::Printed] {
        let params = Params { formulation, ..Params::default() };
        let world = world(5, 0.2, true, 1.0);
        with_step(&world, &params, |step, matrices| {
            let n = step.x0.len();
            let (u, m) = (random_velocities(n, 1), random_multipliers(n, 2));
            let traction: Vec<Mat3A> = (0..n).map(|i| matrices.0.traction(m[i], i)).collect();
            let problem = VelocityProblem::new(step, matrices, &vec![Sym3::IDENTITY; n], None);
            let left: f64 = (0..n).map(|i| f64::from(problem.strain(&u, i).dot(m[i]))).sum();
            let right: f64 = (0..n).map(|i| f64::from(problem.impulse(&traction, i).dot(u[i]))).sum();
            assert!((left - right).abs() < 1e-5 * left.abs(), "{left} {right}");
        });
    }
}

/// u** of the projection from the velocities u*.
fn projected_from(world: &World, params: &Params, u_star: &[Vec3A]) -> Vec<Vec3A> {
    let mut result = Vec::new();
    with_step(world, params, |step, matrices| {
        let n = step.x0.len();
        let (mut state, mut scratch) = fresh(u_star.to_vec());
        let u0 = vec![Vec3::ZERO; n];
        project_velocities(step, matrices, (&u0, &mut RigidBodies::default()), &mut state, &mut scratch);
        result = scratch.velocity;
    });
    result
}

fn relative_difference(a: &[Vec3A], b: &[Vec3A]) -> f32 {
    let square: f32 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (square / b.iter().map(|b| b.length_squared()).sum::<f32>()).sqrt()
}

#[test]
fn all_solvers_find_the_same_velocities() {
    let world = world(5, 0.1, false, 300.0);
    let with = |velocity_solver, iterations| {
        let params = Params {
            velocity_solver,
            tolerance: 1e-7,
            max_velocity_iterations: iterations,
            ..Params::default()
        };
        projected_from(&world, &params, &random_velocities(world.particles.len(), 5))
    };
    let jacobi = with(VelocitySolver::Jacobi, 4000);
    let chebyshev = with(VelocitySolver::Chebyshev, 1000);
    assert!(relative_difference(&chebyshev, &jacobi) < 2e-3);
    // The form on multipliers has no control of unseen motion; the form on velocities without it must agree.
    let mut dual = Vec::new();
    let params = Params { tolerance: 1e-7, max_velocity_iterations: 600, ..Params::default() };
    with_step(&world, &params, |step, matrices| {
        let n = step.x0.len();
        let (mut state, mut scratch) = fresh(random_velocities(n, 5));
        let problem = VelocityProblem::new(step, matrices, &state.conformation, None);
        dual::solve(&problem, &mut VelocityContacts::default(), &mut state, &mut scratch);
        dual = scratch.velocity;
    });
    assert!(relative_difference(&dual, &jacobi) < 2e-3, "{}", relative_difference(&dual, &jacobi));
}

#[test]
fn viscosity_leaves_rigid_motion_alone() {
    let mut world = world(6, 0.1, false, 1e4);
    let spin = Vec3::new(0.5, 2.0, -1.0);
    for i in 0..world.particles.len() {
        world.particles.velocities[i] = spin.cross(world.particles.positions[i]) + Vec3::X;
    }
    let rigid: Vec<Vec3A> = world.particles.velocities.iter().map(|&v| v.into()).collect();
    let params = Params { tolerance: 1e-5, max_velocity_iterations: 500, ..Params::default() };
    let found = projected_from(&world, &params, &rigid);
    let change = relative_difference(&found, &rigid);
    assert!(change < 1e-4, "{change}");
}

#[test]
fn control_damps_what_the_gradient_does_not_see() {
    // A checkerboard of velocities has no gradient at the lattice sites.
    let world = world(6, 0.0, false, 1e4);
    let checkers: Vec<Vec3A> = world
        .particles
        .positions
        .iter()
        .map(|x| {
            let sites = (*x / D).floor().element_sum() as i32;
            Vec3A::X * if sites % 2 == 0 { 1.0 } else { -1.0 }
        })
        .collect();
    let left = |corrections: Corrections| {
        let mut rest = 0.0;
        let params = Params::default();
        with_step(&world, &params, |step, matrices| {
            let step = Step {
                corrections,
                ..Step::new(&world, step.dt, (&params, corrections), (step.kernel, step.wall_kernel))
            };
            let n = checkers.len();
            let (mut state, mut scratch) = fresh(checkers.clone());
            let u0 = vec![Vec3::ZERO; n];
            project_velocities(&step, matrices, (&u0, &mut RigidBodies::default()), &mut state, &mut scratch);
            // The inner particles: at the surface the one-sided gradient does see the pattern.
            let inner = |i: &usize| {
                step.x0[*i].cmpgt(Vec3::splat(2.0 * D)).all() && step.x0[*i].cmplt(Vec3::splat(4.0 * D)).all()
            };
            rest = (0..n).filter(inner).map(|i| scratch.velocity[i].length()).fold(0.0, f32::max);
        });
        rest
    };
    let controlled = left(Corrections::ALL);
    let free = left(Corrections { controlled_modes: false, ..Corrections::ALL });
    assert!(controlled < 0.02, "{controlled}");
    assert!(free > 0.3, "{free}");
}

#[test]
fn a_free_body_keeps_its_momentum() {
    let mut world = world(7, 0.1, false, 2000.0);
    // An asymmetric body with a flow in it that is far from rigid.
    let keep: Vec<u32> = (0..world.particles.len() as u32)
        .filter(|&i| {
            let x = world.particles.positions[i as usize];
            x.x + 0.7 * x.y < 0.7
        })
        .collect();
    world.particles.reorder(&keep);
    for i in 0..world.particles.len() {
        let x = world.particles.positions[i];
        world.particles.velocities[i] = Vec3::new(0.5 + 3.0 * x.y, 3.2 * x.x * x.x, 1.0 - 2.0 * x.x);
    }
    let momentum = |w: &World| w.particles.velocities.iter().map(|v| v.as_dvec3()).sum::<glam::DVec3>();
    let start = momentum(&world);
    let mut method = Dcpbd::new(&world, Params::default());
    for _ in 0..60 {
        method.step(&mut world, 1.0 / 240.0);
    }
    let error = (momentum(&world) - start).length() / start.length();
    assert!(error < 1e-6, "{error:e}");
}

fn material(rheology: Rheology) -> Material {
    Material {
        name: "fluid".into(),
        density: 1000.0,
        rheology,
        surface_tension: 0.0,
        model: Default::default(),
        connections: None,
        springs: None,
        shape_matching: None,
    }
}

/// Q of a polymer in homogeneous shear after `steps` steps.
fn sheared(rheology: Rheology, rate: f32, (dt, steps): (f32, usize)) -> (Sym3, f64) {
    let volume = 1.0;
    let c = Coefficients::new(&material(rheology), f64::from(dt), 1.0);
    let l = outer(Vec3::X * rate, Vec3::Y);
    let mut q = Sym3::IDENTITY;
    let mut stress = 0.0;
    for _ in 0..steps {
        // σ_xy = 2C_xy/(αV) with C = κ′(Q⁰ − I) + 2Δt D.
        let strain = c.memory * q.xy + dt * rate;
        stress = f64::from(2.0 * strain / c.alpha) / volume;
        q = c.update_conformation(q, &l, dt);
    }
    (q, stress)
}

#[test]
fn start_up_of_shear_is_exact_at_any_time_step() {
    let (eta_p, eta_s, tau, rate) = (9.0, 1.0, 0.3, 2.0_f32);
    let rheology =
        Rheology::Measured { polymer_viscosity: eta_p, solvent_viscosity: eta_s, relaxation_time: tau };
    for (dt, steps) in [(0.003_f32, 100), (0.03, 10), (0.1, 3), (0.3, 2), (3.0, 1)] {
        let (_, stress) = sheared(rheology, rate, (dt, steps));
        // The step's stress is the mean over the step of η_s γ̇ + η_p γ̇ (1 − exp(−t/τ)), up to the polymer's own
        // integration; at its end the exact value holds for the exponential scheme.
        let t = f64::from(dt) * steps as f64;
        let exact = f64::from(rate) * (eta_s + eta_p * (1.0 - (-t / tau).exp()));
        assert!((stress / exact - 1.0).abs() < 1e-3, "Δt {dt}: {stress} for {exact}");
    }
}

#[test]
fn without_memory_the_stress_is_newtonian() {
    let rheology =
        Rheology::Measured { polymer_viscosity: 10.0, solvent_viscosity: 2.0, relaxation_time: 0.0 };
    let (q, stress) = sheared(rheology, 3.0, (0.02, 4));
    assert_eq!(q, Sym3::IDENTITY);
    assert!((stress - 36.0).abs() < 1e-3, "{stress}");
}

#[test]
fn conformation_stays_positive_definite_in_any_flow() {
    let mut random = Random::new(8);
    for (tau, dt) in [(5.0, 0.03), (5.0, 0.017), (0.1, 0.03), (0.015, 0.06)] {
        let rheology =
            Rheology::Measured { polymer_viscosity: 1.0, solvent_viscosity: 0.0, relaxation_time: tau };
        let c = Coefficients::new(&material(rheology), dt, 1.0);
        let mut q = Sym3::IDENTITY;
        for step in 0..20_000 {
            // Rates up to 20/s in all directions: strains of more than one half in a step.
            let l = Mat3::from_cols_array(&std::array::from_fn(|_| 40.0 * (random.unit() - 0.5)));
            let l = l - Mat3::from_diagonal(Vec3::splat((l.x_axis.x + l.y_axis.y + l.z_axis.z) / 3.0));
            q = c.update_conformation(q, &l, dt as f32);
            if q.trace() > 1e4 {
                q = q * (1e4 / q.trace());
            }
            let e = q.eigenvalues();
            assert!(e[0] > -1e-6 * e[2] && q.trace().is_finite(), "τ {tau}, Δt {dt}, step {step}: {e:?}");
        }
        let Update::Convected { e, b } = c.update else { panic!("a polymer with memory") };
        assert!(e >= 0.0 && b >= 0.0 && e + b <= 1.0);
    }
}

#[test]
fn the_printed_update_loses_positive_definiteness() {
    // Why the update is replaced: at τ = 5 s and Δt = 17 ms a strong but ordinary flow is enough.
    let printed = material(Rheology::Printed { compliance: 0.1, relaxation_time: 5.0 });
    let c = Coefficients::new(&printed, 0.017, 1.0);
    let l = Mat3::from_diagonal(Vec3::new(40.0, -20.0, -20.0));
    let q = c.update_conformation(Sym3::IDENTITY, &l, 0.017);
    assert!(q.eigenvalues()[0] < 0.0, "{:?}", q.eigenvalues());
}

#[test]
fn a_rigid_turn_turns_the_conformation() {
    let rheology =
        Rheology::Measured { polymer_viscosity: 1e9, solvent_viscosity: 0.0, relaxation_time: 1e9 };
    let dt = 0.01;
    let c = Coefficients::new(&material(rheology), dt, 1.0);
    let turn = Mat3::from_rotation_z(0.3);
    let l = (turn - Mat3::IDENTITY) * (1.0 / dt as f32);
    let q0 = Sym3::new([1.5, 0.8, 1.0, 0.2, 0.0, 0.1]);
    let turned = c.update_conformation(q0, &l, dt as f32);
    let expected = q0.congruent(&turn);
    assert!((turned - expected).dot(turned - expected) < 1e-9);
}

#[test]
fn slow_polymers_keep_their_digits() {
    // Δt/τ of 1e-9: naive formulas lose E = η_p (1 − e) and b entirely.
    let rheology =
        Rheology::Measured { polymer_viscosity: 1e9, solvent_viscosity: 0.0, relaxation_time: 1e6 };
    let c = Coefficients::new(&material(rheology), 1e-3, 2.0_f64.cbrt());
    // α = 2Δt/(V E) with E = GΔt, so α = 2/(VG) = 1e-3.
    assert!((c.alpha / 1e-3 - 1.0).abs() < 1e-5, "{}", c.alpha);
    assert!((c.memory - 1.0).abs() < 1e-6);
}

#[test]
fn iterations_do_not_grow_with_the_body() {
    // A cube of very viscous fluid that lies on a floor with no slip and is pushed sideways.
    let iterations = |count: usize| {
        let world = world(count, 0.1, true, 1e5);
        let params = Params {
            preconditioner: Preconditioner::Multilevel,
            tolerance: 1e-3,
            max_velocity_iterations: 500,
            ..Params::default()
        };
        let mut done = Default::default();
        with_step(&world, &params, |step, matrices| {
            let n = step.x0.len();
            let (mut state, mut scratch) =
                fresh(step.x0.iter().map(|x| Vec3A::new(x.y, 0.0, (3.0 * x.x).sin())).collect());
            let u0 = vec![Vec3::ZERO; n];
            done = project_velocities(
                step,
                matrices,
                (&u0, &mut RigidBodies::default()),
                &mut state,
                &mut scratch,
            );
        });
        assert!(done.residual <= 1e-3, "{done:?}");
        done.iterations
    };
    let (small, large) = (iterations(6), iterations(16));
    assert!(large <= 40 && 2 * large <= 5 * small, "{small} for 216 particles, {large} for 4,096");
}
