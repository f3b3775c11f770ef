//! What the tests of these methods share: a small world, and steps of one length.

use crate::methods::FluidMethod;
use crate::report::StepReport;
use crate::scene::Scene;
use crate::world::World;

/// Length of a step, in s.
pub(super) const DT: f64 = 1.0 / 960.0;

/// A scene without gravity, particles 1 cm apart, for a method; `rest` has materials and fluid.
pub(super) fn scene(method: &str, rest: &str) -> (Scene, World) {
    let text = format!(
        "name = \"trial\"\nmethod = \"{method}\"\nspacing = 0.01\ngravity = [0, 0, 0]\n\
         time = {{ fps = 60, frames = 60, steps_per_frame = 16 }}\n{rest}"
    );
    let scene = Scene::from_toml(&text).unwrap_or_else(|e| panic!("{e}"));
    let world = World::new(&scene).unwrap_or_else(|e| panic!("{e}"));
    (scene, world)
}

/// Makes steps, and returns the report of the last.
pub(super) fn advance(world: &mut World, method: &mut impl FluidMethod, steps: usize) -> StepReport {
    let mut report = StepReport::default();
    for _ in 0..steps {
        world.begin_step(DT);
        report = method.step(world, DT as f32);
        world.time += DT;
    }
    report
}
