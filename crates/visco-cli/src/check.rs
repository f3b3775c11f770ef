//! `visco check`: whether a scene can be run, and how large it is.

use crate::args::CheckArgs;
use crate::source::Loaded;
use crate::{console, source, text};
use anyhow::Result;

/// Checks a scene and prints its size, and what is worth knowing about it.
pub(crate) fn check(args: &CheckArgs) -> Result<()> {
    let loaded = source::load(&args.scene.scene, &args.scene.set)?;
    let simulation = loaded.build()?;
    console::print(summary(&loaded))?;
    for note in loaded.scene.notes().iter().chain(simulation.notes()) {
        console::tell(format_args!("note: {note}"));
    }
    Ok(())
}

/// `honey: ok — about 24,310 particles at the end and 61 MB of memory, 150 frames of 1/30 s`.
pub(crate) fn summary(loaded: &Loaded) -> String {
    let (scene, estimate) = (&loaded.scene, loaded.estimate());
    format!(
        "{}: ok — about {} at the end and {} of memory, {} of {}",
        scene.name,
        text::counted(estimate.particles, "particle"),
        text::bytes(estimate.bytes),
        text::counted(scene.time.frames.into(), "frame"),
        frame_length(scene.time.fps),
    )
}

/// `1/30 s`.
fn frame_length(fps: f64) -> String {
    if fps < 1.0 { format!("{} s", text::short(1.0 / fps)) } else { format!("1/{fps} s") }
}
