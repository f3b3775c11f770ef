//! Materials that change with time.

mod common;

use common::{advance, mean, simulation};
use visco::Simulation;

const METHODS: [&str; 2] = ["dcpbd", "coupled"];

fn height(run: &Simulation) -> f64 {
    let frame = run.frame();
    2.0 * mean(&frame, |i| frame.positions[i].y)
}

fn block(method: &str, solver: &str, material: &str) -> Simulation {
    simulation(&format!(
        r#"
name = "melt"
method = "{method}"
spacing = 0.01
[time]
fps = 50
frames = 101
steps_per_frame = 2
[solver]
{solver}
[[material]]
name = "ice"
{material}
[[fluid]]
material = "ice"
shape = {{ box = {{ min = [0, 0, 0], max = [0.08, 0.12, 0.08] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
"#
    ))
}

#[test]
fn a_block_stands_until_it_melts() {
    for method in METHODS {
        let melts = "viscosity = 1e5\nkeys = [{ time = 0.4 }, { time = 0.6, viscosity = 10 }]";
        let mut run = block(method, "", melts);
        let start = height(&run);
        advance(&mut run, 20);
        let stood = height(&run) / start;
        advance(&mut run, 40);
        let melted = height(&run) / start;
        assert!(stood > 0.95, "{method}: {stood} of its height at 0.4 s");
        assert!(melted < 0.6, "{method}: {melted} of its height at 1.2 s");
    }
}

#[test]
fn the_printed_compliance_melts_too() {
    let run = |keys: &str| {
        let mut run = block("dcpbd", "formulation = \"printed\"", &format!("compliance = 1e-3\n{keys}"));
        advance(&mut run, 10);
        let before = height(&run);
        advance(&mut run, 20);
        (before, height(&run))
    };
    let (stays, melts) = (run(""), run("keys = [{ time = 0.2 }, { time = 0.3, compliance = 1 }]"));
    assert_eq!(stays.0, melts.0, "nothing has changed before the key");
    assert!(melts.1 < 0.6 * stays.1, "{melts:?} for {stays:?}");
}

/// Mean shear stress over the rate of shear between plates that move at ±0.1 m/s, 0.16 m apart, in Pa·s.
fn measured_viscosity(run: &Simulation) -> f64 {
    let p = &run.world().particles;
    let stresses = run.stresses();
    let middle: Vec<usize> = (0..p.len()).filter(|&i| (0.04..0.12).contains(&p.positions[i].y)).collect();
    let stress: f64 = middle.iter().map(|&i| f64::from(stresses[i].xy)).sum::<f64>() / middle.len() as f64;
    stress / (0.2 / 0.16)
}

fn plates(method: &str, material: &str) -> Simulation {
    simulation(&format!(
        r#"
name = "plates"
method = "{method}"
spacing = 0.01
gravity = [0, 0, 0]
[time]
fps = 50
frames = 101
steps_per_frame = 2
[[material]]
name = "syrup"
{material}
[[fluid]]
material = "syrup"
shape = {{ box = {{ min = [0, 0, 0], max = [0.06, 0.16, 0.06] }} }}
[periodic]
axes = ["x", "z"]
min = [0, 0, 0]
max = [0.06, 0, 0.06]
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
velocity = [-0.1, 0, 0]
[[boundary]]
shape = {{ plane = {{ point = [0, 0.16, 0], normal = [0, -1, 0] }} }}
velocity = [0.1, 0, 0]
"#
    ))
}

#[test]
fn between_plates_the_viscosity_is_that_of_the_time() {
    for method in METHODS {
        let mut run =
            plates(method, "viscosity = 1000\nkeys = [{ time = 0.4 }, { time = 0.6, viscosity = 100 }]");
        advance(&mut run, 20);
        let before = measured_viscosity(&run);
        advance(&mut run, 5);
        let meanwhile = measured_viscosity(&run);
        advance(&mut run, 15);
        let after = measured_viscosity(&run);
        assert!((before / 1000.0 - 1.0).abs() < 0.03, "{method}: {before} Pa·s for 1000");
        // The last step's middle is 5 ms before half-way.
        let halfway = 1000.0 * 0.1_f64.powf(0.475);
        assert!((meanwhile / halfway - 1.0).abs() < 0.04, "{method}: {meanwhile} Pa·s for {halfway}");
        assert!((after / 100.0 - 1.0).abs() < 0.03, "{method}: {after} Pa·s for 100");
    }
}

#[test]
fn a_stretched_polymer_keeps_its_strain_while_its_modulus_drops() {
    for method in METHODS {
        let mut run = plates(
            method,
            "shear_modulus = 2000\nrelaxation_time = 50\nkeys = [{ time = 0.4 }, { time = 0.42, shear_modulus = 200 }]",
        );
        advance(&mut run, 20);
        let before = measured_viscosity(&run);
        let shear = mean(&run.frame(), |i| run.frame().conformations.as_ref().map_or(0.0, |q| q[i][3]));
        advance(&mut run, 2);
        let after = measured_viscosity(&run);
        let kept = mean(&run.frame(), |i| run.frame().conformations.as_ref().map_or(0.0, |q| q[i][3]));
        // The strain grows by a tenth in two frames of forty milliseconds after twenty.
        assert!((kept / shear - 1.1).abs() < 0.05, "{method}: strain {shear}, then {kept}");
        assert!((after / before / 0.11 - 1.0).abs() < 0.1, "{method}: {before}, then {after} Pa·s");
    }
}

#[test]
fn a_polymer_that_lost_its_memory_starts_anew() {
    for method in METHODS {
        let keys = "keys = [{ time = 0.2 }, { time = 0.22, relaxation_time = 0 }, { time = 0.4 }, \
                    { time = 0.42, relaxation_time = 50 }]";
        let mut run = plates(method, &format!("viscosity = 1e4\nrelaxation_time = 50\n{keys}"));
        advance(&mut run, 15);
        let q = run.frame().conformations.expect("a polymer");
        assert!(q.iter().all(|q| q[3] == 0.0 && q[0] == 1.0), "{method}");
    }
}
