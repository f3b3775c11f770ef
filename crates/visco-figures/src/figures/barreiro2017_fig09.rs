//! Fig. 9 of Barreiro et al. 2017: runny and thick cream on waffles.

use std::path::Path;

use super::pours::{Pour, Poured, alone};
use super::report::digits;
use super::{FigureReport, FigureSpec, Making, Progress, Statement, table};
use crate::runner::run_all;
use crate::{Figure, FigureError, Plot, Series, Style, save, save_png};
use visco::Scene;
use visco::scene::{BuiltinScene, Material, Override};

mod draw;

pub(super) const SPEC: FigureSpec = FigureSpec {
    name: "barreiro2017-fig09",
    title: "runny and thick cream on waffles",
    source: "Barreiro et al. 2017, Fig. 9",
    claim: "The paper (section 6, Fig. 9) pours whipped cream on waffles from nozzles that move along, with the same \
            relaxation time and two compliances. With compliance the cream is runny and flows together; without, it \
            is so viscous that it coils in a regular manner and keeps the ridges of its surface.",
    run: Making::Fixed(run),
};

/// The built-in scene that has both creams.
const SCENE: &str = "waffle";
/// What is changed to have both in a few minutes.
const CHANGES: [&str; 3] = ["spacing=0.0013", "time.steps_per_frame=4", "time.frames=97"];
/// Of the creams, in the order of the scene's nozzles: of lines, and of particles.
const INKS: [[u8; 3]; 2] = [[0, 114, 178], [213, 94, 0]];
/// Part of the particles that the width of a cream holds; a few may lie apart.
const MOST: f64 = 0.95;

/// A cream that was poured.
struct Cream {
    material: Material,
    poured: Poured,
    /// Where its waffle's middle is, in m.
    middle: f64,
}

impl Cream {
    fn label(&self) -> String {
        format!("{}: η = {} Pa·s", self.material.name, self.material.viscosity.unwrap_or(0.0))
    }

    /// Width across the nozzle's way that holds most particles, in m.
    fn width(&self) -> f64 {
        let mut across: Vec<f64> = self.poured.frame.positions.iter().map(|x| f64::from(x.z.abs())).collect();
        across.sort_by(f64::total_cmp);
        let last = (MOST * across.len() as f64) as usize;
        across.get(last.min(across.len().saturating_sub(1))).map_or(0.0, |z| 2.0 * z)
    }

    /// Mean height of the cream's particles above its lowest, twice: the height of a block of the same.
    fn height(&self) -> f64 {
        let heights = || self.poured.frame.positions.iter().map(|x| f64::from(x.y));
        let mean = heights().sum::<f64>() / heights().count().max(1) as f64;
        2.0 * (mean - heights().fold(f64::INFINITY, f64::min))
    }
}

fn run(out: &Path, progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let (scene, creams) = pour(progress);
    let base = out.join(SPEC.name);
    let [svg, png] = save(&figure(&creams), &base)?;
    let mut curves = Vec::new();
    for cream in &creams {
        let name = &cream.material.name;
        curves.push((format!("{name}_turns"), cream.poured.curve(|s| s.coil.turns)));
        curves.push((format!("{name}_radius"), cream.poured.curve(|s| s.coil.radius)));
        curves.push((format!("{name}_height"), cream.poured.curve(|s| s.coil.height)));
    }
    let csv = table::write_curves(out.join(format!("{}.csv", SPEC.name)), &curves)?;
    let pictures = out.join(format!("{}-particles.png", SPEC.name));
    save_png(&draw::picture(&scene, &creams)?, &pictures)?;
    Ok(FigureReport {
        files: vec![csv, svg, png.clone(), pictures.clone()],
        pictures: vec![
            (pictures, "Both creams after the nozzles have closed.".into()),
            (png, "Turns of the creams about their nozzles, and height of what has settled.".into()),
        ],
        statements: statements(&creams),
        remarks: vec![
            "The creams of the built-in scene `waffle`, each poured alone by the method `coupled`, with a spacing \
             of 1.3 mm and Δt = 1/120 s: density 500 kg/m³, τ = 0.1 s, nozzles with a star of six points of 5 mm \
             radius, 0.18 m/s, 80 mm above the ground, that move along the waffle at 16 mm/s. Turns are those of \
             the rope seen from the nozzle's place when it left the mouth; the first 1.5 do not count. They are \
             uneven by the median distance from an even turning. The width across the nozzle's way holds 95 % of the \
             particles, for the thick cream also those of its first loop and of its end, which lie apart; the \
             height is twice that of their centre above the lowest. The waffles of the pictures are drawn as \
             particles, too; in the runs they are meshes."
                .into(),
        ],
    })
}

/// Pours the creams, each alone.
fn pour(progress: &mut Progress<'_>) -> (Scene, Vec<Cream>) {
    let builtin = BuiltinScene::find(SCENE).expect("a built-in scene");
    let changes = CHANGES.map(|text| Override::parse(text).expect("a change"));
    let scene = builtin.scene(&changes).expect("a built-in scene is valid");
    let pours: Vec<Pour> = (0..scene.emitter.len())
        .map(|k| Pour { name: format!("{} cream", scene.emitter[k].material), scene: alone(&scene, k) })
        .collect();
    let poured = run_all(&pours, progress);
    let creams = scene.emitter.iter().zip(poured).map(|(emitter, poured)| {
        let material = scene.material.iter().find(|m| m.name == emitter.material).expect("a checked scene");
        // The nozzle moves from one side of the middle to the other.
        let middle = emitter.position[0] + 0.02;
        Cream { material: material.clone(), poured, middle }
    });
    let creams = creams.collect();
    (scene, creams)
}

fn statements(creams: &[Cream]) -> Vec<Statement> {
    let [runny, thick] = creams else { unreachable!("two creams") };
    let uneven = |cream: &Cream| cream.poured.unevenness().unwrap_or(f64::NAN);
    let mut found = vec![
        Statement::below(
            "thick: unevenness of its turning over that of the runny cream",
            (uneven(thick) / uneven(runny), ""),
            1.0,
        ),
        Statement::above(
            "thick: height over that of the runny cream",
            (thick.height() / runny.height(), ""),
            1.0,
        ),
    ];
    for cream in creams {
        let name = cream.label();
        if let Some(why) = &cream.poured.failure {
            found.push(Statement::failed(format!("{name}: ended early"), why));
        }
        let size =
            format!("width {} mm, height {} mm", digits(1e3 * cream.width()), digits(1e3 * cream.height()));
        let coils = match cream.poured.steady() {
            Some(s) => {
                let scatter = s.frequency.1.map_or(String::new(), |d| format!(" ± {}", digits(d)));
                let (frequency, radius) = (digits(s.frequency.0), digits(1e3 * s.radius.0));
                format!(
                    "{frequency}{scatter} turns/s, uneven by {} turns, radius {radius} mm",
                    digits(uneven(cream))
                )
            }
            None => "it does not coil steadily".into(),
        };
        found.push(Statement::note(name, format!("{coils}; {size}")));
    }
    found
}

fn figure(creams: &[Cream]) -> Figure {
    let panel = |title: &str, y: &str, value: fn(&super::pours::Sample) -> f64| Plot {
        title: title.into(),
        x_label: "time (s)".into(),
        y_label: y.into(),
        series: creams
            .iter()
            .zip(INKS)
            .map(|(cream, ink)| Series {
                name: cream.label(),
                points: cream.poured.curve(value),
                style: Style::Line,
                color: Some(ink),
            })
            .collect(),
        ..Plot::default()
    };
    Figure {
        title: "Cream from a moving nozzle".into(),
        panels: vec![
            panel("Turns about the nozzle", "turns", |s| s.coil.turns.abs()),
            panel("Height of what has settled", "height (mm)", |s| 1e3 * s.coil.height),
        ],
        columns: 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use visco::Frame;
    use visco::glam::Vec3;

    #[test]
    fn a_block_has_its_width_and_its_height() {
        let at =
            |k: usize| Vec3::new(0.0, 0.01 + 0.0004 * (k / 101) as f32, 0.0001 * (k % 101) as f32 - 0.005);
        let frame = Frame { positions: (0..101 * 51).map(at).collect(), ..Frame::default() };
        let poured = Poured { frame, ..Poured::default() };
        let scene = BuiltinScene::find(SCENE).unwrap().scene(&[]).unwrap();
        let cream = Cream { material: scene.material[0].clone(), poured, middle: 0.0 };
        assert!((cream.width() - 0.0095).abs() < 2e-4, "{}", cream.width());
        assert!((cream.height() - 0.02).abs() < 1e-4, "{}", cream.height());
        assert_eq!(cream.poured.unevenness(), None);
    }

    #[test]
    fn the_scene_pours_a_runny_and_a_thick_cream_over_the_middle_of_the_waffles() {
        let scene = BuiltinScene::find("barreiro2017-fig09").unwrap().scene(&[]).unwrap();
        let names: Vec<&str> = scene.emitter.iter().map(|e| e.material.as_str()).collect();
        assert_eq!(names, ["runny", "thick"]);
        assert_eq!(draw::waffle(&scene, 0).map(|w| w.len() > 1000), Some(true));
        assert!(scene.emitter.iter().all(|e| e.motion.is_some()));
    }
}
