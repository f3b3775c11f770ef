//! Pictures of particles, coloured by their coefficient c, and plots over time.

use super::take::{Take, Taken};
use crate::figures::sheet::{self, Cell, Look};
use crate::{FigureError, Plot, RgbImage, Series, Style};
use visco::Frame;
use visco::glam::Vec3;
use visco::scene::Shape;

/// Of walls and other solids.
pub(super) const SOLID: [u8; 3] = [196, 188, 176];
/// Of bodies that move.
const BODY: [u8; 3] = [222, 140, 60];
/// Colours of the smallest and of the largest coefficient, as in the paper.
const CYAN: [f32; 3] = [110.0, 235.0, 240.0];
const DARK_CYAN: [f32; 3] = [0.0, 84.0, 98.0];

/// Colour of a coefficient between the least and the largest of a figure, even in its logarithm.
pub(super) fn shade(c: f64, (least, most): (f64, f64)) -> [u8; 3] {
    let part =
        if most > least { ((c / least).ln() / (most / least).ln()).clamp(0.0, 1.0) as f32 } else { 1.0 };
    std::array::from_fn(|k| (CYAN[k] + (DARK_CYAN[k] - CYAN[k]) * part) as u8)
}

/// A plot of a value over time, with a line for every run; given with its title and the label of its axis.
pub(super) fn panel<M>(taken: &[Taken<M>], (title, y): (&str, &str), value: fn(&M) -> f64) -> Plot {
    Plot {
        title: title.into(),
        x_label: "time (s)".into(),
        y_label: y.into(),
        series: taken.iter().map(|t| Series::new(&*t.name, t.curve(value), Style::Line)).collect(),
        ..Plot::default()
    }
}

/// What is drawn of a run: frames beside each other.
pub(super) struct Row<'a, M> {
    pub(super) take: &'a Take<M>,
    pub(super) taken: &'a Taken<M>,
    /// What is drawn beside the particles.
    pub(super) solids: &'a [Shape],
}

/// Positions and colours.
type Drawn = (Vec<Vec3>, Vec<[u8; 3]>);

/// A sheet with a row for each run. `range` is that of the coefficients.
pub(super) fn picture<M>(
    look: &Look,
    columns: &[String],
    range: (f64, f64),
    rows: &[Row<'_, M>],
) -> Result<RgbImage, FigureError> {
    let mut drawn: Vec<Option<Drawn>> = Vec::new();
    for row in rows {
        let solids: Vec<Vec3> = row.solids.iter().flat_map(|shape| row.take.filled(shape)).collect();
        let of = |m: u8| match row.take.scene.material.get(usize::from(m)) {
            Some(material) => shade(material.connections.map_or(0.0, |k| f64::from(k.correction)), range),
            None => BODY,
        };
        for k in 0..columns.len() {
            drawn.push(row.taken.kept.get(k).map(|frame: &Frame| {
                let all = solids.iter().chain(&frame.positions).copied().collect();
                let colors = std::iter::repeat_n(SOLID, solids.len());
                (all, colors.chain(frame.materials.iter().map(|&m| of(m))).collect())
            }));
        }
    }
    let names: Vec<String> = rows.iter().map(|row| row.taken.name.clone()).collect();
    let cells: Vec<Option<Cell<'_>>> =
        drawn.iter().map(|d| d.as_ref().map(|(positions, colors)| Cell { positions, colors })).collect();
    sheet::draw(look, (&names, columns), &cells)
}

/// Times of frames, as headings.
pub(super) fn times(frames: &[u32], fps: f64) -> Vec<String> {
    frames.iter().map(|&k| format!("t = {:.2} s", f64::from(k) / fps)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_coefficients_are_darker() {
        let range = (0.001, 0.016);
        assert_eq!(shade(0.001, range), [110, 235, 240]);
        assert_eq!(shade(0.016, range), [0, 84, 98]);
        assert_eq!(shade(0.004, range)[1], 159);
        assert_eq!(shade(0.5, range), shade(0.016, range));
    }
}
