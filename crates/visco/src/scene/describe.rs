//! How large a scene is, from its volumes: known before anything is allocated.

use super::{Emitter, Meshes, Scene, Shape, Triple};
use crate::mesh::Assets;
use std::f64::consts::PI;

/// Memory of a particle in a simulation: its state, neighbours and the solver's vectors.
const BYTES_PER_PARTICLE: u64 = 2500;

/// How large a scene is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Particles at the start.
    pub particles_at_start: u64,
    /// Particles at the end, those of the emitters included.
    pub particles: u64,
    /// Memory that the simulation takes at its end, in bytes.
    pub bytes: u64,
}

impl Scene {
    /// Estimates particles and memory from the volumes of fluids, bodies and emitters. Meshes of files count as none: see
    /// [`Scene::estimate_with`].
    pub fn estimate(&self) -> Estimate {
        self.estimate_with(&Assets::new())
    }

    /// [`Scene::estimate`], with the meshes of the scene's files.
    pub fn estimate_with(&self, assets: &Assets) -> Estimate {
        let fluids = self.fluid.iter().map(|fluid| &fluid.shape);
        let shapes = fluids.chain(self.body.iter().map(|body| &body.shape));
        let at_start: f64 = shapes.map(|shape| self.volume(shape, assets)).sum();
        // The first frame is the initial state.
        let duration = f64::from(self.time.frames.saturating_sub(1)) / self.time.fps;
        let poured: f64 =
            self.emitter.iter().map(|e| e.poured(duration, (self.model.as_deref(), assets))).sum();
        // `as` saturates: a count beyond u64 is its largest value, and NaN is 0.
        let count = |volume: f64| (volume / self.spacing.powi(3)).round() as u64;
        let particles = count(at_start + poured);
        Estimate {
            particles_at_start: count(at_start),
            particles,
            bytes: particles.saturating_mul(BYTES_PER_PARTICLE),
        }
    }

    /// Volume in m³; that of a plane, which no fluid may have, counts as none.
    fn volume(&self, shape: &Shape, assets: &Assets) -> f64 {
        match shape {
            Shape::Plane { .. } => 0.0,
            Shape::Box { min, max } => (0..3).map(|i| (max[i] - min[i]).max(0.0)).product(),
            Shape::Sphere { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
            Shape::Cylinder { start, end, radius } => PI * radius * radius * distance(start, end),
            Shape::Cone { start, end, start_radius: a, end_radius: b } => {
                PI / 3.0 * (a * a + a * b + b * b) * distance(start, end)
            }
            Shape::Capsule { start, end, radius } => {
                PI * radius * radius * (distance(start, end) + 4.0 / 3.0 * radius)
            }
            Shape::Mesh(mesh) => {
                let Some(triangles) = mesh.triangles(self.model.as_deref(), assets) else {
                    return 0.0;
                };
                let (low, high) = triangles.bounds().unwrap_or_default();
                let extent = f64::from((high - low).max_element());
                (triangles.volume() * mesh.factor(extent).powi(3)).abs()
            }
        }
    }
}

impl Emitter {
    /// Volume poured until `duration`, in m³; none through the section of a mesh that is not there.
    fn poured(&self, duration: f64, meshes: Meshes) -> f64 {
        let through = self.speed.map_or(0.0, |v| v * self.nozzle.area(meshes).unwrap_or(0.0));
        let open = match &self.active {
            None => duration,
            Some(intervals) => {
                intervals.iter().map(|[start, end]| (end.min(duration) - start).max(0.0)).sum()
            }
        };
        self.flow_rate.unwrap_or(through) * open
    }
}

/// Distance between two points.
pub(super) fn distance(a: &Triple, b: &Triple) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"
        name = "a"
        spacing = 0.1
        time = { fps = 10, frames = 21, steps_per_frame = 1 }
        material = [{ name = "m", viscosity = 1 }]
        fluid = [{ material = "m", shape = { box = { min = [0, 0, 0], max = [1, 2, 3] } } }]
    "#;

    #[test]
    fn volumes_give_particles() {
        let scene = Scene::from_toml(SCENE).expect("valid");
        let expected =
            Estimate { particles_at_start: 6000, particles: 6000, bytes: 6000 * BYTES_PER_PARTICLE };
        assert_eq!(scene.estimate(), expected);

        let shape = |text: &str| {
            let scene = SCENE.replace("box = { min = [0, 0, 0], max = [1, 2, 3] }", text);
            Scene::from_toml(&scene).expect("valid").estimate().particles
        };
        assert_eq!(shape("sphere = { center = [0, 0, 0], radius = 1 }"), 4189);
        assert_eq!(shape("cylinder = { start = [0, 0, 0], end = [0, 3, 4], radius = 1 }"), 15708);
        assert_eq!(
            shape("cone = { start = [0, 0, 0], end = [0, 3, 4], start_radius = 1, end_radius = 0 }"),
            5236
        );
        assert_eq!(shape("capsule = { start = [0, 0, 0], end = [0, 3, 4], radius = 1 }"), 15708 + 4189);
        // A ring of radii 0.375 and 0.125 m, of 64 sectors, 2 m wide.
        let ring = 2.0 * PI * PI * 0.375 * 0.125 * 0.125 * 8e3;
        let found = shape("mesh = { made = 'torus', size = 2 }") as f64;
        assert!((found / ring - 1.0).abs() < 0.02, "{found} for {ring}");
    }

    #[test]
    fn emitters_add_what_they_pour_while_open() {
        let pour = |rest: &str| {
            let emitter = format!(
                "emitter = [{{ material = \"m\", nozzle = {{ disc = {{ radius = 0.2 }} }}, \
                 position = [0, 9, 0], direction = [0, -1, 0], {rest} }}]"
            );
            let estimate = Scene::from_toml(&format!("{SCENE}\n{emitter}")).expect("valid").estimate();
            assert_eq!(estimate.particles_at_start, 6000);
            estimate.particles - 6000
        };
        // Two seconds: 21 frames, the first of them at time 0.
        assert_eq!(pour("flow_rate = 0.5"), 1000);
        assert_eq!(pour("speed = 1"), 251);
        assert_eq!(pour("flow_rate = 0.5, active = [[0.5, 1], [1.5, 100]]"), 500);
        assert_eq!(pour("flow_rate = 0.5, active = [[5, 6]]"), 0);
    }

    #[test]
    fn estimates_saturate() {
        let mut scene = Scene::from_toml(SCENE).expect("valid");
        scene.spacing = 1e-30;
        assert_eq!(scene.estimate().particles, u64::MAX);
        assert_eq!(scene.estimate().bytes, u64::MAX);
    }
}
