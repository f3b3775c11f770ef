//! Several materials that meet: shear across an interface, rest, overturning, a stiff drop in a thin bath, momentum.

mod common;

use common::{advance, mean, simulation};
use visco::glam::{DVec3, Vec3};
use visco::{Frame, Simulation};

const METHODS: [&str; 2] = ["coupled", "dcpbd"];
/// Spacing, in m.
const D: f32 = 0.01;

/// A scene of two materials, each with viscosity and density, at so many steps a second.
fn scene(method: &str, rate: u32, materials: [(f64, f64); 2], rest: &str) -> String {
    let material = |name: &str, (viscosity, density): (f64, f64)| {
        format!("[[material]]\nname = \"{name}\"\nviscosity = {viscosity}\ndensity = {density}\n")
    };
    format!(
        "name = \"layers\"\nmethod = \"{method}\"\nspacing = {D}\n\
         time = {{ fps = {rate}, frames = 100000, steps_per_frame = 1 }}\n{rest}\n{}{}",
        material("a", materials[0]),
        material("b", materials[1]),
    )
}

fn fluid(material: &str, min: [f64; 3], max: [f64; 3], more: &str) -> String {
    format!(
        "[[fluid]]\nmaterial = \"{material}\"\nshape = {{ box = {{ min = {min:?}, max = {max:?} }} }}\n{more}\n"
    )
}

fn container(max: [f64; 3], friction: &str) -> String {
    format!(
        "[[boundary]]\nshape = {{ box = {{ min = [0, 0, 0], max = {max:?} }} }}\nside = \"inside\"\nfriction = \"{friction}\"\n"
    )
}

/// Mean x velocity of the particles whose heights are within `from` to `to`.
fn speed(frame: &Frame, from: f32, to: f32) -> f64 {
    let inside: Vec<usize> =
        (0..frame.len()).filter(|&i| (from..to).contains(&frame.positions[i].y)).collect();
    inside.iter().map(|&i| f64::from(frame.velocities[i].x)).sum::<f64>() / inside.len() as f64
}

#[test]
fn layers_between_plates_share_the_stress() {
    // `dcpbd` has the right profile up to a ratio of about ten alone.
    for (method, ratio) in [("coupled", 10.0), ("coupled", 100.0), ("coupled", 1e4), ("dcpbd", 10.0)] {
        // Six layers of the thin fluid below, six of the thick above; the lower plate rests.
        let (w, h) = (6.0 * f64::from(D), 0.06);
        let thin = 10.0;
        let rest = format!(
            "gravity = [0, 0, 0]\nperiodic = {{ axes = [\"x\", \"z\"], min = [0, 0, 0], max = [{w}, 0, {w}] }}\n\
                 solver = {{ tolerance = 1e-5, max_velocity_iterations = 1000 }}\n{}{}\
                 [[boundary]]\nshape = {{ plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }} }}\n\
                 [[boundary]]\nshape = {{ plane = {{ point = [0, {}, 0], normal = [0, -1, 0] }} }}\nvelocity = [0.01, 0, 0]\n",
            fluid("a", [0.0, 0.0, 0.0], [w, h, w], ""),
            fluid("b", [0.0, h, 0.0], [w, 2.0 * h, w], ""),
            2.0 * h,
        );
        let mut run = simulation(&scene(method, 100, [(thin, 1000.0), (thin * ratio, 1000.0)], &rest));
        advance(&mut run, 100);
        let frame = run.frame();
        let stress = 0.01 / (h / thin + h / (thin * ratio));
        let interface = stress * h / thin;
        let profile: Vec<f64> = (0..12).map(|k| speed(&frame, k as f32 * D, (k + 1) as f32 * D)).collect();
        let rate = (profile[4] - profile[1]) / (3.0 * f64::from(D));
        let found = 0.5 * (profile[5] + profile[6]);
        let what = format!("{method}, {ratio} times as thick");
        assert!((found / interface - 1.0).abs() < 0.03, "{what}: interface at {found} of {interface} m/s");
        // The layer is as wide as six particles, give or take one.
        let width = stress / thin / rate * 6.0;
        assert!((width - 6.0).abs() < 0.8, "{what}: the thin layer is {width} spacings wide");
        if ratio < 1000.0 {
            let upper = (profile[10] - profile[7]) / (3.0 * f64::from(D)) * ratio;
            assert!(
                (upper / rate - 1.0).abs() < 0.05,
                "{what}: stresses {rate} and {upper} times the viscosity"
            );
        }
    }
}

/// Mean pressure of a material, in Pa.
fn pressure(run: &Simulation, material: u8) -> f64 {
    let materials = &run.world().particles.materials;
    let p = materials.iter().zip(run.pressures().expect("coupled has a pressure"));
    let own: Vec<f64> = p.filter(|(m, _)| **m == material).map(|(_, p)| f64::from(*p)).collect();
    own.iter().sum::<f64>() / own.len() as f64
}

/// For particles of one material at the interface: the distance to the nearest of the other, in spacings; smallest, and
/// largest of those within 1.6 spacings' height of the interface.
fn nearest(frame: &Frame, of: u8, near: impl Fn(&Vec3) -> bool) -> (f32, f32) {
    let others: Vec<Vec3> =
        (0..frame.len()).filter(|&i| frame.materials[i] != of).map(|i| frame.positions[i]).collect();
    let own = (0..frame.len()).filter(|&i| frame.materials[i] == of && near(&frame.positions[i]));
    let distances =
        own.map(|i| others.iter().map(|x| x.distance(frame.positions[i])).fold(f32::MAX, f32::min) / D);
    distances.fold((f32::MAX, 0.0), |(lo, hi), r| (lo.min(r), hi.max(r)))
}

#[test]
fn heavy_below_light_rests() {
    for method in METHODS {
        for viscosity in [0.1, 10.0] {
            let rest = format!(
                "{}{}{}",
                fluid("a", [0.0, 0.0, 0.0], [0.08, 0.06, 0.08], ""),
                fluid("b", [0.0, 0.06, 0.0], [0.08, 0.12, 0.08], ""),
                container([0.08, 1.0, 0.08], "slip")
            );
            let mut run = simulation(&scene(method, 200, [(viscosity, 5000.0), (viscosity, 1000.0)], &rest));
            let start = run.frame();
            let mut reports = advance(&mut run, 150);
            // Pressures of the last quarter: those of a moment scatter by 5 %.
            let mut pressures = [0.0, 0.0];
            for _ in 0..50 {
                reports.extend(advance(&mut run, 1));
                if method == "coupled" {
                    pressures[0] += pressure(&run, 0) / 50.0;
                    pressures[1] += pressure(&run, 1) / 50.0;
                }
            }
            let end = run.frame();
            let worst = reports.iter().map(|r| r.density_error_mean).fold(0.0, f64::max);
            let height = |f: &Frame, m: u8| {
                let n = f.materials.iter().filter(|&&x| x == m).count() as f64;
                mean(f, |i| if f.materials[i] == m { f.positions[i].y } else { 0.0 }) * f.len() as f64 / n
            };
            let sunk = [0, 1].map(|m| (height(&end, m) - height(&start, m)) / f64::from(D));
            let what = format!("{method}, {viscosity} Pa·s");
            assert!(worst < 0.03, "{what}: mean density error {worst}");
            let last = reports[150..].iter().map(|r| r.density_error_mean).fold(0.0, f64::max);
            assert!(
                last < if method == "coupled" { 0.03 } else { 0.01 },
                "{what}: mean density error {last} at the end"
            );
            assert!(sunk.iter().all(|s| s.abs() < 0.2), "{what}: layers moved by {sunk:?} spacings");
            let speed = mean(&end, |i| end.velocities[i].length());
            assert!(speed < 0.04, "{what}: mean speed {speed} m/s");
            let (closest, farthest) = nearest(&end, 0, |x| x.y > 0.053);
            assert!(closest > 0.6 && farthest < 1.6, "{what}: {closest} to {farthest} spacings apart");
            if method == "coupled" {
                let (weight, depth) = (9.81 * 1000.0, 0.06);
                let ratios = [
                    pressures[0] / (weight * depth + 5.0 * weight * depth / 2.0),
                    pressures[1] / (weight * depth / 2.0),
                ];
                assert!(
                    (ratios[0] - 1.0).abs() < 0.05,
                    "{what}: pressures {ratios:?} of what they should be"
                );
                assert!((ratios[1] - 1.0).abs() < 0.1, "{what}: pressures {ratios:?} of what they should be");
            }
        }
    }
}

#[test]
fn heavy_above_light_overturns() {
    for method in METHODS {
        let rest = format!(
            "{}{}{}",
            fluid("b", [0.0, 0.0, 0.0], [0.08, 0.06, 0.08], "packing = \"relaxed\""),
            fluid("a", [0.0, 0.06, 0.0], [0.08, 0.12, 0.08], "packing = \"relaxed\""),
            container([0.08, 1.0, 0.08], "slip")
        );
        let mut run = simulation(&scene(method, 200, [(0.5, 5000.0), (0.5, 1000.0)], &rest));
        let start = run.frame();
        let potential0 = {
            let m = |i: usize| if start.materials[i] == 0 { 5.0 } else { 1.0 };
            9.81 * 1e-3 * (0..start.len()).map(|i| m(i) * f64::from(start.positions[i].y)).sum::<f64>()
        };
        let reports = advance(&mut run, 300);
        let fastest = reports.iter().map(|r| r.max_speed).fold(0.0, f64::max) / (9.81_f64 * 0.12).sqrt();
        let energy = reports.iter().map(|r| r.kinetic_energy + r.potential_energy).fold(f64::MIN, f64::max)
            / potential0;
        let end = run.frame();
        let relative = |f: &Frame| mean(f, |i| f.densities[i] / [5000.0, 1000.0][f.materials[i] as usize]);
        let denser = relative(&end) / relative(&start) - 1.0;
        let heavy = mean(&end, |i| if end.materials[i] == 0 { 2.0 * end.positions[i].y } else { 0.0 });
        // The impulses of `dcpbd`'s positions throw single light particles.
        let (most_speed, most_energy) = if method == "coupled" { (2.0, 1.03) } else { (8.0, 1.5) };
        assert!(fastest < most_speed, "{method}: {fastest} √(gH)");
        assert!(energy < most_energy, "{method}: {energy} times the energy of the start");
        assert!(denser.abs() < 0.08, "{method}: denser by {denser}");
        assert!(heavy < 0.045, "{method}: the heavy fluid is still at {heavy} m");
    }
}

#[test]
fn a_stiff_drop_falls_into_a_thin_bath() {
    for method in METHODS {
        let rest = format!(
            "{}[[fluid]]\nmaterial = \"b\"\nshape = {{ sphere = {{ center = [0.06, 0.1, 0.06], radius = 0.025 }} }}\n{}",
            fluid("a", [0.0, 0.0, 0.0], [0.12, 0.06, 0.12], ""),
            container([0.12, 1.0, 0.12], "slip")
        );
        let mut run = simulation(&scene(method, 200, [(0.1, 1000.0), (1000.0, 2000.0)], &rest));
        let reports = advance(&mut run, 160);
        let fastest = reports.iter().map(|r| r.max_speed).fold(0.0, f64::max);
        let worst = reports.iter().map(|r| r.density_error_mean).fold(0.0, f64::max);
        let end = run.frame();
        let centre =
            end.positions.iter().zip(&end.materials).filter(|(_, m)| **m == 1).map(|(x, _)| *x).sum::<Vec3>()
                / end.materials.iter().filter(|&&m| m == 1).count() as f32;
        let inner = nearest(&end, 1, |x| x.distance(centre) > 0.02 && x.y < centre.y);
        let outer = nearest(&end, 0, |x| x.distance(centre) < 0.033 && x.y < centre.y);
        assert!(fastest < 1.0, "{method}: {fastest} m/s");
        assert!(worst < 0.03, "{method}: mean density error {worst}");
        assert!(centre.y < 0.05, "{method}: the drop is still at {centre}");
        let (closest, farthest) = (inner.0.min(outer.0), inner.1.max(outer.1));
        // Of `dcpbd`, six runs that differ by rounding have 0.58 to 0.80 and 1.14 to 1.33: it is one pair of particles.
        let (least, most) = if method == "coupled" { (0.6, 1.3) } else { (0.45, 1.5) };
        assert!(closest > least && farthest < most, "{method}: {closest} to {farthest} spacings apart");
    }
}

#[test]
fn momentum_is_kept_by_unequal_masses() {
    for method in METHODS {
        let rest = format!(
            "gravity = [0, 0, 0]\n{}{}",
            fluid("a", [0.0, 0.0, 0.0], [0.06, 0.06, 0.06], "velocity = [0.3, 0.1, 0]"),
            fluid("b", [0.06, 0.0, 0.0], [0.12, 0.06, 0.06], "velocity = [-0.4, 0.2, 0.1]"),
        );
        let mut run = simulation(&scene(method, 200, [(1000.0, 5000.0), (0.1, 1000.0)], &rest));
        let momentum = |run: &Simulation| {
            let p = &run.world().particles;
            (0..p.len())
                .map(|i| p.velocities[i].as_dvec3() * [5.0, 1.0][p.materials[i] as usize])
                .sum::<DVec3>()
        };
        let before = momentum(&run);
        advance(&mut run, 60);
        let change = (momentum(&run) - before).length() / before.length();
        assert!(change < 1e-6, "{method}: momentum changes by {change:e}");
    }
}
