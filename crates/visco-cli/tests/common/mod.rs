//! What the tests of the program share: a folder with a small scene, and the program run in it.
#![allow(dead_code, reason = "every test file uses its part")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Far more than is needed: a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// A small scene in real units: about a hundred particles over a floor.
pub(crate) const SCENE: &str = r#"
name = "drop"
spacing = 0.01

[time]
fps = 100
frames = 3
steps_per_frame = 2

[[material]]
name = "syrup"
viscosity = 10.0
density = 1400.0

[[fluid]]
material = "syrup"
shape = { box = { min = [0, 0.01, 0], max = [0.05, 0.06, 0.05] } }

[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
"#;

/// A folder with `drop.toml` in it.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::write(place.path("drop.toml"), SCENE).unwrap();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program with arguments that are separated by spaces.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_visco"));
        command.current_dir(self.folder.path()).args(args.split_whitespace()).stdin(Stdio::null());
        command
    }

    pub(crate) fn visco(&self, args: &str) -> Done {
        Done::from(self.command(args).output().unwrap())
    }

    /// Names of what is in a folder, sorted.
    pub(crate) fn list(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.path(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
}

/// How the program ended and what it said.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Done {
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited for {what}");
        sleep(Duration::from_millis(2));
    }
}
