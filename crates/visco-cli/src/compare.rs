//! `visco compare`: one scene by several methods, side by side.

use crate::args::{CompareArgs, RunArgs, SceneArgs};
use crate::console::{self, Usage};
use crate::{interrupt, run, source, text};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use visco_figures::runs::{Comparison, Side, compare_runs};
use visco_io::{Format, RunFolder};

/// Characters of the methods' names that fit above the plots.
const LONGEST_TITLE: usize = 60;

/// A method, with settings of its own: `pbf:viscosity=lengths:iterations=20`.
struct Contender<'a> {
    method: &'a str,
    settings: Vec<&'a str>,
}

impl<'a> Contender<'a> {
    fn parse(text: &'a str) -> Self {
        let mut parts = text.split(':').map(str::trim);
        Self { method: parts.next().unwrap_or_default(), settings: parts.collect() }
    }

    /// As plots and tables have it.
    fn name(&self) -> String {
        std::iter::once(self.method).chain(self.settings.iter().copied()).collect::<Vec<_>>().join(", ")
    }

    /// The name of its folder.
    fn folder(&self) -> String {
        let safe = |c: char| if c.is_alphanumeric() || "_-=.".contains(c) { c } else { '-' };
        self.name().replace(", ", "-").chars().map(safe).collect()
    }

    /// What it changes in the scene.
    fn changes(&self, args: &CompareArgs) -> Vec<String> {
        let method = format!("method={}", self.method);
        let settings = self.settings.iter().map(|setting| format!("solver.{setting}"));
        args.scene.set.iter().cloned().chain([method]).chain(settings).collect()
    }
}

/// Runs the scene with every method, each into a folder of its own, then plots what came of them.
pub(crate) fn compare(args: &CompareArgs) -> Result<ExitCode> {
    let contenders: Vec<Contender> = args.methods.iter().map(|text| Contender::parse(text)).collect();
    let scene = check(args, &contenders)?;
    let out = args.out.clone().unwrap_or_else(|| run::default_folder(&format!("compare-{scene}")));
    console::check_folder(&out)?;
    let runs: Vec<RunArgs> = contenders.iter().map(|c| run_args(args, c, &out)).collect();
    run::prepare(args.threads)?;
    for (contender, run) in contenders.iter().zip(&runs) {
        run::check_output(run).map_err(|error| match error.downcast::<Usage>() {
            Ok(Usage(reason)) => Usage(format!("{}: {reason}", contender.name())).into(),
            Err(error) => error.context(contender.name()),
        })?;
    }
    let mut failed = Vec::new();
    for (contender, run) in contenders.iter().zip(&runs) {
        let name = contender.name();
        if !args.quiet {
            console::tell(format_args!("== {name}"));
        }
        // What one method cannot do, others can: the comparison shows how far each came.
        if let Err(error) = run::run_prepared(run) {
            console::tell(format_args!("error: {name}: {}", console::reason(&error)));
            failed.push(name);
        }
        if interrupt::requested() {
            return interrupted(args);
        }
    }
    let mut folders: Vec<(String, PathBuf)> =
        contenders.iter().map(|c| (c.name(), out.join(c.folder()))).collect();
    folders.retain(|(_, folder)| RunFolder::new(folder).existing_frames().is_ok_and(|f| !f.is_empty()));
    if folders.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    let comparison = compare_runs(&folders)?;
    let names: Vec<String> = contenders.iter().map(Contender::name).collect();
    let title = match names.join("; ") {
        long if long.chars().count() > LONGEST_TITLE => format!("{scene}, by {} methods", names.len()),
        names => format!("{scene}: {names}"),
    };
    let files = comparison.save(&title, &out)?;
    if !args.quiet {
        console::print(table(&comparison))?;
        let count = text::counted(files.len() as u64, "file");
        console::print(format_args!("{count} written, begin with {}", out.join("compare.png").display()))?;
    }
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    console::tell(format_args!("not to the end: {}", failed.join(", ")));
    Ok(ExitCode::FAILURE)
}

/// Refuses what cannot be compared, before anything is run. Returns the name of the scene.
fn check(args: &CompareArgs, contenders: &[Contender]) -> Result<String> {
    let distinct: BTreeSet<String> = contenders.iter().map(Contender::folder).collect();
    if distinct.len() < contenders.len() {
        return Err(Usage(format!("--methods {}: a method is named twice", args.methods.join(","))).into());
    }
    let sets_method = |set: &&String| set.split('=').next().is_some_and(|field| field.trim() == "method");
    if let Some(set) = args.scene.set.iter().find(sets_method) {
        return Err(Usage(format!("--set {set}: has no place beside --methods")).into());
    }
    let mut name = String::new();
    for contender in contenders {
        name = source::load(&args.scene.scene, &contender.changes(args))?.scene.name;
    }
    Ok(name)
}

fn run_args(args: &CompareArgs, contender: &Contender, out: &Path) -> RunArgs {
    RunArgs {
        scene: SceneArgs { scene: args.scene.scene.clone(), set: contender.changes(args) },
        out: Some(out.join(contender.folder())),
        format: vec![Format::Ply],
        frames: args.frames,
        threads: args.threads,
        resume: args.resume,
        allow_changes: args.allow_changes,
        preview: args.preview,
        quiet: args.quiet,
        part: true,
        ..RunArgs::default()
    }
}

fn interrupted(args: &CompareArgs) -> Result<ExitCode> {
    if !args.quiet {
        console::print(format_args!("interrupted; to go on: {}", again(args)))?;
    }
    Ok(ExitCode::from(console::INTERRUPTED))
}

/// The command that goes on with the comparison.
fn again(args: &CompareArgs) -> String {
    let mut words = ["visco", "compare", &args.scene.scene, "--methods", &args.methods.join(",")]
        .map(String::from)
        .to_vec();
    if let Some(out) = &args.out {
        words.extend(["-o".into(), out.display().to_string()]);
    }
    if let Some(frames) = args.frames {
        words.extend(["--frames".into(), frames.to_string()]);
    }
    if let Some(threads) = args.threads {
        words.extend(["--threads".into(), threads.to_string()]);
    }
    if args.preview {
        words.push("--preview".into());
    }
    for change in &args.scene.set {
        words.extend(["--set".into(), change.clone()]);
    }
    words.push("--resume".into());
    if args.allow_changes {
        words.push("--allow-changes".into());
    }
    words.iter().map(|word| run::again::quoted(word)).collect::<Vec<_>>().join(" ")
}

/// What each method came to at its end, a line a method.
fn table(comparison: &Comparison) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".into(), text::short);
    let row = |side: &Side| {
        let steps = Side::last(&side.steps).unwrap_or(0.0);
        let seconds = Side::last(&side.seconds).unwrap_or(0.0);
        [
            side.name.clone(),
            number(Side::last(&side.time)),
            number(Side::last(&side.drift)),
            number(side.volume.iter().copied().reduce(f64::min)),
            number(Side::last(&side.plain_volume)),
            number(Side::mean(&side.density_error).map(|e| 100.0 * e)),
            number(Side::last(&side.energy)),
            number(Side::mean(&side.iterations)),
            number((steps > 0.0).then(|| 1e3 * seconds / steps)),
            text::short(seconds),
        ]
    };
    let head = [
        "method",
        "time (s)",
        "drift (d)",
        "least volume",
        "Σ m/ρ at end",
        "density error (%)",
        "energy (J)",
        "iterations/step",
        "ms/step",
        "seconds",
    ];
    let rows: Vec<[String; 10]> =
        std::iter::once(head.map(String::from)).chain(comparison.sides.iter().map(row)).collect();
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &[String; 10]| {
        let rest: Vec<String> =
            row[1..].iter().zip(&widths[1..]).map(|(cell, w)| format!("{cell:>w$}")).collect();
        format!("{:w$}  {}", row[0], rest.join("  "), w = widths[0])
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
