//! Stress, pressure and sections, each alone.

use super::*;
use crate::scene::{Scene, Solver};

/// A world with its method.
fn world(scene: &str) -> (World, Mps) {
    let scene = Scene::from_toml(&format!("method = \"mps\"\nname = \"test\"\n{scene}"))
        .unwrap_or_else(|e| panic!("{e}"));
    let world = World::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    let Solver::Mps(params) = scene.solver else { panic!("another method") };
    let method = Mps::new(&world, params);
    (world, method)
}

const PERIODIC: &str = r#"
spacing = 0.01
gravity = [0, 0, 0]
time = { fps = 100, frames = 9, steps_per_frame = 1 }
periodic = { axes = ["x", "y", "z"], min = [0, 0, 0], max = [0.06, 0.16, 0.06] }
material = [{ name = "gum", viscosity = 10, relaxation_time = 0.02 }]
fluid = [{ material = "gum", shape = { box = { min = [0, 0, 0], max = [0.06, 0.16, 0.06] } }, jitter = 0.05 }]
"#;

/// A shear wave sin(ky) in a periodic box: damped by viscosity as e^(−νk²t), and carried by elasticity as cos(kct) with
/// c² = μ/ρ.
#[test]
fn shear_waves_have_the_damping_and_the_speed_of_theory() {
    let (world, method) = world(PERIODIC);
    let (k, rho, n) = (std::f32::consts::TAU / 0.16, 1000.0, world.particles.len());
    let wave = |i: usize| (k * world.particles.positions[i].y).sin();
    // Of the wave at the start, which is slow: strains stay below 2 %, and the fluid does not turn.
    let speed = 0.01;
    let amplitude = |u: &[Vec3A]| {
        u.iter().enumerate().map(|(i, u)| u.x * wave(i)).sum::<f32>() * 2.0 / (speed * n as f32)
    };
    let start: Vec<Vec3A> = (0..n).map(|i| Vec3A::X * (speed * wave(i))).collect();
    let rigid = RigidBodies::default();

    let (eta, dt) = (10.0, 0.002);
    let around = Around::find(&method.setting(&world, dt), &method.weight);
    let solve = |dt: f32, viscosity: f32, shear: f32, strain: &[Sym3], u: &mut Vec<Vec3A>| {
        let step = method.setting(&world, dt);
        let moduli = |_| Moduli { viscosity, shear, calm: 0.0 };
        let resistance = Resistance::new((&step, &around), &method.params, (strain, moduli), &rigid);
        let before = u.clone();
        resistance.solve(&before, u, &method.params);
    };
    let mut u = start.clone();
    solve(dt, eta, 0.0, &vec![Sym3::ZERO; n], &mut u);
    let expected = 1.0 / (1.0 + eta / rho * k * k * dt);
    let damped = amplitude(&u);
    assert!((damped.ln() / expected.ln() - 1.0).abs() < 0.03, "{damped}, theory {expected}");
    let drift = (u.iter().sum::<Vec3A>() - start.iter().sum::<Vec3A>()).length() / n as f32;
    assert!(drift < 1e-5 * speed, "momentum {drift}");

    // From one turn of the wave to the next is half a period, whatever damps it.
    let (mu, dt) = (500.0_f32, 0.0005);
    let period = std::f32::consts::TAU / (k * (mu / rho).sqrt());
    let (mut u, mut strain) = (start, vec![Sym3::ZERO; n]);
    let (mut turns, mut lowest) = (Vec::new(), 0.0_f32);
    for s in 0..(period / dt) as usize {
        let before = amplitude(&u);
        solve(dt, 0.0, mu, &strain, &mut u);
        for (i, e) in strain.iter_mut().enumerate() {
            *e = strain_after(*e, &around.gradient(&u, i, true), dt);
        }
        let after = amplitude(&u);
        lowest = lowest.min(after);
        if before * after < 0.0 {
            turns.push((s as f32 + before / (before - after)) * dt);
        }
    }
    assert_eq!(turns.len(), 2, "{turns:?}");
    let measured = 2.0 * (turns[1] - turns[0]) / period;
    assert!((measured - 1.0).abs() < 0.05, "the period is {measured} of theory's");
    assert!(lowest < -0.7, "{lowest}");
}

#[test]
fn strain_turns_with_the_fluid_and_is_that_of_its_displacement() {
    let strain = Sym3::new([0.3, -0.1, -0.2, 0.05, 0.0, 0.02]);
    // A quarter turn about z in 100 steps.
    let dt = 0.01;
    let omega = std::f32::consts::FRAC_PI_2;
    let spin = Mat3A::from_cols(Vec3A::Y * omega, Vec3A::X * -omega, Vec3A::ZERO);
    let turned = (0..100).fold(strain, |e, _| strain_after(e, &spin, dt));
    let quarter = strain.congruent(&glam::Mat3::from_rotation_z(omega));
    for (a, b) in turned.to_array().iter().zip(quarter.to_array()) {
        assert!((a - b).abs() < 1e-4, "{turned:?}, not {quarter:?}");
    }
    let stretch = Mat3A::from_diagonal(Vec3::new(-0.5, 1.0, -0.5));
    let stretched = (0..100).fold(Sym3::ZERO, |e, _| strain_after(e, &stretch, dt));
    // 1.01 and 0.995 to the hundredth, less one.
    assert!((stretched.yy - 1.7048).abs() < 1e-3 && (stretched.xx + 0.3942).abs() < 1e-3, "{stretched:?}");
}

const PULLED: &str = r#"
spacing = 0.001
time = { fps = 100, frames = 9, steps_per_frame = 10 }
material = [{ name = "gum", viscosity = 28, relaxation_time = 0.08 }]
fluid = [{ material = "gum", shape = { box = { min = [0, 0, 0], max = [0.012, 0.015, 0.012] } } }]
[[grip]]
shape = { box = { min = [-1, -1, -1], max = [1, 0.003, 1] } }
[[grip]]
shape = { box = { min = [-1, 0.012, -1], max = [1, 1, 1] } }
velocity = [0, 0.018, 0]
"#;

#[test]
fn the_narrowest_section_decides_the_elastic_share() {
    let (mut world, mut method) = world(PULLED);
    let around = |world: &World, method: &Mps| Around::find(&method.setting(world, 1e-4), &method.weight);
    assert_eq!(Pull::find(&world).map(|pull| pull.axis), Some(Vec3::Y));
    let whole = around(&world, &method);
    method.look_at_narrowest(&world, &whole);
    assert_eq!(method.state.elastic_share, 0.0, "nothing is narrower than at the start");
    assert!(
        (method.state.section.unwrap_or(0.0) - 144.0 * 3.0).abs() < 0.01 * 432.0,
        "{:?}",
        method.state.section
    );
    assert!(method.state.rupture.is_none());
    // A waist of a third of the width, as dense as before inside.
    let waist = |x: Vec3| (x.y - 0.0075).abs() < 0.0016;
    let keep: Vec<u32> = (0..world.particles.len() as u32)
        .filter(|&i| {
            let x = world.particles.positions[i as usize];
            !waist(x) || ((x.x - 0.006).abs() < 0.0016 && (x.z - 0.006).abs() < 0.0016)
        })
        .collect();
    world.particles.reorder(&keep);
    method.reorder(&keep);
    let narrowed = around(&world, &method);
    method.look_at_narrowest(&world, &narrowed);
    let narrow = method.state.elastic_share / method.params.elastic_share;
    // Three layers of 16 particles and, beyond them, a third of the weight in those of 144.
    assert!((0.65..0.75).contains(&narrow), "β/C = {narrow}");
    assert!(method.state.rupture.is_none());
    assert_eq!(method.viscous_share(), 0.97);
    // Cut through: β = C, and α falls.
    let keep: Vec<u32> = (0..world.particles.len() as u32)
        .filter(|&i| !waist(world.particles.positions[i as usize]))
        .collect();
    world.particles.reorder(&keep);
    method.reorder(&keep);
    let parted = around(&world, &method);
    method.look_at_narrowest(&world, &parted);
    assert_eq!(method.state.elastic_share, method.params.elastic_share);
    assert_eq!(method.state.rupture, Some(0.0));
    assert_eq!(method.viscous_share(), 0.95);
}

#[test]
fn grips_that_let_go_are_no_rupture_and_what_stretches_pulls_too() {
    let (mut world, mut method) = self::world(PULLED);
    let around = |world: &World, method: &Mps| Around::find(&method.setting(world, 1e-4), &method.weight);
    let whole = around(&world, &method);
    method.look_at_narrowest(&world, &whole);
    // First what pulls lets go, then what holds.
    for grip in [1, 0] {
        let motions = &mut world.particles.motions;
        motions.iter_mut().filter(|m| **m == Motion::Gripped(grip)).for_each(|m| *m = Motion::Free);
        method.look_at_narrowest(&world, &whole);
        assert_eq!((method.state.rupture, method.state.elastic_share), (None, 0.0), "grip {grip}");
    }
    // Both ends stretched away from the middle, at the speeds that their particles have.
    let stretch = "axis = [0, 1, 0]\nstretch = { rate = 1, about = [0, 0.0075, 0] }";
    let moved = PULLED
        .replace("velocity = [0, 0.018, 0]", stretch)
        .replace("max = [1, 0.003, 1] } }", &format!("max = [1, 0.003, 1] }} }}\n{stretch}"));
    let (stretched, _) = self::world(&moved);
    assert_eq!(Pull::find(&stretched).map(|pull| pull.axis.abs()), Some(Vec3::Y));
}

#[test]
fn sides_that_meet_rupture_the_fluid() {
    let (mut world, method) = world(PULLED);
    let sides = section::sides(&world, Vec3::Y, method.weight.support());
    // Three of twelve layers on either side, of both directions; grips hold the rest.
    let of = |bit: u8| sides.iter().filter(|s| **s & bit != 0).count();
    assert!([1, 2, 4, 8].iter().all(|&bit| of(bit) == 3 * 12 * 9), "{:?}", [1, 2, 4, 8].map(of));
    let meet = |world: &World| {
        section::sides_meet(&Around::find(&method.setting(world, 1e-4), &method.weight), &sides)
    };
    assert!(!meet(&world));
    let left = (0..sides.len()).find(|&i| sides[i] == 1).expect("a particle of S1 alone");
    let right = (0..sides.len()).find(|&i| sides[i] == 2).expect("a particle of S3 alone");
    world.particles.positions[left] = world.particles.positions[right] + Vec3::new(0.0015, 0.0, 0.0004);
    assert!(meet(&world));
}

#[test]
fn a_fluid_at_rest_has_the_pressure_of_its_weight_at_once() {
    let (mut world, mut method) = world(
        r#"
spacing = 0.01
time = { fps = 100, frames = 9, steps_per_frame = 1 }
material = [{ name = "water", viscosity = 0 }]
fluid = [{ material = "water", shape = { box = { min = [0, 0, 0], max = [0.1, 0.1, 0.1] } } }]
solver = { tolerance = 1e-6 }
[[boundary]]
shape = { box = { min = [0, 0, 0], max = [0.1, 1, 0.1] } }
side = "inside"
"#,
    );
    world.begin_step(0.002);
    method.step(&mut world, 0.002);
    for (x, p) in world.particles.positions.iter().zip(&method.state.pressure) {
        let depth = 0.095 - x.y;
        // Where three walls meet n is known to a part in a thousand, of which γ/Δt makes this.
        assert!((p - 9810.0 * depth).abs() < 0.08 * 9810.0 * 0.1, "{p} Pa at a depth of {depth}");
    }
    let fastest = world.particles.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
    // In the corners; without pressure all would fall with 0.02 m/s.
    assert!(fastest < 0.4 * 9.81 * 0.002, "{fastest}");
}

const BLOCK: &str = r#"
spacing = 0.01
gravity = [0, 0, 0]
time = { fps = 100, frames = 9, steps_per_frame = 5 }
material = [{ name = "water", viscosity = 0 }]
fluid = [{ material = "water", shape = { box = { min = [0, 0, 0], max = [0.1, 0.1, 0.1] } }, jitter = 0.1 }]
"#;

/// Particles that are deeper than a distance in the block.
fn deep(world: &World, depth: f32) -> Vec<usize> {
    let inside = |x: Vec3| (x - Vec3::splat(0.05)).abs().max_element() < 0.05 - depth;
    (0..world.particles.len()).filter(|&i| inside(world.particles.positions[i])).collect()
}

/// Eq. 13: exact for pressures that grow evenly, wherever the particles are; beside that the minimum-pressure rule drives a
/// particle out of a crowd.
#[test]
fn the_gradient_is_exact_where_pressure_is_linear_and_the_least_pressure_drives_out_of_crowds() {
    let (mut world, method) = world(BLOCK);
    let slope = Vec3A::new(300.0, -200.0, 500.0);
    let around = Around::find(&method.setting(&world, 2e-3), &method.weight);
    let pressure: Vec<f32> =
        world.particles.positions.iter().map(|x| 1000.0 + slope.dot(Vec3A::from(*x))).collect();
    let inside = deep(&world, 0.025);
    assert!(inside.len() > 100);
    let least = |around: &Around, pressure: &[f32], i: usize| {
        around.near.of(i).iter().map(|&j| pressure[j as usize]).fold(pressure[i], f32::min)
    };
    let mut crowded = 0;
    for &i in &inside {
        let drive = around.crowding[i] * (pressure[i] - least(&around, &pressure, i));
        let found = pressure::gradient(&around, &pressure, i);
        assert!((found - drive - slope).length() < 1e-3 * slope.length(), "{found} of particle {i}");
        crowded += usize::from(drive.length() > 1e-3 * slope.length());
    }
    assert!(crowded > inside.len() / 2, "the drive is nothing to {crowded} of {}", inside.len());

    // One particle near another, at a pressure that is the same everywhere but at one neighbour of it.
    let (i, other) = (inside[0], around.near.of(inside[0])[0] as usize);
    let way = world.particles.positions[other] - world.particles.positions[i];
    world.particles.positions[i] += 0.4 * way;
    let around = Around::find(&method.setting(&world, 2e-3), &method.weight);
    let mut pressure = vec![1000.0; world.particles.len()];
    let elsewhere = around.near.of(i).iter().map(|&j| j as usize).find(|&j| j != other).expect("many");
    pressure[elsewhere] -= 100.0;
    let drive = around.crowding[i] * 100.0;
    assert!(drive.dot(Vec3A::from(way)) > 0.0, "the acceleration −∇P leads away from the other");
    let all = |p: &[f32]| pressure::gradient(&around, p, i);
    let difference = {
        let e = Vec3A::from(world.particles.positions[elsewhere] - world.particles.positions[i]);
        let of_one = around.of_fluid[i].mul_vec3a(e * (method.weight.slope(e.length()) * -100.0));
        all(&pressure) - of_one
    };
    assert!((difference - drive).length() < 1e-3 * drive.length(), "{difference}, not {drive}");
}

/// Eq. 11: of a density that is not that at rest a step takes back the part γ.
#[test]
fn a_crowded_block_gets_its_density_back_by_gamma() {
    let left = |gamma: f32| {
        let (mut world, mut method) = world(BLOCK);
        method.params.density_relaxation = gamma;
        method.params.repulsion = 0.0;
        world.particles.positions.iter_mut().for_each(|x| *x *= 0.99);
        let excess = |world: &World, method: &Mps| {
            let inside = deep(world, 0.03);
            let density = Around::find(&method.setting(world, 2e-3), &method.weight).density;
            inside.iter().map(|&i| density[i]).sum::<f32>() / inside.len() as f32 - 1.0
        };
        let before = excess(&world, &method);
        assert!(before > 0.01, "{before}");
        world.begin_step(2e-3);
        method.step(&mut world, 2e-3);
        excess(&world, &method) / before
    };
    for gamma in [0.0, 0.2, 0.5] {
        let left = left(gamma);
        // n grows somewhat more than the volume shrinks.
        assert!((left - (1.0 - gamma)).abs() < 0.2 * gamma + 1e-3, "γ = {gamma}: {left} is left");
    }
}
