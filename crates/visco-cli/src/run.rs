//! `visco run`: from a scene to frames on the disk.

pub(crate) mod again;
mod checkpoints;
mod ending;
mod output;
mod pace;
mod report;
mod resume;

use crate::args::{Backend, RunArgs};
use crate::render::Preview;
use crate::{interrupt, source};
use anyhow::{Context, Result};
use checkpoints::Checkpoints;
use output::Output;
use report::{Reporter, Start, Status};
use resume::Resumed;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use visco::convergence::Shortfall;
use visco::scene::Estimate;
use visco::{Changes, ConvergenceWatch, Scene, Simulation, StepReport};
use visco_io::{DiagnosticsWriter, FrameWriter, RunFolder};

pub(crate) use output::default_folder;

/// Runs a scene and writes its frames.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    prepare(args.threads)?;
    run_prepared(args)
}

/// Starts the threads that the physics uses, and watches for Ctrl-C: once, however many runs follow.
pub(crate) fn prepare(threads: Option<NonZeroUsize>) -> Result<()> {
    start_threads(threads)?;
    interrupt::install()
}

/// Starts the threads that the physics uses.
pub(crate) fn start_threads(threads: Option<NonZeroUsize>) -> Result<()> {
    let threads = threads.map_or(0, usize::from);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().context("cannot start the threads")
}

/// Refuses a run that could not write to its folder, or not go on from what is there, and changes nothing there.
pub(crate) fn check_output(args: &RunArgs) -> Result<()> {
    let Some(out) = &args.out else { return Ok(()) };
    let output = Output::check(out.clone())?;
    if args.resume {
        let mut simulation = load(args)?.build()?;
        let instead = format!("to begin it again, remove {}", out.display());
        resume::newest(output.folder(), &mut simulation, (changes(args), &instead))?;
    }
    Ok(())
}

fn load(args: &RunArgs) -> Result<source::Loaded> {
    // As the last change, it wins over `--set time.frames=…`.
    let mut changes = args.scene.set.clone();
    changes.extend(args.frames.map(|n| format!("time.frames={n}")));
    source::load(&args.scene.scene, &changes)
}

fn changes(args: &RunArgs) -> Changes {
    if args.allow_changes { Changes::Allowed } else { Changes::Refused }
}

/// A run after [`prepare`].
pub(crate) fn run_prepared(args: &RunArgs) -> Result<ExitCode> {
    let mut reporter = Reporter::new(args.quiet, args.json);
    let result = attempt(args, &mut reporter);
    if let Err(error) = &result {
        reporter.error(error);
    }
    result
}

fn attempt(args: &RunArgs, reporter: &mut Reporter) -> Result<ExitCode> {
    let Backend::Cpu = args.backend;
    let loaded = load(args)?;
    let scene = &loaded.scene;

    // Everything that can be refused is refused before anything is built or written.
    let out = args.out.clone();
    let output = Output::check(out.unwrap_or_else(|| default_folder(&scene.name)))?;
    let mut simulation = loaded.build()?;

    let resumed = match args.resume {
        true => resume::resume(output.folder(), &mut simulation, changes(args), reporter)?,
        false => None,
    };
    let plan = Plan { args, scene, estimate: loaded.estimate(), output: &output };
    match resumed {
        Some(resumed) if resumed.header.frame + 1 >= scene.time.frames => {
            ending::tell_finished(plan, &resumed, reporter)
        }
        resumed => Run::open(plan, simulation, resumed, reporter)?.finish(),
    }
}

/// What is to be run, and where to.
#[derive(Clone, Copy)]
struct Plan<'a> {
    args: &'a RunArgs,
    scene: &'a Scene,
    estimate: Estimate,
    output: &'a Output,
}

/// A run under way.
struct Run<'a> {
    plan: Plan<'a>,
    simulation: Simulation,
    folder: RunFolder,
    frames: FrameWriter,
    diagnostics: DiagnosticsWriter,
    reporter: &'a mut Reporter,
    status: Status,
    watch: ConvergenceWatch,
    checkpoints: Checkpoints,
    preview: Option<Preview>,
    /// All files written so far.
    files: Vec<PathBuf>,
}

impl<'a> Run<'a> {
    fn open(
        plan: Plan<'a>,
        simulation: Simulation,
        resumed: Option<Resumed>,
        reporter: &'a mut Reporter,
    ) -> Result<Self> {
        let Plan { args, scene, estimate, output } = plan;
        let folder = match &resumed {
            Some(_) => output.resume(scene)?,
            None => output.open(scene, reporter)?,
        };
        let (frames, diagnostics) = match &resumed {
            Some(resumed) => resumed.open(&folder, (scene, &args.format), reporter)?,
            None => (
                FrameWriter::new(folder.root(), &args.format, scene.time.fps)?,
                DiagnosticsWriter::create(&folder.diagnostics())?,
            ),
        };
        let lists = frames.collection().into_iter().chain(frames.stage());
        let files = [folder.scene(), folder.diagnostics()].into_iter().chain(lists).collect();
        let status = Status {
            frames: scene.time.frames,
            particles: simulation.particle_count(),
            ..resumed.as_ref().map_or_else(Status::default, Resumed::status)
        };
        let start = Start { scene, estimate, out: folder.root(), formats: &args.format, status: &status };
        reporter.start(&start, resumed.as_ref().map(|r| r.path.as_path()));
        for note in scene.notes().iter().chain(simulation.notes()) {
            reporter.note(&format!("note: {note}"));
        }
        let preview = match args.preview {
            true => {
                let world = (scene, simulation.world());
                Some(Preview::new(&folder, world, &simulation.frame(), resumed.is_some())?)
            }
            false => None,
        };
        if let Some(note) = preview.as_ref().and_then(|p| p.note.as_ref()) {
            reporter.note(&format!("note: {note}"));
        }
        let watch = ConvergenceWatch::new(scene.solver.velocity_tolerance());
        let resumed = resumed.map(|r| r.header.frame);
        let checkpoints = Checkpoints::new(folder.clone(), args.checkpoint_every, resumed);
        Ok(Self {
            plan,
            simulation,
            folder,
            frames,
            diagnostics,
            reporter,
            status,
            watch,
            checkpoints,
            preview,
            files,
        })
    }

    /// Writes the initial state, then computes and writes frame after frame.
    fn finish(mut self) -> Result<ExitCode> {
        let result = self.run();
        // Rows of a frame that failed tell why it did; a disk that is full has been reported already.
        let flushed = self.diagnostics.flush();
        if let Err(error) = result {
            return Err(self.failure(&error));
        }
        flushed?;
        if let Some(preview) = &self.preview {
            self.files.extend(preview.bind(self.status.number)?);
        }
        self.tell_end()
    }

    fn run(&mut self) -> Result<()> {
        if self.status.written == 0 {
            self.write_frame()?;
            self.write_checkpoint()?;
        }
        while self.status.written < self.status.frames && !interrupt::requested() {
            self.compute_frame()?;
            self.write_frame()?;
            self.write_checkpoint()?;
        }
        Ok(())
    }

    /// Writes a checkpoint where one is due; the frame that it follows must be written.
    fn write_checkpoint(&mut self) -> Result<()> {
        let ends = self.status.written == self.status.frames || interrupt::requested();
        let frame = self.status.number;
        if self.checkpoints.is_due(frame, ends) {
            self.diagnostics.sync()?;
            let written = self.checkpoints.write(&self.simulation, frame)?;
            self.reporter.checkpoint(&self.status, &written);
        }
        Ok(())
    }

    /// Computes one frame; every step goes to the diagnostics and to the user.
    fn compute_frame(&mut self) -> Result<()> {
        let mut failure = None;
        let on_step = |step: &StepReport| {
            self.status.step = step.step;
            self.status.time = step.time;
            self.status.particles = step.particles;
            self.reporter.step(&self.status);
            if let Some(shortfall) = self.watch.add(step) {
                self.reporter.note(&warning(&shortfall, self.plan.scene));
            }
            self.status.steps_above_tolerance = self.watch.missed();
            if interrupt::requested() {
                self.reporter.stopping();
            }
            match self.diagnostics.write(step) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        self.simulation.advance_frame(on_step)?;
        failure.map_or(Ok(()), |error| Err(error.into()))
    }

    fn write_frame(&mut self) -> Result<()> {
        let frame = self.simulation.frame();
        let mut files = self.frames.write(&frame)?;
        if let Some(preview) = &mut self.preview {
            files.push(preview.draw(&frame)?);
        }
        self.diagnostics.flush()?;
        self.status.written += 1;
        self.status.number = frame.number;
        self.status.time = frame.time;
        self.status.particles = frame.len();
        self.reporter.frame(&self.status, &files);
        self.files.extend(files);
        Ok(())
    }
}

/// What to try where the velocity solve does not reach its tolerance.
fn warning(shortfall: &Shortfall, scene: &Scene) -> String {
    let remedies: Vec<String> = scene.convergence_remedies().iter().map(|r| format!("--set {r}")).collect();
    format!("warning: {shortfall}; try {}", remedies.join(" or "))
}
