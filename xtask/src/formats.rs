//! Frames and surfaces of the built program, opened with the software of their formats: a Python environment under `target`, and
//! `xtask/formats/check.py`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::setup::{self, Package};
use crate::steps::{Outcome, cargo, in_ci, root, succeed};

/// What the check is made with. VTK's own dependencies are for drawing.
const PACKAGES: [&str; 5] =
    ["numpy==2.4.6", "pysplashsurf==0.14.1.0", "trimesh==5.2.0", "usd-core==26.11", "vtk==9.7.1"];

/// Debian's Python cannot make environments without it.
const VENV: Package =
    Package { name: "python3-venv", why: "opens frames with the software of their formats" };

/// Builds the program and checks what it writes. Where the software cannot be had, that is a failure in CI, and said
/// elsewhere.
pub(crate) fn check() -> Result<Outcome> {
    let target = target();
    let python = match environment(&target) {
        Ok(python) => python,
        Err(error) if in_ci() => return Err(error),
        Err(error) => return Ok(Outcome::NotRun(format!("{error:#}"))),
    };
    succeed(cargo().args(["build", "--package", "visco-cli"]))?;
    let program = target.join("debug").join(format!("visco{}", env::consts::EXE_SUFFIX));
    let script = root().join("xtask/formats/check.py");
    let mut check = Command::new(python);
    // What Python compiles would lie beside the scripts, in the repository.
    check.env("PYTHONDONTWRITEBYTECODE", "1").arg(script).arg(program).arg(target.join("formats"));
    succeed(&mut check)?;
    Ok(Outcome::Done)
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The Python of an environment with the packages, made where it is missing or has others.
fn environment(target: &Path) -> Result<PathBuf> {
    let folder = target.join("formats-venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let note = folder.join("packages");
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&note).is_ok_and(|found| found == wanted)
        && setup::quiet(Command::new(&python).arg("--version"))
    {
        return Ok(python);
    }
    let base = base()?;
    succeed(Command::new(base).args(["-m", "venv", "--clear"]).arg(&folder))
        .context("no Python environment")?;
    println!("installing {}", PACKAGES.join(", "));
    let arguments = "-m pip install --quiet --disable-pip-version-check --no-deps";
    succeed(Command::new(&python).args(arguments.split(' ')).args(PACKAGES))
        .context("the software of the formats cannot be installed")?;
    fs::write(&note, wanted).with_context(|| format!("cannot write {}", note.display()))?;
    Ok(python)
}

/// A Python that can make environments.
fn base() -> Result<&'static str> {
    let name = if cfg!(windows) { "python" } else { "python3" };
    if !setup::quiet(Command::new(name).args(["-c", "import ensurepip, venv"])) {
        setup::require(&[VENV])?;
    }
    Ok(name)
}
