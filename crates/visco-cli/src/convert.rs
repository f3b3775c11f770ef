//! `visco convert`: frames from one format to others.

mod folder;

use crate::args::ConvertArgs;
use crate::console::{self, Usage};
use crate::{interrupt, text};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use visco_io::{Format, particles};

/// Converts a frame to a frame, or a folder to a folder.
pub(crate) fn convert(args: &ConvertArgs) -> Result<ExitCode> {
    let input = &args.input;
    // A write that is interrupted leaves nothing behind.
    interrupt::install()?;
    if input.is_dir() {
        return folder::convert(args);
    }
    if !input.is_file() {
        return Err(Usage(format!("{}: no such file or folder", input.display())).into());
    }
    file(args)?;
    Ok(ExitCode::SUCCESS)
}

fn file(args: &ConvertArgs) -> Result<()> {
    let output = &args.output;
    let refuse = |message: &str| Err(Usage(format!("{} {message}", output.display())).into());
    if output.is_dir() {
        return refuse("is a folder; give the name of the file to write");
    }
    if output.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz")) {
        return refuse("would be compressed: such files are read, not written");
    }
    let format = match (args.format.as_slice(), Format::of_path(output)) {
        ([], None) => return refuse("ends in none of .ply, .vtp, .bgeo, .usdc; end it so, or add --format"),
        ([], Some(format)) | (&[format], _) => format,
        _ => return refuse("is one file: give one format"),
    };
    if is_same(&args.input, output) {
        return refuse("is the file to convert; give another name");
    }
    let frame = particles::read(&args.input)?;
    create_folder(output.parent())?;
    particles::write(output, &frame, format)?;
    if !args.quiet {
        let bytes = fs::metadata(output).map_or(0, |m| m.len());
        let particles = text::counted(frame.len() as u64, "particle");
        console::print(format_args!("{}: {particles}, {}", output.display(), text::bytes(bytes)))?;
    }
    Ok(())
}

/// Whether both are the same file or folder, by whatever names.
fn is_same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| -> Option<PathBuf> { fs::canonicalize(path).ok() };
    real(a).is_some_and(|a| real(b) == Some(a))
}

fn create_folder(folder: Option<&Path>) -> Result<()> {
    match folder {
        Some(folder) if !folder.as_os_str().is_empty() => {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
        }
        _ => Ok(()),
    }
}
