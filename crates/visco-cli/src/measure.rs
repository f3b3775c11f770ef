//! `visco measure`: what an instrument would say of a material.

use crate::args::{MeasureCommand, RheometerArgs};
use crate::console::{self, Usage};
use crate::figure::Progress;
use crate::{source, text};
use anyhow::Result;
use std::path::PathBuf;
use std::time::Instant;
use visco::material::{PRESETS, Preset};
use visco::scene::{Material, Override};
use visco_figures::experiments::rheometer::{Quantity, ReportError, RheometerError, measure as rheometer};

/// Runs the instrument.
pub(crate) fn measure(command: &MeasureCommand) -> Result<()> {
    let MeasureCommand::Rheometer(args) = command;
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
    progress.end();
    let report = report.map_err(|error| match error {
        ReportError::Rheometer(e @ (RheometerError::NoViscosity(_) | RheometerError::Scene(_))) => {
            anyhow::Error::from(Usage(e.to_string()))
        }
        other => other.into(),
    })?;
    if !args.quiet {
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

/// Quantity, measured, theory, error, in columns.
fn table(quantities: &[Quantity]) -> String {
    let width = quantities.iter().map(|q| q.name.chars().count()).max().unwrap_or(0);
    let line = |q: &Quantity| {
        // Where theory says 0 there is nothing to be relative to.
        let error = match q.theory {
            0.0 => "–".into(),
            theory => format!("{:+.1} %", 100.0 * (q.measured / theory - 1.0)),
        };
        let (measured, theory) = (text::short(q.measured), text::short(q.theory));
        format!("{:width$}  {measured:>10}  {theory:>10}  {:4}  {error:>8}", q.name, q.unit)
    };
    let head =
        format!("{:width$}  {:>10}  {:>10}  {:4}  {:>8}", "quantity", "measured", "theory", "unit", "error");
    std::iter::once(head).chain(quantities.iter().map(line)).collect::<Vec<_>>().join("\n")
}
