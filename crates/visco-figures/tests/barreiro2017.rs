//! The figures of Barreiro et al. 2017 that the engine must reproduce, as assertions.

use visco::flow::DensityConstraint;
use visco::glam::{Quat, Vec3};
use visco::methods::dcpbd::{Formulation, Integrator, Params, VelocitySolver};
use visco::methods::pbf::{self, Viscosity, stable_step};
use visco::scene::{BuiltinScene, Material, Method, Override, Solver, Turn};
use visco::{Scene, Simulation};
use visco_figures::experiments::{Block, Sample, coil, drift, spread};

/// The block's material with other rheology.
fn material(viscosity: Option<f64>, shear_modulus: Option<f64>, relaxation_time: f64) -> Material {
    let relaxation_time = Some(relaxation_time);
    Material { viscosity, shear_modulus, relaxation_time, ..Block::default().material }
}

/// How far the centre rises above its lowest point after the impact, in m.
fn bounce(samples: &[Sample]) -> f64 {
    let lowest = (0..samples.len()).min_by(|&a, &b| samples[a].center.y.total_cmp(&samples[b].center.y));
    let lowest = lowest.unwrap();
    samples[lowest..].iter().map(|s| s.center.y - samples[lowest].center.y).fold(0.0, f64::max)
}

/// Fig. 2 and 3: drift of a very viscous block from a rigid one, in spacings, with ours and with position-based fluids.
fn drifts(block: &Block, seconds: f64, others: pbf::Params) -> [f64; 2] {
    let position = Params { position_iterations: 20, ..Params::default() };
    [(Solver::Dcpbd(position), f64::INFINITY), (Solver::Pbf(others), 1e6)].map(|(solver, viscosity)| {
        let plain = Material { density: Some(1000.0), ..Material::named("material") };
        let material = Material { viscosity: Some(viscosity), ..plain };
        let block = Block { solver, material, dt: 1.0 / 240.0, ..block.clone() };
        block.run(seconds).unwrap().last().unwrap().drift
    })
}

#[test]
fn fig02_a_viscous_block_on_the_ground_drifts_by_lengths_and_not_by_conformation() {
    // Nothing but gravity and contacts pulls the particles together.
    let lengths = pbf::Params {
        viscosity: Viscosity::Lengths,
        iterations: 10,
        tensile_strength: 0.0,
        ..pbf::Params::default()
    };
    let [ours, lengths] = drifts(&Block { count: [6; 3], ..Block::default() }, 1.0, lengths);
    assert!(ours < 0.01, "{ours} spacings");
    assert!(lengths > 0.3, "{lengths} spacings");
}

#[test]
fn fig03_a_viscous_beam_that_spins_drifts_by_velocities_and_not_by_conformation() {
    // As an equality, softened, density holds a beam together that spins. It draws it together at its surface at first,
    // turning or not.
    let velocities = pbf::Params {
        viscosity: Viscosity::Reconstruction,
        density: DensityConstraint::Equality,
        softness: 1.0,
        ..pbf::Params::default()
    };
    let spin = [0.0, OMEGA, 0.0];
    let beam = Block { count: [20, 4, 4], height: None, spin, settles: 1.0, ..Block::default() };
    let [ours, spinning] = drifts(&beam, 1.0, velocities.clone());
    let [_, resting] = drifts(&Block { spin: [0.0; 3], ..beam }, 1.0, velocities);
    assert!(ours < 0.01, "{ours} spacings");
    assert!(spinning > 0.3 && spinning > 2.0 * resting, "{spinning} spacings, {resting} at rest");
}

/// Fig. 4: a cube of 0.8 m, dropped from 0.5 m.
fn palette(material: Material, turned: f64) -> Vec<Sample> {
    let cube = Block { count: [8; 3], material, turned, ..Block::default() };
    cube.run(1.5).unwrap()
}

#[test]
fn fig04_an_elastic_cube_bounces() {
    let samples = palette(material(None, Some(1e5), 5.0), 0.0);
    assert!(bounce(&samples) > 0.12, "{}", bounce(&samples));
    // It keeps its shape: after the bounce it is a cube again.
    assert!(samples.last().unwrap().drift < 0.2, "{}", samples.last().unwrap().drift);
}

#[test]
fn fig04_a_viscous_cube_neither_bounces_nor_spreads() {
    let samples = palette(material(Some(15_000.0), None, 0.015), 0.0);
    let end = samples.last().unwrap();
    assert!(bounce(&samples) < 0.02, "{}", bounce(&samples));
    assert!(end.spread < 0.36 && end.spread > 0.324, "{}", end.spread);
}

#[test]
fn fig04_a_runny_cube_splashes() {
    let samples = palette(material(Some(1.5), None, 0.015), 0.0);
    assert!(samples.last().unwrap().spread > 1.5, "{}", samples.last().unwrap().spread);
}

#[test]
fn the_palette_does_not_know_the_axes() {
    for material in [material(Some(15_000.0), None, 0.015), material(None, Some(1e5), 5.0)] {
        let (straight, turned) = (palette(material.clone(), 0.0), palette(material, 45.0));
        let widest = |s: &[Sample]| s.iter().map(|s| s.spread).fold(0.0, f64::max);
        let lowest = |s: &[Sample]| s.iter().map(|s| s.center.y).fold(f64::MAX, f64::min);
        for measure in [widest, lowest] {
            let (a, b) = (measure(&straight), measure(&turned));
            assert!((a / b - 1.0).abs() < 0.02, "{a} {b}");
        }
    }
}

#[test]
fn a_whole_scene_turned_by_45_degrees_gives_the_same_shape() {
    // Block, floor and gravity turned about the z axis: only the axes of the world stay.
    let block = Block { count: [6; 3], material: material(Some(3000.0), None, 0.1), ..Block::default() };
    let shape = |degrees: f64| {
        let mut scene = block.scene(1.0);
        let turn = Turn { axis: [0.0, 0.0, 1.0], degrees, about: Some([0.0; 3]) };
        scene.fluid[0].rotate = Some(turn.clone());
        scene.boundary[0].rotate = Some(turn);
        let quat = Quat::from_rotation_z(degrees.to_radians() as f32);
        scene.gravity = (quat * Vec3::new(0.0, -9.81, 0.0)).to_array().map(f64::from);
        let mut run = Simulation::new(&scene).unwrap();
        for _ in 1..scene.time.frames {
            run.advance_frame(|_| std::ops::ControlFlow::Continue(())).unwrap();
        }
        let back: Vec<Vec3> = run.frame().positions.iter().map(|&x| quat.inverse() * x).collect();
        back
    };
    let (straight, turned) = (shape(0.0), shape(45.0));
    let size = spread(&straight);
    assert!((spread(&turned) / size - 1.0).abs() < 0.02, "{} {size}", spread(&turned));
    let difference = drift(&turned, &straight, Quat::IDENTITY);
    assert!(difference < 0.02 * size, "RMS {difference} m of {size} m");
}

/// Fig. 6: the drift of a cube without compliance, averaged over drop heights.
fn mean_drift(dt: f64, params: &Params) -> f64 {
    let heights = [0.4, 0.45, 0.5, 0.55, 0.6];
    let end = |height: f64| {
        let cube =
            Block { height: Some(height), dt, solver: Solver::Dcpbd(params.clone()), ..Block::default() };
        // A run that blows up has lost all its shape.
        cube.run(1.5).map_or(100.0, |samples| samples.last().unwrap().drift)
    };
    heights.map(end).iter().sum::<f64>() / heights.len() as f64
}

fn jacobi(velocity: u32, position: u32) -> Params {
    Params {
        velocity_solver: VelocitySolver::Jacobi,
        integrator: if velocity > 0 { Integrator::Dcpbd } else { Integrator::Pbd },
        max_velocity_iterations: velocity.max(1),
        position_iterations: position,
        ..Params::default()
    }
}

#[test]
fn fig06_two_projections_drift_less_than_one() {
    let (both, alone) = (mean_drift(0.06, &jacobi(20, 20)), mean_drift(0.06, &jacobi(0, 40)));
    assert!(both < 0.5 * alone, "60 ms: {both} against {alone}");
    let (both, alone) = (mean_drift(0.03, &jacobi(20, 20)), mean_drift(0.03, &jacobi(0, 40)));
    assert!(both < 1.1 * alone, "30 ms: {both} against {alone}");
}

#[test]
fn fig06_conjugate_gradients_hardly_drift() {
    let cg = Params { max_velocity_iterations: 36, position_iterations: 4, ..Params::default() };
    let (short, long) = (mean_drift(0.03, &cg), mean_drift(0.06, &cg));
    assert!(short < 0.05, "30 ms: {short}");
    assert!(long < 0.1, "60 ms: {long}");
}

const OMEGA: f64 = std::f64::consts::TAU;

/// Fig. 7: a free block that spins for a second.
fn spin(dt: f64, params: Params, material: Material) -> Sample {
    let block = Block {
        count: [10, 5, 5],
        height: None,
        spin: [0.0, OMEGA, 0.0],
        dt,
        solver: Solver::Dcpbd(params),
        material,
        ..Block::default()
    };
    *block.run(1.0).unwrap().last().unwrap()
}

#[test]
fn fig07_a_spinning_block_loses_no_more_than_the_integrator() {
    for (dt, position_iterations) in [(1.0 / 240.0, 20), (0.001, 10)] {
        let params = Params { position_iterations, ..Params::default() };
        let end = spin(dt, params, Block::default().material);
        let floor = 1.0 / (1.0 + OMEGA * OMEGA * dt).sqrt();
        assert!(end.angular >= 0.98 * floor, "Δt {dt}: {} for {floor}", end.angular);
        // More than that, as turns are exact to second order; without it 0.93 and 0.072 spacings at 1/240 s.
        assert!((end.angular - 1.0).abs() < 1e-3, "Δt {dt}: {}", end.angular);
        assert!(end.drift < 0.005, "Δt {dt}: {}", end.drift);
        // A quarter of a tonne that moves at metres a second: what is left of its momentum is rounding.
        assert!(end.momentum.length() < 1e-6 * 250.0 * OMEGA, "{}", end.momentum);
    }
}

#[test]
fn fig07_without_corotation_the_printed_form_stops_it() {
    let params = Params { formulation: Formulation::Printed, corotational: false, ..jacobi(20, 20) };
    let printed = Material { compliance: Some(0.0), ..material(None, None, 0.0) };
    let end = spin(1.0 / 240.0, params, printed);
    assert!(end.angular < 0.1, "{}", end.angular);
}

#[test]
fn conformation_stays_positive_definite_at_long_steps() {
    // τ = 5 s at Δt = 30 ms, from a fluid that splashes to one that bounces.
    for modulus in [1e2, 1e3, 1e4, 1e5] {
        let cube = Block { dt: 0.03, material: material(None, Some(modulus), 5.0), ..Block::default() };
        let samples = cube.run(1.5).unwrap();
        let smallest = samples.iter().map(|s| s.conformation[0]).fold(f32::MAX, f32::min);
        assert!(smallest > 0.0, "G = {modulus}: {smallest}");
        let largest = samples.iter().map(|s| s.conformation[1]).fold(0.0, f32::max);
        assert!(largest.is_finite() && largest > 1.001, "G = {modulus}: {largest}");
    }
}

/// Section 6: a falling cube drifts as much as by an explicit stress, in steps nine times as long.
#[test]
fn sec06_constraints_drift_as_an_explicit_stress_does_in_longer_steps() {
    const SIDE: u32 = 16;
    let block = |solver: Solver, dt: f64| Block {
        count: [SIDE; 3],
        spacing: 0.8 / f64::from(SIDE),
        height: Some(0.5),
        dt,
        material: material(Some(15_000.0), None, 0.015),
        solver,
        ..Block::default()
    };
    let end = |block: Block| block.run(0.7).unwrap().last().expect("samples").drift;
    let explicit =
        pbf::Params { viscosity: Viscosity::Stress, tensile_strength: 0.0, ..pbf::Params::default() };
    let explicit = block(Solver::Pbf(explicit), 6e-3);
    let stable = stable_step(&visco::material::Material::from_scene(&explicit.material), explicit.spacing);
    assert!(6e-3 > 9.0 * stable, "{stable} s");
    let ratio = end(block(Solver::of(Method::Dcpbd), 6e-3)) / end(explicit);
    // 0.90; of 20 particles a side 0.93, of 32 in steps 19 times as long 0.93 (`visco figure barreiro2017-sec06`).
    assert!((ratio - 1.0).abs() < 0.12, "{ratio} of the explicit drift");
}

#[test]
fn fig12_honey_coils() {
    let small = [Override::parse("quality=small").unwrap()];
    let scene = Scene::from_toml_with(BuiltinScene::find("honey").unwrap().toml, &small).unwrap();
    let mut run = Simulation::new(&scene).unwrap();
    let per_layer = run.world().emitters[0].particles_per_layer();
    let speed = run.world().emitters[0].flow.speed;
    let mut coil_after = |frames: u32| {
        for _ in 0..frames {
            run.advance_frame(|_| std::ops::ControlFlow::Continue(())).unwrap();
        }
        coil(&run.frame(), per_layer, speed)
    };
    // The first turns find their way; then the slender rope of this nozzle turns 2.06 times a second at 80 mm above the
    // pile and 1.99 times at 50 mm, by the steady boundary-value problem (in the viscous regime, 1.9 Q/(H a²)).
    let (begun, found) = (coil_after(45), coil_after(75));
    let frequency = (found.turns - begun.turns).abs() / 2.5;
    assert!((frequency / 2.03 - 1.0).abs() < 0.2, "{frequency} turns a second: {begun:?}, {found:?}");
    assert!(found.radius > 0.006 && found.radius < 0.018, "{found:?}");
}
