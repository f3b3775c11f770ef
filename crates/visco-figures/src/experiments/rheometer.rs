//! A rheometer: fluid between two plates, one of which moves, and a bar that is stretched. The gap is narrow enough that
//! inertia does not count, space repeats along the plates, and the stress is the mean over all particles.
//!
//! What it shows of `dcpbd`: a polymer without a solvent keeps its stress only up to a strain of about 1. Shear then
//! brings the lattice into disorder, and motion that gradients do not see is opposed by the solvent alone; at a strain
//! of 2.5 the stress is 0.8 of the right one (λ = 50 steps).

mod extension;
mod files;
mod report;
mod theory;

pub use extension::{Extension, TensileStress};
pub use report::{Quantity, ReportError, RheometerReport, measure};
pub use theory::Theory;

use super::{ExperimentError, material_table};
use std::f64::consts::TAU;
use std::ops::ControlFlow;
use thiserror::Error;
use visco::scene::{Material, Override};
use visco::{Scene, SceneError, Simulation, StepError};

/// Width of the cell along the plates, in particles: the narrowest that can repeat.
const WIDTH: u32 = 6;
/// Particles between the plates.
const LAYERS: u32 = 8;
/// E Δt/(ρ d²) in a gap chosen by [`Rheometer::suited`]: spacings squared that velocity diffuses over in a step. More of
/// it would leave less inertia, but the position stage of `dcpbd` then no longer converges.
const DIFFUSION: f64 = 5.0;
/// Relaxation times after which an oscillation has forgotten its start: e⁻⁶ is left.
const SETTLED: f64 = 6.0;
/// Relaxation times until shear is steady. N₁ takes longer than the stress: of it 9 e⁻⁸, 0.3 %, is missing.
const STEADY: f64 = 8.0;

/// A material between two plates.
#[derive(Clone, Debug)]
pub struct Rheometer {
    /// What is measured.
    pub material: Material,
    /// Changes of the scene: method, solver, or fields of the material, which is called `fluid` there.
    pub overrides: Vec<Override>,
    /// Spacing of particles, in m.
    pub spacing: f64,
    /// Gap between the plates, in particles.
    pub layers: u32,
    /// Time step, in s.
    pub dt: f64,
}

/// Stress at a time, in Pa.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShearStress {
    /// Time, in s.
    pub time: f64,
    /// Shear stress σ_xy.
    pub shear: f64,
    /// First normal stress difference N₁ = σ_xx − σ_yy.
    pub normal: f64,
}

/// What was measured after every step, beside what theory says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// What was measured.
    pub measured: Vec<ShearStress>,
    /// The Oldroyd-B fluid at the same times.
    pub theory: Vec<ShearStress>,
}

impl Course {
    /// Measured and theory at the step that is nearest to a time.
    pub fn at(&self, time: f64) -> (ShearStress, ShearStress) {
        let before = self.theory.partition_point(|s| s.time < time);
        let nearer = |k: &usize| (self.theory[*k].time - time).abs();
        let near = before.saturating_sub(1)..(before + 1).min(self.theory.len());
        let k = near.min_by(|a, b| nearer(a).total_cmp(&nearer(b))).unwrap_or_default();
        (self.measured[k], self.theory[k])
    }
}

/// Storage and loss modulus G′ and G″, in Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moduli {
    /// G′: stress in phase with the strain, over the strain.
    pub storage: f64,
    /// G″: stress in phase with the rate of strain.
    pub loss: f64,
}

/// A small oscillation.
#[derive(Clone, Debug, PartialEq)]
pub struct Oscillation {
    /// Angular frequency ω, in rad/s.
    pub omega: f64,
    /// Fitted to the last two periods.
    pub measured: Moduli,
    /// The Oldroyd-B fluid.
    pub theory: Moduli,
    /// Shear stress over time.
    pub course: Vec<ShearStress>,
}

/// Steady shear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteadyShear {
    /// Rate of shear γ̇, in 1/s.
    pub rate: f64,
    /// Viscosity σ_xy/γ̇, in Pa·s, and N₁, in Pa, as measured.
    pub measured: (f64, f64),
    /// The same for an Oldroyd-B fluid.
    pub theory: (f64, f64),
}

/// Why nothing was measured.
#[derive(Debug, Error)]
pub enum RheometerError {
    /// The material is not one that flows.
    #[error("material {0:?} has no finite viscosity above 0 Pa·s: there is nothing to measure")]
    NoViscosity(String),
    /// The scene does not pass the check.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The run stopped.
    #[error(transparent)]
    Step(#[from] StepError),
}

impl From<ExperimentError> for RheometerError {
    fn from(error: ExperimentError) -> Self {
        match error {
            ExperimentError::Scene(error) => Self::Scene(error),
            ExperimentError::Step(error) => Self::Step(error),
        }
    }
}

impl Rheometer {
    /// A spacing that suits a material and a time step: velocity diffuses through the gap within a few steps.
    pub fn suited(material: Material, overrides: Vec<Override>, dt: f64) -> Result<Self, RheometerError> {
        let any = Self { material, overrides, spacing: 0.01, layers: LAYERS, dt };
        let theory = any.theory()?;
        let spacing = (theory.step_viscosity(dt) * dt / (theory.density * DIFFUSION)).sqrt();
        Ok(Self { spacing: spacing.clamp(1e-6, 0.1), ..any })
    }

    /// What theory says of the material, as the scene has it.
    pub fn theory(&self) -> Result<Theory, RheometerError> {
        Theory::of(&self.scene("")?.material[0])
    }

    fn gap(&self) -> f64 {
        f64::from(self.layers) * self.spacing
    }

    /// The scene, with a plate that moves as `plate` says in TOML.
    fn scene(&self, plate: &str) -> Result<Scene, SceneError> {
        let (width, gap) = (f64::from(WIDTH) * self.spacing, self.gap());
        let text = format!(
            r#"
name = "rheometer"
spacing = {}
gravity = [0, 0, 0]
time = {{ fps = {}, frames = 2, steps_per_frame = 1 }}
periodic = {{ axes = ["x", "z"], min = [0, 0, 0], max = [{width}, 0, {width}] }}
solver = {{ tolerance = 1e-5, max_velocity_iterations = 500 }}
[[fluid]]
material = "fluid"
shape = {{ box = {{ min = [0, 0, 0], max = [{width}, {gap}, {width}] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, {gap}, 0], normal = [0, -1, 0] }} }}
{plate}
{}
"#,
            self.spacing,
            1.0 / self.dt,
            material_table(&self.material),
        );
        Scene::from_toml_with(&text, &self.overrides)
    }

    /// Shears the fluid and measures after every step.
    fn run<T>(
        &self,
        seconds: f64,
        plate: &str,
        measure: impl Fn(&Simulation) -> T,
    ) -> Result<Vec<T>, RheometerError> {
        let mut simulation = Simulation::new(&self.scene(plate)?)?;
        let mut course = Vec::new();
        for _ in 0..(seconds / self.dt).round() as u32 {
            simulation.advance_frame(|_| ControlFlow::Continue(()))?;
            course.push(measure(&simulation));
        }
        Ok(course)
    }

    fn course(
        &self,
        seconds: f64,
        plate: &str,
        theory: impl Fn(f64) -> ShearStress,
    ) -> Result<Course, RheometerError> {
        let measured = self.run(seconds, plate, mean_stress)?;
        let theory = measured.iter().map(|s| theory(s.time)).collect();
        Ok(Course { measured, theory })
    }

    /// Shear that starts at t = 0 with a rate γ̇ (1/s).
    pub fn start_up_shear(&self, rate: f64, seconds: f64) -> Result<Course, RheometerError> {
        let theory = self.theory()?;
        self.course(seconds, &velocity(rate * self.gap()), |t| theory.start_up(rate, t))
    }

    /// Shear with a rate γ̇ (1/s) that stops after `sheared` seconds.
    pub fn relaxation(&self, rate: f64, sheared: f64, seconds: f64) -> Result<Course, RheometerError> {
        let theory = self.theory()?;
        let plate = format!("{}\nactive = [[0, {sheared}]]", velocity(rate * self.gap()));
        // Half a step of room: time is a sum of steps.
        let stopped = |t: f64| t > sheared + 0.5 * self.dt;
        self.course(seconds, &plate, |t| match stopped(t) {
            true => theory.relaxation(rate, sheared, t),
            false => theory.start_up(rate, t),
        })
    }

    /// A strain γ₀ sin(ωt), measured over two periods once the start is forgotten. The period should be a whole number
    /// of steps. A viscous stress is that of the mean rate of a step and belongs to its middle, the polymer's G (Q − I)
    /// to its end: each is fitted at its own times. At one time for both, the solvent would show as elastic, with a G′ of
    /// ωΔt/2 times its G″.
    pub fn oscillation(&self, omega: f64, strain: f64) -> Result<Oscillation, RheometerError> {
        let theory = self.theory()?;
        let period = TAU / omega;
        let settling = (SETTLED * theory.relaxation_time / period).ceil().max(1.0);
        let plate = format!("{}\nfrequency = {}", velocity(strain * omega * self.gap()), 1.0 / period);
        let samples = self.run((settling + 2.0) * period, &plate, |simulation| {
            (mean_stress(simulation), theory.modulus() * mean_conformation(simulation))
        })?;
        let last = &samples[samples.len() - (2.0 * period / self.dt).round() as usize..];
        let of_polymer = fit(last.iter().map(|(s, polymer)| (s.time, *polymer)), omega, strain);
        let middle = |time: f64| time - 0.5 * self.dt;
        let viscous = fit(last.iter().map(|(s, polymer)| (middle(s.time), s.shear - polymer)), omega, strain);
        let measured =
            Moduli { storage: of_polymer.storage + viscous.storage, loss: of_polymer.loss + viscous.loss };
        let course = samples.into_iter().map(|(stress, _)| stress).collect();
        Ok(Oscillation { omega, measured, theory: theory.moduli(omega), course })
    }

    /// Viscosity and N₁ at a rate γ̇ (1/s), once the flow is steady.
    pub fn steady_shear(&self, rate: f64) -> Result<SteadyShear, RheometerError> {
        let theory = self.theory()?;
        let settling = (STEADY * theory.relaxation_time).max(10.0 * self.dt);
        let course = self.run(settling * (1.0 + 1.0 / STEADY), &velocity(rate * self.gap()), mean_stress)?;
        let last: Vec<&ShearStress> = course.iter().filter(|s| s.time >= settling).collect();
        let mean = |f: fn(&ShearStress) -> f64| last.iter().map(|s| f(s)).sum::<f64>() / last.len() as f64;
        let steady = theory.start_up(rate, f64::INFINITY);
        Ok(SteadyShear {
            rate,
            measured: (mean(|s| s.shear) / rate, mean(|s| s.normal)),
            theory: (steady.shear / rate, steady.normal),
        })
    }
}

fn velocity(speed: f64) -> String {
    format!("velocity = [{speed}, 0, 0]")
}

fn mean_stress(simulation: &Simulation) -> ShearStress {
    let stresses = simulation.stresses();
    let count = stresses.len() as f64;
    let mean =
        |f: fn(&visco::math::Sym3) -> f32| stresses.iter().map(|s| f64::from(f(s))).sum::<f64>() / count;
    ShearStress { time: simulation.time(), shear: mean(|s| s.xy), normal: mean(|s| s.xx) - mean(|s| s.yy) }
}

/// Mean of Q_xy; 0 where there is no memory.
fn mean_conformation(simulation: &Simulation) -> f64 {
    let tensors = simulation.conformations().unwrap_or_default();
    tensors.iter().map(|q| f64::from(q.xy)).sum::<f64>() / tensors.len().max(1) as f64
}

/// Least squares of σ = γ₀ (G′ sin ωt + G″ cos ωt) to stresses at times.
fn fit(course: impl Iterator<Item = (f64, f64)>, omega: f64, strain: f64) -> Moduli {
    let (mut ss, mut sc, mut cc, mut s1, mut c1) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (time, stress) in course {
        let (s, c) = (omega * time).sin_cos();
        (ss, sc, cc) = (ss + s * s, sc + s * c, cc + c * c);
        (s1, c1) = (s1 + s * stress, c1 + c * stress);
    }
    let scale = 1.0 / (strain * (ss * cc - sc * sc));
    Moduli { storage: (s1 * cc - c1 * sc) * scale, loss: (c1 * ss - s1 * sc) * scale }
}
