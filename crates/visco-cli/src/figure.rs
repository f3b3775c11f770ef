//! `visco figure`: makes figures of the papers and of analytic rheology again.

use crate::args::FigureArgs;
use crate::console::{self, Usage};
use crate::progress::Progress;
use crate::{run, source, text};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::time::Instant;
use visco::scene::Override;
use visco_figures::FigureError;
use visco_figures::figures::{FIGURES, FigureReport, FigureSpec, Statement, find, make};

/// Lists the figures, or makes one or all of them.
pub(crate) fn figure(args: &FigureArgs) -> Result<()> {
    let chosen: Vec<&FigureSpec> = match &args.name {
        Some(name) => vec![choose(name)?],
        None if args.all => FIGURES.iter().collect(),
        None if args.set.is_empty() => return Ok(console::print(list())?),
        None => return Err(Usage("--set: name a figure, or ask for --all".into()).into()),
    };
    console::check_folder(&args.out)?;
    let changes = source::changes(&args.set)?;
    if changes.iter().any(|change| change.path == "method") {
        return Err(
            Usage("--set method: a figure has its own methods; `visco compare` takes others".into()).into()
        );
    }
    run::start_threads(args.threads)?;
    // A folder that cannot be made is told before hours of work; one that nothing was made in does not stay.
    let new: Vec<&Path> = args.out.ancestors().take_while(|folder| !folder.exists()).collect();
    fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let done = make_all(args, chosen, &changes);
    if done.is_err() {
        new.iter().all(|folder| fs::remove_dir(folder).is_ok());
    }
    done
}

fn make_all(args: &FigureArgs, mut chosen: Vec<&FigureSpec>, changes: &[Override]) -> Result<()> {
    if !changes.is_empty() {
        // What takes no such change is told by these at once, before others have taken their hours.
        chosen.sort_by_key(|figure| !figure.is_settable());
    }
    let settable = chosen.iter().filter(|figure| figure.is_settable()).count();
    let mut refused = Vec::new();
    for figure in chosen {
        let start = Instant::now();
        let mut progress = Progress::new(figure.name, args.quiet);
        // All of them together are made with what each takes.
        let changes: &[Override] = if args.all && !figure.is_settable() { &[] } else { changes };
        let report = make(figure, (&args.out, changes), &mut |part, what| progress.tell(part, what));
        drop(progress);
        let report = match report {
            // Others may take what this one has values of its own for.
            Err(FigureError::Scene(reason)) if args.all && refused.len() + 1 < settable => {
                console::tell(format_args!("{} is not made: {reason}", figure.name));
                refused.push(figure.name);
                continue;
            }
            report => report.map_err(told)?,
        };
        if !args.quiet {
            let seconds = start.elapsed().as_secs_f64();
            console::print(summary(figure, &report, (&args.out, seconds)))?;
        }
    }
    if !refused.is_empty() {
        return Err(Usage(format!("not made, as they do not take --set: {}", refused.join(", "))).into());
    }
    if args.all && !args.quiet {
        console::print(format_args!("All figures: {}", args.out.join("README.md").display()))?;
    }
    Ok(())
}

/// Settings that a figure does not take are wrong use, no failure.
fn told(error: FigureError) -> anyhow::Error {
    match error {
        FigureError::NotSettable(_) | FigureError::Scene(_) => Usage(error.to_string()).into(),
        _ => error.into(),
    }
}

fn choose(name: &str) -> Result<&'static FigureSpec, Usage> {
    match find(name)[..] {
        [figure] => Ok(figure),
        [] => Err(unknown(name)),
        ref several => {
            let names: Vec<&str> = several.iter().map(|f| f.name).collect();
            Err(Usage(format!("several figures begin with {name:?}: {}", names.join(", "))))
        }
    }
}

/// Says what the user may have meant.
fn unknown(name: &str) -> Usage {
    let likeness = |f: &&FigureSpec| strsim::jaro_winkler(f.name, name);
    let nearest = FIGURES.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let mut message = format!("there is no figure {name:?}");
    if let Some(figure) = nearest.filter(|f| likeness(f) > 0.75) {
        message += &format!("; did you mean {:?}?", figure.name);
    }
    Usage(format!("{message}\nfigures:\n{}", list()))
}

/// Name, place in the paper and title, a figure a line, in columns.
fn list() -> String {
    let width = |text: fn(&FigureSpec) -> &str| {
        let widths = FIGURES.iter().map(|f| text(f).chars().count());
        widths.max().unwrap_or(0)
    };
    let (names, sources) = (width(|f| f.name), width(|f| f.source));
    let line = |f: &FigureSpec| format!("{:names$}  {:sources$}  {}", f.name, f.source, f.title);
    FIGURES.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What was measured, and where the figure is.
fn summary(figure: &FigureSpec, report: &FigureReport, (out, seconds): (&Path, f64)) -> String {
    let width = report.statements.iter().map(|s| s.text.chars().count()).max().unwrap_or(0);
    let line = |s: &Statement| {
        let mark = match s.holds {
            Some(true) => "ok",
            Some(false) => "NO",
            None => "  ",
        };
        let expected =
            if s.expected.is_empty() { String::new() } else { format!("  (expected {})", s.expected) };
        format!("  {mark}  {:width$}  {}{expected}", s.text, s.measured)
    };
    let mut lines = vec![format!("{}: {}, {}", figure.name, figure.title, text::duration(seconds))];
    lines.extend(report.statements.iter().map(line));
    let (holds, all) = report.score();
    lines.push(format!("{holds} of {} hold", text::counted(all as u64, "expectation")));
    let page = out.join(format!("{}.md", figure.name));
    lines.push(format!(
        "{} written, begin with {}",
        text::counted(report.files.len() as u64, "file"),
        page.display()
    ));
    lines.join("\n")
}
