//! `docs/gallery`: a picture of every built-in scene, in its small version, at a moment that shows what it is about.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::formats::target;
use crate::steps::{cargo, root, succeed};

/// Largest file, in bytes.
const LARGEST: u64 = 300_000;

/// The scenes, and the frame of the small version that is shown.
const SCENES: [(&str, u32); 15] = [
    ("honey", 90),
    ("cake", 180),
    ("ice-cream", 165),
    ("waffle", 100),
    ("armadillos", 45),
    ("bowl", 90),
    ("coiling", 45),
    ("blocks", 20),
    ("spinnability", 40),
    ("dam-break", 20),
    ("hydrostatic", 15),
    ("press", 70),
    ("two-way", 120),
    ("barus", 120),
    ("dragon", 60),
];

/// Runs and draws the scenes named, or all of them, and writes the page.
pub(crate) fn make(names: &[&str]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| !SCENES.iter().any(|(scene, _)| scene == *name)) {
        let known: Vec<&str> = SCENES.iter().map(|(name, _)| *name).collect();
        bail!("there is no scene {unknown:?} in the gallery; there are {}", known.join(", "));
    }
    succeed(cargo().args(["build", "--release", "--package", "visco-cli"]))?;
    let gallery = root().join("docs/gallery");
    fs::create_dir_all(&gallery)?;
    for (name, frame) in SCENES.iter().filter(|(name, _)| names.is_empty() || names.contains(name)) {
        draw(name, *frame, &gallery.join(format!("{name}.png"))).with_context(|| format!("scene {name}"))?;
    }
    fs::write(gallery.join("README.md"), page(&gallery)?)?;
    println!("{}", gallery.join("README.md").display());
    Ok(())
}

fn draw(name: &str, frame: u32, picture: &Path) -> Result<()> {
    let program = target().join("release").join(format!("visco{}", std::env::consts::EXE_SUFFIX));
    let out = target().join("gallery").join(name);
    let frames = (frame + 1).to_string();
    succeed(
        Command::new(&program)
            .args(["run", name, "--set", "quality=small", "--frames", &frames, "-o"])
            .arg(&out),
    )?;
    let every = frame.to_string();
    succeed(Command::new(&program).arg("mesh").arg(&out).args(["--every", &every]))?;
    succeed(Command::new(&program).arg("render").arg(&out).args([
        "--show",
        "mesh",
        "--every",
        &every,
        "--samples",
        "2",
        "--size",
        "1120x630",
    ]))?;
    let drawn = out.join(format!("render/frame_{frame:06}.png"));
    let size = fs::metadata(&drawn)?.len();
    if size > LARGEST {
        bail!("{} has {size} bytes, more than {LARGEST}", drawn.display());
    }
    fs::copy(&drawn, picture)?;
    Ok(())
}

/// The page, with the descriptions of the scenes.
fn page(gallery: &Path) -> Result<String> {
    let mut text = String::from(
        "# Gallery\n\nThe built-in scenes in their small versions, by `cargo xtask gallery`: `visco run NAME --set \
         quality=small`, `visco mesh`, `visco render --show mesh`.\n",
    );
    for (name, frame) in SCENES.iter().filter(|(name, _)| gallery.join(format!("{name}.png")).is_file()) {
        let scene = fs::read_to_string(root().join(format!("scenes/{name}.toml")))?;
        let description = scene.lines().find_map(|l| l.strip_prefix("description = \"")?.strip_suffix('"'));
        let description = description.with_context(|| format!("scenes/{name}.toml has no description"))?;
        text += &format!("\n## {name}\n\n{description} Frame {frame}.\n\n![{name}]({name}.png)\n");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_a_small_picture() {
        let mut scenes: Vec<String> = fs::read_dir(root().join("scenes"))
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let mut shown: Vec<&str> = SCENES.iter().map(|(name, _)| *name).collect();
        scenes.sort_unstable();
        shown.sort_unstable();
        assert_eq!(scenes, shown);
        let gallery = root().join("docs/gallery");
        for name in shown {
            let size = fs::metadata(gallery.join(format!("{name}.png"))).unwrap().len();
            assert!(size <= LARGEST, "{name}: {size} bytes");
        }
        assert_eq!(fs::read_to_string(gallery.join("README.md")).unwrap(), page(&gallery).unwrap());
    }
}
