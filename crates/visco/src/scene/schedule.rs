//! How long the steps of a scene may get.

use super::describe::distance;
use super::{Scene, Time};
use crate::material::Material;

/// A step in which a particle would move farther than this many spacings is divided, whatever the scene says: a
/// body that falls into a wall by more than a few of its layers could not be brought back in one piece.
pub(super) const FARTHEST_WAY: f64 = 3.0;

impl Time {
    /// Longest step that the scene allows, in s, with a method that lets particles move so many spacings in one. `within`
    /// tells the longest step in which no particle moves farther than a number of spacings.
    pub(crate) fn longest_step(&self, longest_way: f64, within: impl Fn(f64) -> f64) -> f64 {
        let frame = 1.0 / self.fps;
        let chosen = self.usual_step().or(self.cfl.map(&within)).unwrap_or(frame);
        chosen.min(within(longest_way)).min(frame)
    }

    /// The length of steps that the scene asks for, in s; none where they follow the fastest particle.
    pub(crate) fn usual_step(&self) -> Option<f64> {
        let frame = 1.0 / self.fps;
        match (self.steps_per_frame, self.dt) {
            (Some(steps), _) => Some(frame / f64::from(steps)),
            (_, Some(dt)) => Some(frame / (frame / dt * (1.0 - 1e-9)).ceil().max(1.0)),
            _ => None,
        }
    }
}

/// The longest step in which a particle of a speed moves no farther than `way`, gravity included.
pub(crate) fn step_within(way: f64, speed: f64, gravity: f64) -> f64 {
    // A step moves a particle by (v + g t) t: the positive root, in the form that has no cancellation.
    2.0 * way / (speed + (speed * speed + 4.0 * gravity * way).sqrt()).max(f64::MIN_POSITIVE)
}

/// Longest step in which the surface tension of all materials is stable.
pub(crate) fn capillary_step(materials: &[Material], spacing: f64) -> f64 {
    materials.iter().map(|m| m.capillary_step(spacing)).fold(f64::INFINITY, f64::min)
}

impl Scene {
    /// Longest time step of the scene, in s: that of a fluid at rest.
    pub fn longest_step(&self) -> f64 {
        let stages = self.material.iter().flat_map(|m| m.stages());
        let materials: Vec<Material> = stages.map(|(_, m)| Material::from_scene(&m)).collect();
        self.chosen_step().min(capillary_step(&materials, self.spacing))
    }

    /// Longest time step but for surface tension.
    pub(super) fn chosen_step(&self) -> f64 {
        let gravity = distance(&self.gravity, &[0.0; 3]);
        let within = |spacings: f64| step_within(spacings * self.spacing, 0.0, gravity);
        self.time.longest_step(self.solver.longest_way(), within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::BuiltinScene;

    #[test]
    fn the_longest_step_is_the_chosen_one_unless_a_fall_is_too_far() {
        let mut scene = BuiltinScene::find("honey").expect("built in").scene(&[]).expect("valid");
        let step = |scene: &Scene, steps, dt, cfl| {
            let time = Time { fps: 10.0, frames: 2, steps_per_frame: steps, dt, cfl };
            Scene { time, ..scene.clone() }.longest_step()
        };
        scene.gravity = [0.0, -10.0, 0.0];
        scene.spacing = 1.0;
        assert_eq!(step(&scene, Some(4), None, None), 0.025);
        assert_eq!(step(&scene, None, Some(0.03), None), 0.025);
        // A fall from rest by a hundredth of a metre, as (g t) t.
        assert!((step(&scene, None, None, Some(0.01)) - 0.001_f64.sqrt()).abs() < 1e-12);
        scene.spacing = 1e-4;
        assert!((step(&scene, Some(1), None, None) - 3e-5_f64.sqrt()).abs() < 1e-12);
        scene.gravity = [0.0; 3];
        assert_eq!(step(&scene, Some(1), None, None), 0.1);
        // Surface tension of a thin fluid: 0.6 √(ρd³/σ).
        scene.spacing = 1e-3;
        scene.material.truncate(1);
        scene.material[0].viscosity = Some(0.0);
        scene.material[0].density = Some(1000.0);
        scene.material[0].surface_tension = Some(0.1);
        let limit = 0.6 * (1000.0 * 1e-9 / 0.1_f64).sqrt();
        assert!((step(&scene, Some(1), None, None) / limit - 1.0).abs() < 1e-6);
        assert_eq!(step(&scene, Some(100), None, None), 0.001);
    }
}
