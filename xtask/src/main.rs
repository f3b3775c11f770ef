//! Developer tasks: `cargo xtask test` sets up what is missing and passes every check.

// A program for the terminal, unlike the libraries that these lints watch over.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::env;
use std::process::ExitCode;

use anyhow::Result;

mod blender;
mod formats;
mod gallery;
mod setup;
mod steps;

const HELP: &str = "\
Usage: cargo xtask TASK

Tasks:
  test           set up, then formatting, lints, documentation, every test, and what other software makes of frames
  test --quick   the same without documentation, doc tests, tests in modules called `slow` and other software
  formats        only frames opened by other software: OpenUSD, VTK and splashsurf, which it installs into target/
  blender        only a run brought into Blender, which it installs where it may
  gallery [NAME] pictures of the built-in scenes, or of one, to docs/gallery; takes a quarter of an hour
  fmt            format the code
  help           this text";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result: Result<()> = match words[..] {
        ["test"] => steps::test(false),
        ["test", "--quick"] => steps::test(true),
        ["formats"] => steps::formats(),
        ["blender"] => steps::blender(),
        ["gallery", ref names @ ..] => gallery::make(names),
        ["fmt"] => steps::format(),
        ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
