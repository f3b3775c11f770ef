//! A bar of fluid that is stretched, or hangs.
//!
//! The axial stress is σ_yy − ½(σ_xx + σ_zz): the pressure drops out, and the sides are free, so that this is the force
//! over the section.

use super::{ExperimentError, material_table};
use std::ops::ControlFlow;
use visco::scene::{Material, Override};
use visco::{Scene, Simulation, StepError};

/// Part of the length that is held at an end.
const HELD: f64 = 0.125;
/// Gravity of the hanging bar, in m/s².
const GRAVITY: f64 = 9.81;

/// A bar along y, with a square section.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What it is made of.
    pub material: Material,
    /// Changes of the scene, such as the method; the material is called `fluid` there.
    pub overrides: Vec<Override>,
    /// Length, in m.
    pub length: f64,
    /// Particles along the bar: a multiple of 24 for sections between layers.
    pub count: u32,
    /// Particles along a side of its section.
    pub across: u32,
    /// Time step, in s.
    pub dt: f64,
    /// Tolerance of the velocity solve.
    pub tolerance: f64,
    /// Disorder of the particles at the start, in spacings, before they are evened out; 0 is a lattice.
    pub jitter: f64,
}

/// The middle third of a stretched bar.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BarSample {
    /// Time, in s.
    pub time: f64,
    /// Length over that at the start.
    pub stretch: f64,
    /// Axial stress, in Pa.
    pub stress: f64,
    /// Section times length, over that at the start.
    pub volume: f64,
}

/// What a section of a hanging bar carries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Length below the section, in m.
    pub below: f64,
    /// Axial stress, in Pa.
    pub measured: f64,
    /// Weight below over the section, in Pa.
    pub theory: f64,
}

impl Default for Bar {
    fn default() -> Self {
        Self {
            material: viscous(5000.0),
            overrides: vec![],
            length: 0.24,
            count: 24,
            across: 8,
            dt: 0.01,
            tolerance: 1e-5,
            jitter: 0.0,
        }
    }
}

/// A Newtonian fluid of 1000 kg/m³ with a viscosity, in Pa·s.
fn viscous(viscosity: f64) -> Material {
    Material { viscosity: Some(viscosity), density: Some(1000.0), ..Material::named("fluid") }
}

impl Bar {
    /// The same bar of a Newtonian fluid of 1000 kg/m³ with a viscosity, in Pa·s.
    pub fn of_viscosity(self, viscosity: f64) -> Self {
        Self { material: viscous(viscosity), ..self }
    }

    /// Number of particles.
    pub fn particles(&self) -> f64 {
        f64::from(self.count) * f64::from(self.across).powi(2)
    }

    fn spacing(&self) -> f64 {
        self.length / f64::from(self.count)
    }

    fn scene(&self, gravity: f64, grips: &str) -> Result<Scene, ExperimentError> {
        let half = 0.5 * f64::from(self.across) * self.spacing();
        let text = format!(
            r#"
name = "bar"
spacing = {}
gravity = [0, {gravity}, 0]
time = {{ fps = {}, frames = 2, steps_per_frame = 1 }}
solver = {{ tolerance = {}, max_velocity_iterations = 500 }}
[[fluid]]
material = "fluid"
shape = {{ box = {{ min = [-{half}, 0, -{half}], max = [{half}, {}, {half}] }} }}
jitter = {}
packing = "{}"
{grips}
{}
"#,
            self.spacing(),
            1.0 / self.dt,
            self.tolerance,
            self.length,
            self.jitter,
            if self.jitter > 0.0 { "relaxed" } else { "lattice" },
            material_table(&self.material),
        );
        Ok(Scene::from_toml_with(&text, &self.overrides)?)
    }

    /// Stretches the bar about its middle at a rate ε̇ (1/s) until it has so many times its length. What was measured after
    /// every step, and why it ended early if it did: a bar that tears is a result too.
    pub fn stretch(
        &self,
        rate: f64,
        until: f64,
    ) -> Result<(Vec<BarSample>, Option<StepError>), ExperimentError> {
        let motion = format!(
            "hold = \"along\"\naxis = [0, 1, 0]\nstretch = {{ rate = {rate}, about = [0, {}, 0] }}\n",
            0.5 * self.length
        );
        let grips = [(0.0, HELD), (1.0 - HELD, 1.0)].map(|part| self.grip(part) + &motion).concat();
        let mut run = Simulation::new(&self.scene(0.0, &grips)?)?;
        let middle = Middle::of(&run, self.length);
        let mut course = Vec::new();
        for _ in 0..(until.ln() / rate / self.dt).round() as u32 {
            if let Err(error) = run.advance_frame(|_| ControlFlow::Continue(())) {
                return Ok((course, Some(error)));
            }
            let (length, section) = middle.compare(&run);
            course.push(BarSample {
                time: run.time(),
                stretch: (rate * run.time()).exp(),
                stress: middle.axial_stress(&run),
                volume: length * section,
            });
        }
        Ok((course, None))
    }

    /// Lets the bar hang from its upper end for a moment, and measures what its sections carry.
    pub fn hang(&self) -> Result<Vec<Load>, ExperimentError> {
        let scene = self.scene(-GRAVITY, &self.grip((1.0 - HELD, 1.0)))?;
        let density = f64::from(visco::material::Material::from_scene(&scene.material[0]).density);
        let mut run = Simulation::new(&scene)?;
        for _ in 0..(0.2 / self.dt).round() as u32 {
            run.advance_frame(|_| ControlFlow::Continue(()))?;
        }
        let positions = &run.world().particles.positions;
        let height = |i: usize| f64::from(positions[i].y);
        let lowest = (0..positions.len()).map(height).fold(f64::INFINITY, f64::min);
        let bottom = lowest - 0.5 * self.spacing();
        let section = |k: u32| {
            let at = self.length * (0.1 + 0.06 * f64::from(k));
            let near = |i: usize| (height(i) - at).abs() < self.length / 24.0;
            let inside: Vec<f64> = (0..positions.len()).filter(|&i| near(i)).map(height).collect();
            let below = inside.iter().sum::<f64>() / inside.len() as f64 - bottom;
            let measured = mean_axial_stress(&run, near);
            Load { below, measured, theory: density * GRAVITY * below }
        };
        Ok((0..11).map(section).collect())
    }

    /// A grip in TOML, from one part of the length to another.
    fn grip(&self, (from, to): (f64, f64)) -> String {
        let [from, to, wide] = [from, to, 1.0].map(|part| part * self.length);
        format!(
            "[[grip]]\nshape = {{ box = {{ min = [-{wide}, {from}, -{wide}], max = [{wide}, {to}, {wide}] }} }}\n"
        )
    }
}

/// Mean axial stress over some of the particles, in Pa.
fn mean_axial_stress(run: &Simulation, chosen: impl Fn(usize) -> bool) -> f64 {
    let stresses = run.stresses();
    let inside = (0..stresses.len()).filter(|&i| chosen(i)).map(|i| stresses[i]);
    let axial = inside.map(|s| f64::from(s.yy - 0.5 * (s.xx + s.zz)));
    let (sum, count) = axial.fold((0.0, 0.0), |(sum, n), s| (sum + s, n + 1.0));
    sum / count
}

/// The particles that were in the middle third of the bar at the start.
struct Middle {
    /// By id: height at the start, if among them.
    heights: Vec<Option<f64>>,
    /// Mean square distance from the axis at the start.
    section: f64,
}

impl Middle {
    fn of(run: &Simulation, length: f64) -> Self {
        let frame = run.frame();
        let inside = |y: f64| (y - 0.5 * length).abs() < length / 6.0;
        let height = |x: &visco::glam::Vec3| Some(f64::from(x.y)).filter(|y| inside(*y));
        let mut middle = Self { heights: frame.positions.iter().map(height).collect(), section: 1.0 };
        middle.section = middle.compare(run).1;
        middle
    }

    /// Length and section over those at the start: the slope of heights over heights, and the mean square distance from
    /// the axis.
    fn compare(&self, run: &Simulation) -> (f64, f64) {
        let frame = run.frame();
        let chosen = || self.heights.iter().zip(&frame.positions).filter_map(|(y, x)| Some(((*y)?, x)));
        let count = chosen().count() as f64;
        let mean =
            |f: &dyn Fn(f64, &visco::glam::Vec3) -> f64| chosen().map(|(y, x)| f(y, x)).sum::<f64>() / count;
        let (start, now) = (mean(&|y, _| y), mean(&|_, x| f64::from(x.y)));
        let slope = mean(&|y, x| (y - start) * (f64::from(x.y) - now)) / mean(&|y, _| (y - start).powi(2));
        let section = mean(&|_, x| f64::from(x.x).powi(2) + f64::from(x.z).powi(2));
        (slope, section / self.section)
    }

    fn axial_stress(&self, run: &Simulation) -> f64 {
        let ids = &run.world().particles.ids;
        mean_axial_stress(run, |i| self.heights[ids[i] as usize].is_some())
    }
}
