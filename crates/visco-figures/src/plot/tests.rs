use super::*;

fn sample() -> Plot {
    let curve = |k: f64| (1..60).map(|i| f64::from(i) * 0.1).map(|t| (t, (-k * t).exp())).collect();
    Plot {
        title: "Relaxation of stress".into(),
        x_label: "time (s)".into(),
        y_label: "stress (Pa) & more".into(),
        series: vec![
            Series::new("slow", curve(0.3), Style::Line),
            Series::new("fast", curve(1.0), Style::Dashed),
            Series::new("measured", curve(0.5), Style::Markers),
            Series::new("coarse", curve(2.0), Style::LineMarkers),
        ],
        notes: vec!["A note below the axes.".into()],
        ..Plot::default()
    }
}

fn inked(picture: &RgbImage) -> f64 {
    let ink = picture.pixels().filter(|p| p.0 != [255; 3]).count();
    ink as f64 / f64::from(picture.width() * picture.height())
}

#[test]
fn svg_has_words_and_a_path_per_series() {
    let text = svg(&Figure::single(sample())).unwrap();
    for words in
        ["Relaxation of stress", "time (s)", "stress (Pa) &amp; more", "measured", "A note below the axes."]
    {
        assert!(text.contains(words), "{words}");
    }
    for [r, g, b] in &PALETTE[..4] {
        let color = format!("#{r:02X}{g:02X}{b:02X}");
        let shapes = text
            .lines()
            .filter(|l| l.contains("<poly") || l.contains("<circle"))
            .filter(|l| l.contains(&color))
            .count();
        // The first is the key in the legend.
        assert!(shapes >= 2, "{color}: {shapes}");
    }
    assert!(text.starts_with("<svg width=\"900\" height=\"600\""));
    assert!(text.contains("viewBox=\"0 0 3600 2400\""));
}

#[test]
fn lines_differ_beyond_the_colours_of_the_palette() {
    let pieces_of_the_first_color = |count: usize| {
        let line =
            |k: usize| Series::new(format!("{k}"), vec![(0.0, k as f64), (1.0, k as f64)], Style::Line);
        let plot = Plot { series: (0..count).map(line).collect(), ..Plot::default() };
        let [r, g, b] = PALETTE[0];
        let color = format!("#{r:02X}{g:02X}{b:02X}");
        let text = svg(&Figure::single(plot)).unwrap();
        text.lines().filter(|l| l.contains("<poly") && l.contains(&color)).count()
    };
    // A line and its key; then the same line with gaps, too.
    assert_eq!(pieces_of_the_first_color(PALETTE.len()), 2);
    assert!(pieces_of_the_first_color(PALETTE.len() + 1) > 20);
}

#[test]
fn saved_png_decodes_at_its_size_and_is_not_blank() {
    let folder = tempfile::tempdir().unwrap();
    let figure = Figure { title: "A page".into(), panels: vec![sample(); 3], columns: 2 };
    let [svg, png] = save(&figure, folder.path().join("fig-0.5")).unwrap();
    assert!(svg.ends_with("fig-0.5.svg") && svg.exists());
    let picture = image::open(png).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), (2560, 2 * 926));
    assert!(inked(&picture) > 0.02, "{}", inked(&picture));
}

#[test]
fn missing_values_say_no_data() {
    let nothing = [vec![], vec![(f64::NAN, 1.0), (1.0, f64::INFINITY)], vec![(-1.0, 1.0), (0.0, 2.0)]];
    for points in nothing {
        let mut plot = sample();
        plot.log_x = true;
        plot.series = vec![Series::new("empty", points, Style::LineMarkers)];
        let text = svg(&Figure::single(plot.clone())).unwrap();
        assert!(text.contains("empty (no data)"));
        plot.series.clear();
        assert!(svg(&Figure::single(plot)).unwrap().contains("no data"));
    }
    assert!(svg(&Figure::default()).unwrap().contains("no data"));
    png(&Figure::default()).unwrap();
}

#[test]
fn strange_values_do_not_panic() {
    for points in [
        vec![(3.0, 3.0)],
        vec![(1.0, 5.0), (2.0, 5.0)],
        vec![(1e-300, 1e300), (1e300, 1e-300)],
        vec![(1.0, 1.0), (f64::NAN, f64::NAN), (2.0, 1.0 + 1e-15)],
    ] {
        for log in [false, true] {
            let mut plot = sample();
            (plot.log_x, plot.log_y) = (log, log);
            plot.x_range = Some((0.0, 1.0));
            plot.series = vec![Series::new("one", points.clone(), Style::LineMarkers)];
            svg(&Figure::single(plot)).unwrap();
        }
    }
}

/// Columns from the left to the right edge of the ink.
fn extent(picture: &RgbImage) -> (u32, u32) {
    let inked = |&x: &u32| (0..picture.height()).any(|y| picture.get_pixel(x, y).0 != [255; 3]);
    let first = (0..picture.width()).find(inked).unwrap();
    (first, (0..picture.width()).rfind(inked).unwrap())
}

#[test]
fn words_that_do_not_fit_get_smaller() {
    let size = (190, 34);
    let (short, long) = ("springs", "shape_matching, as stiff as the connections");
    let [short, long] = [short, long].map(|text| extent(&words(text, size, 17.0).unwrap()));
    assert!(short.0 > 40 && short.1 < 150, "{short:?}");
    assert!((1..25).contains(&long.0) && (165..189).contains(&long.1), "{long:?}");
}
