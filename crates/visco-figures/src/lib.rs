//! Plots, software pictures of particles and tables: what makes a result visible.
//!
//! Everything here runs without a GPU, a display or installed fonts.

pub mod experiments;
pub mod figures;
pub mod files;
pub mod legend;
pub mod particles;
pub mod plot;
mod raster;
mod runner;
pub mod runs;

pub use files::{FigureError, load_png, save_png, save_png_quickly, write_csv};
pub use image::RgbImage;
pub use legend::Legend;
pub use particles::{Lens, ParticlePicture, View, contact_sheet, shrink};
pub use plot::{Figure, Plot, Series, Style, save};
