//! A block of fluid, dropped on a plane or spinning in free space.

use super::measure::{center, drift, spread};
use visco::glam::{DVec3, Quat, Vec3};
use visco::scene::{
    Boundary, Fluid, Friction, Material, Method, NamedFriction, Scene, Shape, Side, Solver, Time, Turn,
};
use visco::{Simulation, StepError};

/// A block of particles and what happens to it.
#[derive(Clone, Debug)]
pub struct Block {
    /// Particles along x, y, z.
    pub count: [u32; 3],
    /// Spacing, in m.
    pub spacing: f64,
    /// Height of the lowest particles' lower side above the plane, in m; none for a free block.
    pub height: Option<f64>,
    /// Time step, in s.
    pub dt: f64,
    /// The material; its name does not matter.
    pub material: Material,
    /// The method, by its settings.
    pub solver: Solver,
    /// Angular velocity, in rad/s.
    pub spin: [f64; 3],
    /// Turn of the block and its lattice about the vertical axis, in degrees.
    pub turned: f64,
    /// Time after which it is measured, and which is its start in what is measured, in s.
    pub settles: f64,
}

/// What is measured after a step.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Time, in s.
    pub time: f64,
    /// Centre of mass.
    pub center: DVec3,
    /// RMS distance from the vertical axis, in m.
    pub spread: f64,
    /// RMS distance from the best rigid fit to the start, in spacings.
    pub drift: f64,
    /// Angular momentum about the centre of mass over its value at the start.
    pub angular: f64,
    /// Linear momentum, in kg·m/s.
    pub momentum: DVec3,
    /// Iterations of the velocity projection.
    pub velocity_iterations: u32,
    /// Extreme eigenvalues of the conformation tensors.
    pub conformation: [f32; 2],
}

/// How far an experiment went.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// What was measured after every step that succeeded.
    pub samples: Vec<Sample>,
    /// Why it ended early, if it did.
    pub failure: Option<StepError>,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            count: [10; 3],
            spacing: 0.1,
            height: Some(0.5),
            dt: 1.0 / 240.0,
            material: rigid(),
            solver: Solver::of(Method::Dcpbd),
            spin: [0.0; 3],
            turned: 0.0,
            settles: 0.0,
        }
    }
}

/// A material without any compliance: τ = 0, α = 0.
pub(super) fn rigid() -> Material {
    Material { density: Some(1000.0), viscosity: Some(f64::INFINITY), ..Material::named("material") }
}

impl Block {
    /// The scene of the experiment: one frame is one step.
    pub fn scene(&self, seconds: f64) -> Scene {
        let size = self.count.map(|n| f64::from(n) * self.spacing);
        let bottom = self.height.unwrap_or(0.0);
        let turn = Turn { axis: [0.0, 1.0, 0.0], degrees: self.turned, about: None };
        let floor = Boundary {
            shape: Shape::Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] },
            rotate: None,
            side: Side::Outside,
            friction: Friction::Named(NamedFriction::Slip),
            velocity: [0.0; 3],
            frequency: None,
            active: None,
            motion: None,
            look: None,
        };
        Scene {
            name: "block".into(),
            description: String::new(),
            spacing: self.spacing,
            gravity: if self.height.is_some() { [0.0, -9.81, 0.0] } else { [0.0; 3] },
            method: self.solver.of_method(),
            quality: "full".into(),
            seed: 1,
            time: Time {
                fps: 1.0 / self.dt,
                frames: (seconds / self.dt).round() as u32 + 1,
                steps_per_frame: Some(1),
                dt: None,
                cfl: None,
            },
            solver: self.solver.clone(),
            material: vec![self.material.clone()],
            fluid: vec![Fluid {
                material: self.material.name.clone(),
                shape: Shape::Box {
                    min: [-0.5 * size[0], bottom, -0.5 * size[2]],
                    max: [0.5 * size[0], bottom + size[1], 0.5 * size[2]],
                },
                rotate: (self.turned != 0.0).then_some(turn),
                velocity: [0.0; 3],
                angular_velocity: self.spin,
                jitter: 0.0,
                packing: Default::default(),
            }],
            emitter: vec![],
            boundary: if self.height.is_some() { vec![floor] } else { vec![] },
            body: vec![],
            grip: vec![],
            periodic: None,
            camera: None,
            model: None,
            variant: Default::default(),
            ignored: vec![],
        }
    }

    /// Runs the experiment and measures after every step.
    pub fn run(&self, seconds: f64) -> Result<Vec<Sample>, StepError> {
        self.run_with(seconds, |_| {})
    }

    /// Runs the experiment, showing every state to `look`.
    pub fn run_with(&self, seconds: f64, look: impl FnMut(&visco::Frame)) -> Result<Vec<Sample>, StepError> {
        let attempt = self.attempt(seconds, look);
        attempt.failure.map_or(Ok(attempt.samples), Err)
    }

    /// Runs the experiment as far as it goes, showing every state to `look`: a blow-up is a result too.
    pub fn attempt(&self, seconds: f64, mut look: impl FnMut(&visco::Frame)) -> Attempt {
        let scene = self.scene(self.settles + seconds);
        let mut simulation = Simulation::new(&scene).expect("a block overlaps nothing");
        let mut attempt = Attempt { samples: Vec::new(), failure: None };
        let before = (self.settles / self.dt).round() as u32;
        for _ in 0..before {
            if let Err(failure) = simulation.advance_frame(|_| std::ops::ControlFlow::Continue(())) {
                attempt.failure = Some(failure);
                return attempt;
            }
        }
        let start = simulation.frame();
        let rest = start.positions.clone();
        let angular0 = angular_momentum(&start.positions, &start.velocities).length();
        for _ in 1 + before..scene.time.frames {
            let mut iterations = 0;
            let mut momentum = DVec3::ZERO;
            let stepped = simulation.advance_frame(|report| {
                iterations = report.velocity_iterations;
                momentum = DVec3::from_array(report.momentum);
                std::ops::ControlFlow::Continue(())
            });
            if let Err(failure) = stepped {
                attempt.failure = Some(failure);
                break;
            }
            let mut frame = simulation.frame();
            frame.time -= start.time;
            let spin = Vec3::from_array(self.spin.map(|c| c as f32));
            let guess = Quat::from_scaled_axis(spin * frame.time as f32);
            let eigenvalues =
                frame.conformations.iter().flatten().map(|&q| visco::math::Sym3::new(q).eigenvalues());
            let conformation =
                eigenvalues.fold([f32::INFINITY, 0.0_f32], |[lo, hi], e| [lo.min(e[0]), hi.max(e[2])]);
            attempt.samples.push(Sample {
                time: frame.time,
                center: center(&frame.positions),
                spread: spread(&frame.positions),
                drift: drift(&frame.positions, &rest, guess) / self.spacing,
                angular: angular_momentum(&frame.positions, &frame.velocities).length() / angular0,
                momentum,
                velocity_iterations: iterations,
                conformation,
            });
            look(&frame);
        }
        attempt
    }
}

/// Angular momentum of unit masses about their centre.
fn angular_momentum(positions: &[Vec3], velocities: &[Vec3]) -> DVec3 {
    let c = center(positions);
    positions.iter().zip(velocities).map(|(x, v)| (x.as_dvec3() - c).cross(v.as_dvec3())).sum()
}
