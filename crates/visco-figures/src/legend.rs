//! What the colours of a picture mean.

use crate::raster::Raster;
use image::{Rgb, RgbImage};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, RGBColor};
use plotters_backend::DrawingBackend;

const INK: RGBColor = RGBColor(30, 30, 30);

/// A bar of colours with the numbers at its ends.
#[derive(Clone, Copy, Debug)]
pub struct Legend<'a> {
    /// What is shown, with its unit.
    pub title: &'a str,
    /// Numbers at the lower and at the upper end, as text.
    pub ends: [&'a str; 2],
    /// Colour of a part of the range, 0 to 1.
    pub color: fn(f32) -> [u8; 3],
}

impl Legend<'_> {
    /// Draws it into the lower left corner of a picture.
    pub fn draw(&self, picture: &mut RgbImage) {
        let (width, height) = picture.dimensions();
        let unit = f64::from(height) / 36.0;
        let (left, top) = (unit, f64::from(height) - 2.6 * unit);
        let (long, thick) = ((0.25 * f64::from(width)).max(2.0), (0.6 * unit).max(1.0));
        for x in 0..long as u32 {
            let color = Rgb((self.color)(x as f32 / (long as f32 - 1.0)));
            for y in 0..thick as u32 {
                let (x, y) = (left as u32 + x, top as u32 + y);
                if x < width && y < height {
                    picture.put_pixel(x, y, color);
                }
            }
        }
        let mut raster = Raster::over(picture);
        let mut write = |text: &str, x: f64, y: f64, h: HPos| {
            let font = FontDesc::new(FontFamily::SansSerif, 1.24 * unit, FontStyle::Normal);
            let style = font.color(&INK).pos(Pos::new(h, VPos::Center));
            // The canvas takes everything.
            let _ = raster.draw_text(text, &style, (x as i32, y as i32));
        };
        let below = top + thick + 0.8 * unit;
        write(self.ends[0], left, below, HPos::Left);
        write(self.ends[1], left + long, below, HPos::Right);
        write(self.title, left, top - 0.8 * unit, HPos::Left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_goes_from_the_first_colour_to_the_last() {
        let mut picture = RgbImage::from_pixel(640, 360, Rgb([255; 3]));
        let color = |t: f32| if t < 0.5 { [200, 0, 0] } else { [0, 0, 200] };
        Legend { title: "speed", ends: ["0", "1 m/s"], color }.draw(&mut picture);
        let row = 360 - 24;
        assert_eq!(picture.get_pixel(12, row).0, [200, 0, 0]);
        assert_eq!(picture.get_pixel(10 + 155, row).0, [0, 0, 200]);
        let ink = picture.enumerate_pixels().filter(|(_, y, p)| *y < row - 4 && p.0 != [255; 3]).count();
        assert!(ink > 50, "the title has {ink} pixels");
        assert_eq!(picture.get_pixel(600, 20).0, [255; 3]);
    }
}
