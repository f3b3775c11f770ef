//! `visco run`: from a scene to frames on the disk.

mod interrupt;
mod output;
mod pace;
mod report;

use crate::args::{Backend, RunArgs};
use crate::{console, source, text};
use anyhow::{Context, Result, anyhow};
use output::Output;
use report::{Reporter, Start, Status};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use visco::convergence::Shortfall;
use visco::scene::Estimate;
use visco::{ConvergenceWatch, Scene, Simulation, StepReport};
use visco_io::{DiagnosticsWriter, FrameWriter, RunFolder};

/// Runs a scene and writes its frames.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let mut reporter = Reporter::new(args.quiet, args.json);
    let result = attempt(args, &mut reporter);
    if let Err(error) = &result {
        reporter.error(error);
    }
    result
}

fn attempt(args: &RunArgs, reporter: &mut Reporter) -> Result<ExitCode> {
    let Backend::Cpu = args.backend;
    // As the last change, it wins over `--set time.frames=…`.
    let mut changes = args.scene.set.clone();
    changes.extend(args.frames.map(|n| format!("time.frames={n}")));
    let loaded = source::load(&args.scene.scene, &changes)?;
    let scene = &loaded.scene;

    // Everything that can be refused is refused before anything is built or written.
    let out = args.out.clone();
    let output = Output::check(out.unwrap_or_else(|| output::default_folder(&scene.name)))?;
    start_threads(args)?;
    interrupt::install()?;
    let simulation = loaded.build()?;

    let plan = Plan { args, scene, estimate: loaded.estimate(), output: &output };
    Run::open(plan, simulation, reporter)?.finish()
}

/// Sets up rayon's pool, which the physics uses.
fn start_threads(args: &RunArgs) -> Result<()> {
    let threads = args.threads.map_or(0, usize::from);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().context("cannot start the threads")
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
    /// All files written so far.
    files: Vec<PathBuf>,
}

impl<'a> Run<'a> {
    fn open(plan: Plan<'a>, simulation: Simulation, reporter: &'a mut Reporter) -> Result<Self> {
        let Plan { args, scene, estimate, .. } = plan;
        let folder = plan.output.open(scene, reporter)?;
        let frames = FrameWriter::new(folder.root(), &args.format)?;
        let diagnostics = DiagnosticsWriter::create(&folder.diagnostics())?;
        let files = [folder.scene(), folder.diagnostics()].into_iter().chain(frames.collection()).collect();
        let status =
            Status { frames: scene.time.frames, particles: simulation.particle_count(), ..Status::default() };
        reporter.start(&Start {
            scene,
            estimate,
            out: folder.root(),
            formats: &args.format,
            status: &status,
        });
        for note in scene.notes().iter().chain(simulation.notes()) {
            reporter.note(&format!("note: {note}"));
        }
        let watch = ConvergenceWatch::new(scene.solver.velocity_tolerance());
        Ok(Self { plan, simulation, folder, frames, diagnostics, reporter, status, watch, files })
    }

    /// Writes the initial state, then computes and writes frame after frame.
    fn finish(mut self) -> Result<ExitCode> {
        let result = self.write_frame().and_then(|()| {
            while self.status.written < self.status.frames && !interrupt::requested() {
                self.compute_frame()?;
                self.write_frame()?;
            }
            Ok(())
        });
        // Rows of a frame that failed tell why it did; a disk that is full has been reported already.
        let flushed = self.diagnostics.flush();
        if let Err(error) = result {
            return Err(anyhow!("{error:#}\n{}", self.written_text()));
        }
        flushed?;
        self.tell_end()
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
        let files = self.frames.write(&frame)?;
        self.diagnostics.flush()?;
        self.status.written += 1;
        self.status.number = frame.number;
        self.status.time = frame.time;
        self.status.particles = frame.len();
        self.reporter.frame(&self.status, &files);
        self.files.extend(files);
        Ok(())
    }

    /// Tells what was written and what to do next.
    fn tell_end(self) -> Result<ExitCode> {
        let args = self.plan.args;
        let interrupted = self.status.written < self.status.frames;
        self.reporter.end(&self.status, &self.files, interrupted);
        if !args.quiet && !args.json {
            console::print(self.summary(interrupted))?;
        }
        Ok(if interrupted { ExitCode::from(console::INTERRUPTED) } else { ExitCode::SUCCESS })
    }

    fn summary(&self, interrupted: bool) -> String {
        let mut lines = vec![format!(
            "{}{}, {}, {}",
            if interrupted { "interrupted: " } else { "" },
            self.written_text(),
            text::counted(self.status.particles as u64, "particle"),
            text::duration(self.reporter.seconds()),
        )];
        if self.watch.has_advised() {
            lines.push(format!(
                "The velocity solve missed its tolerance in {} of {}",
                text::count(self.watch.missed()),
                text::counted(self.watch.steps(), "step"),
            ));
        }
        let scene = &self.plan.args.scene.scene;
        let ply = self.folder.frame(self.status.number, visco_io::Format::Ply);
        let shown = if self.files.contains(&ply) {
            ply.display().to_string()
        } else {
            self.folder.root().display().to_string()
        };
        lines.push(format!("Next: visco info {shown}"));
        match self.frames.collection() {
            Some(path) => lines.push(format!("      open {} in ParaView", path.display())),
            None => lines
                .push(format!("      visco run {scene} --format ply,vtp   for frames that ParaView opens")),
        }
        if interrupted {
            lines.push(format!("      visco run {scene}   to start again from the beginning"));
        }
        lines.join("\n")
    }

    /// `12 of 150 frames (000000 to 000011) written to out/honey`.
    fn written_text(&self) -> String {
        let out = self.folder.root().display();
        let Status { written, frames, .. } = self.status;
        match written {
            0 => format!("no frame written to {out}"),
            _ if written == frames => format!("{} written to {out}", text::counted(written.into(), "frame")),
            _ => format!(
                "{} of {} (000000 to {:06}) written to {out}",
                text::count(written.into()),
                text::counted(frames.into(), "frame"),
                self.status.number
            ),
        }
    }
}

/// What to try where the velocity solve does not reach its tolerance.
fn warning(shortfall: &Shortfall, scene: &Scene) -> String {
    let remedies: Vec<String> = scene.convergence_remedies().iter().map(|r| format!("--set {r}")).collect();
    format!("warning: {shortfall}; try {}", remedies.join(" or "))
}
