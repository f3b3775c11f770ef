//! `visco measure`: what an instrument would say of a material, and what the frames of a run say.

mod of_run;

use crate::args::{MeasureCommand, RheometerArgs};
use crate::console::{self, Usage};
use crate::progress::Progress;
use crate::{source, text};
use anyhow::Result;
use std::path::PathBuf;
use std::time::Instant;
use visco::material::{PRESETS, Preset};
use visco::scene::{Material, Override, Solver};
use visco_figures::experiments::rheometer::{
    Quantity, ReportError, RheometerError, RheometerReport, Theory, measure as rheometer,
};

use visco_figures::runs::What;

/// Measures what is asked for.
pub(crate) fn measure(command: &MeasureCommand) -> Result<()> {
    match command {
        MeasureCommand::Rheometer(args) => run_rheometer(args),
        MeasureCommand::Coiling(args) => of_run::measure(What::Coiling, args),
        MeasureCommand::Volume(args) => of_run::measure(What::Volume, args),
        MeasureCommand::Spread(args) => of_run::measure(What::Spread, args),
        MeasureCommand::Pull(args) => of_run::measure(What::Pull, args),
    }
}

/// Runs the instrument.
fn run_rheometer(args: &RheometerArgs) -> Result<()> {
    let material = material(&args.material)?;
    let parse = |text: &String| Override::parse(text).map_err(|e| Usage(format!("--set {text}: {e}")));
    let overrides = args.set.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    let out = folder(args, &material);
    if out.exists() && !out.is_dir() {
        let message = "is a file; plots and tables need a folder, choose another with -o";
        return Err(Usage(format!("{} {message}", out.display())).into());
    }
    let start = Instant::now();
    let mut progress = Progress::new("rheometer", args.quiet);
    let report = rheometer(&material, &overrides, &out, &mut |part, what| progress.tell(part, what));
    drop(progress);
    let report = report.map_err(|error| match error {
        ReportError::Rheometer(e @ (RheometerError::NoViscosity(_) | RheometerError::Scene(_))) => {
            anyhow::Error::from(Usage(e.to_string()))
        }
        other => other.into(),
    })?;
    if !args.quiet {
        console::print(heading(&material.name, &report))?;
        console::print(table(&report.quantities))?;
        let (files, seconds) = (text::counted(report.files.len() as u64, "file"), start.elapsed());
        let took = text::duration(seconds.as_secs_f64());
        console::print(format_args!("{files} written to {}, {took}", out.display()))?;
    }
    Ok(())
}

fn folder(args: &RheometerArgs, material: &Material) -> PathBuf {
    args.out.clone().unwrap_or_else(|| {
        let safe = |c: char| if c.is_alphanumeric() || "-_ ".contains(c) { c } else { '-' };
        let name: String = material.name.chars().map(safe).collect();
        PathBuf::from("out").join(format!("rheometer-{name}"))
    })
}

/// The material that the user means: a preset, or `SCENE:NAME`.
fn material(spec: &str) -> Result<Material> {
    if let Some(preset) = Preset::find(spec) {
        return Ok(Material { preset: Some(preset.name.into()), ..Material::named(preset.name) });
    }
    let Some((scene, name)) = spec.rsplit_once(':') else {
        let presets: Vec<&str> = PRESETS.iter().map(|p| p.name).collect();
        let message = format!(
            "there is no preset {spec:?}; give one of {}, or SCENE:NAME for a material of a scene",
            presets.join(", ")
        );
        return Err(Usage(message).into());
    };
    let materials = source::load(scene, &[])?.scene.material;
    let names: Vec<String> = materials.iter().map(|m| m.name.clone()).collect();
    materials
        .into_iter()
        .find(|m| m.name == name)
        .ok_or_else(|| Usage(format!("{scene} has no material {name:?}; it has {}", names.join(", "))).into())
}

/// The material as rheology knows it, and the method that was measured.
fn heading(name: &str, report: &RheometerReport) -> String {
    let Theory { solvent_viscosity, relaxation_time, density, .. } = report.theory;
    let eta = text::short(report.theory.viscosity());
    let polymer = match relaxation_time {
        0.0 => "Newtonian".into(),
        _ => format!("η_s = {} Pa·s, λ = {} s", text::short(solvent_viscosity), text::short(relaxation_time)),
    };
    let method = Solver::of(report.method).name();
    format!("{name}: η = {eta} Pa·s, {polymer}, ρ = {} kg/m³; method {method}\n", text::short(density))
}

/// Quantity, measured, theory, error, in columns.
fn table(quantities: &[Quantity]) -> String {
    let width = quantities.iter().map(|q| wide(&q.name)).max().unwrap_or(0);
    let padded = |name: &str| format!("{name}{}", " ".repeat(width - wide(name)));
    let line = |q: &Quantity| {
        let mark = if q.theory == 0.0 { "*" } else { "" };
        let error = format!("{}{mark}", percent(q.error()));
        let (measured, theory) = (text::short(q.measured), text::short(q.theory));
        format!("{}  {measured:>10}  {theory:>10}  {:4}  {error:>8}", padded(&q.name), q.unit)
    };
    let head =
        format!("{}  {:>10}  {:>10}  {:4}  {:>8}", padded("quantity"), "measured", "theory", "unit", "error");
    let note = "* of the shear stress, or of G″, beside it: theory is 0";
    let note = quantities.iter().any(|q| q.theory == 0.0).then(|| note.to_owned());
    std::iter::once(head).chain(quantities.iter().map(line)).chain(note).collect::<Vec<_>>().join("\n")
}

/// Columns that a text takes: the dot of γ̇ and ε̇ takes none.
fn wide(text: &str) -> usize {
    text.chars().filter(|c| *c != '\u{307}').count()
}

/// A part as percent with its sign, unless it is none.
fn percent(part: f64) -> String {
    let text = format!("{:+.1} %", 100.0 * part);
    if text[1..] == *"0.0 %" { "0.0 %".into() } else { text }
}
