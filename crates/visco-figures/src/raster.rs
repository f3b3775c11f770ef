//! The pixels behind a PNG plot: a plotters backend with round joints and correctly spaced text.
//!
//! The bitmap backend that comes with plotters leaves out the bearing of glyphs, so words look
//! uneven, and draws spikes where a thick noisy line turns sharply.

use std::convert::Infallible;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};
use image::RgbImage;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// An RGB canvas, white at first.
pub(crate) struct Raster<'a> {
    pixels: &'a mut RgbImage,
    regular: FontRef<'static>,
    bold: FontRef<'static>,
}

impl<'a> Raster<'a> {
    pub(crate) fn new(pixels: &'a mut RgbImage) -> Self {
        pixels.fill(255);
        Self::over(pixels)
    }

    /// A canvas over what the picture shows already.
    pub(crate) fn over(pixels: &'a mut RgbImage) -> Self {
        let font = |bytes| FontRef::try_from_slice(bytes).expect("the embedded font is valid");
        Self { pixels, regular: font(dejavu::sans::regular()), bold: font(dejavu::sans::bold()) }
    }

    fn blend(&mut self, (x, y): (i32, i32), color: BackendColor, coverage: f64) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else {
            return;
        };
        let Some(pixel) = self.pixels.get_pixel_mut_checked(x, y) else {
            return;
        };
        let alpha = (color.alpha * coverage).clamp(0.0, 1.0);
        let ink = [color.rgb.0, color.rgb.1, color.rgb.2];
        for (old, new) in pixel.0.iter_mut().zip(ink) {
            *old = (f64::from(*old) * (1.0 - alpha) + f64::from(new) * alpha).round() as u8;
        }
    }

    /// A segment with round ends, as wide as `width`.
    fn segment(&mut self, a: BackendCoord, b: BackendCoord, width: f64, color: BackendColor) {
        let (ax, ay) = (f64::from(a.0), f64::from(a.1));
        let (dx, dy) = (f64::from(b.0) - ax, f64::from(b.1) - ay);
        let length_squared = dx * dx + dy * dy;
        let half = width / 2.0;
        let reach = half.ceil() as i32 + 1;
        let (w, h) = (self.pixels.width() as i32, self.pixels.height() as i32);
        let rows = (a.1.min(b.1) - reach).max(0)..=(a.1.max(b.1) + reach).min(h - 1);
        for y in rows {
            for x in (a.0.min(b.0) - reach).max(0)..=(a.0.max(b.0) + reach).min(w - 1) {
                let (px, py) = (f64::from(x) - ax, f64::from(y) - ay);
                let along = if length_squared > 0.0 {
                    ((px * dx + py * dy) / length_squared).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                let distance = (px - along * dx).hypot(py - along * dy);
                let coverage = half + 0.5 - distance;
                if coverage > 0.0 {
                    self.blend((x, y), color, coverage.min(1.0));
                }
            }
        }
    }
}

impl DrawingBackend for Raster<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.pixels.dimensions()
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.blend(point, color, 1.0);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.segment(from, to, f64::from(style.stroke_width()), style.color());
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let mut last: Option<BackendCoord> = None;
        for point in path {
            if let Some(from) = last.filter(|from| *from != point) {
                self.draw_line(from, point, style)?;
            }
            last = Some(point);
        }
        Ok(())
    }

    /// Sets the text as the SVG backend does: `size / 1.24` to the em, anchored by the baseline.
    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, pos: BackendCoord) -> Drawn {
        let font = match style.style() {
            FontStyle::Bold => self.bold.clone(),
            _ => self.regular.clone(),
        };
        let em = (style.size() / 1.24) as f32;
        let units = font.units_per_em().unwrap_or(2048.0);
        let scaled = font.as_scaled(PxScale::from(em * font.height_unscaled() / units));
        let mut glyphs = Vec::new();
        let mut pen = 0.0;
        let mut last = None;
        for c in text.chars() {
            let mut glyph = scaled.scaled_glyph(c);
            pen += last.map_or(0.0, |l| scaled.kern(l, glyph.id));
            glyph.position.x = pen;
            pen += scaled.h_advance(glyph.id);
            last = Some(glyph.id);
            glyphs.push(glyph);
        }
        let anchor = style.anchor();
        let left = match anchor.h_pos {
            HPos::Left => 0.0,
            HPos::Center => -pen / 2.0,
            HPos::Right => -pen,
        };
        // DejaVu Sans is 0.547 em from the baseline to the top of an x.
        let baseline = match anchor.v_pos {
            VPos::Top => 0.76 * em,
            VPos::Center => 0.5 * 0.547 * em,
            VPos::Bottom => -0.5 * 0.547 * em,
        };
        let transform = style.transform();
        for mut glyph in glyphs {
            glyph.position.x += left;
            glyph.position.y += baseline;
            let Some(outline) = scaled.outline_glyph(glyph) else {
                continue;
            };
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, coverage| {
                let at = (x as i32 + corner.x as i32, y as i32 + corner.y as i32);
                let (x, y) = transform.transform(at.0, at.1);
                self.blend((pos.0 + x, pos.1 + y), style.color(), f64::from(coverage));
            });
        }
        Ok(())
    }
}
