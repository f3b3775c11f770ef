//! Pictures of the creams on their waffles.

use super::Cream;
use crate::figures::sheet::{self, Cell, Look};
use crate::{FigureError, Lens, RgbImage, View, contact_sheet};
use visco::glam::Vec3;
use visco::scene::{Fluid, Packing, Shape};
use visco::{Scene, Simulation};

const CREAM: [u8; 3] = [250, 240, 218];
const WAFFLE: [u8; 3] = [206, 142, 68];

/// Both creams, from the side and from above.
pub(super) fn picture(scene: &Scene, creams: &[Cream]) -> Result<RgbImage, FigureError> {
    let pictures: Vec<(Vec<Vec3>, Vec<[u8; 3]>)> = creams
        .iter()
        .enumerate()
        .map(|(k, cream)| {
            let middle = Vec3::X * cream.middle as f32;
            let waffle = waffle(scene, k).unwrap_or_default();
            let colors = [vec![WAFFLE; waffle.len()], vec![CREAM; cream.poured.frame.len()]].concat();
            let all = waffle.iter().chain(&cream.poured.frame.positions);
            (all.map(|x| *x - middle).collect(), colors)
        })
        .collect();
    let columns: Vec<String> = creams.iter().map(Cream::label).collect();
    let row = |name: &str, eye: Vec3, up: Vec3| {
        let look = Look {
            view: View { eye, target: Vec3::new(0.0, 0.02, 0.0), up, lens: Lens::Perspective(0.36) },
            radius: 0.6 * scene.spacing as f32,
            ground: Some(0.0),
            size: (460, 340),
        };
        let cells: Vec<Option<Cell<'_>>> = pictures
            .iter()
            .zip(creams)
            .map(|((positions, colors), cream)| {
                cream.poured.failure.is_none().then_some(Cell { positions, colors })
            })
            .collect();
        sheet::draw(&look, (&[name.to_owned()], &columns), &cells)
    };
    let side = row("from the side", Vec3::new(0.02, 0.16, 0.24), Vec3::Y)?;
    let above = row("from above", Vec3::new(0.0, 0.32, 0.001), Vec3::NEG_Z)?;
    Ok(contact_sheet(&[side, above], 1))
}

/// The waffle below a nozzle, filled with particles to be seen.
pub(super) fn waffle(scene: &Scene, k: usize) -> Option<Vec<Vec3>> {
    let mut waffles = scene.boundary.iter().filter(|b| matches!(b.shape, Shape::Mesh(_)));
    let shape = waffles.nth(k)?.shape.clone();
    let fluid = Fluid {
        material: scene.material[0].name.clone(),
        shape,
        rotate: None,
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        jitter: 0.0,
        packing: Packing::default(),
    };
    let filled = Scene { fluid: vec![fluid], emitter: vec![], boundary: vec![], ..scene.clone() };
    Some(Simulation::new(&filled).ok()?.frame().positions)
}
