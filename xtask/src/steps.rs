//! The steps of `cargo xtask test`, in order, until one fails.

use std::env;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{blender, formats, setup};

/// How a check ended that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// It could not be made here, and why.
    NotRun(String),
}

/// A named check and how it ended, `None` if it failed; `None` before it ran.
struct Step {
    name: &'static str,
    run: Box<dyn Fn() -> Result<Outcome>>,
    ended: Option<(Option<Outcome>, Duration)>,
}

impl Step {
    fn new(name: &'static str, run: impl Fn() -> Result<()> + 'static) -> Self {
        Self::with_outcome(name, move || run().map(|()| Outcome::Done))
    }

    fn with_outcome(name: &'static str, run: impl Fn() -> Result<Outcome> + 'static) -> Self {
        Self { name, run: Box::new(run), ended: None }
    }
}

/// Runs every check, or without documentation and slow tests.
pub(crate) fn test(quick: bool) -> Result<()> {
    let mut steps = vec![
        Step::new("set-up", setup::prepare),
        Step::new("formatting", || {
            // rustfmt does not listen to cargo's choice of colour.
            let color = if in_ci() { "never" } else { "auto" };
            succeed(cargo().args(["fmt", "--all", "--check", "--", "--color", color]))
        }),
        Step::new("lints", || {
            succeed(cargo().args("clippy --workspace --all-targets -- -D warnings".split(' ')))
        }),
    ];
    if quick {
        steps.push(Step::new("tests (quick)", || {
            let arguments = "test --workspace --lib --bins --tests -- --skip slow::";
            succeed(cargo().args(arguments.split(' ')))
        }));
    } else {
        steps.push(Step::new("documentation", || {
            succeed(cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
        }));
        // All that fails is told at once.
        steps.push(Step::new("tests", || succeed(cargo().args(["test", "--workspace", "--no-fail-fast"]))));
        steps.push(Step::with_outcome("formats", formats::check));
        steps.push(Step::with_outcome("blender", blender::check));
    }
    run(&mut steps)
}

/// Runs only the check of formats.
pub(crate) fn formats() -> Result<()> {
    run(&mut [Step::with_outcome("formats", formats::check)])
}

/// Runs only the check in Blender.
pub(crate) fn blender() -> Result<()> {
    run(&mut [Step::with_outcome("blender", blender::check)])
}

/// Formats the code.
pub(crate) fn format() -> Result<()> {
    succeed(cargo().args(["fmt", "--all"]))
}

fn run(steps: &mut [Step]) -> Result<()> {
    let total = steps.len();
    let mut failure = None;
    for (i, step) in steps.iter_mut().enumerate() {
        println!("{}", bold(&format!("── {}/{total} {}", i + 1, step.name)));
        let start = Instant::now();
        let result = (step.run)();
        let time = start.elapsed();
        step.ended = Some((result.as_ref().ok().cloned(), time));
        println!("   {} took {}", step.name, seconds(time));
        if let Err(error) = result {
            failure = Some(error.context(format!("step `{}` failed", step.name)));
            break;
        }
    }
    println!("\n{}", summary(steps));
    for step in steps.iter() {
        if let Some((Some(Outcome::NotRun(reason)), _)) = &step.ended {
            println!("\n{} did not run here: {reason}", step.name);
        }
    }
    failure.map_or(Ok(()), Err)
}

fn summary(steps: &[Step]) -> String {
    let row = |step: &Step| {
        let (word, time) = match &step.ended {
            Some((Some(Outcome::Done), time)) => ("ok", seconds(*time)),
            Some((None, time)) => ("FAILED", seconds(*time)),
            Some((Some(Outcome::NotRun(_)), _)) | None => ("not run", String::new()),
        };
        format!("{:<16} {word:<8} {time:>9}", step.name)
    };
    let rows: Vec<String> = steps.iter().map(row).collect();
    rows.join("\n")
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// The cargo that runs us, in the root of the workspace, without colours in CI.
pub(crate) fn cargo() -> Command {
    let program = env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root());
    if in_ci() {
        command.env("CARGO_TERM_COLOR", "never");
    }
    command
}

pub(crate) fn root() -> PathBuf {
    // Cargo says where the sources are now; they may have moved since this program was built.
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    package.join("..")
}

pub(crate) fn in_ci() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

fn bold(text: &str) -> String {
    if std::io::stdout().is_terminal() && !in_ci() {
        format!("\x1b[1m{text}\x1b[0m")
    } else {
        text.to_string()
    }
}

/// Runs a command with its output passed straight through.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let program = Path::new(command.get_program());
    let words: Vec<_> = std::iter::once(program.file_stem().unwrap_or_default())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let line = words.join(" ");
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` ended with {status}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    #[test]
    fn the_first_failure_ends_the_run_and_is_named() {
        let mut steps = [
            Step::new("first", || Ok(())),
            Step::new("second", || bail!("a reason")),
            Step::new("third", || panic!("must not run")),
        ];
        let error = format!("{:#}", run(&mut steps).unwrap_err());
        assert_eq!(error, "step `second` failed: a reason");
        let table = summary(&steps);
        let words: Vec<&str> = table.lines().map(|l| &l[17..25]).collect();
        assert_eq!(words, ["ok      ", "FAILED  ", "not run "]);
    }

    #[test]
    fn a_check_that_cannot_be_made_is_told_and_does_not_end_the_run() {
        let mut steps = [
            Step::with_outcome("first", || Ok(Outcome::NotRun("no network".into()))),
            Step::new("second", || Ok(())),
        ];
        run(&mut steps).unwrap();
        let table = summary(&steps);
        let words: Vec<&str> = table.lines().map(|l| l[17..25].trim()).collect();
        assert_eq!(words, ["not run", "ok"]);
    }

    #[test]
    fn a_command_reports_how_it_ended() {
        let silent = |argument: &str| {
            let mut command = cargo();
            command.arg(argument);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            succeed(&mut command)
        };
        assert!(silent("--version").is_ok());
        let error = silent("no-such-subcommand").unwrap_err();
        assert!(error.to_string().contains("no-such-subcommand"), "{error}");
    }
}
