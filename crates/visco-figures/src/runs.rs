//! Measures over the frames of a run: how a rope coils, what volume there is, how far the fluid spreads, when it parts.

mod coiling;
mod comparison;
mod extent;
mod pull;

pub(crate) use coiling::Steady;
pub use comparison::{Comparison, Side, compare_runs};

use crate::files::{FigureError, write_csv};
use crate::plot::{Figure, Plot, Series, Style, save};
use std::path::{Path, PathBuf};
use thiserror::Error;
use visco::mesh::Assets;
use visco::world::World;
use visco::{Frame, Scene, SceneError};
use visco_io::{Format, RunFolder, ply};

/// What can be measured on a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Turns of the rope that the one nozzle pours.
    Coiling,
    /// Volume of the particles.
    Volume,
    /// Extent, height and centre of mass.
    Spread,
    /// Stretched length and shrinking time of what two grips pull apart.
    Pull,
}

impl What {
    /// Its name on the command line and of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Coiling => "coiling",
            Self::Volume => "volume",
            Self::Spread => "spread",
            Self::Pull => "pull",
        }
    }
}

/// Why a run cannot be measured.
#[derive(Debug, Error)]
pub enum RunError {
    /// No folder of a run.
    #[error("{} is not the folder of a visco run", .0.display())]
    NoRun(PathBuf),
    /// Its scene is of another version of visco, or was changed.
    #[error("the scene of the run cannot be read: {0}")]
    Scene(#[from] SceneError),
    /// Fewer frames than a course over time needs.
    #[error("{} has {found} PLY frames; at least {needed} are needed{}", .run.display(), hint(*.others))]
    TooFewFrames {
        /// The folder.
        run: PathBuf,
        /// PLY frames there.
        found: usize,
        /// How many it would take.
        needed: usize,
        /// Whether there are frames in other formats.
        others: bool,
    },
    /// What is asked for cannot be measured on this scene or in this time.
    #[error("{0}")]
    Unfit(String),
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] visco_io::Error),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] FigureError),
}

fn hint(others: bool) -> &'static str {
    if others { "; run with --format ply" } else { "" }
}

/// One measured number.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Standard deviation over the run, where there is one.
    pub scatter: Option<f64>,
    /// Its unit.
    pub unit: &'static str,
}

/// A quantity over the frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, as in the CSV file.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// A value for every frame.
    pub values: Vec<f64>,
}

/// What was measured on a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// The numbers that sum it up.
    pub findings: Vec<Finding>,
    /// The course over the frames; the first column is the time.
    pub columns: Vec<Column>,
    /// Columns that share a plot, by their indices.
    panels: Vec<(&'static str, Vec<usize>)>,
}

/// A run on the disk: its world at the start, and where its frames are.
struct Run {
    world: World,
    gravity: [f64; 3],
    frames: Vec<PathBuf>,
}

impl Run {
    /// The run in a folder, with at least so many frames.
    fn open(path: &Path, needed: usize) -> Result<Self, RunError> {
        let folder = RunFolder::new(path);
        if !path.is_dir() || !folder.is_run() {
            return Err(RunError::NoRun(path.into()));
        }
        let text = std::fs::read_to_string(folder.scene()).map_err(|_| RunError::NoRun(path.into()))?;
        let mut scene = Scene::from_toml_with(&text, &[])?;
        let assets = read_meshes(&mut scene)?;
        let all = folder.existing_frames()?;
        let of_ply = all.iter().filter(|(_, format)| *format == Format::Ply);
        let frames: Vec<PathBuf> = of_ply.map(|(n, format)| folder.frame(*n, *format)).collect();
        if frames.len() < needed {
            let (found, others) = (frames.len(), all.len() > frames.len());
            return Err(RunError::TooFewFrames { run: path.into(), found, needed, others });
        }
        Ok(Self { world: World::with_assets(&scene, &assets)?, gravity: scene.gravity, frames })
    }

    /// What `of` finds in every frame, one column for each of its numbers.
    fn course<const N: usize>(&self, of: impl Fn(&Frame) -> [f64; N]) -> Result<[Vec<f64>; N], RunError> {
        let mut columns = [const { Vec::new() }; N];
        for path in &self.frames {
            for (column, value) in columns.iter_mut().zip(of(&ply::read(path)?)) {
                column.push(value);
            }
        }
        Ok(columns)
    }
}

/// The meshes that a scene as run names, by their whole paths.
fn read_meshes(scene: &mut Scene) -> Result<Assets, RunError> {
    let mut assets = Assets::new();
    for file in scene.mesh_files() {
        if assets.mesh(file.path).is_none() {
            let mesh = visco_io::mesh::read(Path::new(file.path.as_str()))?;
            assets.insert(file.path.as_str(), mesh);
        }
    }
    Ok(assets)
}

/// Measures the run in a folder.
pub fn measure_run(what: What, folder: &Path) -> Result<RunReport, RunError> {
    let run = Run::open(folder, 2)?;
    match what {
        What::Coiling => coiling::measure(&run),
        What::Volume => extent::volume(&run),
        What::Spread => extent::spread(&run),
        What::Pull => pull::measure(&run),
    }
}

impl RunReport {
    /// Writes the course as CSV and as a plot (PNG and SVG) into `OUT/measure`, and returns the files.
    pub fn save(&self, what: What, folder: &Path) -> Result<Vec<PathBuf>, FigureError> {
        let base = folder.join("measure").join(what.name());
        let csv = base.with_extension("csv");
        let columns: Vec<(&str, &[f64])> = self.columns.iter().map(|c| (c.name, &c.values[..])).collect();
        write_csv(&csv, &columns)?;
        let [svg, png] = save(&self.figure(), &base)?;
        Ok(vec![csv, png, svg])
    }

    fn figure(&self) -> Figure {
        let time = &self.columns[0].values;
        let series = |k: &usize| {
            let column = &self.columns[*k];
            let points = time.iter().copied().zip(column.values.iter().copied()).collect();
            Series::new(column.name.replace('_', " "), points, Style::Line)
        };
        let panel = |(title, columns): &(&str, Vec<usize>)| Plot {
            title: (*title).into(),
            x_label: "time (s)".into(),
            y_label: match self.columns[columns[0]].unit {
                "" => (*title).into(),
                unit => format!("{title} ({unit})"),
            },
            series: columns.iter().map(series).collect(),
            ..Plot::default()
        };
        Figure { title: String::new(), panels: self.panels.iter().map(panel).collect(), columns: 2 }
    }
}
