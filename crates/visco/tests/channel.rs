//! Flow between two plates with no slip, driven by a body force or by a plate: the viscosity that is entered is the
//! one measured.

mod common;

use common::{advance, simulation};

/// A channel of height 0.1 m, periodic along x and z.
struct Channel {
    spacing: f64,
    viscosity: f64,
    steps_per_second: u32,
    jitter: f64,
}

impl Channel {
    /// Apparent over entered viscosity, from the mean speed of the steady profile u = ρ g y (H − y)/(2η).
    fn apparent_viscosity(&self) -> f64 {
        let (height, density, speed) = (0.1, 1000.0, 0.02);
        // The body force that gives this speed on the axis, and seven times as long as the flow needs to develop.
        let force = 8.0 * self.viscosity * speed / (density * height * height);
        let seconds = 7.0 * density * height * height / (9.87 * self.viscosity);
        let steps = (seconds * f64::from(self.steps_per_second)).ceil().clamp(10.0, 2000.0) as u32;
        let width = 6.0 * self.spacing;
        let mut run = simulation(&format!(
            r#"
name = "channel"
spacing = {}
gravity = [{force}, 0, 0]
[periodic]
axes = ["x", "z"]
min = [0, 0, 0]
max = [{width}, 0, {width}]
[time]
fps = {}
frames = 3000
steps_per_frame = 1
[solver]
tolerance = 1e-5
max_velocity_iterations = 500
[[material]]
name = "oil"
viscosity = {}
density = {density}
[[fluid]]
material = "oil"
shape = {{ box = {{ min = [0, 0, 0], max = [{width}, {height}, {width}] }} }}
jitter = {}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, {height}, 0], normal = [0, -1, 0] }} }}
"#,
            self.spacing, self.steps_per_second, self.viscosity, self.jitter
        ));
        advance(&mut run, steps);
        let frame = run.frame();
        let exact = |y: f64| density * force * y * (height - y) / (2.0 * self.viscosity);
        let expected: f64 = frame.positions.iter().map(|x| exact(f64::from(x.y))).sum();
        let found: f64 = frame.velocities.iter().map(|u| f64::from(u.x)).sum();
        expected / found
    }
}

#[test]
fn the_viscosity_entered_is_the_one_measured() {
    let base = Channel { spacing: 0.01, viscosity: 10.0, steps_per_second: 240, jitter: 0.0 };
    let cases = [
        Channel { ..base },
        Channel { steps_per_second: 1000, ..base },
        Channel { steps_per_second: 33, ..base },
        Channel { spacing: 0.005, ..base },
        Channel { spacing: 0.02, ..base },
        Channel { viscosity: 1.0, ..base },
        Channel { viscosity: 1e4, ..base },
        Channel { jitter: 0.15, ..base },
    ];
    for c in &cases {
        let ratio = c.apparent_viscosity();
        assert!(
            (ratio - 1.0).abs() < 0.05,
            "spacing {}, η {}, 1/Δt {}, jitter {}: {ratio} of the viscosity entered",
            c.spacing,
            c.viscosity,
            c.steps_per_second,
            c.jitter
        );
    }
}

/// Start-up of the flow of an Oldroyd-B fluid (Waters & King 1970), E = λη/(ρh²) = 1, η_s/η = 1/9: velocity on the
/// axis over the mean of the steady flow, at times in units of ρh²/η.
const WATERS_KING: [(f64, f64); 7] =
    [(0.2, 0.600), (0.5, 1.490), (1.0, 2.466), (2.0, 2.058), (3.0, 1.321), (5.0, 1.524), (10.0, 1.504)];

#[test]
fn an_elastic_fluid_overshoots_as_waters_and_king_say() {
    let (half, density, viscosity, mean) = (0.05, 1000.0, 10.0, 0.02);
    let unit = density * half * half / viscosity;
    // Mean of the steady profile: ρ g h²/(3η).
    let force = 3.0 * viscosity * mean / (density * half * half);
    let mut run = simulation(&format!(
        r#"
name = "start-up"
spacing = 0.005
gravity = [{force}, 0, 0]
[periodic]
axes = ["x", "z"]
min = [0, 0, 0]
max = [0.03, 0, 0.03]
[time]
fps = {}
frames = 3000
steps_per_frame = 4
[solver]
tolerance = 1e-5
max_velocity_iterations = 500
[[material]]
name = "polymer"
viscosity = {viscosity}
solvent_viscosity = {}
relaxation_time = {unit}
[[fluid]]
material = "polymer"
shape = {{ box = {{ min = [0, 0, 0], max = [0.03, 0.1, 0.03] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0.1, 0], normal = [0, -1, 0] }} }}
"#,
        20.0 / unit,
        viscosity / 9.0
    ));
    let mut frames = 0;
    for (time, exact) in WATERS_KING {
        let until = (time * 20.0_f64).round() as u32;
        advance(&mut run, until - frames);
        frames = until;
        let frame = run.frame();
        // The two layers next to the axis are half a spacing off it; the profile is flat there.
        let middle: Vec<f64> = (0..frame.len())
            .filter(|&i| (frame.positions[i].y - 0.05).abs() < 0.004)
            .map(|i| f64::from(frame.velocities[i].x))
            .collect();
        let found = middle.iter().sum::<f64>() / middle.len() as f64 / mean;
        assert!((found / exact - 1.0).abs() < 0.05, "T = {time}: {found:.3} for {exact}");
    }
}

/// u/U between a plate at rest and one that starts to move at t = 0, at height y of h.
fn couette_start_up(y: f64, nu_t: f64) -> f64 {
    let term = |n: i32| {
        let k = f64::from(n) * std::f64::consts::PI;
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        2.0 / k * sign * (k * y).sin() * (-k * k * nu_t).exp()
    };
    y + (1..60).map(term).sum::<f64>()
}

#[test]
fn a_plate_drags_the_fluid_as_couette_says() {
    let (height, density, viscosity, speed) = (0.1, 1000.0, 10.0, 0.1);
    for steps_per_frame in [1, 8] {
        let mut run = simulation(&format!(
            r#"
name = "couette"
spacing = 0.005
gravity = [0, 0, 0]
[periodic]
axes = ["x", "z"]
min = [0, 0, 0]
max = [0.03, 0, 0.03]
[time]
fps = 100
frames = 3000
steps_per_frame = {steps_per_frame}
[solver]
tolerance = 1e-5
max_velocity_iterations = 500
[[material]]
name = "oil"
viscosity = {viscosity}
density = {density}
[[fluid]]
material = "oil"
shape = {{ box = {{ min = [0, 0, 0], max = [0.03, {height}, 0.03] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}
[[boundary]]
shape = {{ plane = {{ point = [0, {height}, 0], normal = [0, -1, 0] }} }}
velocity = [{speed}, 0, 0]
"#
        ));
        for frames in [10, 20, 70] {
            advance(&mut run, frames);
            let frame = run.frame();
            let nu_t = viscosity / density * run.time() / (height * height);
            // The lattice is sheared into disorder on the way: single particles scatter, the profile holds.
            let errors = (0..frame.len()).map(|i| {
                let exact = couette_start_up(f64::from(frame.positions[i].y) / height, nu_t);
                f64::from(frame.velocities[i].x) / speed - exact
            });
            let (sum, square) = errors.fold((0.0, 0.0), |(s, q), e| (s + e, q + e * e));
            let (mean, rms) = (sum / frame.len() as f64, (square / frame.len() as f64).sqrt());
            assert!(mean.abs() < 0.01 && rms < 0.03, "t = {}: mean {mean}, RMS {rms} of U", run.time());
        }
    }
}
