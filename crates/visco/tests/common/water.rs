//! Flows that methods of Newtonian fluids are tried on.

use super::{advance, simulation};
use std::f64::consts::TAU;
use std::fmt::Write;
use visco::{Simulation, StepReport};

const GRAVITY: f64 = 9.81;

/// A column of 8 × 16 × 8 particles of water in a smooth box.
pub(crate) fn column(method: &str, settings: &str) -> Simulation {
    simulation(&format!(
        r#"
name = "column"
method = "{method}"
spacing = 0.01
time = {{ fps = 100, frames = 1000, steps_per_frame = 4 }}
material = [{{ name = "water", viscosity = 0.001 }}]
fluid = [{{ material = "water", shape = {{ box = {{ min = [0, 0, 0], max = [0.08, 0.16, 0.08] }} }} }}]
solver = {{ {settings} }}
[[boundary]]
shape = {{ box = {{ min = [0, 0, 0], max = [0.08, 1, 0.08] }} }}
side = "inside"
friction = "slip"
"#
    ))
}

/// Growth of the pressure with depth in the column, over ρg, mean over some frames.
pub(crate) fn pressure_slope(run: &mut Simulation, frames: u32) -> f64 {
    let slope = |run: &Simulation| {
        let pressures = run.pressures().expect("a pressure");
        let depth = run.world().particles.positions.iter().map(|x| 0.16 - f64::from(x.y));
        let (mut rise, mut squares) = (0.0, 0.0);
        for (depth, &p) in depth.zip(pressures) {
            rise += depth * f64::from(p);
            squares += depth * depth;
        }
        rise / squares / (1000.0 * GRAVITY)
    };
    let sum: f64 = (0..frames)
        .map(|_| {
            advance(run, 1);
            slope(run)
        })
        .sum();
    sum / f64::from(frames)
}

/// Martin & Moyce 1952, table 2: the front Z = x/a of a column of water of width a and height 2a at T = t √(2g/a).
const FRONT: [(f64, f64); 15] = [
    (0.41, 1.11),
    (0.84, 1.22),
    (1.19, 1.44),
    (1.43, 1.67),
    (1.63, 1.89),
    (1.83, 2.11),
    (1.98, 2.33),
    (2.20, 2.56),
    (2.32, 2.78),
    (2.51, 3.00),
    (2.65, 3.22),
    (2.83, 3.44),
    (2.97, 3.67),
    (3.11, 3.89),
    (3.33, 4.11),
];

/// Largest and mean difference of a collapsing column's front from the experiment, relative to it. The front is where but
/// two rows of particles are ahead: a drop that flies is none.
pub(crate) fn front_differences(method: &str, settings: &str) -> (f64, f64) {
    const A: f64 = 0.1;
    const RATE: f64 = 500.0;
    const SPACING: f64 = 0.00625;
    let depth = 6.0 * SPACING;
    let mut run = simulation(&format!(
        r#"
name = "dam"
method = "{method}"
spacing = {SPACING}
time = {{ fps = {RATE}, frames = 1000, steps_per_frame = 1 }}
material = [{{ name = "water", viscosity = 0.001 }}]
fluid = [{{ material = "water", shape = {{ box = {{ min = [0, 0, 0], max = [{A}, 0.2, {depth}] }} }} }}]
solver = {{ {settings} }}
periodic = {{ axes = ["z"], min = [0, 0, 0], max = [1, 1, {depth}] }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
friction = "slip"
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}
friction = "slip"
"#
    ));
    let (mut largest, mut sum) = (0.0_f64, 0.0);
    for (t, z) in FRONT {
        let frames = (t / (2.0 * GRAVITY / A).sqrt() * RATE).round();
        while run.time() * RATE < frames - 0.5 {
            advance(&mut run, 1);
        }
        let mut ahead: Vec<f32> = run.world().particles.positions.iter().map(|x| x.x).collect();
        ahead.sort_by(f32::total_cmp);
        let front = (f64::from(ahead[ahead.len() - 12]) + 0.5 * SPACING) / A;
        let difference = (front / z - 1.0).abs();
        largest = largest.max(difference);
        sum += difference;
    }
    (largest, sum / FRONT.len() as f64)
}

/// Rate at which a standing shear wave over 24 spacings decays, over that of its viscosity.
pub(crate) fn wave_decay(method: &str, (viscosity, steps): (f64, u32), settings: &str) -> f64 {
    const LENGTH: f64 = 0.24;
    let mut scene = format!(
        r#"
name = "wave"
method = "{method}"
spacing = 0.01
gravity = [0, 0, 0]
time = {{ fps = 100, frames = 1000, steps_per_frame = {steps} }}
material = [{{ name = "oil", viscosity = {viscosity} }}]
periodic = {{ axes = ["x", "y", "z"], min = [0, 0, 0], max = [{LENGTH}, 0.06, 0.06] }}
solver = {{ {settings} }}
"#
    );
    for k in 0..24 {
        let x = 0.01 * f64::from(k);
        let v = 0.002 * (TAU * (x + 0.005) / LENGTH).sin();
        let shape = format!("{{ box = {{ min = [{x}, 0, 0], max = [{}, 0.06, 0.06] }} }}", x + 0.01);
        writeln!(scene, "[[fluid]]\nmaterial = \"oil\"\nvelocity = [0, {v}, 0]\nshape = {shape}").unwrap();
    }
    let mut run = simulation(&scene);
    let amplitude = |run: &Simulation| {
        let f = run.frame();
        let part =
            |i: usize| f64::from(f.velocities[i].y) * (TAU * f64::from(f.positions[i].x) / LENGTH).sin();
        (0..f.len()).map(part).sum::<f64>()
    };
    let start = amplitude(&run);
    advance(&mut run, 30);
    let rate = (start / amplitude(&run)).ln() / run.time();
    rate / (viscosity / 1000.0 * (TAU / LENGTH).powi(2))
}

/// A layer of ten particles between two plates, 0.1 m apart, without end along x and z.
pub(crate) struct Slab {
    pub(crate) method: &'static str,
    pub(crate) viscosity: f64,
    /// Of a frame of 10 ms.
    pub(crate) steps: u32,
    pub(crate) settings: &'static str,
}

impl Slab {
    /// Largest error of u_x after some frames, over the largest u_x, where the upper plate moves.
    pub(crate) fn couette_error(&self, frames: u32) -> f64 {
        self.error((0.0, 0.1), frames, |y| y, 0.1)
    }

    /// The same of a flow that a force of 1 m/s² drives.
    pub(crate) fn poiseuille_error(&self, frames: u32) -> f64 {
        let u = |y: f64| 1000.0 * y * (0.1 - y) / (2.0 * self.viscosity);
        self.error((1.0, 0.0), frames, u, u(0.05))
    }

    fn error(&self, (force, top): (f64, f64), frames: u32, expected: impl Fn(f64) -> f64, scale: f64) -> f64 {
        let Self { method, viscosity, steps, settings } = self;
        let mut run = simulation(&format!(
            r#"
name = "slab"
method = "{method}"
spacing = 0.01
gravity = [{force}, 0, 0]
time = {{ fps = 100, frames = 1000, steps_per_frame = {steps} }}
periodic = {{ axes = ["x", "z"], min = [0, 0, 0], max = [0.06, 1, 0.06] }}
material = [{{ name = "oil", viscosity = {viscosity} }}]
fluid = [{{ material = "oil", shape = {{ box = {{ min = [0, 0, 0], max = [0.06, 0.1, 0.06] }} }} }}]
solver = {{ {settings} }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0.1, 0], normal = [0, -1, 0] }} }}
velocity = [{top}, 0, 0]
"#
        ));
        advance(&mut run, frames);
        let frame = run.frame();
        let error = |i: usize| {
            let (x, u) = (frame.positions[i], frame.velocities[i]);
            (f64::from(u.x) - expected(f64::from(x.y))).abs()
        };
        (0..frame.len()).map(error).fold(0.0, f64::max) / scale
    }
}

/// A light and a heavy block that meet off their centres, without gravity; returns the change of momentum over the
/// momentum of the blocks.
pub(crate) fn momentum_change(method: &str, settings: &str) -> f64 {
    let mut run = simulation(&format!(
        r#"
name = "blocks"
method = "{method}"
spacing = 0.01
gravity = [0, 0, 0]
time = {{ fps = 100, frames = 1000, steps_per_frame = 2 }}
material = [{{ name = "oil", viscosity = 0.5, density = 800 }}, {{ name = "brine", viscosity = 0.1, density = 1600 }}]
solver = {{ {settings} }}
[[fluid]]
material = "oil"
jitter = 0.2
velocity = [0.8, 0, 0]
shape = {{ box = {{ min = [0, 0, 0], max = [0.06, 0.07, 0.05] }} }}
[[fluid]]
material = "brine"
jitter = 0.2
velocity = [-0.5, 0.1, 0]
angular_velocity = [0, 0, 3]
shape = {{ box = {{ min = [0.07, 0.02, -0.01], max = [0.11, 0.1, 0.05] }} }}
"#
    ));
    let reports = advance(&mut run, 12);
    let scale = 0.8 * 800.0 * 0.06 * 0.07 * 0.05;
    let change =
        |r: &StepReport| (0..3).map(|k| (r.momentum[k] - reports[0].momentum[k]).abs()).fold(0.0, f64::max);
    reports.iter().map(change).fold(0.0, f64::max) / scale
}
