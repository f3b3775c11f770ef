//! The drawing itself, the same for SVG and PNG.

use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::axis::{Axis, place};
use super::{Figure, PALETTE, Plot, SCALE, Series, Style};
use crate::files::FigureError;

type Coord = Cartesian2d<Axis, Axis>;
type Area<B, C> = DrawingArea<B, C>;
type Drawn = Result<(), FigureError>;

const INK: RGBColor = RGBColor(38, 42, 48);
const SOFT_INK: RGBColor = RGBColor(95, 102, 112);
const AXIS: RGBColor = RGBColor(130, 136, 144);
const GRID: RGBColor = RGBColor(222, 226, 230);
const FAINT_GRID: RGBColor = RGBColor(240, 242, 244);

/// Pixels of the page to pixels of the canvas.
fn px(pixels: f64) -> i32 {
    (pixels * f64::from(SCALE)).round() as i32
}

fn error(source: impl std::fmt::Display) -> FigureError {
    FigureError::Draw(source.to_string())
}

/// A font of so many pixels to the em; plotters' sizes are 1.24 times that.
fn font(em: f64, style: FontStyle, color: RGBColor) -> TextStyle<'static> {
    let size = em * 1.24 * f64::from(SCALE);
    FontDesc::new(FontFamily::SansSerif, size, style).color(&color)
}

fn text(em: f64, color: RGBColor) -> TextStyle<'static> {
    font(em, FontStyle::Normal, color)
}

/// Width of a text in pixels of the page.
fn width_of(words: &str, style: &TextStyle) -> f64 {
    // plotters sets its own measure 6 % wider than the em that it draws with.
    let measured = style.font.layout_box(words).map_or(0, |b| b.1.0 - b.0.0);
    f64::from(measured) / f64::from(SCALE)
}

fn register_fonts() -> Drawn {
    for (style, bytes) in
        [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())]
    {
        register_font("sans-serif", style, bytes).map_err(|_| error("the font is not valid"))?;
    }
    Ok(())
}

/// Draws the whole page.
pub(super) fn figure<B: DrawingBackend>(area: &Area<B, Shift>, figure: &Figure) -> Drawn {
    register_fonts()?;
    area.fill(&WHITE).map_err(error)?;
    let (_, body) = area.split_vertically(px(f64::from(figure.heading())));
    if !figure.title.is_empty() {
        let style = font(19.0, FontStyle::Bold, INK).pos(Pos::new(HPos::Center, VPos::Center));
        let middle = area.dim_in_pixel().0 as i32 / 2;
        area.draw_text(&figure.title, &style, (middle, px(28.0))).map_err(error)?;
    }
    let cells = body.split_evenly(figure.grid());
    if figure.panels.is_empty() {
        return no_data(&body);
    }
    for (cell, plot) in cells.iter().zip(&figure.panels) {
        panel(cell, plot)?;
    }
    area.present().map_err(error)
}

/// Words in the middle of the area, in letters of so many of its pixels to the em, or of fewer where they do not fit.
pub(super) fn words<B: DrawingBackend>(area: &Area<B, Shift>, words: &str, em: f64) -> Drawn {
    register_fonts()?;
    let (w, h) = area.dim_in_pixel();
    let scale = f64::from(SCALE);
    let needed = width_of(words, &text(em / scale, INK)) * scale;
    let em = em * (0.98 * f64::from(w) / needed).min(1.0);
    let style = text(em / scale, INK).pos(Pos::new(HPos::Center, VPos::Center));
    area.draw_text(words, &style, (w as i32 / 2, h as i32 / 2)).map_err(error)
}

fn no_data<B: DrawingBackend>(area: &Area<B, Shift>) -> Drawn {
    let (w, h) = area.dim_in_pixel();
    let style = text(15.0, SOFT_INK).pos(Pos::new(HPos::Center, VPos::Center));
    area.draw_text("no data", &style, (w as i32 / 2, h as i32 / 2)).map_err(error)
}

/// The series' points in drawn coordinates; what has no place on the axes is `None`.
fn placed(plot: &Plot, series: &Series) -> Vec<Option<(f64, f64)>> {
    let place_point = |&(x, y): &(f64, f64)| Some((place(x, plot.log_x)?, place(y, plot.log_y)?));
    series.points.iter().map(place_point).collect()
}

struct Curve<'a> {
    series: &'a Series,
    points: Vec<Option<(f64, f64)>>,
    color: RGBColor,
    /// Which marker it has, so that series differ without colour too.
    index: usize,
}

impl Curve<'_> {
    fn is_empty(&self) -> bool {
        self.points.iter().all(Option::is_none)
    }

    /// Whether another curve before it has the same colour of the palette.
    fn repeats_a_color(&self) -> bool {
        self.series.color.is_none() && self.index >= PALETTE.len()
    }

    fn legend(&self) -> String {
        let suffix = if self.is_empty() { " (no data)" } else { "" };
        format!("{}{suffix}", self.series.name)
    }
}

fn curves(plot: &Plot) -> Vec<Curve<'_>> {
    let curve = |(index, series): (usize, _)| {
        let series: &Series = series;
        let [r, g, b] = series.color.unwrap_or(PALETTE[index % PALETTE.len()]);
        Curve { series, points: placed(plot, series), color: RGBColor(r, g, b), index }
    };
    plot.series.iter().enumerate().map(curve).collect()
}

fn panel<B: DrawingBackend>(area: &Area<B, Shift>, plot: &Plot) -> Drawn {
    let (w, h) = area.dim_in_pixel();
    let page = |pixels: u32| f64::from(pixels) / f64::from(SCALE);
    let (w, h) = (page(w), page(h));
    let curves = curves(plot);
    let points = || curves.iter().flat_map(|c| c.points.iter().flatten());

    // Numbers every 90 pixels across and every 60 upwards are close enough to read off a value.
    let x = Axis::new(points().map(|p| p.0), plot.x_range, plot.log_x, (w / 90.0) as usize);
    let y = Axis::new(points().map(|p| p.1), plot.y_range, plot.log_y, (h / 60.0) as usize);
    let number = text(12.5, SOFT_INK);
    let y_numbers = y.major.iter().map(|t| width_of(&y.label(*t), &number));
    let left = 14.0 + 26.0 + y_numbers.fold(0.0, f64::max) + 12.0;

    let mut top = 14.0;
    if !plot.title.is_empty() {
        let style = font(16.0, FontStyle::Bold, INK);
        for line in wrap(&plot.title, w - left - 16.0, &style) {
            area.draw_text(&line, &style, (px(left), px(top + 4.0))).map_err(error)?;
            top += 24.0;
        }
        top += 6.0;
    }
    top = legend(area, &curves, (left, w - 16.0), top)?;

    let small = text(11.5, SOFT_INK);
    let notes = plot.notes.iter();
    let notes: Vec<String> = notes.flat_map(|n| wrap(n, w - left - 16.0, &small)).collect();
    let mut bottom = h - 10.0 - 16.0 * notes.len() as f64;
    let gap = if notes.is_empty() { 0.0 } else { 8.0 };
    let plot_area = area.margin(px(top + 6.0), px(h - bottom + gap), px(14.0), px(22.0));
    for note in &notes {
        area.draw_text(note, &small, (px(left), px(bottom + 2.0))).map_err(error)?;
        bottom += 16.0;
    }
    axes(&plot_area, plot, (x, y), (left - 14.0, &curves))
}

/// Lines of at most `width`, broken at spaces.
fn wrap(words: &str, width: f64, style: &TextStyle) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_of(&format!("{line} {word}"), style) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// Names of the series in rows above the axes, where they hide nothing. Returns their lower end.
fn legend<B: DrawingBackend>(
    area: &Area<B, Shift>,
    curves: &[Curve],
    (left, right): (f64, f64),
    top: f64,
) -> Result<f64, FigureError> {
    let named: Vec<&Curve> = curves.iter().filter(|c| !c.series.name.is_empty()).collect();
    // One curve needs no key beyond its axes, unless it has something to say.
    if named.is_empty() || (curves.len() == 1 && !named[0].is_empty()) {
        return Ok(top);
    }
    let style = text(13.0, INK).pos(Pos::new(HPos::Left, VPos::Center));
    let (mut x, mut row) = (left, top + 9.0);
    for curve in named {
        let name = curve.legend();
        let wide = 36.0 + width_of(&name, &style);
        if x > left && x + wide > right {
            x = left;
            row += 21.0;
        }
        let key = [(px(x), px(row)), (px(x + 28.0), px(row))];
        line(curve, &key, |dash| area.draw(&PathElement::new(dash.to_vec(), stroke(curve))).map_err(error))?;
        if has_markers(curve) {
            marker(area, (px(x + 14.0), px(row)), curve)?;
        }
        area.draw_text(&name, &style, (px(x + 36.0), px(row))).map_err(error)?;
        x += wide + 22.0;
    }
    Ok(row + 12.0)
}

fn axes<B: DrawingBackend>(
    area: &Area<B, Shift>,
    plot: &Plot,
    (x, y): (Axis, Axis),
    (y_space, curves): (f64, &[Curve]),
) -> Drawn {
    let mut chart = ChartBuilder::on(area)
        .set_label_area_size(LabelAreaPosition::Left, px(y_space))
        .set_label_area_size(LabelAreaPosition::Bottom, px(44.0))
        .build_cartesian_2d(x.clone(), y.clone())
        .map_err(error)?;
    let thin = SCALE;
    chart
        .configure_mesh()
        .bold_line_style(GRID.stroke_width(thin))
        .light_line_style(FAINT_GRID.stroke_width(thin))
        .axis_style(AXIS.stroke_width(thin))
        .set_all_tick_mark_size(px(4.0))
        .label_style(text(12.5, SOFT_INK))
        .axis_desc_style(text(13.5, INK))
        .x_desc(&plot.x_label)
        .y_desc(&plot.y_label)
        .draw()
        .map_err(error)?;
    if curves.iter().all(Curve::is_empty) {
        return no_data(&chart.plotting_area().strip_coord_spec());
    }
    for curve in curves {
        draw_curve(chart.plotting_area(), curve, (&x, &y))?;
    }
    Ok(())
}

fn has_markers(curve: &Curve) -> bool {
    matches!(curve.series.style, Style::Markers | Style::LineMarkers)
}

fn stroke(curve: &Curve) -> ShapeStyle {
    let width = match curve.series.style {
        Style::LineMarkers => 1.4,
        _ => 2.2,
    };
    curve.color.stroke_width(px(width) as u32)
}

fn draw_curve<B: DrawingBackend>(area: &Area<B, Coord>, curve: &Curve, (x, y): (&Axis, &Axis)) -> Drawn {
    let canvas = area.strip_coord_spec();
    let (left, top) = canvas.get_pixel_range();
    let to_canvas = |p: &(f64, f64)| {
        let (x, y) = area.map_coordinate(p);
        (x - left.start, y - top.start)
    };
    for run in runs(&curve.points, x, y) {
        let pixels: Vec<(i32, i32)> = run.iter().map(to_canvas).collect();
        line(curve, &pixels, |dash| {
            canvas.draw(&PathElement::new(dash.to_vec(), stroke(curve))).map_err(error)
        })?;
    }
    if has_markers(curve) {
        let seen = curve.points.iter().flatten();
        for point in seen.filter(|p| inside(p.0, x) && inside(p.1, y)) {
            marker(&canvas, to_canvas(point), curve)?;
        }
    }
    Ok(())
}

/// Whether a coordinate lies on the axis, rounding at its ends aside.
fn inside(v: f64, axis: &Axis) -> bool {
    let slack = 1e-9 * (axis.range.end - axis.range.start);
    v >= axis.range.start - slack && v <= axis.range.end + slack
}

/// Passes the solid pieces of a line to `draw`: itself, its dashes, or nothing.
fn line(curve: &Curve, pixels: &[(i32, i32)], mut draw: impl FnMut(&[(i32, i32)]) -> Drawn) -> Drawn {
    match curve.series.style {
        Style::Markers => Ok(()),
        Style::Line if curve.repeats_a_color() => broken(pixels, (px(12.0), px(3.0)), draw),
        Style::Line | Style::LineMarkers => draw(pixels),
        Style::Dashed => broken(pixels, (px(7.0), px(5.0)), draw),
    }
}

/// Passes the dashes of a line to `draw`.
fn broken(pixels: &[(i32, i32)], pattern: (i32, i32), draw: impl FnMut(&[(i32, i32)]) -> Drawn) -> Drawn {
    dashes(pixels, pattern).iter().map(Vec::as_slice).try_for_each(draw)
}

/// Cuts a line into dashes of a length and a gap. The pattern runs on over the corners.
fn dashes(pixels: &[(i32, i32)], (on, off): (i32, i32)) -> Vec<Vec<(i32, i32)>> {
    let mut found: Vec<Vec<(i32, i32)>> = Vec::new();
    let (mut drawing, mut left) = (false, 0.0);
    for pair in pixels.windows(2) {
        let at = |along: f64| {
            let mix = |a: i32, b: i32| f64::from(a) + along * f64::from(b - a);
            let (x, y) = (mix(pair[0].0, pair[1].0), mix(pair[0].1, pair[1].1));
            (x.round() as i32, y.round() as i32)
        };
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let length = f64::from(dx).hypot(f64::from(dy));
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            drawing = !drawing;
            left = f64::from(if drawing { on } else { off });
            if drawing {
                found.push(vec![at(gone / length)]);
            } else if let Some(dash) = found.last_mut() {
                dash.push(at(gone / length));
            }
        }
        left -= length - gone;
        if drawing && let Some(dash) = found.last_mut() {
            dash.push(pair[1]);
        }
    }
    found
}

fn marker<B: DrawingBackend>(area: &Area<B, Shift>, at: (i32, i32), curve: &Curve) -> Drawn {
    let fill = curve.color.filled();
    let r = px(4.0);
    let shape = |corners: &[(f64, f64)]| {
        let move_to = |&(x, y): &(f64, f64)| {
            let r = f64::from(r);
            (at.0 + (x * r).round() as i32, at.1 + (y * r).round() as i32)
        };
        area.draw(&Polygon::new(corners.iter().map(move_to).collect::<Vec<_>>(), fill))
    };
    match curve.index % 4 {
        0 => area.draw(&Circle::new(at, r, fill)),
        1 => shape(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => shape(&[(0.0, -1.25), (1.15, 0.8), (-1.15, 0.8)]),
        _ => shape(&[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)]),
    }
    .map_err(error)
}

/// The pieces of a line inside the axes, broken at gaps.
fn runs(points: &[Option<(f64, f64)>], x: &Axis, y: &Axis) -> Vec<Vec<(f64, f64)>> {
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    for pair in points.windows(2) {
        let (Some(a), Some(b)) = (pair[0], pair[1]) else {
            continue;
        };
        let Some((a, b)) = clip(a, b, x, y) else {
            continue;
        };
        match runs.last_mut() {
            Some(run) if run.last() == Some(&a) => run.push(b),
            _ => runs.push(vec![a, b]),
        }
    }
    runs
}

/// The part of a segment that lies inside the axes (Liang and Barsky, 1984).
fn clip(a: (f64, f64), b: (f64, f64), x: &Axis, y: &Axis) -> Option<((f64, f64), (f64, f64))> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (slope, room) in [
        (-dx, a.0 - x.range.start),
        (dx, x.range.end - a.0),
        (-dy, a.1 - y.range.start),
        (dy, y.range.end - a.1),
    ] {
        if slope < 0.0 {
            enter = enter.max(room / slope);
        } else if slope > 0.0 {
            leave = leave.min(room / slope);
        } else if room < 0.0 {
            return None;
        }
    }
    let at = |t: f64| (a.0 + t * dx, a.1 + t * dy);
    // Untouched ends stay bit for bit, so that neighbouring segments join.
    let start = if enter > 0.0 { at(enter) } else { a };
    let end = if leave < 1.0 { at(leave) } else { b };
    (enter <= leave).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_the_axes_and_at_gaps() {
        let axis = Axis::new(std::iter::empty(), Some((0.0, 1.0)), false, 5);
        let points =
            [Some((-1.0, 0.5)), Some((0.5, 0.5)), Some((0.5, 3.0)), None, Some((0.2, 0.2)), Some((0.3, 0.2))];
        let runs = runs(&points, &axis, &axis);
        assert_eq!(runs.len(), 2, "{runs:?}");
        assert_eq!(runs[0], [(0.0, 0.5), (0.5, 0.5), (0.5, 1.0)]);
        assert_eq!(runs[1], [(0.2, 0.2), (0.3, 0.2)]);
    }

    #[test]
    fn dashes_keep_their_rhythm_over_corners() {
        let dashes = dashes(&[(0, 0), (5, 0), (5, 15)], (8, 4));
        let expected: [&[(i32, i32)]; 2] = [&[(0, 0), (5, 0), (5, 3)], &[(5, 7), (5, 15)]];
        assert_eq!(dashes, expected);
    }
}
