//! Pictures of particles in a table, with words above the columns and beside the rows.

use crate::files::reduce_shades;
use crate::plot::words;
use crate::{FigureError, ParticlePicture, RgbImage, View};
use glam::Vec3;
use image::imageops::{replace, rotate270};

/// Pixels between pictures.
const GAP: u32 = 6;
/// Pixels for the words above a column or beside a row.
const WORDS: u32 = 34;
/// Pixels to the em of the words.
const EM: f64 = 17.0;

/// One picture to draw: particles, and their colours.
#[derive(Clone, Debug)]
pub(super) struct Cell<'a> {
    pub(super) positions: &'a [Vec3],
    pub(super) colors: &'a [[u8; 3]],
}

/// How every picture of a sheet is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) view: View,
    /// Particle radius, in m.
    pub(super) radius: f32,
    pub(super) ground: Option<f32>,
    /// Width and height of a picture, in pixels.
    pub(super) size: (u32, u32),
}

/// Draws the cells row by row. Words tell of a run that blew up, and of particles that are all out of sight.
pub(super) fn draw(
    look: &Look,
    (rows, columns): (&[String], &[String]),
    cells: &[Option<Cell<'_>>],
) -> Result<RgbImage, FigureError> {
    let (width, height) = look.size;
    let count = (columns.len() as u32, rows.len() as u32);
    let mut sheet =
        RgbImage::new(WORDS + count.0 * (width + GAP) + GAP, WORDS + count.1 * (height + GAP) + GAP);
    sheet.fill(255);
    for (k, text) in columns.iter().enumerate() {
        let x = WORDS + k as u32 * (width + GAP);
        replace(&mut sheet, &words(text, (width, WORDS), EM)?, i64::from(x), 0);
    }
    for (k, text) in rows.iter().enumerate() {
        let y = WORDS + k as u32 * (height + GAP);
        replace(&mut sheet, &rotate270(&words(text, (height, WORDS), EM)?), 0, i64::from(y));
    }
    let nothing = take(look, &Cell { positions: &[], colors: &[] });
    for (k, cell) in cells.iter().enumerate() {
        let (column, row) = (k as u32 % count.0, k as u32 / count.0);
        let at = (WORDS + column * (width + GAP), WORDS + row * (height + GAP));
        let picture = match cell.as_ref().map(|cell| take(look, cell)) {
            Some(picture) if picture == nothing => words("all out of sight", look.size, EM)?,
            Some(picture) => picture,
            None => words("blown up", look.size, EM)?,
        };
        replace(&mut sheet, &picture, i64::from(at.0), i64::from(at.1));
    }
    // Coarser steps would show as bands in the sky.
    reduce_shades(&mut sheet, 2);
    Ok(sheet)
}

fn take(look: &Look, cell: &Cell<'_>) -> RgbImage {
    let (width, height) = look.size;
    let picture = ParticlePicture {
        positions: cell.positions,
        colors: cell.colors,
        radius: look.radius,
        camera: look.view,
        ground: look.ground,
        width,
        height,
    };
    picture.render()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lens;

    #[test]
    fn every_cell_and_every_heading_is_drawn() {
        let look = Look {
            view: View {
                eye: Vec3::new(0.0, 0.0, 5.0),
                target: Vec3::ZERO,
                up: Vec3::Y,
                lens: Lens::Perspective(0.5),
            },
            radius: 0.5,
            ground: None,
            size: (120, 90),
        };
        let cell = Cell { positions: &[Vec3::ZERO], colors: &[[200, 0, 0]] };
        let names = ["one".to_owned(), "two".to_owned()];
        let sheet = draw(&look, (&names[..1], &names), &[Some(cell), None]).unwrap();
        assert_eq!(sheet.dimensions(), (WORDS + 2 * (120 + GAP) + GAP, WORDS + 90 + GAP + GAP));
        let inked = |x: u32, y: u32, w: u32, h: u32| {
            (y..y + h).any(|y| (x..x + w).any(|x| sheet.get_pixel(x, y).0 != [255; 3]))
        };
        assert!(inked(WORDS, 0, 120, WORDS), "first heading");
        assert!(inked(WORDS + 120 + GAP, 0, 120, WORDS), "second heading");
        assert!(inked(0, WORDS, WORDS, 90), "row");
        assert!(inked(WORDS + 120 + GAP, WORDS, 120, 90), "the cell without particles says why");
        let [red, green, _] = sheet.get_pixel(WORDS + 60, WORDS + 45).0;
        assert!(red > green, "the particle");
    }
}
