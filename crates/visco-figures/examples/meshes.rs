//! Draws every mesh that visco makes, filled with particles: `cargo run -p visco-figures --example meshes -- FOLDER`.

use std::path::PathBuf;

use glam::Vec3;
use visco::mesh::{Made, Solid};
use visco_figures::{FigureError, ParticlePicture, RgbImage, View, contact_sheet, save_png};

fn main() -> Result<(), FigureError> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or("out/meshes".into()));
    let pictures: Vec<RgbImage> = Made::ALL.into_iter().map(picture).collect();
    save_png(&contact_sheet(&pictures, 4), folder.join("made.png"))
}

fn picture(made: Made) -> RgbImage {
    let (width, height) = (480, 420);
    let solid = Solid::new(&made.mesh("VISCO")).expect("meshes made by visco are closed");
    let spacing = (solid.volume() / 30_000.0).cbrt() as f32;
    let positions = solid.lattice(spacing);
    let whole = [-solid.half(), solid.half()];
    ParticlePicture {
        camera: View::fit(&whole, Vec3::new(-0.35, -0.5, -1.0), width as f32 / height as f32),
        positions: &positions,
        colors: &[],
        radius: 0.6 * spacing,
        ground: Some(-solid.half().y),
        width,
        height,
    }
    .render()
}
