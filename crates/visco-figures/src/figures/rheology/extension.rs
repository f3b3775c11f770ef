//! Bars: stretched to twice their length, and hanging.

use super::{
    COUPLED, Case, Columns, DCPBD, METHODS, Section, Variant, largest, limit, listed, pale, percent, run_all,
    theory,
};
use crate::experiments::{Bar, BarSample, Load};
use crate::figures::{Progress, Statement, report::digits, table::rounded};
use crate::plot::PALETTE;
use crate::{Plot, Series, Style};
use visco::scene::Method;

/// Rate of stretching, in 1/s.
const RATE: f64 = 0.5;
/// Viscosity, in Pa·s.
const VISCOSITY: f64 = 5000.0;
/// Length at the end over that at the start.
const STRETCH: f64 = 2.0;
/// What is allowed of the axial stress, of the volume and of a weight.
const ALLOWED: [f64; 3] = [0.05, 0.02, 0.05];
/// Without control the stress must fall below this many η ε̇: the bar tears.
const TORN: f64 = 2.0;
/// How volumes are told.
const VOLUME: &str = "volume over that after the first step";
/// Disorder of the particles, in spacings.
const JITTER: f64 = 0.15;

const WITHOUT_CONTROL: Variant = Variant {
    name: "coupled, control off",
    column: "coupled_control_off",
    method: Method::Coupled,
    settings: &["method=coupled", "solver.control=false"],
    color: PALETTE[3],
};

/// A bar to stretch.
struct Stretched {
    variant: Variant,
    /// What is special of it.
    name: &'static str,
    column: &'static str,
    bar: fn() -> Bar,
    /// Whether it is drawn, and pale.
    drawn: Option<bool>,
}

fn lattice() -> Bar {
    Bar::default().of_viscosity(VISCOSITY)
}

fn jittered() -> Bar {
    Bar { jitter: JITTER, ..lattice() }
}

/// Axial stress over η ε̇.
fn trouton(sample: &BarSample) -> f64 {
    sample.stress / (VISCOSITY * RATE)
}

const BARS: [Stretched; 9] = [
    Stretched { variant: COUPLED, name: "", column: "", bar: jittered, drawn: Some(false) },
    Stretched { variant: COUPLED, name: ", lattice", column: "_lattice", bar: lattice, drawn: Some(true) },
    Stretched { variant: WITHOUT_CONTROL, name: "", column: "", bar: jittered, drawn: Some(false) },
    Stretched { variant: DCPBD, name: "", column: "", bar: jittered, drawn: Some(false) },
    Stretched { variant: DCPBD, name: ", lattice", column: "_lattice", bar: lattice, drawn: Some(true) },
    Stretched {
        variant: COUPLED,
        name: ", Δt = 5 ms",
        column: "_5ms",
        bar: || Bar { dt: 0.005, ..jittered() },
        drawn: None,
    },
    Stretched {
        variant: COUPLED,
        name: ", Δt = 20 ms",
        column: "_20ms",
        bar: || Bar { dt: 0.02, ..jittered() },
        drawn: None,
    },
    Stretched {
        variant: COUPLED,
        name: ", tolerance 10⁻³",
        column: "_tolerance",
        bar: || Bar { tolerance: 1e-3, ..jittered() },
        drawn: None,
    },
    Stretched {
        variant: COUPLED,
        name: ", 12 × 36 × 12",
        column: "_36",
        bar: || Bar { count: 36, across: 12, ..jittered() },
        drawn: None,
    },
];

/// What came of a bar: its course, and why it ended early if it did.
struct Course {
    samples: Vec<BarSample>,
    failure: Option<String>,
}

impl Course {
    /// Volume over that after the first step, in which jittered particles settle.
    fn volume(&self, sample: &BarSample) -> f64 {
        sample.volume / self.settled()
    }

    fn settled(&self) -> f64 {
        self.samples.first().map_or(1.0, |s| s.volume)
    }
}

/// A quantity of a stretched bar.
type Quantity = fn(&Course, &BarSample) -> f64;

enum Outcome {
    Stretched(Course),
    Hung(Result<Vec<Load>, String>),
}

impl Stretched {
    fn title(&self) -> String {
        format!("{}{}", self.variant.name, self.name)
    }

    fn case(&self) -> Case<'static, Outcome> {
        let bar = Bar { overrides: self.variant.overrides(), ..(self.bar)() };
        // Without control the solve takes several times as long.
        let slow = if self.variant.settings.len() > 1 { 4.0 } else { 1.0 };
        let run = move || match bar.stretch(RATE, STRETCH) {
            Ok((samples, failure)) => Course { samples, failure: failure.map(|e| e.to_string()) },
            Err(why) => Course { samples: vec![], failure: Some(why.to_string()) },
        };
        Case {
            name: format!("stretched bar, {}", self.title()),
            work: (self.bar)().particles() / (self.bar)().dt * self.variant.cost() * slow,
            run: Box::new(move || Outcome::Stretched(run())),
        }
    }
}

fn hanging(variant: &Variant) -> Case<'static, Outcome> {
    let bar = Bar { overrides: variant.overrides(), ..Bar::default() }.of_viscosity(1e4);
    Case {
        name: format!("hanging bar, {}", variant.name),
        work: 0.2 * bar.particles() / bar.dt,
        run: Box::new(move || Outcome::Hung(bar.hang().map_err(|e| e.to_string()))),
    }
}

pub(super) fn section(progress: &mut Progress<'_>) -> Section {
    let cases: Vec<Case<'_, Outcome>> =
        BARS.iter().map(Stretched::case).chain(METHODS.iter().map(hanging)).collect();
    let (mut courses, mut hung) = (Vec::new(), Vec::new());
    for outcome in run_all(&cases, progress) {
        match outcome {
            Outcome::Stretched(course) => courses.push(course),
            Outcome::Hung(loads) => hung.push(loads),
        }
    }
    let mut statements: Vec<Statement> =
        BARS.iter().zip(&courses).flat_map(|(bar, course)| statements(bar, course)).collect();
    statements.extend(METHODS.iter().zip(&hung).map(|(v, loads)| weight(v, loads)));
    Section {
        statements,
        panels: vec![
            stretch_panel(
                &courses,
                ("Stretched bar: axial stress", "axial stress / (η ε̇)"),
                (3.0, ALLOWED[0], |_, s| trouton(s)),
                (0.0, 3.6),
            ),
            stretch_panel(
                &courses,
                ("Stretched bar: volume", "section × length / that after a step"),
                (1.0, ALLOWED[1], Course::volume),
                (0.95, 1.35),
            ),
            hanging_panel(&hung),
        ],
        table: table(&courses, &hung),
        remark: "**Bars.** A bar of 8 × 24 × 8 particles, 0.24 m long, η = 5000 Pa·s, particles jittered by 0.15 d unless it \
                 is said to be a lattice, Δt = 10 ms, tolerance 10⁻⁵, no gravity. Its ends are held along the axis only and \
                 stretched with 0.5/s. The axial stress is σ_yy − ½(σ_xx + σ_zz), the volume the section (mean square \
                 distance from the axis) times the length, both of the particles that were in the middle third; the table has \
                 it over that at the start, before jittered particles settle in the first step. The \
                 hanging bar (η = 10⁴ Pa·s, a lattice, after 0.2 s) is held at its upper end. A lattice that is stretched along an \
                 axis has its layers drawn apart until they lose each other: fluid that is to be stretched wants \
                 `jitter`, or `packing = \"relaxed\"`. `dcpbd` gains volume where its density only pushes.",
    }
}

fn statements(bar: &Stretched, course: &Course) -> Vec<Statement> {
    let about = format!("bar stretched to twice its length, {}", bar.title());
    let mut list = Vec::new();
    if let Some(why) = &course.failure {
        list.push(Statement::failed(format!("{about}: ended early"), why));
    }
    let Some(end) = course.samples.last() else { return list };
    if bar.drawn == Some(false) {
        let text = format!("bar stretched, {}: volume gained in the first step, by settling", bar.title());
        list.push(Statement::note(text, percent(course.settled() - 1.0)));
    }
    let stress = format!("{about}: axial stress");
    if bar.variant.column == WITHOUT_CONTROL.column {
        list.push(Statement::below(format!("{stress} (it must tear)"), (trouton(end), " η ε̇"), TORN));
        list.push(Statement::note(format!("{about}: {VOLUME}"), digits(course.volume(end))));
    } else {
        list.push(Statement::within(stress, (trouton(end), " η ε̇"), (3.0, ALLOWED[0])));
        let volume = (course.volume(end), "");
        list.push(Statement::within(format!("{about}: {VOLUME}"), volume, (1.0, ALLOWED[1])));
    }
    list
}

fn load_error(load: &Load) -> f64 {
    (load.measured / load.theory - 1.0).abs()
}

fn weight(variant: &Variant, loads: &Result<Vec<Load>, String>) -> Statement {
    let text = format!("hanging bar, {}: axial stress over the weight below", variant.name);
    let loads = match loads {
        Ok(loads) => loads,
        Err(why) => return Statement::failed(text, why),
    };
    let worst = loads.iter().max_by(|a, b| load_error(a).total_cmp(&load_error(b)));
    let worst = worst.copied().unwrap_or_default();
    let text = format!("{text}, worst {:.0} mm above its end", 1e3 * worst.below);
    Statement::within(text, (worst.measured / worst.theory, ""), (1.0, ALLOWED[2]))
}

fn stretch_panel(
    courses: &[Course],
    (title, label): (&str, &str),
    (exact, allowed, value): (f64, f64, Quantity),
    range: (f64, f64),
) -> Plot {
    let across = |y: f64| vec![(1.0, y), (STRETCH, y)];
    let mut series = vec![
        limit(across(exact * (1.0 - allowed))),
        limit(across(exact * (1.0 + allowed))),
        theory("theory", across(exact)),
    ];
    let mut ends = Vec::new();
    for (bar, course) in BARS.iter().zip(courses) {
        let Some(faint) = bar.drawn else { continue };
        series.push(Series {
            name: bar.title(),
            points: course.samples.iter().map(|s| (s.stretch, value(course, s))).collect(),
            style: Style::Line,
            color: Some(if faint { pale(bar.variant.color) } else { bar.variant.color }),
        });
        let end = course.samples.last().map_or(f64::NAN, |s| value(course, s));
        ends.push(format!("{} {}", bar.title(), digits(end)));
    }
    Plot {
        title: title.into(),
        x_label: "stretch".into(),
        y_label: label.into(),
        series,
        x_range: Some((1.0, STRETCH)),
        y_range: Some(range),
        notes: vec![format!("At stretch {STRETCH}: {}.", ends.join("; "))],
        ..Plot::default()
    }
}

fn hanging_panel(hung: &[Result<Vec<Load>, String>]) -> Plot {
    let length = 0.22;
    let mut series = vec![theory("ρ g × length below", vec![(0.0, 0.0), (1e3 * length, 9810.0 * length)])];
    for (which, (variant, loads)) in METHODS.iter().zip(hung).enumerate() {
        // Sections take turns, so that no method hides another.
        let drawn = loads.iter().flatten().skip(which).step_by(METHODS.len());
        series.push(Series {
            name: variant.name.into(),
            points: drawn.map(|l| (1e3 * l.below, l.measured)).collect(),
            style: Style::Markers,
            color: Some(variant.color),
        });
    }
    let error = |loads: &Result<Vec<Load>, String>| match loads {
        Ok(loads) => largest(loads.iter().map(load_error)),
        Err(_) => f64::NAN,
    };
    let worst = METHODS.iter().zip(hung).map(|(v, loads)| (v.name, error(loads)));
    Plot {
        title: "Hanging bar: weight".into(),
        x_label: "length below (mm)".into(),
        y_label: "axial stress (Pa)".into(),
        series,
        x_range: Some((0.0, 1e3 * length)),
        y_range: Some((0.0, 9810.0 * length)),
        notes: vec![format!("Largest error: {}.", listed(worst))],
        ..Plot::default()
    }
}

fn table(courses: &[Course], hung: &[Result<Vec<Load>, String>]) -> Columns {
    let mut columns = Columns::new();
    let mut add = |name: String, values: &mut dyn Iterator<Item = f64>| {
        columns.push((name, values.map(rounded).collect()));
    };
    for (bar, Course { samples, .. }) in BARS.iter().zip(courses) {
        let name = |what: &str| format!("{}{}_{what}", bar.variant.column, bar.column);
        add(name("stretch"), &mut samples.iter().map(|s| s.stretch));
        add(name("trouton"), &mut samples.iter().map(trouton));
        add(name("volume"), &mut samples.iter().map(|s| s.volume));
    }
    for (variant, loads) in METHODS.iter().zip(hung) {
        let name = |what: &str| format!("{}_hanging_{what}", variant.column);
        let loads = loads.as_deref().unwrap_or_default();
        add(name("below"), &mut loads.iter().map(|l| l.below));
        add(name("stress"), &mut loads.iter().map(|l| l.measured));
        add(name("weight"), &mut loads.iter().map(|l| l.theory));
    }
    columns
}
