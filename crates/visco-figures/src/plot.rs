//! Line plots as SVG and PNG, with the font built in.
//!
//! ```
//! use visco_figures::{Figure, Plot, Series, Style};
//!
//! let height = (0..50).map(|i| (f64::from(i), 1.0 / f64::from(i + 1))).collect();
//! let plot = Plot {
//!     title: "A drop settles".into(),
//!     x_label: "time (s)".into(),
//!     y_label: "height (m)".into(),
//!     series: vec![Series::new("visco", height, Style::Line)],
//!     ..Plot::default()
//! };
//! let folder = tempfile::tempdir().unwrap();
//! visco_figures::save(&Figure::single(plot), folder.path().join("drop")).unwrap();
//! ```

use std::path::{Path, PathBuf};

use image::RgbImage;
use image::imageops::{FilterType, resize};
use plotters::prelude::*;

use crate::files::{FigureError, reduce_shades, save_png, write_atomically};
use crate::raster::Raster;

mod axis;
mod draw;

pub(crate) use axis::short;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A solid line: what we computed. With more lines than the palette has colours, those that follow have short gaps.
    #[default]
    Line,
    /// A dashed line: a theory, a limit, a reference.
    Dashed,
    /// Markers alone: measured points.
    Markers,
    /// Markers joined by a thin line.
    LineMarkers,
}

/// Named points of one colour. Points that are not finite make a gap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What the legend says; a series without a name has no entry.
    pub name: String,
    /// The points, in the order in which the line joins them.
    pub points: Vec<(f64, f64)>,
    /// How the points are drawn.
    pub style: Style,
    /// Red, green and blue; by default the next colour of [`PALETTE`].
    pub color: Option<[u8; 3]>,
}

impl Series {
    /// A series in the next colour of the palette.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>, style: Style) -> Self {
        Self { name: name.into(), points, style, color: None }
    }
}

/// Colours that stay apart for colour-blind readers and in print (after Okabe and Ito, 2008).
pub const PALETTE: [[u8; 3]; 7] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [230, 159, 0],
    [86, 180, 233],
    [70, 70, 70],
];

/// One pair of axes with its series. A legend above the axes appears with the second named series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Heading; may be empty.
    pub title: String,
    /// What the horizontal axis measures, with its unit.
    pub x_label: String,
    /// What the vertical axis measures, with its unit.
    pub y_label: String,
    /// Whether the horizontal axis is logarithmic; points at or below 0 are then left out.
    pub log_x: bool,
    /// Whether the vertical axis is logarithmic; points at or below 0 are then left out.
    pub log_y: bool,
    /// What is drawn, the first at the bottom.
    pub series: Vec<Series>,
    /// Small print below the axes.
    pub notes: Vec<String>,
    /// Ends of the horizontal axis; by default those of the points. A range that is empty, not
    /// finite, or at or below 0 on a logarithmic axis counts as none.
    pub x_range: Option<(f64, f64)>,
    /// Ends of the vertical axis, like [`Plot::x_range`].
    pub y_range: Option<(f64, f64)>,
}

/// One page of plots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Heading of the page; may be empty.
    pub title: String,
    /// The plots, row by row.
    pub panels: Vec<Plot>,
    /// Plots in a row; 0 counts as 1.
    pub columns: usize,
}

/// Height of the page's heading.
const HEADING: u32 = 46;
/// Drawn pixels for each pixel of the page: plotters rounds to whole pixels, and a finer canvas
/// keeps curves smooth in the SVG and antialiased in the PNG.
const SCALE: u32 = 4;
/// PNG pixels for each pixel of the page, for sharp text on dense screens.
const DENSITY: u32 = 2;

impl Figure {
    /// A page with one plot.
    pub fn single(plot: Plot) -> Self {
        Self { title: String::new(), panels: vec![plot], columns: 1 }
    }

    /// Width and height of the page, in the pixels of the SVG. The PNG has twice as many.
    pub fn size(&self) -> (u32, u32) {
        let (rows, columns) = self.grid();
        let panel = if rows * columns == 1 { (900, 600) } else { (640, 440) };
        (panel.0 * columns as u32, panel.1 * rows as u32 + self.heading())
    }

    fn heading(&self) -> u32 {
        if self.title.is_empty() { 0 } else { HEADING }
    }

    fn grid(&self) -> (usize, usize) {
        let columns = self.columns.clamp(1, self.panels.len().max(1));
        (self.panels.len().max(1).div_ceil(columns), columns)
    }
}

/// Writes `base.svg` and `base.png` and says where they are.
pub fn save(figure: &Figure, base: impl AsRef<Path>) -> Result<[PathBuf; 2], FigureError> {
    let base = base.as_ref();
    // Not with_extension, which would cut "fig-0.5" short.
    let with = |extension| {
        let mut name = base.as_os_str().to_os_string();
        name.push(extension);
        PathBuf::from(name)
    };
    let paths = [with(".svg"), with(".png")];
    write_atomically(&paths[0], svg(figure)?.as_bytes())?;
    save_png(&png(figure)?, &paths[1])?;
    Ok(paths)
}

fn svg(figure: &Figure) -> Result<String, FigureError> {
    let (width, height) = figure.size();
    let (wide, high) = (width * SCALE, height * SCALE);
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, (wide, high)).into_drawing_area();
    draw::figure(&area, figure)?;
    drop(area);
    // The canvas is finer than the page; and the first font named is the one that the layout
    // measured.
    let text = text.replacen(
        &format!("<svg width=\"{wide}\" height=\"{high}\""),
        &format!(
            "<svg width=\"{width}\" height=\"{height}\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\""
        ),
        1,
    );
    Ok(text.replace("font-family=\"sans-serif\"", "font-family=\"DejaVu Sans, Verdana, sans-serif\""))
}

fn png(figure: &Figure) -> Result<RgbImage, FigureError> {
    let (width, height) = figure.size();
    let mut fine = RgbImage::new(width * SCALE, height * SCALE);
    let area = Raster::new(&mut fine).into_drawing_area();
    draw::figure(&area, figure)?;
    drop(area);
    let mut picture = resize(&fine, width * DENSITY, height * DENSITY, FilterType::Triangle);
    // Smooth edges have many shades that nobody tells apart; with fewer the file is a third smaller.
    reduce_shades(&mut picture, 8);
    Ok(picture)
}

/// A white picture of a size with words in its middle, in letters of so many pixels to the em.
pub(crate) fn words(text: &str, (width, height): (u32, u32), em: f64) -> Result<RgbImage, FigureError> {
    let mut picture = RgbImage::new(width, height);
    let area = Raster::new(&mut picture).into_drawing_area();
    draw::words(&area, text, em)?;
    drop(area);
    Ok(picture)
}

#[cfg(test)]
mod tests;
