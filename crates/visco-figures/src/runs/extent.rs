//! How much fluid there is, and where, over the frames of a run.

use super::{Column, Finding, Run, RunError, RunReport};
use visco::Frame;
use visco::glam::{DVec3, Vec3};

/// Particles times d³, and the volume that they occupy by their densities. Less dense than at rest are particles at a
/// surface, where the kernel sees nothing beyond it: they count with d³. That cannot tell fluid that swells, so beside it
/// stands plain Σ m/ρ, which a surface raises.
pub(super) fn volume(run: &Run) -> Result<RunReport, RunError> {
    let [time, particles, volume, occupied, plain] = run.course(|frame| {
        let d3 = f64::from(frame.spacing).powi(3);
        let n = frame.len() as f64;
        [frame.time, n, n * d3, d3 * n * occupied_part(run, frame), d3 * n * plain_part(run, frame)]
    })?;
    let ratio: Vec<f64> =
        occupied.iter().zip(&volume).map(|(o, v)| if *v > 0.0 { o / v } else { 1.0 }).collect();
    let last = |v: &[f64]| v.last().copied().unwrap_or(0.0);
    let findings = vec![
        Finding { name: "volume_at_start", value: volume[0], scatter: None, unit: "m³" },
        Finding { name: "volume", value: last(&volume), scatter: None, unit: "m³" },
        Finding { name: "occupied", value: last(&occupied), scatter: None, unit: "m³" },
        Finding {
            name: "smallest_occupied_part",
            value: ratio.iter().copied().fold(1.0, f64::min),
            scatter: None,
            unit: "",
        },
        Finding { name: "plain_at_start", value: plain[0], scatter: None, unit: "m³" },
        Finding { name: "plain", value: last(&plain), scatter: None, unit: "m³" },
    ];
    let columns = vec![
        Column { name: "time", unit: "s", values: time },
        Column { name: "particles", unit: "", values: particles },
        Column { name: "volume", unit: "m³", values: volume },
        Column { name: "occupied", unit: "m³", values: occupied },
        Column { name: "plain", unit: "m³", values: plain },
    ];
    Ok(RunReport { findings, columns, panels: vec![("volume", vec![2, 3]), ("volume, Σ m/ρ", vec![4])] })
}

/// Largest extent across the vertical y, height, and centre of mass. Particles reach half a spacing around their centres.
pub(super) fn spread(run: &Run) -> Result<RunReport, RunError> {
    let [time, extent, height, x, y, z] = run.course(|frame| {
        let corner = |from: f32, f: fn(Vec3, Vec3) -> Vec3| {
            frame.positions.iter().fold(Vec3::splat(from), |a, b| f(a, *b))
        };
        let size = match frame.is_empty() {
            true => DVec3::ZERO,
            false => {
                let most = corner(f32::MIN, Vec3::max) - corner(f32::MAX, Vec3::min);
                most.as_dvec3() + DVec3::splat(f64::from(frame.spacing))
            }
        };
        let (mut mass, mut moment) = (0.0, DVec3::ZERO);
        for (i, x) in frame.positions.iter().enumerate() {
            let m = density(run, frame, i);
            mass += m;
            moment += x.as_dvec3() * m;
        }
        let centre = moment / mass;
        [frame.time, size.x.max(size.z), size.y, centre.x, centre.y, centre.z]
    })?;
    let last = |v: &[f64]| v.last().copied().unwrap_or(0.0);
    let largest = |v: &[f64]| v.iter().copied().fold(0.0, f64::max);
    let find = |name, value| Finding { name, value, scatter: None, unit: "m" };
    let findings = vec![
        find("extent_at_start", extent[0]),
        find("extent", last(&extent)),
        find("largest_extent", largest(&extent)),
        find("height_at_start", height[0]),
        find("height", last(&height)),
        find("center_x", last(&x)),
        find("center_y", last(&y)),
        find("center_z", last(&z)),
    ];
    let column = |name, values| Column { name, unit: "m", values };
    let columns = vec![
        Column { name: "time", unit: "s", values: time },
        column("extent", extent),
        column("height", height),
        column("center_x", x),
        column("center_y", y),
        column("center_z", z),
    ];
    Ok(RunReport { findings, columns, panels: vec![("size", vec![1, 2]), ("centre of mass", vec![3, 4, 5])] })
}

/// The volume that particles occupy by their densities, over their volume at rest.
pub(super) fn occupied_part(run: &Run, frame: &Frame) -> f64 {
    if frame.is_empty() {
        return 1.0;
    }
    let share = |i: usize| 1.0 / (f64::from(frame.densities[i]) / density(run, frame, i)).max(1.0);
    (0..frame.len()).map(share).sum::<f64>() / frame.len() as f64
}

/// Σ m/ρ over the volume at rest. A particle alone, of which some methods see no density at all, counts ten times.
pub(super) fn plain_part(run: &Run, frame: &Frame) -> f64 {
    const LEAST: f64 = 0.1;
    if frame.is_empty() {
        return 1.0;
    }
    let share = |i: usize| 1.0 / (f64::from(frame.densities[i]) / density(run, frame, i)).max(LEAST);
    (0..frame.len()).map(share).sum::<f64>() / frame.len() as f64
}

/// Rest density of a particle, in kg/m³.
fn density(run: &Run, frame: &Frame, i: usize) -> f64 {
    run.world.materials.get(frame.materials[i] as usize).map_or(1.0, |m| f64::from(m.density))
}
