//! What the machine must have before the checks can run.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::steps::cargo;

/// Debian packages beyond a Rust toolchain with a linker, and why each is needed; fonts are built in.
const PACKAGES: &[Package] = &[
    Package { name: "libvulkan1", why: "finds graphics drivers" },
    Package { name: "mesa-vulkan-drivers", why: "draws pictures without a graphics card" },
];

/// Parts of the toolchain beyond `cargo build`: subcommand, and how to get it.
const COMPONENTS: &[(&str, &str)] =
    &[("fmt", "rustup component add rustfmt"), ("clippy", "rustup component add clippy")];

/// A Debian package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) why: &'static str,
}

/// Installs or asks for what is missing.
pub(crate) fn prepare() -> Result<()> {
    require(PACKAGES)?;
    for (subcommand, remedy) in COMPONENTS {
        let found = quiet(cargo().args([subcommand, "--version"]));
        if !found {
            bail!("`cargo {subcommand}` is missing; get it with `{remedy}`");
        }
    }
    println!("{} system packages and {} toolchain components are in place", PACKAGES.len(), COMPONENTS.len());
    Ok(())
}

/// Installs packages that are missing, where that is possible.
pub(crate) fn require(packages: &[Package]) -> Result<()> {
    let missing = missing(packages, is_installed);
    if missing.is_empty() {
        return Ok(());
    }
    let debian = Path::new("/etc/debian_version").exists();
    if !debian || !is_root() {
        bail!("{}", plea(&missing));
    }
    install(&missing)
}

fn missing(packages: &[Package], installed: impl Fn(&str) -> bool) -> Vec<Package> {
    let absent = packages.iter().filter(|p| !installed(p.name));
    absent.copied().collect()
}

/// What to tell someone whose system we cannot change.
fn plea(missing: &[Package]) -> String {
    let lines: String = missing.iter().map(|p| format!("  {:<24} {}\n", p.name, p.why)).collect();
    let names: Vec<&str> = missing.iter().map(|p| p.name).collect();
    format!(
        "system packages are missing:\n{lines}install them, on Debian or Ubuntu with:\n  \
         sudo apt-get install {}",
        names.join(" ")
    )
}

fn install(missing: &[Package]) -> Result<()> {
    for package in missing {
        println!("installing {} ({})", package.name, package.why);
    }
    let names = missing.iter().map(|p| p.name);
    apt_get(["update"])?;
    apt_get(["install", "--yes", "--no-install-recommends"].into_iter().chain(names))
}

fn apt_get<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .context("cannot start apt-get")?;
    if !status.success() {
        bail!("apt-get failed with {status}");
    }
    Ok(())
}

fn is_installed(package: &str) -> bool {
    let query = Command::new("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", package])
        .stderr(Stdio::null())
        .output();
    query.is_ok_and(|q| q.status.success() && q.stdout == b"installed")
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// Whether a command succeeds, without its output.
pub(crate) fn quiet(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|s| s.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [Package; 2] = [
        Package { name: "here", why: "is there" },
        Package { name: "mesa-vulkan-drivers", why: "runs GPU tests without a GPU" },
    ];

    #[test]
    fn only_absent_packages_are_missing() {
        assert_eq!(missing(&TABLE, |name| name == "here"), TABLE[1..]);
        assert!(missing(&TABLE, |_| true).is_empty());
    }

    #[test]
    fn the_plea_names_package_reason_and_command() {
        let text = plea(&TABLE[1..]);
        assert!(text.contains("runs GPU tests without a GPU"));
        assert!(text.ends_with("sudo apt-get install mesa-vulkan-drivers"));
    }

    #[test]
    fn a_package_that_does_not_exist_is_not_installed() {
        assert!(!is_installed("visco-no-such-package"));
    }
}
