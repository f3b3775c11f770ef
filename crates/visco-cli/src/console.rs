//! What the program says on standard output, and how it ends.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// A mistake of the user: a wrong argument, or a scene that does not pass the check. Exit code 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Exit code of a run that the user stopped.
pub(crate) const INTERRUPTED: u8 = 130;

/// Time between lines of progress where there is no terminal.
pub(crate) const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Gives a hidden bar its look and shows it on standard error.
pub(crate) fn show_bar(bar: &ProgressBar, length: u64) {
    bar.set_length(length);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {wide_msg}") {
        bar.set_style(style);
    }
    bar.set_draw_target(ProgressDrawTarget::stderr());
}

/// The exit code that belongs to an error.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Usage>() { 2 } else { 1 }
}

/// An error with its causes. A cause that is part of the text already is not told twice.
pub(crate) fn reason(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text += &format!(": {cause}");
        }
    }
    text
}

/// Prints to standard output; unlike `println!`, a reader that went away is an error, not a panic.
pub(crate) fn print(text: impl fmt::Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Prints to standard error; unlike with `eprintln!`, a reader that went away is no panic: the work goes on.
pub(crate) fn tell(text: impl fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Refuses a file in the place of a folder for several things.
pub(crate) fn check_folder(folder: &Path) -> Result<(), Usage> {
    if folder.exists() && !folder.is_dir() {
        return Err(Usage(format!("{} is a file, not a folder; choose another with -o", folder.display())));
    }
    Ok(())
}
