//! Facts about a frame of particles.

use super::Facts;
use crate::text;
use glam::Vec3;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use visco::Frame;

/// Size, extent, speed, density and materials of a frame.
pub(super) fn facts(path: &Path, frame: &Frame) -> Facts {
    // Statistics over what is finite: one bad particle must not hide the others.
    let finite: Vec<usize> = (0..frame.len())
        .filter(|&i| {
            frame.positions[i].is_finite()
                && frame.velocities[i].is_finite()
                && frame.densities[i].is_finite()
        })
        .collect();
    let bad = frame.len() - finite.len();
    let corners = finite.iter().map(|&i| frame.positions[i]).fold(None, |b, x| match b {
        None => Some((x, x)),
        Some((low, high)) => Some((Vec3::min(low, x), Vec3::max(high, x))),
    });
    let speed = Range::of(finite.iter().map(|&i| f64::from(frame.velocities[i].length())));
    let density = Range::of(finite.iter().map(|&i| f64::from(frame.densities[i])));
    let mut materials = BTreeMap::<u8, u64>::new();
    for material in &frame.materials {
        *materials.entry(*material).or_default() += 1;
    }

    let mut lines = vec![
        ("file", path.display().to_string()),
        ("particles", text::count(frame.len() as u64)),
        ("frame", frame.number.to_string()),
        ("time", format!("{} s", text::short(frame.time))),
        ("spacing", format!("{} m", frame.spacing)),
    ];
    if let (Some((low, high)), Some(speed), Some(density)) = (corners, &speed, &density) {
        lines.extend([
            ("box", format!("{} to {} m", triple(low), triple(high))),
            ("speed", format!("{} m/s", speed.text())),
            ("density", format!("{} kg/m³", density.text())),
        ]);
    }
    let conformation = if frame.conformations.is_some() { "yes" } else { "no" };
    lines.push(("conformation", conformation.into()));
    let of_material = |(m, n): (&u8, &u64)| format!("{m}: {}", text::counted(*n, "particle"));
    lines.push(("materials", materials.iter().map(of_material).collect::<Vec<_>>().join(", ")));
    if bad > 0 {
        let text = format!("{}, left out above", text::counted(bad as u64, "particle"));
        lines.push(("not finite", text));
    }
    let json = json!({
        "kind": "frame",
        "file": path.to_string_lossy(),
        "particles": frame.len(),
        "frame": frame.number,
        "time": frame.time,
        "spacing": frame.spacing,
        "min": corners.map(|c| c.0.to_array()),
        "max": corners.map(|c| c.1.to_array()),
        "speed": speed.map(|r| r.json()),
        "density": density.map(|r| r.json()),
        "conformation": frame.conformations.is_some(),
        "materials": materials.iter().map(|(m, n)| (m.to_string(), json!(n))).collect::<serde_json::Map<_, _>>(),
        "not_finite": bad,
    });
    Facts::new(lines, json)
}

fn triple(v: Vec3) -> String {
    let [x, y, z] = v.to_array().map(|c| text::short(f64::from(c)));
    format!("[{x}, {y}, {z}]")
}

/// Smallest, mean and largest of some values.
struct Range {
    min: f64,
    mean: f64,
    max: f64,
}

impl Range {
    /// `None` of no values.
    fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (mut n, mut sum) = (0_u64, 0.0);
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            n += 1;
            sum += value;
            min = min.min(value);
            max = max.max(value);
        }
        let mean = sum / n as f64;
        (n > 0).then_some(Self { min, mean, max })
    }

    fn text(&self) -> String {
        let [min, mean, max] = [self.min, self.mean, self.max].map(text::short);
        format!("min {min}, mean {mean}, max {max}")
    }

    fn json(&self) -> Value {
        json!({ "min": self.min, "mean": self.mean, "max": self.max })
    }
}
