//! A run in Blender: `blender/import_visco.py` brings it in, without a window, and `xtask/blender/check.py` looks.

use std::env;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::formats::target;
use crate::setup::{self, Package};
use crate::steps::{Outcome, cargo, in_ci, root, succeed};

const BLENDER: Package = Package { name: "blender", why: "opens runs as artists do" };

/// Simulates, makes surfaces and imports them. Where there is no Blender, that is a failure in CI, and said elsewhere.
pub(crate) fn check() -> Result<Outcome> {
    if !setup::quiet(Command::new("blender").arg("--version")) {
        match setup::require(&[BLENDER]) {
            Err(error) if !in_ci() => return Ok(Outcome::NotRun(format!("{error:#}"))),
            other => other?,
        }
    }
    succeed(cargo().args(["build", "--package", "visco-cli"]))?;
    let program = target().join("debug").join(format!("visco{}", env::consts::EXE_SUFFIX));
    let run = target().join("blender");
    if run.exists() {
        fs::remove_dir_all(&run).with_context(|| format!("cannot remove {}", run.display()))?;
    }
    let scene = root().join("xtask/blender/pour.toml");
    succeed(Command::new(&program).arg("run").arg(scene).arg("--quiet").arg("--out").arg(&run))?;
    succeed(Command::new(&program).arg("mesh").arg(&run).arg("--quiet"))?;
    let arguments = "--background --factory-startup --python-exit-code 1 --python";
    succeed(
        Command::new("blender")
            .args(arguments.split(' '))
            .arg(root().join("xtask/blender/check.py"))
            .arg("--")
            .arg(root().join("blender/import_visco.py"))
            .arg(run),
    )?;
    Ok(Outcome::Done)
}
