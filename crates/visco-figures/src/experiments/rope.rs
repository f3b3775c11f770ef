//! How fast a viscous rope coils, from a nozzle that rises with the pile so that the fall stays as high.
//!
//! Ribe's regimes (Ribe 2004, Proc. R. Soc. A 460, 3223): in the viscous one the rope is pushed by the nozzle and Ω
//! follows Q/(H a²); in the gravitational one its own weight stretches and bends it.

use super::ExperimentError;
use std::f64::consts::TAU;
use std::ops::ControlFlow;
use visco::glam::{DVec2, DVec3, Vec3};
use visco::{Frame, Scene, Simulation};

/// Frames a second in which the rope is looked at.
const RATE: f64 = 60.0;

/// A rope that is poured on a plate.
#[derive(Clone, Copy, Debug)]
pub struct Rope {
    /// Radius of the nozzle, in m.
    pub radius: f64,
    /// Speed in the nozzle, in m/s.
    pub speed: f64,
    /// Height of the fall, in m.
    pub height: f64,
    /// Viscosity, in Pa·s.
    pub viscosity: f64,
    /// Speed at which the nozzle rises: that of the pile, in m/s.
    pub rise: f64,
    /// Distance of particles, in m.
    pub spacing: f64,
    /// Steps of a sixtieth of a second.
    pub steps: u32,
    /// Seed of the rope's roughness: it decides the sense, and how long the rope folds before it coils.
    pub seed: u64,
}

/// What was measured on a rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coiling {
    /// Angular velocity of the point where the rope comes to rest, in rad/s; its sign is the sense.
    pub rate: f64,
    /// Turns that were measured, without their sense.
    pub turns: f64,
    /// Mean distance of that point from the axis, in m.
    pub radius: f64,
    /// Height of that point below the nozzle, mean over the measurement, in m.
    pub fall: f64,
}

/// Where the rope comes to rest, at a time.
struct Touch {
    time: f64,
    angle: f64,
    radius: f64,
    fall: f64,
}

impl Rope {
    /// Pours until `until` and measures from `from`, in s.
    pub fn pour(&self, (from, until): (f64, f64)) -> Result<Coiling, ExperimentError> {
        let mut run = Simulation::new(&self.scene()?)?;
        let per_layer = run.world().emitters[0].particles_per_layer();
        let mut touches: Vec<Touch> = Vec::new();
        while run.time() < until {
            run.advance_frame(|_| ControlFlow::Continue(()))?;
            let Some(x) = self.rest(&run.frame(), per_layer) else {
                continue;
            };
            let flat = DVec2::new(x.x, -x.z);
            let turned = touches.last().map_or(flat.to_angle(), |last| {
                let step = flat.to_angle() - last.angle;
                last.angle + step - TAU * (step / TAU).round()
            });
            let nozzle = self.height + self.rise * run.time();
            touches.push(Touch {
                time: run.time(),
                angle: turned,
                radius: flat.length(),
                fall: nozzle - x.y,
            });
        }
        touches.retain(|t| t.time > from);
        Ok(measured(&touches))
    }

    /// Centre of the newest layer that has come to rest.
    fn rest(&self, frame: &Frame, per_layer: usize) -> Option<DVec3> {
        let mean = |layer: usize, values: &[Vec3]| {
            let of = layer * per_layer..(layer + 1) * per_layer;
            values[of].iter().map(|v| v.as_dvec3()).sum::<DVec3>() / per_layer as f64
        };
        let nozzle = self.height + self.rise * frame.time;
        (0..frame.len() / per_layer)
            .rev()
            .filter(|&layer| mean(layer, &frame.velocities).length() < 0.3 * self.speed)
            .map(|layer| mean(layer, &frame.positions))
            .find(|x| x.y < nozzle - 0.1 * self.height)
            // Near the axis a layer has no direction.
            .filter(|x| x.x.hypot(x.z) > 0.5 * self.radius)
    }

    fn scene(&self) -> Result<Scene, ExperimentError> {
        let Self { radius, speed, height, viscosity, rise, spacing, steps, seed } = self;
        let text = format!(
            "name = \"rope\"\nmethod = \"coupled\"\nspacing = {spacing}\nseed = {seed}\n\
             time = {{ fps = {RATE}, frames = 100000, steps_per_frame = {steps} }}\n\
             material = [{{ name = \"honey\", viscosity = {viscosity}, density = 1400 }}]\n\
             [[emitter]]\nmaterial = \"honey\"\nnozzle = {{ disc = {{ radius = {radius} }} }}\n\
             position = [0, {height}, 0]\ndirection = [0, -1, 0]\nspeed = {speed}\n\
             motion = {{ velocity = [0, {rise}, 0] }}\n\
             [[boundary]]\nshape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}\n"
        );
        Ok(Scene::from_toml(&text)?)
    }
}

/// The slope of the angle over the time, by least squares.
fn measured(touches: &[Touch]) -> Coiling {
    let n = (touches.len() as f64).max(1.0);
    let mean = |value: &dyn Fn(&Touch) -> f64| touches.iter().map(value).sum::<f64>() / n;
    let (time, angle) = (mean(&|t| t.time), mean(&|t| t.angle));
    let covariance = mean(&|t| (t.time - time) * (t.angle - angle));
    let variance = mean(&|t| (t.time - time).powi(2));
    let span = touches.last().zip(touches.first()).map_or(0.0, |(b, a)| b.angle - a.angle);
    Coiling {
        rate: covariance / variance,
        turns: span.abs() / TAU,
        radius: mean(&|t| t.radius),
        fall: mean(&|t| t.fall),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_steady_turn_is_its_rate() {
        let touch = |k: u32| Touch {
            time: 0.1 * f64::from(k),
            angle: 2.0 - 0.5 * f64::from(k),
            radius: 0.01,
            fall: 0.1,
        };
        let found = measured(&(0..20).map(touch).collect::<Vec<_>>());
        assert!((found.rate + 5.0).abs() < 1e-9 && (found.turns - 9.5 / TAU).abs() < 1e-9, "{found:?}");
    }
}
