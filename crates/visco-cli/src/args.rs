//! The arguments as the user types them.

mod examples;

use clap::{ArgAction, Parser, Subcommand};
use examples::*;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use visco_io::Format;
use visco_io::surfaces::SurfaceFormat;

/// Viscoelastic and highly viscous fluids made of particles: honey, cream, slime.
#[derive(Debug, Parser)]
#[command(name = "visco", version, arg_required_else_help = true)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scene and write its frames.
    #[command(after_help = format!("{RUN_EXAMPLES}\n\n{EXIT_CODES}"))]
    Run(RunArgs),
    /// Check a scene and tell its size, without running it.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// List the built-in scenes, or print one to start from.
    #[command(after_help = SCENES_EXAMPLES)]
    Scenes(ScenesArgs),
    /// List the materials that a scene can name as `preset`, with their values and sources.
    #[command(after_help = MATERIALS_EXAMPLES)]
    Materials,
    /// Print the JSON Schema of scenes.
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema,
    /// Tell about a frame, a checkpoint, the folder of a run, or a scene.
    #[command(after_help = INFO_EXAMPLES)]
    Info(InfoArgs),
    /// Convert a frame, or all frames of a run, to other formats.
    #[command(after_help = format!("{CONVERT_EXAMPLES}\n\n{EXIT_CODES}"))]
    Convert(ConvertArgs),
    /// Make a figure of a paper, or of analytic rheology, again: its experiments, plots, tables and a page.
    #[command(after_help = format!("{FIGURE_EXAMPLES}\n\n{EXIT_CODES}"))]
    Figure(FigureArgs),
    /// Run a scene with several methods, and draw what came of them side by side.
    #[command(after_help = format!("{COMPARE_EXAMPLES}\n\n{EXIT_CODES}"))]
    Compare(CompareArgs),
    /// Measure a material with an instrument, or the frames of a run.
    #[command(subcommand)]
    Measure(MeasureCommand),
    /// Draw the frames of a run: pictures, a film and a contact sheet.
    #[command(after_help = format!("{RENDER_EXAMPLES}\n\n{EXIT_CODES}"))]
    Render(RenderArgs),
    /// Make surfaces of the frames of a run, a mesh a frame, or of one file of particles.
    #[command(after_help = format!("{MESH_EXAMPLES}\n\n{EXIT_CODES}"))]
    Mesh(MeshArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum MeasureCommand {
    /// Shear a material between two plates (start-up, relaxation, oscillation, steady shear) and stretch a bar of it.
    #[command(after_help = format!("{RHEOMETER_EXAMPLES}\n\n{EXIT_CODES}"))]
    Rheometer(RheometerArgs),
    /// How the rope of a run coils: turns a second, radius, direction.
    #[command(after_help = format!("{COILING_EXAMPLES}\n\n{EXIT_CODES}"))]
    Coiling(MeasureRunArgs),
    /// The volume of a run, by particles and by densities, over its frames.
    #[command(after_help = format!("{VOLUME_EXAMPLES}\n\n{EXIT_CODES}"))]
    Volume(MeasureRunArgs),
    /// How far the fluid of a run spreads: largest extent, height, centre of mass, over its frames.
    #[command(after_help = format!("{SPREAD_EXAMPLES}\n\n{EXIT_CODES}"))]
    Spread(MeasureRunArgs),
    /// How two grips pull the fluid of a run apart: narrowest section, stretched length, shrinking time.
    #[command(after_help = format!("{PULL_EXAMPLES}\n\n{EXIT_CODES}"))]
    Pull(MeasureRunArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct MeasureRunArgs {
    /// The folder of a run; tables and plots are written to OUT/measure.
    #[arg(value_name = "OUT")]
    pub(crate) run: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Show {
    /// The fluid, as it would look, by its particles.
    Fluid,
    /// The fluid, as it would look, by its surface, which `visco mesh` makes.
    Mesh,
    /// Particles in the colours of their materials.
    Material,
    /// Particles in the colours of their speed, with a legend.
    Speed,
    /// Particles in the colours of their density.
    Density,
    /// Particles in the colours of the stretch of their polymer.
    Stretch,
    /// Particles in the colours of the stress of their polymer, in Pa.
    Stress,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RenderArgs {
    /// The folder of a run, or of particles that other programs wrote, or one file of them (.ply, .vtp, .bgeo,
    /// .bgeo.gz); pictures are written to OUT/render.
    #[arg(value_name = "OUT")]
    pub(crate) run: PathBuf,
    /// Where to write: another folder than OUT; for one file, the picture (.png).
    #[arg(short, long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// What to show.
    #[arg(long, value_enum, default_value = "fluid")]
    pub(crate) show: Show,
    /// Width and height of the pictures, in pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = picture_size)]
    pub(crate) size: (u32, u32),
    /// Samples along each side of a pixel: smoother edges, longer drawing.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub(crate) samples: u32,
    /// Draw every Nth frame.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Leave out frames that cannot be read instead of stopping at the first.
    #[arg(long)]
    pub(crate) skip_bad: bool,
    /// Draw in software, without a graphics driver.
    #[arg(long)]
    pub(crate) software: bool,
    /// Print nothing but errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct MeshArgs {
    /// The folder of a run, or of particles that other programs wrote, or one file of them (.ply, .vtp, .bgeo,
    /// .bgeo.gz).
    #[arg(value_name = "OUT")]
    pub(crate) input: PathBuf,
    /// Where to write: a folder for a run, OUT/mesh by default; for one file, the surface (.ply, .obj, .vtp, .usdc).
    #[arg(short, long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// Formats to write: ply, obj, vtp, usd, or several with commas; ply by default. Of a file, the name tells.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    pub(crate) format: Vec<SurfaceFormat>,
    /// Edge of the cubes that the surface is cut from, in spacings: smaller is finer, and takes more memory.
    #[arg(long, value_name = "SIZE", default_value_t = 0.5, value_parser = cell_size)]
    pub(crate) cell: f32,
    /// Length over which bumps are smoothed away, in spacings; 0 for none.
    #[arg(long, value_name = "LENGTH", default_value_t = 1.6, value_parser = not_negative)]
    pub(crate) smoothing: f32,
    /// Take away pieces, and cavities, of less volume than N particles; 0 keeps all.
    #[arg(long, value_name = "N", default_value_t = 3.0, value_parser = not_negative)]
    pub(crate) strays: f32,
    /// Kernels that follow the shape of the fluid: flatter surfaces, sharper edges.
    #[arg(long)]
    pub(crate) anisotropic: bool,
    /// A surface of its own for each material; by default fluids share one, and each body has one.
    #[arg(long)]
    pub(crate) apart: bool,
    /// Distance of the particles at rest, in m, where the file does not tell it, or tells it wrong.
    #[arg(long, value_name = "M", value_parser = positive, conflicts_with = "radius")]
    pub(crate) spacing: Option<f32>,
    /// Radius of the particles, in m: half their spacing.
    #[arg(long, value_name = "M", value_parser = positive)]
    pub(crate) radius: Option<f32>,
    /// Most memory to take, such as 4GB; what is free by default.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
    /// Take every Nth frame.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Name frames that are missing or cannot be read, and go on; by default they end the work.
    #[arg(long)]
    pub(crate) skip_bad: bool,
    /// Print nothing but errors and what was left out.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

fn cell_size(text: &str) -> Result<f32, String> {
    let size = text.parse().ok().filter(|size| (0.01..=1.5).contains(size));
    size.ok_or_else(|| "expected spacings from 0.01 to 1.5".into())
}

fn not_negative(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|n| (0.0..=1e6).contains(n));
    number.ok_or_else(|| "expected a number from 0 to 1000000".into())
}

fn positive(text: &str) -> Result<f32, String> {
    let length = text.parse().ok().filter(|x: &f32| x.is_normal() && *x > 0.0);
    length.ok_or_else(|| "expected a length in m, above 0".into())
}

/// `500MB`, `4GB`, or a plain number of bytes.
fn bytes(text: &str) -> Result<u64, String> {
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let factor = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 1.0,
        "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        _ => f64::NAN,
    };
    let bytes = number.trim().parse::<f64>().unwrap_or(f64::NAN) * factor;
    if bytes >= 1.0 { Ok(bytes as u64) } else { Err("expected bytes, such as 500MB or 4GB".into()) }
}

fn picture_size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match sides {
        Some((w, h)) if (16..=16384).contains(&w) && (16..=16384).contains(&h) => Ok((w, h)),
        _ => Err("expected WIDTHxHEIGHT, each from 16 to 16384, such as 1280x720".into()),
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct RheometerArgs {
    /// A preset (see `visco materials`), or SCENE:NAME, a material of a scene.
    #[arg(value_name = "MATERIAL")]
    pub(crate) material: String,
    /// Change a field of the rheometer's scene, such as the solver's; may be given several times.
    #[arg(long = "set", value_name = "FIELD=VALUE", action = ArgAction::Append)]
    pub(crate) set: Vec<String>,
    /// Folder to write to; out/rheometer-NAME by default.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// The methods, with commas: coupled, dcpbd, pbf and the others of the scene's field `method`. Settings of a method's
    /// solver may follow with colons: pbf:viscosity=lengths:iterations=20.
    #[arg(long, value_name = "METHODS", value_delimiter = ',', required = true)]
    pub(crate) methods: Vec<String>,
    /// Folder to write to; out/compare-NAME by default.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: Option<PathBuf>,
    /// Number of frames to write, the initial state included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) frames: Option<u32>,
    /// Number of threads; all cores by default.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Go on with runs that were interrupted; those that are finished are kept.
    #[arg(long)]
    pub(crate) resume: bool,
    /// With --resume: go on although the scene has changed since.
    #[arg(long, requires = "resume")]
    pub(crate) allow_changes: bool,
    /// Draw every frame as it comes, and end every run with a film and a contact sheet.
    #[arg(long)]
    pub(crate) preview: bool,
    /// Print nothing but errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// A scene and what to change in it.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SceneArgs {
    /// A scene file, or the name of a built-in scene (see `visco scenes`).
    #[arg(value_name = "SCENE")]
    pub(crate) scene: String,
    /// Change a field of the scene; may be given several times.
    #[arg(long = "set", value_name = "FIELD=VALUE", action = ArgAction::Append)]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, Default, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Folder to write to; out/NAME by default.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: Option<PathBuf>,
    /// Number of frames to write, the initial state included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) frames: Option<u32>,
    /// Number of threads; all cores by default.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Formats of the frames: ply, vtp, bgeo, usd, or several with commas.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', default_value = "ply")]
    pub(crate) format: Vec<Format>,
    /// Where to compute: cpu, or auto for the best there is.
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = backend)]
    pub(crate) backend: Backend,
    /// Go on from the last checkpoint in the folder; without one, start from the beginning.
    #[arg(long)]
    pub(crate) resume: bool,
    /// With --resume: go on although the scene has changed since the checkpoint.
    #[arg(long, requires = "resume")]
    pub(crate) allow_changes: bool,
    /// Frames from one checkpoint to the next, 0 for none at all; by default one about every 30 s, and at the end.
    #[arg(long, value_name = "N")]
    pub(crate) checkpoint_every: Option<u32>,
    /// Draw every frame as it comes, and end with a film and a contact sheet.
    #[arg(long)]
    pub(crate) preview: bool,
    /// Print nothing but errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Print one JSON object a line on standard output instead of text.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json: bool,
    /// One of several runs: what to do next is not said after each.
    #[arg(skip)]
    pub(crate) part: bool,
}

/// Where to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Backend {
    #[default]
    Cpu,
}

fn backend(text: &str) -> Result<Backend, String> {
    match text {
        "auto" | "cpu" => Ok(Backend::Cpu),
        "gpu" => Err("this version of visco has no GPU backend; use cpu or auto".into()),
        _ => Err("expected cpu or auto".into()),
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScenesArgs {
    /// Print the TOML of this scene.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    /// A frame (.ply, .vtp, .bgeo), a checkpoint, the folder of a run, or a scene.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ConvertArgs {
    /// A frame (.ply, .vtp, .bgeo, .bgeo.gz), the folder of a run, or a folder of frames.
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// A frame (.ply, .vtp, .bgeo, .usdc), or a folder, which may be that of IN.
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Formats to write: ply, vtp, bgeo, usd, or several with commas; of a single frame, the name of OUT tells.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    pub(crate) format: Vec<Format>,
    /// Name frames that are missing or cannot be read, and go on; by default they end the conversion.
    #[arg(long)]
    pub(crate) skip_bad: bool,
    /// Print nothing but errors and what was left out.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct FigureArgs {
    /// The figure, or the beginning of its name if no other begins so; without it, the list is printed.
    #[arg(value_name = "NAME", conflicts_with_all = ["all", "list"])]
    pub(crate) name: Option<String>,
    /// List the figures.
    #[arg(long, conflicts_with = "all")]
    pub(crate) list: bool,
    /// Make every figure, and a README.md that lists them.
    #[arg(long)]
    pub(crate) all: bool,
    /// Change a field of the figure's scenes; may be given several times. With --all, of the figures that take settings.
    #[arg(long = "set", value_name = "FIELD=VALUE", action = ArgAction::Append)]
    pub(crate) set: Vec<String>,
    /// Folder to write to.
    #[arg(short, long, value_name = "OUT", default_value = "out/figures")]
    pub(crate) out: PathBuf,
    /// Number of threads; all cores by default.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Print nothing but errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn bytes_have_units() {
        assert_eq!(
            [bytes("1000"), bytes("1.5 MB"), bytes("4gb")],
            [Ok(1000), Ok(1_500_000), Ok(4_000_000_000)]
        );
        assert!(["", "-1", "4 bits", "GB", "0"].iter().all(|text| bytes(text).is_err()));
    }

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }
}
