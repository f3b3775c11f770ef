//! Every built-in scene by every method: it passes the check, starts, and takes steps.

use std::ops::ControlFlow;
use visco::Simulation;
use visco::mesh::Assets;
use visco::scene::{Method, Override, builtin_scenes};

/// Steps that each takes.
const STEPS: u32 = 2;

#[test]
fn every_built_in_scene_starts_by_every_method() {
    for builtin in builtin_scenes() {
        for method in Method::ALL.map(Method::name) {
            let name = format!("{}, {method}", builtin.name);
            let sets = ["quality=small".to_owned(), format!("method={method}")]
                .map(|text| Override::parse(&text).expect("a change"));
            let scene = builtin.scene(&sets).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(scene.solver.name(), method, "{name}");
            let mut run = Simulation::with_assets(&scene, &Assets::new())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let mut steps = 0;
            run.advance_frame(|report| {
                assert!(report.row().iter().all(|v| v.is_finite()), "{name}: {report:?}");
                steps += 1;
                if steps < STEPS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
            .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(steps >= 1 && run.time() > 0.0, "{name}: {steps} steps");
        }
    }
}
