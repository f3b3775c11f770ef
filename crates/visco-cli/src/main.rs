//! The `visco` program: runs scenes, checks them, and tells about what was written.
//!
//! Raw arguments are in [`args`]; every command is a module with a function that takes them.

mod args;
mod check;
mod compare;
mod console;
mod convert;
mod figure;
mod gaps;
mod info;
mod interrupt;
mod measure;
mod memory;
mod mesh;
mod progress;
mod render;
mod run;
mod scenes;
mod sequence;
mod source;
mod text;

use args::{Args, Command};
use clap::Parser;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = |()| ExitCode::SUCCESS;
    let result = match Args::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::check(&args).map(done),
        Command::Scenes(args) => scenes::scenes(&args).map(done),
        Command::Materials => scenes::materials().map(done),
        Command::Schema => scenes::schema().map(done),
        Command::Info(args) => info::info(&args).map(done),
        Command::Convert(args) => convert::convert(&args),
        Command::Figure(args) => figure::figure(&args).map(done),
        Command::Compare(args) => compare::compare(&args),
        Command::Measure(command) => measure::measure(&command).map(done),
        Command::Render(args) => render::render(&args),
        Command::Mesh(args) => mesh::mesh(&args),
    };
    match result {
        Ok(code) => code,
        // The reader has seen enough, as in `visco scenes | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            console::tell(format_args!("error: {}", console::reason(&error)));
            ExitCode::from(console::exit_code(&error))
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
