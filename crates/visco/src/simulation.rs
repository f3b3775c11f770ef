//! A simulation: a world and the method that moves it, frame by frame.

mod save;

pub use save::Changes;

use crate::clock::Stopwatch;
use crate::frame::Frame;
use crate::math::Sym3;
use crate::mesh::Assets;
use crate::methods::FluidMethod;
use crate::parallel;
use crate::particles::Motion;
use crate::report::StepReport;
use crate::scene::{Note, Scene, SceneError, Time, capillary_step, physics, step_within};
use crate::world::World;
use std::ops::ControlFlow;
use thiserror::Error;

/// A particle that cannot be where it is: the run must stop.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum StepError {
    /// A position or velocity is not a number.
    #[error(
        "step {step} (t = {time:.6} s): particle {id} is not finite any more: position {position:?}, velocity {velocity:?}"
    )]
    NonFinite {
        /// Step in which it happened.
        step: u64,
        /// Time at the end of that step, in s.
        time: f64,
        /// Id of the particle.
        id: u32,
        /// Its position, in m.
        position: [f32; 3],
        /// Its velocity, in m/s.
        velocity: [f32; 3],
    },
    /// A particle is faster than anything in the scene could make it.
    #[error(
        "step {step} (t = {time:.6} s): particle {id} runs away: {speed:.3e} m/s at {position:?}, where gravity and \
         nozzles explain at most {explained:.3e} m/s; try a shorter time step or more iterations"
    )]
    Runaway {
        /// Step in which it happened.
        step: u64,
        /// Time at the end of that step, in s.
        time: f64,
        /// Id of the particle.
        id: u32,
        /// Its position, in m.
        position: [f32; 3],
        /// Its speed, in m/s.
        speed: f32,
        /// The fastest that the scene explains, in m/s.
        explained: f32,
    },
}

/// A particle may exceed the explained speed by this factor before the run stops.
const RUNAWAY_FACTOR: f32 = 10.0;
/// The solvers may move a particle by a spacing in a step of this part of the scene's own, and in a shorter one only where
/// materials ask for it.
const SHORTEST_EXCUSE: f64 = 0.1;

/// A running simulation.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The scene's name.
    name: String,
    /// What of the scene decides the motion, as TOML.
    physics: String,
    world: World,
    method: Box<dyn FluidMethod>,
    schedule: Time,
    frame: u32,
    steps: u64,
    /// Longest way of a particle in a step that the method allows, in spacings.
    longest_way: f64,
    /// The fastest that the scene makes anything, in m/s.
    given_speed: f32,
    max_speed: f64,
}

/// The fastest that a scene makes anything by itself at the start: particles, nozzles, plates, grips.
fn fastest_given(world: &World) -> f32 {
    let initial = world.particles.velocities.iter().map(|v| v.length());
    let nozzles = world.emitters.iter().map(|e| e.flow.speed as f32);
    let plates = world.boundary.walls.iter().map(|w| w.velocity.length());
    initial.chain(nozzles).chain(plates).fold(fastest_gripped(world), f32::max)
}

/// The fastest particle that a grip holds.
fn fastest_gripped(world: &World) -> f32 {
    if world.grips.is_empty() {
        return 0.0;
    }
    let p = &world.particles;
    let speed = |i: usize| match p.motions[i] {
        Motion::Gripped(g) => world.grips[g as usize].velocity_at(p.positions[i]).length(),
        _ => 0.0,
    };
    parallel::max(p.len(), 0.0, speed)
}

impl Simulation {
    /// Builds the world of a checked scene that needs no files.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        Self::with_assets(scene, &Assets::new())
    }

    /// Builds the world of a checked scene with the meshes of its files (see [`Scene::mesh_files`]).
    pub fn with_assets(scene: &Scene, assets: &Assets) -> Result<Self, SceneError> {
        let world = World::with_assets(scene, assets)?;
        let given_speed = fastest_given(&world);
        let method = scene.solver.method(&world, &scene.time);
        Ok(Self {
            name: scene.name.clone(),
            physics: physics::text(scene, assets),
            world,
            method,
            schedule: scene.time.clone(),
            longest_way: scene.solver.longest_way(),
            frame: 0,
            steps: 0,
            given_speed,
            max_speed: f64::from(given_speed),
        })
    }

    /// What is worth knowing about the scene's meshes: parts that are thinner than a spacing.
    pub fn notes(&self) -> &[Note] {
        &self.world.notes
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Simulated time, in s.
    pub fn time(&self) -> f64 {
        self.world.time
    }

    /// Extra stress of each particle in the last step, in Pa, in the order of `world().particles`: what viscosity and
    /// polymer exerted, without the pressure. Zero before the first step.
    pub fn stresses(&self) -> Vec<Sym3> {
        self.method.stresses(&self.world)
    }

    /// Conformation tensors Q, in the order of `world().particles`, where the method has them.
    pub fn conformations(&self) -> Option<&[Sym3]> {
        self.method.conformations()
    }

    /// Pressures of the particles, in Pa, in the order of `world().particles`, where the method has a pressure.
    pub fn pressures(&self) -> Option<&[f32]> {
        self.method.pressures()
    }

    /// Time at which the fluid began to be ruptured, in s, where the method watches for it and it has happened.
    pub fn rupture(&self) -> Option<f64> {
        self.method.rupture()
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.world.particles.len()
    }

    /// Advances to the next frame and calls `on_step` after every step. Returns false if `on_step` broke off
    /// inside the frame; the next call then finishes it.
    pub fn advance_frame(
        &mut self,
        mut on_step: impl FnMut(&StepReport) -> ControlFlow<()>,
    ) -> Result<bool, StepError> {
        let start = f64::from(self.frame) / self.schedule.fps;
        let end = f64::from(self.frame + 1) / self.schedule.fps;
        let mut flow = ControlFlow::Continue(());
        while self.world.time < end - 1e-9 * (end - start) {
            if flow.is_break() {
                return Ok(false);
            }
            let remaining = end - self.world.time;
            let steps = self.steps_left(remaining);
            let dt = remaining / steps;
            let mut report = self.step(dt)?;
            if steps < 1.5 {
                self.world.time = end;
                self.world.follow_time();
                report.time = end;
            }
            flow = on_step(&report);
        }
        self.frame += 1;
        Ok(true)
    }

    /// Number of equal steps that fill what is left of a frame.
    fn steps_left(&self, remaining: f64) -> f64 {
        let gravity = f64::from(self.world.gravity.length());
        let speed = self.max_speed.max(self.world.fastest_motion(remaining));
        let longest = self.schedule.longest_step(self.longest_way, |spacings| {
            step_within(spacings * f64::from(self.world.spacing), speed, gravity)
        });
        let longest = longest.min(self.capillary_step()).min(self.method.longest_step(&self.world));
        (remaining / longest * (1.0 - 1e-6)).ceil().max(1.0)
    }

    /// Longest step in which surface tension is stable, in s.
    fn capillary_step(&self) -> f64 {
        capillary_step(&self.world.materials, f64::from(self.world.spacing))
    }

    /// One step of length `dt`.
    pub fn step(&mut self, dt: f64) -> Result<StepReport, StepError> {
        let clock = Stopwatch::start();
        self.emit(dt);
        let span = (self.world.time, dt);
        self.world.bodies.iter_mut().for_each(|body| body.follow(span));
        self.world.begin_step(dt);
        // A grip that stretches is the faster the farther it has come; what follows keys is as fast as they say.
        let moved = self.world.fastest_motion(dt) as f32;
        self.given_speed = self.given_speed.max(fastest_gripped(&self.world)).max(moved);
        // Inside the pool from the start: to enter it from outside costs a wake-up for each of thousands of loops.
        let Self { method, world, .. } = self;
        let mut report = rayon::scope(|_| method.step(world, dt as f32));
        self.steps += 1;
        self.world.time += dt;
        self.world.follow_time();
        report.step = self.steps;
        report.time = self.world.time;
        report.dt = dt;
        report.particles = self.world.particles.len();
        self.max_speed = report.max_speed;
        self.check_particles(dt)?;
        report.seconds_total = clock.seconds();
        Ok(report)
    }

    /// Lets the nozzles make, move and free their particles.
    fn emit(&mut self, dt: f64) {
        let World { particles, emitters, time, .. } = &mut self.world;
        let mut closed = Vec::new();
        for (index, emitter) in emitters.iter_mut().enumerate() {
            let index = index as u16;
            if emitter.begin_step(index, particles, (*time, dt)) {
                closed.push(Motion::InNozzle(index));
            }
        }
        self.method.grow(particles.len());
        if !closed.is_empty() {
            let keep: Vec<u32> = (0..particles.len() as u32)
                .filter(|&i| !closed.contains(&particles.motions[i as usize]))
                .collect();
            particles.reorder(&keep);
            self.method.reorder(&keep);
        }
    }

    fn check_particles(&self, dt: f64) -> Result<(), StepError> {
        let p = &self.world.particles;
        let fall = self.world.gravity.length() * self.world.time as f32;
        // Steps that fast particles divide are no excuse for being fast.
        let usual = self.schedule.usual_step().map_or(dt, |usual| {
            dt.max(
                (SHORTEST_EXCUSE * usual)
                    .min(self.method.stable_step(&self.world))
                    .min(self.capillary_step()),
            )
        });
        let explained = self.given_speed + fall + self.world.spacing / usual as f32;
        let limit = RUNAWAY_FACTOR * explained;
        // NaN compares false, so one test finds both.
        let fine = |i: usize| p.velocities[i].length_squared() <= limit * limit && p.positions[i].is_finite();
        let wrong = parallel::sum(p.len(), |i| if fine(i) { 0.0 } else { 1.0 });
        if wrong == 0.0 {
            return Ok(());
        }
        let i = (0..p.len()).filter(|&i| !fine(i)).min_by_key(|&i| p.ids[i]).unwrap_or(0);
        let (step, time, id) = (self.steps, self.world.time, p.ids[i]);
        let (position, velocity) = (p.positions[i], p.velocities[i]);
        Err(if position.is_finite() && velocity.is_finite() {
            let speed = velocity.length();
            StepError::Runaway { step, time, id, position: position.to_array(), speed, explained }
        } else {
            let (position, velocity) = (position.to_array(), velocity.to_array());
            StepError::NonFinite { step, time, id, position, velocity }
        })
    }

    /// A snapshot of the particles, ordered by id.
    pub fn frame(&self) -> Frame {
        let p = &self.world.particles;
        let mut order: Vec<u32> = (0..p.len() as u32).collect();
        order.sort_unstable_by_key(|&i| p.ids[i as usize]);
        let densities = self.method.densities(&self.world);
        let conformations = self.method.conformations();
        Frame {
            number: self.frame,
            time: self.world.time,
            spacing: self.world.spacing,
            positions: order.iter().map(|&i| p.positions[i as usize]).collect(),
            velocities: order.iter().map(|&i| p.velocities[i as usize]).collect(),
            ids: order.iter().map(|&i| p.ids[i as usize]).collect(),
            materials: order.iter().map(|&i| p.materials[i as usize]).collect(),
            densities: order.iter().map(|&i| densities[i as usize]).collect(),
            conformations: conformations.map(|q| order.iter().map(|&i| q[i as usize].to_array()).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// However short the steps become that a fast particle divides.
    #[test]
    fn a_particle_that_nothing_makes_so_fast_ends_the_run_in_divided_steps_too() {
        let scene = Scene::from_toml(
            r#"
name = "shot"
method = "velocity_correction"
spacing = 0.01
gravity = [0, 0, 0]
time = { fps = 60, frames = 9, steps_per_frame = 4 }
material = [{ name = "oil", viscosity = 1 }]
fluid = [{ material = "oil", shape = { box = { min = [0, 0, 0], max = [0.04, 0.04, 0.04] } } }]
"#,
        )
        .expect("valid");
        let mut run = Simulation::new(&scene).expect("it can be built");
        run.advance_frame(|_| ControlFlow::Continue(())).expect("it rests");
        run.world.particles.velocities[7] = Vec3::X * 500.0;
        run.max_speed = 500.0;
        let mut steps = 0;
        let error = run.advance_frame(|_| {
            steps += 1;
            ControlFlow::Continue(())
        });
        assert!(matches!(error, Err(StepError::Runaway { speed, .. }) if speed > 100.0), "{error:?}");
        assert_eq!(steps, 0);
    }
    /// Maxwell's stress asks for steps of 15 µs here, in which jittered particles are pushed apart by a hundredth of their
    /// spacing, at 2.5 m/s: however long the scene says that its steps are.
    #[test]
    fn short_steps_that_materials_ask_for_are_an_excuse_for_being_fast() {
        let scene = Scene::from_toml(
            r#"
name = "gel"
method = "maxwell"
spacing = 0.001
time = { fps = 24, frames = 2, steps_per_frame = 1 }
material = [{ name = "gel", shear_modulus = 1e5, relaxation_time = 100, solvent_viscosity = 7 }]
fluid = [{ material = "gel", jitter = 0.1, shape = { box = { min = [0, 0.001, 0], max = [0.008, 0.009, 0.008] } } }]
boundary = [{ shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } } }]
"#,
        )
        .expect("valid");
        let mut run = Simulation::new(&scene).expect("it can be built");
        let mut fastest = 0.0_f64;
        run.advance_frame(|step| {
            fastest = fastest.max(step.max_speed);
            if step.step < 20 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .expect("nothing runs away");
        // Ten spacings in a tenth of the scene's step.
        assert!(fastest > 10.0 * 0.001 * 24.0 / 0.1, "{fastest} m/s");
    }
}
