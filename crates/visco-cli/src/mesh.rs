//! `visco mesh`: surfaces of the frames of a run, or of one file of particles.

mod file;
mod folder;
mod index;
mod room;
mod solids;
mod workers;

use crate::args::MeshArgs;
use crate::console::Usage;
use crate::{interrupt, text};
use anyhow::Result;
use std::process::ExitCode;
use visco::Frame;
use visco_io::surfaces::SurfaceFormat;
use visco_surface::{Settings, Size};

/// Makes what is asked for.
pub(crate) fn mesh(args: &MeshArgs) -> Result<ExitCode> {
    // A write that is interrupted leaves nothing behind.
    interrupt::install()?;
    if args.input.is_dir() {
        return folder::mesh(args);
    }
    if !args.input.is_file() {
        return Err(Usage(format!("{}: no such file or folder", args.input.display())).into());
    }
    file::mesh(args)?;
    Ok(ExitCode::SUCCESS)
}

impl MeshArgs {
    /// How surfaces are made; materials from `shared` on are bodies.
    fn settings(&self, shared: usize) -> Settings {
        Settings {
            cell: self.cell,
            smoothing: self.smoothing,
            strays: self.strays,
            anisotropic: self.anisotropic,
            apart_from: if self.apart { 0 } else { shared },
        }
    }

    /// The formats to write, each once.
    fn formats(&self) -> Vec<SurfaceFormat> {
        let mut formats = if self.format.is_empty() { vec![SurfaceFormat::Ply] } else { self.format.clone() };
        formats.sort_unstable();
        formats.dedup();
        formats
    }

    /// A frame with the spacing that the user gave.
    fn spaced(&self, frame: Frame) -> Frame {
        let spacing = self.spacing.or(self.radius.map(|r| 2.0 * r)).unwrap_or(frame.spacing);
        Frame { spacing, ..frame }
    }
}

/// Refuses surfaces of frames, given by number, that do not fit into so many bytes, and says which cell would.
fn check_room(settings: &Settings, most: u64, frames: &[(u32, Size)]) -> Result<(), Usage> {
    let large = frames.iter().filter(|(_, size)| size.bytes(settings) > most);
    let Some((number, size)) = large.clone().max_by_key(|(_, size)| size.bytes(settings)) else {
        return Ok(());
    };
    let cells: Option<Vec<f32>> = large.map(|(_, size)| size.fitting_cell(settings, most)).collect();
    let advice = match cells {
        Some(cells) => {
            let cell = cells.into_iter().fold(0.0, f32::max);
            format!("--cell {cell} or larger would fit (it is {})", settings.cell)
        }
        None => "no cell that shows anything would fit".into(),
    };
    let (needed, most) = (text::bytes(size.bytes(settings)), text::bytes(most));
    Err(Usage(format!(
        "the surface of frame {number} needs about {needed} of memory, {most} are there; {advice}"
    )))
}
