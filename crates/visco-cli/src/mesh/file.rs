//! The surface of one file of particles.

use super::check_room;
use crate::args::MeshArgs;
use crate::console::{self, Usage};
use crate::{memory, text};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use visco_io::particles;
use visco_io::surfaces::SurfaceFormat;
use visco_surface::{Size, surface_of};

/// Reads particles and writes their surface.
pub(super) fn mesh(args: &MeshArgs) -> Result<()> {
    let Some(out) = &args.out else {
        return Err(
            Usage("where to? Add -o with the file of the surface, such as -o surface.ply".into()).into()
        );
    };
    let refuse = |message: &str| Err(Usage(format!("{} {message}", out.display())).into());
    if out.is_dir() {
        return refuse("is a folder; give the name of the file to write");
    }
    let format = match (args.format.as_slice(), SurfaceFormat::of_path(out)) {
        ([], None) => return refuse("ends in none of .ply, .obj, .vtp, .usdc; end it so, or add --format"),
        ([], Some(format)) | (&[format], _) => format,
        _ => return refuse("is one file: give one format"),
    };
    let same = |path: &Path| fs::canonicalize(path).ok();
    if same(out).is_some_and(|path| same(&args.input) == Some(path)) {
        return refuse("is the file of the particles; give another name");
    }
    let frame = args.spaced(particles::read(&args.input)?);
    let most = args.memory.or_else(memory::available).unwrap_or(u64::MAX);
    let settings = args.settings(usize::MAX);
    check_room(&settings, most, &[(frame.number, Size::of(&frame))])?;
    let found =
        surface_of(&frame, &settings).with_context(|| format!("no surface of {}", args.input.display()))?;
    if let Some(folder) = out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    found.write(out, format)?;
    if !args.quiet {
        let particles = text::counted(frame.len() as u64, "particle");
        let triangles = text::counted(found.triangles.len() as u64, "triangle");
        let (path, spacing) = (out.display(), text::short(frame.spacing.into()));
        console::print(format_args!("{path}: {triangles} around {particles}, {spacing} m apart"))?;
    }
    Ok(())
}
