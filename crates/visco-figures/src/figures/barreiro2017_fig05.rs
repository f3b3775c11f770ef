//! Fig. 5 of Barreiro et al. 2017: ropes of different materials coil.

use std::path::Path;

use super::pours::{Pour, Poured, Sample, alone};
use super::report::digits;
use super::{FigureReport, FigureSpec, Making, Progress, Statement, table};
use crate::runner::run_all;
use crate::{FigureError, save, save_png};
use visco::scene::{BuiltinScene, Emitter, Material, Override};

mod draw;

pub(super) const SPEC: FigureSpec = FigureSpec {
    name: "barreiro2017-fig05",
    title: "ropes of different materials coil",
    source: "Barreiro et al. 2017, Fig. 5",
    claim: "The paper (section 5.2, Fig. 5) pours ropes of one model and changes one parameter in each of two rows: \
            the compliance α at a relaxation time of τ = 0.15 s, and τ at α = 0. It shows pictures without numbers: the \
            less compliant a rope is, the more viscous, and the more distinct its coils; the longer τ, the more elastic.",
    run: Making::Fixed(run),
};

/// The built-in scene that has the ropes, the row of viscosities first.
const SCENE: &str = "coiling";
/// What is changed to have eight ropes in a few minutes.
const CHANGES: [&str; 2] = ["spacing=0.0015", "time.steps_per_frame=4"];
/// Ropes in a row.
const ROW: usize = 4;
/// The rope without elasticity, to which the slender rope can be compared.
const VISCOUS: usize = ROW;
/// Fall in m, turns a second and radius in m of the slender viscous rope with the values of [`VISCOUS`]: the steady
/// boundary-value problem of Ribe 2004 with weight and inertia.
const SLENDER: [(f64, f64, f64); 7] = [
    (0.030, 2.60, 0.0069),
    (0.035, 2.40, 0.0082),
    (0.040, 2.21, 0.0094),
    (0.045, 2.04, 0.0106),
    (0.050, 1.90, 0.0116),
    (0.055, 1.79, 0.0126),
    (0.060, 1.69, 0.0136),
];

/// A rope that was poured.
struct Rope {
    material: Material,
    emitter: Emitter,
    poured: Poured,
}

impl Rope {
    /// The value that changes along its row.
    fn label(&self, k: usize) -> String {
        if k < ROW {
            format!("η = {} Pa·s", self.material.viscosity.unwrap_or(0.0))
        } else {
            format!("τ = {} s", self.tau())
        }
    }

    fn tau(&self) -> f64 {
        self.material.relaxation_time.unwrap_or(0.0)
    }

    fn end(&self) -> Sample {
        self.poured.samples.last().copied().unwrap_or_default()
    }

    /// Mean height of the fall onto the pile, once the rope coils steadily, in m.
    fn fall(&self) -> Option<f64> {
        let start = self.poured.steady()?.start;
        Some(self.emitter.position[1] - self.poured.mean(start, |s| s.coil.height))
    }
}

fn run(out: &Path, progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let ropes = pour(progress);
    let base = out.join(SPEC.name);
    let [svg, png] = save(&draw::figure(&ropes), &base)?;
    let mut curves = Vec::new();
    for rope in &ropes {
        let name = &rope.material.name;
        curves.push((format!("{name}_turns"), rope.poured.curve(|s| s.coil.turns)));
        curves.push((format!("{name}_radius"), rope.poured.curve(|s| s.coil.radius)));
        curves.push((format!("{name}_height"), rope.poured.curve(|s| s.coil.height)));
    }
    let csv = table::write_curves(out.join(format!("{}.csv", SPEC.name)), &curves)?;
    let pictures = out.join(format!("{}-particles.png", SPEC.name));
    save_png(&draw::picture(&ropes)?, &pictures)?;
    Ok(FigureReport {
        files: vec![csv, svg, png.clone(), pictures.clone()],
        pictures: vec![
            (
                pictures,
                "The ropes at the end. Above: the viscosity changes; below: the relaxation time.".into(),
            ),
            (png, "Turns of the settled rope, and height of the pile.".into()),
        ],
        statements: statements(&ropes),
        remarks: remarks(),
    })
}

/// Pours the ropes of the scene, each alone.
fn pour(progress: &mut Progress<'_>) -> Vec<Rope> {
    let builtin = BuiltinScene::find(SCENE).expect("a built-in scene");
    let changes = CHANGES.map(|text| Override::parse(text).expect("a change"));
    let scene = builtin.scene(&changes).expect("a built-in scene is valid");
    let pours: Vec<Pour> = (0..scene.emitter.len())
        .map(|k| Pour { name: scene.emitter[k].material.clone(), scene: alone(&scene, k) })
        .collect();
    let poured = run_all(&pours, progress);
    let rope = |(emitter, poured): (&Emitter, Poured)| {
        let material = scene.material.iter().find(|m| m.name == emitter.material).expect("a checked scene");
        Rope { material: material.clone(), emitter: emitter.clone(), poured }
    };
    scene.emitter.iter().zip(poured).map(rope).collect()
}

/// Turns a second and radius of the slender rope at a height of fall, on lines between the points of [`SLENDER`].
fn slender(fall: f64) -> Option<(f64, f64)> {
    let pair = SLENDER.windows(2).find(|w| w[0].0 <= fall && fall <= w[1].0)?;
    let part = (fall - pair[0].0) / (pair[1].0 - pair[0].0);
    let between = |a: f64, b: f64| a + part * (b - a);
    Some((between(pair[0].1, pair[1].1), between(pair[0].2, pair[1].2)))
}

fn statements(ropes: &[Rope]) -> Vec<Statement> {
    let mut found = Vec::new();
    if let Some(fall) = ropes[VISCOUS].fall() {
        let name = format!("{}, a fall of {} mm", ropes[VISCOUS].label(VISCOUS), digits(1e3 * fall));
        if let (Some(steady), Some((frequency, radius))) = (ropes[VISCOUS].poured.steady(), slender(fall)) {
            let rounded = |v: f64| (100.0 * v).round() / 100.0;
            let turns = (steady.frequency.0, " turns/s");
            found.push(Statement::within(format!("{name}: frequency"), turns, (rounded(frequency), 0.2)));
            let radius = format!(
                "{} mm; {} mm at this fall, {} mm at that of the first coils",
                digits(1e3 * steady.radius.0),
                digits(1e3 * radius),
                digits(1e3 * SLENDER[SLENDER.len() - 1].2)
            );
            let text = "radius over the whole pile; of the slender rope";
            found.push(Statement::note(format!("{}: {text}", ropes[VISCOUS].label(VISCOUS)), radius));
        }
    }
    let frequency = |k: usize| ropes[k].poured.steady().map_or(f64::NAN, |s| s.frequency.0);
    let height = |k: usize| ropes[k].end().coil.height;
    let (runny, thick, elastic) = (0, ROW - 1, 2 * ROW - 1);
    let ratio = |what: &str, of: &dyn Fn(usize) -> f64, (a, b): (usize, usize)| {
        let text = format!("{what}: {} over {}", ropes[a].label(a), ropes[b].label(b));
        (text, (of(a) / of(b), ""))
    };
    let (text, value) = ratio("frequency", &frequency, (runny, thick));
    found.push(Statement::above(text, value, 1.2));
    let (text, value) = ratio("height of the pile", &height, (runny, thick));
    found.push(Statement::below(text, value, 0.9));
    let (text, value) = ratio("frequency", &frequency, (elastic, VISCOUS));
    found.push(Statement::below(text, value, 0.9));
    let (text, value) = ratio("height of the pile", &height, (elastic, VISCOUS));
    found.push(Statement::below(text, value, 0.9));
    for (k, rope) in ropes.iter().enumerate() {
        let name = if k < ROW {
            format!("{}, τ = {} s", rope.label(k), rope.tau())
        } else {
            format!("{}, η = {} Pa·s", rope.label(k), rope.material.viscosity.unwrap_or(0.0))
        };
        if let Some(why) = &rope.poured.failure {
            found.push(Statement::failed(format!("{name}: ended early"), why));
        }
        found.push(Statement::note(name, summary(rope)));
    }
    found
}

/// Frequency and radius, if it coils, and the pile at the end.
fn summary(rope: &Rope) -> String {
    let end = rope.end();
    let pile = format!("pile {} mm high", digits(1e3 * end.coil.height));
    match rope.poured.steady() {
        Some(s) => {
            let scatter = s.frequency.1.map_or(String::new(), |d| format!(" ± {}", digits(d)));
            let (frequency, radius) = (digits(s.frequency.0), digits(1e3 * s.radius.0));
            format!("{frequency}{scatter} turns/s, radius {radius} mm; {pile}")
        }
        None => format!("{} turns, not steady; {pile}", digits(end.coil.turns.abs())),
    }
}

fn remarks() -> Vec<String> {
    vec![
        "The ropes of the built-in scene `coiling`, each poured alone by the method `coupled`: nozzle radius 4 mm, \
         0.15 m/s, 60 mm above a plate that does not slip, density 1400 kg/m³, spacing 1.5 mm, Δt = 1/120 s, 2.6 s. \
         The paper's compliance is not a property of the fluid, it acts as one over a viscosity that depends on \
         spacing and time step; here the viscosity itself is given, and α = 0 has become a high one. The nozzle \
         stands still, so that the fall gets lower while the pile grows; the first 1.5 turns do not count, but the \
         radius is that of all coils. The slender rope is the solution of Ribe's steady equations (2004) for a \
         viscous rope with weight and inertia at the mean fall; no such solution is known to us for the elastic ones."
            .into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_has_the_two_rows_of_the_paper() {
        let scene = BuiltinScene::find(SCENE).unwrap().scene(&[]).unwrap();
        assert_eq!((scene.material.len(), scene.emitter.len()), (2 * ROW, 2 * ROW));
        let (top, bottom) = scene.material.split_at(ROW);
        assert!(top.iter().all(|m| m.relaxation_time == Some(0.15)));
        assert!(top.windows(2).all(|w| w[0].viscosity < w[1].viscosity));
        assert!(bottom.iter().all(|m| m.viscosity == bottom[0].viscosity));
        assert!(bottom.windows(2).all(|w| w[0].relaxation_time < w[1].relaxation_time));
        assert_eq!(scene.material[VISCOUS].relaxation_time, Some(0.0));
        let particles = scene.estimate().particles;
        assert!((87_000..91_000).contains(&particles), "table 1 has 89k: {particles}");
    }

    #[test]
    fn the_slender_rope_is_interpolated() {
        let (frequency, radius) = slender(0.0475).unwrap();
        assert!((frequency - 1.97).abs() < 1e-9 && (radius - 0.0111).abs() < 1e-9);
        assert_eq!(slender(0.1), None);
    }
}
