//! Fig. 2 of Mukai et al. 2021: a cube of guar gum solution is pulled until it is ruptured, and shrinks.

use std::ops::ControlFlow;
use std::path::Path;

use super::report::digits;
use super::sheet::{self, Cell, Look};
use super::{FigureReport, FigureSpec, Making, Progress, Statement, table};
use crate::particles::HONEY;
use crate::runner::{Task, run_all};
use crate::{Figure, FigureError, Lens, Plot, Series, Style, View, save, save_png};
use visco::glam::Vec3;
use visco::particles::Motion;
use visco::scene::{BuiltinScene, Override};
use visco::{Scene, Simulation};

pub(super) const SPEC: FigureSpec = FigureSpec {
    name: "mukai2021-fig02",
    title: "a fluid that is pulled, by the share of its elasticity",
    source: "Mukai et al. 2021, Fig. 2 and section 6",
    claim: "The paper (section 6, Fig. 2) pulls a cube of 9.3 mm at 18 mm/s, with C = 0.03, 0.05 and 0.07 for the share \
            of the elastic stress. The middle is the thinner the larger C is. With C = 0.05 the fluid is stretched by \
            1.4 mm until it begins to be ruptured, and then shrinks within 500 ms; of the real fluid, guar gum, these \
            are 41.8 mm and 4,333 ms.",
    run: Making::Fixed(run),
};

/// C of the three runs.
const SHARES: [f64; 3] = [0.03, 0.05, 0.07];
/// The variant of the scene.
const QUALITY: &str = "quality=printed-small";
/// Speed of the upper plate, in mm/s.
const SPEED: f64 = 18.0;
/// Frames that are drawn, with what they show: 20 ms a frame.
const DRAWN: [(u32, &str); 3] = [(4, "80 ms"), (15, "300 ms"), (50, "1 s")];
const PLATE: [u8; 3] = [150, 155, 165];

/// A cube to be pulled.
struct Pull {
    share: f64,
    scene: Scene,
}

/// What came of it.
#[derive(Default)]
struct Pulled {
    /// Time, height of the lower piece and half width of the narrowest section, in s and m.
    samples: Vec<[f64; 3]>,
    pictures: Vec<(Vec<Vec3>, Vec<[u8; 3]>)>,
    rupture: Option<f64>,
    failure: Option<String>,
}

impl Pulled {
    fn curve(&self, k: usize) -> Vec<(f64, f64)> {
        self.samples.iter().map(|s| (s[0], 1e3 * s[k])).collect()
    }

    /// Time from the rupture until the lower piece has made nine tenths of the way to its height at the end, in s.
    fn shrinking(&self) -> Option<f64> {
        let start = self.samples.iter().position(|s| Some(s[0]) >= self.rupture && self.rupture.is_some())?;
        let rest = &self.samples[start..];
        let highest = rest.iter().map(|s| s[1]).fold(0.0, f64::max);
        let last = rest.last()?[1];
        let low = last + 0.1 * (highest - last);
        let shrunk = rest.iter().find(|s| s[1] <= low)?;
        Some(shrunk[0] - self.rupture?)
    }
}

/// Height of the top of what is below the widest gap, and half the width of the narrowest of the sections across.
fn measure(run: &Simulation) -> [f64; 3] {
    let p = &run.world().particles;
    let d = run.world().spacing;
    let mut heights: Vec<f32> = p.positions.iter().map(|x| x.y).collect();
    heights.sort_by(f32::total_cmp);
    let gap = heights.windows(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
    let plate = (0..p.len()).filter(|&i| p.motions[i] == Motion::Gripped(1)).map(|i| p.positions[i].y);
    let plate = plate.fold(f32::INFINITY, f32::min);
    let top = gap.filter(|g| g[1] - g[0] > 1.5 * d).map_or(plate, |g| g[0]);
    let mut narrowest = f32::INFINITY;
    let (mut low, high) = (4.0 * d, plate - d);
    while low < high {
        let section = p.positions.iter().filter(|x| (low..low + 2.0 * d).contains(&x.y));
        narrowest = narrowest.min(section.map(|x| x.x.abs()).fold(0.0, f32::max));
        low += d;
    }
    [run.time(), f64::from(top), f64::from(narrowest)]
}

impl Task for Pull {
    type Outcome = Pulled;

    fn name(&self) -> String {
        format!("C = {}", self.share)
    }

    fn work(&self) -> f64 {
        1.0
    }

    fn run(&self, tell: &mut dyn FnMut(f64)) -> Pulled {
        let mut run = Simulation::new(&self.scene).expect("a built-in scene can be built");
        let mut pulled = Pulled { samples: vec![measure(&run)], ..Pulled::default() };
        for number in 1..self.scene.time.frames {
            if let Err(error) = run.advance_frame(|_| ControlFlow::Continue(())) {
                pulled.failure = Some(error.to_string());
                break;
            }
            pulled.samples.push(measure(&run));
            if DRAWN.iter().any(|(frame, _)| *frame == number) {
                let p = &run.world().particles;
                let color = |m: &Motion| if *m == Motion::Free { HONEY } else { PLATE };
                pulled.pictures.push((p.positions.clone(), p.motions.iter().map(color).collect()));
            }
            tell(f64::from(number) / f64::from(self.scene.time.frames));
        }
        pulled.rupture = run.rupture();
        pulled
    }
}

fn run(out: &Path, progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let builtin = BuiltinScene::find("spinnability").expect("a built-in scene");
    let pull = |share: f64| {
        let sets = [QUALITY.to_owned(), format!("solver.elastic_share={share}")];
        let sets = sets.map(|text| Override::parse(&text).expect("a change"));
        Pull { share, scene: builtin.scene(&sets).expect("a built-in scene is valid") }
    };
    let pulls = SHARES.map(pull);
    let pulled = run_all(&pulls, progress);
    let base = out.join(SPEC.name);
    let [svg, png] = save(&figure(&pulled), &base)?;
    let mut curves = Vec::new();
    for (share, p) in SHARES.iter().zip(&pulled) {
        curves.push((format!("height_mm_C{share}"), p.curve(1)));
        curves.push((format!("half_width_mm_C{share}"), p.curve(2)));
    }
    let csv = table::write_curves(out.join(format!("{}.csv", SPEC.name)), &curves)?;
    let pictures = out.join(format!("{}-particles.png", SPEC.name));
    save_png(&picture(&pulled, pulls[0].scene.spacing as f32)?, &pictures)?;
    Ok(FigureReport {
        files: vec![csv, svg, png.clone(), pictures.clone()],
        pictures: vec![
            (pictures, "The fluid between its plates.".into()),
            (png, "Height of the lower piece, and half the width of the narrowest section.".into()),
        ],
        statements: statements(&pulled),
        remarks: vec![
            "The scene `spinnability` with `quality = \"printed-small\"`: method `mps`, 1,000 particles of fluid instead \
             of the paper's 29,791, plates of three layers, Δt = 1 ms (viscosity is implicit), r_e = 2.1 spacings, surface \
             tension 0.06 N/m. The stretched length is the way of the upper plate until the rupture: particles of opposite \
             sides within the radius of influence, or a section without particles. The fluid shrinks until the top of the \
             lower piece has made 90 % of its way. The fluid gets little thinner: layers of particles part below the upper \
             plate, once they are farther from each other than r_e, whatever C is. The paper's 1.4 mm are the way of its \
             plate in about 750 steps, and no cube that keeps its volume is as thin as r_e after a stretch of 15 %; how \
             the paper's is ruptured then does not follow from its equations."
                .into(),
        ],
    })
}

fn statements(pulled: &[Pulled]) -> Vec<Statement> {
    let mut found = Vec::new();
    for (share, p) in SHARES.iter().zip(pulled) {
        let name = format!("C = {share}");
        if let Some(why) = &p.failure {
            found.push(Statement::failed(format!("{name}: ended early"), why));
        }
        let length = p.rupture.map_or("not ruptured".into(), |t| format!("{} mm", digits(SPEED * t)));
        let time = p.shrinking().map_or("does not shrink".into(), |t| format!("{} ms", digits(1e3 * t)));
        found.push(Statement::note(
            format!("{name}: stretched length, shrinking time"),
            format!("{length}, {time}"),
        ));
    }
    let middle = &pulled[1];
    let length = middle.rupture.map_or(f64::NAN, |t| SPEED * t);
    let time = 1e3 * middle.shrinking().unwrap_or(f64::NAN);
    found.push(Statement::below(
        "C = 0.05: stretched length over the paper's 1.4 mm",
        (length / 1.4, ""),
        10.0,
    ));
    found.push(Statement::below(
        "C = 0.05: shrinking time over the paper's 500 ms",
        (time / 500.0, ""),
        10.0,
    ));
    found
}

fn figure(pulled: &[Pulled]) -> Figure {
    let panel = |title: &str, y: &str, k: usize| Plot {
        title: title.into(),
        x_label: "time (s)".into(),
        y_label: y.into(),
        series: SHARES
            .iter()
            .zip(pulled)
            .map(|(share, p)| Series::new(format!("C = {share}"), p.curve(k), Style::Line))
            .collect(),
        ..Plot::default()
    };
    Figure {
        title: "A cube of guar gum solution is pulled".into(),
        panels: vec![
            panel("Top of the lower piece", "height (mm)", 1),
            panel("Narrowest section", "half width (mm)", 2),
        ],
        columns: 2,
    }
}

fn picture(pulled: &[Pulled], spacing: f32) -> Result<crate::RgbImage, FigureError> {
    let look = Look {
        view: View {
            eye: Vec3::new(0.02, 0.025, 0.09),
            target: Vec3::new(0.0, 0.014, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.42),
        },
        radius: 0.55 * spacing,
        ground: None,
        size: (300, 340),
    };
    let rows = DRAWN.map(|(_, text)| text.to_owned());
    let columns = SHARES.map(|share| format!("C = {share}"));
    let cell = |(frame, k): (usize, usize)| {
        pulled[k].pictures.get(frame).map(|(positions, colors)| Cell { positions, colors })
    };
    let places = (0..rows.len()).flat_map(|frame| (0..columns.len()).map(move |k| (frame, k)));
    sheet::draw(&look, (&rows, &columns), &places.map(cell).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_has_the_paper_s_particles() {
        let scene = |quality: &str| {
            let set = Override::parse(&format!("quality={quality}")).expect("a change");
            BuiltinScene::find("spinnability").expect("built in").scene(&[set]).expect("valid")
        };
        let printed = scene("printed");
        assert_eq!(printed.longest_step(), 1e-4);
        let run = Simulation::new(&printed).expect("it can be built");
        let count = |motion: Motion| run.world().particles.motions.iter().filter(|m| **m == motion).count();
        let counts = [Motion::Free, Motion::Gripped(1), Motion::Gripped(0)].map(count);
        assert_eq!(counts, [29_791, 5_043, 11_907], "Table 3");
        assert_eq!(
            Simulation::new(&scene("printed-small")).expect("it can be built").particle_count(),
            1000 + 588 + 1200
        );
    }

    #[test]
    fn shrinking_begins_with_the_rupture() {
        let fall = |t: f64| if t < 1.0 { 0.01 } else { 0.005 + 0.005 * (-(t - 1.0) / 0.1).exp() };
        let samples = (0..200).map(|k| 0.01 * f64::from(k)).map(|t| [t, fall(t), 0.0]).collect();
        let pulled = Pulled { samples, rupture: Some(1.0), ..Pulled::default() };
        let time = pulled.shrinking().expect("it shrinks");
        assert!((time - 0.23).abs() < 0.02, "{time}");
        assert_eq!(Pulled { rupture: None, ..pulled }.shrinking(), None);
    }
}
