//! Draws one of everything, to look at: `cargo run -p visco-figures --example gallery -- FOLDER`.

use std::f32::consts::TAU;
use std::path::{Path, PathBuf};

use glam::Vec3;
use visco_figures::{
    Figure, FigureError, ParticlePicture, Plot, RgbImage, Series, Style, View, contact_sheet, save, save_png,
};

fn main() -> Result<(), FigureError> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or("out/gallery".into()));
    plots(&folder)?;
    let frames: Vec<RgbImage> = (1..=6).map(|i| coil(f64::from(i) / 6.0, (480, 360))).collect();
    save_png(&contact_sheet(&frames, 3), folder.join("contact-sheet.png"))?;
    save_png(&coil(1.0, (1200, 900)), folder.join("coil.png"))
}

/// A falling rope that lays itself in coils: made up, to judge the picture by.
fn coil(grown: f64, (width, height): (u32, u32)) -> RgbImage {
    let spacing = 0.002_f32;
    let mut positions = Vec::new();
    let mut disc = |centre: Vec3, tangent: Vec3| {
        let side = tangent.any_orthonormal_vector();
        let other = tangent.cross(side);
        for (ring, count) in [(0.0, 1), (1.0, 6), (2.0, 12)] {
            for k in 0..count {
                let angle = TAU * k as f32 / count as f32;
                let off = side * angle.cos() + other * angle.sin();
                positions.push(centre + off * ring * spacing);
            }
        }
    };
    let turns = 5.0 * grown as f32;
    let radius = 0.018;
    let steps = (turns * TAU * radius / spacing) as usize;
    for i in 0..steps {
        let t = turns * i as f32 / steps as f32;
        let (sin, cos) = (t * TAU).sin_cos();
        let centre = Vec3::new(radius * cos, 0.005 + 0.0095 * t, radius * sin);
        disc(centre, Vec3::new(-sin, 0.08, cos));
    }
    let end = 0.005 + 0.0095 * turns;
    let (sin, cos) = (turns * TAU).sin_cos();
    for i in 0..((0.12 - end) / spacing) as usize {
        let up = i as f32 * spacing;
        let lean = (-up / 0.02).exp() * radius;
        disc(Vec3::new(lean * cos, end + up, lean * sin), Vec3::Y);
    }
    let aspect = width as f32 / height as f32;
    let whole = [Vec3::new(-0.03, 0.0, -0.03), Vec3::new(0.03, 0.13, 0.03)];
    ParticlePicture {
        camera: View::fit(&whole, Vec3::new(-0.4, -0.45, -1.0), aspect),
        positions: &positions,
        colors: &[],
        radius: 0.6 * spacing,
        ground: Some(0.0),
        width,
        height,
    }
    .render()
}

fn plots(folder: &Path) -> Result<(), FigureError> {
    let curve = |f: fn(f64) -> f64, n: i32| -> Vec<(f64, f64)> {
        (0..=n).map(|i| 4.0 * f64::from(i) / f64::from(n)).map(|t| (t, f(t))).collect()
    };
    let noise = |t: f64| 0.3 + 0.05 * (t * 911.0).sin() + 0.04 * (t * 3571.0).sin();
    let decay = Plot {
        title: "Stress after a step strain".into(),
        x_label: "time t (s)".into(),
        y_label: "stress σ (Pa)".into(),
        series: vec![
            Series::new("dcpbd, corrected", curve(|t| (-t).exp(), 200), Style::Line),
            Series::new("theory exp(−t/τ)", curve(|t| (-1.05 * t).exp() + 0.01, 200), Style::Dashed),
            Series::new("measured", curve(|t| (-0.9 * t).exp(), 12), Style::Markers),
            Series::new("coarse, 4 mm spacing", curve(|t| (-1.6 * t).exp(), 14), Style::LineMarkers),
            Series::new("noisy probe", curve(noise, 300), Style::Line),
        ],
        notes: vec!["Spacing 2 mm, 4 steps a frame, tolerance 10⁻³. Illustrative curves, not measurements: they show every style on one pair of axes, and this note is long enough to wrap.".into()],
        ..Plot::default()
    };
    save(&Figure::single(decay.clone()), folder.join("plot"))?;
    let order = Plot {
        title: "Convergence".into(),
        x_label: "spacing h (m)".into(),
        y_label: "error".into(),
        log_x: true,
        log_y: true,
        series: (1..=3)
            .map(|order| {
                let points = (0..6)
                    .map(|i| 0.01 / f64::from(1 << i))
                    .map(|h| (h, 3e3 * f64::from(order) * h.powi(order)));
                let name = format!("order {order}");
                Series::new(name, points.collect(), Style::LineMarkers)
            })
            .collect(),
        ..Plot::default()
    };
    let small = Plot {
        title: "Energy of a long run".into(),
        x_label: "step".into(),
        y_label: "kinetic energy (J)".into(),
        series: vec![Series::new(
            "energy",
            (0..400).map(f64::from).map(|i| (i * 1000.0, 3e-7 * (1.0 - (-i / 80.0).exp()))).collect(),
            Style::Line,
        )],
        ..Plot::default()
    };
    let nothing = Plot {
        title: "A run that diverged".into(),
        x_label: "time (s)".into(),
        y_label: "height (m)".into(),
        series: vec![Series::new("run", vec![(0.0, f64::NAN)], Style::Line)],
        ..Plot::default()
    };
    let page = Figure {
        title: "Several plots on one page".into(),
        panels: vec![decay, order, small, nothing],
        columns: 2,
    };
    save(&page, folder.join("page"))?;
    Ok(())
}
