//! Flow between two plates with no slip, driven by a body force or by a plate. Space repeats along the plates.

mod theory;

pub use theory::{couette_start_up, waters_king};

use super::ExperimentError;
use std::ops::ControlFlow;
use visco::scene::Override;
use visco::{Frame, Scene, Simulation};

/// Distance of the plates, in m.
const HEIGHT: f64 = 0.1;
/// Density of the fluid, in kg/m³.
const DENSITY: f64 = 1000.0;
/// Speed of flow by a body force, in m/s: on the axis, or the mean.
const SPEED: f64 = 0.02;
/// Speed of the plate, in m/s.
const PLATE: f64 = 0.1;
/// Width of the cell along the plates, in particles: the narrowest that can repeat.
const WIDTH: f64 = 6.0;

/// A fluid between two plates.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Changes of the scene, such as the method; the material is called `fluid`.
    pub overrides: Vec<Override>,
    /// Spacing of particles, in m.
    pub spacing: f64,
    /// Time step, in s.
    pub dt: f64,
    /// Tolerance of the velocity solve.
    pub tolerance: f64,
    /// Disorder of the particles at the start, in spacings.
    pub jitter: f64,
    /// Viscosity of the whole fluid, in Pa·s.
    pub viscosity: f64,
}

/// Velocity over the height of the channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Time, in s.
    pub time: f64,
    /// Time in units of H²/ν.
    pub diffused: f64,
    /// Height over H, velocity over that of the plate, and the same as theory says, of every particle.
    pub particles: Vec<[f64; 3]>,
}

impl Profile {
    /// Mean and root of the mean square of the velocities' errors, in speeds of the plate.
    pub fn error(&self) -> (f64, f64) {
        let count = self.particles.len() as f64;
        let errors = self.particles.iter().map(|[_, u, exact]| u - exact);
        let (sum, square) = errors.fold((0.0, 0.0), |(s, q), e| (s + e, q + e * e));
        (sum / count, (square / count).sqrt())
    }
}

/// Velocity on the axis over the mean of the steady flow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisVelocity {
    /// Time in units of ρh²/η, h half the height.
    pub time: f64,
    /// As measured.
    pub measured: f64,
    /// As Waters and King say, at the same heights.
    pub theory: f64,
}

impl Default for Channel {
    fn default() -> Self {
        Self {
            overrides: vec![],
            spacing: 0.01,
            dt: 1.0 / 240.0,
            tolerance: 1e-5,
            jitter: 0.0,
            viscosity: 10.0,
        }
    }
}

impl Channel {
    /// Number of particles.
    pub fn particles(&self) -> f64 {
        WIDTH * WIDTH * HEIGHT / self.spacing
    }

    /// Steps until the body force has made a steady flow: seven times as long as it needs to develop.
    pub fn steps_to_steady(&self) -> u32 {
        let seconds = 7.0 * DENSITY * HEIGHT * HEIGHT / (9.87 * self.viscosity);
        (seconds / self.dt).ceil().clamp(10.0, 2000.0) as u32
    }

    /// The time in which velocity diffuses over half the height, ρh²/η, in s.
    pub fn diffusion_time(&self) -> f64 {
        DENSITY * (0.5 * HEIGHT).powi(2) / self.viscosity
    }

    fn scene(&self, force: f64, speed: f64, polymer: &str) -> Result<Scene, ExperimentError> {
        let width = WIDTH * self.spacing;
        let text = format!(
            r#"
name = "channel"
spacing = {}
gravity = [{force}, 0, 0]
time = {{ fps = {}, frames = 2, steps_per_frame = 1 }}
periodic = {{ axes = ["x", "z"], min = [0, 0, 0], max = [{width}, 0, {width}] }}
solver = {{ tolerance = {}, max_velocity_iterations = 500 }}
[[material]]
name = "fluid"
viscosity = {}
density = {DENSITY}
{polymer}
[[fluid]]
material = "fluid"
shape = {{ box = {{ min = [0, 0, 0], max = [{width}, {HEIGHT}, {width}] }} }}
jitter = {}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, {HEIGHT}, 0], normal = [0, -1, 0] }} }}
velocity = [{speed}, 0, 0]
"#,
            self.spacing,
            1.0 / self.dt,
            self.tolerance,
            self.viscosity,
            self.jitter,
        );
        Ok(Scene::from_toml_with(&text, &self.overrides)?)
    }

    /// Apparent over entered viscosity of a Newtonian fluid, from the mean speed of the steady profile
    /// u = ρ g y (H − y)/(2η).
    pub fn apparent_viscosity(&self) -> Result<f64, ExperimentError> {
        let force = 8.0 * self.viscosity * SPEED / (DENSITY * HEIGHT * HEIGHT);
        let mut run = Simulation::new(&self.scene(force, 0.0, "")?)?;
        advance(&mut run, self.steps_to_steady())?;
        let frame = run.frame();
        let exact = |y: f64| DENSITY * force * y * (HEIGHT - y) / (2.0 * self.viscosity);
        let expected: f64 = frame.positions.iter().map(|x| exact(f64::from(x.y))).sum();
        let found: f64 = frame.velocities.iter().map(|u| f64::from(u.x)).sum();
        Ok(expected / found)
    }

    /// Profiles of a Newtonian fluid at times (s, ascending) after the upper plate began to move.
    pub fn couette(&self, times: &[f64]) -> Result<Vec<Profile>, ExperimentError> {
        let mut run = Simulation::new(&self.scene(0.0, PLATE, "")?)?;
        let mut done = 0;
        let mut profiles = Vec::new();
        for time in times {
            let steps = (time / self.dt).round() as u32;
            advance(&mut run, steps - done)?;
            done = steps;
            let frame = run.frame();
            let diffused = self.viscosity / DENSITY * frame.time / (HEIGHT * HEIGHT);
            let particle = |i: usize| {
                let y = f64::from(frame.positions[i].y) / HEIGHT;
                [y, f64::from(frame.velocities[i].x) / PLATE, couette_start_up(y, diffused)]
            };
            let particles = (0..frame.len()).map(particle).collect();
            profiles.push(Profile { time: frame.time, diffused, particles });
        }
        Ok(profiles)
    }

    /// Flow of an Oldroyd-B fluid with elasticity λη/(ρh²) and a part of the viscosity by its solvent, from rest, after
    /// every step until a time in units of ρh²/η.
    pub fn start_up(
        &self,
        (elasticity, solvent): (f64, f64),
        until: f64,
    ) -> Result<Vec<AxisVelocity>, ExperimentError> {
        let (half, unit) = (0.5 * HEIGHT, self.diffusion_time());
        // Mean of the steady profile: ρ g h²/(3η).
        let force = 3.0 * self.viscosity * SPEED / (DENSITY * half * half);
        let polymer = format!(
            "solvent_viscosity = {}\nrelaxation_time = {}",
            solvent * self.viscosity,
            elasticity * unit
        );
        let mut run = Simulation::new(&self.scene(force, 0.0, &polymer)?)?;
        let mut course = Vec::new();
        for _ in 0..(until * unit / self.dt).round() as u32 {
            advance(&mut run, 1)?;
            let (measured, heights) = near_axis(&run.frame(), 0.8 * self.spacing);
            let time = run.time() / unit;
            let exact = heights.iter().map(|y| waters_king(y / half - 1.0, time, (elasticity, solvent)));
            let theory = exact.sum::<f64>() / heights.len() as f64;
            course.push(AxisVelocity { time, measured: measured / SPEED, theory });
        }
        Ok(course)
    }
}

/// Mean velocity and the heights of particles near the axis: the layers next to it are half a spacing off.
fn near_axis(frame: &Frame, distance: f64) -> (f64, Vec<f64>) {
    let near = |i: &usize| (f64::from(frame.positions[*i].y) - 0.5 * HEIGHT).abs() < distance;
    let near: Vec<usize> = (0..frame.len()).filter(near).collect();
    let speed: f64 = near.iter().map(|&i| f64::from(frame.velocities[i].x)).sum();
    (speed / near.len() as f64, near.iter().map(|&i| f64::from(frame.positions[i].y)).collect())
}

fn advance(run: &mut Simulation, steps: u32) -> Result<(), ExperimentError> {
    for _ in 0..steps {
        run.advance_frame(|_| ControlFlow::Continue(()))?;
    }
    Ok(())
}
