//! What plays the surfaces of a folder: a ParaView collection and a USD stage.

use super::SurfaceFormat;
use crate::layout::{SURFACE_COLLECTION, SURFACE_STAGE, surface_name};
use crate::{Result, pvd, usd};
use std::path::{Path, PathBuf};

/// Writes the list that plays surfaces of a format, given by number and time, in a folder; returns it, if the format has
/// one. `scalars` are the names of what the corners have beside normals, velocities and materials.
pub fn list_surfaces(
    folder: &Path,
    format: SurfaceFormat,
    (surfaces, fps): (&[(u32, f64)], f64),
    scalars: &[String],
) -> Result<Option<PathBuf>> {
    match format {
        SurfaceFormat::Ply | SurfaceFormat::Obj => Ok(None),
        SurfaceFormat::Vtp => {
            let path = folder.join(SURFACE_COLLECTION);
            let entries: Vec<(f64, String)> =
                surfaces.iter().map(|&(number, time)| (time, surface_name(number, format))).collect();
            pvd::write(&path, &entries)?;
            Ok(Some(path))
        }
        SurfaceFormat::Usd => {
            let path = folder.join(SURFACE_STAGE);
            let numbers: Vec<u32> = surfaces.iter().map(|(number, _)| *number).collect();
            crate::atomic::write(&path, |w| usd::surface::write_stage(w, (&numbers, fps), scalars))?;
            Ok(Some(path))
        }
    }
}
