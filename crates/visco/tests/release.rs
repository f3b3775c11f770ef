//! Bodies that the scene moves until it lets them go.

mod common;

use common::bodies::mean;
use common::{advance, simulation};
use visco::glam::DVec3;
use visco::{Changes, Checkpoint, Frame, Simulation};

/// Two blocks that move and turn for 0.2 s and are free then, in steps of 10 ms.
fn blocks(method: &str) -> Simulation {
    let block = |kind: &str, x: f64| {
        format!(
            "[[body]]\nkind = \"{kind}\"\nrelease = 0.2\n\
             shape = {{ box = {{ min = [{x}, 1, 0], max = [{}, 1.04, 0.04] }} }}\n\
             motion = {{ velocity = [0.5, 0, 0], angular_velocity = [0, 3, 0] }}\n",
            x + 0.06
        )
    };
    simulation(&format!(
        "name = \"release\"\nmethod = \"{method}\"\nspacing = 0.01\n\
         time = {{ fps = 100, frames = 100, steps_per_frame = 1 }}\n\
         material = [{{ name = \"syrup\", viscosity = 5 }}]\n{}{}",
        block("rigid", 0.0),
        block("soft", 0.3)
    ))
}

/// Angular velocity about the y axis of particles that turn as one.
fn spin(frame: &Frame, of: &[usize]) -> f64 {
    let (center, velocity) = (mean(&frame.positions, of), mean(&frame.velocities, of));
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for &i in of {
        let arm = frame.positions[i].as_dvec3() - center;
        momentum += arm.cross(frame.velocities[i].as_dvec3() - velocity).y;
        inertia += arm.x * arm.x + arm.z * arm.z;
    }
    momentum / inertia
}

#[test]
fn a_body_follows_its_motion_and_falls_from_where_it_is_let_go() {
    for method in ["coupled", "dcpbd"] {
        let mut run = blocks(method);
        let start = run.frame();
        advance(&mut run, 20);
        let released = run.frame();
        advance(&mut run, 20);
        let end = run.frame();
        for material in [1, 2] {
            let all: Vec<usize> = (0..start.len()).filter(|&i| start.materials[i] == material).collect();
            let at = |f: &Frame| mean(&f.positions, &all);
            let moved = at(&released) - at(&start);
            assert!((moved - DVec3::X * 0.1).length() < 1e-6, "{method}, {material}: {moved}");
            assert!((spin(&released, &all) - 3.0).abs() < 0.01, "{method}, {material}");
            // 20 steps of free fall.
            let fall = DVec3::new(0.1, -9.81 * 1e-4 * 210.0, 0.0);
            let fell = at(&end) - at(&released);
            assert!((fell - fall).length() < 1e-3, "{method}, {material}: {fell} of {fall}");
            let spin = spin(&end, &all);
            assert!((spin - 3.0).abs() < 0.1, "{method}, {material}: turns by {spin} rad/s");
        }
    }
}

#[test]
fn a_checkpoint_before_or_after_the_release_goes_on_as_if_nothing_had_happened() {
    for method in ["coupled", "dcpbd"] {
        let mut whole = blocks(method);
        advance(&mut whole, 40);
        let mut parts = blocks(method);
        for frames in [10, 10, 5, 15] {
            advance(&mut parts, frames);
            let mut bytes = Vec::new();
            parts.checkpoint().write(&mut bytes).unwrap();
            parts = blocks(method);
            parts.restore(&Checkpoint::read(&bytes[..]).unwrap(), Changes::Refused).unwrap();
        }
        assert_eq!(parts.frame().hash(), whole.frame().hash(), "{method}");
    }
}
